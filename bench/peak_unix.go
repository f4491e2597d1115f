//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakOf returns the largest resident size of a process that has ended, in KiB, or 0 if it is unknown. On Linux a new
// process begins with the size of its parent, so a size that is not larger than ours counts as unknown.
func peakOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	var own syscall.Rusage
	if !ok || syscall.Getrusage(syscall.RUSAGE_SELF, &own) != nil || usage.Maxrss <= own.Maxrss {
		return 0
	}
	if runtime.GOOS == "darwin" { // macOS reports bytes
		return int64(usage.Maxrss) / 1024
	}
	return int64(usage.Maxrss)
}
