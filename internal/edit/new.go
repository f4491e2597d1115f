package edit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// NewRequest describes a new checkpoint.
type NewRequest struct {
	Name        string // "auth" makes chk-auth; if Name and ID are empty, the id is made from the problem or the time
	ID          string // used unchanged, instead of Name
	Text        revise.Spec
	Decisions   []string       // each as 'WHAT: WHY'
	Anchor      string         // "" means branch@commit
	Parent      string         // the parent to fork from
	SameProblem bool           // the fork has the same problem as its parent
	Parked      bool           // do not make the checkpoint current
	File        []byte         // Markdown with or without frontmatter; nil if not given
	Import      *schema.Import // JSON of another schema, in place of File
	Prompt      bool           // add what the user said to the Session Intent

	Run map[string]string // the run that the checkpoint belongs to, as keys of the frontmatter
}

// New creates a checkpoint with every required section. It becomes current unless it is parked, or
// $CKPT_ID is set because several agents share the working tree.
func (p *Editor) New(ctx context.Context, req NewRequest) (*result.Receipt, error) {
	if err := progress.CheckRun(req.Run); err != nil {
		return nil, err
	}
	if req.Import != nil {
		var err error
		req.File, err = req.Import.Markdown()
		if err != nil {
			return nil, err
		}
	}
	stated := !doc.IsBlank(req.Text.Problem) || req.File != nil || req.SameProblem
	takes, said, err := takeUp(p, req.Prompt, stated)
	if err != nil {
		return nil, err
	}
	if !stated && len(said) > 0 {
		req.Text.Problem = text.Shorten(text.FirstLine(said[0].Text), 200)
	}
	sent := repeatOf(p.Settings, "new", req)
	receipt, err := p.Change(ctx, store.All, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		if c := sent.newest(p, view.Set.Active()); c != nil {
			summary := text.FirstLine(doc.Given(c.Text(checkpoint.Problem)))
			return &workspace.Tx{Op: "new", ID: c.ID, Summary: summary, Path: c.Path}, nil
		}
		if len(view.Set.All)+len(view.Set.Broken) == 0 {
			if err := checkIgnored(ctx, p.Workspace, "new"); err != nil {
				return nil, err
			}
		}
		o := &workspace.Tx{Op: "new", Name: req.Name, Takes: takes}
		c, err := p.begin(view, req, o, said, now)
		if err != nil {
			return nil, err
		}
		o.ID, o.Summary, o.Path = c.ID, text.FirstLine(doc.Given(c.Text(checkpoint.Problem))), c.Path
		t := req.Text
		o.NoteOpen(slices.Concat([]string{string(req.File), t.Problem, t.Intent, t.State},
			req.Decisions, t.Context, t.Steps, t.Next, t.Rules)...)
		if o.Summary == "" {
			o.Summary = "no problem stated yet"
			o.Remarks = append(o.Remarks, "the Problem is still to be written: ckpt edit "+c.ID)
		}
		o.Put(c.Path, nil, c.Doc.Bytes())
		o.BeforeCommit = func() {
			p.remember(sent, c, nil)
			if req.Import != nil { // a save that is sent again finds the checkpoint
				p.remember(repeatOf(p.Settings, "delta", DeltaRequest{Import: req.Import}), c, nil)
			}
		}
		if c.Status() == checkpoint.Current {
			if before, err := workspace.Current(view.Set); err == nil {
				o.Remarks = append(o.Remarks, before.ID+" is no longer current (ckpt use - goes back)")
			}
			o.ClearCurrents(view.Set, c.ID)
		}
		return o, p.remindToPrune(ctx, view, o, now)
	})
	return p.pruneAfter(ctx, receipt, err)
}

// begin makes the checkpoint, with what the user said in its Session Intent.
func (p *Editor) begin(view *workspace.View, req NewRequest, o *workspace.Tx, said []record.Entry,
	now time.Time) (c *checkpoint.Checkpoint, err error) {
	spec := req.Text
	for _, d := range req.Decisions {
		spec.Decisions = append(spec.Decisions, checkpoint.NewDecision(d))
	}
	spec.Fields = map[string]string{
		"anchor": cmp.Or(req.Anchor, workspace.Anchor(view.Began)), "base": view.Began.Hash,
		"status": string(checkpoint.Active), "agent": p.Agent, "session": p.Session,
	}
	if becomesCurrent := !req.Parked && !p.Shared; becomesCurrent {
		spec.Fields["status"] = string(checkpoint.Current)
	}
	if err := p.fork(view, req, &spec, o); err != nil {
		return nil, err
	}
	c, err = req.drafted(view.Set, spec, now)
	if err != nil {
		return nil, err
	}
	switch {
	case req.Import != nil: // the parent in the JSON is an id of another tool, and need not exist
		if other := progress.Saved(view.Set, req.Import); other != nil {
			o.Remarks = append(o.Remarks, "an earlier save is in "+other.ID+" (ckpt delta "+other.ID+" -F FILE saves onto it)")
		}
	case req.File != nil:
		c, o.Remarks, err = p.startable(view.Set, c)
		if err == nil {
			err = req.sound(c)
		}
	}
	if err != nil {
		return nil, err
	}
	c, err = progress.SetRun(revise.Begin(c).Append(checkpoint.Intent, quoted(said)), req.Run).Apply()
	if err != nil {
		return nil, err
	}
	taken := c
	if named, err := view.Set.Whole(req.Import.Target(view.Set)); err == nil {
		taken = named
	}
	err = p.Free(view, taken)
	if other, ok := view.Set.Get(taken.ID); ok && req.Import != nil && other.Status() != checkpoint.Archived {
		err = fault.New(fault.Refused, "%w", err).WithHint("ckpt delta %s -F FILE saves onto it", other.ID)
	}
	return c, err
}

