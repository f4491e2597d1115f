package importing

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/schema"
)

// MaxRow is the most that one row of a store may be, in bytes: as much as MongoDB
// keeps in a document.
const MaxRow = 16 << 20

// IsStore says whether a file holds the rows of a store: its name says so, or it
// begins as one. Head is its first bytes.
func IsStore(name string, head []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonl", ".ndjson":
		return true
	case ".md", ".markdown", ".txt":
		return false
	}
	rest := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if list, ok := bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("[")); ok {
		rest = list
	}
	return schema.IsJSON(rest) && !bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("["))
}

// Each reads the rows of a store one after the other: JSON lines, objects that follow
// each other in any layout, or one array of them. Do gets each with its place and
// where it begins, in bytes; the row is its to keep. No more than a row
// is held at a time. The error says on which line the text stops being JSON.
func Each(text io.Reader, do func(place result.Place, at int64, row []byte)) error {
	r := &rowReader{in: text, line: 1}
	if line, what := r.begin(); what != "" {
		return fault.New(fault.Invalid, "line %d: %s; JSON in UTF-8 is expected", line, what)
	}
	in := json.NewDecoder(r)
	if r.list {
		_, _ = in.Token()
	}
	rows := 0
	for !r.list || in.More() {
		var row json.RawMessage
		r.mark = in.InputOffset()
		err := in.Decode(&row)
		if errors.Is(err, io.EOF) && !r.list {
			break
		}
		if len(row) > MaxRow {
			err = errRowTooLarge
		}
		if err != nil {
			return r.fault(in, err)
		}
		rows++
		at := in.InputOffset() - int64(len(row))
		place := result.Place{Line: r.lineOf(at)}
		if r.list {
			place.Row = rows
		}
		do(place, r.skipped+at, row)
	}
	if r.list {
		if _, err := in.Token(); err != nil {
			return fault.New(fault.Invalid, "line %d: the list is cut off: a ] is expected", r.lineOf(r.read))
		}
		if _, err := in.Token(); !errors.Is(err, io.EOF) {
			return fault.New(fault.Invalid, "line %d: something stands behind the list", r.lineOf(in.InputOffset()))
		}
	}
	if rows == 0 {
		return fault.New(fault.Invalid, "there is nothing in it")
	}
	return nil
}

var errRowTooLarge = errors.New("a row is too large")

// rowReader hands a text to the decoder and remembers where its lines begin, as far
// as the decoder has not come yet.
type rowReader struct {
	in      io.Reader
	head    []byte // what begin has read and Read has not given
	list    bool
	skipped int64 // bytes of a byte order mark

	read   int64   // bytes that the decoder has
	solid  int64   // of them, up to the last that is no space
	mark   int64   // where the row begins that is being read
	line   int     // at the first of breaks
	breaks []int64 // offsets of line breaks that lineOf has not counted
}

// begin looks at the first bytes: what is no text is said with its line.
func (r *rowReader) begin() (line int, what string) {
	head := make([]byte, 4<<10)
	n, _ := io.ReadFull(r.in, head) // an error comes again
	r.head = head[:n]
	if bytes.HasPrefix(r.head, []byte("\xff\xfe")) || bytes.HasPrefix(r.head, []byte("\xfe\xff")) {
		return 1, "this is UTF-16"
	}
	if rest, marked := bytes.CutPrefix(r.head, []byte("\xef\xbb\xbf")); marked {
		r.head, r.skipped = rest, 3
	}
	r.list = bytes.HasPrefix(bytes.TrimLeft(r.head, " \t\r\n"), []byte("["))
	return 0, ""
}

// Read is that of an [io.Reader].
func (r *rowReader) Read(p []byte) (n int, err error) {
	p = p[:min(len(p), 64<<10)] // the decoder has room for much more than a row
	if len(r.head) > 0 {
		n = copy(p, r.head)
		r.head = r.head[n:]
	} else {
		n, err = r.in.Read(p)
	}
	for i, b := range p[:n] {
		switch b {
		case '\n':
			r.breaks = append(r.breaks, r.read+int64(i))
		case ' ', '\t', '\r':
		default:
			r.solid = r.read + int64(i) + 1
		}
	}
	if r.read += int64(n); err == nil && r.read-r.mark > MaxRow {
		err = errRowTooLarge
	}
	return n, err
}

// lineOf is the line on which an offset stands; the next may not be smaller.
func (r *rowReader) lineOf(at int64) int {
	n := 0
	for n < len(r.breaks) && r.breaks[n] < at {
		n++
	}
	r.breaks = r.breaks[n:]
	r.line += n
	return r.line
}

// fault says on which line and why a row cannot be read.
func (r *rowReader) fault(in *json.Decoder, err error) error {
	if errors.Is(err, errRowTooLarge) {
		return fault.New(fault.Unsupported, "line %d: a row is larger than %d MiB, which is the limit", r.lineOf(r.mark+1), MaxRow>>20)
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok { // of whose offset the decoder leaves out commas
		rest, _ := io.ReadAll(in.Buffered())
		at := in.InputOffset()
		if again, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(rest, new(json.RawMessage))); ok {
			at += again.Offset - 1
		}
		return fault.New(fault.Invalid, "line %d: no JSON: %w", r.lineOf(at), err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(fault.Invalid, "line %d: no JSON: %w", r.lineOf(r.solid), err)
	}
	return fault.New(fault.Failed, "line %d: %w", r.lineOf(in.InputOffset()), err)
}
