//go:build !unix

package term

import (
	"os/exec"
	"strconv"
	"time"
)

// LeadGroup does nothing, because EndGroup needs no process group on this system.
func LeadGroup(*exec.Cmd) {}

// EndGroup ends a process and all processes that it has started.
func EndGroup(process int, _ time.Duration) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(process)).Run() // it fails if the process has ended
}
