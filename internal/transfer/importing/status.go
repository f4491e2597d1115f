package importing

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// signs are the symbols before or after an entry that state its status. Open ones come first: an
// entry with an open and a finished sign is open.
var signs = []struct {
	status checkpoint.ItemStatus
	any    string
}{
	{checkpoint.Open, "⬜|☐|🔲|⏳|⏸|📋|🔜|⌛|❌|🔴|⏭"},
	{checkpoint.Underway, "🔄|🚧|🟡|🏗"},
	{checkpoint.Finished, "✅|☑|✔|🟢|✓"},
}

// entryWords returns the words in lower case, before an entry ("TODO: x", "[WIP] x") or after it ("x
// (pending)", "x — done"), that state its status.
func entryWords() map[checkpoint.ItemStatus]string {
	return map[checkpoint.ItemStatus]string{
		checkpoint.Finished: "done|completed|complete|finished|shipped|merged|fixed|closed",
		checkpoint.Underway: "in progress|in-progress|wip|ongoing|started|partial|partially done|partially " +
			"complete|active|current|next up",
		checkpoint.Open: "todo|to do|to-do|pending|not started|not yet started|not done|not yet done|not yet|not " +
			"implemented|open|remaining|" +
			"blocked|planned|next|upcoming|incomplete|unfinished|waiting|not complete|queued|backlog|future",
		checkpoint.Rejected: "skipped|skipped per user request|skip|deferred|cancelled|canceled|won't " +
			"do|wontfix|obsolete|dropped|rejected|" +
			"not needed|no longer needed|n/a|abandoned|superseded|postponed|out of scope",
	}
}

var entryPhrases = text.Lazy[text.Titles[checkpoint.ItemStatus]]{
	Make: func() text.Titles[checkpoint.ItemStatus] { return text.NewTitles(entryWords()) },
}

var (
	boxPattern  = text.Regexp(`^\[([ xX~/-])\](?:\s+|$)`)
	openLead    = text.Regexp(`(?i)^(next|remaining|pending|todo|blocked|still open|not yet done)\b[^:.]{0,40}: `)
	capitals    = text.Regexp(`\b([A-Z]+ )*[A-Z]{4,}$`)
	leadPattern = text.Regexp(`^(?:\[([^\]]+)\]|([A-Z][A-Z -]+)\s*[:—–-])\s*\S`)
)

// itemStatus returns the status that an entry states, and whether it has a checkbox. An entry with open
// checkboxes below it is not finished.
func itemStatus(s string) (box bool, status checkpoint.ItemStatus) {
	first, below, _ := strings.Cut(strings.TrimSpace(s), "\n")
	line := strings.NewReplacer("**", "", "__", "", "`", "", "\ufe0f", "").Replace(first)
	line = strings.TrimSpace(line)
	if m := boxPattern.FindStringSubmatch(line); m != nil {
		box, line = true, line[len(m[0]):]
		switch m[1] {
		case "x", "X":
			status = checkpoint.Finished
		case "~", "/":
			status = checkpoint.Underway
		case "-":
			status = checkpoint.Rejected
		default:
			status = checkpoint.Open
		}
	}
	if by := statedBy(line); !box || by == checkpoint.Rejected && status != checkpoint.Finished {
		status = by
	}
	for line := range strings.Lines(below) {
		nested := bullet.ReplaceAllString(line, "")
		isOpen := nested != line && strings.HasPrefix(nested, "[ ]")
		if isOpen && status == checkpoint.Finished {
			status = checkpoint.Underway
		}
	}
	return box, status
}

// statedBy returns the status that the words or signs before or after a line state.
func statedBy(line string) checkpoint.ItemStatus {
	for _, s := range signs {
		for sign := range strings.SplitSeq(s.any, "|") {
			if strings.HasPrefix(line, sign) || strings.HasSuffix(line, sign) {
				return s.status
			}
		}
	}
	if openLead.MatchString(line) {
		return checkpoint.Open
	}
	if strings.HasPrefix(line, "~~") && strings.HasSuffix(line, "~~") {
		return checkpoint.Finished
	}
	for _, words := range append(leadPattern.FindStringSubmatch(line), ending(line), capitals.FindString(line)) {
		if status, _, ok := entryPhrases.Get().Find(words); ok && words != line {
			return status
		}
	}
	return checkpoint.Unstated
}

