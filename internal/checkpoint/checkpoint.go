// Package checkpoint reads checkpoints: Markdown files in the Checkpoint Format, which package doc parses.
//
// It accepts what people write: sections in any order, other titles, tables in place of
// lists. Values are immutable: package revise makes new ones.
package checkpoint

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// SpecVersion is the version of the format that ckpt writes. ckpt reads 1.0 to 1.3.
const SpecVersion = "1.3.0"

// Checkpoint is a file of active/ or archive/ with a `checkpoint:` key.
type Checkpoint struct {
	Doc  *doc.Doc
	Path string // slash path relative to the checkpoints folder: "active/chk-a.md"
	ID   string

	yields bool // the status is active although the file is marked as current: see [Set.Settle]

	onceSections, onceDeltas sync.Once
	sections                 []Section
	deltas                   []Delta
}

// Status is the state of a checkpoint.
type Status string

// The states. Current and Active are written in the file. Every file in archive/ is Archived, even
// if it has another status.
const (
	Current  Status = "current"
	Active   Status = "active"
	Archived Status = "archived"
)

// Symbol returns the state as one character for lists and drawings. A file that cannot
// be read, which has no state, is "✗".
func (s Status) Symbol() string {
	switch s {
	case Current:
		return "●"
	case Active:
		return "○"
	case Archived:
		return "◉"
	}
	return "✗"
}

// ErrOther marks a file that is not a checkpoint and does not look like one.
var ErrOther = errors.New("not a checkpoint")

// ErrConflict marks a file in which a merge left conflict markers.
var ErrConflict = errors.New("a merge conflict is left in the file")

// Parse parses a file. The error is [ErrOther] for a Markdown file of another kind, and
// a [fault.Invalid] for a checkpoint that cannot be read.
func Parse(path string, src []byte) (*Checkpoint, error) {
	d, err := ParseDoc(src)
	if err != nil {
		return nil, err
	}
	id, ok := d.Front.Get("checkpoint")
	if !ok {
		if bytes.IndexByte(src, 0) >= 0 {
			return nil, fault.New(fault.Invalid, "it is not text in UTF-8")
		}
		if after := bytes.TrimLeft(src, "\r\n"); len(after) < len(src) && IDIn(after) != "" {
			return nil, fault.New(fault.Invalid, "line 1: the frontmatter does not begin on the first line")
		}
		if looksLike(path, d) {
			return nil, fault.New(fault.Invalid, "no `checkpoint:` key in the frontmatter")
		}
		return nil, ErrOther
	}
	if err := CheckID(id); err != nil {
		return nil, fault.New(fault.Invalid, "line %d: %w", d.Front.Line("checkpoint"), err)
	}
	return &Checkpoint{Doc: d, Path: path, ID: id}, nil
}

// ParseDoc parses a file of any kind, and refuses one in which a merge left a conflict.
func ParseDoc(src []byte) (*doc.Doc, error) {
	d, err := doc.Parse(src)
	if at := conflict(src); at >= 0 && (err != nil || !isCode(d, at)) {
		return nil, fault.New(fault.Invalid, "line %d: %w", 1+bytes.Count(src[:at], []byte("\n")), ErrConflict)
	}
	return d, err
}

// CheckMerged returns an error that wraps ErrConflict if a merge left a conflict in a file.
func CheckMerged(src []byte) error {
	if conflict(src) < 0 {
		return nil
	}
	_, err := ParseDoc(src)
	return err
}

// conflict returns the offset of the first conflict marker of a merge, or -1.
func conflict(src []byte) int {
	at := 0
	if !bytes.HasPrefix(src, []byte("<<<<<<< ")) {
		at = bytes.Index(src, []byte("\n<<<<<<< ")) + 1
	}
	isMarker := at > 0 || bytes.HasPrefix(src, []byte("<<<<<<< "))
	if !isMarker || !bytes.Contains(src, []byte("\n>>>>>>> ")) || !bytes.Contains(src, []byte("\n=======")) {
		return -1
	}
	return at
}

// isCode reports whether an offset is in a code block, a quote or HTML: a conflict there is an example.
func isCode(d *doc.Doc, at int) bool {
	return slices.ContainsFunc(d.Blocks(d.Body()), func(b doc.Block) bool {
		return b.Kind == doc.Other && b.Span.Start < at && at < b.Span.End
	})
}