// startable checks that the parent of a checkpoint that a user wrote exists. It removes a Completion, with a remark.
func (p *Editor) startable(set *checkpoint.Set, c *checkpoint.Checkpoint) (*checkpoint.Checkpoint, []string, error) {
	if id := c.Parent(); id != "" && !has(set, id) {
		return nil, nil, fault.New(fault.NotFound, "no checkpoint is called %q, the parent in the text given with -F", id).
			WithHint("--parent ID, or take the line `parent:` out of the text")
	}
	if _, completed := c.Find(checkpoint.Completion); !completed {
		return c, nil, nil
	}
	open, _, err := revise.Reopen(c, true)
	if err != nil {
		return nil, nil, err
	}
	open, err = revise.Begin(open).Set("status", string(c.Status())).Apply()
	return open, []string{"the Completion is left out: it comes with ckpt archive"}, err
}

// sound returns an error if validate finds an error in c, the checkpoint made from the request.
func (req NewRequest) sound(c *checkpoint.Checkpoint) error {
	lines := func(src []byte) []string { return strings.Split(string(src), "\n") }
	for _, f := range validate.Checkpoint(c, time.Time{}) {
		if f.Severity != result.Error {
			continue
		}
		place := ""
		// Find the line in the given file: sections may have been added before it.
		if n := slices.Index(lines(req.File), lines(c.Doc.Bytes())[f.Line-1]); n >= 0 {
			place = fmt.Sprintf("line %d: ", n+1)
		}
		return fault.New(fault.Invalid, "the text given with -F: %s%s [%s]", place, f.Message, f.Code).WithHint("%s", f.Fix)
	}
	return nil
}

// drafted returns the checkpoint of a spec. Without a given id, it makes one from the first words
// of the problem, or from the time if there are none, and adds a number if the id is taken.
func (req NewRequest) drafted(set *checkpoint.Set, spec revise.Spec,
	now time.Time) (*checkpoint.Checkpoint, error) {
	id := req.ID
	if id == "" && req.Name != "" {
		var err error
		id, err = checkpoint.IDFor(req.Name)
		if err != nil {
			return nil, err
		}
	}
	spec.ID = id
	c, err := revise.Create(spec, req.File, now)
	if byTime := revise.TimeID(now); err == nil && id == "" && c.ID == byTime {
		name := byTime
		words := strings.Fields(text.FirstLine(doc.Given(c.Text(checkpoint.Problem))))
		if byWords, bad := checkpoint.IDFor(strings.Join(words[:min(4, len(words))], " ")); bad == nil && len(words) > 1 {
			name = byWords
		}
		spec.ID = name
		c, err = revise.Create(spec, req.File, now)
		for n := 2; err == nil && has(set, c.ID); n++ {
			spec.ID = name + "-" + strconv.Itoa(n)
			c, err = revise.Create(spec, req.File, now)
		}
	}
	return c, err
}

func has(set *checkpoint.Set, id string) bool {
	_, found := set.Get(id)
	return found
}

// fork copies to a child what it shares with its parent: rules, context and live decisions. It
// copies the problem only if the request says so.
func (p *Editor) fork(view *workspace.View, req NewRequest, spec *revise.Spec, o *workspace.Tx) error {
	if req.Parent == "" {
		if req.SameProblem {
			return fault.New(fault.Usage, "--same-problem goes with --parent").
				WithHint("ckpt new NAME --parent ID --same-problem")
		}
		return nil
	}
	parent, err := view.Target(req.Parent)
	if err != nil {
		return err
	}
	spec.Fields["parent"] = parent.ID
	if req.SameProblem {
		spec.Problem = cmp.Or(spec.Problem, parent.Text(checkpoint.Problem))
		spec.Intent = cmp.Or(spec.Intent, parent.Text(checkpoint.Intent))
		o.Copied = parent.Text(checkpoint.Problem) + "\n" + parent.Text(checkpoint.Intent)
	}
	if strings.TrimSpace(spec.Problem) == "" && req.File == nil {
		return fault.New(fault.Usage, "a fork of %s needs a problem of its own", parent.ID).
			WithHint("--problem TEXT, or --same-problem")
	}
	spec.LiveText = parent.LiveText(checkpoint.Decisions)
	spec.Copied = parent.Text(checkpoint.Context)
	spec.RulesText = parent.Text(checkpoint.Rules)
	o.Copied = strings.Join([]string{o.Copied, spec.LiveText, spec.Copied, spec.RulesText}, "\n")
	return nil
}

// Free returns an error if the id or the file of a new checkpoint is taken.
func (p *Editor) Free(view *workspace.View, c *checkpoint.Checkpoint) error {
	for _, other := range view.Set.All {
		if strings.EqualFold(other.ID, c.ID) {
			back := "use"
			if other.Status() == checkpoint.Archived {
				back = "reopen"
			}
			return fault.New(fault.Refused, "%s exists already: %s", other.ID, p.FromRoot(other.Path)).
				WithHint("another name; or ckpt %s %s", back, other.ID)
		}
	}
	have, err := view.Store.Read(c.Path)
	if err != nil {
		return err
	}
	if have != nil {
		return fault.New(fault.Refused, "the file %s exists already", p.FromRoot(c.Path)).WithHint("another name")
	}
	tree, err := view.Committed(store.All)
	if _, committed := tree[c.Path]; committed && err == nil {
		return fault.New(fault.Refused, "the last commit has %s, and the working tree does not", p.FromRoot(c.Path)).
			WithHint("git restore %s, or ckpt save if it is to go", p.FromRoot(c.Path))
	}
	return err
}
