// Package checkpoint is what a checkpoint means: a Markdown file (package doc)
// read by the rules of the Checkpoint Format Specification 1.3.0.
//
// Values are immutable. A [Revision] collects changes and gives a new
// checkpoint, whose bytes differ only where the changes are.
package checkpoint

import (
	"errors"
	"strings"
	"time"

	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
)

// SpecVersion is the version of the format that ckpt writes. It reads 1.0 to 1.3.
const SpecVersion = "1.3.0"

// Checkpoint is one file of active/ or archive/ that holds a `checkpoint:` key.
type Checkpoint struct {
	Doc  *doc.Doc
	Path string // slash path relative to the checkpoints folder: "active/chk-a.md"
	ID   string
}

// Status is where a checkpoint stands in its life.
type Status string

// The states. Current and Active are written in the file; Archived is told by
// the folder, whatever the file says.
const (
	Current  Status = "current"
	Active   Status = "active"
	Archived Status = "archived"
)

// ErrOther marks a file that is no checkpoint and does not try to be one.
var ErrOther = errors.New("not a checkpoint")

// Parse reads a file. The error is [ErrOther] for a Markdown file of another
// kind, and an [fault.Invalid] that says why for one that cannot be read.
func Parse(path string, src []byte) (*Checkpoint, error) {
	d, err := doc.Parse(src)
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
	return &Checkpoint{Doc: d, Path: path, ID: id}, nil
}

// looksLike says whether a file without an id means to be a checkpoint.
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

// Field is a frontmatter value, "" where the key is missing.
func (c *Checkpoint) Field(key string) string {
	v, _ := c.Doc.Front.Get(key)
	return v
}

// InArchive says whether a path relative to the checkpoints folder is archived.
func InArchive(path string) bool { return strings.HasPrefix(path, "archive/") }

// Status is the checkpoint's state; a missing or odd `status:` reads as active.
func (c *Checkpoint) Status() Status {
	switch {
	case InArchive(c.Path):
		return Archived
	case strings.EqualFold(c.Field("status"), string(Current)):
		return Current
	}
	return Active
}

// Parent is the id of the checkpoint that this one was forked from, or "".
func (c *Checkpoint) Parent() string { return c.Field("parent") }

// Created is the time of creation; the zero time where it is missing or no time.
func (c *Checkpoint) Created() time.Time {
	t, _ := ParseTime(c.Field("created"))
	return t
}

// Changed is the time of the last delta, else of creation.
func (c *Checkpoint) Changed() time.Time {
	if t, ok := ParseTime(c.Field("last_delta")); ok {
		return t
	}
	return c.Created()
}

// FormatTime writes a time as every file and every answer of ckpt does: UTC,
// RFC 3339, whole seconds.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02T15:04Z07:00",
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05 Z0700",
	"2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 MST", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04", "2006-01-02",
	"20060102T150405Z0700", "20060102T150405", "20060102", "2006-01", "2006-002",
}

// ParseTime reads any ISO-8601 form, date only included. A time without an offset
// is UTC.
func ParseTime(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, strings.ToUpper(s)); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}