// looksLike reports whether a file without an id is probably a checkpoint.
func looksLike(path string, d *doc.Doc) bool {
	if _, created := d.Front.Get("created"); created {
		return true
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	if strings.HasPrefix(name, "chk-") {
		return true
	}
	for _, s := range d.Sections() {
		if kind, known := kindOf(s.Title); known && kind == Decisions {
			return true
		}
	}
	return false
}

// fieldOrder is the order of the frontmatter keys that ckpt writes.
var fieldOrder = []string{
	"checkpoint", "created", "anchor", "last_delta", "parent", "status", "base",
	"name", "workflow", "phase", "step", "agent", "session", "project", "trigger", "tokens_used", "progress",
}

// CompareFields orders frontmatter keys: first the keys of the format in its order, then all others
// by name.
func CompareFields(a, b string) int {
	order := func(key string) int {
		if i := slices.Index(fieldOrder, key); i >= 0 {
			return i
		}
		return len(fieldOrder)
	}
	return cmp.Or(order(a)-order(b), strings.Compare(a, b))
}

// FieldsBefore returns the keys that come before a key in the order of the format. For a key that
// the format does not define, it returns all keys of the format.
func FieldsBefore(key string) []string {
	if i := slices.Index(fieldOrder, key); i >= 0 {
		return fieldOrder[:i]
	}
	return fieldOrder
}

// Field returns a frontmatter value, or "" if the key is missing.
func (c *Checkpoint) Field(key string) string {
	v, _ := c.Doc.Front.Get(key)
	return v
}

// InArchive reports whether a path relative to the checkpoints folder is in archive/.
func InArchive(path string) bool { return strings.HasPrefix(path, "archive/") }

// IsFile reports whether a path relative to the checkpoints folder can be that of a checkpoint.
func IsFile(rel string) bool {
	return (strings.HasPrefix(rel, "active/") || InArchive(rel)) && strings.HasSuffix(rel, ".md") &&
		path.Base(rel) != "INDEX.md" // INDEX.md is a list that the user maintains by hand
}

// Status returns the state of the checkpoint. A missing or unknown `status:` means active. A
// checkpoint marked as current is active if another one is the current one: see [Set.Settle].
func (c *Checkpoint) Status() Status {
	switch {
	case InArchive(c.Path):
		return Archived
	case !c.yields && c.MarkedCurrent():
		return Current
	}
	return Active
}

// MarkedCurrent reports whether the file is in active/ and has `status: current`.
func (c *Checkpoint) MarkedCurrent() bool {
	return !InArchive(c.Path) && strings.EqualFold(c.Field("status"), string(Current))
}

// Parent returns the id of the checkpoint from which this one was forked, or "".
func (c *Checkpoint) Parent() string { return c.Field("parent") }

// Created returns the time of creation, or the zero time if it is missing or invalid.
func (c *Checkpoint) Created() time.Time {
	t, _ := ParseTime(c.Field("created"))
	return t
}

// LastDelta returns the latest of the time in `last_delta:` and the times of the deltas, or the zero time.
func (c *Checkpoint) LastDelta() time.Time {
	t, _ := ParseTime(c.Field("last_delta"))
	for _, d := range c.Deltas() {
		if d.At.After(t) {
			t = d.At
		}
	}
	return t
}

// Changed returns the time in `last_delta:`, or the time of creation if that key is missing or invalid.
func (c *Checkpoint) Changed() time.Time {
	if t, ok := ParseTime(c.Field("last_delta")); ok {
		return t
	}
	return c.Created()
}

// ParsePercent parses the value of `progress:`, such as "45%", "45" or "3/5". The result is from 0 to 100.
func ParsePercent(s string) (int, bool) {
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "%"))
	if done, all, ok := strings.Cut(s, "/"); ok {
		n, errN := strconv.Atoi(strings.TrimSpace(done))
		of, errOf := strconv.Atoi(strings.TrimSpace(all))
		if errN != nil || errOf != nil {
			return 0, false
		}
		if n < 0 || of <= 0 || n > of {
			return 0, false
		}
		return int(int64(n) * 100 / int64(of)), true
	}
	n, err := strconv.ParseFloat(s, 64)
	return int(n), err == nil && 0 <= n && n <= 100
}

// Percent returns the percentage in the frontmatter, and reports whether there is one.
func (c *Checkpoint) Percent() (percent int, ok bool) { return ParsePercent(c.Field("progress")) }
