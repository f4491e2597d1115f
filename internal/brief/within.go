package brief

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/token"
)

// Limit bounds a brief. Zero is no bound; the zero value bounds nothing.
type Limit struct {
	Tokens int // as package token estimates them
	Bytes  int
}

// None says whether there is no bound at all.
func (l Limit) None() bool { return l == Limit{} }

// admits says whether something of that size is within the limit.
func (l Limit) admits(s size) bool {
	return (l.Tokens == 0 || s.cost.Tokens() <= l.Tokens) && (l.Bytes == 0 || s.bytes <= l.Bytes)
}

// size is how large a text is by both measures. Sizes of whole lines add up.
type size struct {
	cost  token.Cost
	bytes int
}

func sizeOf(text string) size { return size{token.Of(text), len(text)} }

func (s size) plus(t size) size { return size{s.cost + t.cost, s.bytes + t.bytes} }

// Rendering is a brief within a limit.
//
// What is shown comes in one order: the head, must-keep (its sections in turn, the one
// that has shown least next), the facts, the work that no delta mentions, the commands,
// should-keep, what can be summarised. Learnings, and the longer lengths of the facts, the
// work and the commands, come in between as soon as each is at most 15 % of what is shown
// so far, the others at the end: of the learnings never more than 15 % of the limit, of
// the texts what there is room for. A rendering shows that order up to the last piece that
// fits, so a larger limit shows the same and more, and no piece is shown in part. The same
// brief and limit give the same bytes.
type Rendering struct {
	Brief    *Brief
	Limit    Limit
	Text     string // never more than the limit
	Complete bool   // it holds all that must be kept
	Needs    Limit  // what it takes to be complete: with exactly that it is. Bounds that the limit has, others are zero
	Shown    []Shown
	Log      string // what the checkpoint protocol has an agent log when it resumes; "" for nothing

	blocks   []block // of the brief as it was laid out
	protocol bool
}

// State says what became of a part.
type State string

// The states of a part.
const (
	Kept       State = "kept"
	Compressed State = "compressed" // to whole pieces
	Dropped    State = "dropped"
)

// Shown is what a rendering shows of a part.
type Shown struct {
	Part
	State State
	Text  string // that is shown, without its heading
	Items int    // the pieces that are shown
	Of    int    // all pieces of the part
	Why   string
}

// Markdown is the whole brief.
func (b *Brief) Markdown() string { return b.Within(Limit{}).Text }

// Within is the brief within a limit. Where not even what must be kept fits, it is
// incomplete: the first line says so, whole pieces follow in order. A limit that
// has no room for that line gives an empty text.
func (b *Brief) Within(l Limit) *Rendering { return b.fit(b.markdown(), l) }

// AsProtocol is the brief within a limit in the words of the checkpoint protocol.
func (b *Brief) AsProtocol(l Limit, t Terms) *Rendering {
	if t.Phase == "" {
		t.Phase = b.Anchor
	}
	r := b.fit(protocol(t), l)
	r.protocol = true
	if t.Phase != "" {
		r.Log = "[Agent] Resuming from phase: " + t.Phase
	}
	return r
}

func (b *Brief) fit(s sheet, l Limit) *Rendering {
	r := &Rendering{Brief: b, Limit: l, Complete: true, blocks: s.blocks}
	if l.None() {
		shown := make([]int, len(s.blocks))
		for i := range shown {
			shown[i] = len(s.blocks[i].pieces)
		}
		var lengths [texts]int
		for i := range lengths {
			lengths[i] = len(s.texts[i])
		}
		r.Text = s.text(shown, lengths, s.leaves(b, shown))
		r.tell(s, shown)
		return r
	}
	f := newFitting(b, s, l)
	shown := make([]int, len(s.blocks))
	if n := f.most(); n >= 0 {
		var lengths [texts]int
		shown, lengths = f.at(n)
		r.Text = s.text(shown, lengths, f.note(n, shown))
		r.Complete = n >= f.complete
	} else {
		r.Text, r.Complete = f.stub(), false
	}
	if !r.Complete {
		r.Needs = f.needs
	}
	r.tell(s, shown)
	return r
}

// Command is what to type where a brief is incomplete: it has room for all that must
// be kept.
func (r *Rendering) Command() string {
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

// text puts a sheet together. The note is the line that says what is left out; one
// that says INCOMPLETE stands first.
func (s sheet) text(shown []int, lengths [texts]int, note string) string {
	var w strings.Builder
	if strings.HasPrefix(note, incomplete) {
		w.WriteString(note)
		note = ""
	}
	w.WriteString(s.head)
	w.WriteString(s.texts[theFacts].first(lengths[theFacts]))
	w.WriteString(s.texts[theWork].first(lengths[theWork]))
	for i, b := range s.blocks {
		w.WriteString(b.shown(shown[i]))
	}
	w.WriteString(note)
	w.WriteString(s.texts[theCommands].first(lengths[theCommands]))
	w.WriteString(s.last)
	return w.String()
}

// tell fills in what became of the parts.
func (r *Rendering) tell(s sheet, shown []int) {
	for i, b := range s.blocks {
		n, all := shown[i], len(b.pieces)
		t := Shown{Part: b.part, State: Kept, Items: n, Of: all, Why: "it fits"}
		var text strings.Builder
		for _, p := range b.pieces[:n] {
			text.WriteString(p.before + p.text)
		}
		t.Text = strings.TrimRight(text.String(), "\n")
		if n == all {
			t.Text = b.part.Text
		}
		switch {
		case r.Limit.None():
			t.Why = "no limit"
		case n == 0 && all > 0:
			t.State, t.Why = Dropped, "no room is left in "+r.Limit.String()
		case n < all:
			t.State, t.Why = Compressed, fmt.Sprintf("%s have room for %d of %d", r.Limit, n, all)
		}
		r.Shown = append(r.Shown, t)
	}
}

// String is the limit in words: "500 tokens".
func (l Limit) String() string {
	var parts []string
	for _, m := range []struct {
		n    int
		what string
	}{{l.Tokens, "token"}, {l.Bytes, "byte"}} {
		if m.n > 0 {
			parts = append(parts, text.Count(m.n, m.what))
		}
	}
	return strings.Join(parts, " and ")
}
