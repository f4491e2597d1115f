package importing

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// signs are the symbols before or after an entry that state its status. The signs for open come first, so an entry with
// a sign for open and one for finished is open.
var signs = []struct {
	status checkpoint.ItemStatus
	any    string
}{
	{checkpoint.Open, "⬜|⚪|☐|🔲|⏳|⏸|📋|🔜|⌛|❌|🔴|⏭"},
	{checkpoint.Underway, "🔄|🚧|🟡|🏗"},
	{checkpoint.Finished, "✅|☑|✔|🟢|✓"},
}

// entryWords returns the words, in lower case, that state the status of an entry: before it ("TODO: x", "[WIP] x") or
// after it ("x (pending)", "x — done").
func entryWords() map[checkpoint.ItemStatus]string {
	return map[checkpoint.ItemStatus]string{
		checkpoint.Finished: `done|completed|complete|finished|shipped|merged|fixed|closed|resolved|implemented|deployed|erledigt|fertig|abgeschlossen|hecho|completado|terminé|fait|concluído|feito|готово|сделано|выполнено|完了|完成|已完成|완료|구현 완료`,
		checkpoint.Underway: `in progress|in-progress|in_progress|wip|ongoing|started|partial|partially done|partially complete|active|current|next up`,
		checkpoint.Open:     `todo|to do|to-do|pending|not started|not_started|not yet started|not done|not yet done|not yet|not implemented|open|remaining|blocked|planned|next|upcoming|incomplete|unfinished|waiting|not complete|queued|backlog|future|still open|offen|pendiente|pendente|à faire|не начато|未完了|未完成|미완료`,
		checkpoint.Rejected: `skipped|skipped per user request|skip|deferred|cancelled|canceled|won't do|wontfix|obsolete|tbd|tba|dropped|rejected|not needed|no longer needed|n/a|abandoned|superseded|postponed|out of scope`,
	}
}

var entryPhrases = text.Lazy[text.Titles[checkpoint.ItemStatus]]{
	Make: func() text.Titles[checkpoint.ItemStatus] { return text.NewTitles(entryWords()) },
}

var (
	openBelow = text.Regexp(`(?m)^\s*(?:[-*+]|\d+[.)])\s+\[ \]`)
	nested    = text.Regexp(`(?m)^\s*(?:[-*+]|\d+[.)])\s+(.+)$`)
	struck    = text.Regexp(`^~~.+~~[^\p{L}\p{N}]*?(?:(✅|\p{L}+)|\p{N}|$)`)
	capitals  = text.Regexp(`\b([A-Z]+ )*[A-Z]{4,}$`)
	// placeholder matches a text of a template: one in brackets, "(filled in later)", or words such as "next step". It
	// also matches a text that begins with an amount, "3 hours".
	placeholder = text.Regexp(`^[*_>\s]*(?:(?:\([^()]+\)|\[[^\[\]]{4,}\]|<[^<>!/]+>|\{[^{}]+\})[*_.\s:–—-]*)+$|` +
		`^[\W_]*(?:YYYY-MM-DD|(?i:(?:(?:the|your|immediate|concrete|first) )+next (?:action|step|task)[\W_]*$))|` +
		`^\PL+$|^(?:暂无|无|無|なし|없음)(?:[\s(（。.].*)?$|^[\W_]*(?i:task|step|item|feature|priority|タスク|任务) ?[\dA-Z]\W*$|^[\W_]*\d[\d.,–-]* ?(?i:%|hours?|days?|weeks?|months?|min(?:ute)?s?\b|tasks|items)`)
	// leadStatus matches a status in words: "Till done: x", "Till: done with x", "All tests fixed", "The till is done".
	leadStatus = text.Regexp(`\((COMPLETED?|DONE|FINISHED)\b|(?i)^[^:.(]{3,60}? (complete|completed|done|finished|shipped|merged)(?::| [—–-] )|` +
		`^[^:.]{3,60}: (completed|done|shipped|merged|fixed|resolved|implemented|deployed|dropped|cancell?ed|skipped|deferred)\b|` +
		`^all [^:,.]{3,40} (complete|done|fixed|implemented)\b|^(?:the|phase|step) [^:,.]{1,40} is (complete|done|fixed|merged|finished)\b`)
	leadPattern = text.Regexp(`^(?:\[([^\]]+)\]|((?i:done|completed|fixed)):|([A-Z][A-Z -]+)\s*[:—–-]|` +
		`((?i:next|remaining|pending|todo|blocked|still open|not yet done))\b[^:.]{0,40}: )\s*\S`)
	// numberedStep matches the heading of a numbered step. In a list of things to do, such a step is a task.
	numberedStep = text.Regexp(`(?i)^(step )?\d+[.):] |^第\S{1,3}步`)
	stepTitle    = text.Regexp(`(?i)^\W*step \d|^第\S{1,3}步`)
	// outcome matches a heading of conditions or questions: "Acceptance criteria". The entries below it are not tasks.
	outcome = text.Regexp(`^(((success|acceptance|completion|exit) )?criteria|definition of done|expect(ed|ations?)|` +
		`(open )?questions?|((code )?review|success|verification|validation|quick|plan|test(ing)?|qa|smoke|pre-?\w+( \w+)*) checklist)\b|чек-лист проверки|критерии|^(完了の定義|受け入れ(基準|条件)|验收标准|完成标准)`)
	// description matches a paragraph that announces what is below it, or states that there is nothing.
	description = text.Regexp(`(?i)^[\W_]*(no|none|nothing|all|every(thing)?|the following|these|this|below|listed|there|` +
		`here|see|if|in (order|priority)|tasks)\b|:\W*$`)
	// imperative matches a text that begins with a verb in the imperative.
	imperative = text.Regexp(`(?i)^[\W_]*(?:phase [\d.]+\W+|(?:please|now|first|then),? )?(?:add|ask|build|check|choose|clean|` +
		`commit|complete|configure|confirm|connect|continue|create|decide|define|delete|deploy|design|document|draft|` +
		`enable|extend|find|finish|fix|implement|improve|install|integrate|investigate|make|merge|migrate|move|open|` +
		`prepare|publish|push|read|rebuild|record|refactor|release|remove|rename|replace|re-?run|resolve|resume|review|` +
		`rewrite|run|send|set|ship|split|start|test|update|upgrade|use|validate|verify|wire|write)\b[^:]`)
	todoTitle = text.Regexp(`(?i)\bto-?do`)
	todoFile  = text.Regexp(`(?i)^(to-?dos?|backlog|.*[-_]to-?dos?|tasks?|next[-_ ]?(steps?|actions?)|action[-_]items)\.[a-z]+$`)
)

