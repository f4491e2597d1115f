package importing

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// piece is a block and the headings that are written above it in the checkpoint.
type piece struct {
	block
	file     *file
	headings []*node // the headings above the block, the outermost first
	root     *node   // the outermost heading; nil without one, and under Imported
	text     string
}

// notes builds the body of a checkpoint from files of notes, and returns how many lines each section has.
func notes(files []file) (body []byte, shares []result.Share) {
	var b strings.Builder
	named := map[checkpoint.Kind]bool{checkpoint.Essential: true} // sections that get a heading even if they are empty
	for i := range files {
		f := &files[i]
		f.divide()
		for _, block := range f.blocks {
			if n := block.node; n.opens && !named[n.kind] && n.title == n.kind.String() {
				n.section, named[n.kind] = true, true
			}
		}
		if f.title != nil && f.name == "" && !f.title.opens {
			f.title.shown = true
			b.WriteString("# " + distinct(text.OneLine(f.title.title), f.from) + "\n")
			shares = append(shares, result.Share{Section: "Title", Lines: 1})
		}
	}
	for _, k := range append(checkpoint.Kinds(), nowhere) {
		level, title := 2, Title
		if k != nowhere {
			level, title = k.Template().Level, k.String()
		}
		text := gather(files, k, level)
		if text != "" {
			shares = append(shares, result.Share{Section: title, Lines: countLines(text), Imported: k == nowhere})
		}
		if text != "" || named[k] && !k.Template().Required { // revise.Create adds required sections
			b.WriteString("\n" + joined(heading(level, title), text) + "\n")
		}
	}
	return []byte(strings.TrimLeft(b.String(), "\n")), shares
}

// gather returns the text of a section. Under Imported, all headings of a file keep their relative levels; elsewhere, a
// heading and all headings below it do. In Play-By-Play the oldest entry of a log is first.
func gather(files []file, of checkpoint.Kind, level int) string {
	var parts []string
	var all []piece
	led := false // an earlier part has text, and with it the first action
	for i := range files {
		all = append(all, files[i].pieces(of)...)
	}
	slices.SortStableFunc(all, func(a, b piece) int { return a.rank() - b.rank() })
	for len(all) > 0 {
		n, f := 1, all[0].file
		for n < len(all) && all[n].root == all[0].root && all[n].file == f && all[n].rank() == all[0].rank() {
			n++
		}
		if of == nowhere && len(files) > 1 {
			level = 3
			parts = append(parts, heading(level, f.from))
		}
		if of == checkpoint.PlayByPlay {
			slices.SortStableFunc(all[:n], func(a, b piece) int { return a.entry - b.entry })
		}
		text := f.written(all[:n], level)
		if of == checkpoint.Next && all[0].root == nil && led {
			text = joined(heading(level+2, f.from), text)
		}
		if of == checkpoint.Next && !led {
			text = leadItem(text, n < len(all) && all[0].rank() < 3)
		}
		led = led || slices.ContainsFunc(all[:n], func(p piece) bool { return p.text != "" })
		parts = append(parts, text)
		all = all[n:]
	}
	return strings.Join(parts, "\n\n")
}

// rank returns the place of a piece among the next actions; in other sections it is 0. First comes the text below a
// heading "Next Actions", then a list that gives an order, then what is to be done first, then all other text.
func (p piece) rank() int {
	isFirst := func(n *node) bool { return n != p.file.title && n.foremost() > 0 }
	isNamed := func(n *node) bool {
		return n.kind == checkpoint.Next && (n.sure >= clear || stepTitle.Get().MatchString(n.title))
	}
	switch {
	case p.node == nil, p.section() != checkpoint.Next, p.root != nil && p.root.section:
		return 0
	case !slices.ContainsFunc(p.headings, isNamed):
		return 4 // open, but no heading above names next actions
	case inOrder.Get().MatchString(p.root.title):
		return 1
	case slices.ContainsFunc(p.headings, isFirst) && (p.up == nil || !p.up.done):
		return 2
	}
	return 3 // for example text below "Not started"
}

