package checkpoint

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// Progress is what one delta reports, and the sections that it updates.
type Progress struct {
	Changed     string
	Artifacts   []Artifact
	Transitions []Transition
	Extra       string   // further sections for the delta, as Markdown
	Trigger     string   // the occasion: "phase", "pre-compact", or ""
	Decisions   []string // bullets for Decisions
	Rules       []string // bullets for User Rules
	Context     []string // bullets for Technical Context
	Done        []string // texts or numbers of next actions that are done
	Told        []string // finished work in free words, which may match no next action: see [Checkpoint.Settle]
	State       string   // the new Current State; "" keeps the old one
	AddState    string   // a line to append to Current State; not allowed with State
	Next        []string // the new Next Actions; empty keeps the old ones
	AddNext     []string // to append to Next Actions
}

// Record adds a progress to a revision: the delta, and the sections that it updates.
func (r *Revision) Record(p Progress, now time.Time) error {
	r.addNew(Decisions, p.Decisions)
	r.addNew(Rules, p.Rules)
	r.addNew(Context, p.Context)
	for _, text := range p.Told {
		r.Bullet(PlayByPlay, text)
	}
	for _, text := range p.Done {
		if _, err := r.Done(text); err != nil {
			return err
		}
	}
	if strings.TrimSpace(p.State) != "" {
		r.Text(State, p.State)
	} else {
		r.Bullet(State, p.AddState)
	}
	if len(p.Next) > 0 {
		r.Renew(slices.Concat(p.Next, p.AddNext))
	} else {
		for _, text := range p.AddNext {
			r.Bullet(Next, text)
		}
	}
	if p.Trigger != "" {
		r.Set("trigger", p.Trigger)
	}
	r.AppendDelta(Delta{At: now, Changed: p.Changed, Artifacts: p.Artifacts, Transitions: p.Transitions}, p.Extra)
	return nil
}

// addNew appends the entries that a section does not have yet: a writer of deltas often repeats
// entries of the previous one.
func (r *Revision) addNew(k Kind, entries []string) {
	have := map[string]bool{}
	if p, ok := r.c.Find(k); ok {
		asides := r.c.Asides(k)
		for _, item := range r.c.Doc.Items(p.Extent) {
			if _, aside := asideOf(asides, item.Span); !aside {
				have[item.Text] = true
			}
		}
	}
	for _, text := range entries {
		if !have[doc.Literal(text)] {
			r.Bullet(k, text)
		}
	}
}

// Settle returns a progress in which the entries of Told that match a next action of c are moved to
// Done. The others stay in Told and become steps of Play-By-Play.
func (c *Checkpoint) Settle(p Progress) Progress {
	told := p.Told
	p.Done, p.Told = slices.Clone(p.Done), nil
	for _, text := range told {
		if _, err := c.pick(text); fault.KindOf(err) == fault.NotFound && !strings.HasPrefix(text, "#") {
			p.Told = append(p.Told, text)
		} else {
			p.Done = append(p.Done, text)
		}
	}
	return p
}

// ParseProgress parses a progress written as Markdown whose headings name the sections. A title and
// the text before the first heading become What Changed. Sections that the format does not define
// stay in the delta as they are.
func ParseProgress(src []byte) (Progress, error) {
	d, err := doc.Parse(src)
	if err != nil { // reparse: a rule at the start of a delta is not frontmatter
		d, err = doc.Parse(append([]byte("\n"), src...))
		if err != nil {
			return Progress{}, err
		}
	}
	p := progressReader{changed: []string{d.Text(d.Preamble())}}
	all := d.Sections()
	end := 0
	for i, s := range all {
		if s.Heading.Start < end {
			continue // the heading is inside a section that was taken as a whole
		}
		if _, isDelta := deltaTime(s); isDelta {
			p.changed = append(p.changed, d.Text(s.Body))
			continue
		}
		if i == 0 && p.changed[0] == "" && isProgressTitle(s) {
			if plainTitle(s.Title) != "delta" {
				p.changed = append(p.changed, s.Title)
			}
			p.changed = append(p.changed, d.Text(s.Body))
			continue
		}
		for _, next := range all[i+1:] { // a section ends at the next heading that ckpt knows, even a deeper one
			if next.Heading.Start >= s.Whole.End {
				break
			}
			if progressPart(next.Title) != "" || contradicted(s.Title, next.Title) {
				s.Whole.End = next.Heading.Start
				break
			}
		}
		if !p.take(d, s) {
			p.extra = append(p.extra, doc.Below(2, strings.TrimSpace(strings.ReplaceAll(d.Slice(s.Whole), "\r\n", "\n"))))
		}
		end = s.Whole.End
	}
	p.Changed, p.State, p.Extra = paragraphs(p.changed), paragraphs(p.state), paragraphs(p.extra)
	return p.Progress, nil
}

// progressReader collects texts of a progress; each may be in several places of the file.
type progressReader struct {
	Progress
	changed, state, extra []string
}

// paragraphs joins texts as paragraphs and drops empty ones.
func paragraphs(texts []string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n\n")
}

// OfProgress reports whether a heading inside a delta is one that ckpt writes there.
func OfProgress(title string) bool {
	part := progressPart(title)
	return part != "" && part != "rules" && part != "context"
}

