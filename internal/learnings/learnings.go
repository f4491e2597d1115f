// Package learnings reads and edits LEARNINGS.md, the file of what was learned from
// all checkpoints.
//
// People edit it, too. An edit replaces whole lines and checks its own result; everything else
// stays byte for byte, CRLF, a byte order mark and a missing last newline included. No function
// here returns an error: a file that cannot be edited is returned unchanged.
package learnings

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// file is a parsed LEARNINGS.md.
type file struct{ doc.Page }

// open parses a file. It reports false for one that is too large.
func open(src []byte) (file, bool) {
	p, ok := doc.ParsePage(src)
	return file{p}, ok
}

// Entry is a heading of LEARNINGS.md with its bullets.
type Entry struct {
	Date    string // YYYY-MM-DD, or "" without one in the heading
	ID      string // the checkpoint's id, or "" without one in the heading
	Bullets []Bullet
}

// Bullet is one learning.
type Bullet struct {
	Text string // without its marker, wrapped lines joined
	Line int    // the line number, from 1
}

// Parse parses LEARNINGS.md. Entries are sorted by date, newest first, and those without
// a date come last. A heading of any level with a date or the id of a checkpoint begins
// an entry: `## 2025-12-27 — chk-a`, `### chk-a (2025-12-27)`. Sections below it are
// part of it. Other bullets become entries without an id, one for each heading. Other
// text is ignored.
func Parse(src []byte) []Entry {
	p, ok := open(src)
	if !ok {
		return nil
	}
	parts := p.parts()
	newestLast := ascending(parts)
	order := make([]int, len(parts)) // of entries with the same date, the one added later is newer
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if byDate := cmp.Compare(parts[j].Date, parts[i].Date); byDate != 0 || !newestLast || parts[i].Date == "" {
			return byDate
		}
		return j - i
	})
	var entries []Entry
	for _, i := range order {
		if e := parts[i]; e.entry || len(e.Bullets) > 0 {
			entries = append(entries, e.Entry)
		}
	}
	return entries
}

// part is an entry, or another part of the file with bullets.
type part struct {
	Entry
	entry   bool // it begins with a heading that has a date or an id
	nested  bool // it is inside another entry
	section doc.Section
	items   []doc.Span // the spans of its bullets
}

// parts reads the entries in the order of the file.
func (p file) parts() []part {
	var parts []part
	if items := p.Items(p.Preamble()); len(items) > 0 {
		parts = append(parts, part{})
		p.addItems(&parts[0], items)
	}
	var within []int // the indexes of the open entries, outermost first
	for _, s := range p.Sections() {
		for len(within) > 0 && parts[within[len(within)-1]].section.Whole.End <= s.Heading.Start {
			within = within[:len(within)-1]
		}
		date, id := entryTitle(s.Title)
		at := len(parts)
		switch {
		case date != "" || id != "":
			parts = append(parts, part{Entry: Entry{Date: date, ID: id}, entry: true, nested: len(within) > 0, section: s})
			within = append(within, at)
		case len(within) > 0:
			at = within[len(within)-1]
		default:
			parts = append(parts, part{section: s})
		}
		p.addItems(&parts[at], p.Items(s.Body))
	}
	return parts
}

var marker = text.Regexp(`^\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)`)

func (p file) addItems(to *part, items []doc.Entry) {
	for _, item := range items {
		text := text.OneLine(marker.ReplaceAllString(p.Slice(item.Span), ""))
		to.Bullets = append(to.Bullets, Bullet{Text: text, Line: p.Line(item.Span.Start)})
		to.items = append(to.items, item.Span)
	}
}

// has reports whether the part has a bullet with a text.
func (e part) has(text string) bool {
	return slices.ContainsFunc(e.Bullets, func(b Bullet) bool { return b.Text == text })
}

var (
	titleDate  = text.Regexp(`(^|[\s(\[*_])(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}[0-9:.]*(?:Z|[+-]\d{2}:?\d{2})?)?($|[\s)\]:,;*_—–|])`)
	titleMarks = "*_`:,;()[]|-–—·/ \t"
)

// entryTitle parses a heading: its date and the id in it. An id that does not begin with
// chk- must be alone beside a date.
func entryTitle(title string) (date, id string) {
	rest := title
	if m := titleDate.FindStringSubmatchIndex(title); m != nil {
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
	chk := strings.HasPrefix(word, "chk-")
	plausible := chk || date != "" && len(words) == 1
	if checkpoint.CheckID(word) != nil || !plausible {
		return date, ""
	}
	return date, word
}

// dated returns the entries that have a date and are not inside another entry.
func dated(parts []part) []part {
	return slices.DeleteFunc(slices.Clone(parts), func(e part) bool { return e.Date == "" || e.nested })
}

// ascending reports whether the entries are ordered by date, oldest first, and have at least two
// different dates.
func ascending(parts []part) bool {
	all := dated(parts)
	return len(all) > 1 && all[0].Date < all[len(all)-1].Date &&
		slices.IsSortedFunc(all, func(a, b part) int { return cmp.Compare(a.Date, b.Date) })
}
