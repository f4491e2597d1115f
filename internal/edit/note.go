package edit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/record"
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

// NoteRequest describes a note, or several notes of one kind.
type NoteRequest struct {
	ID         string
	Kind       string   // one of NoteKinds
	Text       []string // for a breadcrumb its type, reference and hint; otherwise one text
	List       []string // several notes, in place of Text, for kinds that take a list
	Why        string   // the reason for a decision
	Prompt     bool     // add what the user said, as rules
	Supersedes string   // a text of the decision that this one replaces
}

// NoteSection returns the section of a kind of note. It reports false for a kind that does not exist.
func NoteSection(kind string) (section checkpoint.Kind, ok bool) {
	section, ok = map[string]checkpoint.Kind{
		"decision": checkpoint.Decisions, "context": checkpoint.Context, "breadcrumb": checkpoint.Breadcrumbs,
		"step": checkpoint.PlayByPlay, "artifact": checkpoint.Artifacts, "state": checkpoint.State,
		"rule": checkpoint.Rules,
	}[kind]
	return section, ok
}

// TakesList reports whether the notes of a kind are entries of a list, so that several can be written
// at once.
func TakesList(kind string) bool {
	return slices.Contains([]string{"decision", "context", "step", "rule"}, kind)
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
		all[i] = checkpoint.NewDecision(what)
		if req.Why != "" {
			all[i] = checkpoint.DecisionText(what, req.Why)
		}
	}
	return all
}

// check returns an error for a note that lacks a part, or has one that its kind does not take.
func (req NoteRequest) check() error {
	if !req.Prompt && doc.IsBlank(strings.Join(append(req.Text, req.List...), "\n\n")) {
		return fault.New(fault.Usage, "note %s needs a text", req.Kind).WithHint("ckpt note %s TEXT", req.Kind)
	}
	if _, known := NoteSection(req.Kind); !known {
		return fault.New(fault.Usage, "%q is not a kind of note (want %s)", req.Kind, strings.Join(NoteKinds, ", ")).
			WithHint("ckpt note decision TEXT --why TEXT")
	}
	if len(req.List) > 1 && (req.Why != "" || req.Supersedes != "") {
		return fault.New(fault.Usage, "--why and --supersedes are for one decision, not for %d", len(req.List)).
			WithHint("write `- **WHAT**: WHY` for each")
	}
	if req.Kind == "breadcrumb" && (len(req.Text) < 2 || strings.TrimSpace(req.Text[1]) == "") {
		return fault.New(fault.Usage, "note breadcrumb needs a TYPE and a REFERENCE").
			WithHint("ckpt note breadcrumb file PATH HINT")
	}
	if req.Kind == "artifact" && len(req.Text) > 1 {
		if file := strings.TrimSuffix(req.Text[0], ":"); checkpoint.ParseArtifact(file).File == file {
			return fault.New(fault.Usage, "an artifact is one word, PATH[:ACTION[:TEXT]], and %q is another", req.Text[1]).
				WithHint("ckpt note artifact '%s:modified:TEXT'", file)
		}
	}
	if req.Kind != "decision" && (req.Why != "" || req.Supersedes != "") {
		return fault.New(fault.Usage, "--why and --supersedes are for decisions").
			WithHint("ckpt note decision TEXT --why TEXT")
	}
	return nil
}

func pathless() error {
	return fault.New(fault.Usage, "an artifact needs a path").WithHint("PATH[:ACTION[:TEXT]]")
}