// isProgressTitle reports whether a section is the title of a whole progress and not a part of it.
func isProgressTitle(s doc.Section) bool {
	return progressPart(s.Title) == "" && (s.Level == 1 || plainTitle(s.Title) == "delta")
}

// progressPart returns the part of a progress that a heading begins, or "" for any other heading.
func progressPart(title string) string {
	title = plainTitle(title)
	switch title {
	case "what changed", "summary":
		return "what changed"
	case "artifacts", "artifact trail":
		return "artifacts"
	case "status transitions", "transitions":
		return "transitions"
	case "current state", "state":
		return "state"
	case "next actions", "next":
		return "next"
	case "decisions", "done", "rules":
		return title
	}
	kind, known := kindOf(title)
	switch {
	case known && kind == Rules:
		return "rules"
	case known && kind == Context:
		return "context"
	}
	return ""
}

// contradicted reports whether a subheading contradicts the heading above it, as
// "Rejected" does below Decisions, or "Remaining" below Done.
func contradicted(title, below string) bool {
	switch progressPart(title) {
	case "decisions":
		return Decisions.contradicts(StatusOf(below))
	case "done":
		return PlayByPlay.contradicts(StatusOf(below))
	case "next":
		return Next.contradicts(StatusOf(below))
	}
	return false
}

// take reads a section of a progress. It reports false for a section that it does not know or
// cannot parse: that one stays in the delta as it is.
func (p *progressReader) take(d *doc.Doc, s doc.Section) bool {
	below := doc.Span{Start: s.Heading.End, End: s.Whole.End}
	text := d.Text(below)
	part := progressPart(s.Title)
	switch part {
	case "decisions", "rules", "context", "done", "next":
		if beside := besideEntries(d, below); !IsBareNone(beside) {
			p.changed = append(p.changed, beside)
		}
	}
	switch part {
	case "what changed":
		p.changed = append(p.changed, text)
	case "artifacts":
		found := reportedArtifacts(d, below)
		p.Artifacts = append(p.Artifacts, found...)
		return len(found) > 0 || IsBareNone(text)
	case "transitions":
		found := reportedTransitions(d, below)
		p.Transitions = append(p.Transitions, found...)
		return len(found) > 0 || IsBareNone(text)
	case "decisions":
		p.Decisions = append(p.Decisions, entries(d, below)...)
	case "rules":
		p.Rules = append(p.Rules, entries(d, below)...)
	case "context":
		p.Context = append(p.Context, entries(d, below)...)
	case "done":
		p.Told = append(p.Told, entries(d, below)...)
	case "state":
		p.state = append(p.state, text)
	case "next":
		p.Next = append(p.Next, entries(d, below)...)
	default:
		return false
	}
	return true
}

// entries returns the bullets of a section, or its whole text if it has no bullets.
func entries(d *doc.Doc, s doc.Span) []string {
	var all []string
	for _, item := range d.Items(s) {
		if text := checkbox.ReplaceAllString(item.Text, ""); !IsBareNone(text) {
			all = append(all, text)
		}
	}
	if text := d.Text(s); len(all) == 0 && !IsBareNone(text) {
		return []string{text}
	}
	return all
}

// besideEntries returns the text of a section without the entries of its list.
func besideEntries(d *doc.Doc, s doc.Span) string {
	var listed []doc.Span
	for _, item := range d.Items(s) {
		listed = append(listed, item.Span)
	}
	if listed == nil {
		return ""
	}
	return d.TextWithout(s, listed...)
}

// reportedArtifacts returns the artifacts in rows, in bullets that begin with a path, and in
// bullets written as on the command line (PATH:ACTION:TEXT).
func reportedArtifacts(d *doc.Doc, s doc.Span) []Artifact {
	all := artifacts(d, s)
	for _, item := range d.Items(s) {
		path, _, _ := strings.Cut(item.Text, ":")
		if !pathItem.MatchString(item.Text) && !strings.ContainsAny(path, " \n") && !IsBareNone(item.Text) {
			all = append(all, ParseArtifact(strings.ReplaceAll(item.Text, "\n", " ")))
		}
	}
	return all
}

func reportedTransitions(d *doc.Doc, s doc.Span) []Transition {
	var all []Transition
	for _, row := range artifacts(d, s) {
		all = append(all, Transition{row.File, row.Action, row.Change})
	}
	for _, item := range d.Items(s) {
		if t, err := ParseTransition(item.Text); err == nil {
			all = append(all, t)
		}
	}
	return all
}

// ParsePercent parses a progress: "45%", "45", or "3/5". The result is from 0 to 100.
func ParsePercent(s string) (int, bool) {
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "%"))
	if done, all, ok := strings.Cut(s, "/"); ok {
		n, errN := strconv.Atoi(strings.TrimSpace(done))
		of, errOf := strconv.Atoi(strings.TrimSpace(all))
		if errN != nil || errOf != nil {
			return 0, false
		}
		if n < 0 || of <= 0 || n > of {
			return 0, false
		}
		return int(int64(n) * 100 / int64(of)), true
	}
	n, err := strconv.ParseFloat(s, 64)
	return int(n), err == nil && 0 <= n && n <= 100
}

// Percent returns the percentage in the frontmatter, and reports whether there is one.
func (c *Checkpoint) Percent() (percent int, ok bool) { return ParsePercent(c.Field("progress")) }
