package project

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/phrase"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/store"
)

// NoteKinds are the kinds of note, as the command line names them.
var NoteKinds = []string{"decision", "context", "breadcrumb", "step", "artifact", "state", "rule"}

// NoteRequest is one line for one section.
type NoteRequest struct {
	ID         string
	Kind       string   // one of NoteKinds
	Text       []string // a breadcrumb's type, reference and hint; else one text
	Why        string   // of a decision
	Supersedes string   // the text of the decision that it replaces
}

// Note writes one line to one section. The same note twice in a row changes
// nothing.
func (p *Project) Note(ctx context.Context, req NoteRequest) (*report.Receipt, error) {
	if strings.TrimSpace(strings.Join(req.Text, "")) == "" {
		return nil, fault.New(fault.Usage, "a note says something").WithHint("ckpt note %s TEXT", req.Kind)
	}
	if req.Kind == "breadcrumb" && (len(req.Text) < 2 || strings.TrimSpace(req.Text[1]) == "") {
		return nil, fault.New(fault.Usage, "a breadcrumb has a TYPE and a REFERENCE, and a hint").WithHint("ckpt note breadcrumb file PATH HINT")
	}
	if req.Kind == "artifact" && len(req.Text) > 1 && checkpoint.ParseArtifact(req.Text[0]).File == req.Text[0] {
		return nil, fault.New(fault.Usage, "an artifact is one word, PATH[:ACTION[:TEXT]], and %q is another", req.Text[1]).
			WithHint("ckpt note artifact '%s:modified:TEXT'", req.Text[0])
	}
	if req.Kind != "decision" && (req.Why != "" || req.Supersedes != "") {
		return nil, fault.New(fault.Usage, "--why and --supersedes are for decisions").WithHint("ckpt note decision TEXT --why TEXT")
	}
	switch req.Kind {
	case "artifact":
		text := strings.TrimSpace(strings.Join(req.Text, " "))
		file := checkpoint.ParseArtifact(text).File
		req.Text = []string{p.fromHere(file) + strings.TrimPrefix(text, file)}
	case "breadcrumb":
		if req.Text = slices.Clone(req.Text); req.Text[0] == "file" {
			req.Text[1] = p.fromHere(req.Text[1])
		}
	}
	jotted := false
	receipt, err := p.revise(ctx, req.ID, "note", func(c *checkpoint.Checkpoint, r *checkpoint.Revision) (string, error) {
		m, marked := c.Mark()
		var err error
		switch {
		case marked:
			jotted, err = true, jot(r, m, req)
		case !repeats(c, req):
			err = note(r, req)
		}
		return req.Kind + ": " + phrase.FirstLine(strings.Join(req.Text, " ")), err
	})
	if jotted && err == nil && !receipt.Unchanged {
		receipt.Remarks = append(receipt.Remarks, "a mark is open: it went to its scratch (ckpt rewind REPORT)")
	}
	if req.Kind == "breadcrumb" && err == nil && !receipt.Unchanged && !slices.Contains(checkpoint.BreadcrumbTypes(), strings.ToLower(req.Text[0])) {
		receipt.Remarks = append(receipt.Remarks, fmt.Sprintf("%q is no type of the format: %s", req.Text[0], strings.Join(checkpoint.BreadcrumbTypes(), ", ")))
	}
	return receipt, err
}

// jot writes a note to the scratch of a mark, of whatever kind it is.
func jot(r *checkpoint.Revision, m checkpoint.Mark, req NoteRequest) error {
	if !slices.Contains(NoteKinds, req.Kind) {
		return unknownKind(req.Kind)
	}
	text := strings.Join(req.Text, " ")
	switch req.Kind {
	case "decision":
		text = checkpoint.DecisionText(decisionOf(req))
	case "breadcrumb":
		text = strings.Join(breadcrumb(req.Text), " ")
	}
	if req.Supersedes != "" {
		text += " (supersedes " + req.Supersedes + ")"
	}
	r.Jot(m, req.Kind, text)
	return nil
}

func unknownKind(kind string) error {
	return fault.New(fault.Usage, "%q is no kind of note: %s", kind, strings.Join(NoteKinds, ", ")).WithHint("ckpt note decision TEXT --why TEXT")
}

