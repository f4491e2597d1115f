package importing

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// node is a heading, or a label that begins a section; the first node of a file is the text before its headings.
type node struct {
	title string
	level int      // in the tree; 0 for a label and for the first node
	depth int      // in the file; of a label one more than that of its heading
	head  doc.Span // the heading
	body  doc.Span // up to the next heading
	up    *node    // the heading above

	names   checkpoint.Kind // the section that its words mean
	sure    certainty
	kind    checkpoint.Kind // the section of the text below it
	maybe   checkpoint.Kind // the section that it names if nothing else in the file does
	opens   bool            // its own words name the section
	inline  bool            // a label with text on its line
	words   string          // of such a label, as in the file
	old     bool            // it is in an older entry of a log, or below a heading such as Previous
	entry   int             // in a log with the newest entry first: the number of the entry
	own     bool            // it has text of its own
	full    bool            // there is text below it, more than a word for nothing
	shown   bool            // it is in the checkpoint
	section bool            // it is that of a section of the format, which the checkpoint has anyway
}

func (n *node) isLabel() bool { return n.level == 0 && n.up != nil }

// block is the smallest part of a file that goes to one section: a paragraph, an entry of a list, a table.
type block struct {
	*node
	span   doc.Span // whole lines
	label  bool     // it is the line of the node's label
	list   int      // for an entry, the offset of its list
	box    bool
	status checkpoint.ItemStatus
	tally  // for a table
	kind   checkpoint.Kind
}

// reader reads the blocks of a file.
type reader struct {
	*file
	nodes   []*node
	all     []block
	first   map[string]*node // the first headings that name sections, by their words
	last    map[string]*node // the last labels below the heading, by their words
	at      *node            // the heading or label that the next block is below
	reach   reach
	waiting bool // the text of the last label is in the next block
}

// blocks divides a file into blocks and finds the section of each, in one pass over its headings and what is below
// them. It also returns its headings and labels.
func (f *file) blocks() ([]*node, []block) {
	r := &reader{file: f, first: map[string]*node{}}
	for i, h := range f.headings() {
		if i > 0 {
			r.place(h)
		}
		r.read(h)
	}
	r.promote()
	r.byStatus()
	return r.nodes, r.all
}

var (
	// session matches the heading of an entry of a log.
	session  = text.Regexp(`(?i)\b(session|day|run|iteration|round|entry|update)\b\W*#?\d|^\W*session\b\s*[:(—–-]`)
	numbered = text.Regexp(`(?i)^\W*session\W*#?\d`)
	ordinal  = text.Regexp(`\d+`)
	// promptTitle matches the headings of a list of prompts, as Entire writes it.
	promptTitle = text.Regexp(`^Prompt \d+$`)
)

// headings returns the headings of a file in a tree, below the text before the first one. An entry "Session 4"
// of a log reaches to the next one if headings of its level are between the entries.
func (f *file) headings() []*node {
	all := []*node{{kind: f.home, maybe: nowhere, body: f.doc.Preamble()}}
	log, between, reaching := 0, false, 0 // the level of the entries, and that of those that reach to the next one
	for _, s := range f.doc.Sections() {
		n := &node{title: s.Title, level: s.Level, depth: s.Level, head: s.Heading, body: s.Body, maybe: nowhere}
		n.names, n.sure = f.meaning(s.Title)
		all = append(all, n)
		all[0].old = all[0].old || promptTitle.MatchString(s.Title) // the headings are those of what the user said
		switch {
		case !numbered.MatchString(s.Title):
			between = between || s.Level == log
		case log == 0:
			log = s.Level
		case between && s.Level == log:
			reaching = log
		}
	}
	inside := false
	for i, h := range all[1:] {
		isEntry := h.level == reaching && numbered.MatchString(h.title)
		inside = isEntry || inside && h.level >= reaching
		if inside && !isEntry {
			h.level++
		}
		h.up = all[i]
		for h.up.up != nil && h.up.level >= h.level {
			h.up = h.up.up
		}
	}
	markOld(all)
	return all
}

// markOld marks the entries of logs as old, except the newest one by day, then number, then place. If a
// heading outside the log names the next actions, all entries are old.
func markOld(all []*node) {
	title := slices.IndexFunc(all, func(n *node) bool { return n.level == 1 })
	logs := map[*node][]*node{} // the entries of logs, by the heading above them
	for _, h := range all[1:] {
		isEntry := h.sure < clear && (dayIn(h.title) != "" || session.MatchString(h.title))
		log := h.up
		if title >= 0 && log == all[title] {
			log = all[0] // a title in the middle of a log does not divide it
		}
		mayBeLog := log.up == nil || log.sure == unknown || log.names == checkpoint.PlayByPlay
		if isEntry && mayBeLog {
			logs[log] = append(logs[log], h)
		}
	}
	for _, log := range logs {
		newest, last := slices.MaxFunc(log, byDay), log[len(log)-1]
		if byDay(last, log[0]) > 0 && byDay(last, newest) == 0 {
			newest = last
		}
		if slices.ContainsFunc(all, func(n *node) bool {
			return n.names == checkpoint.Next && n.sure >= clear && !n.isBelow(log)
		}) {
			newest = nil
		}
		for i, h := range log {
			h.old = h != newest && len(log) > 1
			if byDay(log[0], last) > 0 {
				h.entry = i + 1
			}
		}
	}
}

