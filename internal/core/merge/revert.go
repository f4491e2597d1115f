package merge

import (
	"bytes"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
)

// Revert takes one change out of a Markdown file: what led from before to was, out of now,
// which has changed since. Decisions, rules and deltas that the change added go, too; what
// others wrote stays, line for line.
//
// Where the text that the change wrote is not as it left it any more, changed names the
// sections and nothing is reverted. A text that was replaced as a whole since, such as the
// current state, is no obstacle: the later one stays.
func Revert(was, now, before []byte) (src []byte, changed []string, err error) {
	switch {
	case bytes.Equal(now, was):
		return before, nil, nil
	case bytes.Equal(was, before), bytes.Equal(now, before):
		return now, nil, nil
	}
	m := &merger{keys: map[string]string{}}
	for _, version := range []struct {
		src []byte
		to  **doc.Doc
	}{{was, &m.base}, {now, &m.ours}, {before, &m.theirs}} {
		if *version.to, err = doc.Parse(version.src); err != nil {
			return nil, nil, fault.New(fault.Invalid, "a version cannot be read: %w", err)
		}
	}
	r := &reversal{merger: m}
	front := r.front()
	units := r.units(split(m.base), split(m.ours), split(m.theirs))
	if len(r.changed) > 0 {
		return nil, r.changed, nil
	}
	out := []byte(front + m.text(units))
	if _, _, err := check(out, units); err != nil {
		return nil, nil, err
	}
	if field(m.ours, "last_delta") != nil {
		out = inStep(out)
	}
	return out, nil, nil
}

// reversal is a merge of the version before into the one now that began as the version in
// between, and that keeps nothing which only that has.
type reversal struct {
	*merger
	changed []string // what the change wrote and is not so any more
}

func (r *reversal) changedSince(name string) {
	if !slices.Contains(r.changed, name) {
		r.changed = append(r.changed, name)
	}
}

// front takes the change out of the frontmatter. Keys that go with each delta are those of
// a later one where that wrote them.
func (r *reversal) front() string {
	now := r.ours
	all := string(now.Bytes()[:now.Front.Span.End])
	if now.Front.Span.Len() == 0 {
		return all
	}
	var edits []edit
	for i, f := range r.theirs.Front.Fields {
		was, have := field(r.base, f.Key), field(now, f.Key)
		switch {
		case was != nil && was.Value == f.Value, have != nil && have.Value == f.Value:
		case have != nil && was != nil && have.Value == was.Value:
			edits = append(edits, edit{have.Span, r.line(f)})
		case have == nil && was == nil:
			at := r.behind(r.theirs.Front.Fields[:i])
			edits = append(edits, edit{doc.Span{Start: at, End: at}, r.line(f)})
		case !slices.Contains(asOfDelta, f.Key):
			r.changedSince(f.Key)
		}
	}
	for _, was := range r.base.Front.Fields {
		have := field(now, was.Key)
		switch {
		case have == nil || field(r.theirs, was.Key) != nil:
		case have.Value == was.Value:
			edits = append(edits, edit{have.Span, ""})
		case !slices.Contains(asOfDelta, was.Key):
			r.changedSince(was.Key)
		}
	}
	return applied(all, edits)
}

// applied is text with edits, whose spans do not overlap.
func applied(text string, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.span.Start - b.span.Start })
	var out strings.Builder
	at := 0
	for _, e := range edits {
		out.WriteString(text[at:max(at, e.span.Start)] + e.text)
		at = max(at, e.span.End)
	}
	return out.String() + text[at:]
}

// units takes the change out of the sections.
func (r *reversal) units(was, now, before []*unit) []*unit {
	left, have, then := byKey(was), byKey(now), byKey(before)
	out := slices.Clone(now)
	for i, b := range before {
		w, n := left[b.key], have[b.key]
		switch {
		case w == nil && n == nil:
			out = insert(out, before[:i], b)
		case w == nil, w.untouched(b): // a rule goes with the delta behind it
		case n == nil:
			r.changedSince(w.named())
		case n.untouched(w):
			rest := trimEnd(n.body)[len(said(n.body)):] // the rule
			n.head, n.body, n.level, n.touched = b.head, b.body, b.level, true
			if rest != "" {
				n.body = said(b.body) + rest + "\n"
			}
		default:
			r.revertBody(w, n, b)
		}
	}
	for _, w := range was {
		if then[w.key] != nil {
			continue
		}
		n := have[w.key]
		if n == nil && w.delta {
			n = extended(now, w)
		}
		switch {
		case n == nil:
			r.changedSince(w.named())
			continue
		case !w.delta && !n.untouched(w):
			r.revertBody(w, n, &unit{doc: emptyDoc})
		default:
			n.body, n.touched = "", true
		}
		if plain(n.body) == "" && !hasParts(out, n) {
			out = without(out, n)
		}
	}
	return out
}

