//go:build !unix

package runner

import (
	"os/exec"
	"strconv"
	"time"
)

// leadGroup does nothing, since this system knows which processes a process has started.
func leadGroup(*exec.Cmd) {}

// endGroup ends a process and all processes that it has started.
func endGroup(process int, _ time.Duration) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(process)).Run() // an error means that it has ended
}
