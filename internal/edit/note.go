package edit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// NoteKinds are the kinds of note, as the command line names them.
var NoteKinds = []string{"decision", "context", "breadcrumb", "step", "artifact", "state", "rule"}

// NoteRequest describes one note for one section.
type NoteRequest struct {
	ID         string
	Kind       string   // one of NoteKinds
	Text       []string // for a breadcrumb its type, reference and hint; otherwise one text
	List       []string // several notes, in place of Text, for kinds that take a list
	Why        string   // the reason for a decision
	Supersedes string   // a text of the decision that this one replaces
}

// listKinds returns the kinds of notes that are entries of a list, with their sections.
func listKinds() map[string]checkpoint.Kind {
	return map[string]checkpoint.Kind{
		"decision": checkpoint.Decisions, "context": checkpoint.Context, "step": checkpoint.PlayByPlay,
		"rule": checkpoint.Rules,
	}
}

// TakesList reports whether several notes of a kind can be written at once.
func TakesList(kind string) bool {
	_, ok := listKinds()[kind]
	return ok
}

// entries returns the texts to add to a list, one for each entry.
func (req NoteRequest) entries() []string {
	all := req.List
	if all == nil {
		all = []string{strings.Join(req.Text, " ")}
	}
	if req.Kind != "decision" {
		return all
	}
	all = slices.Clone(all)
	for i, what := range all {
		why := req.Why
		if why == "" {
			what, why = checkpoint.ParseDecision(what)
		}
		all[i] = checkpoint.DecisionText(what, why)
	}
	return all
}

// Note adds one line to one section. The same note twice in a row changes nothing.
func (p *Editor) Note(ctx context.Context, req NoteRequest) (*result.Receipt, error) {
	if strings.TrimSpace(strings.Join(append(req.Text, req.List...), "")) == "" {
		return nil, fault.New(fault.Usage, "a note says something").WithHint("ckpt note %s TEXT", req.Kind)
	}
	if len(req.List) > 1 && (req.Why != "" || req.Supersedes != "") {
		return nil, fault.New(fault.Usage, "--why and --supersedes are for one decision, not for %d", len(req.List)).
			WithHint("write `- **WHAT**: WHY` for each")
	}
	if req.Kind == "breadcrumb" && (len(req.Text) < 2 || strings.TrimSpace(req.Text[1]) == "") {
		return nil, fault.New(fault.Usage, "a breadcrumb has a TYPE and a REFERENCE, and a hint").
			WithHint("ckpt note breadcrumb file PATH HINT")
	}
	if req.Kind == "artifact" && len(req.Text) > 1 && checkpoint.ParseArtifact(req.Text[0]).File == req.Text[0] {
		return nil, fault.New(fault.Usage, "an artifact is one word, PATH[:ACTION[:TEXT]], and %q is another", req.Text[1]).
			WithHint("ckpt note artifact '%s:modified:TEXT'", req.Text[0])
	}
	if req.Kind != "decision" && (req.Why != "" || req.Supersedes != "") {
		return nil, fault.New(fault.Usage, "--why and --supersedes are for decisions").
			WithHint("ckpt note decision TEXT --why TEXT")
	}
	switch req.Kind {
	case "artifact":
		text := strings.TrimSpace(strings.Join(req.Text, " "))
		file := checkpoint.ParseArtifact(text).File
		req.Text = []string{p.fromHere(file) + strings.TrimPrefix(text, file)}
	case "breadcrumb":
		req.Text = slices.Clone(req.Text)
		if req.Text[0] == "file" {
			req.Text[1] = p.fromHere(req.Text[1])
		}
	}
	jotted := false
	receipt, err := p.revise(ctx, req.ID, "note", func(c *checkpoint.Checkpoint, r *revise.Revision) (string, error) {
		m, marked := c.Mark()
		var err error
		switch {
		case marked:
			jotted, err = true, jot(r, m, req)
		case !repeats(c, req):
			err = note(r, req)
		}
		return req.summary(), err
	})
	if jotted && err == nil && !receipt.Unchanged {
		receipt.Remarks = append(receipt.Remarks, "a mark is open: it went to its scratch (ckpt rewind REPORT)")
	}
	added := err == nil && !receipt.Unchanged
	if added && req.Kind == "breadcrumb" && !slices.Contains(checkpoint.BreadcrumbTypes(), strings.ToLower(req.Text[0])) {
		receipt.Remarks = append(receipt.Remarks,
			fmt.Sprintf("%q is not a type of the format: %s", req.Text[0], strings.Join(checkpoint.BreadcrumbTypes(), ", ")))
	}
	return receipt, err
}

