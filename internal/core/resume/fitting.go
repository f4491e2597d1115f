package resume

import (
	"math"
	"math/bits"
	"slices"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/token"
)

// incomplete begins the first line of a brief that lacks what must be kept.
const incomplete = "INCOMPLETE: "

// first is how many pieces of every should-keep part are dearer than the others of
// any of them.
const first = 3

// What is not a piece of a block has an index of its own in the order.
const (
	theFacts = -1 - iota
	theAdvice
)

// fitting finds out how far the order of a sheet goes within a limit.
type fitting struct {
	brief *Brief
	sheet sheet
	limit Limit

	order    []int  // whose next piece is shown next: indexes of blocks, theFacts, theAdvice
	sizes    []size // sizes[n]: of the sheet up to order[:n], without the note
	room     []size // room[n]: what order[:n] needs for the learnings to be 15 % of the limit; zero where they are anyway
	complete int    // order[:complete] and more holds all that must be kept
	needs    Limit
}

func newFitting(b *Brief, s sheet, l Limit) *fitting {
	f := &fitting{brief: b, sheet: s, limit: l}
	f.arrange()
	f.needs = f.need()
	return f
}

// arrange makes the order and its sizes.
func (f *fitting) arrange() {
	total := sizeOf(f.sheet.head + f.sheet.last)
	for _, b := range f.sheet.blocks {
		if b.always {
			total = total.plus(sizeOf(b.open + b.close))
		}
	}
	f.sizes, f.room = []size{total}, []size{{}}
	next := make([]int, len(f.sheet.blocks))
	add := func(what int, own, room size) {
		total = total.plus(own)
		f.order, f.sizes, f.room = append(f.order, what), append(f.sizes, total), append(f.room, room)
	}
	var taught size // the learnings so far
	learnings := slices.IndexFunc(f.sheet.blocks, func(b block) bool { return b.part.Name == "learnings" })
	teach := func(atEnd bool) {
		for learnings >= 0 && next[learnings] < len(f.sheet.blocks[learnings].pieces) {
			own := f.sheet.blocks[learnings].piece(next[learnings])
			all := taught.plus(own)
			if room := all.times(100, 15); room.within(total.plus(own)) {
				add(learnings, own, size{})
			} else if atEnd {
				add(learnings, own, room)
			} else {
				return
			}
			taught = all
			next[learnings]++
		}
	}
	show := func(i int) {
		own := f.sheet.blocks[i].piece(next[i])
		next[i]++
		add(i, own, size{})
		if f.complete > 0 {
			teach(false)
		}
	}
	rounds := func(tier Tier, most int) {
		for i, b := range f.sheet.blocks {
			for n := 0; i != learnings && b.part.Tier == tier && next[i] < len(b.pieces) && n < most; n++ {
				show(i)
			}
		}
	}
	const all = math.MaxInt
	for _, i := range f.fair() {
		show(i)
	}
	f.complete = len(f.order)
	if f.sheet.facts != "" {
		add(theFacts, sizeOf(f.sheet.facts), size{})
	}
	if f.sheet.advice != "" {
		add(theAdvice, sizeOf(f.sheet.advice), size{})
	}
	teach(false)
	rounds(ShouldKeep, first)
	rounds(ShouldKeep, all)
	rounds(CanSummarise, all)
	teach(true)
}

// firstShare is how many bytes each section that must be kept may show before any of
// them shows more.
const firstShare = 512

// fair is the order of the pieces that must be kept, as indexes of their blocks. It
// goes round the blocks, the next actions first, the others in their order: each shows
// up to firstShare, then up to twice as much, and so on. So where there is no room for
// all a long Problem does not push out the next actions.
func (f *fitting) fair() []int {
	type turn struct {
		block, round int
		next         bool
	}
	var turns []turn
	for i, b := range f.sheet.blocks {
		bytes := 0
		for n := range b.pieces {
			if b.part.Tier == MustKeep {
				bytes += b.piece(n).bytes
				turns = append(turns, turn{i, bits.Len(uint(bytes-1) / firstShare), b.part.Name == checkpoint.Next.Template().Name})
			}
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		switch {
		case a.round != b.round || a.next == b.next:
			return a.round - b.round
		case a.next:
			return -1
		}
		return 1
	})
	order := make([]int, len(turns))
	for i, t := range turns {
		order[i] = t.block
	}
	return order
}

