package revise

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// ParseEntries splits Markdown into entries for the section k: list items, paragraphs and, for Decisions and Next
// Actions, rows of tables. Other blocks, such as code, belong to the entry above. The whole text is one entry if it has
// only paragraphs, if it has a heading that does not name the section, or if k is Technical Context and the first
// paragraph ends with a colon. An empty checkbox of a next action is removed.
func ParseEntries(text string, k checkpoint.Kind) []string {
	d, err := doc.Parse([]byte("\n" + text))
	if err != nil || slices.ContainsFunc(d.Sections(), func(s doc.Section) bool {
		named, known := checkpoint.KindNamed(s.Title)
		return !known || named != k
	}) {
		return []string{text}
	}
	var all []string
	listed := len(d.Sections()) > 0
	for i, block := range d.Blocks(d.Body()) {
		said := d.Text(block.Span)
		texts, beside := entries(d, block.Span, k)
		switch {
		case i == 0 && k == checkpoint.Context && strings.HasSuffix(said, ":"):
			return []string{text}
		case block.Kind == doc.Other && len(all) > 0:
			texts, all[len(all)-1] = nil, all[len(all)-1]+"\n\n"+said
		case beside != "": // a table with text that the entries lack
			texts = []string{said}
		}
		all = append(all, texts...)
		listed = listed || len(texts) > 0 && texts[0] != said
	}
	if !listed {
		return []string{text}
	}
	return all
}

// ParseCompletion parses a Completion in Markdown: the outcome, then a heading Learnings with its entries, or the
// fields Outcome and Learnings. It ignores the fields Status and Date.
func ParseCompletion(src []byte) (outcome string, learnings []string, err error) {
	d, err := doc.Parse(append([]byte("\n"), src...))
	if err != nil {
		return "", nil, err
	}
	said := []string{d.Text(d.Preamble())}
	for _, s := range d.Sections() {
		switch doc.PlainTitle(s.Title) {
		case "outcome", "completion":
			said = append(said, d.Text(s.Body))
		case "learnings":
			learnings = append(learnings, ParseEntries(d.Slice(s.Body), checkpoint.Completion)...)
		default:
			return "", nil, fault.New(fault.Usage, "a Completion has no heading %q (want Learnings)", s.Title)
		}
	}
	outcome = paragraphs(said)
	fields, ok := checkpoint.ReadCompletion(outcome)
	if !ok && len(fields.Learnings) > 0 {
		return "", nil, fault.New(fault.Usage, "a Completion has only the fields Outcome and Learnings").
			WithHint("an outcome, then a heading Learnings with the entries")
	}
	if ok {
		outcome, learnings = paragraphs(fields.Outcomes), append(fields.Learnings, learnings...)
	}
	return outcome, slices.DeleteFunc(learnings, checkpoint.IsBareNone), nil
}

// ParseProgress parses a progress written as Markdown whose headings name the sections. A title and the text before
// the first heading become What Changed, even if the text is between two rules at the start, as frontmatter is.
// Sections that the format does not define stay in the delta as they are.
func ParseProgress(src []byte) (Progress, error) {
	front, between, _ := doc.FrontSpan(src)
	first, rest := string(src[between.Start:between.End]), string(src[front.End:])
	if _, err := checkpoint.Parse("", src); err == nil {
		first = "" // the first text is the frontmatter of a whole checkpoint
	}
	d, err := doc.Parse([]byte("\n" + strings.Trim(first, "\r\n") + "\n\n" + strings.TrimLeft(rest, "\r\n")))
	if err != nil {
		return Progress{}, err
	}
	p := progressReader{changed: []string{d.Text(d.Preamble())}}
	all := d.Sections()
	end := 0
	for i, s := range all {
		if s.Heading.Start < end {
			continue // the heading is inside a section that was taken as a whole
		}
		titled := i == 0 && p.changed[0] == "" && isProgressTitle(s)
		if titled && doc.PlainTitle(s.Title) != "delta" {
			p.changed = append(p.changed, s.Title)
		}
		if titled || checkpoint.IsDelta(s) {
			p.changed = append(p.changed, d.Text(s.Body))
			continue
		}
		for _, next := range all[i+1:] { // a section ends at the next heading that ckpt knows, even a deeper one
			aside := lists()[progressPart(s.Title)].Contradicts(checkpoint.StatusOf(next.Title)) // "Rejected" below Decisions
			if next.Heading.Start >= s.Whole.End || aside || progressPart(next.Title) != "" {
				s.Whole.End = min(s.Whole.End, next.Heading.Start)
				break
			}
		}
		if !p.take(d, s) {
			p.extra = append(p.extra, doc.Deeper(2, strings.TrimSpace(strings.ReplaceAll(d.Slice(s.Whole), "\r\n", "\n"))))
		}
		end = s.Whole.End
	}
	p.Changed, p.State, p.Extra = paragraphs(p.changed), paragraphs(p.state), paragraphs(p.extra)
	return p.Progress, nil
}