// summary returns the note on one line.
func (req NoteRequest) summary() string {
	s := text.FirstLine(strings.Join(req.Text, " "))
	if len(req.List) > 0 {
		s = text.FirstLine(strings.ReplaceAll(req.List[0], "**", ""))
	}
	if n := len(req.List); n > 1 {
		s += fmt.Sprintf(" (and %d more)", n-1)
	}
	return req.Kind + ": " + s
}

// jot adds a note of any kind to the scratch of a mark.
func jot(r *revise.Revision, m checkpoint.Mark, req NoteRequest) error {
	if !slices.Contains(NoteKinds, req.Kind) {
		return unknownKind(req.Kind)
	}
	texts := req.entries()
	if req.Kind == "breadcrumb" {
		texts = []string{strings.Join(breadcrumb(req.Text), " ")}
	}
	if req.Supersedes != "" {
		texts[0] += " (supersedes " + req.Supersedes + ")"
	}
	r.Jot(m, req.Kind, texts...)
	return nil
}

func unknownKind(kind string) error {
	return fault.New(fault.Usage, "%q is not a kind of note (want %s)", kind, strings.Join(NoteKinds, ", ")).
		WithHint("ckpt note decision TEXT --why TEXT")
}

func note(r *revise.Revision, req NoteRequest) error {
	if section, ok := listKinds()[req.Kind]; ok {
		entries := req.entries()
		if req.Supersedes != "" {
			what, why := checkpoint.ParseDecision(entries[0])
			r.Decide(what, why, req.Supersedes)
			return nil
		}
		for _, entry := range entries {
			r.Bullet(section, entry)
		}
		return nil
	}
	text := strings.Join(req.Text, " ")
	switch req.Kind {
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

// breadcrumb returns the three cells of a row. A reference to code is put in backticks.
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

// repeats reports whether the section already ends with these notes.
func repeats(c *checkpoint.Checkpoint, req NoteRequest) bool {
	if section, ok := listKinds()[req.Kind]; ok {
		place, found := c.Find(section)
		if !found {
			return false
		}
		entries, items := req.entries(), c.Doc.Items(place.Extent)
		return len(items) >= len(entries) &&
			slices.EqualFunc(items[len(items)-len(entries):], entries, func(i doc.Entry, entry string) bool {
				return i.Text == doc.Literal(strings.TrimSpace(entry))
			})
	}
	text := strings.TrimSpace(strings.Join(req.Text, " "))
	switch req.Kind {
	case "artifact":
		all := c.Artifacts()
		return len(all) > 0 && all[len(all)-1] == checkpoint.ParseArtifact(text)
	case "breadcrumb":
		all, cells := c.Breadcrumbs(), breadcrumb(req.Text)
		if len(all) == 0 {
			return false
		}
		b := all[len(all)-1]
		return slices.Equal([]string{b.Type, b.Reference, b.Hint},
			[]string{cells[0], strings.TrimSpace(strings.Trim(cells[1], "`")), cells[2]})
	}
	return false
}

// Next replaces the next actions, or appends to them. Ticked ones move to Play-By-Play.
func (p *Editor) Next(ctx context.Context, id string, actions []string, add bool) (*result.Receipt, error) {
	if len(actions) == 0 || slices.ContainsFunc(actions, func(a string) bool { return strings.TrimSpace(a) == "" }) {
		return nil, fault.New(fault.Usage, "a next action says what to do").WithHint("ckpt next TEXT...")
	}
	return p.revise(ctx, id, "next", func(c *checkpoint.Checkpoint, r *revise.Revision) (string, error) {
		if !add {
			r.Renew(actions)
			return text.FirstLine(actions[0]), nil
		}
		for _, a := range actions {
			r.Bullet(checkpoint.Next, a)
		}
		return "+ " + text.FirstLine(actions[0]), nil
	})
}

// Done moves the one open next action that contains text, or the nth ("#2"), to Play-By-Play.
func (p *Editor) Done(ctx context.Context, id, text string) (*result.Receipt, error) {
	if strings.TrimSpace(text) == "" {
		return nil, fault.New(fault.Usage, "which next action is done?").WithHint("ckpt done TEXT, or ckpt done '#1'")
	}
	return p.revise(ctx, id, "done", func(c *checkpoint.Checkpoint, r *revise.Revision) (string, error) {
		return r.Done(text)
	})
}

// revise changes the sections of one checkpoint.
func (p *Editor) revise(ctx context.Context, id, op string,
	do func(*checkpoint.Checkpoint, *revise.Revision) (summary string, err error)) (*result.Receipt, error) {
	return p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		c, err := view.Open(id)
		if err != nil {
			return nil, err
		}
		r := revise.Begin(c)
		summary, err := do(c, r)
		if err != nil {
			return nil, err
		}
		revised, err := r.Apply()
		if err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: op, ID: c.ID, Summary: summary, Path: c.Path}
		o.Revise(c, revised)
		o.NoteReplaced(c, revised, "--add")
		return o, nil
	})
}
