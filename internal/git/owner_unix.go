//go:build unix

package git

import (
	"os"
	"strconv"
	"syscall"
)

// notMine reports whether a path may belong to another user. If root runs ckpt by sudo, files of the user who called
// sudo count as root's own, as in git.
func notMine(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return true
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	me := os.Geteuid()
	if me == 0 && stat.Uid != 0 {
		if by, err := strconv.Atoi(os.Getenv("SUDO_UID")); err == nil {
			me = by
		}
	}
	return int(stat.Uid) != me
}