// progressReader collects the parts of a progress. The text of a part may be in several places of the file.
type progressReader struct {
	Progress
	changed, state, extra []string
}

// paragraphs joins texts as paragraphs and drops empty ones.
func paragraphs(texts []string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n\n")
}

// OfProgress reports whether a heading opens a part of a progress other than rules and context.
func OfProgress(title string) bool {
	part := progressPart(title)
	return part != "" && part != "rules" && part != "context"
}

// isProgressTitle reports whether a section is the title of a whole progress and not a part of it.
func isProgressTitle(s doc.Section) bool {
	return progressPart(s.Title) == "" && (s.Level == 1 || doc.PlainTitle(s.Title) == "delta")
}

// progressPart returns the part of a progress that a heading opens, or "" for any other heading.
func progressPart(title string) string {
	title = doc.PlainTitle(title)
	kind, known := checkpoint.KindNamed(title)
	switch {
	case known && kind == checkpoint.Rules:
		return "rules"
	case known && kind == checkpoint.Context:
		return "context"
	}
	return map[string]string{
		"what changed": "what changed", "summary": "what changed",
		"artifacts": "artifacts", "artifact trail": "artifacts",
		"status transitions": "transitions", "transitions": "transitions",
		"current state": "state", "state": "state",
		"next actions": "next", "next": "next",
		"decisions": "decisions", "done": "done", "rules": "rules",
	}[title]
}

// lists maps parts of a progress to the sections that get their entries. It has the parts in which a subheading such
// as "Rejected" can contradict the section.
func lists() map[string]checkpoint.Kind {
	return map[string]checkpoint.Kind{
		"decisions": checkpoint.Decisions, "done": checkpoint.PlayByPlay, "next": checkpoint.Next,
	}
}

// take reads a section of a progress. It reports false for a section that it does not know or
// cannot parse. Such a section stays in the delta as it is.
func (p *progressReader) take(d *doc.Doc, s doc.Section) bool {
	below := doc.Span{Start: s.Heading.End, End: s.Whole.End}
	text := d.Text(below)
	part := progressPart(s.Title)
	var read []doc.Span
	switch part {
	case "what changed":
		p.changed = append(p.changed, text)
		return true
	case "state":
		p.state = append(p.state, text)
		return true
	case "artifacts":
		read = p.takeArtifacts(d, below)
	case "transitions":
		read = p.takeTransitions(d, below)
	default:
		list := map[string]*[]string{"decisions": &p.Decisions, "rules": &p.Rules, "context": &p.Context,
			"done": &p.Told, "next": &p.Next}[part]
		if list == nil {
			return false
		}
		all, beside := entries(d, below, lists()[part])
		*list, p.changed = append(*list, all...), append(p.changed, beside)
		p.NoNext = p.NoNext || part == "next" && text != "" && len(p.Next) == 0
		return true
	}
	if beside := d.Text(below, read...); read != nil && !checkpoint.IsBareNone(beside) {
		p.changed = append(p.changed, beside)
	}
	return read != nil || checkpoint.IsBareNone(text)
}

