package checkpoint

import (
	"bytes"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// newSection puts a section that the file lacks into the place that the format
// has for it: behind the nearest section before it, else before the nearest
// behind it, else before the first delta.
func (c *Checkpoint) newSection(k Kind, text string) doc.Edit {
	level, essential := c.levelOf(k)
	at, before, nearest := -1, c.mainEnd(), Kind(-1)
	for _, p := range c.Sections() {
		switch {
		case p.Kind < k && (p.Kind >= nearest || k.Template().Level == 2):
			// A section of level 2 goes behind all that come before it: it would end theirs.
			at = max(c.Doc.Content(p.Extent).End, p.Section.Heading.End)
			nearest = p.Kind
		case p.Kind > k:
			before = min(before, c.separator(p.Section.Heading.Start))
		}
	}
	head := strings.Repeat("#", level) + " " + k.String() + "\n\n" + text
	if level == 3 && (!essential || at >= 0 && nearest < Essential) { // not below the Session Intent
		head = "## " + Essential.String() + "\n\n" + head
	}
	if at >= 0 {
		at = c.behindDeeper(at, level)
		s := doc.Span{Start: at, End: at}
		return doc.ReplaceSections(s, c.lines(s, "\n"+head+c.gapAfter(at, head)))
	}
	s := doc.Span{Start: before, End: before}
	if before < len(c.Doc.Bytes()) {
		head += "\n"
	}
	return doc.ReplaceSections(s, c.lines(s, c.gapBefore(before)+head))
}

// behindDeeper is at, or the place behind the headings at it that a heading of
// level would take for its own.
func (c *Checkpoint) behindDeeper(at, level int) int {
	end := len(c.Doc.Bytes())
	for _, s := range c.Doc.Sections() {
		if s.Heading.Start >= at && s.Level <= level {
			end = s.Heading.Start
			break
		}
	}
	return max(at, c.Doc.Content(doc.Span{Start: at, End: end}).End)
}

// Headless returns the first section that the format puts below Essential Information
// where the file has no such heading.
func (c *Checkpoint) Headless() (Section, bool) {
	var first Section
	for _, p := range c.Sections() {
		switch {
		case p.Kind == Essential:
			return Section{}, false
		case p.Kind.Template().Level == 3 && p.Section.Level == 3 && first.Section.Heading.Len() == 0:
			first = p
		}
	}
	return first, first.Section.Heading.Len() > 0
}

// essential adds the heading Essential Information where sections want it above them.
func (c *Checkpoint) essential() (doc.Edit, bool) {
	p, headless := c.Headless()
	if !headless {
		return doc.Edit{}, false
	}
	at := p.Section.Heading.Start
	return doc.ReplaceSections(doc.Span{Start: at, End: at}, "## "+Essential.String()+"\n\n"), true
}

// levelOf is the level that a new section has in this file, and whether the
// heading that the format wants above it is there or not needed.
func (c *Checkpoint) levelOf(k Kind) (level int, essential bool) {
	level = k.Template().Level
	if level == 2 {
		return 2, true
	}
	for _, p := range c.Sections() {
		if p.Kind.Template().Level == 3 && p.Section.Level <= 2 {
			return 2, true // the file keeps its sections on one level
		}
		essential = essential || p.Kind == Essential || p.Kind.Template().Level == 3
	}
	return level, essential
}

// mainEnd is where the file's own sections end: before the first delta, what is left
// of one, a mark, or the Completion, their separating rule included.
func (c *Checkpoint) mainEnd() int {
	for _, s := range c.Doc.Sections() {
		kind, known := kindOf(s.Title)
		if _, ok := deltaTime(s); ok || known && kind == Completion || IsRemnant(s) || IsMark(s) {
			return c.separator(s.Heading.Start)
		}
	}
	return len(c.Doc.Bytes())
}

// separator is where the rule before an offset begins, else the offset.
func (c *Checkpoint) separator(at int) int {
	blocks := c.Doc.Blocks(doc.Span{Start: c.Doc.Front.Span.End, End: at})
	if n := len(blocks); n > 0 && blocks[n-1].Kind == doc.Rule && strings.TrimSpace(c.Doc.Slice(doc.Span{Start: blocks[n-1].Span.End, End: at})) == "" {
		return blocks[n-1].Span.Start
	}
	return at
}

// gapBefore is a line break where the line before an offset is not blank: a rule
// right below a paragraph would make a heading of it.
func (c *Checkpoint) gapBefore(at int) string {
	src := bytes.TrimSuffix(c.Doc.Bytes()[:at], []byte("\n"))
	if len(bytes.TrimSpace(src[bytes.LastIndexByte(src, '\n')+1:])) == 0 {
		return ""
	}
	return "\n"
}

// tailEdit puts a section, behind a rule, at the end of the file; a delta before
// the Completion.
func (c *Checkpoint) tailEdit(section string) doc.Edit {
	at := len(c.Doc.Bytes())
	text := "\n---\n\n" + section
	if p, ok := c.Find(Completion); ok && !strings.HasPrefix(section, "## "+Completion.String()) {
		at = c.separator(p.Section.Heading.Start)
		text = c.gapBefore(at) + "---\n\n" + section + "\n"
	} else if !strings.HasPrefix(section, "## "+Completion.String()) && c.gapBefore(at) == "" {
		text = text[1:]
	}
	s := doc.Span{Start: at, End: at}
	return doc.ReplaceSections(s, c.lines(s, text))
}
