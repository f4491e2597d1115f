package importing

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// reach determines which labels begin a section in a text.
type reach int

// The values of reach, the narrowest first.
const (
	noLabels     reach = iota
	statusLabels       // labels for done, state, next and decisions, alone on a line; "Next: x" also on one line
	introLabels        // also labels for the goal, the problem and the like, also on one line
	allLabels          // all labels, and each ends the previous one: for files without headings
)

// reachOf returns which labels count in the text of a heading.
func (r *reader) reachOf(h *node) reach {
	intro := h.up == nil || r.isTitle(h)
	headings := len(r.doc.Sections())
	switch {
	case h.old && h.kind == nowhere:
		return noLabels
	case intro && h.kind == nowhere && (headings == 0 || headings == 1 && h.up != nil):
		return allLabels
	case intro && h.kind == nowhere:
		return introLabels
	case h.kind == nowhere, h.kind == checkpoint.PlayByPlay, h.kind == checkpoint.State:
		return statusLabels
	}
	return noLabels
}

// reachFor returns the narrowest reach in which a label for a section counts.
func reachFor(k checkpoint.Kind, inline bool) reach {
	switch k {
	case checkpoint.Next:
		return statusLabels
	case checkpoint.State, checkpoint.PlayByPlay, checkpoint.Decisions:
		if inline {
			return introLabels
		}
		return statusLabels
	case checkpoint.Context, checkpoint.Breadcrumbs, checkpoint.Artifacts:
		return allLabels
	}
	return introLabels
}

var (
	bullet       = text.Regexp(`^\s*(?:[-*+]|\d+[.)])\s+`)
	quoteMark    = text.Regexp(`^\s*>\s*`)
	ownDecision  = text.Regexp(`^\W*\w.*\bdecision$`)
	noDecision   = text.Regexp(`\b(open|pending|needed|no|required)\b`)
	endsInLabel  = text.Regexp(`[.;)] ([A-Z][^.;:]*):$`)
	forms        = text.Regexp("^[/.@$#({\\[\"'-]|[`|<>*]")
	boldLabel    = text.Regexp(`^\*\*([^*]+?):?\*\*:?\s*(?:\([^)]*\):)?\s*(.*)$`)
	boldAsPhrase = text.Regexp(`^\*\*[^*:]+\*\*\s*[^:\s(]`)
)

// label splits a line that begins with a label, such as "Next:", "**Goal:** x" or
// "NEXT STEPS", into the label and the rest.
func label(line string) (name, rest string, bold, ok bool) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "**") {
		m := boldLabel.FindStringSubmatch(line)
		if m == nil || boldAsPhrase.MatchString(line) {
			return "", "", false, false
		}
		name, rest, bold, ok = m[1], m[2], true, true
	} else {
		name, rest, ok = strings.Cut(line, ":")
		if !ok {
			ok = name == strings.ToUpper(name)
		} else if rest != "" && rest[0] != ' ' {
			return "", "", false, false
		}
	}
	name, rest = strings.TrimSpace(name), strings.TrimSpace(rest)
	if len(name) > 80 || forms.MatchString(name) || strings.IndexFunc(name, unicode.IsLetter) < 0 {
		return "", "", false, false
	}
	return name, rest, bold, ok
}

// isLabelLine reports whether a line begins with a label that is alone on its line, is bold, or names a section.
func isLabelLine(line string) bool {
	name, rest, bold, ok := label(line)
	if !ok || startsLower(line) || bullet.MatchString(line) {
		return false
	}
	_, sure := meaning(name)
	return sure >= clear || rest == "" || bold
}

// startsLower reports whether a line begins with a small letter, as in the middle of a sentence.
func startsLower(line string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimSpace(line))
	return unicode.IsLower(r)
}

// labelOf returns the node that a line begins with its label, and reports whether it begins one. Where all labels
// count, a label that names no section ends the text of the one before it if ends is true: the node is nil then.
func (r *reader) labelOf(line string, ends bool) (*node, bool) {
	name, rest, bold, ok := label(line)
	isField := bold && startsLower(name) // "**id**: a number" describes a field
	if !ok || isField || r.reach == noLabels {
		return nil, false
	}
	home := r.heading().kind
	n := &node{title: name, kind: nowhere, maybe: nowhere, inline: rest != "",
		words: strings.TrimSuffix(strings.TrimSpace(line), rest)}
	kind, sure := meaning(name)
	lower := strings.ToLower(name)
	isDecision := bold && ownDecision.MatchString(lower) && !noDecision.MatchString(lower)
	if isDecision && (home == nowhere || home == checkpoint.State) {
		n.kind = checkpoint.Decisions
		return n, true
	}
	needs := reachFor(kind, n.inline)
	isNext := bold || strings.HasPrefix(text.BareTitle(name)+" ", "next ") || r.reach > statusLabels
	isText := kind == checkpoint.Next && n.inline && (checkpoint.IsNone(rest) || !isNext)
	names := sure > unknown && kind != home && !isText
	switch {
	case names && sure >= clear && r.reach >= needs:
		n.kind = kind
		return n, true
	case names && home == nowhere && (r.reach >= needs || kind == checkpoint.Intent && bold):
		n.maybe = kind // "**Task:** x" below a heading, if nothing else names the goal
		return n, true
	case !ends, r.reach != allLabels:
		return nil, false
	case statusOf(rest) == checkpoint.Finished:
		n.kind = checkpoint.PlayByPlay // "A1: DONE"
		return n, true
	}
	return nil, rest == "" || bold || r.at.isLabel() && !startsLower(line)
}

// orderAt returns the node of a paragraph that ends with the label of next actions: "It can wait. Recommended order:".
func (r *reader) orderAt(said string) *node {
	m := endsInLabel.FindStringSubmatch(said)
	if m == nil || r.at.kind != nowhere {
		return nil
	}
	k, sure := meaning(m[1])
	if k != checkpoint.Next || sure < clear {
		return nil
	}
	return &node{title: m[1], kind: nowhere, maybe: k, inline: true}
}

// begin begins the text of a label, whose first line has a span: that line is the label itself if the label is
// alone on it. It returns the start of the text.
func (r *reader) begin(n *node, line doc.Span) int {
	heading := r.heading()
	r.at = cmp.Or(n, heading)
	if n == nil {
		return line.Start
	}
	n.up, n.depth, n.old = heading, min(heading.depth+1, 6), heading.old
	if n.old {
		n.kind, n.maybe = nowhere, nowhere
	}
	if n.kind == checkpoint.State || n.kind == checkpoint.Next {
		key := text.BareTitle(n.title)
		if was := r.last[key]; was != nil {
			was.kind = heading.kind // of several "Status:" the last one counts
		}
		r.last[key] = n
	}
	r.nodes = append(r.nodes, n)
	if n.inline {
		return line.Start
	}
	n.head = line
	r.add(block{span: line, label: true})
	return line.End
}

// heading returns the heading that the next block is below.
func (r *reader) heading() *node {
	if r.at.isLabel() {
		return r.at.up
	}
	return r.at
}
