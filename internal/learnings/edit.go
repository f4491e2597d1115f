package learnings

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Empty is a LEARNINGS.md without learnings.
const Empty = "# Learnings\n"

// Add adds the learnings of a checkpoint to LEARNINGS.md, as bullets of an entry `##
// YYYY-MM-DD — <id>` with the date in UTC. An empty file, or nil, begins with `#
// Learnings`.
//
// A new entry goes above those that are not newer, or below them in a file with the oldest first.
// It takes the heading level of the entries beside it. An entry of the same id and date is
// extended. A learning that an entry of that id already has is not added again, so that archiving
// twice adds it once. If there is nothing to add, the result is src.
func Add(src []byte, id string, date time.Time, learnings []string) []byte {
	p, ok := open(src)
	if !ok {
		return src
	}
	parts := p.parts()
	fresh := cleaned(learnings)
	for _, e := range parts {
		if e.ID == id {
			fresh = slices.DeleteFunc(fresh, e.has)
		}
	}
	if len(fresh) == 0 {
		return src
	}
	day := date.UTC().Format(time.DateOnly)
	for _, e := range p.places(parts, id, day, fresh) {
		out := p.Splice(e)
		if p.isResult(out, id, fresh) {
			return out
		}
	}
	return src
}

// cleaned returns learnings in the form for the file: on one line, each once, without words for
// nothing.
func cleaned(learnings []string) []string {
	var all []string
	for _, l := range learnings {
		l = text.OneLine(l)
		if !checkpoint.IsNone(l) && !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	return all
}

// places returns the edits that would add bullets, the best first. The later ones are
// for a file whose end is inside an open fence or comment, and for an indented heading
// that would become part of a bullet above it.
func (p file) places(parts []part, id, day string, fresh []string) []doc.Edit {
	var all []doc.Edit
	for _, e := range parts {
		if e.ID == id && e.Date == day {
			all = append(all, p.extend(e, fresh))
		}
	}
	body := p.Body()
	if p.Front.Inner.Len() == 0 && p.IsBlank(body) {
		return append(all, doc.ReplaceInline(body, Empty+"\n"+entryText(2, id, day, fresh)))
	}
	at, level := p.newPlace(parts, day)
	all = append(all, p.entryAt(at, entryText(level, id, day, fresh)))
	if sections := p.Sections(); len(sections) > 0 {
		first := sections[0]
		text := entryText(max(2, first.Level), id, day, fresh)
		all = append(all, p.entryAt(len(p.Bytes()), text), doc.Insert(first.Heading.End, "\n"+text+"\n"))
		body.Start = first.Heading.Start
	}
	return append(all, doc.Insert(body.Start, entryText(2, id, day, fresh)+"\n"))
}

// newPlace returns the offset for an entry of a day, and the level of its heading.
func (p file) newPlace(parts []part, day string) (at, level int) {
	all := dated(parts)
	if len(all) > 0 {
		oldestFirst := ascending(parts)
		above := -1 // the index of the entry before the new one, or -1
		for i, e := range all {
			if oldestFirst && e.Date <= day {
				above = i
			} else if !oldestFirst {
				if e.Date <= day {
					break
				}
				above = i
			}
		}
		if above < 0 {
			return all[0].section.Heading.Start, all[0].section.Level
		}
		return all[above].section.Whole.End, all[above].section.Level
	}
	// There is no entry yet: the place is after the text below the title, before the next heading.
	title := p.Preamble()
	next := p.Sections()
	for i, s := range next {
		if s.Level == 1 {
			title, next = s.Body, next[i+1:]
			break
		}
	}
	if len(next) == 0 {
		return len(p.Bytes()), 2
	}
	return title.End, max(2, next[0].Level)
}

// entryAt returns the edit that adds an entry at the end of the file, or before the heading at an
// offset.
func (p file) entryAt(at int, text string) doc.Edit {
	if rest := (doc.Span{Start: at, End: len(p.Bytes())}); !p.IsBlank(rest) {
		return doc.Insert(at, text+"\n")
	}
	return doc.Insert(p.TrimEnd(p.Body()), "\n"+text)
}

// extend returns the edit that adds bullets after the last one of an entry, in the same style.
func (p file) extend(e part, fresh []string) doc.Edit {
	mark, at := "- ", e.section.Heading.End
	if items := p.Items(e.section.Body); len(items) > 0 {
		last := items[len(items)-1]
		line := p.Slice(doc.Span{Start: last.Span.Start, End: p.LineEnd(last.Span.Start)})
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		mark = indent + strings.Fields(line)[0] + " "
		return doc.Insert(last.Span.End, bullets(mark, fresh))
	}
	text := bullets(mark, fresh)
	if content := p.Content(e.section.Body); content.Len() > 0 {
		at, text = content.End, "\n"+text
	}
	return doc.Insert(at, text)
}

func entryText(level int, id, day string, fresh []string) string {
	return strings.Repeat("#", level) + " " + day + " — " + text.OneLine(id) + "\n" + bullets("- ", fresh)
}

// bullets returns one line for each text. If mark is a number, it is increased for each.
func bullets(mark string, texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		indent := mark[:len(mark)-len(strings.TrimLeft(mark, " \t"))]
		word := strings.TrimSpace(mark)
		digits := strings.TrimRight(word, ".)")
		if n, err := strconv.Atoi(digits); err == nil && digits != word {
			mark = indent + strconv.Itoa(n+1) + word[len(digits):] + " "
		}
		b.WriteString(mark + text + "\n")
	}
	return b.String()
}