// itemStatus returns the status that an entry states, and whether it has a checkbox. An entry with open checkboxes
// below it is not finished.
func itemStatus(s string) (box bool, status checkpoint.ItemStatus) {
	first, below, _ := strings.Cut(strings.TrimSpace(s), "\n")
	line := strings.NewReplacer("**", "", "__", "", "`", "", "\ufe0f", "").Replace(first)
	line = strings.TrimSpace(line)
	said, box := checkpoint.CutCheckbox(line)
	by := statedBy(said)
	if !box && by == checkpoint.Unstated && allDone(below) {
		return false, checkpoint.Finished
	} else if !box {
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

// allDone reports whether a text has entries of a list, and all of them are finished.
func allDone(below string) bool {
	entries := nested.Get().FindAllStringSubmatch(below, -1)
	return len(entries) > 0 && !slices.ContainsFunc(entries, func(m []string) bool {
		_, status := itemStatus(m[1])
		return status != checkpoint.Finished
	})
}

// statedBy returns the status that words or signs at the start or the end of a line state.
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
	lead, second := leadPattern.Get().FindStringSubmatch(line), leadStatus.Get().FindStringSubmatch(line)
	for _, words := range slices.Concat(lead, endings(line), second) {
		if status, _, ok := entryPhrases.Get().Find(words); ok && words != line {
			return status
		}
	}
	return checkpoint.Unstated
}

// statusOf returns the status that a text states: "DONE", "pending (needs a key)", "done ✅".
func statusOf(s string) checkpoint.ItemStatus {
	status, _, _ := entryPhrases.Get().Find(s)
	return cmp.Or(statedBy(strings.TrimSpace(s)), status)
}

// endings returns the parts at the end of a line that may state a status: the text in brackets, words in capitals
// before it, and the text after the last dash, arrow, colon or sign ("done" in "Phase 1: the parser - done (abc)").
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
}

// countRows counts the rows of a table by status, if the table has columns for tasks and their status.
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

// openRows returns the number of tasks in tables with the status open or under way.
func (t *tally) openRows() int { return t.rows[checkpoint.Open] + t.rows[checkpoint.Underway] }

