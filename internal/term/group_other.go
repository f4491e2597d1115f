//go:build !unix

package term

import (
	"os/exec"
	"strconv"
	"time"
)

// LeadGroup does nothing, since this system knows which processes a process has started.
func LeadGroup(*exec.Cmd) {}

// EndGroup ends a process and all processes that it has started.
func EndGroup(process int, _ time.Duration) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(process)).Run() // an error means that it has ended
}
