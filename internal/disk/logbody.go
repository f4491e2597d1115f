package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/ckpt/internal/core/change"
)

// What follows the journal's first line is a line for the operation, a line for each
// file with the sizes of what it held and is to hold ("-" for no file), an empty line,
// and these bytes.

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

// logBound is a size that the body does not exceed.
func logBound(files []change.File) int {
	size := 1 << 16 // the first line
	for _, f := range files {
		size += len(f.Before) + f.Size() + 4*len(f.Path) + 64
	}
	return size
}

func logSize(data []byte) string {
	if data == nil {
		return "-"
	}
	return strconv.Itoa(len(data))
}

// decode takes apart what encodeLog wrote. What the files are to hold stays where it
// is, until somebody asks for it, where it is much.
func (l *log) decode() (end End, files []change.File, err error) {
	r := bufio.NewReader(io.NewSectionReader(l.body, 0, int64(l.size)))
	first, err := r.ReadString('\n')
	word, _, _ := strings.Cut(first, " ")
	if !End(word).known() { // of a later ckpt: what it means is not known
		return "", nil, ErrStrange
	}
	at := len(first)
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
		if !ok || errors.Join(perr, nerr, merr) != nil || max(n, m) > l.size || !filepath.IsLocal(filepath.FromSlash(path)) {
			return "", nil, ErrStrange
		}
		files, sizes = append(files, change.File{Path: path}), append(sizes, [2]int{n, m})
	}
	at++
	for i, n := range sizes {
		if err != nil || at+max(n[0], 0)+max(n[1], 0) > l.size {
			return "", nil, ErrStrange
		}
		if n[0] >= 0 {
			files[i].Before, err = l.part(at, n[0]).Bytes()
			at += n[0]
		}
		if n[1] >= 0 {
			files[i].Kept = l.part(at, n[1])
			at += n[1]
		}
	}
	if set := (change.Set{Files: files}); err == nil && l.file == nil {
		err = set.Load()
	}
	if err != nil {
		return "", nil, ErrStrange
	}
	return End(word), files, nil
}

// part is so many bytes of the body.
func (l *log) part(at, size int) part { return part{l.body, l.path, int64(at), size} }

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
