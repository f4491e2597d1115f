package brief

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// sheet is the layout of a brief: its texts in the order in which they are shown. Every string
// consists of whole lines, so that sizes add up.
type sheet struct {
	head  string // the next action, the id, the times
	texts [texts]Lengths
	parts []Part
	last  string // the next action again
	short bool   // a message of the user has no room in any brief

	whole func() string // returns the line that ends a complete brief; nil for none
}

// The texts of a sheet besides its parts, the most important first.
const (
	theFacts    = iota
	theWork     // the work that no delta mentions
	theCommands // the commands for what comes next
	texts
)

// layout returns the layout of a checkpoint. The first and the last line name the next action.
func (b *Brief) layout() sheet {
	s := sheet{
		head: "# Resuming " + b.ID + " · " + b.goal("Next:", "Archived:") + "\n\n" + b.about() + "\n",
		texts: [texts]Lengths{
			theFacts: b.Facts.paragraphs(), theWork: b.Work.paragraphs(), theCommands: b.commands().paragraphs(),
		},
		last: "\n" + b.goal("**Next:**", "**Archived:**") + "\n",
	}
	if b.Mark != nil {
		goal := text.Shorten(text.OneLine(b.Mark.Goal), longestGoal)
		s.head += "\nExploring since " + checkpoint.FormatTime(b.Mark.At) + ": " + goal + "\n" +
			"Notes go to its scratch; `ckpt rewind REPORT` puts what was found in its place.\n"
	}
	switch {
	case !b.News:
		s.whole = sync.OnceValue(b.completeness)
	case len(b.Parts)+len(b.Facts)+len(b.Work)+len(b.Said) == 0:
		s.head += "\nNothing new since this session last read it.\n"
	default:
		s.head += "\nNew since this session last read it:\n"
	}
	for _, p := range b.Parts {
		if p.Text != "" {
			p.open = "\n## " + p.Title + "\n\n"
		}
		s.parts = append(s.parts, p)
	}
	return s
}

// longestGoal is the maximum size in bytes of the next action in the first and the last line of a brief. The section
// Next Actions shows a longer action in full.
const longestGoal = 300

// goal returns the next action, or the outcome of an archived checkpoint, on one line.
func (b *Brief) goal(next, archived string) string {
	switch {
	case b.Status == string(checkpoint.Archived) && b.Outcome == "":
		return archived + " no outcome is written down"
	case b.Status == string(checkpoint.Archived):
		return archived + " " + text.Shorten(text.OneLine(b.Outcome), longestGoal)
	case b.Next == "":
		return next + " no next action is written down (`ckpt next TEXT`)"
	}
	return next + " " + text.Shorten(b.Next, longestGoal)
}

// about returns the line with the status and the times of the checkpoint.
func (b *Brief) about() string {
	facts := []string{b.Status}
	add := func(what, value string) {
		if value != "" {
			facts = append(facts, what+" "+value)
		}
	}
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return checkpoint.FormatTime(t)
	}
	add("created", at(b.Created))
	add("last delta", at(b.LastDelta))
	add("anchor", b.Anchor)
	add("forked from", b.Parent)
	add("last changed by", b.ChangedBy)
	return strings.Join(facts, " · ")
}

// text returns the brief that shows the first shown[i] pieces of each part i, and each text t in its length lengths[t].
// First is the first line of an incomplete brief, and note is the line about what else is left out. A note that the
// file need not be read comes right after the head, so that a reader does not open the file first.
func (s sheet) text(shown []int, lengths [texts]int, first, note string) string {
	var w strings.Builder
	w.WriteString(first + s.head)
	if strings.Contains(note, unread) {
		w.WriteString(note)
		note = ""
	}
	w.WriteString(s.texts[theFacts].first(lengths[theFacts]) + s.texts[theWork].first(lengths[theWork]))
	for i, p := range s.parts {
		if shown[i] == 0 && !p.always {
			continue
		}
		w.WriteString(p.open + p.first(shown[i]) + p.close)
	}
	w.WriteString(note + s.texts[theCommands].first(lengths[theCommands]) + s.last)
	return w.String()
}

