package brief

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/token"
)

const (
	// share is the maximum percentage of a brief for the learnings, and for each text of the sheet.
	share = 15
	// firstShare is how many bytes of each must-keep section are shown before any of them shows more.
	firstShare = 512
	// firstPieces is how many pieces of every should-keep part are shown before any of them shows more.
	firstPieces = 3
	// incomplete is the beginning of a brief that lacks something that must be kept.
	incomplete = "INCOMPLETE: "
)

// Limit bounds a brief. Zero means no bound.
type Limit struct {
	Tokens int `json:"tokens,omitempty"` // an estimate
	Bytes  int `json:"bytes,omitempty"`  // the size in UTF-8
}

// None reports whether l limits nothing.
func (l Limit) None() bool { return l == Limit{} }

// admits reports whether a size is within the limit.
func (l Limit) admits(s size) bool {
	return (l.Tokens == 0 || s.cost.Tokens() <= l.Tokens) && (l.Bytes == 0 || s.bytes <= l.Bytes)
}

// String returns the limit in words: "500 tokens".
func (l Limit) String() string {
	var words []string
	if l.Tokens > 0 {
		words = append(words, text.Count(l.Tokens, "token"))
	}
	if l.Bytes > 0 {
		words = append(words, text.Count(l.Bytes, "byte"))
	}
	return strings.Join(words, " and ")
}

// size is the size of a text in tokens and bytes. Sizes of whole lines add up.
type size struct {
	cost  token.Cost
	bytes int
}

func sizeOf(text string) size { return size{token.Of(text), len(text)} }

func (s size) plus(t size) size  { return size{s.cost + t.cost, s.bytes + t.bytes} }
func (s size) minus(t size) size { return size{s.cost - t.cost, s.bytes - t.bytes} }

// within reports whether s is at most t in both measures.
func (s size) within(t size) bool { return s.cost <= t.cost && s.bytes <= t.bytes }

// wants returns the smallest size of which s is at most share percent: s*100/share, rounded up.
func (s size) wants() size {
	times := func(n int) int { return (n*100 + share - 1) / share }
	return size{token.Cost(times(int(s.cost))), times(s.bytes)}
}

// Lengths is one text in several lengths, the shortest first. Each length has all that the length
// before it has, and more. A brief shows the longest for which it has room.
type Lengths []string

// Full returns the longest text, if there is one.
func (l Lengths) Full() string { return l.first(len(l)) }

// first returns the text of the nth length, counted from 1, and "" for 0.
func (l Lengths) first(n int) string {
	if n == 0 {
		return ""
	}
	return l[n-1]
}

// paragraphs returns the texts as paragraphs of a sheet. It drops a text unless the next one is larger in both
// tokens and bytes, because a longer form must never be the smaller one.
func (l Lengths) paragraphs() Lengths {
	var all Lengths
	var sizes []size
	for _, text := range l {
		if text == "" {
			continue
		}
		text = "\n" + text + "\n"
		own := sizeOf(text)
		for n := len(all) - 1; n >= 0 && (sizes[n].cost >= own.cost || sizes[n].bytes >= own.bytes); n-- {
			all, sizes = all[:n], sizes[:n]
		}
		all, sizes = append(all, text), append(sizes, own)
	}
	return all
}

// Rendering is a brief within a limit.
//
// The pieces of a brief have one order: the head, what must be kept, the facts, the work that no delta mentions, the
// commands, what should be kept, what can be summarised. Must-keep sections take turns, so that all of them show some.
//
// The learnings, and the long forms of the facts, the work and the commands, come earlier or later
// depending on their size: each as soon as it is at most 15 % of the brief so far, else at the end. At
// the end, the learnings take at most 15 % of the limit, and the long forms may take all that is left.
//
// A rendering shows the pieces up to the last one that fits, and none in part. So a larger limit
// shows the same and more. The same brief and limit give the same bytes.
type Rendering struct {
	Brief    *Brief
	Limit    Limit
	Text     string // never larger than the limit
	Complete bool   // contains everything that must be kept
	Needs    Limit  // the smallest limit, in Limit's measures, for all must-keep text that fits a brief; zero if shown
	Shown    []Shown
	Log      string // the line that an agent logs when it resumes by the checkpoint protocol; may be empty

	protocol bool
}

