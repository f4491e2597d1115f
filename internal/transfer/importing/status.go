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
	{checkpoint.Open, "⬜|⚪|☐|🔲|⏳|⏸|📋|🔜|⌛|❌|🔴|⏭"},
	{checkpoint.Underway, "🔄|🚧|🟡|🏗"},
	{checkpoint.Finished, "✅|☑|✔|🟢|✓"},
}

// entryWords returns the words in lower case, before an entry ("TODO: x", "[WIP] x") or after it ("x
// (pending)", "x — done"), that state its status.
func entryWords() map[checkpoint.ItemStatus]string {
	return map[checkpoint.ItemStatus]string{
		checkpoint.Finished: "done|completed|complete|finished|shipped|merged|fixed|closed|erledigt|fertig|abgeschlossen|" +
			"hecho|completado|terminé|fait|concluído|feito|готово|сделано|выполнено|完了|完成|已完成|완료|구현 완료",
		checkpoint.Underway: "in progress|in-progress|in_progress|wip|ongoing|started|partial|partially done|partially " +
			"complete|active|current|next up",
		checkpoint.Open: "todo|to do|to-do|pending|not started|not_started|not yet started|not done|not yet done|not yet|" +
			"not implemented|open|remaining|blocked|planned|next|upcoming|incomplete|unfinished|waiting|not complete|" +
			"queued|backlog|future|still open|offen|pendiente|pendente|à faire|не начато|未完了|未完成|미완료",
		checkpoint.Rejected: "skipped|skipped per user request|skip|deferred|cancelled|canceled|won't " +
			"do|wontfix|obsolete|dropped|rejected|" +
			"not needed|no longer needed|n/a|abandoned|superseded|postponed|out of scope",
	}
}

var entryPhrases = text.Lazy[text.Titles[checkpoint.ItemStatus]]{
	Make: func() text.Titles[checkpoint.ItemStatus] { return text.NewTitles(entryWords()) },
}

var (
	openBelow = text.Regexp(`(?m)^\s*(?:[-*+]|\d+[.)])\s+\[ \]`)
	struck    = text.Regexp(`^~~.+~~\W*(\w*)`)
	capitals  = text.Regexp(`\b([A-Z]+ )*[A-Z]{4,}$`)
	// placeholder matches a text that is all in brackets, in place of one: "(filled in later)".
	placeholder = text.Regexp(`^[*_>\s]*(?:\([^()]+\)|\[[^\[\]]{4,}\]|<[^<>!/]+>|\{[^{}]+\})[*_.\s]*$`)
	leadPattern = text.Regexp(`^(?:\[([^\]]+)\]|([A-Z][A-Z -]+)\s*[:—–-]|` +
		`((?i:next|remaining|pending|todo|blocked|still open|not yet done))\b[^:.]{0,40}: )\s*\S`)
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
	isDone := mark == 'x' || mark == 'X' || mark == ' ' && by == checkpoint.Finished
	switch {
	case isDone && !isOpen:
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
	if m := struck.Get().FindStringSubmatch(line); m != nil && (m[1] == "" || statusOf(m[1]) == checkpoint.Finished) {
		return checkpoint.Finished
	}
	for _, words := range append(leadPattern.Get().FindStringSubmatch(line), endings(line)...) {
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

// endings returns the ends of a line that may state its status: what is in brackets, and before that the words in
// capitals and what follows the last dash, arrow, colon or sign: "done" in "Phase 1: the parser - done (abc)".
func endings(line string) []string {
	var all []string
	line = strings.TrimRight(line, ".! ")
	if i := strings.LastIndexAny(line, "(["); i >= 0 && strings.ContainsAny(line[len(line)-1:], ")]") {
		all = append(all, line[i+1:len(line)-1])
		line = strings.TrimSpace(line[:i])
	}
	all = append(all, capitals.Get().FindString(line))
	if m := lastPart.Get().FindStringSubmatch(line); m != nil {
		all = append(all, m[1])
	}
	return all
}

// tally counts the entries of a text, and the rows of its tables of tasks, by status.
type tally struct {
	entries, boxes int
	by, rows       [checkpoint.Rejected + 1]int
	code           bool // the text has code, quotes or HTML
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

var (
	// numberedPhase matches the heading of a phase, whose status is that of the text below it.
	numberedPhase = text.Regexp(`(?i)^\W*(phase|step|stage|milestone|sprint|iteration|task|part|week|day)\s*#?\d`)
	// numberedStep matches the heading of a step, which in a list of things to do is one of them.
	numberedStep = text.Regexp(`(?i)^(step )?\d+[.):] `)
	// outcome matches the heading of what must be true at the end: its entries are no tasks.
	outcome = text.Regexp(`^(((success|acceptance|completion|exit) )?criteria|definition of done|expect(ed|ations?))\b`)
	// introduction matches the heading of a list of tasks with a description of what is below it.
	introduction = text.Regexp(`(?is)\b(queue|to-?dos?|tasks?|backlog)\b[^\n]*\n.*[.:]\s*$`)
	todoTitle    = text.Regexp(`(?i)\bto-?do`)
	todoFile     = text.Regexp(`(?i)^(to-?dos?|.*[-_]to-?dos?|tasks?|next[-_ ]?(steps?|actions?)|action[-_]items)\.[a-z]+$`)
)

// byStatus assigns text that states its status: open entries leave Play-By-Play, finished ones leave Next
// Actions. If no heading or label names next actions, open entries become them.
func (r *reader) byStatus() {
	byHeading := false
	for i, n := range r.nodes {
		hasOpen := n.boxes > 0 && n.by[checkpoint.Open] > 0
		r.todo = r.todo && !hasOpen // otherwise its things to do are those with a box
		isParted := i+1 < len(r.nodes) && r.nodes[i+1].up == n
		isText := isParted && n.entries+n.openRows() == 0
		if n.kind == checkpoint.Next && isText && introduction.Get().MatchString(n.title+"\n"+r.doc.Slice(n.body)) {
			n.kind, n.opens = nowhere, false
		}
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
	isDone := finished > 0 && n.entries == finished
	areDone := n.rows[checkpoint.Finished] > 0 && n.openRows()+n.entries == 0
	isTodo := n.entries > finished+dropped && !n.code || n.own && numberedStep.Get().MatchString(n.title)
	hasTasks := n.openRows() > 0 && n.entries == 0
	mayHaveTasks := n.kind == nowhere || n.kind == checkpoint.PlayByPlay || n.kind == checkpoint.State
	switch {
	case n.kind == checkpoint.PlayByPlay && (n.old || n.done):
		open, struck = nowhere, nowhere
	case n.old, n.kind != checkpoint.Next && outcome.Get().MatchString(text.BareTitle(n.title)):
	case n.kind == checkpoint.Next && (isDone || areDone):
		all(checkpoint.PlayByPlay)
	case n.kind == checkpoint.Next:
		done, struck = checkpoint.PlayByPlay, nowhere
	case !r.named && hasTasks && mayHaveTasks:
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
