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

// Add adds the learnings of a checkpoint to LEARNINGS.md, as bullets of an
// entry `## YYYY-MM-DD — <id>` with the date in UTC. src is nil where there is no
// file yet; a file that holds nothing is treated alike, and begins with
// `# Learnings`.
//
// A new entry goes above those that are not newer, or below those that are not,
// where the file stands oldest first. It takes the heading level of the entries
// beside it. Where an entry of the same id and date is there already, it is
// extended. What an entry of that id holds already is not added again, so that
// archiving twice adds once. Where nothing is to be added, the result is src.
func Add(src []byte, id string, date time.Time, learnings []string) []byte {
	p, ok := open(src)
	if !ok {
		return src
	}
	parts := p.parts()
	fresh := sayings(learnings)
	for _, e := range parts {
		if e.ID == id {
			fresh = slices.DeleteFunc(fresh, e.holds)
		}
	}
	if len(fresh) == 0 {
		return src
	}
	day := date.UTC().Format(time.DateOnly)
	for _, e := range p.places(parts, id, day, fresh) {
		out := p.Splice(e)
		if p.became(out, id, fresh) {
			return out
		}
	}
	return src
}

// sayings are learnings as they stand in the file: on one line, each once, and
// nothing for those that say nothing.
func sayings(learnings []string) []string {
	var all []string
	for _, l := range learnings {
		if l = text.OneLine(l); !checkpoint.IsNone(l) && !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	return all
}

// places are the edits that would add bullets, the best first. Later ones are for
// a file whose end is inside a fence or a comment that never closes, and for an
// indented heading that would become part of a bullet above it.
func (p file) places(parts []part, id, day string, fresh []string) []doc.Edit {
	var all []doc.Edit
	for _, e := range parts {
		if e.ID == id && e.Date == day {
			all = append(all, p.extend(e, fresh))
		}
	}
	body := p.Body()
	if p.Front.Inner.Len() == 0 && p.IsBlank(body) {
		return append(all, doc.ReplaceInline(body, "# Learnings\n\n"+entryText(2, id, day, fresh)))
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

// newPlace is where an entry of that day goes, and the level of its heading.
func (p file) newPlace(parts []part, day string) (at, level int) {
	all := dated(parts)
	if len(all) > 0 {
		oldestFirst := ascending(parts)
		above := -1 // the entry that it goes below
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
	// No entry yet: behind what stands below the title, before the next heading.
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

// entryAt puts an entry at the end of the file, or before the heading at an offset.
func (p file) entryAt(at int, text string) doc.Edit {
	if rest := (doc.Span{Start: at, End: len(p.Bytes())}); !p.IsBlank(rest) {
		return doc.Insert(at, text+"\n")
	}
	return doc.Insert(p.TrimEnd(p.Body()), "\n"+text)
}

// extend adds bullets to an entry: behind its last one, in the same style.
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

// bullets writes one line for each text; a number is counted on from mark.
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

// became says whether out is the file with those bullets below that id and
// otherwise reads the same.
func (p file) became(out []byte, id string, fresh []string) bool {
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

// keepsHeadings says whether every heading is still there, in order.
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