func note(r *checkpoint.Revision, req NoteRequest) error {
	text := strings.Join(req.Text, " ")
	switch req.Kind {
	case "decision":
		what, why := decisionOf(req)
		r.Decide(what, why, req.Supersedes)
	case "context":
		r.Bullet(checkpoint.Context, text)
	case "step":
		r.Bullet(checkpoint.PlayByPlay, text)
	case "rule":
		r.Bullet(checkpoint.Rules, text)
	case "state":
		r.Text(checkpoint.State, text)
	case "breadcrumb":
		r.Row(checkpoint.Breadcrumbs, breadcrumb(req.Text)...)
	case "artifact":
		a := checkpoint.ParseArtifact(text)
		r.Row(checkpoint.Artifacts, checkpoint.Code(a.File), a.Action, a.Change)
	default:
		return unknownKind(req.Kind)
	}
	return nil
}

func decisionOf(req NoteRequest) (what, why string) {
	what, why = strings.Join(req.Text, " "), req.Why
	if why == "" {
		return checkpoint.ParseDecision(what)
	}
	return what, why
}

// breadcrumb is the three cells of a row; a reference to code stands in backticks.
func breadcrumb(words []string) []string {
	cells := []string{words[0], "", ""}
	if len(words) > 1 {
		cells[1] = words[1]
		if words[0] == "file" || words[0] == "function" {
			cells[1] = checkpoint.Code(strings.Trim(words[1], "`"))
		}
		cells[2] = strings.Join(words[2:], " ")
	}
	return cells
}

// repeats says whether the section ends with the very same note.
func repeats(c *checkpoint.Checkpoint, req NoteRequest) bool {
	text := strings.TrimSpace(strings.Join(req.Text, " "))
	endsWith := func(k checkpoint.Kind, text string) bool {
		place, ok := c.Find(k)
		if !ok {
			return false
		}
		items := c.Doc.Items(place.Extent)
		return len(items) > 0 && items[len(items)-1].Text == doc.Literal(text)
	}
	switch req.Kind {
	case "decision":
		return endsWith(checkpoint.Decisions, checkpoint.DecisionText(decisionOf(req)))
	case "context":
		return endsWith(checkpoint.Context, text)
	case "step":
		return endsWith(checkpoint.PlayByPlay, text)
	case "rule":
		return endsWith(checkpoint.Rules, text)
	case "artifact":
		all := c.Artifacts()
		return len(all) > 0 && all[len(all)-1] == checkpoint.ParseArtifact(text)
	case "breadcrumb":
		all, cells := c.Breadcrumbs(), breadcrumb(req.Text)
		if len(all) == 0 {
			return false
		}
		b := all[len(all)-1]
		return slices.Equal([]string{b.Type, b.Reference, b.Hint}, []string{cells[0], strings.TrimSpace(strings.Trim(cells[1], "`")), cells[2]})
	}
	return false
}

// Next replaces the next actions, or appends to them. Ticked ones move to Play-By-Play.
func (p *Project) Next(ctx context.Context, id string, actions []string, add bool) (*report.Receipt, error) {
	if len(actions) == 0 || slices.ContainsFunc(actions, func(a string) bool { return strings.TrimSpace(a) == "" }) {
		return nil, fault.New(fault.Usage, "a next action says what to do").WithHint("ckpt next TEXT...")
	}
	return p.revise(ctx, id, "next", func(c *checkpoint.Checkpoint, r *checkpoint.Revision) (string, error) {
		if !add {
			r.Renew(actions)
			return phrase.FirstLine(actions[0]), nil
		}
		for _, a := range actions {
			r.Bullet(checkpoint.Next, a)
		}
		return "+ " + phrase.FirstLine(actions[0]), nil
	})
}

// Done moves the one next action that contains text, or the nth ("#2"), to
// Play-By-Play.
func (p *Project) Done(ctx context.Context, id, text string) (*report.Receipt, error) {
	if strings.TrimSpace(text) == "" {
		return nil, fault.New(fault.Usage, "which next action is done?").WithHint("ckpt done TEXT, or ckpt done '#1'")
	}
	return p.revise(ctx, id, "done", func(c *checkpoint.Checkpoint, r *checkpoint.Revision) (string, error) {
		return r.Done(text)
	})
}

// revise is the deed of changing one checkpoint's own sections.
func (p *Project) revise(ctx context.Context, id, op string, do func(*checkpoint.Checkpoint, *checkpoint.Revision) (summary string, err error)) (*report.Receipt, error) {
	return p.change(ctx, store.Live, func(set *checkpoint.Set, now time.Time) (*operation, error) {
		c, err := p.open(set, id)
		if err != nil {
			return nil, err
		}
		r := c.Revise()
		summary, err := do(c, r)
		if err != nil {
			return nil, err
		}
		revised, err := r.Apply()
		if err != nil {
			return nil, err
		}
		o := &operation{op: op, id: c.ID, summary: summary, about: c.Path}
		o.revise(c, revised)
		o.replaces(c, revised, "--add")
		return o, nil
	})
}
