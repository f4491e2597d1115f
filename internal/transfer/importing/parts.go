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

// session matches the heading of an entry of a log.
var (
	session  = text.Regexp(`(?i)\b(session|day|run|iteration|round|entry|update)\b\W*#?\d|^\W*session\b\s*[:(—–-]`)
	numbered = text.Regexp(`(?i)^\W*session\W*#?\d`)
	ordinal  = text.Regexp(`\d+`)
)

// headings returns the headings of a file in a tree, below the text before the first one. An entry "Session 4"
// of a log reaches to the next one if headings of its level are between the entries.
func (f *file) headings() []*node {
	all := []*node{{kind: f.home, maybe: nowhere, body: f.doc.Preamble()}}
	sessions, adopts := map[int]int{}, map[int]bool{} // by level
	pending := map[int]bool{}
	for _, s := range f.doc.Sections() {
		n := &node{title: s.Title, level: s.Level, depth: s.Level, head: s.Heading, body: s.Body, maybe: nowhere}
		n.names, n.sure = f.meaning(s.Title)
		all = append(all, n)
		if numbered.MatchString(s.Title) {
			sessions[s.Level]++
			adopts[s.Level] = adopts[s.Level] || pending[s.Level]
		}
		pending[s.Level] = sessions[s.Level] > 0 && !numbered.MatchString(s.Title)
	}
	down := 0
	for i := 1; i < len(all); i++ {
		h := all[i]
		switch {
		case numbered.MatchString(h.title) && adopts[h.level]:
			down = h.level
		case down > 0 && h.level < down:
			down = 0
		case down > 0:
			h.level++
		}
		h.up = all[i-1]
		for h.up.up != nil && h.up.level >= h.level {
			h.up = h.up.up
		}
	}
	if !f.prompts {
		datedEntries(all)
	}
	return all
}

// datedEntries marks the entries of a log as old, except the newest one by day, then number, then place. If a
// heading outside the log names the next actions, all entries are old.
func datedEntries(all []*node) {
	logs := map[*node][]*node{} // the entries of logs, by the heading above them
	for i, h := range all[1:] {
		isEntry := h.sure < clear && (dayIn(h.title) != "" || session.MatchString(h.title))
		belowTitle := h.up.up == nil || h.up == all[1] && i > 0
		mayBeLog := h.up.sure == unknown || h.up.names == checkpoint.PlayByPlay
		if isEntry && (belowTitle || mayBeLog) {
			logs[h.up] = append(logs[h.up], h)
		}
	}
	for _, log := range logs {
		if len(log) < 2 {
			continue
		}
		entries := map[*node]bool{}
		for _, h := range log {
			entries[h] = true
		}
		newest := slices.MaxFunc(log, order)
		last := log[len(log)-1]
		if order(last, log[0]) > 0 && order(last, newest) == 0 {
			newest = last
		}
		for _, h := range all[1:] {
			n := h
			for n != nil && !entries[n] {
				n = n.up
			}
			if n == nil && h.names == checkpoint.Next && h.sure >= clear {
				newest = nil
			}
		}
		for i, h := range log {
			h.old = h != newest
			if order(log[0], last) > 0 {
				h.entry = i + 1
			}
		}
	}
}

// order compares two entries of a log by day, then number.
func order(a, b *node) int {
	number := func(n *node) int {
		day := dayIn(n.title)
		number, _ := strconv.Atoi(ordinal.FindString(strings.ReplaceAll(n.title, day[:min(len(day), 10)], "")))
		return number
	}
	return cmp.Or(strings.Compare(dayIn(a.title), dayIn(b.title)), cmp.Compare(number(a), number(b)))
}

// blocks divides a file into blocks and finds the section of each, in one pass over its headings and what is below
// them. It also returns its headings and labels.
func (f *file) blocks() ([]*node, []block) {
	f.prepare()
	r := &reader{file: f, first: map[string]*node{}}
	for i, h := range f.headings() {
		if i > 0 {
			r.place(h)
		}
		r.read(h)
	}
	if !f.prompts {
		r.promote()
	}
	r.byStatus()
	return r.nodes, r.all
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

// isTitle reports whether a node is the title of the file.
func (f *file) isTitle(n *node) bool {
	return f.titled && n.up != nil && n.up.up == nil && n.level == 1
}

// place finds the section of a heading: its own words name it, or it is that of the heading above.
func (r *reader) place(h *node) {
	top := !r.only && (h.up.up == nil || r.isTitle(h.up))
	h.kind = r.home
	if !top {
		h.kind = h.up.kind
	}
	if r.prompts {
		r.placePrompt(h)
		return
	}
	kind, sure := h.names, h.sure
	bare := text.BareTitle(h.title)
	h.old = h.old || h.up.old || formerly.MatchString(bare)
	_, status := itemStatus(h.title)
	says := sure >= clear && kind != checkpoint.Next && h.kind != checkpoint.Next
	if status == checkpoint.Finished && !says && h.kind != checkpoint.State {
		kind, sure = checkpoint.PlayByPlay, clear
	}
	mayTurn := kind != h.kind && (top || turns(h.kind, kind))
	switch {
	case r.isTitle(h):
		r.placeTitle(h, kind, sure)
	case sure < clear:
		h.maybe = kind
	case mayTurn && h.old:
		h.kind = nowhere
	case mayTurn:
		if r.first[bare] == nil {
			r.first[bare] = h
		}
		h.kind, h.opens = kind, true
		if isNew := r.first[bare].up == h.up; !isNew && (kind == checkpoint.Next || kind == checkpoint.State) {
			h.kind, h.opens = nowhere, false // the same heading in another entry
		}
	}
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

// placeTitle finds the section of the title of a file. "# Status" has the text up to the next heading; "# TODO"
// also has the open entries of lists below headings that name no section.
func (r *reader) placeTitle(h *node, kind checkpoint.Kind, sure certainty) {
	alone := len(r.doc.Sections()) == 1
	switch {
	case kind == checkpoint.Next && (sure == whole || todoTitle.MatchString(h.title)):
		h.kind, h.opens, r.todo = kind, true, true
	case sure == whole && (kind != checkpoint.PlayByPlay || alone):
		h.kind, h.opens = kind, alone
	}
}

// turns reports whether a heading below a section may begin another one.
func turns(from, to checkpoint.Kind) bool {
	switch from {
	case nowhere:
		return true
	case checkpoint.Next:
		return to == checkpoint.PlayByPlay
	case checkpoint.Context:
		return to == checkpoint.Next || to == checkpoint.Decisions
	case checkpoint.Rules, checkpoint.Breadcrumbs, checkpoint.Artifacts:
		return to == checkpoint.Next
	case checkpoint.PlayByPlay:
		return to == checkpoint.Next || to == checkpoint.State || to == checkpoint.Decisions
	case checkpoint.State, checkpoint.Intent:
		return to == checkpoint.Next || to == checkpoint.PlayByPlay || to == checkpoint.Decisions || to == checkpoint.State
	}
	return false
}

// promote gives sections that nothing names to the first heading or label that may name them.
func (r *reader) promote() {
	named := map[checkpoint.Kind]bool{nowhere: true}
	for i := range r.all {
		b := &r.all[i]
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