// statusOf returns the status that a text is, or states: "DONE", "pending (needs a key)", "done ✅".
func statusOf(s string) checkpoint.ItemStatus {
	if status := statedBy(strings.TrimSpace(s)); status != checkpoint.Unstated {
		return status
	}
	status, _, _ := entryPhrases.Get().Find(s)
	return status
}

// ending returns the end of a line that is in brackets or follows the last dash, arrow or colon:
// "done" in "Phase 1: the parser - done".
func ending(line string) string {
	line = strings.TrimRight(line, ".! ")
	if strings.HasSuffix(line, ")") || strings.HasSuffix(line, "]") {
		return line[strings.LastIndexAny(line, "([")+1 : len(line)-1]
	}
	from := 0
	for _, sign := range []string{" - ", " — ", " – ", " → ", " -> ", " | ", ": "} {
		if i := strings.LastIndex(line, sign); i >= 0 {
			from = max(from, i+len(sign))
		}
	}
	if from == 0 {
		return ""
	}
	return line[from:]
}

// tally counts the entries of a text by status.
type tally struct {
	entries, boxes         int
	open, finished, struck int
	openRows, doneRows     int  // rows of tables of tasks
	code                   bool // the text has code, quotes or HTML
}

// count adds a block to a tally.
func (t *tally) count(b block) {
	t.openRows, t.doneRows, t.code = t.openRows+b.openRows, t.doneRows+b.doneRows, t.code || b.code
	if b.list > 0 {
		t.entries++
	}
	if b.box {
		t.boxes++
	}
	switch b.status {
	case checkpoint.Open, checkpoint.Underway:
		t.open++
	case checkpoint.Finished:
		t.finished++
	case checkpoint.Rejected:
		t.struck++
	}
}

// countRows counts the rows of a table of tasks by the column of their status.
func (t *tally) countRows(table doc.Table) {
	task := table.Column("task", "tasks", "item", "step", "action", "what", "feature", "phase", "milestone", "work",
		"todo", "next step", "story", "ticket", "title", "deliverable", "epic", "#", "id")
	status := table.Column("status", "state", "progress", "done", "done?", "")
	if task < 0 || status < 0 {
		return
	}
	for _, row := range table.Rows {
		switch statusOf(row.Cell(status)) {
		case checkpoint.Open, checkpoint.Underway:
			t.openRows++
		case checkpoint.Finished:
			t.doneRows++
		}
	}
}

var (
	// numberedPhase matches the heading of a phase, whose status is that of the text below it.
	numberedPhase = text.Regexp(`(?i)^\W*(phase|step|stage|milestone|sprint|iteration|task|part|week|day)\s*#?\d`)
	// numberedStep matches the heading of a step, which in a list of things to do is one of them.
	numberedStep = text.Regexp(`(?i)^(step )?\d+[.):] `)
	// ofTasks matches the headings of tables of tasks: others may say "active" of something else.
	ofTasks   = text.Regexp(`(?i)\b(status|state|progress|plan|planned|tasks?|phases|milestones|roadmap)\b`)
	todoTitle = text.Regexp(`(?i)\bto-?do`)
	todoFile  = text.Regexp(`(?i)^(to-?dos?|.*[-_]to-?dos?|tasks?|next[-_ ]?(steps?|actions?)|action[-_]items)\.[a-z]+$`)
	planFile  = text.Regexp(`(?i)^(implementation[-_ ]?)?plan\.[a-z]+$`)
)

// byStatus assigns text that states its status: open entries leave Play-By-Play, finished ones leave Next
// Actions. If no heading or label names next actions, open entries become them.
func (r *reader) byStatus() {
	nexts, byHeading, boxed, boxes := 0, false, false, false
	tallies := map[*node]*tally{}
	for _, n := range r.nodes {
		tallies[n] = new(tally)
		if names := n.full && (n.opens || n.isLabel()); names && n.kind == checkpoint.Next {
			nexts++
			byHeading = byHeading || !n.isLabel()
		}
	}
	for _, b := range r.all {
		tallies[b.node].count(b)
		isOpen := b.box && b.status == checkpoint.Open
		boxes = boxes || isOpen
		boxed = boxed || isOpen && b.node.kind == checkpoint.Next
	}
	r.todo = r.todo && !boxes // otherwise its things to do are those with a box
	kinds := map[*node]statusKinds{}
	for _, n := range r.nodes {
		unplaced := n.isLabel() && n.up.kind == nowhere && n.up.up != nil && !r.isTitle(n.up)
		if byHeading && unplaced && n.kind == checkpoint.Next {
			n.kind, n.opens = nowhere, false // a heading names next actions
		}
		kinds[n] = r.kindsFor(n, *tallies[n], nexts, boxed)
	}
	for i := range r.all {
		b := &r.all[i]
		b.kind = kinds[b.node][b.status]
	}
}