// State is how much of a part is shown.
type State string

// The states of a part.
const (
	Kept       State = "kept"
	Compressed State = "compressed" // shown in part, by whole pieces
	Dropped    State = "dropped"
)

// Shown describes how much a rendering shows of a part. Tokens is 0 except in the JSON of an answer.
type Shown struct {
	Part
	State  State  `json:"state"`  // kept, compressed or dropped
	Text   string `json:"text"`   // as it is shown, without its heading
	Tokens int    `json:"tokens"` // an estimate
	Items  int    `json:"items"`  // the number of whole entries, rows and paragraphs that are shown
	Of     int    `json:"of"`     // the number of all entries, rows and paragraphs
	Why    string `json:"reason"` // why it is in this state, in words
}

// Within returns the brief within a limit. If the must-keep parts do not fit, the brief is incomplete: its first line
// states that, and whole pieces follow in order. If the limit does not even allow that line, the text is empty.
func (b *Brief) Within(l Limit) *Rendering { return b.fit(b.layoutForAgent(), l) }

// AsProtocol returns the brief within a limit, in the terms of the checkpoint protocol.
func (b *Brief) AsProtocol(l Limit, t Terms) *Rendering {
	r := b.fit(t.layout(), l)
	r.protocol = true
	if t.Phase != "" {
		r.Log = "[Agent] Resuming from phase: " + t.Phase
	}
	return r
}

func (b *Brief) fit(s sheet, l Limit) *Rendering {
	f := &fitting{brief: b, sheet: s, limit: l}
	f.arrange()
	f.needs = f.need()
	n := f.most()
	r := &Rendering{Brief: b, Limit: l, Complete: n >= f.complete && !s.short}
	if n < f.complete {
		r.Needs = f.needs
	}
	shown, lengths := f.at(max(n, 0))
	if n >= 0 {
		first, note := f.notes(n, shown)
		r.Text = s.text(shown, lengths, first, note)
	} else {
		r.Text = f.stub()
	}
	for i, p := range s.parts {
		r.Shown = append(r.Shown, l.shown(p, shown[i]))
	}
	return r
}

// shown describes a part of which the first n pieces are shown.
func (l Limit) shown(p Part, n int) Shown {
	of := len(p.pieces)
	s := Shown{Part: p, State: Kept, Text: p.Text, Items: n, Of: of, Why: "it fits"}
	if n < of || p.Name == saidPart {
		s.Text = strings.Trim(p.first(n), "\n")
	}
	room := cmp.Or(l, Limit{Bytes: saidBytes})
	switch {
	case n == of && l.None():
		s.Why = "no limit"
	case n == 0 && of > 0:
		s.State, s.Why = Dropped, "no room is left in "+room.String()
	case n < of:
		s.State, s.Why = Compressed, fmt.Sprintf("%s have room for %d of %d", room, n, of)
	}
	return s
}

// Command returns the command that shows what an incomplete brief lacks: resume with the limit in Needs. If the brief
// lacks only messages of the user that have no room in any brief, the command shows the log of a session.
func (r *Rendering) Command() string {
	if r.Needs.None() {
		said := r.Shown[0].pieces
		return said[len(said)-1].source
	}
	c := r.Brief.shows(nil)
	if r.protocol {
		c += " --format protocol"
	}
	if r.Brief.News {
		c += " --new"
	}
	if r.Needs.Tokens > 0 {
		c += fmt.Sprintf(" --budget %d", r.Needs.Tokens)
	}
	if r.Needs.Bytes > 0 {
		c += fmt.Sprintf(" --bytes %d", r.Needs.Bytes)
	}
	return c
}

// fitting orders the contents of a sheet, and finds how many of them fit into a limit.
type fitting struct {
	brief *Brief
	sheet sheet
	limit Limit

	steps    []step // in order; the first one shows only what every brief has
	complete int    // the number of the step after which all must-keep parts are shown in full
	needs    Limit
}

// step shows the next piece of a part, or the next length of a text.
type step struct {
	part  int  // index of the part; -1 for a text
	text  int  // index of the text
	total size // the size of the brief after this step, without its notes
	room  size // the smallest limit in which the learnings and messages of the user keep to their shares
}

