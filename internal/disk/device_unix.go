//go:build unix

package disk

import (
	"os"
	"syscall"
)

// sameDevice reports whether a file can be renamed from one folder to the other.
func sameDevice(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX != nil || errY != nil {
		return false
	}
	p, ok1 := x.Sys().(*syscall.Stat_t)
	q, ok2 := y.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && p.Dev == q.Dev
}
