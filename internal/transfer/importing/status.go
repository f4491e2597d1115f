package importing

import (
	"slices"
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
	{checkpoint.Open, "⬜|⚪|☐|🔲|⏳|⏸|📋|🔜|⌛|❌|🔴|⏭"},
	{checkpoint.Underway, "🔄|🚧|🟡|🏗"},
	{checkpoint.Finished, "✅|☑|✔|🟢|✓"},
}

// entryWords returns the words in lower case, before an entry ("TODO: x", "[WIP] x") or after it ("x
// (pending)", "x — done"), that state its status.
func entryWords() map[checkpoint.ItemStatus]string {
	return map[checkpoint.ItemStatus]string{
		checkpoint.Finished: "done|completed|complete|finished|shipped|merged|fixed|closed",
		checkpoint.Underway: "in progress|in-progress|in_progress|wip|ongoing|started|partial|partially done|partially " +
			"complete|active|current|next up",
		checkpoint.Open: "todo|to do|to-do|pending|not started|not_started|not yet started|not done|not yet done|not yet|" +
			"not implemented|open|remaining|blocked|planned|next|upcoming|incomplete|unfinished|waiting|not complete|" +
			"queued|backlog|future",
		checkpoint.Rejected: "skipped|skipped per user request|skip|deferred|cancelled|canceled|won't " +
			"do|wontfix|obsolete|dropped|rejected|" +
			"not needed|no longer needed|n/a|abandoned|superseded|postponed|out of scope",
	}
}

var entryPhrases = text.Lazy[text.Titles[checkpoint.ItemStatus]]{
	Make: func() text.Titles[checkpoint.ItemStatus] { return text.NewTitles(entryWords()) },
}