// isResult reports whether out equals the file, except that the new bullets are below the heading
// of the id.
func (p file) isResult(out []byte, id string, fresh []string) bool {
	after, ok := open(out)
	if !ok {
		return false
	}
	missing := slices.Clone(fresh)
	var now []string
	for _, e := range after.parts() {
		for _, b := range e.Bullets {
			if i := slices.Index(missing, b.Text); i >= 0 && e.ID == id {
				missing = slices.Delete(missing, i, i+1)
				continue
			}
			now = append(now, e.Date+"\n"+e.ID+"\n"+b.Text)
		}
	}
	var before []string
	for _, e := range p.parts() {
		for _, b := range e.Bullets {
			before = append(before, e.Date+"\n"+e.ID+"\n"+b.Text)
		}
	}
	return len(missing) == 0 && slices.Equal(before, now) && keepsHeadings(p, after)
}

// keepsHeadings reports whether every heading is still there, in order.
func keepsHeadings(before, after file) bool {
	i := 0
	old := before.Sections()
	for _, s := range after.Sections() {
		if i < len(old) && old[i].Level == s.Level && old[i].Title == s.Title {
			i++
		}
	}
	return i == len(old)
}

// Remove removes the learnings of a checkpoint from LEARNINGS.md: the bullets below entries of that
// id, if they are unchanged. It returns how many these were, and the bullets that stay there because
// they were edited or added by hand. An entry without anything left is removed with its heading.
//
// What [Add] has just added is undone to the byte. A file that Add made is left with `#
// Learnings` only; a heading that was empty before Add is lost; a bullet that was there
// before Add, word for word, is removed, too.
func Remove(src []byte, id string, learnings []string) (out []byte, removed int, kept []string) {
	p, ok := open(src)
	if !ok {
		return src, 0, nil
	}
	gone := cleaned(learnings)
	var edits []doc.Edit
	for _, e := range p.parts() {
		if e.ID != id || !e.entry {
			continue
		}
		var spans []doc.Span
		for i, b := range e.Bullets {
			if slices.Contains(gone, b.Text) {
				spans = append(spans, e.items[i])
				removed++
			} else {
				kept = append(kept, b.Text)
			}
		}
		switch {
		case len(spans) == 0:
		case p.hasOnly(e.section, spans):
			edits = append(edits, p.removeEntry(e.section, spans))
		default:
			edits = append(edits, p.removeItems(spans)...)
		}
	}
	if len(edits) == 0 {
		return src, removed, kept
	}
	return p.Splice(edits...), removed, kept
}

// hasOnly reports whether a section contains only the given spans, blank lines and rules.
func (p file) hasOnly(s doc.Section, spans []doc.Span) bool {
	at := s.Heading.End
	for _, span := range spans {
		if !p.IsBlank(doc.Span{Start: at, End: span.Start}) {
			return false
		}
		at = span.End
	}
	return p.Content(doc.Span{Start: at, End: s.Whole.End}).Len() == 0 && !p.hasHeading(at, s.Whole.End)
}

func (p file) hasHeading(start, end int) bool {
	return slices.ContainsFunc(p.Sections(), func(s doc.Section) bool {
		return start <= s.Heading.Start && s.Heading.Start < end
	})
}

// removeEntry returns the edit that removes a heading and everything below it, with the blank line
// after it, or at the end of the file with the one before it.
func (p file) removeEntry(s doc.Section, spans []doc.Span) doc.Edit {
	cut := doc.Span{Start: s.Heading.Start, End: spans[len(spans)-1].End}
	if p.IsBlank(doc.Span{Start: cut.End, End: len(p.Bytes())}) {
		if line := p.EmptyLineBefore(cut.Start); line >= p.Front.Span.End {
			cut.Start = line
		}
		return doc.Replace(cut, "")
	}
	for p.IsBlankLine(cut.End) {
		cut.End = p.LineEnd(cut.End)
	}
	return doc.Replace(cut, "")
}

// removeItems returns the edits that remove bullets. With a bullet between two blank lines, the
// first of them is removed, too.
func (p file) removeItems(spans []doc.Span) []doc.Edit {
	var edits []doc.Edit
	for i := 0; i < len(spans); i++ {
		cut := spans[i]
		for i+1 < len(spans) && spans[i+1].Start == cut.End {
			i++
			cut.End = spans[i].End
		}
		if line := p.EmptyLineBefore(cut.Start); p.IsBlankLine(cut.End) &&
			(len(edits) == 0 || edits[len(edits)-1].Span.End <= line) {
			cut.Start = line
		}
		edits = append(edits, doc.Replace(cut, ""))
	}
	return edits
}
