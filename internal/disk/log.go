package disk

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
)

// The journal's file stays where it is and is written in place: that takes one
// sync of data, where a file that comes and goes takes a new inode and two syncs.
// Its first line says whether an operation is under way, which one in a row, how
// long the rest is, and the rest's checksum:
//
//	ckpt journal 2 open 0000000042 0000006431 6f95ab96b0731c91c72471a51e623a1b6d475c30
//
// A rest that does not fit the checksum was not written to its end: no file of the
// operation was touched yet, so there is nothing to settle.
//
// The rest is a line for the operation, a line for each file with the sizes of what
// it held and is to hold ("-" for no file), an empty line, and these bytes.

const (
	journalName = "journal"
	logMagic    = "ckpt journal 2 "
	logOpen     = "open"
	logDone     = "done"
	logHeader   = len(logMagic) + 4 + 1 + 10 + 1 + 10 + 1 + 2*sha1.Size + 1

	logRoom = 16 << 10 // as large as most need: a file that does not grow is synced sooner
	logMost = 1 << 20  // a larger one is cut in the end
)

// log is the journal's file as it was read.
type log struct {
	path   string
	header []byte // "" where there is no file
	number int
	open   bool
	body   []byte // where it is open and whole
}

// readLog reads the journal's file in dir; the body only where an operation is
// under way.
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
	if n == 0 { // empty is no journal, and so is one of which nothing reached the device
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
	if len(fields) != 4 || fields[0] != logOpen && fields[0] != logDone {
		return nil, l.strange()
	}
	size := 0
	if l.number, err = strconv.Atoi(fields[1]); err == nil {
		size, err = strconv.Atoi(fields[2])
	}
	if err != nil || size < 0 || size > 1<<32 {
		return nil, l.strange()
	}
	if fields[0] == logDone {
		return l, nil
	}
	all, err := Bytes(l.path)
	if err != nil {
		return nil, describe("read", l.path, err)
	}
	if len(all) < logHeader+size || logSum(all[logHeader:logHeader+size]) != fields[3] {
		return l, nil
	}
	l.open, l.body = true, all[logHeader:logHeader+size]
	return l, nil
}

// ErrStrange is in the error of whatever meets a journal's file that no ckpt of
// this version has written.
var ErrStrange = errors.New("is no journal that this ckpt knows")

func (l *log) strange() error {
	return fault.New(fault.Failed, "%q %w", l.path, ErrStrange).WithHint("ckpt doctor --fix   (puts it aside)")
}

// begin writes body as the next operation, without a sync. The file is left open.
func (l *log) begin(body []byte) (*os.File, error) {
	data := make([]byte, 0, max(logRoom, logHeader+len(body)))
	data = fmt.Appendf(data, "%s%s %010d %010d %s\n", logMagic, logOpen, (l.number+1)%1e10, len(body), logSum(body))
	data = append(data, body...)
	if len(l.header) == 0 && len(data) < logRoom {
		data = data[:logRoom]
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|noFollow, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(l.path), 0o777); err == nil {
			f, err = os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|noFollow, 0o644)
		}
	}
	if err == nil {
		if _, err = f.Write(data); err != nil {
			_ = f.Close()
		}
	}
	if err != nil {
		if len(l.header) == 0 {
			_ = os.Remove(l.path) // else what is there no longer fits its checksum, or is the old one
		}
		return nil, describe("write", l.path, err)
	}
	return f, nil
}

// end says that no operation is under way. Where that cannot be written the file is
// removed or emptied, which means the same.
func (l *log) end() error {
	f, err := os.OpenFile(l.path, os.O_WRONLY|noFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		info, serr := f.Stat()
		if serr == nil && info.Size() < int64(logHeader) {
			err = ErrStrange
		} else if _, err = f.WriteAt([]byte(logDone), int64(len(logMagic))); err == nil && serr == nil && info.Size() > logMost {
			_ = f.Truncate(int64(logHeader)) // the number stays
		}
		err = errors.Join(err, f.Close())
	}
	if err == nil || os.Remove(l.path) == nil || os.Truncate(l.path, 0) == nil {
		return nil
	}
	return describe("end", l.path, err)
}

func logSum(body []byte) string {
	sum := sha1.Sum(body)
	return hex.EncodeToString(sum[:])
}

// encodeLog is the body of an operation.
func encodeLog(root string, end End, files []change.File) []byte {
	size := len(root) + 64
	for _, f := range files {
		size += len(f.Path) + len(f.Before) + len(f.After) + 32
	}
	b := fmt.Appendf(make([]byte, 0, size), "%s %q\n", end, root)
	for _, f := range files {
		b = fmt.Appendf(b, "%s %s %q\n", logSize(f.Before), logSize(f.After), f.Path)
	}
	b = append(b, '\n')
	for _, f := range files {
		b = append(append(b, f.Before...), f.After...)
	}
	return b
}

func logSize(data []byte) string {
	if data == nil {
		return "-"
	}
	return strconv.Itoa(len(data))
}

// decodeLog takes apart what encodeLog made.
func decodeLog(body []byte) (end End, files []change.File, err error) {
	head, data, ok := bytes.Cut(body, []byte("\n\n"))
	first, rest, _ := strings.Cut(string(head), "\n")
	word, _, _ := strings.Cut(first, " ")
	take := func(size string) []byte {
		if size == "-" {
			return nil
		}
		n, err := strconv.Atoi(size)
		if ok = ok && err == nil && n >= 0 && n <= len(data); !ok {
			return nil
		}
		part := data[:n:n]
		data = data[n:]
		return part
	}
	for line := range strings.SplitSeq(rest, "\n") {
		if line == "" {
			continue
		}
		part := strings.SplitN(line, " ", 3)
		if len(part) < 3 {
			return "", nil, ErrStrange
		}
		path, err := strconv.Unquote(part[2])
		if err != nil {
			return "", nil, ErrStrange
		}
		files = append(files, change.File{Path: path, Before: take(part[0]), After: take(part[1])})
	}
	if !ok {
		return "", nil, ErrStrange
	}
	return End(word), files, nil
}
