//go:build !unix

package runner

import (
	"os/exec"
	"strconv"
	"time"
)

// leadGroup does nothing: this system knows the processes that a process has started.
func leadGroup(*exec.Cmd) {}

// endGroup ends a process and all processes that it has started.
func endGroup(process int, _ time.Duration) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(process)).Run() // if this fails, it has ended
}