// pieces returns the pieces of a section, in the order of the source.
func (f *file) pieces(of checkpoint.Kind) []piece {
	var pieces []piece
	if of == nowhere && f.front != "" {
		mark := strings.Repeat("```", 1+strings.Count(f.front, "```"))
		pieces = []piece{{file: f, text: mark + "yaml\n" + f.front + "\n" + mark}}
	}
	for _, b := range f.blocks {
		isHeading, needed := b.span.Len() == 0, b.up != nil && !b.shown
		if b.section() != of || isHeading && !needed {
			continue
		}
		p := piece{block: b, file: f, headings: f.headingsOf(b)}
		p.text = strings.TrimRight(f.doc.Slice(b.span), " \t\n")
		for i, n := range p.headings {
			n.shown = true
			if i == 0 && of != nowhere {
				p.root = n
			}
			if n == b.node && n.isLabel() {
				p.text = b.withoutLabel(p.text)
			}
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// withoutLabel returns the text of a block without its label, which is written as a heading.
func (b block) withoutLabel(said string) string {
	margin := said[:len(said)-len(strings.TrimLeft(said, " "))]
	said = strings.ReplaceAll("\n"+said, "\n"+margin, "\n")[1:]
	rest, ok := strings.CutPrefix(bullet.Get().ReplaceAllString(said, ""), b.words)
	if ok && rest != "" {
		return "- " + strings.TrimSpace(rest)
	} else if ok {
		return ""
	}
	return said
}

// headingsOf returns the headings to write above a block: those up to the one that names the section, and outer ones
// without text of their own. If the section is not that of the block's heading, only this heading is written, or none
// if it contradicts the section.
func (f *file) headingsOf(b block) []*node {
	of := b.section()
	isAction := func(n *node) bool { return of == checkpoint.Next && numberedStep.Get().MatchString(n.title) }
	if of != b.kind {
		contradicts := b.sure >= clear && b.names != of || of.Contradicts(checkpoint.StatusOf(b.title))
		if contradicts || isAction(b.node) || b.depth == 0 {
			return nil
		}
		return []*node{b.node}
	}
	var all []*node
	same := true // no heading so far begins the section
	for n := b.node; n.up != nil; n = n.up {
		isEmpty := !n.own && n.kind == nowhere && !isAction(n)
		isTitle := n == f.title && f.name == "" && !n.opens
		if isTitle || !same && !isEmpty {
			break
		}
		if isText := n.isLabel() && (of == nowhere || n.inline && of != checkpoint.Next); !isText {
			all = append(all, n)
		}
		same = same && !n.opens && n.up.kind == n.kind
	}
	slices.Reverse(all)
	return all
}

// written returns the text of pieces with their headings, which are made deeper than the given level.
func (f *file) written(pieces []piece, level int) string {
	said, last := "", piece{}
	for _, p := range pieces {
		same := 0
		for same < min(len(last.headings), len(p.headings)) && last.headings[same] == p.headings[same] {
			same++
		}
		for _, n := range p.headings[same:] {
			if !n.section {
				said = joined(said, heading(n.depth, distinct(n.words, f.from)))
			}
		}
		adjacent := last.span.End == p.span.Start || p.list > 0 && p.list == last.list
		if adjacent && same == len(p.headings) && last.text != "" {
			said += "\n" + p.text
		} else {
			said = joined(said, p.text)
		}
		last = p
	}
	return doc.Below(level, said)
}

var (
	// inHeading matches a heading that is the next action itself: "Next step: run the benchmark".
	inHeading = text.Regexp(`(?i)^#+ [\W\d]*(?:(?:immediate )?next(?: immediate)?(?: (?:step|action|task|up|phase|milestone|move|session))?|` +
		`up next|(?:highest|top) priority|第[一二三]优先级|再?下一步)(?: *[:—–-]+ +|：)(.{6,})(?:\n|$)`)
	// codeFirst matches a text that begins with commands. Its groups are the code block and its first command.
	codeFirst = text.Regexp("^(?:(?:#|<!--).*\n|\n|[^-+*|>`~#<\\d\\s].*:\n)*" +
		"(```(?:sh|bash|shell)?\n(?:#.*\n|\n)*(.{3,80})\n)")
	inOrder       = text.Regexp(`(?i)\b(implementation|execution|build|work) order\b`) // "Implementation order"
	headingsFirst = text.Regexp("^(?:(?:#|<!--).*\n|\n)*")
	codeBlock     = text.Regexp("(?s)```.*?```")
	// leadProse matches a paragraph after headings.
	leadProse  = text.Regexp("^(?:(?:#|<!--).*\n|\n)*((?:\\*\\*|[^-+*|>`~#<\\d\\s]).*[^:\n](?:\n[^-+*|>#\n].*)*)(?:\n|$)")
	subheading = text.Regexp(`^(?:(?:#|<!--).*\n|\n)*#+ (.+)\n+[^#\n]`) // the last heading before a text
	tasks      = text.Regexp(`(?m)^\s*(?:\||[-*+] \[ \])`)
	// enumerated matches a heading with the number of a task: "Step 4: Paint it", "S1. Paint it", "TILL-7: Paint it".
	enumerated = text.Regexp(`^\W*(?:(?i:step|task|issue|item) #?)?[A-Z]{0,8}-?\d+(?:\.\d+)*(?:[.):]| [—–-]) |^第\S{1,3}步`)
	firstStep  = text.Regexp(`^(?i:step\s+)?1[.):]\s`)
	listed     = text.Regexp(`(?m)^\s*(?:[-+*] |\||\d+[.)] |#+ \d)`)
)

// leadItem returns a text of next actions with the first action as a list item. That action may be in a heading such as
// "Next step: x", a command, or a paragraph that begins with an order. If isForemost is true and the text has no list,
// it may be in any paragraph.
func leadItem(said string, isForemost bool) string {
	if m := inHeading.Get().FindStringSubmatchIndex(said); m != nil && isOwn(said[m[2]:m[3]]) {
		return said[:m[3]] + "\n\n" + item(said[m[2]:m[3]]) + said[m[3]:]
	}
	if m := subheading.Get().FindStringSubmatchIndex(said); m != nil && isAction(said[m[2]:m[3]], said[m[3]:]) {
		return said[:m[3]] + "\n\n" + item(said[m[2]:m[3]]) + said[m[3]:]
	}
	below := said[len(headingsFirst.Get().FindString(said)):]
	isPlain := !listed.Get().MatchString(codeBlock.Get().ReplaceAllString(below, ""))
	if m := codeFirst.Get().FindStringSubmatchIndex(said); m != nil && isPlain {
		return said[:m[2]] + item("`"+said[m[4]:m[5]]+"`") + "\n\n" + said[m[2]:]
	}
	m := leadProse.Get().FindStringSubmatchIndex(said)
	isAbout := m == nil || description.Get().MatchString(said[m[2]:m[3]])
	isLead := isForemost && isPlain
	if isAbout || !isLead && !imperative.Get().MatchString(said[m[2]:m[3]]) {
		return said
	}
	return said[:m[2]] + item(said[m[2]:m[3]]) + "\n" + said[m[3]:]
}

// isAction reports whether a heading under next actions is an action itself: it has a number, or no list follows.
func isAction(title, below string) bool {
	_, isBox := checkpoint.CutCheckbox(title)
	below, _, _ = strings.Cut(below, "\n#")
	isNumbered := enumerated.Get().MatchString(title) && !tasks.Get().MatchString(below)
	mayBe := isNumbered || !listed.Get().MatchString(below)
	return mayBe && isOwn(title) && !isBox && !firstStep.Get().MatchString(title) // a box or step 1 is an action already
}

// isOwn reports whether a title does not name a section.
func isOwn(title string) bool {
	kind, _ := meaning(title)
	return kind == nowhere
}

// distinct returns a title. If it is the title of a section of the format, distinct adds from to it in parentheses.
func distinct(title, from string) string {
	if _, known := checkpoint.KindNamed(title); known {
		return title + " (" + from + ")"
	}
	return title
}

// item returns a text as an item of a list.
func item(text string) string { return "- " + strings.ReplaceAll(text, "\n", "\n  ") }

// joined joins two texts with a blank line between them.
func joined(a, b string) string { return strings.Trim(a+"\n\n"+b, "\n") }

// heading returns a heading as a line.
func heading(level int, title string) string {
	return strings.Repeat("#", level) + " " + text.OneLine(title)
}
