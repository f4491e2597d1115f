//go:build !unix

package commit

import "os/exec"

// ownerOf returns the user id of the owner of a file. This system does not have one.
func ownerOf(string) (uid int, known bool) { return 0, false }

// detach makes a process continue when our session ends.
func detach(*exec.Cmd) {}