// byStatus moves text by the status that it states: open entries leave Play-By-Play, finished ones leave Next Actions.
// If no heading or label names next actions, open entries become next actions.
func (r *reader) byStatus() {
	for _, n := range r.nodes {
		hasOpen := n.hasOpen()
		isNext := n.kind == checkpoint.Next
		r.boxed = r.boxed || hasOpen && (isNext || r.todo && n.kind == nowhere)
		r.open = r.open || hasOpen && n.kind != checkpoint.PlayByPlay
		r.named = r.named || isNext && (n.isLabel() || n.opens && n != r.title) // even if the text is "None"
		heads := isNext && n.full && n.opens
		if heads || r.isStep(n) {
			r.headed = max(r.headed, 1+n.foremost())
		}
	}
	for _, n := range r.nodes {
		unplaced := n.isLabel() && n.up.kind == nowhere && n.up.up != nil && n.up != r.title
		if unplaced && n.kind == checkpoint.Next && r.headed > n.foremost() {
			n.kind = nowhere // a heading has next actions, so this label does not count
		}
		n.kinds = r.kindsFor(n)
	}
}

// statusKinds is the section of a block for each status that the block may have.
type statusKinds [checkpoint.Rejected + 1]checkpoint.Kind

// allOf returns one section for every status.
func allOf(k checkpoint.Kind) (all statusKinds) {
	for i := range all {
		all[i] = k
	}
	return all
}

// but returns k with other sections for text that is open or under way, for finished text, and for rejected text.
func (k statusKinds) but(open, done, struck checkpoint.Kind) statusKinds {
	k[checkpoint.Open], k[checkpoint.Underway], k[checkpoint.Finished], k[checkpoint.Rejected] = open, open, done, struck
	return k
}

// kindsFor returns the sections for the blocks below a heading.
func (r *reader) kindsFor(n *node) statusKinds {
	same, isDone := allOf(n.kind), n.kind == checkpoint.PlayByPlay
	mayHaveTasks := isDone || n.kind == checkpoint.State || n.kind == nowhere
	mayHaveBoxes := slices.Contains([]checkpoint.Kind{checkpoint.State, checkpoint.Intent, checkpoint.Context}, n.kind)
	switch {
	case isDone && (n.old || n.done):
		return same.but(nowhere, n.kind, nowhere)
	case n.old, n.kind != checkpoint.Next && outcome.Get().MatchString(text.BareTitle(n.title)):
	case n.kind == checkpoint.Next:
		return same.but(n.kind, checkpoint.PlayByPlay, nowhere)
	case mayHaveTasks && !r.named && n.openRows() > 0 && n.entries == 0:
		return n.open(checkpoint.Next)
	case isDone && (r.named || r.open):
		return same.but(checkpoint.State, n.kind, nowhere)
	case isDone:
		return same.but(checkpoint.Next, n.kind, nowhere)
	case n.kind == nowhere:
		return r.kindsForOther(n)
	case mayHaveBoxes && n.boxes > 0 && (!r.named || r.boxed):
		return same.but(checkpoint.Next, n.kind, n.kind)
	}
	return same
}

// open makes k the section of a heading and of all blocks below it.
func (n *node) open(k checkpoint.Kind) statusKinds {
	if n.kind != k {
		n.kind, n.opens = k, true
	}
	return allOf(k)
}

// isStep reports whether a heading in a list of things to do is that of a step, such as "Step 1: Test it".
func (r *reader) isStep(n *node) bool { return r.todo && n.own && stepTitle.Get().MatchString(n.title) }

// kindsForOther returns the sections for the blocks below a heading that names no section. If nothing names next
// actions, these become next actions: headings and entries with open checkboxes, and lists in a file of things to do.
func (r *reader) kindsForOther(n *node) statusKinds {
	box, status := itemStatus(n.title)
	finished := n.by[checkpoint.Finished]
	isOpen := box && (status == checkpoint.Open || status == checkpoint.Underway)
	mayOpen := (r.todo || !r.named) && n.boxes+n.rows[checkpoint.Finished]+finished == 0
	isTodo := n.entries > finished+n.by[checkpoint.Rejected] || n.own && enumerated.Get().MatchString(n.title)
	switch {
	case isOpen && mayOpen, n.boxes == 0 && r.isStep(n):
		return n.open(checkpoint.Next)
	case r.named && !r.boxed && !r.todo, r.named && n.boxes == 0:
	case n.boxes > 0:
		return allOf(nowhere).but(checkpoint.Next, checkpoint.PlayByPlay, nowhere)
	case r.todo && !r.boxed && isTodo && r.headed < 2:
		return n.open(checkpoint.Next).but(checkpoint.Next, checkpoint.PlayByPlay, nowhere)
	}
	return allOf(nowhere)
}
