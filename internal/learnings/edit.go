package learnings

import (
	"bytes"
	"slices"
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
// A new entry keeps the order by date. Beside entries of the same date it comes first if the file has
// the newest entry first, else last. It takes the heading level of the entries beside it. An entry of
// the same id and date is extended. A learning that an entry of that id already has is not added again.
// If there is nothing to add, the result is src.
func Add(src []byte, id string, date time.Time, learnings []string) []byte {
	f, ok := open(src)
	if !ok {
		return src
	}
	entries, fresh, day := f.entries(), cleaned(learnings), date.UTC().Format(time.DateOnly)
	var same *entry // the entry to extend
	for i, e := range entries {
		if e.id == id {
			fresh = slices.DeleteFunc(fresh, func(text string) bool {
				return slices.ContainsFunc(e.bullets, func(b bullet) bool { return b.text == text })
			})
			if e.date == day && same == nil {
				same = &entries[i]
			}
		}
	}
	if len(fresh) == 0 {
		return src
	}
	bullets := "- " + strings.Join(fresh, "\n- ") + "\n"
	title := " " + day + " — " + text.OneLine(id) + "\n" + bullets
	end := f.atEnd("##" + title)
	edits := []doc.Edit{f.newEntry(entries, day, title), end}
	switch {
	case same != nil:
		edits = []doc.Edit{f.extend(*same, bullets), end}
	case f.Front.Inner.Len() == 0 && len(f.Blocks(f.Body())) == 0 && len(f.Sections()) == 0:
		edits = []doc.Edit{doc.ReplaceSections(f.Body(), Empty+"\n##"+title)}
	}
	for _, e := range edits { // the second edit is for a file in which the first would change other lines
		if out, err := f.edited(e); err == nil && hasAll(out, id, fresh) {
			return out
		}
	}
	return src
}

// cleaned returns learnings in the form for the file: on one line, each once, without "None" and the like.
func cleaned(learnings []string) []string {
	var all []string
	for _, l := range learnings {
		l = text.OneLine(l)
		if !checkpoint.IsBareNone(l) && !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	return all
}

// hasAll reports whether a file has all of the texts as learnings of a checkpoint.
func hasAll(src []byte, id string, texts []string) bool {
	all := Parse(src)
	return !slices.ContainsFunc(texts, func(text string) bool {
		return !slices.ContainsFunc(all, func(l Learning) bool { return l.ID == id && l.Text == text })
	})
}

// newEntry returns the edit that adds an entry of a day. Title is the entry without the # marks of its heading.
func (f file) newEntry(entries []entry, day, title string) doc.Edit {
	if all := dated(entries); len(all) > 0 {
		upward := oldestFirst(entries)
		next := slices.IndexFunc(all, func(e entry) bool { return upward && e.date > day || !upward && e.date <= day })
		if next == 0 {
			return f.before(all[0].section.Heading.Start, all[0].section.Level, title)
		}
		if next < 0 {
			next = len(all)
		}
		above := all[next-1].section
		return f.before(above.Whole.End, above.Level, title)
	}
	// There is no entry yet: the place is after the text below the title, before the next heading.
	next := f.Sections()
	if i := slices.IndexFunc(next, func(s doc.Section) bool { return s.Level == 1 }); i >= 0 {
		next = next[i+1:]
	}
	if len(next) == 0 {
		return f.atEnd("##" + title)
	}
	return f.before(next[0].Heading.Start, max(2, next[0].Level), title)
}

// before returns the edit that adds an entry before the heading at an offset, or at the end of the
// file.
func (f file) before(at, level int, title string) doc.Edit {
	text := strings.Repeat("#", level) + title
	if at == len(f.Bytes()) {
		return f.atEnd(text)
	}
	return doc.ReplaceSections(doc.Span{Start: at, End: at}, text+"\n")
}

// atEnd returns the edit that adds an entry at the end of the file, before blank lines, and closes a
// fence or a comment that is open there.
func (f file) atEnd(text string) doc.Edit {
	at := f.LastLine()
	_, closer := f.LeftOpen()
	if closer != "" {
		closer += "\n"
	}
	text = closer + "\n" + text
	return doc.ReplaceSections(doc.Span{Start: at, End: at}, f.FitLines(doc.Span{Start: at, End: at}, text))
}

// extend returns the edit that adds bullets at the end of an entry's list.
func (f file) extend(e entry, bullets string) doc.Edit {
	at := e.section.Heading.End
	if content := f.Content(e.section.Body); content.Len() > 0 {
		at, bullets = content.End, "\n"+bullets
	}
	if items := f.Items(e.section.Body); len(items) > 0 {
		at, bullets = items[len(items)-1].Span.End, strings.TrimPrefix(bullets, "\n")
	}
	s := doc.Span{Start: at, End: at}
	return doc.Replace(s, f.FitLines(s, bullets))
}

// Remove removes the learnings of a checkpoint from LEARNINGS.md: the bullets below entries of that
// id, if they are unchanged. It returns how many it removed, and the bullets that stay there because
// they were edited or added by hand. An entry without anything left is removed with its heading.
//
// Directly after an [Add] it restores the file to the byte, with three exceptions. A file that Add made
// keeps the line `# Learnings`. A heading that was empty before Add is lost. A bullet that was already
// there before Add, word for word, is removed, too.
func Remove(src []byte, id string, learnings []string) (out []byte, removed int, kept []string) {
	f, ok := open(src)
	if !ok {
		return src, 0, nil
	}
	gone := cleaned(learnings)
	var edits []doc.Edit
	for _, e := range f.entries() {
		if e.id != id {
			continue
		}
		var spans []doc.Span
		for _, b := range e.bullets {
			if slices.Contains(gone, b.text) {
				spans = append(spans, b.span)
			} else {
				kept = append(kept, b.text)
			}
		}
		removed += len(spans)
		switch {
		case len(spans) == 0:
		case len(spans) == len(e.bullets) && f.hasOnly(e.section, spans):
			start := e.section.Heading.Start
			if n := len(edits); n > 0 && edits[n-1].Span.End == start { // one edit also removes the entry above
				start, edits = edits[n-1].Span.Start, edits[:n-1]
			}
			edits = append(edits, f.cut(doc.Span{Start: start, End: spans[len(spans)-1].End}, true))
		default:
			for i, s := range spans {
				if i+1 < len(spans) && spans[i+1].Start == s.End {
					spans[i+1].Start = s.Start
					continue
				}
				edits = append(edits, f.cut(s, false))
			}
		}
	}
	out, err := f.edited(edits...)
	if err != nil {
		return src, 0, append(kept, gone...)
	}
	return out, removed, kept
}

// hasOnly reports whether a section contains only the given spans, blank lines, rules, and at its end the comment that
// an import adds, which is about the whole file.
func (f file) hasOnly(s doc.Section, spans []doc.Span) bool {
	at := s.Heading.End
	for _, span := range spans {
		if strings.TrimSpace(f.Slice(doc.Span{Start: at, End: span.Start})) != "" {
			return false
		}
		at = span.End
	}
	rest := strings.TrimSpace(f.Slice(f.Content(doc.Span{Start: at, End: s.Whole.End})))
	return rest == "" || strings.HasPrefix(rest, "<!-- imported: ") && strings.Index(rest, "-->") == len(rest)-len("-->")
}

// cut returns the edit that removes whole lines. It also removes the blank line before them if a blank line
// or the end of the file follows, and otherwise all blank lines after an entry.
func (f file) cut(s doc.Span, isEntry bool) doc.Edit {
	src, eol := f.Bytes(), []byte(f.EOL())
	isAfterBlank := bytes.HasSuffix(src[:s.Start], []byte(f.EOL()+f.EOL()))
	last := s.End == len(src) || isEntry && len(bytes.TrimSpace(src[s.End:])) == 0
	isBeforeBlank := !isEntry && bytes.HasPrefix(src[s.End:], eol)
	if isAfterBlank && (last || isBeforeBlank) {
		s.Start -= len(eol)
	} else {
		for isEntry && bytes.HasPrefix(src[s.End:], eol) {
			s.End += len(eol)
		}
	}
	if s.End == len(src) && src[s.End-1] != '\n' { // the file still ends without a line break
		s.Start = max(len(bytes.TrimRight(src[:s.Start], "\r\n")), f.Front.Span.End)
	}
	return doc.ReplaceSections(s, "")
}
