//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakOf returns the largest resident size of a process that has ended, in KiB, or 0 if it is not
// known. On Linux a new process starts with the memory size of its parent, so a size that is not
// above our own is not known.
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