// statusKinds has the sections of the blocks below a heading, by their status.
type statusKinds [checkpoint.Rejected + 1]checkpoint.Kind

// kindsFor returns the sections of the blocks below a heading. Nexts is the number of headings and labels that name
// next actions; boxed reports whether these have open checkboxes.
func (r *reader) kindsFor(n *node, t tally, nexts int, boxed bool) statusKinds {
	rest, open, done, struck := n.kind, n.kind, n.kind, n.kind
	all := func(k checkpoint.Kind) { rest, open, done, struck = k, k, k, k }
	byEntries := t.open+t.finished+t.struck == t.entries
	unplaced := n.kind == nowhere
	ofTasks := nexts+t.entries == 0 && t.openRows > 0 && (ofTasks.MatchString(n.title) || r.isOfTasks())
	box, status := itemStatus(n.title)
	isPhase := numberedPhase.MatchString(n.title)
	isOpenPhase := (box || isPhase) && (status == checkpoint.Open || status == checkpoint.Underway) ||
		r.stages && isPhase && status == checkpoint.Unstated && t.entries > 0
	switch {
	case n.old:
		if n.kind == checkpoint.PlayByPlay {
			open, struck = nowhere, nowhere
		}
	case ofTasks && (unplaced || n.kind == checkpoint.PlayByPlay || n.kind == checkpoint.State):
		all(checkpoint.Next)
	case n.kind == checkpoint.PlayByPlay && t.openRows > 0:
		all(checkpoint.State)
	case n.kind == checkpoint.PlayByPlay:
		open, struck = checkpoint.State, nowhere
		if nexts == 0 {
			open = checkpoint.Next
		}
	case n.kind == checkpoint.Next && t.entries > 0 && t.entries == t.finished,
		n.kind == checkpoint.Next && t.doneRows > 0 && t.openRows+t.entries == 0:
		all(checkpoint.PlayByPlay)
	case n.kind == checkpoint.Next && t.doneRows > 0 && nexts > 1:
		all(checkpoint.State)
	case n.kind == checkpoint.Next:
		done, struck = checkpoint.PlayByPlay, nowhere
	case unplaced && t.boxes > 0 && t.boxes == t.finished && t.entries == t.boxes:
		all(checkpoint.PlayByPlay)
	case unplaced && r.todo && t.entries > t.finished+t.struck && !t.code:
		rest, open, done = checkpoint.Next, checkpoint.Next, checkpoint.PlayByPlay
	case unplaced && r.todo && n.own && numberedStep.MatchString(n.title):
		all(checkpoint.Next)
	case nexts > 0 && !(boxed && t.boxes > 0):
	case unplaced && t.boxes+t.doneRows+t.finished == 0 && isOpenPhase:
		all(checkpoint.Next)
	case unplaced && t.open > 0 && (t.boxes > 0 || byEntries):
		open, done = checkpoint.Next, checkpoint.PlayByPlay
	case t.boxes > 0 && (n.kind == checkpoint.State || n.kind == checkpoint.Intent):
		open = checkpoint.Next
	}
	if rest != n.kind {
		n.kind, n.opens = rest, true
	}
	return statusKinds{checkpoint.Unstated: rest, checkpoint.Open: open, checkpoint.Underway: open,
		checkpoint.Finished: done, checkpoint.Rejected: struck}
}

// isOfTasks reports whether the title of the file says that it is about tasks.
func (r *reader) isOfTasks() bool {
	return len(r.nodes) > 1 && r.isTitle(r.nodes[1]) && ofTasks.MatchString(r.nodes[1].title)
}
