package merge

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
)

// Clash is a place where both sides have put a text of their own for what was one, or
// was none. A decision, a user rule and a row of a table never clash: both are true.
type Clash struct {
	Section            string   // its title, or the key of the frontmatter
	At                 doc.Span // in the result
	Base, Ours, Theirs string   // each ends in a line break, or is empty
	Remark             string   // that of the result's which speaks of it
}

// Settled is the result with a text in the place of each clash, in their order.
func (r Result) Settled(texts []string) []byte {
	var out strings.Builder
	at := 0
	for i, c := range r.Clashes {
		out.Write(r.Bytes[at:c.At.Start])
		out.WriteString(trimEnd(texts[i]))
		at = c.At.End
	}
	out.Write(r.Bytes[at:])
	return []byte(out.String())
}

// sides is the body of a section as each version has it, and what is said of it.
type sides struct{ base, ours, theirs, remark string }

// united are the sections to which both sides add, and in which both may be right.
var united = []checkpoint.Kind{checkpoint.Decisions, checkpoint.Rules, checkpoint.Breadcrumbs, checkpoint.Artifacts}

// added are those that grow: what both added does not clash, what both reworded does.
var added = []checkpoint.Kind{checkpoint.Context, checkpoint.PlayByPlay}

// asks says whether a person would choose between what both sides made of a section.
func (u *unit) asks(replaced bool) bool {
	name, known := strings.CutPrefix(u.key, "kind ")
	if !known {
		return true
	}
	kind, _ := checkpoint.KindNamed(strings.SplitN(name, "\n", 2)[0])
	return !slices.Contains(united, kind) && (replaced || !slices.Contains(added, kind))
}

// clashes finds in the result, which reads as got, the bodies that a person would
// choose between.
func (m *merger) clashes(units, got []*unit) []Clash {
	var all []Clash
	eol := m.ours.EOL()
	text := func(body string) string {
		if body = withEOL(said(body), eol); body == "" {
			return ""
		}
		return body + eol
	}
	for i, u := range units {
		if u.sides == nil {
			continue
		}
		at := got[i].span
		at.End = at.Start + len(said(got[i].body))
		all = append(all, Clash{
			Section: u.named(), At: at,
			Base: text(u.sides.base), Ours: text(u.sides.ours), Theirs: text(u.sides.theirs), Remark: u.sides.remark,
		})
	}
	return all
}

// keyClashes finds in the result the lines of the keys that the sides do not agree on.
func (m *merger) keyClashes(result *doc.Doc) []Clash {
	var all []Clash
	line := func(d *doc.Doc, key string) string {
		f := field(d, key)
		if f == nil {
			return ""
		}
		return withEOL(trimEnd(d.Slice(f.Span))+"\n", m.ours.EOL())
	}
	for _, f := range result.Front.Fields {
		if m.keys[f.Key] == "" {
			continue
		}
		at := f.Span
		at.End = at.Start + len(trimEnd(result.Slice(at)))
		all = append(all, Clash{Section: f.Key, At: at, Base: line(m.base, f.Key), Ours: line(m.ours, f.Key), Theirs: line(m.theirs, f.Key), Remark: m.keys[f.Key]})
	}
	return all
}
