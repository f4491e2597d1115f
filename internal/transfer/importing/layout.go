package importing

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

var (
	// foremost matches headings that name what to do first, and not only what is open.
	foremost = text.Regexp(`(?i)\b(next|immediate|resum|first|start (here|with)|to start|pick up)`)
	// deferred matches headings that name what can wait.
	deferred = text.Regexp(`(?i)\b(deferred|later|optional|backlog|low priority|future|someday|nice to have|long.?term)\b`)
)

// piece is a block with the headings above it in a section of the checkpoint.
type piece struct {
	block
	file     *file
	headings []*node // the outermost first
	text     string
	lines    int // the number of lines of the source in it
}

// notes builds the body of a checkpoint from files of notes, and returns which section got how many
// lines.
func notes(files []file, source string) (body []byte, shares []result.Share) {
	var b strings.Builder
	blocks := make([][]block, len(files))
	named := map[checkpoint.Kind]bool{}
	for i := range files {
		f := &files[i]
		var nodes []*node
		nodes, blocks[i] = f.blocks()
		for _, n := range nodes {
			if n.opens && !named[n.kind] && n.title == n.kind.String() {
				n.section, named[n.kind] = true, true
			}
		}
		if title := nodes[min(1, len(nodes)-1)]; f.isTitle(title) && f.name == "" && !title.opens {
			title.shown = true
			b.WriteString("# " + distinct(text.OneLine(title.title), f.from(source)) + "\n")
			shares = append(shares, result.Share{Section: "Title", Lines: f.count(title.head)})
		}
	}
	section := func(level int, title string, of checkpoint.Kind) {
		text, share := gather(files, blocks, of, level, source)
		if share.Lines > 0 {
			b.WriteString("\n" + joined(heading(level, title), text) + "\n")
			share.Section, share.Imported = title, of == nowhere
			shares = append(shares, share)
		}
	}
	for _, k := range checkpoint.Kinds() {
		if k == checkpoint.Essential {
			b.WriteString("\n## " + k.String() + "\n")
		} else {
			section(k.Template().Level, k.String(), k)
		}
	}
	section(2, Title, nowhere)
	return []byte(strings.TrimLeft(b.String(), "\n")), shares
}

// gather builds the text of a section. Text without a heading comes first: after a heading, it would seem to belong
// to that one. Under Imported, and below one heading, the headings keep their relative levels. In Play-By-Play the
// entries of a log come with the oldest first.
func gather(files []file, blocks [][]block, of checkpoint.Kind, level int, source string) (string, result.Share) {
	var share result.Share
	var parts []string
	write := func(f *file, pieces []piece) {
		parts = append(parts, f.written(pieces, level, source))
		for _, p := range pieces {
			share.Lines += p.lines
		}
	}
	var all []piece
	for i := range files {
		f := &files[i]
		pieces := f.pieces(blocks[i], of)
		if of != nowhere {
			all = append(all, pieces...)
			continue
		}
		if len(files) > 1 && (len(pieces) > 0 || f.front != "") {
			level = 3
			parts = append(parts, heading(level, oneLine(f.name)))
		}
		if f.front != "" {
			parts = append(parts, fence(f.front))
			share.Lines += countLines(f.front)
		}
		write(f, pieces)
	}
	slices.SortStableFunc(all, func(a, b piece) int { return a.rank() - b.rank() })
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].root() == all[0].root() && all[n].file == all[0].file {
			n++
		}
		if of == checkpoint.PlayByPlay {
			slices.SortStableFunc(all[:n], func(a, b piece) int { return cmp.Compare(b.entryOf(), a.entryOf()) })
		}
		write(all[0].file, all[:n])
		all = all[n:]
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, "\n\n"), share
}

// root returns the outermost heading of a piece; nil for none.
func (p piece) root() *node {
	if len(p.headings) == 0 {
		return nil
	}
	return p.headings[0]
}

