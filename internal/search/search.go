// Package search finds words in checkpoints and in LEARNINGS.md, and says where
// they stand: file, line, section, and what kind of thing it is.
//
// All terms of a query have to stand in one file; what is answered is the part of
// it where they are nearest to each other: the bullets that hold all of them, else
// the sections that do, else every line with one of them. A file of which it is
// known that it does not hold them need not be parsed ([Query.Holds]). A file that
// cannot be parsed is text like any other. Nothing here reads a file or the clock.
package search

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
)

// Request says what to look for and where. It is safe for concurrent use.
type Request struct {
	Query    Query
	Kinds    []Kind    // only in these; none: all
	Sections []string  // only in these: names of the format, or headings; none: all
	Active   bool      // only what is in active/
	Archived bool      // only what is in archive/, and LEARNINGS.md; neither or both: all
	Since    time.Time // changed then or later; zero: whenever
	Until    time.Time // changed then or earlier
	Context  int       // lines around each hit
	Limit    int       // at most so many hits; 0: all

	Changed func(*checkpoint.Checkpoint) time.Time // when it was last changed; nil: what the file says
}

// wants says whether what belongs to a group and was changed at a time is searched.
// A zero time is no time: it is neither since nor until anything.
func (r *Request) wants(group Group, changed time.Time) bool {
	if r.Active != r.Archived && r.Active != (group == Active) {
		return false
	}
	return (r.Since.IsZero() || !changed.Before(r.Since)) && (r.Until.IsZero() || !changed.IsZero() && !changed.After(r.Until))
}

// narrow says whether only some parts of a file are searched.
func (r *Request) narrow() bool { return len(r.Kinds) > 0 || len(r.Sections) > 0 }

// workspaces are those of the files before, for the files to come: there may be ten
// thousand.
var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// Checkpoint looks through a checkpoint; nil where it has no hit. The answer holds
// nothing of it: its memory may be used again.
func (r *Request) Checkpoint(c *checkpoint.Checkpoint) *File {
	f := &File{Path: c.Path, ID: c.ID, Status: string(c.Status()), Group: groupOf(c.Path), Changed: c.Changed()}
	if r.Changed != nil {
		f.Changed = r.Changed(c)
	}
	if !r.wants(f.Group, f.Changed) {
		return nil
	}
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	w.parts = stretches(c, w.parts[:0])
	f.Hits, f.Closeness = r.look(c.Doc.Bytes(), w, InFile)
	return orNil(f)
}

// Text looks through a file that cannot be read as a checkpoint, for the reason
// given. It has no sections, and no time: whoever asks for some is told that it is
// there, by a file without hits.
func (r *Request) Text(name string, src []byte, unreadable error) *File {
	f := &File{Path: name, ID: strings.TrimSuffix(path.Base(name), ".md"), Status: "unreadable", Group: groupOf(name), Unreadable: unreadable}
	if r.Active != r.Archived && r.Active != (f.Group == Active) {
		return nil
	}
	if r.narrow() {
		return f
	}
	f.Hits, f.Closeness = r.look(src, &workspace{parts: []stretch{{kind: Other}}}, InFile)
	return orNil(f)
}

// Learnings looks through LEARNINGS.md. The terms have to stand below one heading
// of it: what else the file holds is about something else.
func (r *Request) Learnings(path string, src []byte) *File {
	f := &File{Path: path, Group: Learnings}
	parts := entries(src)
	for i, p := range parts {
		changed, _ := checkpoint.ParseTime(p.date)
		parts[i].out = !r.wants(Learnings, changed)
	}
	f.Hits, f.Closeness = r.look(src, &workspace{parts: parts}, InSection)
	return orNil(f)
}

func orNil(f *File) *File {
	if len(f.Hits) == 0 {
		return nil
	}
	return f
}

func groupOf(path string) Group {
	if checkpoint.InArchive(path) {
		return Archived
	}
	return Active
}

// Result is the answer to a request.
type Result struct {
	Files    []*File // with those of their hits that are shown
	Hits     int     // how many there are in all
	In       int     // in how many files
	Shown    int
	Warnings []string
}

// Answer puts files in order, those in active/ first, then LEARNINGS.md, then the
// archive; there those whose words stand nearest to each other, then the last
// changed, and cuts their hits to the limit.
func (r *Request) Answer(files []*File) *Result {
	slices.SortFunc(files, func(a, b *File) int {
		return cmp.Or(int(a.Group-b.Group), int(a.Closeness-b.Closeness), b.Changed.Compare(a.Changed), cmp.Compare(a.Path, b.Path))
	})
	a := &Result{}
	for _, f := range files {
		if len(f.Hits) == 0 {
			continue
		}
		a.Hits += len(f.Hits)
		a.In++
		if r.Limit > 0 {
			f.Hits = f.Hits[:min(len(f.Hits), r.Limit-a.Shown)]
		}
		if a.Shown += len(f.Hits); len(f.Hits) > 0 {
			a.Files = append(a.Files, f)
		}
	}
	return a
}

// entries cut LEARNINGS.md at its headings.
func entries(src []byte) []stretch {
	all := []stretch{{kind: Learning, title: "Learnings"}}
	for at := 0; at < len(src); {
		end := lineEnd(src, at)
		if line := bare(src[at:end]); bytes.HasPrefix(line, []byte("#")) {
			title := strings.TrimSpace(strings.Trim(string(line), "#"))
			all = append(all, stretch{start: at, kind: Learning, title: title})
		}
		at = end
	}
	at := newCursor(src)
	lines := make([]int, len(all)) // on which each begins, from 1
	for i, p := range all {
		at.to(p.start)
		lines[i] = at.line + 1
	}
	for _, e := range learnings.Parse(src) {
		for _, b := range e.Bullets {
			i, exact := slices.BinarySearch(lines, b.Line)
			if !exact {
				i--
			}
			all[i].date, all[i].id = e.Date, e.ID
		}
	}
	return all
}
