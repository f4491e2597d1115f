package importing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// node is a heading or a label ("**Goal:** x"). The first node of a file stands for the text before all headings.
type node struct {
	title string
	level int      // the level in the tree; 0 for a label and for the first node
	depth int      // the level in the file; a label is one level deeper than its heading
	body  doc.Span // the text up to the next heading
	up    *node    // the heading above

	names   checkpoint.Kind // the section that the title names
	sure    certainty
	kind    checkpoint.Kind // the section of the text below the heading
	kinds   statusKinds     // the section of a block below the heading, by the status of the block
	maybe   checkpoint.Kind // the section of the text if nothing else in the file names that section
	opens   bool            // this heading names the section; otherwise a heading above does
	inline  bool            // a label with text on the same line
	words   string          // the title as in the file, with the marks of a label: "**Goal:**"
	done    bool            // the heading states that the text below is finished work
	old     bool            // this is an older entry of a log or a heading such as Previous, or below one of these
	day     string          // for an entry of a log, its key in the order of entries: its day, then its number
	entry   int             // in a log with the newest entry first: the number of the entry, from the oldest
	own     bool            // there is text directly below the heading
	full    bool            // the text below, with subheadings, is more than a word such as "None"
	shown   bool            // the heading is written to the checkpoint
	section bool            // the heading is that of a section of the format, so it is not written twice
	tally
}

func (n *node) isLabel() bool { return n.level == 0 && n.up != nil }

// foremost returns 1 if a heading names what to do first, otherwise 0.
func (n *node) foremost() int {
	if n.sure >= clear && foremost.Get().MatchString(n.title) || stepTitle.Get().MatchString(n.title) {
		return 1
	}
	return 0
}

// hasOpen reports whether the text below a heading has open checkboxes.
func (n *node) hasOpen() bool { return n.boxes > 0 && n.by[checkpoint.Open] > 0 }

// block is the smallest part of a file that goes to one section: a paragraph, an entry of a list, a table.
type block struct {
	*node
	span   doc.Span // whole lines
	list   int      // for an entry of a list, the offset of the list plus 1; otherwise 0
	box    bool
	status checkpoint.ItemStatus
}

// section returns the section that a block belongs to.
func (b block) section() checkpoint.Kind { return b.kinds[b.status] }

// reader reads the blocks of a file.
type reader struct {
	*file
	nodes   []*node
	all     []block
	last    map[string]*node // by title, the last label below head
	head    *node            // the heading that the next block is below
	at      *node            // the heading or label that the next block is below
	labels  bool             // look for labels in the text of head
	intro   bool             // head is the title, or comes before all headings: every label counts
	flat    bool             // no heading follows head: each label ends the text of the label before
	waiting bool             // the text of the last label is in the next block
	named   bool             // a heading or label names next actions
	boxed   bool             // the next actions have open checkboxes
	open    bool             // there are open checkboxes outside of finished work
	headed  int              // 1 if a heading names next actions, 2 if one names what to do first, else 0
}

// divide divides a file into blocks and finds the section of each.
func (f *file) divide() {
	r := &reader{file: f}
	for i, h := range f.headings() {
		if i > 0 {
			r.place(h)
		}
		r.read(h)
	}
	r.promote()
	r.byStatus()
	f.blocks = r.all
}

var (
	// session matches the heading of an entry of a log.
	session  = text.Regexp(`(?i)\b(session|day|run|iteration|round|entry|update)\b\W*#?\d+|^\W*session\b\s*[:(—–-]`)
	numbered = text.Regexp(`(?i)^\W*(?:\w+ ){0,2}session\W*#?\d`)
	ordinal  = text.Regexp(`\d+`)
)

