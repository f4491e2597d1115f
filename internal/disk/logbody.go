package disk

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/ckpt/internal/change"
)

// The body of the journal begins with a line for the operation and a line for each file with
// the sizes of its old and its new content ("-" for no file). Then there is an empty line,
// followed by the contents themselves.

// encodeLog writes the body of an operation.
func encodeLog(w io.Writer, root string, end End, files []change.File) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s %q\n", end, root)
	for _, f := range files {
		fmt.Fprintf(b, "%s %s %q\n", logSize(f.Before), logSize(f.After), f.Path)
	}
	_ = b.WriteByte('\n') // Flush returns any error
	for _, f := range files {
		_, _ = b.Write(f.Before)
		_, _ = b.Write(f.After)
	}
	return b.Flush()
}

func logSize(data []byte) string {
	if data == nil {
		return "-"
	}
	return strconv.Itoa(len(data))
}

// decode decodes what encodeLog wrote.
func (l *log) decode() (end End, files []change.File, err error) {
	head, content, whole := bytes.Cut(l.body, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	word, _, _ := strings.Cut(lines[0], " ")
	end = End(word)
	if !whole || !end.known() { // a later version of ckpt may write ends that this one does not know
		return "", nil, ErrStrange
	}
	var sizes [][2]int
	for _, line := range lines[1:] {
		before, rest, _ := strings.Cut(line, " ")
		after, name, _ := strings.Cut(rest, " ")
		path, perr := strconv.Unquote(name)
		n, nerr := parseSize(before)
		m, merr := parseSize(after)
		if errors.Join(perr, nerr, merr) != nil || !filepath.IsLocal(filepath.FromSlash(path)) {
			return "", nil, ErrStrange
		}
		files, sizes = append(files, change.File{Path: path}), append(sizes, [2]int{n, m})
	}
	take := func(size int) []byte {
		if size < 0 {
			return nil
		}
		if size > len(content) {
			err = ErrStrange
			return nil
		}
		taken := content[:size:size]
		content = content[size:]
		return taken
	}
	for i, n := range sizes {
		files[i].Before = take(n[0])
		files[i].After = take(n[1])
	}
	if err != nil {
		return "", nil, err
	}
	return end, files, nil
}

// parseSize parses what logSize wrote: -1 means that the file does not exist.
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
