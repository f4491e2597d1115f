// Package search finds words in checkpoints and in LEARNINGS.md, with the file, the line, the
// section and the kind of each hit.
//
// A file matches if it contains all terms of a query. Its hits are where the terms are
// nearest to each other: in the bullets that contain all of them, or else in the sections that
// do, or else in every line with one of them. A file without the terms need not be parsed
// ([Query.Holds]). A file that cannot be parsed is searched as plain text. The package reads no
// files and no clock.
package search

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
)

// Request is what to search for, and where. It is safe for concurrent use.
type Request struct {
	Query    Query
	Kinds    []Kind    // only these kinds; empty for all
	Active   bool      // only files in active/
	Archived bool      // only files in archive/, and LEARNINGS.md; if Active equals Archived, all files
	Since    time.Time // changed at or after this time
	Limit    int       // the maximum number of hits; 0 for all

	Changed func(*checkpoint.Checkpoint) time.Time // returns the time of the last change; nil means the time in the file
}

// wants reports whether to search a file with the given group and time of change. A zero time is
// unknown and matches no [Request.Since].
func (r *Request) wants(group Group, changed time.Time) bool {
	if r.Active != r.Archived && r.Active != (group == Active) {
		return false
	}
	return r.Since.IsZero() || !changed.Before(r.Since)
}

// Checkpoint searches a checkpoint. It returns nil without a hit.
func (r *Request) Checkpoint(c *checkpoint.Checkpoint) *File {
	f := &File{Path: c.Path, ID: c.ID, Status: string(c.Status()), Group: groupOf(c.Path), Changed: c.Changed()}
	if r.Changed != nil {
		f.Changed = r.Changed(c)
	}
	if !r.wants(f.Group, f.Changed) {
		return nil
	}
	f.Hits, f.Closeness = r.find(c.Doc.Bytes(), stretches(c), InFile)
	inJSON := func(h Hit) bool { return h.Section == checkpoint.FurtherFields }
	inSection := func(h Hit) bool { return !inJSON(h) }
	if slices.ContainsFunc(f.Hits, inJSON) && slices.ContainsFunc(f.Hits, inSection) { // saved JSON repeats sections
		f.Hits = slices.DeleteFunc(f.Hits, inJSON)
	}
	return orNil(f)
}

// Text searches a file that cannot be parsed; unreadable has the reason. It returns nil without a hit. A request
// with kinds cannot be answered, since no sections are known: Text then returns the file without hits.
func (r *Request) Text(name string, src []byte, unreadable error) *File {
	f := &File{Path: name, ID: strings.TrimSuffix(path.Base(name), ".md"), Status: "unreadable", Group: groupOf(name),
		Unreadable: unreadable}
	if r.Active != r.Archived && r.Active != (f.Group == Active) {
		return nil
	}
	if len(r.Kinds) > 0 {
		return f
	}
	f.Hits, f.Closeness = r.find(src, []stretch{{kind: Other}}, InFile)
	return orNil(f)
}

// Learnings searches LEARNINGS.md. All terms must be below one heading.
func (r *Request) Learnings(path string, src []byte) *File {
	f := &File{Path: path, Group: Learnings}
	parts := entries(src)
	for i, p := range parts {
		changed, _ := checkpoint.ParseTime(p.date)
		parts[i].out = !r.wants(Learnings, changed)
	}
	f.Hits, f.Closeness = r.find(src, parts, InSection)
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

// Result is the answer to a Request.
type Result struct {
	Files    []*File // the files with shown hits, without their other hits
	Hits     int     // the number of all hits
	In       int     // the number of files with hits
	Shown    int
	Warnings []string
}

// elsewhere returns 1 for a file that belongs to another branch, and 0 for others.
func (f *File) elsewhere() int {
	if f.Elsewhere {
		return 1
	}
	return 0
}

// Answer returns the result with the hits of files, at most Limit. It sorts the files by group. In a group,
// files of the branch that is checked out come first. Then it sorts by the closeness of the terms, and by
// the last change, newest first.
func (r *Request) Answer(files []*File) *Result {
	slices.SortFunc(files, func(a, b *File) int {
		return cmp.Or(
			int(a.Group-b.Group), a.elsewhere()-b.elsewhere(), int(a.Closeness-b.Closeness),
			b.Changed.Compare(a.Changed), cmp.Compare(a.Path, b.Path),
		)
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
		a.Shown += len(f.Hits)
		if len(f.Hits) > 0 {
			a.Files = append(a.Files, f)
		}
	}
	return a
}

// entries divides LEARNINGS.md at its headings.
func entries(src []byte) []stretch {
	all := []stretch{{kind: Learning, title: "Learnings"}}
	begins := []int{1} // the line at which each entry begins
	t := newContent(src)
	for n := range t.lines {
		if line := t.line(n); strings.HasPrefix(line, "#") {
			title := strings.TrimSpace(strings.Trim(line, "#"))
			all = append(all, stretch{start: t.lines[n].Start, kind: Learning, title: title})
			begins = append(begins, n+1)
		}
	}
	for _, l := range learnings.Parse(src) {
		i, exact := slices.BinarySearch(begins, l.Line)
		if !exact {
			i--
		}
		all[i].date, all[i].id = l.Date, l.ID
	}
	return all
}
