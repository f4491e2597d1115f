package merge

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
)

// front unites the frontmatter key by key: all of it up to the body. Of last_delta
// the later time counts, and what is written with a delta goes with it. Of any other
// key that both changed theirs was written later.
func (m *merger) front() string {
	o, t := &m.ours.Front, &m.theirs.Front
	all := string(m.ours.Bytes()[:o.Span.End])
	switch {
	case t.Span.Len() == 0:
		return all
	case o.Span.Len() == 0:
		return withEOL(string(m.theirs.Bytes()[:t.Span.End]), m.ours.EOL())
	}
	var edits []edit
	for i, f := range t.Fields {
		b, o := field(m.base, f.Key), field(m.ours, f.Key)
		switch {
		case b != nil && b.Value == f.Value, o != nil && o.Value == f.Value:
		case o != nil && b != nil && o.Value == b.Value:
			edits = append(edits, edit{o.Span, m.line(f)})
		case o != nil:
			asOf := slices.Contains(asOfDelta, f.Key)
			if asOf && !m.later() {
				continue
			}
			if said := "`" + f.Key + "` was changed on both sides: it is " + strings.TrimSpace(f.Value) + ", and was " + strings.TrimSpace(o.Value); !ckptOwn(f.Key) {
				m.remark(said)
				if !asOf {
					m.keys[f.Key] = said
				}
			}
			edits = append(edits, edit{o.Span, m.line(f)})
		default:
			at := m.behind(t.Fields[:i])
			edits = append(edits, edit{doc.Span{Start: at, End: at}, m.line(f)})
		}
	}
	for _, b := range m.base.Front.Fields {
		if o := field(m.ours, b.Key); o != nil && o.Value == b.Value && field(m.theirs, b.Key) == nil {
			edits = append(edits, edit{o.Span, ""})
		}
	}
	return applied(all, edits)
}

// edit replaces a span of ours.
type edit struct {
	span doc.Span
	text string
}

// line is a field of theirs as ours would have it.
func (m *merger) line(f doc.Field) string {
	return withEOL(strings.TrimRight(m.theirs.Slice(f.Span), "\r\n")+"\n", m.ours.EOL())
}

// behind is where a new key goes: behind the nearest of those that stand before it
// in theirs.
func (m *merger) behind(before []doc.Field) int {
	for _, f := range slices.Backward(before) {
		if o := field(m.ours, f.Key); o != nil {
			return o.Span.End
		}
	}
	return m.ours.Front.Inner.Start
}

// asOfDelta are the keys that say how things stood at the last delta.
var asOfDelta = []string{"last_delta", "base", "status", "phase", "step", "agent", "session", "trigger", "tokens_used", "progress"}

// later says whether the last delta of theirs is the later one; it is where nobody
// can tell, since what is merged into ours was mostly written after it.
func (m *merger) later() bool {
	o, t, b := field(m.ours, "last_delta"), field(m.theirs, "last_delta"), field(m.base, "last_delta")
	if o == nil || t == nil || o.Value == t.Value || b != nil && b.Value == o.Value {
		return true
	}
	theirs, ok := checkpoint.ParseTime(t.Value)
	ours, known := checkpoint.ParseTime(o.Value)
	return ok && (!known || theirs.After(ours))
}

// ckptOwn says whether a key is one that ckpt writes with every delta.
func ckptOwn(key string) bool { return key == "last_delta" || key == "base" }

func field(d *doc.Doc, key string) *doc.Field {
	for i := range d.Front.Fields {
		if d.Front.Fields[i].Key == key {
			return &d.Front.Fields[i]
		}
	}
	return nil
}
