//go:build unix && !solaris && !aix

package view

import (
	"bytes"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
	xterm "golang.org/x/term"
)

// answerTime is how long to wait for the terminal's answer. It may take a moment over a slow
// connection; the recording of a terminal never answers.
const answerTime = time.Second

// backgroundColor asks the terminal of out for its background colour. It also asks for the
// device attributes, which every terminal returns: their answer without a colour comes from a
// terminal that does not support the first question. The library termenv waits five seconds
// instead, and does not ask at all inside tmux.
func backgroundColor(out io.Writer) (rgb, bool) {
	tty, ok := out.(*os.File)
	if !ok || !inForeground(tty) || !readsToo(tty) {
		return rgb{}, false
	}
	fd := int(tty.Fd())
	before, err := xterm.MakeRaw(fd)
	if err != nil {
		return rgb{}, false
	}
	defer func() { _ = xterm.Restore(fd, before) }() // an error cannot be handled
	if _, err := tty.WriteString("\x1b]11;?\x1b\\" + "\x1b[c"); err != nil {
		return rgb{}, false
	}
	return parseBackground(readAnswer(fd, time.Now().Add(answerTime)))
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

// readAnswer reads up to the end of the device attributes: ESC [ ? ... c.
func readAnswer(fd int, deadline time.Time) []byte {
	var answer []byte
	buf := make([]byte, 64)
	for len(answer) < 1024 {
		if begin := bytes.Index(answer, []byte("\x1b[?")); begin >= 0 && bytes.IndexByte(answer[begin:], 'c') > 0 {
			break
		}
		if !readable(fd, time.Until(deadline)) {
			break
		}
		n, err := unix.Read(fd, buf)
		if n <= 0 || err != nil {
			break
		}
		answer = append(answer, buf[:n]...)
	}
	return answer
}

// readable waits until a read would not block.
func readable(fd int, wait time.Duration) bool {
	deadline := time.Now().Add(wait)
	for wait > 0 {
		var set unix.FdSet
		set.Zero()
		set.Set(fd)
		limit := unix.NsecToTimeval(wait.Nanoseconds())
		n, err := unix.Select(fd+1, &set, nil, nil, &limit)
		if err != unix.EINTR {
			return n > 0 && err == nil
		}
		wait = time.Until(deadline)
	}
	return false
}
