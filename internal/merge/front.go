package merge

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// asOfDelta contains the keys that describe the state at the last delta.
var asOfDelta = []string{
	"last_delta", "base", "status", "phase", "step", "agent", "session", "trigger", "tokens_used", "progress",
}

// front merges the frontmatter key by key. If both sides changed a key, it takes the earlier value
// for `created`, and for any other key the value that takesX selects.
func (m *merger) front() string {
	x, y := &m.x.Front, &m.y.Front
	switch {
	case y.Span.Len() == 0:
		m.keys = keys(m.x)
		return m.x.Slice(doc.Span{End: x.Span.End})
	case x.Span.Len() == 0:
		m.keys = keys(m.y)
		return m.y.Slice(doc.Span{End: y.Span.End})
	}
	of := map[string]string{}
	for _, f := range slices.Concat(x.Fields, y.Fields) {
		of[f.Key] = m.line(f.Key)
	}
	return m.writeFront(of)
}

// writeFront writes the frontmatter with the given lines of each key, in the merged order.
func (m *merger) writeFront(of map[string]string) string {
	stays := func(key string) bool { return of[key] != "" }
	less := func(a, b string) bool { return checkpoint.CompareFields(a, b) < 0 }
	x := &m.x.Front
	var out strings.Builder
	out.WriteString(m.x.Slice(doc.Span{End: x.Inner.Start}))
	for _, key := range mergeOrder(keys(m.base), keys(m.x), keys(m.y), stays, less) {
		if stays(key) {
			m.keys = append(m.keys, key)
			out.WriteString(of[key])
		}
	}
	end := x.Inner.Start
	if n := len(x.Fields); n > 0 {
		end = x.Fields[n-1].Span.End
	}
	return out.String() + m.x.Slice(doc.Span{Start: end, End: x.Span.End})
}

// line returns the lines of a key in the result, with the comments before it, or an empty
// string if the result lacks the key.
func (m *merger) line(key string) string {
	b, x, y := field(m.base, key), field(m.x, key), field(m.y, key)
	switch {
	case x == nil && b != nil && b.Value == y.Value, y == nil && b != nil && b.Value == x.Value:
		return ""
	case x == nil:
		return lines(m.y, key)
	case y == nil || y.Value == x.Value || b != nil && b.Value == y.Value:
		return lines(m.x, key)
	case b != nil && b.Value == x.Value:
		return lines(m.y, key)
	}
	takesX := m.takesX(x.Value, y.Value)
	if key == "created" {
		takesX = !isEarlier(y.Value, x.Value)
	}
	taken, lost := m.x, m.y
	if !takesX {
		taken, lost = m.y, m.x
	}
	if key != "last_delta" && key != "base" {
		m.note(Replaced, "both sides changed `%s`: it is %s, and was %s", key,
			strings.TrimSpace(field(taken, key).Value), strings.TrimSpace(field(lost, key).Value))
	}
	return lines(taken, key)
}

// lines returns the lines of a key, with the comments before it.
func lines(d *doc.Doc, key string) string {
	at := d.Front.Inner.Start
	for _, f := range d.Front.Fields {
		if f.Key == key {
			return strings.TrimRight(d.Slice(doc.Span{Start: at, End: f.Span.End}), "\n") + "\n"
		}
		at = f.Span.End
	}
	return ""
}

func keys(d *doc.Doc) []string {
	all := make([]string, len(d.Front.Fields))
	for i, f := range d.Front.Fields {
		all[i] = f.Key
	}
	return all
}

func field(d *doc.Doc, key string) *doc.Field {
	for i := range d.Front.Fields {
		if d.Front.Fields[i].Key == key {
			return &d.Front.Fields[i]
		}
	}
	return nil
}

// isEarlier reports whether a is a time, and b is a later time or not a time.
func isEarlier(a, b string) bool {
	at, ok := checkpoint.ParseTime(a)
	bt, known := checkpoint.ParseTime(b)
	return ok && (!known || at.Before(bt))
}