// isBelow reports whether a heading is one of others, or below one of them.
func (n *node) isBelow(others []*node) bool {
	for n != nil && !slices.Contains(others, n) {
		n = n.up
	}
	return n != nil
}

// byDay compares two entries of a log by day, then number.
func byDay(a, b *node) int {
	number := func(n *node) int {
		day := dayIn(n.title)
		number, _ := strconv.Atoi(ordinal.FindString(strings.ReplaceAll(n.title, day[:min(len(day), 10)], "")))
		return number
	}
	return cmp.Or(strings.Compare(dayIn(a.title), dayIn(b.title)), cmp.Compare(number(a), number(b)))
}

// isTitle reports whether a node is the title of the file.
func (f *file) isTitle(n *node) bool {
	return f.titled && n.up != nil && n.up.up == nil && n.level == 1
}

// meaning returns the section that a heading of the file names, and how clearly.
func (f *file) meaning(title string) (checkpoint.Kind, certainty) {
	bare := text.BareTitle(title)
	if k, ok := f.means[bare]; ok {
		return k, whole
	}
	kind, sure := meaning(title)
	if sure < clear && forNext.MatchString(bare) {
		return checkpoint.Next, clear
	}
	return kind, sure
}

// place finds the section of a heading: its own words name it, or it is that of the heading above. The title "# Status"
// has the text up to the next heading; "# TODO" also has the open entries of lists below headings that name no section.
func (r *reader) place(h *node) {
	top := !r.only && (h.up.up == nil || r.isTitle(h.up))
	h.kind = h.up.kind
	if top {
		h.kind = r.home
	}
	kind, sure := h.names, h.sure
	bare := text.BareTitle(h.title)
	h.old = h.old || h.up.old || aside.MatchString(bare)
	_, status := itemStatus(h.title)
	says := sure >= clear && kind != checkpoint.Next && h.kind != checkpoint.Next
	if status == checkpoint.Finished && !says && h.kind != checkpoint.State {
		kind, sure = checkpoint.PlayByPlay, clear
	}
	isCurrent := kind == checkpoint.Next || kind == checkpoint.State
	alone := len(r.doc.Sections()) == 1
	switch {
	case r.isTitle(h) && kind == checkpoint.Next && (sure == whole || todoTitle.MatchString(h.title)):
		h.kind, h.opens, r.todo = kind, true, true
	case r.isTitle(h):
		if sure == whole && (kind != checkpoint.PlayByPlay || alone) {
			h.kind, h.opens = kind, alone
		}
	case sure < clear:
		h.maybe = kind
	case kind == h.kind, !top && !slices.Contains(mayBegin(h.kind), kind):
	case h.old, isCurrent && r.first[bare] != nil && r.first[bare].up != h.up: // it is in another entry
		h.kind = nowhere
	default:
		h.kind, h.opens = kind, true
		r.first[bare] = cmp.Or(r.first[bare], h)
	}
}

// mayBegin returns the sections that a heading below the text of a section may begin.
func mayBegin(below checkpoint.Kind) []checkpoint.Kind {
	switch below {
	case nowhere:
		return checkpoint.Kinds()
	case checkpoint.Next:
		return []checkpoint.Kind{checkpoint.PlayByPlay}
	case checkpoint.Context:
		return []checkpoint.Kind{checkpoint.Next, checkpoint.Decisions}
	case checkpoint.Rules, checkpoint.Breadcrumbs, checkpoint.Artifacts:
		return []checkpoint.Kind{checkpoint.Next}
	case checkpoint.PlayByPlay, checkpoint.State, checkpoint.Intent:
		return []checkpoint.Kind{checkpoint.Next, checkpoint.PlayByPlay, checkpoint.State, checkpoint.Decisions}
	}
	return nil
}

