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
	boxPattern   = text.Regexp(`^\[([ xX~/-])\](?:\s+|$)`)
	leadPattern  = text.Regexp(`^(?:\[([^\]]+)\]|([A-Z][A-Z -]+)\s*[:—–-])\s*\S`)
	markerBefore = text.Regexp(`^\s*(?:[-*+]|\d+[.)])\s+`)
)

// itemStatus returns the status that an entry states, and whether it has a checkbox.
func itemStatus(s string) (box bool, status checkpoint.ItemStatus) {
	line := strings.NewReplacer("**", "", "__", "", "`", "", "\ufe0f", "").Replace(text.FirstLine(s))
	line = strings.TrimSpace(line)
	if m := boxPattern.FindStringSubmatch(line); m != nil {
		box, line = true, line[len(m[0]):]
		switch m[1] {
		case "x", "X":
			return true, checkpoint.Finished
		case "~", "/":
			status = checkpoint.Underway
		case "-":
			status = checkpoint.Rejected
		default:
			status = checkpoint.Open
		}
	}
	if by := statedBy(line); by == checkpoint.Rejected || !box {
		status = by
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
	if strings.HasPrefix(line, "~~") && strings.HasSuffix(line, "~~") {
		return checkpoint.Finished
	}
	for _, words := range append(leadPattern.FindStringSubmatch(line), ending(line)) {
		if status, _, ok := entryPhrases.Get().Find(words); ok && words != line {
			return status
		}
	}
	return checkpoint.Unstated
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
	openRows, doneRows     int  // rows of tables
	code                   bool // the text has code, quotes or HTML

	phase checkpoint.ItemStatus // what the heading of a numbered phase states
	nexts int                   // headings and labels of the file that name next actions
}

// tallyOf counts the entries of the lists in a stretch, nested ones with a checkbox
// included, and the cells of its tables.
func (f file) tallyOf(s doc.Span) tally {
	var t tally
	count := func(box bool, status checkpoint.ItemStatus) {
		t.entries++
		if box {
			t.boxes++
		}
		switch status {
		case checkpoint.Open, checkpoint.Underway:
			t.open++
		case checkpoint.Finished:
			t.finished++
		case checkpoint.Rejected:
			t.struck++
		}
	}
	for _, block := range f.doc.Blocks(s) {
		t.code = t.code || block.Kind == doc.Other
		if block.Kind == doc.List {
			for _, item := range f.doc.Items(block.Span) {
				count(itemStatus(item.Text))
				_, below, _ := strings.Cut(item.Text, "\n")
				for line := range strings.Lines(below) {
					if bare := markerBefore.ReplaceAllString(line, ""); bare != line && boxPattern.MatchString(bare) {
						count(itemStatus(bare))
					}
				}
			}
			continue
		}
		for _, table := range f.doc.Tables(block.Span) {
			for _, row := range table.Rows {
				switch rowStatus(row.Cells) {
				case checkpoint.Open, checkpoint.Underway:
					t.openRows++
				case checkpoint.Finished:
					t.doneRows++
				}
			}
		}
	}
	return t
}

// rowStatus returns the first status that a cell of a row states.
func rowStatus(cells []string) checkpoint.ItemStatus {
	for _, cell := range cells {
		status, whole, _ := entryPhrases.Get().Find(cell)
		if !whole {
			status = statedBy(strings.TrimSpace(cell))
		}
		if status != checkpoint.Unstated {
			return status
		}
	}
	return checkpoint.Unstated
}
