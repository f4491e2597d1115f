package brief

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

// sheet is a brief laid out: what stands where when all of it is shown. Every
// string in it is whole lines, so that costs add up.
type sheet struct {
	head   string // the next action, the id, the times
	texts  [texts]Lengths
	blocks []block
	last   string // the next action again

	whole func() string // the line where all blocks are whole; nil for none
}

// The texts of a sheet beside its blocks, the most important first.
const (
	theFacts    = iota
	theWork     // that no delta mentions
	theCommands // of the moment
	texts
)

// block is a part laid out.
type block struct {
	part   Part
	open   string // the lines before its pieces
	pieces []piece
	close  string
	always bool // open and close stand whether a piece is shown or not
	upward bool // the first piece stands last: the newest goes last, and is kept longest
}

// shown is the block with its first n pieces.
func (b block) shown(n int) string {
	if n == 0 && !b.always {
		return ""
	}
	var w strings.Builder
	w.WriteString(b.open)
	for i := range n {
		p := b.pieces[i]
		if b.upward {
			p = b.pieces[n-1-i]
		}
		w.WriteString(p.before)
		w.WriteString(p.text)
	}
	w.WriteString(b.close)
	return w.String()
}

// markdown lays the brief out for an agent to read. Its first and its last line
// name the next action.
func (b *Brief) markdown() sheet {
	s := sheet{head: "# Resuming " + b.ID + " · " + b.goal("Next:", "Archived:") + "\n\n" + b.about() + "\n", last: "\n" + b.goal("**Next:**", "**Archived:**") + "\n"}
	if b.Mark != nil {
		s.head += "\nExploring since " + checkpoint.FormatTime(b.Mark.At) + ": " + shorten(strings.Join(strings.Fields(b.Mark.Goal), " "), longestGoal) +
			"\nNotes go to its scratch; `ckpt rewind REPORT` puts what was found in its place.\n"
	}
	s.texts = [texts]Lengths{theFacts: b.Facts.paragraphs(), theWork: b.Work.paragraphs(), theCommands: b.commands().paragraphs()}
	if b.News {
		s.head += "\nNew since this session last read it:\n"
		if len(b.Parts)+len(b.Facts)+len(b.Work) == 0 {
			s.head = strings.TrimSuffix(s.head, "New since this session last read it:\n") + "Nothing new since this session last read it.\n"
		}
	}
	if !b.News {
		s.whole = sync.OnceValue(func() string { return b.omits().line(b.showsFile()) })
	}
	for _, p := range b.Parts {
		bl := block{part: p, open: "\n## " + p.Title + "\n\n", pieces: p.pieces}
		if p.Text == "" {
			bl.open = ""
		}
		s.blocks = append(s.blocks, bl)
	}
	return s
}

// longestGoal is how many bytes of the next action the first and the last line say;
// a longer one stands in full under Next Actions.
const longestGoal = 300

// goal is the next action, or what an archived checkpoint came to, on one line.
func (b *Brief) goal(next, archived string) string {
	switch {
	case b.Status == string(checkpoint.Archived):
		if b.Outcome == "" {
			return archived + " no outcome is written down"
		}
		return archived + " " + shorten(strings.Join(strings.Fields(b.Outcome), " "), longestGoal)
	case b.Next == "":
		return next + " no next action is written down (`ckpt next TEXT`)"
	}
	return next + " " + shorten(b.Next, longestGoal)
}

// shorten cuts a line to so many bytes, at the end of a word if it has one.
func shorten(line string, most int) string {
	if len(line) <= most {
		return line
	}
	line = strings.ToValidUTF8(line[:most], "")
	if i := strings.LastIndexByte(line, ' '); i > most/2 {
		line = line[:i]
	}
	return line + " …"
}

// about says what the checkpoint is, and since when.
func (b *Brief) about() string {
	facts := []string{b.Status}
	if !b.Created.IsZero() {
		facts = append(facts, "created "+checkpoint.FormatTime(b.Created))
	}
	if !b.LastDelta.IsZero() {
		facts = append(facts, "last delta "+checkpoint.FormatTime(b.LastDelta))
	}
	if b.Anchor != "" {
		facts = append(facts, "anchor "+b.Anchor)
	}
	if b.Parent != "" {
		facts = append(facts, "forked from "+b.Parent)
	}
	if b.ChangedBy != "" {
		facts = append(facts, "last changed by "+b.ChangedBy)
	}
	return strings.Join(facts, " · ")
}

