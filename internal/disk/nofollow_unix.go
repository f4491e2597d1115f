//go:build unix

package disk

import "golang.org/x/sys/unix"

// noFollow makes it an error to open a symbolic link. Our own files in the git folder are never
// symbolic links, and the target of one is not ours.
const noFollow = unix.O_NOFOLLOW
