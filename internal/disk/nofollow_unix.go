//go:build unix

package disk

import "golang.org/x/sys/unix"

// noFollow makes it an error to open a symbolic link. The files of ckpt in the git folder are never
// symbolic links, so a link there leads to a foreign file.
const noFollow = unix.O_NOFOLLOW
