package importing

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// stretch is a part of the text of a chapter that belongs to one section.
type stretch struct {
	kind  checkpoint.Kind
	span  doc.Span // the span of its whole lines
	name  string   // the label at its beginning; "" without a label
	alone bool     // the label is alone on its line, and its text is on the lines below
}

// reach determines which labels begin a section in a text.
type reach int

// The values of reach, the narrowest first.
const (
	noLabels     reach = iota
	statusLabels       // labels for done, state, next and decisions, alone on a line; "Next: x" also on one line
	introLabels        // also labels for the goal, the problem and the like, also on one line
	allLabels          // all labels, and each ends the previous one: for files without headings
)

// reachOf returns which labels begin a section in a text that belongs to section k.
func reachOf(k checkpoint.Kind) reach {
	switch k {
	case nowhere, checkpoint.PlayByPlay, checkpoint.State:
		return statusLabels
	}
	return noLabels
}

// label splits a line that begins with a label, such as "Next:", "**Goal:** x" or
// "NEXT STEPS", into the label and the rest.
func label(line string) (name, rest string, ok bool) {
	line = strings.TrimSpace(line)
	if inner, bold := strings.CutPrefix(line, "**"); bold {
		inner, after, closed := strings.Cut(inner, "**")
		if !closed {
			return "", "", false
		}
		name, rest = strings.TrimSuffix(inner, ":"), strings.TrimSpace(after)
		ok = name != inner || rest == "" || rest[0] == ':' || rest[0] == '(' && strings.HasSuffix(rest, ":")
		rest = strings.TrimSpace(strings.TrimPrefix(rest, ":"))
		if strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ":") {
			rest = ""
		}
	} else {
		name, rest, ok = strings.Cut(line, ":")
		if !ok {
			ok = name == strings.ToUpper(name)
		} else if rest != "" && rest[0] != ' ' {
			return "", "", false
		}
	}
	name, rest = strings.TrimSpace(name), strings.TrimSpace(rest)
	if len(name) > 80 || strings.ContainsAny(name, "`|<>*") || strings.IndexFunc(name, unicode.IsLetter) < 0 {
		return "", "", false
	}
	if strings.IndexByte("/.@$#-([{\"'", name[0]) >= 0 {
		return "", "", false
	}
	return name, rest, ok
}

// opens reports whether a line opens a section by its label, in a text that belongs to
// home. It also returns the name of a label that opens none.
func (r reach) opens(line string, home checkpoint.Kind) (stretch, bool) {
	name, rest, ok := label(line)
	if !ok || r == noLabels {
		return stretch{}, false
	}
	s := stretch{name: name, alone: rest == ""}
	s.kind, _, ok = kinds.Get().Find(name)
	if known, is := checkpoint.KindNamed(name); is && known != checkpoint.Essential && known != checkpoint.Completion {
		s.kind, ok = known, true
	}
	noActions := s.kind == checkpoint.Next && !s.alone && checkpoint.IsNone(rest)
	if !ok || s.kind == home || noActions {
		return s, false
	}
	switch r {
	case statusLabels:
		switch s.kind {
		case checkpoint.Next:
			ok = s.alone || strings.HasPrefix(text.BareTitle(name)+" ", "next ")
		case checkpoint.State, checkpoint.PlayByPlay:
			ok = s.alone
		default:
			ok = s.kind == checkpoint.Decisions && s.alone && home == nowhere
		}
	case introLabels:
		ok = s.kind != checkpoint.Context && s.kind != checkpoint.Breadcrumbs && s.kind != checkpoint.Artifacts
	}
	return s, ok
}

// stretches divides a text that belongs to home at the labels that begin other sections.
func (f file) stretches(s doc.Span, home checkpoint.Kind, r reach) []stretch {
	c := cutter{home: home, reach: r, all: []stretch{{kind: home, span: doc.Span{Start: s.Start, End: s.Start}}}}
	for _, block := range f.doc.Blocks(s) {
		switch block.Kind {
		case doc.Paragraph:
			at := block.Span.Start
			for line := range strings.Lines(f.doc.Slice(block.Span)) {
				if goesOn := at > block.Span.Start && startsLower(line); goesOn || !c.open(at, line, true) {
					c.waiting = c.waiting && strings.HasSuffix(strings.TrimSpace(line), ":")
				}
				at += len(line)
			}
		case doc.List:
			c.list(f.doc.Items(block.Span), f.doc)
		case doc.Rule, doc.Comment:
			continue
		default:
			c.waiting = false
		}
		if r != allLabels && !c.waiting {
			c.end(block.Span.End)
		}
	}
	c.all[len(c.all)-1].span.End = s.End
	return c.all
}

// startsLower reports whether a line begins with a small letter, as in the middle of a sentence.
func startsLower(line string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimSpace(line))
	return unicode.IsLower(r)
}