// read divides the text below a heading into blocks, and finds its labels.
func (r *reader) read(h *node) {
	r.nodes = append(r.nodes, h)
	r.at, r.reach, r.last, r.waiting = h, r.reachOf(h), map[string]*node{}, false
	r.all = append(r.all, block{node: h, span: span(h.body.Start, h.body.Start)}) // the heading itself
	blocks := r.doc.Blocks(h.body)
	for i, b := range blocks {
		reach := r.reach
		last := i == len(blocks)-1 && h.body.End == r.doc.Body().End
		if last && b.Kind == doc.Paragraph && reach != noLabels {
			r.reach = max(reach, introLabels) // a file may end with a line "**Status**: x"
		}
		switch {
		case b.Kind == doc.Rule:
			continue
		case b.Kind == doc.Comment:
			r.add(block{span: b.Span})
			continue
		case b.Kind == doc.Paragraph:
			r.paragraph(b.Span)
		case b.Kind == doc.List:
			r.list(b.Span, false)
		case reach >= introLabels && quoteMark.MatchString(r.doc.Slice(b.Span)):
			r.paragraph(b.Span)
			r.waiting = false
		default:
			r.add(block{span: b.Span, tally: tally{code: true}})
			r.waiting = false
		}
		if reach != allLabels && !r.waiting {
			r.at = h
		}
		r.reach = reach
	}
}

// add adds a block below the last heading or label.
func (r *reader) add(b block) {
	if r.count(b.span) == 0 {
		return
	}
	b.node = r.at
	b.own = true
	for _, table := range r.doc.Tables(b.span) {
		b.countRows(table)
	}
	r.all = append(r.all, b)
}

// entry adds an entry of a list with the status that it states.
func (r *reader) entry(s doc.Span, list int) {
	box, status := itemStatus(bullet.ReplaceAllString(r.doc.Slice(s), ""))
	r.add(block{span: s, list: list, box: box, status: status})
}

// paragraph finds labels at the beginnings of lines.
func (r *reader) paragraph(s doc.Span) {
	start := s.Start
	for at := s.Start; at < s.End; at = r.lineAt(at).End {
		line := r.lineAt(at)
		said := strings.TrimSpace(quoteMark.ReplaceAllString(r.doc.Slice(line), ""))
		n, ok := (*node)(nil), false
		if at == s.Start || !startsLower(said) {
			n, ok = r.labelOf(said, true)
		}
		if !ok && line.End >= s.End {
			n = r.orderAt(said)
			ok = n != nil
		}
		if ok {
			r.add(block{span: span(start, at)})
			start = r.begin(n, line)
		}
		waits := (r.waiting || n != nil) && strings.HasSuffix(said, ":")
		r.waiting = waits || n != nil && !n.inline
	}
	r.add(block{span: span(start, s.End)})
}

// list divides a list into its entries, and finds labels among them. If an entry has more than a label, the rest of the
// entry is the label's text; otherwise the following entries are. Inside is true below a label: there a label that
// names no section also ends the text before it.
func (r *reader) list(s doc.Span, inside bool) {
	outer, id := r.at, s.Start+1
	margin, start, single := -1, s.Start, false
	entry := func(end int) {
		from := start
		start = end
		if from == end {
			return
		}
		line := r.lineAt(from)
		said := r.doc.Slice(line)
		first := bullet.ReplaceAllString(said, "")
		n, ok := (*node)(nil), false
		if first != said {
			n, ok = r.labelOf(first, inside)
		}
		if !ok {
			if single {
				r.at, single = outer, false
			}
			r.entry(span(from, end), id)
			return
		}
		inside = true
		more := span(line.End, max(line.End, end))
		single = n == nil || n.inline || strings.TrimSpace(r.doc.Slice(more)) != ""
		if r.begin(n, line) == line.Start {
			r.entry(span(from, end), id)
		} else {
			r.list(more, true)
		}
	}
	for at := s.Start; at < s.End; at = r.lineAt(at).End {
		line := r.lineAt(at)
		said := r.doc.Slice(line)
		indent := len(said) - len(strings.TrimLeft(said, " \t"))
		switch {
		case bullet.MatchString(said) && (margin < 0 || indent <= margin):
			entry(at)
			margin = indent
		case indent == 0 && margin >= 0 && isLabelLine(said): // it is not part of the last entry
			entry(at)
			if r.reach != allLabels {
				r.at = r.heading()
			}
			r.paragraph(line)
			margin, start, single, outer = -1, line.End, false, r.at
		}
	}
	entry(s.End)
	if single {
		r.at = outer
	}
	r.waiting = false
}

// promote gives sections that nothing names to the first heading or label that may name them.
func (r *reader) promote() {
	named := map[checkpoint.Kind]bool{nowhere: true}
	for _, b := range r.all {
		said := bullet.ReplaceAllString(strings.TrimSpace(r.doc.Slice(b.span)), "")
		if b.inline {
			_, said, _, _ = label(said)
		}
		if b.label || checkpoint.IsNone(said) {
			continue
		}
		named[b.node.kind] = true
		for n := b.node; n != nil; n = n.up {
			n.full = true
		}
	}
	for _, n := range r.nodes {
		may := n.own && !n.old && !named[n.maybe]
		if may && n.kind == nowhere {
			n.kind, n.opens, named[n.maybe] = n.maybe, true, true
		}
	}
}