// entries returns the items of a section and, for decisions and next actions, the rows of its tables. Beside is the
// other text, including each table with text that its entries lack. If there are no entries, the whole text is the only
// entry. An empty checkbox of a next action is removed.
func entries(d *doc.Doc, s doc.Span, k checkpoint.Kind) (all []string, beside string) {
	var read []doc.Span
	for _, item := range d.Items(s) {
		read = append(read, item.Span)
		bare, _ := checkpoint.CutCheckbox(item.Text)
		switch {
		case checkpoint.IsBareNone(bare):
		case k == checkpoint.Next && strings.HasPrefix(item.Text, "[ ]"):
			all = append(all, bare)
		default:
			all = append(all, item.Text)
		}
	}
	rows := map[doc.Span]string{}
	switch k {
	case checkpoint.Decisions:
		for _, decided := range checkpoint.DecisionsIn(d, s) {
			rows[decided.Span] = decided.Bullet()
		}
	case checkpoint.Next:
		for _, a := range checkpoint.Entries(d, s) {
			if a.Done {
				a.Text = "[x] " + a.Text
			}
			rows[a.Span] = a.Text
		}
	}
	for _, t := range d.Tables(s) {
		for _, row := range t.Rows {
			if text := rows[row.Span]; !checkpoint.IsBareNone(text) {
				all = append(all, text)
			}
		}
	}
	beside = d.Text(s, append(read, toldTables(d, s, rows)...)...)
	switch {
	case checkpoint.IsBareNone(beside):
		return all, ""
	case len(all) == 0:
		return []string{d.Text(s)}, ""
	}
	return all, beside
}

// toldTables returns the spans of the tables in s whose text is all in rows: the text for a row contains its cells.
func toldTables(d *doc.Doc, s doc.Span, rows map[doc.Span]string) (all []doc.Span) {
	for _, t := range d.Tables(s) {
		if !slices.ContainsFunc(t.Rows, func(row doc.Entry) bool {
			rest := rows[row.Span]
			return slices.ContainsFunc(row.Cells, func(cell string) bool {
				before, after, told := strings.Cut(rest, cell)
				rest = before + after
				return !told
			})
		}) {
			all = append(all, t.Span)
		}
	}
	return all
}

// takeArtifacts takes the artifacts in rows, in bullets that begin with a path, and in bullets that
// [checkpoint.ParseArtifact] can read. It returns the spans that it has taken completely.
func (p *progressReader) takeArtifacts(d *doc.Doc, s doc.Span) []doc.Span {
	all, read := trail(d, s)
	for _, e := range all {
		if a := checkpoint.ParseArtifact("x: " + e.Change); e.Action == "" {
			e.Action = a.Action
			if a.File == "x" {
				e.Change = a.Change
			}
		}
		p.Artifacts = append(p.Artifacts, e.Artifact)
	}
	for _, item := range d.Items(s) {
		a := checkpoint.ParseArtifact(strings.ReplaceAll(item.Text, "\n", " "))
		path, _, _ := strings.Cut(a.File, ":")
		if slices.Contains(read, item.Span) || len(strings.Fields(path)) != 1 || checkpoint.IsBareNone(item.Text) {
			continue
		}
		p.Artifacts = append(p.Artifacts, a)
		read = append(read, item.Span)
	}
	return read
}

// takeTransitions takes the transitions in rows and in bullets (ITEM: BEFORE -> AFTER). It returns the spans that
// it has taken completely.
func (p *progressReader) takeTransitions(d *doc.Doc, s doc.Span) []doc.Span {
	all, read := trail(d, s)
	for _, item := range d.Items(s) {
		if t, err := checkpoint.ParseTransition(item.Text); err == nil {
			p.Transitions, read = append(p.Transitions, t), append(read, item.Span)
			all = slices.DeleteFunc(all, func(e checkpoint.TrailEntry) bool { return e.Span == item.Span })
		}
	}
	for _, e := range all {
		p.Transitions = append(p.Transitions, checkpoint.Transition{Item: e.File, Before: e.Action, After: e.Change})
	}
	return read
}

// trail returns the entries of a section that [checkpoint.TrailEntries] finds, and the spans of the bullets and
// tables whose whole text is in these entries. The spans are not nil if there are entries.
func trail(d *doc.Doc, s doc.Span) (all []checkpoint.TrailEntry, read []doc.Span) {
	all = checkpoint.TrailEntries(d, s)
	if len(all) > 0 {
		read = []doc.Span{}
	}
	rows := map[doc.Span]string{}
	for _, e := range all {
		if e.Cells == nil {
			read = append(read, e.Span)
			continue
		}
		rows[e.Span] = strings.Join([]string{e.Cells[0], e.Action, e.Change}, "\n")
	}
	return all, append(read, toldTables(d, s, rows)...)
}