// headings returns the headings of a file as a tree, whose root is the text before the first heading. In a log, an
// entry "Session 4" extends to the next entry, even if headings of the same level are between them.
func (f *file) headings() []*node {
	all := []*node{{kind: f.home, maybe: nowhere, body: f.doc.Preamble()}}
	log, between, reaching := 0, false, 7 // reaching is the level of entries that extend to the next entry
	for _, s := range f.doc.Sections() {
		n := &node{title: s.Title, level: s.Level, depth: s.Level, words: s.Title, body: s.Body, maybe: nowhere}
		n.names, n.sure = meaning(s.Title)
		all = append(all, n)
		switch {
		case n.sure >= clear, !numbered.Get().MatchString(s.Title):
			between = between || s.Level == log
		case log == 0:
			log = s.Level
		case between && s.Level == log:
			reaching = log
		}
	}
	for i, h := range all[1:] {
		if h.level >= reaching && !numbered.Get().MatchString(h.title) {
			h.level++
		}
		h.up = all[i]
		for h.up.up != nil && h.up.level >= h.level {
			h.up = h.up.up
		}
	}
	if f.titled {
		f.title = all[1]
	}
	markOld(all)
	return all
}

// markOld marks the entries of each log as old, except the newest. It compares them by day, number and position.
func markOld(all []*node) {
	title := slices.IndexFunc(all, func(n *node) bool { return n.level == 1 })
	logs := map[*node][]*node{} // the entries of logs, by the heading above them
	children := map[*node]int{} // how many headings are directly below a heading
	for _, h := range all[1:] {
		day, hasDay := timeIn(h.title)
		rest := isoTime.Get().ReplaceAllString(isoDay(h.title), " ")
		number := session.Get().FindString(rest)
		isEntry := h.sure < clear && (hasDay || number != "")
		log := h.up
		if title >= 0 && log == all[title] {
			log = all[0] // a title in the middle of a log does not divide it
		}
		children[log]++
		mayBeLog := log.up == nil || log.sure == unknown || log.names == checkpoint.PlayByPlay
		if isEntry && mayBeLog {
			h.day = fmt.Sprintf("%s %9s", checkpoint.FormatTime(day), ordinal.Get().FindString(number))
			logs[log] = append(logs[log], h)
		}
	}
	byDay := func(a, b *node) int { return strings.Compare(a.day, b.day) }
	for above, log := range logs {
		isLog := len(log) > 1 && 4*len(log) >= children[above] // at least a quarter of the headings are entries
		newest, last := slices.MaxFunc(log, byDay), log[len(log)-1]
		if last.day > log[0].day && last.day == newest.day {
			newest = last
		}
		for i, h := range log {
			h.old = h != newest && isLog
			if log[0].day > last.day {
				h.entry = len(log) - i
			}
		}
	}
}

// place sets the section of a heading: the section that its words name, or else that of the heading above.
func (r *reader) place(h *node) {
	top := h.up.up == nil || h.up == r.title
	h.entry = cmp.Or(h.entry, h.up.entry)
	h.old = h.old || h.up.old || aside.Get().MatchString(text.BareTitle(h.title))
	h.kind = h.up.kind
	if top {
		h.kind = r.home
	} else if h.old && h.kind == checkpoint.Next {
		h.kind = nowhere
	}
	kind, sure, status := h.names, h.sure, h.status()
	switch {
	case status == checkpoint.Finished && h.kind != checkpoint.State:
		kind, sure = checkpoint.PlayByPlay, clear
	case r.todo && kind == checkpoint.State && h.foremost() > 0:
		kind = checkpoint.Next // "In progress" in a list of things to do
	case r.todo && kind == checkpoint.Intent:
		sure = unknown // "Task: Paint it" is a thing to do
	}
	switch {
	case h == r.title:
		r.placeTitle(kind, sure)
	case sure < clear:
		h.maybe = kind
	case kind == h.kind, !top && !h.mayBegin(kind):
	case h.old:
		h.kind = nowhere // text below an old heading does not count
	default:
		h.kind, h.opens = kind, true
	}
	h.done = h.kind == checkpoint.PlayByPlay && (status == checkpoint.Finished || h.up.done)
}

// status returns the status that a heading states. A sign before next actions, as in "✅ What to do", does not count.
func (n *node) status() checkpoint.ItemStatus {
	title := n.title
	if n.names == checkpoint.Next {
		title = strings.TrimLeftFunc(title, func(r rune) bool { return r != '[' && !unicode.IsLetter(r) })
	}
	_, status := itemStatus(title)
	return status
}

