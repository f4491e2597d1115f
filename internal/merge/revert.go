package merge

import (
	"bytes"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
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
	r := &reversal{merger: &merger{}}
	eols, err := r.read(was, now, before)
	if err != nil {
		return nil, nil, err
	}
	front := r.front()
	units := r.units()
	if len(r.changed) > 0 {
		return nil, r.changed, nil
	}
	text := front + r.write(units)
	if err := check(text, r.keys, units); err != nil {
		return nil, nil, err
	}
	out := []byte(withEOL(text, eols[1]))
	if field(r.x, "last_delta") != nil {
		out = inStep(out)
	}
	return out, nil, nil
}

// reversal is a merge of the version before (y) into the one now (x) that began as the
// version in between (base), and that keeps nothing which only that has.
type reversal struct {
	*merger
	changed []string       // what the change wrote and is not so any more
	gone    []replacedUnit // texts of the change that others replaced
}

func (r *reversal) changedSince(name string) {
	if !slices.Contains(r.changed, name) {
		r.changed = append(r.changed, name)
	}
}

// front takes the change out of the frontmatter. Keys that go with each delta are those of
// a later one where that wrote them.
func (r *reversal) front() string {
	if r.x.Front.Span.Len() == 0 {
		r.keys = keys(r.x)
		return r.x.Slice(doc.Span{End: r.x.Front.Span.End})
	}
	of := map[string]string{}
	for _, key := range unique(slices.Concat(keys(r.base), keys(r.x), keys(r.y))) {
		was, now, before := field(r.base, key), field(r.x, key), field(r.y, key)
		switch {
		case sameField(was, before), sameField(now, before):
			of[key] = lines(r.x, key)
		case sameField(was, now):
			of[key] = lines(r.y, key)
		default:
			if of[key] = lines(r.x, key); was != nil && now == nil && before == nil {
				continue
			}
			if !slices.Contains(asOfDelta, key) {
				r.changedSince(key)
			}
		}
	}
	return r.writeFront(of)
}

func sameField(a, b *doc.Field) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Value == b.Value
}

// units takes the change out of the sections.
func (r *reversal) units() []*unit {
	was, now, before := split(r.base), split(r.x), split(r.y)
	var wasKeys, nowKeys, beforeKeys []string
	r.was, wasKeys = byKey(was)
	r.inX, nowKeys = byKey(now)
	r.inY, beforeKeys = byKey(before)
	all := map[string]*unit{}
	for _, n := range now {
		u := *n
		all[n.key] = &u
	}
	var gaveWay []*unit // texts in the place of which the change put its own
	for _, b := range before {
		w, n := r.was[b.key], all[b.key]
		switch {
		case w == nil && n == nil:
			all[b.key] = b
		case w == nil, w.same(b):
		case n == nil:
			r.changedSince(w.named())
		case r.inX[b.key].same(w):
			all[b.key] = b
			if b.replacedWhole() {
				gaveWay = append(gaveWay, b)
			}
		default:
			r.revertBody(w, n, b)
		}
	}
	for _, w := range slices.Backward(was) {
		if r.inY[w.key] != nil {
			continue
		}
		n := all[w.key]
		switch {
		case n == nil:
			r.changedSince(w.named())
			continue
		case w.class == completion && !n.same(w):
			if rest, ok := withoutCompletion(n.body, w.body); ok {
				n.body = rest
			} else {
				r.revertBody(w, n, &unit{doc: emptyDoc, kind: n.kind, known: n.known})
			}
		case w.class != delta && !n.same(w):
			r.revertBody(w, n, &unit{doc: emptyDoc, kind: n.kind, known: n.known})
		default:
			n.body = ""
		}
		if plain(n.body) == "" && !hasParts(now, all, w.key) {
			delete(all, w.key)
		}
	}
	for _, g := range r.gone {
		g.forget(all)
	}
	for _, b := range gaveWay {
		if text := r.takeKept(all, now, b); text != "" {
			u := *b
			u.body = "\n" + text
			all[b.key] = &u
		}
	}
	stays := func(key string) bool { return all[key] != nil }
	var out []*unit
	for _, key := range weave(wasKeys, nowKeys, beforeKeys, stays, r.lesser(all, was, now, before)) {
		if all[key] != nil {
			out = append(out, all[key])
		}
	}
	return out
}

// hasParts reports whether sections below one of now remain.
func hasParts(now []*unit, all map[string]*unit, key string) bool {
	i := slices.IndexFunc(now, func(u *unit) bool { return u.key == key })
	for _, u := range now[i+1:] {
		if u.level <= now[i].level || now[i].class == delta {
			return false
		}
		if all[u.key] != nil {
			return true
		}
	}
	return false
}

// revertBody takes what w has and b has not out of n, entry by entry, and puts back what
// only b has.
func (r *reversal) revertBody(w, n, b *unit) {
	if w.class == delta || w.class == remnant {
		r.changedSince(w.named())
		return
	}
	if text, ok := outcomeTaken(w, n, b); ok {
		n.body = text
		return
	}
	_, was := w.entries()
	white, have := n.entries()
	_, then := b.entries()
	wrote, missing := 0, 0
	for _, e := range was {
		if e.family == guide || hasText(then, e) || isNone(e) {
			continue
		}
		if wrote++; !hasText(have, e) {
			missing++
		}
	}
	if missing > 0 {
		if missing < wrote || !n.replacedWhole() {
			r.changedSince(w.named())
		}
		r.gone = append(r.gone, replacedUnit{w, slices.DeleteFunc(was, func(e entry) bool { return hasText(then, e) })})
		return
	}
	for _, e := range have {
		if e.family == guide || hasText(was, e) {
			continue
		}
		then = slices.DeleteFunc(slices.Clone(then), isNone) // there are some
		if e.family == row {
			was = slices.DeleteFunc(slices.Clone(was), func(w entry) bool { return w.header }) // a row needs it
		}
	}
	s := &union{was: was, x: have, y: then, less: func(a, b string) bool { return a < b }}
	n.merged = s.merge()
	n.body = white + s.text(n.merged)
}

func hasText(all []entry, e entry) bool {
	return slices.ContainsFunc(all, func(have entry) bool { return have.key == e.key })
}

// isNone reports whether an entry only says that there are none.
func isNone(e entry) bool {
	_, text, _ := strings.Cut(e.key, " ")
	return e.family != row && checkpoint.IsNone(text)
}

// replacedWhole reports whether the text of a section is replaced as a whole.
func (u *unit) replacedWhole() bool {
	return u.known && slices.Contains([]checkpoint.Kind{checkpoint.Problem, checkpoint.Intent, checkpoint.State, checkpoint.Next}, u.kind)
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