// rank returns the place of a piece in its section: text without a heading is first, what can wait is last.
func (p piece) rank() int {
	names := slices.ContainsFunc(p.headings, func(n *node) bool { return foremost.MatchString(n.title) })
	switch {
	case len(p.headings) == 0, p.root().section:
		return 0
	case p.kind == checkpoint.Next && (!names || deferred.MatchString(p.headings[len(p.headings)-1].title)):
		return 2 // for example "Not started", after "Next steps"
	}
	return 1
}

// entryOf returns the number of the entry of a log that a piece is in, if the newest entry is first there. A piece
// outside such a log is before all entries.
func (p piece) entryOf() int {
	for n := p.node; n != nil; n = n.up {
		if n.entry > 0 {
			return n.entry
		}
	}
	return math.MaxInt
}

// pieces returns the pieces of a section, in the order of the source.
func (f *file) pieces(all []block, of checkpoint.Kind) []piece {
	var pieces []piece
	for _, b := range all {
		isHeading, needed := b.span.Len() == 0, b.up != nil && !b.shown
		if b.kind != of || isHeading && !needed {
			continue
		}
		p := piece{block: b, file: f, headings: f.headingsOf(b), lines: f.count(b.span)}
		p.text = strings.TrimRight(f.doc.Slice(b.span), " \t\n")
		if slices.Contains(p.headings, b.node) && b.isLabel() {
			p.text = b.withoutLabel(p.text)
		}
		for _, n := range p.headings {
			if !n.shown {
				n.shown = true
				if !n.isLabel() {
					p.lines += f.count(n.head)
				}
			}
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// withoutLabel returns the text of a block whose label is shown as a heading.
func (b block) withoutLabel(said string) string {
	if b.label {
		return ""
	}
	said = dedented(said)
	rest, ok := strings.CutPrefix(bullet.ReplaceAllString(text.FirstLine(said), ""), b.words)
	if !ok || !b.inline {
		return said
	}
	_, more, _ := strings.Cut(said, "\n")
	return item(strings.TrimRight(rest+"\n"+dedented(more), "\n"))
}

// headingsOf returns the headings to show above a block: those up to the one that names its section, and the ones
// above that which have no text of their own. An entry that was moved has the next one only,
// unless that contradicts its section.
func (f *file) headingsOf(b block) []*node {
	if b.kind != b.node.kind {
		kind, sure := meaning(b.title)
		contradicts := sure >= clear && kind != b.kind || b.kind.Contradicts(checkpoint.StatusOf(b.title))
		if contradicts || b.depth == 0 {
			return nil
		}
		return []*node{b.node}
	}
	var all []*node
	same := true
	for n := b.node; n.up != nil; n = n.up {
		isAction := b.kind == checkpoint.Next && numberedStep.MatchString(n.title) // it would be the next one
		isEmpty := !n.own && n.kind == nowhere && !isAction
		isTitle := f.isTitle(n) && f.name == "" && !n.opens
		if isTitle || !same && !isEmpty {
			break
		}
		isText := n.isLabel() && (b.kind == nowhere || n.inline && (b.kind != checkpoint.Next || n.words == ""))
		if !isText {
			all = append(all, n)
		}
		same = same && !n.opens && n.up.kind == n.kind
		if isText && !same {
			break
		}
	}
	slices.Reverse(all)
	return all
}

// written returns the text of pieces with their headings, which are made deeper than a level.
func (f *file) written(pieces []piece, level int, source string) string {
	said, above, last := "", []*node(nil), piece{}
	for _, p := range pieces {
		same := 0
		for same < min(len(above), len(p.headings)) && above[same] == p.headings[same] {
			same++
		}
		for _, n := range p.headings[same:] {
			if !n.section {
				said = joined(said, f.headingLine(n))
			}
		}
		above = p.headings
		adjacent := last.span.End == p.span.Start && (last.list == 0 || p.list > 0)
		adjacent = adjacent || p.list > 0 && p.list == last.list
		tight := same == len(p.headings) && last.text != "" && p.text != ""
		if tight && adjacent {
			said += "\n" + p.text
		} else {
			said = joined(said, p.text)
		}
		if p.text != "" {
			last = p
		}
	}
	if len(pieces) > 0 && pieces[0].kind == checkpoint.Next {
		said = leadItem(said)
	}
	return doc.Below(level, f.tame(said, source))
}

// headingLine returns a heading or label as the line of a heading.
func (f *file) headingLine(n *node) string {
	switch {
	case n.inline:
		return heading(n.depth, n.words)
	case n.isLabel():
		return heading(n.depth, bullet.ReplaceAllString(f.doc.Slice(n.head), ""))
	}
	return heading(n.depth, n.title)
}

var (
	// inHeading matches a heading that is the next action itself: "Next step: run the benchmark".
	inHeading = text.Regexp(`(?i)^#+ \W*(?:(?:immediate )?next(?: (?:step|action|task|up|phase|milestone|move))?|up next|` +
		`(?:highest|top) priority) *[:—–-]+ +(.{8,})(?:\n|$)`)
	// beforeOutcome matches a paragraph, after headings, before a label for what it should give.
	beforeOutcome = text.Regexp("(?i)^(?:(?:#|<!--).*\n|\n)*([^-+*|>`~#<\\d\\s].*[^:\n](?:\n[^-+*|>#\n].*)*)\n+" +
		`\W*(?:expected?.*|expectations?|success|acceptance|verif(?:y|ication)|outputs?|results?|done when)\W*(?:\n|$)`)
	// lettered matches the beginning of an entry "(a) x" that is not in a list.
	lettered = text.Regexp(`(?m)^(\([a-z0-9]\) )`)
)

// leadItem makes an item of a list of what gives an order before a list of something else: of a heading "Next step: x",
// or of a sentence before a list of expected results. Otherwise the first entry of that list would be the next action.
func leadItem(text string) string {
	text = lettered.ReplaceAllString(text, "- $1")
	if m := inHeading.FindStringSubmatchIndex(text); m != nil {
		return text[:m[3]] + "\n\n" + item(text[m[2]:m[3]]) + text[m[3]:]
	}
	if m := beforeOutcome.FindStringSubmatchIndex(text); m != nil {
		return text[:m[2]] + item(text[m[2]:m[3]]) + "\n" + text[m[3]:]
	}
	return text
}

// tame adds the name of the file to headings that ckpt would read as sections of the checkpoint
// itself.
func (f *file) tame(text, source string) string {
	d, err := doc.Parse([]byte("\n" + text))
	if err != nil {
		return text
	}
	var b strings.Builder
	at := 1
	whole := d.Slice(span(0, len(text)+1))
	for _, s := range d.Sections() {
		title := distinct(s.Title, f.from(source))
		if title != s.Title {
			b.WriteString(whole[at:s.Heading.Start] + heading(s.Level, title) + "\n")
			at = s.Heading.End
		}
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

// item returns a text as an item of a list.
func item(text string) string { return "- " + strings.ReplaceAll(text, "\n", "\n  ") }

// dedented removes the indentation of the first line from all lines of a text.
func dedented(text string) string {
	margin := text[:len(text)-len(strings.TrimLeft(text, " "))]
	return strings.ReplaceAll("\n"+text, "\n"+margin, "\n")[1:]
}

// joined joins two texts with a blank line between them.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

// heading returns a heading as a line.
func heading(level int, title string) string {
	return strings.Repeat("#", level) + " " + text.OneLine(title)
}

// fence returns the fields of a source, which are YAML or JSON, as a code block.
func fence(fields string) string {
	mark, language := "```", "yaml"
	for strings.Contains(fields, mark) {
		mark += "`"
	}
	if strings.HasPrefix(fields, "{") {
		language = "json"
	}
	return mark + language + "\n" + fields + "\n" + mark
}
