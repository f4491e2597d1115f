package importing

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/report"
)

// notes are the body of a checkpoint that files of notes make, and what went where.
func notes(files []file, source string) (body string, shares []report.Share) {
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
		shares = append(shares, report.Share{Section: "Title", Lines: 1})
	}
	section := func(level int, title string, of checkpoint.Kind) {
		text, lines := gather(files, pieces, of, level, source)
		if lines == 0 {
			return
		}
		b.WriteString("\n" + strings.Repeat("#", level) + " " + title + "\n")
		if text != "" {
			b.WriteString("\n" + text + "\n")
		}
		shares = append(shares, report.Share{Section: title, Lines: lines, Imported: of == nowhere})
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
// have no heading of their own any more before the others, below which they would seem
// to belong. What was no section of its own keeps the levels that its headings have to
// each other.
func gather(files []file, pieces []piece, of checkpoint.Kind, level int, source string) (text string, lines int) {
	var parts, loose []string
	last, below := -1, level
	flush := func() {
		if len(loose) > 0 {
			parts = append(parts, doc.Below(below, files[last].tame(strings.Join(loose, "\n\n"), source)))
		}
		loose = nil
	}
	ours := slices.DeleteFunc(slices.Clone(pieces), func(p piece) bool { return p.kind != of })
	slices.SortStableFunc(ours, func(a, b piece) int { return rank(a) - rank(b) })
	for _, p := range ours {
		lines += p.lines
		if p.file != last {
			flush()
			if last = p.file; of == nowhere && len(files) > 1 {
				below = level + 1
				parts = append(parts, strings.Repeat("#", below)+" "+oneLine(files[last].name))
			}
		}
		if len(p.open) > 0 {
			loose = append(loose, opening(p, files))
		}
		loose = append(loose, p.texts...)
		if p.whole {
			flush()
		}
	}
	flush()
	return strings.Join(parts, "\n\n"), lines
}

func rank(p piece) int {
	if p.headless {
		return 0
	}
	return 1
}

// opening is a comment that keeps the headings that a section begins with.
func opening(p piece, files []file) string {
	mark := "<!-- "
	if len(files) > 1 {
		mark += oneLine(files[p.file].name) + ": "
	}
	return mark + strings.Join(p.open, "\n"+strings.Repeat(" ", len(mark))) + " -->"
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