// first returns the text of the first n pieces, in the order in which they are shown.
func (p Part) first(n int) string {
	pieces := slices.Clone(p.pieces[:n])
	if p.upward {
		slices.Reverse(pieces)
	}
	var w strings.Builder
	for _, piece := range pieces {
		w.WriteString(piece.before + piece.text)
	}
	return w.String()
}

// nouns maps the name of a part that is a list to the noun for one of its pieces.
var nouns = text.Lazy[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"decisions": "decision", "next-actions": "next action", "user-rules": "rule", "learnings": "learning",
		"delta-details": "delta detail", "play-by-play": "step", "earlier-play-by-play": "earlier step",
		"artifact-trail": "file", "earlier-artifacts": "earlier file", "progress": "open item",
		saidPart:    "message of the user",
		"completed": "completed item", "breadcrumbs": "breadcrumb", "stale-breadcrumbs": "stale breadcrumb",
	}
}}

// rest names what a part leaves out if it shows n pieces: a number of entries, or the part by its title. If it is the
// title, part reports whether the part shows any piece. The name is empty if nothing is left out.
func (p Part) rest(n int) (name string, part bool) {
	left, entries := p.pieces[n:], p.more
	if len(left)+entries == 0 {
		return "", false
	}
	for _, piece := range left {
		if piece.entry {
			entries++
		}
	}
	if noun := nouns.Get()[p.Name]; noun != "" && entries > 0 {
		return text.Count(entries, noun), false
	}
	return "the " + strings.ToLower(p.Title), n > 0
}

// leaves returns the line about what is left out and need not be kept, or that of a complete brief. It may be empty.
func (s sheet) leaves(b *Brief, shown []int) string {
	all := s.leftOut(b, shown, func(p Part) bool { return p.Tier != MustKeep })
	whole := ""
	if s.whole != nil && !s.short && all == s.leftOut(b, shown, func(p Part) bool { return p.Name == learned }) {
		whole = s.whole()
	}
	switch {
	case all == "" && whole == "":
		return ""
	case all == "":
		return "\n" + whole + "\n"
	case strings.Contains(whole, unread):
		return "\nLeft out: " + all + "; " + unread + ".\n"
	}
	return "\nLeft out: " + all + "\n"
}

// mostLeft is the maximum number of names in the line about what is left out.
const mostLeft = 12

// leftOut names what is left out of the parts for which fits returns true, with the commands that show
// it. Shown has the number of pieces that each part shows.
func (s sheet) leftOut(b *Brief, shown []int, fits func(Part) bool) string {
	var names, parts, others []string
	for i, p := range s.parts {
		rest, part := p.rest(shown[i])
		if part {
			rest = "part of " + rest
		}
		switch {
		case rest == "" || !fits(p):
		case p.Name == saidPart:
			var sources []string
			for _, piece := range p.pieces[shown[i]:] {
				sources = append(sources, piece.source)
			}
			slices.Sort(sources)
			others = append(others, rest+" ("+strings.Join(slices.Compact(sources), ", ")+")")
		case p.source != "":
			others = append(others, rest+" ("+p.source+")")
		default:
			if !slices.Contains(names, rest) {
				names = append(names, rest)
			}
			parts = append(parts, p.Name)
		}
	}
	if more := len(names) - mostLeft; more > 1 {
		names = append(names[:mostLeft], fmt.Sprintf("%d more sections", more))
	}
	if len(names) > 0 {
		others = slices.Insert(others, 0, strings.Join(names, ", ")+" ("+b.shows(parts)+")")
	}
	return strings.Join(others, "; ")
}

// showsFile returns the command that shows the file itself.
func (b *Brief) showsFile() string { return "ckpt show " + cmp.Or(b.Name, b.ID) }

// shows returns the command that shows the parts with these names or, without names, the whole brief.
func (b *Brief) shows(parts []string) string {
	if len(parts) == 1 {
		mustKeep := func(p Part) bool { return p.Name == parts[0] && p.Tier == MustKeep }
		if kind, ok := checkpoint.KindNamed(parts[0]); ok && slices.ContainsFunc(b.Parts, mustKeep) {
			return b.showsFile() + " --section " + kind.Template().Name
		}
	}
	if b.Name == "@" {
		return "ckpt resume"
	}
	return "ckpt resume " + cmp.Or(b.Name, b.ID)
}