// piece is the size that the nth piece of a block adds.
func (b block) piece(n int) size {
	s := sizeOf(b.pieces[n].before + b.pieces[n].text)
	if n == 0 && !b.always {
		s = s.plus(sizeOf(b.open + b.close))
	}
	return s
}

// times is a size by a fraction, rounded up.
func (s size) times(by, of int) size {
	return size{token.Cost((int(s.cost)*by + of - 1) / of), (s.bytes*by + of - 1) / of}
}

// within says whether a size is no larger than another, by both measures.
func (s size) within(t size) bool { return s.cost <= t.cost && s.bytes <= t.bytes }

// at is what order[:n] shows.
func (f *fitting) at(n int) (shown []int, facts, advice bool) {
	shown = make([]int, len(f.sheet.blocks))
	for _, what := range f.order[:n] {
		switch what {
		case theFacts:
			facts = true
		case theAdvice:
			advice = true
		default:
			shown[what]++
		}
	}
	return shown, facts, advice
}

// note is the line that says what order[:n] leaves out.
func (f *fitting) note(n int, shown []int) string {
	if n < f.complete {
		return incomplete + "needs " + f.needs.String() + "; left out: " +
			f.sheet.leftOut(f.brief, shown, func(p Part) bool { return p.Tier == MustKeep }) + "\n\n"
	}
	if what := f.sheet.leftOut(f.brief, shown, func(Part) bool { return true }); what != "" {
		return "\nLeft out: " + what + "\n"
	}
	return ""
}

// size is the size of order[:n] with its note.
func (f *fitting) size(n int) size {
	shown, _, _ := f.at(n)
	return f.sizes[n].plus(sizeOf(f.note(n, shown)))
}

// most is the longest part of the order that is within the limit, -1 where not
// even the head is.
func (f *fitting) most() int {
	for n := len(f.order); n >= 0; n-- {
		if f.limit.admits(f.sizes[n]) && f.limit.admits(f.room[n]) && f.limit.admits(f.size(n)) {
			return n
		}
	}
	return -1
}

// need is the least that shows all that must be kept, by the measures that are
// bounded: of tokens first where both are.
func (f *fitting) need() Limit {
	best := f.size(f.complete)
	for n := f.complete + 1; n <= len(f.order); n++ {
		if f.less(best, f.sizes[n]) {
			break // without its note already
		}
		if s := f.size(n); f.room[n] == (size{}) && f.less(s, best) {
			best = s
		}
	}
	var l Limit
	if f.limit.Tokens > 0 {
		l.Tokens = best.cost.Tokens()
	}
	if f.limit.Bytes > 0 {
		l.Bytes = best.bytes
	}
	return l
}

// less says whether a is smaller than b, by the first measure that is bounded.
func (f *fitting) less(a, b size) bool {
	if f.limit.Tokens > 0 && a.cost.Tokens() != b.cost.Tokens() {
		return a.cost.Tokens() < b.cost.Tokens()
	}
	return a.bytes < b.bytes
}

// stub is what can be said where there is no room for the head.
func (f *fitting) stub() string {
	needs := incomplete + "needs " + f.needs.String()
	for _, text := range []string{
		needs + "; left out: all of it (" + f.brief.shows(nil) + ")\n" + f.sheet.last,
		needs + "; left out: all of it (" + f.brief.shows(nil) + ")\n",
		needs + "\n",
	} {
		if f.limit.admits(sizeOf(text)) {
			return text
		}
	}
	return ""
}
