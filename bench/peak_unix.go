//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakOf returns the largest resident size of a process that ended, in KiB; 0 where it is
// not known. Linux counts the memory of the process that started another one as that of the
// new one, so a size that is not above our own says nothing.
func peakOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	var own syscall.Rusage
	if !ok || syscall.Getrusage(syscall.RUSAGE_SELF, &own) != nil || usage.Maxrss <= own.Maxrss {
		return 0
	}
	if runtime.GOOS == "darwin" { // counts in bytes
		return int64(usage.Maxrss) / 1024
	}
	return int64(usage.Maxrss)
}
