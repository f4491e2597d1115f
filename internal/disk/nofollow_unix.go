//go:build unix

package disk

import "golang.org/x/sys/unix"

// noFollow makes opening a symbolic link fail: our own files in the git folder are
// none, and what one points at is somebody else's.
const noFollow = unix.O_NOFOLLOW
