package brief

import (
	"math"
	"math/bits"
	"slices"

	"example.com/ckpt/internal/checkpoint"
)

// incomplete begins the first line of a brief that lacks what must be kept.
const incomplete = "INCOMPLETE: "

// first is how many pieces of every should-keep part are dearer than the others of
// any of them.
const first = 3

// fitting finds out how far the order of a sheet goes within a limit.
type fitting struct {
	brief *Brief
	sheet sheet
	limit Limit

	order    []int  // what is shown next: the index of a block for its next piece; ^i for the next length of text i
	sizes    []size // sizes[n]: of the sheet up to order[:n], without the note
	room     []size // room[n]: the limit in which nothing of order[:n] takes more than its share; zero where any limit with room for it does
	complete int    // order[:complete] and more holds all that must be kept
	needs    Limit
}

func newFitting(b *Brief, s sheet, l Limit) *fitting {
	f := &fitting{brief: b, sheet: s, limit: l}
	f.arrange()
	f.needs = f.need()
	return f
}

// grower is a text of several lengths, or the learnings. It may take its share of what is
// shown; a longer length waits until more is shown.
type grower struct {
	what  int    // in the order
	sizes []size // of its first length or piece, its first two, ...
	has   size
}

// next returns what the grower adds next.
func (g *grower) next() size { return g.sizes[0].minus(g.has) }

// free reports whether the next length is not bound to a share: the shortest commands.
func (g *grower) free() bool { return g.what == ^theCommands && g.has == size{} }

func (f *fitting) growers() []*grower {
	var all []*grower
	for i, lengths := range f.sheet.texts {
		g := &grower{what: ^i}
		for _, text := range lengths {
			g.sizes = append(g.sizes, sizeOf(text))
		}
		all = append(all, g)
	}
	if i := f.sheet.learnings(); i >= 0 {
		g, total := &grower{what: i}, size{}
		for n := range f.sheet.blocks[i].pieces {
			total = total.plus(f.sheet.blocks[i].piece(n))
			g.sizes = append(g.sizes, total)
		}
		all = append(all, g)
	}
	return all
}

// learnings returns the index of the block of learnings, -1 if there is none.
func (s sheet) learnings() int {
	return slices.IndexFunc(s.blocks, func(b block) bool { return b.part.Name == learned })
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
	add := func(what int, own, room size) {
		total = total.plus(own)
		f.order, f.sizes, f.room = append(f.order, what), append(f.sizes, total), append(f.room, room)
	}
	growers := f.growers()
	extend := func(g *grower, room size) {
		add(g.what, g.next(), room)
		g.has, g.sizes = g.sizes[0], g.sizes[1:]
	}
	grow := func() {
		for _, g := range growers {
			for len(g.sizes) > 0 && (g.free() || g.sizes[0].wants().within(total.plus(g.next()))) {
				extend(g, size{})
			}
		}
	}
	next := make([]int, len(f.sheet.blocks))
	show := func(i int) {
		own := f.sheet.blocks[i].piece(next[i])
		next[i]++
		add(i, own, size{})
		if f.complete > 0 {
			grow()
		}
	}
	learnings := f.sheet.learnings()
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
	grow()
	rounds(ShouldKeep, first)
	rounds(ShouldKeep, all)
	rounds(CanSummarise, all)
	room := size{} // nothing else is left out: the texts grow on, and the learnings keep to their share
	for _, g := range growers {
		for len(g.sizes) > 0 {
			if g.what >= 0 {
				room = room.orMore(g.sizes[0].wants())
			}
			extend(g, room)
		}
	}
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

// at returns how many pieces of each block and how many lengths of each text order[:n] shows.
func (f *fitting) at(n int) (shown []int, lengths [texts]int) {
	shown = make([]int, len(f.sheet.blocks))
	for _, what := range f.order[:n] {
		if what < 0 {
			lengths[^what]++
		} else {
			shown[what]++
		}
	}
	return shown, lengths
}

// note is the line that says what order[:n] leaves out.
func (f *fitting) note(n int, shown []int) string {
	if n < f.complete {
		return incomplete + "needs " + f.needs.String() + "; left out: " +
			f.sheet.leftOut(f.brief, shown, func(p Part) bool { return p.Tier == MustKeep }) + "\n\n"
	}
	return f.sheet.leaves(f.brief, shown)
}

// size is the size of order[:n] with its note.
func (f *fitting) size(n int) size {
	shown, _ := f.at(n)
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