// placeTitle sets the section of the title. A title such as "# Status" names the section of the text up to the next
// heading. A title such as "# TODO" also names the section of open entries below headings that name no section.
func (r *reader) placeTitle(kind checkpoint.Kind, sure certainty) {
	h := r.title
	switch {
	case kind == checkpoint.Next && (sure == whole || todoTitle.Get().MatchString(h.title)):
		h.kind, h.opens, r.todo = kind, true, true
	case sure == whole && kind != checkpoint.PlayByPlay:
		h.kind = kind
	}
}

// mayBegin reports whether a heading below n may begin section k, so that n's section ends there.
func (n *node) mayBegin(k checkpoint.Kind) bool {
	isFixed := n.kind == checkpoint.Problem || n.kind == checkpoint.Decisions
	switch k {
	case checkpoint.PlayByPlay:
		return !isFixed
	case checkpoint.Next, checkpoint.State, checkpoint.Decisions: // these sections change while the work goes on
		return !isFixed && n.kind != checkpoint.Next
	}
	return n.kind == nowhere
}

// read divides the text below a heading into blocks, and finds its labels.
func (r *reader) read(h *node) {
	r.nodes = append(r.nodes, h)
	r.head, r.at, r.last, r.waiting = h, h, map[string]*node{}, false
	r.labels = h.kind == nowhere || h.kind == checkpoint.PlayByPlay || h.kind == checkpoint.State
	r.intro = h.kind == nowhere && (h.up == nil || h == r.title)
	r.flat = r.intro && h.body.End == r.doc.Body().End
	r.all = append(r.all, block{node: h, span: span(h.body.Start, h.body.Start)}) // the heading itself
	blocks := r.doc.Blocks(h.body)
	for i, b := range blocks {
		isList := b.Kind == doc.List && i+1 < len(blocks) && blocks[i+1].Kind == doc.List
		if isList && b.Span.End == blocks[i+1].Span.Start { // in Markdown, 3 spaces below "10. x" begin another list
			blocks[i+1].Span.Start = b.Span.Start
			continue
		}
		isQuote := r.intro && quoteMark.Get().MatchString(r.doc.Slice(b.Span))
		switch {
		case b.Kind == doc.Rule, b.Kind == doc.Comment:
			r.add(block{span: b.Span})
			continue
		case b.Kind == doc.Paragraph, isQuote:
			r.paragraph(b.Span)
		case b.Kind == doc.List:
			r.list(b.Span, false)
		default:
			r.add(block{span: b.Span})
			r.waiting = false
		}
		if !r.flat && !r.waiting {
			r.at = h
		}
	}
}

// add adds a block below the last heading or label.
func (r *reader) add(b block) {
	if countLines(r.doc.Slice(b.span)) == 0 {
		return
	}
	b.node = r.at
	b.own = true
	if b.list == 0 && (b.inline || bullet.Get().MatchString(r.doc.Slice(b.span))) {
		_, b.status = itemStatus(r.said(b)) // the text on the line of a label counts as an entry
	}
	if b.node.kind == checkpoint.Next && placeholder.Get().MatchString(r.said(b)) {
		b.status = checkpoint.Rejected
	}
	if b.list > 0 {
		b.entries++
		b.by[b.status]++
	}
	if b.box {
		b.boxes++
	}
	for _, table := range r.doc.Tables(b.span) {
		b.countRows(table)
	}
	r.all = append(r.all, b)
}

// said returns the text of a block without the list marker, the checkbox and the label at its start.
func (r *reader) said(b block) string {
	said, _ := checkpoint.CutCheckbox(bullet.Get().ReplaceAllString(strings.TrimSpace(r.doc.Slice(b.span)), ""))
	return strings.TrimPrefix(said, b.words)
}

// entry adds an entry of a list with the status that it states.
func (r *reader) entry(s doc.Span, list int) {
	box, status := itemStatus(bullet.Get().ReplaceAllString(r.doc.Slice(s), ""))
	r.add(block{span: s, list: list, box: box, status: status})
}

