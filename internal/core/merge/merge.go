// Package merge unites two versions of a checkpoint file, or of another Markdown
// file, that began as one.
//
// It knows what a section is for, so it needs no conflict markers and leaves none:
// frontmatter goes key by key, sections by their titles, lists and tables entry by
// entry, deltas stand in the order of time. What one side changed is taken. Where
// both changed the same text differently both texts stay, ours first, and a remark
// says so. Nothing that a side added is lost, and a decision or a user rule goes
// only where one side alone has worked on that section.
//
// Where a person would rather be asked, a [Clash] says what both sides have put in the
// place of one text; [Result.Settled] takes what stands there instead.
//
// What it cannot read it refuses, with fault.Invalid: the versions are then as good
// as they were.
package merge

import (
	"bytes"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
)

// Result is the united file.
type Result struct {
	Bytes   []byte
	Remarks []string // what both sides changed, in words for a person
	Clashes []Clash  // where both texts stay, in the order of Bytes
}

// Files unites ours and theirs, which both began as base (nil: as nothing). Where
// one side is as it was the result is the other side, byte for byte; elsewhere it
// is ours with what theirs changed. Merging theirs into the result again changes
// nothing.
func Files(base, ours, theirs []byte) (Result, error) {
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(theirs, base):
		return Result{Bytes: ours}, nil
	case bytes.Equal(ours, base):
		return Result{Bytes: theirs}, nil
	}
	m := &merger{keys: map[string]string{}}
	var err error
	for _, side := range []struct {
		name string
		src  []byte
		to   **doc.Doc
	}{{"the version before", base, &m.base}, {"this version", ours, &m.ours}, {"the other version", theirs, &m.theirs}} {
		if *side.to, err = doc.Parse(side.src); err != nil {
			return Result{}, fault.New(fault.Invalid, "%s cannot be read: %w", side.name, err)
		}
	}
	front := m.front()
	units := m.units(split(m.base), split(m.ours), split(m.theirs))
	out := []byte(front + m.text(units))
	d, got, err := check(out, units)
	if err != nil {
		return Result{}, err
	}
	if bytes.Equal(out, ours) {
		m.remarks = nil // somebody has seen to it
	}
	return Result{Bytes: out, Remarks: m.remarks, Clashes: append(m.keyClashes(d), m.clashes(units, got)...)}, nil
}

// merger is one merge at work.
type merger struct {
	base, ours, theirs *doc.Doc
	remarks            []string
	keys               map[string]string // of the frontmatter, on which the sides do not agree: what is said of them
}

// remark says once what a person should look at.
func (m *merger) remark(text string) {
	if !slices.Contains(m.remarks, text) {
		m.remarks = append(m.remarks, text)
	}
}

// text writes the units one behind the other. A seam that was not there before
// gets a blank line.
func (m *merger) text(units []*unit) string {
	var out strings.Builder
	last := "" // the unit before
	touched := false
	eol, rules := m.ours.EOL(), ruled(units)
	for i, u := range units {
		text := u.head + u.body
		if u.touched {
			text = withEOL(text, eol)
		}
		if text == "" {
			continue
		}
		if touched || u.touched {
			if end := trimEnd(last); end != "" && u.head != "" {
				last = end + eol + eol
				if rules && u.parted() && said(end) == end {
					last += "---" + eol + eol
				}
			}
		}
		out.WriteString(last)
		last, touched = text, u.touched || i+1 < len(units) && units[i+1].afterGap
	}
	if touched {
		last = trimEnd(last) + eol
	}
	out.WriteString(last)
	return out.String()
}

// ruled says whether rules part the deltas and marks of a version.
func ruled(units []*unit) bool {
	for i, u := range units {
		if u.parted() && i > 0 && said(units[i-1].body) != trimEnd(units[i-1].body) {
			return true
		}
	}
	return false
}

// check reads the result again: every unit has to be found in it, no more and no
// less, and in those that were put together every entry. It gives what it found.
func check(out []byte, units []*unit) (*doc.Doc, []*unit, error) {
	d, err := doc.Parse(out)
	if err != nil {
		return nil, nil, fault.New(fault.Invalid, "the versions do not go together: %w", err)
	}
	got := split(d)
	same := slices.EqualFunc(units, got, func(want, got *unit) bool {
		if want.title() != got.title() || want.level != got.level {
			return false
		}
		if want.united == nil {
			return true
		}
		_, entries := got.entries()
		return slices.EqualFunc(unruled(want.united), unruled(entries), func(a, b entry) bool { return a.key == b.key })
	})
	if !same {
		return nil, nil, fault.New(fault.Invalid, "the versions do not go together: the text of one would read otherwise in the other")
	}
	return d, got, nil
}

// unruled is entries without the rule of a delta behind them, which comes and goes with
// it.
func unruled(all []entry) []entry {
	if n := len(all); n > 0 && all[n-1].key == rule {
		return all[:n-1]
	}
	return all
}

func withEOL(text, eol string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if eol != "\n" {
		text = strings.ReplaceAll(text, "\n", eol)
	}
	return text
}

// plain is text without what does not count when two texts are compared.
func plain(text string) string {
	if !strings.Contains(text, "\r") && !strings.Contains(text, " \n") && !strings.Contains(text, "\t\n") && !strings.HasSuffix(text, " ") && !strings.HasSuffix(text, "\t") {
		return strings.Trim(text, "\n") // nearly always
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// said is a body up to the rule that a delta behind it has brought.
func said(body string) string {
	body = trimEnd(body)
	if rest, ok := strings.CutSuffix(body, "\n---"); ok {
		body = trimEnd(rest)
	}
	return body
}

func trimEnd(text string) string { return strings.TrimRight(text, " \t\r\n") }
