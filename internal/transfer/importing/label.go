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
	case r.prompts, h.old && h.kind == nowhere:
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

// startsLower reports whether a line begins with a small letter, as in the middle of a sentence.
func startsLower(line string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimSpace(line))
	return unicode.IsLower(r)
}

// read divides the text below a heading into blocks, and finds its labels.
func (r *reader) read(h *node) {
	r.nodes = append(r.nodes, h)
	r.at, r.reach, r.last, r.waiting = h, r.reachOf(h), map[string]*node{}, false
	r.all = append(r.all, block{node: h, span: span(h.body.Start, h.body.Start)}) // the heading itself
	blocks := r.doc.Blocks(h.body)
	for i, b := range blocks {
		reach := r.reach
		last := i == len(blocks)-1 && h.body.End == r.doc.Body().End
		if last && b.Kind == doc.Paragraph && reach != noLabels {
			r.reach = max(reach, introLabels) // a file may end with a line "**Status**: x"
		}
		switch {
		case b.Kind == doc.Rule:
			continue
		case b.Kind == doc.Comment:
			r.add(block{span: b.Span})
			continue
		case b.Kind == doc.Paragraph:
			r.paragraph(b.Span)
		case b.Kind == doc.List:
			r.list(b.Span)
		case reach >= introLabels && quoteMark.MatchString(r.doc.Slice(b.Span)):
			r.paragraph(b.Span)
			r.waiting = false
		default:
			r.add(block{span: b.Span, tally: tally{code: true}})
			r.waiting = false
		}
		if reach != allLabels && !r.waiting {
			r.at = h
		}
		r.reach = reach
	}
}

// add adds a block below the last heading or label.
func (r *reader) add(b block) {
	if r.count(b.span) == 0 {
		return
	}
	b.node = r.at
	b.own = true
	for _, table := range r.doc.Tables(b.span) {
		b.countRows(table)
	}
	r.all = append(r.all, b)
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
	r.waiting = !n.inline
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

// paragraph finds labels at the beginnings of lines.
func (r *reader) paragraph(s doc.Span) {
	start := s.Start
	for at := s.Start; at < s.End; {
		line := r.lineAt(at)
		said := strings.TrimSpace(quoteMark.ReplaceAllString(r.doc.Slice(line), ""))
		n, ok := (*node)(nil), false
		if at == s.Start || !startsLower(said) {
			n, ok = r.labelOf(said, true)
		}
		if !ok && line.End >= s.End {
			n = r.orderAt(said)
			ok = n != nil
		}
		if ok {
			r.add(block{span: span(start, at)})
			start = r.begin(n, line)
		}
		if ok && n != nil {
			r.waiting = r.waiting || strings.HasSuffix(said, ":")
		} else {
			r.waiting = r.waiting && strings.HasSuffix(said, ":")
		}
		at = line.End
	}
	r.add(block{span: span(start, s.End)})
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

// labelOf returns the node that a line begins with its label, and reports whether it begins one. Where all labels
// count, a label that names no section ends the text of the one before it if ends is true: the node is nil then.
func (r *reader) labelOf(line string, ends bool) (*node, bool) {
	name, rest, bold, ok := label(line)
	if !ok || r.reach == noLabels {
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

// list finds labels among the items of a list. The text of a label is the rest of its item, or
// the following items if the label is all that its item has.
func (r *reader) list(s doc.Span) {
	r.waiting = false
	heading := r.heading()
	inside, single := false, false
	for _, item := range r.doc.Items(s) {
		first, below, _ := strings.Cut(item.Text, "\n")
		n, ok := r.labelOf(first, inside)
		if !ok {
			if single {
				r.at, single = heading, false
			}
			r.entry(item.Span, s.Start+1)
			continue
		}
		inside = true
		single = n == nil || n.inline || strings.TrimSpace(below) != ""
		start := r.begin(n, r.lineAt(item.Span.Start))
		if start > item.Span.Start {
			r.nested(span(start, item.Span.End))
		} else {
			r.entry(item.Span, s.Start+1)
		}
	}
	if single {
		r.at = heading
	}
	r.waiting = false
}

// entry adds an entry of a list with the status that it states.
func (r *reader) entry(s doc.Span, list int) {
	box, status := itemStatus(bullet.ReplaceAllString(r.doc.Slice(s), ""))
	r.add(block{span: s, list: list, box: box, status: status})
}

// nested reads the entries directly below an item that is itself a label, and finds the labels among them: "- Done:"
// and "- Next:" below "- State:".
func (r *reader) nested(s doc.Span) {
	start, margin, entry, inside := s.Start, -1, 0, false
	for at := s.Start; at < s.End; at = r.lineAt(at).End {
		said := r.doc.Slice(r.lineAt(at))
		indent := len(said) - len(strings.TrimLeft(said, " \t"))
		bare := bullet.ReplaceAllString(said, "")
		if bare == said || margin >= 0 && indent > max(margin, entry) {
			continue
		}
		if margin < 0 {
			margin = indent
		}
		r.entry(span(start, at), s.Start)
		start, entry = at, indent
		if n, ok := r.labelOf(bare, inside); ok && indent == margin {
			inside = true
			start, entry = r.begin(n, r.lineAt(at)), len(said)
		}
	}
	r.entry(span(start, s.End), s.Start)
}
