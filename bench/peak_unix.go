//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakOf is the largest resident size of a process that ended, in KiB.
func peakOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // counts in bytes
		return int64(usage.Maxrss) / 1024
	}
	return int64(usage.Maxrss)
}
