package importing

import (
	"sort"
	"strings"

	"example.com/ckpt/internal/core/doc"
)

// lines are the lines of a file that must not be lost: those that are not blank, a
// heading by its words. A rule between sections and the line under an underlined
// heading are no words.
func (f file) lines() []string {
	var all []string
	for line := range strings.Lines(f.front) {
		if line = strings.TrimSpace(line); !isRule(line) {
			all = append(all, line)
		}
	}
	return append(all, wordsOf(f.doc)...)
}

// wordsOf are the lines of a document's body, trimmed; headings are their titles.
func wordsOf(d *doc.Doc) []string { return wordsIn(d, d.Body()) }

// wordsIn are those of a stretch that begins and ends between lines.
func wordsIn(d *doc.Doc, s doc.Span) []string {
	var all []string
	add := func(s doc.Span) {
		for line := range strings.Lines(d.Slice(s)) {
			if line = strings.TrimSpace(line); !isRule(line) {
				all = append(all, line)
			}
		}
	}
	at, sections := s.Start, d.Sections()
	first := sort.Search(len(sections), func(i int) bool { return sections[i].Heading.Start >= s.Start })
	for _, h := range sections[first:] {
		if h.Heading.Start >= s.End {
			break
		}
		add(span(at, h.Heading.Start))
		if title := oneTitle(h.Title); !isRule(title) {
			all = append(all, title)
		}
		at = h.Heading.End
	}
	add(span(at, s.End))
	return all
}

// oneTitle is a heading's text on one line: an underlined one may have several.
func oneTitle(title string) string { return strings.Join(strings.Fields(title), " ") }

// isRule says whether a line separates and says nothing, as a blank one does.
func isRule(line string) bool {
	bare := strings.ReplaceAll(line, " ", "")
	return bare == "" || strings.Contains("-*_=#", bare[:1]) && strings.Trim(bare, bare[:1]) == ""
}

// Lost are the lines that a document does not have, each as often as it has it too
// rarely. A heading counts wherever its words are: as a heading of another level, with
// the name of its file behind it, or in a comment.
func Lost(lines []string, made *doc.Doc) []string {
	have := map[string]int{}
	for line := range strings.Lines(made.Slice(made.Front.Span)) {
		have[strings.TrimSpace(line)]++
	}
	for _, line := range wordsOf(made) {
		line = unmarked(line)
		have[line]++
		if said := heading(line); said != line {
			have[said]++
		}
	}
	for _, s := range made.Sections() { // a title that was told from a section's by its file
		if i := strings.LastIndex(s.Title, " ("); i > 0 && strings.HasSuffix(s.Title, ")") {
			have[oneTitle(s.Title[:i])]++
		}
	}
	var lost []string
	for _, line := range lines {
		bare := unmarked(line)
		if have[bare] == 0 {
			lost = append(lost, line)
			continue
		}
		have[bare]--
	}
	return lost
}

// unmarked returns a line without the marker of a list before it: "- Next:" becomes a
// heading.
func unmarked(line string) string {
	if bare := markerBefore.ReplaceAllString(line, ""); bare != "" {
		return bare
	}
	return line
}

// heading is the title in a line of a comment that keeps one: `<!-- ## Done -->`.
func heading(line string) string {
	line = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(line, "<!--"), "-->"))
	if i := strings.Index(line, "#"); i >= 0 && (i == 0 || strings.HasSuffix(line[:i], ": ")) {
		return oneTitle(strings.TrimLeft(line[i:], "#"))
	}
	return line
}