var (
	openBelow   = text.Regexp(`(?m)^\s*(?:[-*+]|\d+[.)])\s+\[ \]`)
	struck      = text.Regexp(`^~~.+~~\W*(\w*)`)
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
	said, box := checkpoint.CutCheckbox(line)
	by := statedBy(said)
	if !box {
		return false, by
	}
	isOpen, mark := openBelow.Get().MatchString(below), line[1]
	switch {
	case (mark == 'x' || mark == 'X') && !isOpen:
		return true, checkpoint.Finished
	case mark == '-', by == checkpoint.Rejected && mark == ' ':
		return true, checkpoint.Rejected
	case mark == ' ':
		return true, checkpoint.Open
	}
	return true, checkpoint.Underway
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
	if openLead.Get().MatchString(line) {
		return checkpoint.Open
	}
	if m := struck.Get().FindStringSubmatch(line); m != nil && (m[1] == "" || statusOf(m[1]) == checkpoint.Finished) {
		return checkpoint.Finished
	}
	stated := append(leadPattern.Get().FindStringSubmatch(line), capitals.Get().FindString(line))
	for _, words := range append(stated, endings(line)...) {
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

// endings returns the ends of a line that may state its status: what is in brackets, and what follows the last dash,
// arrow or colon before that: "done" in "Phase 1: the parser - done (abc)".
func endings(line string) []string {
	var all []string
	line = strings.TrimRight(line, ".! ")
	if i := strings.LastIndexAny(line, "(["); i >= 0 && strings.ContainsAny(line[len(line)-1:], ")]") {
		all = append(all, line[i+1:len(line)-1])
		line = strings.TrimSpace(line[:i])
	}
	from := 0
	for _, sign := range []string{" - ", " — ", " – ", " → ", " -> ", " | ", ": "} {
		if i := strings.LastIndex(line, sign); i >= 0 {
			from = max(from, i+len(sign))
		}
	}
	if from > 0 {
		all = append(all, line[from:])
	}
	return all
}

// tally counts the entries of a text, and the rows of its tables of tasks, by status.
type tally struct {
	entries, boxes int
	by, rows       [checkpoint.Rejected + 1]int
	code           bool // the text has code, quotes or HTML
}

// count adds a block to a tally.
func (t *tally) count(b block) {
	if b.list > 0 {
		t.entries++
		t.by[b.status]++
	}
	if b.box {
		t.boxes++
	}
}

// countRows counts the rows of a table of tasks by the column of their status.
func (t *tally) countRows(table doc.Table) {
	task := table.Column("task", "tasks", "step", "phase", "milestone", "todo", "story", "ticket", "deliverable")
	status := table.Column("status", "state", "progress", "done", "done?")
	if task < 0 || status < 0 {
		return
	}
	for _, row := range table.Rows {
		t.rows[statusOf(row.Cell(status))]++
	}
}

// openRows returns the number of tasks in tables that are not done.
func (t *tally) openRows() int { return t.rows[checkpoint.Open] + t.rows[checkpoint.Underway] }

// isDone reports whether all that a text lists is finished.
func (t *tally) isDone() bool {
	done, rows := t.by[checkpoint.Finished], t.rows[checkpoint.Finished]
	return done > 0 && t.entries == done || rows > 0 && t.openRows()+t.entries == 0
}

var (
	// numberedPhase matches the heading of a phase, whose status is that of the text below it.
	numberedPhase = text.Regexp(`(?i)^\W*(phase|step|stage|milestone|sprint|iteration|task|part|week|day)\s*#?\d`)
	// numberedStep matches the heading of a step, which in a list of things to do is one of them.
	numberedStep = text.Regexp(`(?i)^(step )?\d+[.):] `)
	todoTitle    = text.Regexp(`(?i)\bto-?do`)
	todoFile     = text.Regexp(`(?i)^(to-?dos?|.*[-_]to-?dos?|tasks?|next[-_ ]?(steps?|actions?)|action[-_]items)\.[a-z]+$`)
)

// byStatus assigns text that states its status: open entries leave Play-By-Play, finished ones leave Next
// Actions. If no heading or label names next actions, open entries become them.
func (r *reader) byStatus() {
	byHeading := false
	for _, n := range r.nodes {
		hasOpen := n.boxes > 0 && n.by[checkpoint.Open] > 0
		r.todo = r.todo && !hasOpen // otherwise its things to do are those with a box
		if n.kind != checkpoint.Next {
			continue
		}
		names := n.opens || n.isLabel()
		r.named = r.named || names // also by a word for nothing
		r.boxed = r.boxed || hasOpen
		byHeading = byHeading || n.full && names && !n.isLabel()
	}
	for _, n := range r.nodes {
		unplaced := n.isLabel() && n.up.kind == nowhere && n.up.up != nil && n.up != r.title
		if byHeading && unplaced && n.kind == checkpoint.Next {
			n.kind, n.opens = nowhere, false // a heading names next actions
		}
		n.kinds = r.kindsFor(n)
	}
}

// statusKinds has the sections of the blocks below a heading, by their status.
type statusKinds [checkpoint.Rejected + 1]checkpoint.Kind

// kindsFor returns the sections of the blocks below a heading.
func (r *reader) kindsFor(n *node) statusKinds {
	rest, open, done, struck := n.kind, n.kind, n.kind, n.kind
	all := func(k checkpoint.Kind) { rest, open, done, struck = k, k, k, k }
	mayBeNext := !r.named || r.boxed && n.boxes > 0
	box, status := itemStatus(n.title)
	isOpen := status == checkpoint.Open || status == checkpoint.Underway
	isOpenPhase := isOpen && (box || numberedPhase.Get().MatchString(n.title))
	finished, dropped := n.by[checkpoint.Finished], n.by[checkpoint.Rejected]
	isTodo := n.entries > finished+dropped && !n.code || n.own && numberedStep.Get().MatchString(n.title)
	hasTasks := n.openRows() > 0 && n.entries == 0
	switch {
	case n.kind == checkpoint.PlayByPlay && n.old:
		open, struck = nowhere, nowhere
	case n.old:
	case n.kind == checkpoint.Next && n.isDone():
		all(checkpoint.PlayByPlay)
	case n.kind == checkpoint.Next:
		done, struck = checkpoint.PlayByPlay, nowhere
	case !r.named && hasTasks && slices.Contains(placesOfTasks, n.kind):
		all(checkpoint.Next)
	case n.kind == checkpoint.PlayByPlay && n.openRows() > 0:
		all(checkpoint.State)
	case n.kind == checkpoint.PlayByPlay && r.named:
		open, struck = checkpoint.State, nowhere
	case n.kind == checkpoint.PlayByPlay:
		open, struck = checkpoint.Next, nowhere
	case n.kind == checkpoint.State, n.kind == checkpoint.Intent:
		if n.boxes > 0 && mayBeNext {
			open = checkpoint.Next
		}
	case n.kind != nowhere:
	case n.boxes > 0 && n.boxes == finished && n.boxes == n.entries:
		all(checkpoint.PlayByPlay)
	case r.todo && isTodo:
		rest, open, done = checkpoint.Next, checkpoint.Next, checkpoint.PlayByPlay
	case !mayBeNext:
	case isOpenPhase && n.boxes+n.rows[checkpoint.Finished]+finished == 0:
		all(checkpoint.Next)
	case n.by[checkpoint.Open]+n.by[checkpoint.Underway] == 0:
	case n.boxes > 0, n.by[checkpoint.Unstated] == 0:
		open, done = checkpoint.Next, checkpoint.PlayByPlay
	}
	if rest != n.kind {
		n.kind, n.opens = rest, true
	}
	return statusKinds{checkpoint.Unstated: rest, checkpoint.Open: open, checkpoint.Underway: open,
		checkpoint.Finished: done, checkpoint.Rejected: struck}
}

// placesOfTasks has the sections in which a table of tasks has the next actions if nothing names these.
var placesOfTasks = []checkpoint.Kind{nowhere, checkpoint.PlayByPlay, checkpoint.State}