// grower is a text of the sheet, or the learnings. Its next length is shown as soon as it would take at most share
// percent of the brief.
type grower struct {
	step  step
	sizes []size // the sizes of the lengths that are not shown yet
	has   size   // the size of the length that is shown
}

func (f *fitting) growers() []*grower {
	var all []*grower
	for i, lengths := range f.sheet.texts {
		g := &grower{step: step{part: -1, text: i}}
		for _, text := range lengths {
			g.sizes = append(g.sizes, sizeOf(text))
		}
		all = append(all, g)
	}
	if i := f.sheet.learnings(); i >= 0 {
		g, total := &grower{step: step{part: i}}, size{}
		for n := range f.sheet.parts[i].pieces {
			total = total.plus(f.sheet.parts[i].size(n))
			g.sizes = append(g.sizes, total)
		}
		all = append(all, g)
	}
	return all
}

// learnings returns the index of the part with the learnings, or -1.
func (s sheet) learnings() int {
	return slices.IndexFunc(s.parts, func(p Part) bool { return p.Name == learned })
}

// size returns the size that the nth piece of a part adds.
func (p Part) size(n int) size {
	s := sizeOf(p.pieces[n].before + p.pieces[n].text)
	if n == 0 && !p.always {
		s = s.plus(sizeOf(p.open + p.close))
	}
	return s
}

// arrange puts the steps in order.
func (f *fitting) arrange() {
	total := sizeOf(f.sheet.head + f.sheet.last)
	for _, p := range f.sheet.parts {
		if p.always {
			total = total.plus(sizeOf(p.open + p.close))
		}
	}
	f.steps = []step{{total: total}}
	add := func(s step, own size) {
		total = total.plus(own)
		s.total = total
		f.steps = append(f.steps, s)
		if s.part >= 0 && f.sheet.parts[s.part].Tier == MustKeep {
			f.complete = len(f.steps) - 1
		}
	}
	var growers []*grower // none until all that must be kept is shown
	extend := func(g *grower, room size) {
		s := g.step
		s.room = room
		add(s, g.sizes[0].minus(g.has))
		g.has, g.sizes = g.sizes[0], g.sizes[1:]
	}
	grow := func() {
		for _, g := range growers {
			free := g.step.part < 0 && g.step.text == theCommands // the shortest commands may exceed the share
			for len(g.sizes) > 0 && (free && g.has == size{} || g.sizes[0].wants().within(total.plus(g.sizes[0].minus(g.has)))) {
				extend(g, size{})
			}
		}
	}
	next, told := make([]int, len(f.sheet.parts)), token.Cost(0)
	order, said := f.fair()
	tell := func(limit token.Cost) { // shows the messages that stay within their share of a limit
		for len(said) > 0 {
			i := said[0]
			own := f.sheet.parts[i].size(next[i])
			wants := token.Cost((int(told+own.cost)*100 + saidShare - 1) / saidShare)
			if wants > limit+own.cost {
				break
			}
			add(step{part: i, room: size{cost: wants}}, own)
			told, next[i], said = told+own.cost, next[i]+1, said[1:]
		}
	}
	show := func(i int) {
		own := f.sheet.parts[i].size(next[i])
		tell(total.plus(own).cost)
		add(step{part: i}, own)
		next[i]++
		grow()
	}
	learnings := f.sheet.learnings()
	rounds := func(tier Tier, most int) {
		for i, p := range f.sheet.parts {
			for n := 0; i != learnings && p.Tier == tier && next[i] < len(p.pieces) && n < most; n++ {
				show(i)
			}
		}
	}
	for _, i := range order {
		show(i)
	}
	growers = f.growers()
	grow()
	rounds(ShouldKeep, firstPieces)
	rounds(ShouldKeep, math.MaxInt)
	rounds(CanSummarise, math.MaxInt)
	tell(math.MaxInt32)
	room := f.steps[len(f.steps)-1].room // from here on the texts may exceed their share, the learnings may not
	for _, g := range growers {
		for len(g.sizes) > 0 {
			if g.step.part >= 0 {
				wants := g.sizes[0].wants()
				room = size{max(room.cost, wants.cost), max(room.bytes, wants.bytes)}
			}
			extend(g, room)
		}
	}
}

