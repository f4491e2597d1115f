package importing

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// piece is text that is put into one section unchanged.
type piece struct {
	kind  checkpoint.Kind // the section; nowhere means Imported
	file  int
	root  int    // pieces with the same root keep the relative levels of their headings
	bare  bool   // it has no heading
	weak  bool   // it is below a heading for open work, which is not one for next actions
	open  string // a heading that is another name of the section; it is kept in a comment
	text  string
	lines int // the number of lines that are not blank, with headings
	from  result.Origin
}

// foremost matches headings that name what to do first, and not only what is open.
var foremost = text.Regexp(`(?i)\b(next|immediate|resum|continue|first|start (here|with)|to start|pick up|priorit|execution)`)

// split cuts a file into its title and pieces, in their order.
func (f file) split(nr int) (title string, pieces []piece) {
	all := f.chapters()
	own, titled := f.title()
	add := func(p piece) {
		if p.lines == 0 && p.text == "" {
			return
		}
		p.file = nr
		pieces = append(pieces, p)
	}
	if f.front != "" {
		add(piece{kind: nowhere, root: -1, bare: true, text: fence("yaml", f.front), lines: countLines(f.front),
			from: result.Origin{Heading: "frontmatter"}})
	}
	var held []string // headings without text, which the next piece below them gets
	named := map[checkpoint.Kind]bool{}
	roots := make([]int, len(all))
	for i, c := range all {
		roots[i] = i
		if c.parent > 0 && !c.opens && (c.kind == all[c.parent].kind) {
			roots[i] = roots[c.parent]
		}
		head := piece{kind: c.kind, root: roots[i], bare: i == 0, from: result.Origin{Heading: text.OneLine(c.Title)}}
		head.weak = !foremost.MatchString(all[roots[i]].Title)
		_, alias := checkpoint.KindNamed(c.Title)
		switch {
		case i == 0:
		case titled && i == 1 && !c.opens && f.name == "":
			title, head.bare = text.OneLine(own.Title), true
		case c.kind == nowhere && f.said(c.Body) == "" && f.count(c.Heading) > 0 && allOpen(all, i):
			held = append(held, raw(c.Section))
			continue
		case c.opens && alias && !named[c.kind] && len(held) == 0 && plainHeading(c.Title):
			head.bare, head.lines = true, 1
			named[c.kind] = true
			if c.Title != c.kind.String() || f.name != "" {
				head.open = raw(c.Section)
			}
		default:
			head.text, head.lines = strings.Join(append(held, raw(c.Section)), "\n\n"), f.count(c.Heading)+len(held)
			held = nil
		}
		texts := c.texts
		if texts == nil {
			texts = []stretch{{kind: c.kind, span: c.Body}}
		}
		for _, t := range texts {
			if t.kind == c.kind && (t.name == "" || t.kind == nowhere) {
				head.text = joined(head.text, f.said(t.span))
				head.lines += f.count(t.span)
				add(head)
				head.text, head.lines, head.open = "", 0, ""
				continue
			}
			if head.lines > 0 { // the heading that has no text
				add(head)
				head.text, head.lines, head.open = "", 0, ""
			}
			add(f.labelled(t, c.Level))
		}
		add(head)
	}
	return title, pieces
}

// labelled returns the piece of a stretch that has a label.
func (f file) labelled(t stretch, level int) piece {
	p := piece{kind: t.kind, root: -2 - t.span.Start, bare: !t.alone, weak: !foremost.MatchString(t.name),
		lines: f.count(t.span), from: result.Origin{Heading: t.name}}
	text := f.said(t.span)
	if !t.alone {
		p.text = dedented(text)
		return p
	}
	line, rest, _ := strings.Cut(text, "\n")
	line = strings.Repeat("#", min(level+1, 6)) + " " + strings.TrimSpace(markerBefore.ReplaceAllString(line, ""))
	p.text = dedented(strings.Trim(rest, "\n"))
	if _, alias := checkpoint.KindNamed(t.name); alias && plainHeading(line) {
		p.bare, p.open = true, line
	} else {
		p.text = joined(line, p.text)
	}
	return p
}

// said returns whole lines of the file without blank lines around them and rules after them.
// A span may begin or end inside a paragraph or a list.
func (f file) said(s doc.Span) string {
	lines := strings.Split(strings.TrimRight(f.doc.Slice(s), " \t\n"), "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && isRule(strings.TrimSpace(lines[len(lines)-1])) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// dedented removes the common indentation of all lines of a text.
func dedented(text string) string {
	lines := strings.Split(text, "\n")
	margin := -1
	for _, line := range lines {
		if bare := strings.TrimLeft(line, " "); bare != "" && (margin < 0 || len(line)-len(bare) < margin) {
			margin = len(line) - len(bare)
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(margin, 0), len(line)):]
	}
	return strings.Join(lines, "\n")
}

// joined joins two texts with a blank line between them.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

// allOpen reports whether every heading below the given one belongs to a section of the format.
func allOpen(all []chapter, i int) bool {
	j := i + 1
	for ; j < len(all) && all[i].Whole.Contains(all[j].Whole); j++ {
		if all[j].kind == nowhere {
			return false
		}
	}
	return j > i+1
}

// count returns the number of lines of a stretch that have text.
func (f file) count(s doc.Span) int { return len(wordsIn(f.doc, s)) }

// raw returns a heading as a line.
func raw(s doc.Section) string { return strings.Repeat("#", s.Level) + " " + text.OneLine(s.Title) }

// plainHeading reports whether a heading can be put in a comment.
func plainHeading(title string) bool { return !strings.Contains(title, "--") && title != "" }

// fence returns text as a code block of a language.
func fence(language, text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + language + "\n" + text + "\n" + mark
}

// countLines counts lines as [file.count] does, in text without headings.
func countLines(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if !isRule(strings.TrimSpace(line)) {
			n++
		}
	}
	return n
}