// cutter divides a text into stretches.
type cutter struct {
	home    checkpoint.Kind
	reach   reach
	all     []stretch
	waiting bool // the text of the last label is in the next block
}

// open begins a stretch if a line begins with a label that opens a section. Where all
// labels count, one that opens none ends the stretch of the one before it if ends is true.
func (c *cutter) open(at int, line string, ends bool) bool {
	s, ok := c.reach.opens(line, c.home)
	unknown := ends && c.reach == allLabels && s.name != ""
	if !ok && unknown {
		ok = s.alone || strings.HasPrefix(strings.TrimSpace(line), "**")
		s = stretch{kind: c.home, alone: s.alone}
	}
	if ok {
		c.begin(at, s)
		c.waiting = s.alone
	}
	return ok
}

func (c *cutter) begin(at int, s stretch) {
	c.all[len(c.all)-1].span.End = at
	s.span.Start = at
	c.all = append(c.all, s)
}

// end ends the text of the last label: the following text belongs to home.
func (c *cutter) end(at int) {
	c.waiting = false
	if c.all[len(c.all)-1].name != "" {
		c.begin(at, stretch{kind: c.home})
	}
}

// list finds labels among the items of a list. The text of a label is the rest of its item. If
// there is no rest, it is the following items.
func (c *cutter) list(items []doc.Entry, d *doc.Doc) {
	c.waiting = false
	inside, single := false, false
	for _, item := range items {
		first, below, _ := strings.Cut(item.Text, "\n")
		if c.open(item.Span.Start, first, inside) {
			inside, single = true, !c.waiting || strings.TrimSpace(below) != ""
			if c.waiting && single {
				c.nested(item.Span, d.Slice(item.Span))
			}
		} else if single {
			c.end(item.Span.Start)
			single = false
		}
	}
	if single {
		c.end(items[len(items)-1].Span.End)
	}
	c.waiting = false
}

// nested finds labels among the entries directly below an item that is itself a label: "- Done:"
// and "- Next:" below "- State:".
func (c *cutter) nested(s doc.Span, text string) {
	k := c.all[len(c.all)-1].kind
	if k != checkpoint.State && k != checkpoint.PlayByPlay {
		return
	}
	at, margin, inside := s.Start, -1, false
	for line := range strings.Lines(text) {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		bare := markerBefore.ReplaceAllString(line, "")
		inMargin := margin < 0 || indent == margin
		if at > s.Start && bare != line && inMargin {
			margin = indent
			inside = c.open(at, bare, inside) || inside
		}
		at += len(line)
	}
}

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
func reshaped(text string) string {
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
		case doubled.MatchString(line) && at(i+1) != "" && !underline.MatchString(lines[i+1]) &&
			!heading1.MatchString(lines[i+1]) &&
			doubled.MatchString(at(i+2)) && at(i-1) == "":
			out = append(out, "", level+" "+at(i+1), "")
			i += 2
			continue
		case i > 0 && inList(lines[i-1]) && isLabel(line):
			out = append(out, "")
		case underline.MatchString(line) && at(i-1) != "" &&
			(at(i-2) != "" || len(at(i-1)) > 80 || notTitle.MatchString(at(i-1))) && !isRule(at(i-1)):
			out = append(out, "")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// inList reports whether a line is an entry of a list, or continues one.
func inList(line string) bool {
	return markerBefore.MatchString(line) || strings.HasPrefix(line, "  ") && strings.TrimSpace(line) != ""
}

// isLabel reports whether a line begins, without indent, with a label. A label is alone on its
// line, is bold, or begins a section.
func isLabel(line string) bool {
	name, rest, ok := label(line)
	if !ok || line == "" || line[0] == ' ' {
		return false
	}
	if inList(line) || startsLower(line) {
		return false
	}
	_, _, known := kinds.Get().Find(name)
	return known || rest == "" || strings.HasPrefix(line, "**")
}

// fenceLine matches a line that begins code.
var fenceLine = text.Regexp("^(?:`{3,}[^`]*$|~{3})")

// textLines reports for each line whether it is outside code fences and comments.
func textLines(lines []string) []bool {
	prose := make([]bool, len(lines))
	fence, comment := "", false
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == "" {
				fence = ""
			}
		case comment:
		case fenceLine.MatchString(line):
			fence = line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
		case strings.HasPrefix(line, "<!--"):
			comment = true
		default:
			prose[i] = true
		}
		if strings.Contains(line, "-->") {
			comment = false
		}
	}
	return prose
}

// bannerLevel returns the marker for headings one level above all others except the title.
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
func (f *file) reshape() error {
	d, err := doc.Parse([]byte(reshaped(f.doc.Slice(f.doc.Body()))))
	if err == nil {
		f.doc = d
	}
	return err
}