// fair returns the order of the must-keep pieces, as indexes of their parts. It takes the parts in
// turns, the next actions first: each shows up to firstShare bytes, then up to twice as much, and
// so on. So a long Problem does not displace the next actions if the room is short. Under a limit in tokens
// the messages of the user have a share of their own: fair returns them apart, in said, the newest first.
func (f *fitting) fair() (order, said []int) {
	type turn struct{ part, round, rank int }
	var turns []turn
	for i, p := range f.sheet.parts {
		if f.limit.Tokens > 0 && p.Name == saidPart {
			said = append(said, slices.Repeat([]int{i}, len(p.pieces)-p.never)...)
			continue
		}
		if p.Tier != MustKeep {
			continue
		}
		rank := 1
		if p.Name == checkpoint.Next.Template().Name {
			rank = 0
		}
		bytes := 0
		for n := range len(p.pieces) - p.never {
			bytes += p.size(n).bytes
			turns = append(turns, turn{part: i, round: bits.Len(uint(bytes-1) / firstShare), rank: rank})
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		return cmp.Or(a.round-b.round, a.rank-b.rank)
	})
	for _, t := range turns {
		order = append(order, t.part)
	}
	return order, said
}

// at returns how many pieces of each part, and how many lengths of each text, are shown after n steps.
func (f *fitting) at(n int) (shown []int, lengths [texts]int) {
	shown = make([]int, len(f.sheet.parts))
	for _, s := range f.steps[1 : n+1] {
		if s.part < 0 {
			lengths[s.text]++
		} else {
			shown[s.part]++
		}
	}
	return shown, lengths
}

// notes returns the first line of a brief that is incomplete after n steps, and the line about what else is left out.
func (f *fitting) notes(n int, shown []int) (first, note string) {
	if n < f.complete || f.sheet.short {
		mustKeep := func(p Part) bool { return p.Tier == MustKeep }
		first = f.lead(n, "; ") + "left out: " + f.sheet.leftOut(f.brief, shown, mustKeep) + "\n\n"
	}
	if n >= f.complete {
		note = f.sheet.leaves(f.brief, shown)
	}
	return first, note
}

// lead returns the beginning of a brief that is incomplete after n steps. It names the limit that the brief needs,
// unless the brief lacks only messages that have no room in any brief.
func (f *fitting) lead(n int, end string) string {
	if n >= f.complete {
		return incomplete
	}
	return incomplete + "needs " + f.needs.String() + end
}

// size returns the size of the brief after n steps, with its notes.
func (f *fitting) size(n int) size {
	shown, _ := f.at(n)
	first, note := f.notes(n, shown)
	return f.steps[n].total.plus(sizeOf(first + note))
}

// most returns the largest number of steps within the limit, or -1 if even the head does not fit.
func (f *fitting) most() int {
	for n := len(f.steps) - 1; n >= 0; n-- {
		if f.limit.admits(f.steps[n].total) && f.limit.admits(f.steps[n].room) && f.limit.admits(f.size(n)) {
			return n
		}
	}
	return -1
}

// need returns the smallest limit that shows everything that must be kept, in the measures that are
// bounded. If both are, it minimizes the tokens, and then the bytes.
func (f *fitting) need() Limit {
	less := func(a, b size) bool {
		if f.limit.Tokens > 0 && a.cost.Tokens() != b.cost.Tokens() {
			return a.cost.Tokens() < b.cost.Tokens()
		}
		return a.bytes < b.bytes
	}
	best := f.size(f.complete)
	for n := f.complete + 1; n < len(f.steps) && !less(best, f.steps[n].total); n++ {
		if s := f.size(n); f.steps[n].room == (size{}) && less(s, best) {
			best = s
		}
	}
	var l Limit
	if f.limit.Tokens > 0 {
		l.Tokens = max(best.cost.Tokens(), f.steps[f.complete].room.cost.Tokens())
	}
	if f.limit.Bytes > 0 {
		l.Bytes = best.bytes
	}
	return l
}

// stub returns the text for a limit that has no room for the head.
func (f *fitting) stub() string {
	all := f.lead(-1, "; ") + "left out: all of it (" + f.brief.shows(nil) + ")\n"
	for _, text := range []string{all + f.sheet.last, all, strings.TrimSpace(f.lead(-1, "")) + "\n"} {
		if f.limit.admits(sizeOf(text)) {
			return text
		}
	}
	return ""
}