// notes builds the body of a checkpoint from files of notes, and returns which section got how many
// lines.
func notes(files []file, source string) (body []byte, shares []result.Share) {
	var title string
	var pieces []piece
	for i, f := range files {
		t, own := f.split(i)
		pieces = append(pieces, own...)
		if t != "" {
			title = t
		}
	}
	var b strings.Builder
	if title != "" {
		b.WriteString("# " + distinct(title, files[0].from(source)) + "\n")
		if !isRule(title) { // the title of "# # #" is "#", which counts as a separator
			shares = append(shares, result.Share{Section: "Title", Lines: 1})
		}
	}
	section := func(level int, title string, of checkpoint.Kind) {
		text, share := gather(files, pieces, of, level, source)
		if share.Lines == 0 {
			return
		}
		b.WriteString("\n" + strings.Repeat("#", level) + " " + title + "\n")
		if text != "" {
			b.WriteString("\n" + text + "\n")
		}
		share.Section, share.Imported = title, of == nowhere
		shares = append(shares, share)
	}
	for _, k := range checkpoint.Kinds() {
		if k == checkpoint.Essential {
			b.WriteString("\n## " + k.String() + "\n")
			continue
		}
		section(k.Template().Level, k.String(), k)
	}
	section(2, Title, nowhere)
	return []byte(strings.TrimLeft(b.String(), "\n")), shares
}

// gather builds the text of a section from its pieces, in the order of the source. Pieces without a
// heading come first: after a heading, they would seem to belong to it. Under Imported, and among
// pieces with one root, the headings keep their relative levels.
func gather(files []file, pieces []piece, of checkpoint.Kind, level int,
	source string) (text string, share result.Share) {
	ours := slices.DeleteFunc(slices.Clone(pieces), func(p piece) bool { return p.kind != of })
	if of != nowhere {
		slices.SortStableFunc(ours, func(a, b piece) int { return rank(a) - rank(b) })
	}
	var parts []string
	for i := 0; i < len(ours); {
		p := ours[i]
		below := level
		if of == nowhere && len(files) > 1 {
			below = level + 1
			parts = append(parts, strings.Repeat("#", below)+" "+oneLine(files[p.file].name))
		}
		var texts []string
		for ; i < len(ours) && ours[i].file == p.file && (of == nowhere || ours[i].root == p.root); i++ {
			q := ours[i]
			if q.open != "" {
				texts = append(texts, openingOf(q, files))
			}
			if q.text != "" {
				texts = append(texts, q.text)
			}
			share.Add(q.from, q.lines)
		}
		if len(texts) > 0 {
			parts = append(parts, doc.Below(below, files[p.file].tame(strings.Join(texts, "\n\n"), source)))
		}
	}
	return strings.Join(parts, "\n\n"), share
}

func rank(p piece) int {
	switch {
	case p.bare:
		return 0
	case p.kind == checkpoint.Next && p.weak:
		return 2 // for example "Not started", after "Next steps"
	}
	return 1
}

// openingOf returns a comment with the heading with which a section begins.
func openingOf(p piece, files []file) string {
	mark := "<!-- "
	if len(files) > 1 {
		mark += oneLine(files[p.file].name) + ": "
	}
	return mark + p.open + " -->"
}

// tame adds the name of the file to headings that ckpt would read as sections of the checkpoint
// itself.
func (f file) tame(text, source string) string {
	d, err := doc.Parse([]byte("\n" + text))
	if err != nil {
		return text
	}
	var b strings.Builder
	at := 1
	whole := d.Slice(span(0, len(text)+1))
	for _, s := range d.Sections() {
		title := distinct(s.Title, f.from(source))
		if title == s.Title {
			continue
		}
		b.WriteString(whole[at:s.Heading.Start] + strings.Repeat("#", s.Level) + " " + title + "\n")
		at = s.Heading.End
	}
	return strings.TrimRight(b.String()+whole[at:], "\n")
}

// distinct returns a title that differs from the titles of the format's sections.
func distinct(title, from string) string {
	if _, known := checkpoint.KindNamed(title); known {
		return title + " (" + from + ")"
	}
	return title
}
