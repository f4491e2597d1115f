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
	file   *os.File // where it is open and whole
	size   int      // of what follows the first line
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
	f, err := os.Open(l.path)
	if err != nil {
		return nil, describe("read", l.path, err)
	}
	sum := sha1.New()
	read, err := io.Copy(sum, io.NewSectionReader(f, int64(logHeader), int64(size)))
	if err != nil || read < int64(size) || hex.EncodeToString(sum.Sum(nil)) != fields[3] {
		_ = f.Close()
		if err != nil {
			return nil, describe("read", l.path, err)
		}
		return l, nil
	}
	l.open, l.file, l.size = true, f, size
	return l, nil
}

// ErrStrange is in the error of whatever meets a journal's file that no ckpt of
// this version has written.
var ErrStrange = errors.New("is no journal that this ckpt knows")

func (l *log) strange() error {
	return fault.New(fault.Failed, "%q %w", l.path, ErrStrange).WithHint("ckpt doctor --fix   (puts it aside)")
}

// begin writes the next operation, without a sync. The file is left open.
func (l *log) begin(body func(io.Writer) error) (*os.File, error) {
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|noFollow, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(l.path), 0o777); err == nil {
			f, err = os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|noFollow, 0o644)
		}
	}
	if err == nil {
		if err = l.write(f, body); err != nil {
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

// write writes the body and then the first line, which says that it is there.
func (l *log) write(f *os.File, body func(io.Writer) error) error {
	sum := sha1.New()
	to := bufio.NewWriterSize(io.NewOffsetWriter(f, int64(logHeader)), logRoom)
	counted := &counter{to: io.MultiWriter(to, sum)}
	if err := body(counted); err != nil {
		return err
	}
	if room := logRoom - logHeader - counted.n; len(l.header) == 0 && room > 0 {
		_, _ = to.Write(make([]byte, room)) // Flush says what was wrong with it
	}
	if err := to.Flush(); err != nil {
		return err
	}
	first := fmt.Appendf(nil, "%s%s %010d %010d %x\n", logMagic, logOpen, (l.number+1)%1e10, counted.n, sum.Sum(nil))
	_, err := f.WriteAt(first, 0)
	return err
}

// counter counts what is written through it.
type counter struct {
	to io.Writer
	n  int
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += n
	return n, err
}

// end says that no operation is under way. Where that cannot be written the file is
// removed or emptied, which means the same.
func (l *log) end() error {
	if l.file != nil {
		_ = l.file.Close()
	}
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

// encodeLog writes the body of an operation.
func encodeLog(w io.Writer, root string, end End, files []change.File) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s %q\n", end, root)
	for _, f := range files {
		after := "-"
		if !f.Gone() {
			after = strconv.Itoa(f.Size())
		}
		fmt.Fprintf(b, "%s %s %q\n", logSize(f.Before), after, f.Path)
	}
	_ = b.WriteByte('\n') // Flush says what was wrong with any of these
	for _, f := range files {
		after, err := f.Content()
		if err != nil {
			return err
		}
		_, _ = b.Write(f.Before)
		_, _ = b.Write(after)
	}
	return b.Flush()
}

func logSize(data []byte) string {
	if data == nil {
		return "-"
	}
	return strconv.Itoa(len(data))
}

// decodeLog takes apart what encodeLog wrote: size bytes behind the first line. What the
// files are to hold stays where it is, until somebody asks for it, where it is much.
func decodeLog(file *os.File, size int) (end End, files []change.File, err error) {
	r := bufio.NewReader(io.NewSectionReader(file, int64(logHeader), int64(size)))
	first, err := r.ReadString('\n')
	word, _, _ := strings.Cut(first, " ")
	at := logHeader + len(first)
	var sizes [][2]int
	for err == nil {
		var line string
		if line, err = r.ReadString('\n'); line == "\n" {
			break
		}
		at += len(line)
		before, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		after, name, ok := strings.Cut(rest, " ")
		path, perr := strconv.Unquote(name)
		n, nerr := parseSize(before)
		m, merr := parseSize(after)
		if !ok || errors.Join(perr, nerr, merr) != nil {
			return "", nil, ErrStrange
		}
		files, sizes = append(files, change.File{Path: path}), append(sizes, [2]int{n, m})
	}
	at++
	for i, n := range sizes {
		if err != nil || at+max(n[0], 0)+max(n[1], 0) > logHeader+size {
			return "", nil, ErrStrange
		}
		if n[0] >= 0 {
			files[i].Before, err = part{file, int64(at), n[0]}.Bytes()
			at += n[0]
		}
		if n[1] >= 0 {
			files[i].Kept = part{file, int64(at), n[1]}
			at += n[1]
		}
	}
	if set := (change.Set{Files: files}); err == nil && size <= logMost {
		err = set.Load()
		_ = file.Close()
	}
	if err != nil {
		return "", nil, ErrStrange
	}
	return End(word), files, nil
}

// parseSize reads what logSize wrote: -1 for no file.
func parseSize(s string) (int, error) {
	if s == "-" {
		return -1, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, ErrStrange
	}
	return n, nil
}
