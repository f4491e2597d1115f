package importing

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/result"
)

// notes are the body of a checkpoint that files of notes make, and what went where.
func notes(files []file, source string) (body string, shares []result.Share) {
	var title string
	var pieces []piece
	v := newVocabulary()
	for i, f := range files {
		t, own := f.split(v, i)
		pieces = append(pieces, own...)
		if t != "" {
			title = t
		}
	}
	var b strings.Builder
	if title != "" {
		b.WriteString("# " + distinct(title, files[0].from(source)) + "\n")
		if !isRule(title) { // "# # #" has a title of "#", which counts as a separator
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
	return strings.TrimLeft(b.String(), "\n"), shares
}

// gather is the text of a section: its pieces in the order of the source, those that
// have no heading of their own before the others, below which they would seem to
// belong. Pieces of one root keep the levels that their headings have to each other, as
// all of Imported do.
func gather(files []file, pieces []piece, of checkpoint.Kind, level int, source string) (text string, share result.Share) {
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
		return 2 // "Not started" after "Next steps"
	}
	return 1
}

// openingOf is a comment that keeps the heading that a section begins with.
func openingOf(p piece, files []file) string {
	mark := "<!-- "
	if len(files) > 1 {
		mark += oneLine(files[p.file].name) + ": "
	}
	return mark + p.open + " -->"
}

// tame puts the name of the file behind headings that ckpt would read as sections of
// the checkpoint itself.
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

// distinct is a title that is none of the format's sections.
func distinct(title, from string) string {
	if _, known := checkpoint.KindNamed(title); known {
		return title + " (" + from + ")"
	}
	return title
}