// paragraph adds the blocks of a paragraph. A label at the start of a line begins a new block.
func (r *reader) paragraph(s doc.Span) {
	start := s.Start
	areFields := field.Get().MatchString(r.doc.Slice(s)) // "next_item: x" is a label if the first line is one
	for at := s.Start; at < s.End; at = r.lineAt(at).End {
		line := r.lineAt(at)
		said := strings.TrimSpace(quoteMark.Get().ReplaceAllString(r.doc.Slice(line), ""))
		n, ok := (*node)(nil), areFields && field.Get().MatchString(said)
		if ok || at == s.Start || !startsLower.Get().MatchString(said) {
			named, isLabel := r.labelOf(said, true)
			n, ok = named, ok || isLabel
			r.headStatus(said)
		}
		if ok {
			r.add(block{span: span(start, at)})
			start = r.begin(n, line)
		}
		r.waiting = n != nil && !n.inline
	}
	r.add(block{span: span(start, s.End)})
}

// headStatus takes the status of a heading from a line such as "**Status**: done" below it.
func (r *reader) headStatus(line string) {
	name, rest, _, _ := label(line)
	h := r.head
	mayBe := h.up != nil && h != r.title && h.sure < clear
	if mayBe && strings.EqualFold(name, "status") && statusOf(rest) == checkpoint.Finished {
		h.kind, h.opens, h.done = checkpoint.PlayByPlay, h.kind != checkpoint.PlayByPlay, true
	}
}

// list adds the entries of a list, and finds labels among them. The text of a label is the rest of its entry, or else
// the following entries. If inside is true, the list itself is below a label, whose text ends at the next label.
func (r *reader) list(s doc.Span, inside bool) {
	outer := r.at
	for _, e := range r.entries(s) {
		line := r.lineAt(e.Start)
		said := r.doc.Slice(line)
		first := bullet.Get().ReplaceAllString(said, "")
		more := span(line.End, max(line.End, e.End))
		n, ok := r.labelOf(first, inside)
		isTerm := more.Len() == 0 && !strings.ContainsAny(first, ":：") // not a label: "**Resume** (a page)"
		if !ok || first == said || isTerm {
			r.entry(e, s.Start+1)
			continue
		}
		inside = true
		if r.begin(n, line) == line.Start {
			r.entry(e, s.Start+1)
		} else {
			r.list(more, true)
		}
		if n == nil || n.inline || strings.TrimSpace(r.doc.Slice(more)) != "" {
			r.at = outer
		}
	}
	r.waiting = false
}

// entries divides a list into its entries.
func (r *reader) entries(s doc.Span) []doc.Span {
	var all []doc.Span
	margin := math.MaxInt
	for at := s.Start; at < s.End; at = r.lineAt(at).End {
		line := r.lineAt(at)
		said := r.doc.Slice(line)
		indent := len(said) - len(strings.TrimLeft(said, " \t"))
		isEntry := indent <= margin && bullet.Get().MatchString(said)
		if isEntry {
			margin = indent
		}
		if isEntry || len(all) == 0 {
			all = append(all, line)
		} else {
			all[len(all)-1].End = line.End
		}
	}
	return all
}

// promote gives each section that no heading or label names for certain to the first one that may name it. If there
// are no next actions, an order below a heading such as "Current focus" becomes the next action.
func (r *reader) promote() {
	if n := r.title; n != nil && n.kind == checkpoint.Next && n.entries+n.openRows() == 0 {
		n.kind, n.opens = nowhere, false // "# TODO" above a text that only describes the list
	}
	named := map[checkpoint.Kind]bool{nowhere: true}
	for _, b := range r.all {
		if said := r.said(b); checkpoint.IsNone(said) || placeholder.Get().MatchString(said) {
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
			n.kind, n.opens, named[n.maybe] = n.maybe, !n.isLabel(), true
		}
	}
	for _, b := range r.all {
		n := b.node
		isFocus := focusTitle.Get().MatchString(n.title) && !n.old && imperative.Get().MatchString(r.said(b))
		isFocus = isFocus || n == r.title && inHeading.Get().MatchString("# "+n.title) // "Next session: Paint it"
		if isFocus && !named[checkpoint.Next] && !slices.ContainsFunc(r.nodes, (*node).hasOpen) {
			n.kind, n.opens, named[checkpoint.Next] = checkpoint.Next, !n.isLabel(), true
		}
	}
}