// Terms is a checkpoint in the terms of the checkpoint protocol.
type Terms struct {
	Goal                          string
	Completed, Pending, Decisions []string
	Next                          string
	Phase                         string // the current phase
}

// layout returns the layout of the protocol's Context Reconstruction Template.
func (t Terms) layout() sheet {
	list := func(k checkpoint.Kind, title string, tier Tier, items []string) Part {
		p := Part{Name: k.Template().Name, Title: k.Template().Title, Tier: tier, always: true}
		p.open, p.close = title+"\n", "\n"
		var lines []string
		for _, item := range items {
			line := "- " + strings.ReplaceAll(item, "\n", "\n  ")
			lines = append(lines, line)
			p.pieces = append(p.pieces, piece{text: line + "\n", entry: true})
		}
		p.Text = strings.Join(lines, "\n")
		return p
	}
	newest := slices.Clone(t.Completed) // the newest step comes first, so that it is kept longest
	slices.Reverse(newest)
	completed := list(checkpoint.PlayByPlay, "**Completed:**", ShouldKeep, newest)
	completed.upward = true // shown oldest first, in the order of the tool that saved them
	intent := checkpoint.Intent.Template()
	goal := Part{Name: intent.Name, Title: intent.Title, Text: "**Goal:** " + t.Goal, close: "\n"}
	goal.pieces = []piece{{text: goal.Text + "\n"}}
	return sheet{
		head: "## Resuming from Checkpoint\n\n",
		parts: []Part{
			goal,
			completed,
			list(checkpoint.Next, "**Pending:**", MustKeep, t.Pending),
			list(checkpoint.Decisions, "**Key Decisions:**", MustKeep, t.Decisions),
		},
		last: "**Next Action:** " + t.Next + "\n" + strings.TrimRight("**Phase:** "+t.Phase, " ") + "\n",
	}
}

// piece is shown or left out as a whole: an entry of a list, a row of a table, a paragraph.
// It consists of whole lines.
type piece struct {
	before string // blank lines, headings and the head of a table that come before the piece
	text   string
	head   string // the head of the table that the piece is a row of
	entry  bool   // the piece is an entry of a list or a row of a table
	source string // the command that shows the piece; empty if the checkpoint has it
}

// cut divides a text, which must not be empty, into pieces. Joined, they are the text and a line break at its end.
func cut(text string) []piece {
	src := text + "\n"
	d, err := doc.Parse([]byte("\n" + src)) // the line break keeps a leading --- from opening frontmatter
	if err != nil {
		return []piece{{text: src}}
	}
	var pieces []piece
	at := 0
	add := func(s doc.Span, head string, entry bool) {
		start := strings.LastIndexByte(src[:s.Start-1], '\n') + 1
		end := s.End - 1
		if end == 0 || src[end-1] != '\n' {
			end += strings.IndexByte(src[end:], '\n') + 1 // src ends in a line break
		}
		if start >= at && end > start {
			pieces = append(pieces, piece{before: src[at:start], text: src[start:end], head: head, entry: entry})
			at = end
		}
	}
	for _, b := range d.Blocks(d.Body()) {
		tables := d.Tables(b.Span)
		switch {
		case b.Kind == doc.List:
			for _, item := range d.Items(b.Span) {
				add(item.Span, "", true)
			}
		case len(tables) == 1 && tables[0].Span.Start == b.Span.Start && len(tables[0].Rows) > 0:
			rows := tables[0].Rows
			head := src[b.Span.Start-1 : rows[0].Span.Start-1]
			for _, row := range rows {
				add(row.Span, head, true)
			}
		default:
			add(b.Span, "", false)
		}
	}
	switch {
	case at == len(src):
	case strings.TrimSpace(src[at:]) == "" && len(pieces) > 0:
		pieces[len(pieces)-1].text += src[at:]
	default: // a heading with nothing below it is a piece
		pieces = append(pieces, piece{text: src[at:]})
	}
	return pieces
}
