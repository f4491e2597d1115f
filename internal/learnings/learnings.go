// Package learnings reads and edits LEARNINGS.md, the file of what was learned from
// all checkpoints.
//
// People edit it, too. An edit replaces whole lines, and package doc checks that all headings
// stay; everything else stays byte for byte, CRLF, a byte order mark and a missing last newline
// included. No exported function returns an error: a file that cannot be edited is returned unchanged.
package learnings

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Learning is one bullet of LEARNINGS.md, without its marker and with wrapped lines joined.
type Learning struct {
	Date string `json:"date,omitempty"` // the date in the heading: 2026-01-02
	ID   string `json:"id,omitempty"`   // the checkpoint's id in the heading
	Text string `json:"text"`           // what was learned
	Line int    `json:"-"`              // the line number, from 1
}

// file is a parsed LEARNINGS.md.
type file struct {
	*doc.Doc
	mark []byte // the byte order mark, which is not in Doc
	lead int    // the length of the line break that open put before the text; 0 if none
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// open parses a file. A `---` in its first line opens frontmatter only if fields follow. If none do,
// open puts a line break before the text. It reports false for a file that is too large.
func open(src []byte) (file, bool) {
	text := bytes.TrimPrefix(src, byteOrderMark)
	f := file{mark: src[:len(src)-len(text)]}
	d, err := doc.Parse(text)
	if err != nil || d.Front.Span.Len() > 0 && len(d.Front.Fields) == 0 {
		lead := "\n"
		if bytes.Contains(text, []byte("\r\n")) {
			lead = "\r\n"
		}
		f.lead = len(lead)
		d, err = doc.Parse(append([]byte(lead), text...))
	}
	f.Doc = d
	return f, err == nil
}

// edited returns the bytes of the file with edits.
func (f file) edited(edits ...doc.Edit) ([]byte, error) {
	d, err := f.Apply(edits...)
	if err != nil {
		return nil, err
	}
	return append(slices.Clone(f.mark), d.Bytes()[f.lead:]...), nil
}

// Parse returns the learnings in LEARNINGS.md from the newest entry to the oldest, and last from
// entries without a date. A heading of any level with a date or the id of a checkpoint begins an
// entry: `## 2025-12-27 — chk-a`, `### chk-a (2025-12-27)`. The sections below belong to the entry. Other
// bullets are learnings without an id. Other text is ignored.
func Parse(src []byte) []Learning {
	f, ok := open(src)
	if !ok {
		return nil
	}
	entries := f.entries()
	if oldestFirst(entries) {
		slices.Reverse(entries) // of entries with the same date, the one added later is newer
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(b.date, a.date) })
	var all []Learning
	for _, e := range entries {
		for _, b := range e.bullets {
			line := f.Line(b.span.Start) - f.Line(f.lead) + 1
			all = append(all, Learning{Date: e.date, ID: e.id, Text: b.text, Line: line})
		}
	}
	return all
}

// entry is a heading with the bullets below it; the first entry has no heading. Date and id are "" if the heading
// has none.
type entry struct {
	date, id string
	nested   bool // the entry is inside another one
	section  doc.Section
	bullets  []bullet
}

type bullet struct {
	text string
	span doc.Span
}

// entries reads the entries in the order of the file.
func (f file) entries() []entry {
	all := []entry{{bullets: f.bullets(f.Preamble())}}
	var within []int // the indexes of the open entries, outermost first
	for _, s := range f.Sections() {
		for len(within) > 0 && all[within[len(within)-1]].section.Whole.End <= s.Heading.Start {
			within = within[:len(within)-1]
		}
		date, id := entryTitle(s.Title)
		at := len(all)
		switch {
		case date != "" || id != "":
			all = append(all, entry{date: date, id: id, nested: len(within) > 0, section: s})
			within = append(within, at)
		case len(within) > 0:
			at = within[len(within)-1]
		default:
			all = append(all, entry{section: s})
		}
		all[at].bullets = append(all[at].bullets, f.bullets(s.Body)...)
	}
	return all
}

func (f file) bullets(s doc.Span) []bullet {
	var all []bullet
	for _, item := range f.Items(s) {
		all = append(all, bullet{text.OneLine(item.Text), item.Span})
	}
	return all
}

var (
	titleDate  = text.Regexp(`(^|[\s(\[*_])(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}[0-9:.]*(?:Z|[+-]\d{2}:?\d{2})?)?($|[\s)\]:,;*_—–|])`)
	titleMarks = "*_`:,;()[]|-–—·/ \t"
)

// entryTitle returns the date and the id in a heading. An id that does not begin with chk- counts
// only if the heading has nothing else but a date.
func entryTitle(title string) (date, id string) {
	rest := title
	if m := titleDate.Get().FindStringSubmatchIndex(title); m != nil {
		if _, err := time.Parse(time.DateOnly, title[m[4]:m[5]]); err == nil {
			date = title[m[4]:m[5]]
			rest = title[:m[2]] + " " + title[m[6]:]
		}
	}
	words := slices.DeleteFunc(strings.Fields(rest), func(w string) bool { return strings.Trim(w, titleMarks) == "" })
	if len(words) == 0 {
		return date, ""
	}
	word := strings.Trim(words[0], "*`:,;()[]|–—")
	plausible := strings.HasPrefix(word, "chk-") || date != "" && len(words) == 1
	if checkpoint.CheckID(word) != nil || !plausible {
		return date, ""
	}
	return date, word
}

// dated returns the entries that have a date and are not inside another entry.
func dated(entries []entry) []entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return e.date == "" || e.nested })
}

// oldestFirst reports whether the entries are ordered by date, oldest first, and have at least two
// different dates.
func oldestFirst(entries []entry) bool {
	all := dated(entries)
	return len(all) > 1 && all[0].date < all[len(all)-1].date &&
		slices.IsSortedFunc(all, func(a, b entry) int { return cmp.Compare(a.date, b.date) })
}