// nouns name the pieces of a part where it is a list.
var nouns = map[string]string{
	"decisions": "decision", "next-actions": "next action", "user-rules": "rule", "learnings": "learning",
	"delta-details": "delta detail", "play-by-play": "step", "earlier-play-by-play": "earlier step", "artifact-trail": "file", "earlier-artifacts": "earlier file",
	"progress": "open item", "completed": "completed item", "breadcrumbs": "breadcrumb", "stale-breadcrumbs": "stale breadcrumb",
}

// rest names what a block leaves out when it shows n pieces, and says whether that is
// only a part of what it names; "" for nothing.
func (b block) rest(n int) (name string, part bool) {
	left := b.pieces[n:]
	if len(left) == 0 {
		return "", false
	}
	if count, noun := entries(left), nouns[b.part.Name]; noun != "" && count > 0 {
		return text.Count(count, noun), false
	}
	return "the " + strings.ToLower(b.part.Title), n > 0
}

// leaves returns the line on what is left out if blocks show so many pieces, or that
// nothing is. It is empty if there is nothing to say.
func (s sheet) leaves(b *Brief, shown []int) string {
	all := s.leftOut(b, shown, func(Part) bool { return true })
	switch {
	case all != "" && s.whole != nil && all == s.leftOut(b, shown, func(p Part) bool { return p.Name == learned }):
		if whole := s.whole(); strings.Contains(whole, unread) {
			return "\nLeft out: " + all + "; " + unread + ".\n"
		}
	case all == "" && s.whole != nil:
		return "\n" + s.whole() + "\n"
	}
	if all == "" {
		return ""
	}
	return "\nLeft out: " + all + "\n"
}

// mostLeft bounds the names in the line on what is left out.
const mostLeft = 12

// leftOut names what blocks leave out when each shows so many pieces, with the
// command that shows it; "" for nothing.
func (s sheet) leftOut(b *Brief, shown []int, of func(Part) bool) string {
	var names, parts []string
	times, inPart := map[string]int{}, map[string]bool{}
	var learnings string
	for i, bl := range s.blocks {
		switch rest, part := bl.rest(shown[i]); {
		case rest == "" || !of(bl.part):
		case bl.part.Name == learned:
			learnings = rest + " (ckpt learnings)"
		default:
			if times[rest]++; times[rest] == 1 {
				names = append(names, rest)
			}
			inPart[rest] = inPart[rest] || part
			parts = append(parts, bl.part.Name)
		}
	}
	for i, name := range names {
		switch n := times[name]; {
		case n > 1 && inPart[name]:
			names[i] += fmt.Sprintf(" (%d times, once in part)", n)
		case n > 1:
			names[i] += fmt.Sprintf(" (%d times)", n)
		case inPart[name]:
			names[i] = "part of " + name
		}
	}
	if len(names) == 0 {
		return learnings
	}
	if more := len(names) - mostLeft; more > 1 {
		names = append(names[:mostLeft], fmt.Sprintf("%d more sections", more))
	}
	what := strings.Join(names, ", ") + " (" + b.shows(parts) + ")"
	if learnings != "" {
		what += "; " + learnings
	}
	return what
}

// showsFile returns the command that shows the file itself.
func (b *Brief) showsFile() string { return "ckpt show " + cmp.Or(b.Name, b.ID) }

// shows is the command that shows parts.
func (b *Brief) shows(parts []string) string {
	name := cmp.Or(b.Name, b.ID)
	if len(parts) == 1 {
		if kind, ok := checkpoint.KindNamed(parts[0]); ok && slices.ContainsFunc(b.Parts, func(p Part) bool { return p.Name == parts[0] && p.Tier == MustKeep }) {
			return "ckpt show " + name + " --section " + kind.Template().Name
		}
	}
	if name == "@" {
		return "ckpt resume"
	}
	return "ckpt resume " + name
}
