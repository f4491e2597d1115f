package disk

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/fault"
)

// The journal's file is never replaced: it is written in place. That takes one sync of data; a
// new file for each operation would take a new inode and two syncs. The first line has the
// state of the operation, its number, the length of the body, and the checksum of the body:
//
//	ckpt journal 2 open 0000000042 0000006431 6f95ab96b0731c91c72471a51e623a1b6d475c30
//
// If the checksum does not match, the body was not written to its end. The operation had not
// changed any file yet, so there is nothing to complete or undo.
//
// The file logbody.go describes the body.

const (
	journalName = "journal"
	logMagic    = "ckpt journal 2 "
	logOpen     = "open"
	logBack     = "back" // as logOpen, but the operation has failed and is to be reverted
	logDone     = "done"
	logHeader   = len(logMagic) + 4 + 1 + 10 + 1 + 10 + 1 + 2*sha1.Size + 1

	logRoom = 16 << 10 // enough for most operations: syncing a file that does not grow is faster
	logMost = 1 << 20  // a larger file is truncated when the operation ends
)

// log is the journal's file as it was read.
type log struct {
	path   string
	header []byte // the first line; empty if the file does not exist
	number int
	open   bool
	back   bool   // the operation is to be reverted
	body   []byte // what follows the first line; empty if no operation is under way
}

// readLog reads the journal's file in dir. It reads the body only if an operation is under way.
func readLog(dir string) (*log, error) {
	l := &log{path: filepath.Join(dir, journalName)}
	header, err := head(l.path, logHeader)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, describe("read", l.path, err)
	}
	n := len(header)
	if n == 0 { // the file is new, or was never written to the device
		return l, nil
	}
	if n < logHeader || !bytes.HasPrefix(header, []byte(logMagic)) {
		if len(bytes.Trim(header[:n], "\x00")) == 0 {
			return l, nil
		}
		return nil, l.strange()
	}
	l.header = header
	fields := strings.Fields(string(header[len(logMagic):]))
	if len(fields) != 4 || !slices.Contains([]string{logOpen, logBack, logDone}, fields[0]) {
		return nil, l.strange()
	}
	size := 0
	l.number, err = strconv.Atoi(fields[1])
	if err == nil {
		size, err = strconv.Atoi(fields[2])
	}
	if err != nil || size < 0 {
		return nil, l.strange()
	}
	if fields[0] == logDone {
		return l, nil
	}
	l.back = fields[0] == logBack
	return l, l.readBody(size, fields[3])
}

// readBody reads what follows the first line. If it is complete, the operation is under way. It
// copies the body, so that a writer cannot change what a reader without a lock has read.
func (l *log) readBody(size int, want string) error {
	f, err := os.Open(l.path)
	if err != nil {
		return describe("read", l.path, err)
	}
	defer f.Close()
	body, err := io.ReadAll(io.NewSectionReader(f, int64(logHeader), int64(size)))
	if err != nil {
		return describe("read", l.path, err)
	}
	if sum := sha1.Sum(body); len(body) == size && hex.EncodeToString(sum[:]) == want {
		l.open, l.body = true, body
	}
	return nil
}

// ErrStrange is wrapped by the errors for a journal's file that this version of ckpt cannot
// have written.
var ErrStrange = errors.New("is not a journal that this ckpt knows")

func (l *log) strange() error {
	return fault.New(fault.Failed, "%q %w", l.path, ErrStrange).WithHint("ckpt doctor --fix   (puts it aside)")
}

// begin writes the next operation, without a sync. It leaves the file open.
func (l *log) begin(body func(io.Writer) error) (*os.File, error) {
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|noFollow, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(filepath.Dir(l.path), 0o777)
		if err == nil {
			f, err = os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|noFollow, 0o666)
		}
	}
	if err == nil {
		err = l.write(f, body)
		if err != nil {
			_ = f.Close()
		}
	}
	if err != nil {
		if len(l.header) == 0 {
			_ = os.Remove(l.path)
		} else {
			_ = l.end() // after an error the journal is either the old one or invalid
		}
		return nil, describe("write", l.path, err)
	}
	return f, nil
}

// write writes the body and then the first line, which makes the body valid.
func (l *log) write(f *os.File, body func(io.Writer) error) error {
	sum := sha1.New()
	to := bufio.NewWriterSize(io.NewOffsetWriter(f, int64(logHeader)), logRoom)
	counted := &counter{to: io.MultiWriter(to, sum)}
	if err := body(counted); err != nil {
		return err
	}
	if room := logRoom - logHeader - counted.n; len(l.header) == 0 && room > 0 {
		_, _ = to.Write(make([]byte, room)) // Flush returns any error
	}
	if err := to.Flush(); err != nil {
		return err
	}
	first := fmt.Appendf(nil, "%s%s %010d %010d %x\n", logMagic, logOpen, int64(l.number+1)%1e10, counted.n, sum.Sum(nil))
	_, err := f.WriteAt(first, 0)
	return err
}

// counter counts the bytes written through it.
type counter struct {
	to io.Writer
	n  int
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += n
	return n, err
}

// setState replaces the state of the operation in the first line.
func setState(f *os.File, state string) error {
	_, err := f.WriteAt([]byte(state), int64(len(logMagic)))
	return err
}

// turnBack records that the operation is to be reverted.
func (l *log) turnBack() error {
	f, err := os.OpenFile(l.path, os.O_WRONLY|noFollow, 0)
	if err == nil {
		err = errors.Join(setState(f, logBack), f.Close())
	}
	return err
}

// end records that no operation is under way. If that cannot be written, it removes or
// truncates the file, which has the same meaning.
func (l *log) end() error {
	f, err := os.OpenFile(l.path, os.O_WRONLY|noFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		info, serr := f.Stat()
		if serr == nil && info.Size() < int64(logHeader) {
			err = ErrStrange
		} else {
			err = setState(f, logDone)
			if err == nil && serr == nil && info.Size() > logMost {
				_ = f.Truncate(int64(logHeader)) // the first line and its number remain
			}
		}
		err = errors.Join(err, f.Close())
	}
	if err == nil || os.Remove(l.path) == nil || os.Truncate(l.path, 0) == nil {
		return nil
	}
	return describe("end", l.path, err)
}

// HasJournal reports whether an operation was ever begun with a journal in dir.
func HasJournal(dir string) bool { return Exists(filepath.Join(dir, journalName)) }
