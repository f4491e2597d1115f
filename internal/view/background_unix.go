//go:build unix && !solaris && !aix

package view

import (
	"io"
	"os"

	"charm.land/lipgloss/v2"
	"golang.org/x/sys/unix"
)

// hasLightBackground reports whether the terminal of out has a light background. It waits at most two seconds.
func hasLightBackground(out io.Writer) bool {
	tty, ok := out.(*os.File)
	return ok && inForeground(tty) && readsToo(tty) && !lipgloss.HasDarkBackground(tty, tty)
}

// inForeground reports whether this process may read from the terminal. The system would stop a
// process in the background.
func inForeground(tty *os.File) bool {
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// readsToo reports whether a terminal is open for reading and writing. An answer that is not read
// would appear as input of the shell.
func readsToo(tty *os.File) bool {
	flags, err := unix.FcntlInt(tty.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