// extended returns the delta that is w with more below it: a merge keeps there what the
// delta had replaced elsewhere.
func extended(now []*unit, w *unit) *unit {
	for _, n := range now {
		if n.delta && n.title() == w.title() && strings.HasPrefix(plain(said(n.body)), plain(said(w.body))) {
			return n
		}
	}
	return nil
}

// hasParts reports whether sections below u remain.
func hasParts(units []*unit, u *unit) bool {
	i := slices.Index(units, u) + 1
	return !u.delta && i < len(units) && units[i].level > u.level
}

// without takes out a unit, and the rule before it if that leads to nothing now.
func without(units []*unit, u *unit) []*unit {
	i := slices.Index(units, u)
	if i+1 < len(units) {
		units[i+1].afterGap = true
	} else if i > 0 {
		units[i-1].touched = true // it ends the file now
	}
	if u.parted() && i > 0 && (i+1 == len(units) || !units[i+1].parted()) {
		p := units[i-1]
		if text := said(p.body); text != trimEnd(p.body) {
			p.body, p.touched = text+"\n", true
		}
	}
	return slices.Delete(units, i, i+1)
}

// revertBody takes what w has and b has not out of n, entry by entry, and puts back what
// only b has.
func (r *reversal) revertBody(w, n, b *unit) {
	if w.delta || strings.HasPrefix(w.key, "remnant ") {
		r.changedSince(w.named())
		return
	}
	_, was := w.entries()
	lead, have := n.entries()
	_, then := b.entries()
	was, then = unruled(was), unruled(then)
	wrote, missing := 0, 0
	for _, e := range was {
		if e.family == guide || find(then, e.key) >= 0 || isNone(e) {
			continue
		}
		if wrote++; find(have, e.key) < 0 {
			missing++
		}
	}
	if missing > 0 {
		if missing < wrote || !n.replacedWhole() {
			r.changedSince(w.named())
		}
		return
	}
	for _, e := range have {
		if e.family == guide || e.key == rule || find(was, e.key) >= 0 {
			continue
		}
		then = slices.DeleteFunc(slices.Clone(then), isNone) // there are some
		if e.family == row {
			was = slices.DeleteFunc(slices.Clone(was), func(w entry) bool { return w.header }) // a row needs it
		}
	}
	h := &union{was: was, have: have, other: then, out: slices.Clone(have)}
	h.putBack() // before drop: what takes an entry's place goes where that is
	h.drop()
	if !h.changed {
		return
	}
	renumber(h.out)
	var text strings.Builder
	text.WriteString(lead)
	for _, e := range h.out {
		text.WriteString(e.text + e.gap)
	}
	n.body, n.touched, n.united = text.String(), true, h.out
}

// putBack puts the entries that was lacks where they were before: behind their
// predecessor, else in front of their successor.
func (h *union) putBack() {
	for i, t := range h.other {
		if t.family == guide || find(h.have, t.key) >= 0 || find(h.was, t.key) >= 0 {
			continue
		}
		h.changed = true
		h.insert(h.formerPlace(i), t)
	}
}

// formerPlace is where the entry i of other goes.
func (h *union) formerPlace(i int) int {
	for _, p := range slices.Backward(h.other[:i]) {
		if at := find(h.out, p.key); at >= 0 {
			return at + 1
		}
	}
	for _, s := range h.other[i+1:] {
		if at := find(h.out, s.key); at >= 0 {
			return at
		}
	}
	return h.place(nil, h.other[i])
}

// isNone reports whether an entry only says that there are none.
func isNone(e entry) bool {
	_, text, _ := strings.Cut(e.key, " ")
	return e.family != row && checkpoint.IsNone(text)
}

// replacedWhole reports whether the text of a section is replaced as a whole.
func (u *unit) replacedWhole() bool {
	for _, kind := range []checkpoint.Kind{checkpoint.Problem, checkpoint.Intent, checkpoint.State, checkpoint.Next} {
		if u.key == "kind "+kind.Template().Name {
			return true
		}
	}
	return false
}

// inStep sets last_delta to the newest delta that is left, where a checkpoint has a newer one
// than it says.
func inStep(src []byte) []byte {
	c, err := checkpoint.Parse("active/x.md", src)
	if err != nil {
		return src
	}
	newest := c.Changed()
	for _, d := range c.Deltas() {
		if d.At.After(newest) {
			newest = d.At
		}
	}
	if newest.Equal(c.Changed()) {
		return src
	}
	if set, err := c.Revise().Set("last_delta", checkpoint.FormatTime(newest)).Apply(); err == nil {
		return set.Doc.Bytes()
	}
	return src
}
