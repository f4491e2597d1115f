package importing

import (
	"strings"

	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/text"
)

var (
	banner    = text.Regexp(`^\s{0,3}(?:={3,}|-{3,}|\*{3,})\s+(\S.*?)\s+(?:={3,}|-{3,}|\*{3,})\s*$`)
	doubled   = text.Regexp(`^\s{0,3}(?:={3,}|\*{3,})\s*$`)
	underline = text.Regexp(`^\s{0,3}(?:=+|-+)\s*$`)
	notTitle  = text.Regexp(`^\s*(?:[-*+>|]|\d+[.)]\s)|[.,;]\s*$`)
	heading1  = text.Regexp(`^\s{0,3}(#{1,6})(?:\s|$)`)
)

// reshaped returns notes with their headings in Markdown. "===== Session 2 =====" becomes
// a heading. A rule directly below a paragraph would make the paragraph a heading, and a
// label directly below a list would be part of the last item: a blank line separates
// them. The words and their order do not change.
func reshaped(text string, v vocabulary) string {
	lines := strings.Split(text, "\n")
	level := bannerLevel(lines)
	out := make([]string, 0, len(lines)+8)
	prose := textLines(lines)
	at := func(i int) string {
		if i < 0 || i >= len(lines) || !prose[i] {
			return ""
		}
		return strings.TrimSpace(lines[i])
	}
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case !prose[i]:
		case banner.MatchString(line):
			out = append(out, "", level+" "+banner.FindStringSubmatch(line)[1], "")
			continue
		case doubled.MatchString(line) && at(i+1) != "" && !underline.MatchString(lines[i+1]) && !heading1.MatchString(lines[i+1]) &&
			doubled.MatchString(at(i+2)) && at(i-1) == "":
			out = append(out, "", level+" "+at(i+1), "")
			i += 2
			continue
		case i > 0 && inList(lines[i-1]) && v.isLabel(line):
			out = append(out, "")
		case underline.MatchString(line) && at(i-1) != "" && (at(i-2) != "" || len(at(i-1)) > 80 || notTitle.MatchString(at(i-1))) && !isRule(at(i-1)):
			out = append(out, "")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// inList reports whether a line is an entry of a list, or goes on with one.
func inList(line string) bool {
	return markerBefore.MatchString(line) || strings.HasPrefix(line, "  ") && strings.TrimSpace(line) != ""
}

// isLabel reports whether a line begins at the margin with a label: one that stands alone,
// is bold, or opens a section.
func (v vocabulary) isLabel(line string) bool {
	name, rest, ok := label(line)
	if !ok || line == "" || inList(line) || line[0] == ' ' || startsLower(line) {
		return false
	}
	_, _, known := v.kinds.Find(name)
	return known || rest == "" || strings.HasPrefix(line, "**")
}

// textLines reports for each line whether it is outside code fences and comments.
func textLines(lines []string) []bool {
	prose := make([]bool, len(lines))
	fence, comment := "", false
	for i, line := range lines {
		line = strings.TrimLeft(line, " \t")
		mark := ""
		for _, m := range []string{"```", "~~~"} {
			if strings.HasPrefix(line, m) {
				mark = m
			}
		}
		switch {
		case fence != "":
			if mark == fence {
				fence = ""
			}
		case comment:
		case mark != "":
			fence = mark
		case strings.HasPrefix(line, "<!--"):
			comment = true
		default:
			prose[i] = true
		}
		if comment && strings.Contains(line, "-->") {
			comment = false
		}
	}
	return prose
}

// bannerLevel returns the marker of a heading one level above all others but the title.
func bannerLevel(lines []string) string {
	least, first := 7, true
	prose := textLines(lines)
	for i, line := range lines {
		if m := heading1.FindStringSubmatch(line); m != nil && prose[i] {
			if level := len(m[1]); level < least && !(first && level == 1) {
				least = level
			}
			first = false
		}
	}
	if least == 7 {
		least = 3
	}
	return strings.Repeat("#", max(least-1, 1))
}

// reshape parses the reshaped text of a file.
func (f *file) reshape(v vocabulary) error {
	d, err := doc.Parse([]byte(reshaped(f.doc.Slice(f.doc.Body()), v)))
	if err == nil {
		f.doc = d
	}
	return err
}
