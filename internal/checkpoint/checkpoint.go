// Package checkpoint reads and changes checkpoints: Markdown files (package doc) in the
// Checkpoint Format 1.3.0.
//
// Its reader accepts what people write: sections in any order, other titles, tables in place of
// lists. Values are immutable. A [Revision] collects changes and returns a new checkpoint, whose
// bytes differ only where the changes are; it refuses a change that would alter any other byte.
package checkpoint

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// SpecVersion is the version of the format that ckpt writes. It reads 1.0 to 1.3.
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

// of returns the checkpoint in a parsed file.
func of(d *doc.Doc, path, id string) *Checkpoint {
	return &Checkpoint{Doc: d, Path: path, ID: id}
}

// at returns the same checkpoint at another path.
func (c *Checkpoint) at(path string) *Checkpoint { return of(c.Doc, path, c.ID) }

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

// ErrOther marks a file that is not a checkpoint and does not resemble one.
var ErrConflict = errors.New("a merge conflict is left in the file")

// Parse parses a file. The error is [ErrOther] for a Markdown file of another kind, and
// a [fault.Invalid] for a checkpoint that cannot be read.
func Parse(path string, src []byte) (*Checkpoint, error) { return new(Reader).Parse(path, src) }

// Reader parses files one after the other into the same memory, as a [doc.Reader] does: each Parse
// invalidates the Checkpoint of the one before.
type Reader struct {
	doc  doc.Reader
	last Checkpoint
}

// Parse parses a file as the function [Parse] does.
func (r *Reader) Parse(path string, src []byte) (*Checkpoint, error) {
	d, err := r.doc.Parse(src)
	err = merged(d, src, err)
	if err != nil {
		return nil, err
	}
	id, ok := d.Front.Get("checkpoint")
	if !ok {
		if looksLike(path, d) {
			return nil, fault.New(fault.Invalid, "no `checkpoint:` key in the frontmatter")
		}
		return nil, ErrOther
	}
	if err := CheckID(id); err != nil {
		return nil, fault.New(fault.Invalid, "line %d: %w", d.Front.Line("checkpoint"), err)
	}
	r.last = Checkpoint{Doc: d, Path: path, ID: id, sections: r.last.sections[:0]}
	return &r.last, nil
}

// merged returns err, the error of parsing src as d. If the file has a merge conflict, it returns
// an error about the conflict instead.
func merged(d *doc.Doc, src []byte, err error) error {
	line := 0
	if err != nil {
		line = conflictLine(src)
	} else {
		line = unmerged(d)
	}
	if line > 0 {
		return conflict(line)
	}
	return err
}

func conflict(line int) error {
	return fault.New(fault.Invalid, "line %d: %w", line, ErrConflict)
}

// unmerged returns the line of the first conflict in a file that can be parsed in spite of it, or
// 0. Conflict markers in a code block are an example and do not count.
func unmerged(d *doc.Doc) int {
	src := d.Bytes()
	if !bytes.Contains(src, []byte("<<<<<<< ")) { // a quick check, since < is rare
		return 0
	}
	at := 0
	if !bytes.HasPrefix(src, []byte("<<<<<<< ")) {
		at = bytes.Index(src, []byte("\n<<<<<<< ")) + 1
	}
	marked := at > 0 || src[0] == '<'
	if !marked || !bytes.Contains(src, []byte("\n>>>>>>> ")) || !bytes.Contains(src, []byte("\n=======")) {
		return 0
	}
	for _, b := range d.Blocks(d.Body()) {
		if b.Kind == doc.Other && b.Span.Start < at && at < b.Span.End {
			return 0
		}
	}
	return d.Line(at)
}

// conflictLine returns the line of the first conflict marker of a merge, or 0.
func conflictLine(src []byte) int {
	n := 0
	for line := range bytes.Lines(src) {
		n++
		if bytes.HasPrefix(line, []byte("<<<<<<< ")) {
			return n
		}
	}
	return 0
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

// Field returns a frontmatter value, or "" if the key is missing.
func (c *Checkpoint) Field(key string) string {
	v, _ := c.Doc.Front.Get(key)
	return v
}

// InArchive reports whether a path relative to the checkpoints folder is in archive/.
func InArchive(path string) bool { return strings.HasPrefix(path, "archive/") }

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

// LastDelta returns the time of the newest delta, or the zero time.
func (c *Checkpoint) LastDelta() time.Time {
	t, _ := ParseTime(c.Field("last_delta"))
	for _, d := range c.Deltas() {
		if d.At.After(t) {
			t = d.At
		}
	}
	return t
}

// Changed returns the time of the last delta, or without deltas the time of creation.
func (c *Checkpoint) Changed() time.Time {
	if t, ok := ParseTime(c.Field("last_delta")); ok {
		return t
	}
	return c.Created()
}
