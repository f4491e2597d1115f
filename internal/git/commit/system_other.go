//go:build !unix

package commit

import "os/exec"

// detach does nothing on this system.
func detach(*exec.Cmd) {}