// Note adds notes of one kind to their section, or to the open mark. The same request twice in a row changes nothing.
func (p *Editor) Note(ctx context.Context, req NoteRequest) (*result.Receipt, error) {
	if req.Prompt && req.Kind != "rule" {
		return nil, fault.New(fault.Usage, "--prompt is for rules").WithHint("ckpt note rule --prompt")
	}
	tx := workspace.Tx{Op: "note"}
	var said []record.Entry
	if req.Kind == "rule" || req.Kind == "decision" {
		var err error
		tx.Takes, said, err = takeUp(p, req.Prompt, true)
		if err != nil {
			return nil, err
		}
	}
	if err := req.check(); err != nil {
		return nil, err
	}
	switch req.Kind {
	case "artifact":
		text := strings.TrimSpace(strings.Join(req.Text, " "))
		file := checkpoint.ParseArtifact(text).File
		if file == "" {
			return nil, pathless()
		}
		req.Text = []string{p.FromHere(file) + strings.TrimPrefix(text, file)}
	case "breadcrumb":
		req.Text = slices.Clone(req.Text)
		if req.Text[0] == "file" {
			req.Text[1] = p.FromHere(req.Text[1])
		}
	}
	sent := []any{req}
	for _, s := range said {
		rule := s.Text + " (the user, " + checkpoint.FormatTime(s.At) + ")"
		if strings.Contains(s.Text, "\n") { // the text may end in a fence or a table
			rule = s.Message()
		}
		req.List = append(req.List, rule)
	}
	jotted := false
	do := func(c *checkpoint.Checkpoint, r *revise.Revision, o *workspace.Tx) error {
		m, marked := c.Mark()
		if marked && !req.Prompt { // a rewind removes notes in a mark, so no message counts as recorded
			o.Takes, jotted = nil, true
			jot(r, m, req)
		} else {
			note(r, req)
		}
		o.NoteOpen(slices.Concat(req.Text, req.List, []string{req.Why})...)
		return nil
	}
	tx.Summary = req.summary()
	receipt, err := p.revise(ctx, req.ID, tx, sent, do)
	if jotted && err == nil && !receipt.Unchanged {
		receipt.Remarks = append(receipt.Remarks, "saved in the open exploration (ckpt rewind REPORT ends it)")
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
	return req.Kind + ": " + withMore(s, len(req.List))
}

// jot adds a note of any kind to the scratch of a mark.
func jot(r *revise.Revision, m checkpoint.Mark, req NoteRequest) {
	texts := req.entries()
	if req.Kind == "breadcrumb" {
		texts = []string{strings.Join(breadcrumb(req.Text), " ")}
	}
	if req.Supersedes != "" {
		texts[0] += " (supersedes " + req.Supersedes + ")"
	}
	r.Jot(m, req.Kind, texts...)
}

func note(r *revise.Revision, req NoteRequest) {
	section, _ := NoteSection(req.Kind)
	entries := req.entries()
	switch {
	case req.Supersedes != "":
		what, why := checkpoint.ParseDecision(entries[0])
		r.Decide(what, why, req.Supersedes)
	case req.Kind == "decision": // a decision that the section has already, not struck through, is not added again
		r.AddNew(section, entries)
	case req.Kind == "state":
		r.Text(section, entries[0])
	case req.Kind == "breadcrumb":
		r.Row(section, breadcrumb(req.Text)...)
	case req.Kind == "artifact":
		a := checkpoint.ParseArtifact(entries[0])
		r.Row(section, checkpoint.Code(a.File), a.Action, a.Change)
	default:
		r.Bullet(section, entries...)
	}
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

// Next replaces the next actions and moves ticked ones to Play-By-Play. If add is set, it only appends to them.
func (p *Editor) Next(ctx context.Context, id string, actions []string, add bool) (*result.Receipt, error) {
	if len(actions) == 0 || slices.ContainsFunc(actions, doc.IsBlank) {
		return nil, fault.New(fault.Usage, "a next action needs a text").WithHint("ckpt next TEXT...")
	}
	tx := workspace.Tx{Op: "next", Summary: text.FirstLine(actions[0])}
	tx.Takes, _, _ = takeUp(p, false, true)
	if add {
		tx.Summary = "+ " + tx.Summary
	}
	do := func(c *checkpoint.Checkpoint, r *revise.Revision, o *workspace.Tx) error {
		o.NoteOpen(actions...)
		if add {
			r.Bullet(checkpoint.Next, actions...)
		} else {
			r.Renew(actions)
		}
		return nil
	}
	return p.revise(ctx, id, tx, []any{actions, add}, do)
}

// Done moves open next actions to Play-By-Play. Each text selects the action that contains it, or
// that has this number ("2" or "#2"). If one of them is not found, nothing is moved.
func (p *Editor) Done(ctx context.Context, id string, which ...string) (*result.Receipt, error) {
	if len(which) == 0 || slices.ContainsFunc(which, doc.IsBlank) {
		return nil, fault.New(fault.Usage, "which next action is done?").WithHint("ckpt next lists them; ckpt done 1")
	}
	request := []any{which}
	numbered := slices.ContainsFunc(which, func(s string) bool { _, ok := revise.ActionNumber(s); return ok })
	if numbered && p.Agent == "" {
		request = nil // a person who types "done 1" twice means two actions, since the numbers move up
	}
	do := func(c *checkpoint.Checkpoint, r *revise.Revision, o *workspace.Tx) error {
		for i, one := range which {
			text, err := r.Done(one)
			if err != nil {
				return err
			}
			if i == 0 {
				o.Summary = withMore(text, len(which))
			}
		}
		return nil
	}
	return p.revise(ctx, id, workspace.Tx{Op: "done"}, request, do)
}

// withMore returns the first of n texts and the number of the others.
func withMore(first string, n int) string {
	if n > 1 {
		return fmt.Sprintf("%s (and %d more)", first, n-1)
	}
	return first
}

// revise changes the sections of one checkpoint, in an operation with the Op and Summary of tx. If the checkpoint is
// what the same request made, nothing changes. A nil request, or one that adds messages, never repeats another.
func (p *Editor) revise(ctx context.Context, id string, tx workspace.Tx, request []any,
	do func(*checkpoint.Checkpoint, *revise.Revision, *workspace.Tx) error) (*result.Receipt, error) {
	adds := slices.ContainsFunc(tx.Takes, func(w record.Words) bool { return w.Said != nil })
	sent := repeatOf(p.Settings, append([]any{tx.Op}, request...)...)
	return p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		c, err := view.Open(id)
		if err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: tx.Op, ID: c.ID, Summary: tx.Summary, Path: c.Path, Takes: tx.Takes}
		if request != nil && !adds && sent.made(p, c) {
			return o, nil
		}
		r := revise.Begin(c)
		if err := do(c, r, o); err != nil {
			return nil, err
		}
		revised, err := r.Apply()
		if err != nil {
			return nil, err
		}
		o.Revise(c, revised)
		o.NoteReplaced(c, revised, "--add")
		if o.Op == "done" {
			o.Next = revised.FirstAction()
		}
		if request != nil {
			o.BeforeCommit = func() { p.remember(sent, revised, nil) }
		}
		return o, nil
	})
}
