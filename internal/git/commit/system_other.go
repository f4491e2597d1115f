//go:build !unix

package commit

import "os/exec"

// detach makes a process continue when our session ends.
func detach(*exec.Cmd) {}
