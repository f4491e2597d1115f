package importing

import (
	"cmp"
	"strings"
	"unicode"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

var (
	bullet = text.Regexp(`^\s*(?:[-*+]|\d+[.)])\s+`)
	// startsLower matches a text that begins with a lower-case letter.
	startsLower = text.Regexp(`^\s*\p{Ll}`)
	field       = text.Regexp(`^\p{Ll}[\w-]*: `)
	indented    = text.Regexp(`^(?:\s|[-*+]\s|\d+[.)]\s)`)
	quoteMark   = text.Regexp(`^\s*>\s*`)
	forms       = text.Regexp("^[/.@$#({\\[\"'-]|[`|<>*]")
	boldLabel   = text.Regexp(`^\*\*([^*]+?)(?:[:：]\*\*:?|\*\*\s*(?:\([^)]*\))?(?:[:：]|$))\s*(.*)$`)
	plainLabel  = text.Regexp(`^([^:：]+)(?:：|:(?: |$))(.*)$`)
)

// label splits a line that begins with a label, such as "Next:" or "**Goal:** x", into the label and
// the rest.
func label(line string) (name, rest string, bold, ok bool) {
	line = strings.TrimSpace(line)
	for _, form := range []text.Regexp{boldLabel, plainLabel} {
		m := form.Get().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name, rest = strings.TrimSpace(m[1]), strings.TrimSpace(m[2])
		hasLetter := strings.ContainsFunc(name, unicode.IsLetter)
		if len(name) <= 80 && hasLetter && !forms.Get().MatchString(name) {
			return name, rest, form == boldLabel, true
		}
	}
	return "", "", false, false
}

// isLabelLine reports whether a line outside of lists begins with a label. The label must be bold, name a section, or
// be alone on the line.
func isLabelLine(line string) bool {
	name, rest, bold, ok := label(line)
	if !ok || startsLower.Get().MatchString(line) || indented.Get().MatchString(line) {
		return false
	}
	_, sure := meaning(name)
	return sure >= clear || rest == "" || bold
}

// labelOf returns a node for the label at the start of a line, and reports whether the line begins a new text. A label
// that names no section has no node. It begins a new text only if ends is true and no heading follows.
func (r *reader) labelOf(line string, ends bool) (*node, bool) {
	name, rest, bold, ok := label(line)
	hasColon := strings.ContainsAny(line, ":：")
	ok = ok && (!bold || !startsLower.Get().MatchString(name)) // "**id**: a number" describes a field
	home := r.head.kind
	kind, sure := meaning(name)
	isReading := home == checkpoint.Next && kind == checkpoint.Breadcrumbs && rest == "" // "Read in this order:"
	if !ok || !r.labels && !isReading {
		return nil, false
	}
	n := &node{title: name, names: kind, sure: sure, kind: nowhere, maybe: nowhere, inline: rest != "",
		words: strings.TrimSuffix(strings.TrimSpace(line), rest)}
	counts := kind != home && r.counts(n, kind, bold) && !checkpoint.IsNone(cmp.Or(rest, name))
	isGoal := kind == checkpoint.Intent && (counts || bold)
	switch {
	case counts && sure >= clear:
		n.kind = kind
		return n, true
	case home == nowhere && hasColon && isGoal:
		n.maybe = kind // "**Task:** x" below a heading counts only if nothing else names the goal
		return n, true
	case !ends, !r.flat:
		return nil, false
	}
	return nil, rest == "" || bold || r.at.isLabel() && !startsLower.Get().MatchString(line)
}

// counts reports whether a label begins the section that it names. Before the first heading, every label does. Below a
// heading, a label of next actions, the state, finished work, decisions or breadcrumbs does if it is alone on its line.
// A label with text on its line does if it is bold and names next actions or decisions, or if it names next actions and
// is below finished work or tells what to do first.
func (r *reader) counts(n *node, kind checkpoint.Kind, bold bool) bool {
	switch kind {
	case checkpoint.Next:
		isPlain := n.inline && !bold && !r.intro
		isBelowDone := n.sure == whole && r.head.kind == checkpoint.PlayByPlay
		return !isPlain || isBelowDone || foremost.Get().MatchString(n.title)
	case checkpoint.State, checkpoint.PlayByPlay, checkpoint.Decisions, checkpoint.Breadcrumbs:
		return r.intro || !n.inline || bold && kind == checkpoint.Decisions
	}
	return r.intro
}

// begin starts the text of the label n, or of no label if n is nil, at a line. It returns the offset of the text: the
// start of the line, or its end if the label is alone on it.
func (r *reader) begin(n *node, line doc.Span) int {
	r.at = cmp.Or(n, r.head)
	if n == nil {
		return line.Start
	}
	n.up, n.depth, n.old, n.entry = r.head, min(r.head.depth+1, 6), r.head.old, r.head.entry
	if n.old {
		n.kind, n.maybe = nowhere, nowhere
	}
	if n.kind == checkpoint.State || n.kind == checkpoint.Next {
		key := text.BareTitle(n.title)
		if was := r.last[key]; was != nil {
			was.kind = r.head.kind // of several labels "Status:" the last one counts
		}
		r.last[key] = n
	}
	r.nodes = append(r.nodes, n)
	if n.inline {
		return line.Start
	}
	r.add(block{span: line})
	return line.End
}
