package edit

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/base"
	"example.com/ckpt/internal/workspace/store"
)

// DeltaRequest describes what changed since the last delta.
type DeltaRequest struct {
	ID         string            `json:"-"` // not encoded: a repeated request may use another name for the checkpoint
	Note       revise.Progress   // the content of the flags and the file
	Import     *schema.Import    // JSON of another schema: what is new in it is recorded
	Since      string            // the revision since which files are listed, in place of the base
	AllAuthors bool              // also list what commits of other people changed
	NoGit      bool              // do not list files from git: the caller gives the artifacts, or wants none
	Recovered  bool              // add what the record and git show of work that no delta records
	Prompt     bool              // add what the user said to the Session Intent
	Run        map[string]string // the run that the delta belongs to, as keys of the frontmatter
}

// Delta appends a delta and updates decisions, state and next actions, in one operation. If no
// artifacts are given, it lists the files that changed according to git.
func (p *Editor) Delta(ctx context.Context, req DeltaRequest) (*result.Receipt, error) {
	takes, said, err := takeUp(p, req.Prompt, req.hasText() || req.Recovered)
	if err != nil {
		return nil, err
	}
	if !req.hasText() && !req.Recovered && said == nil {
		return nil, saysNothing()
	}
	if req.Note.State != "" && doc.IsBlank(req.Note.State) {
		return nil, fault.New(fault.Usage, "the new current state needs a text").WithHint("ckpt delta -m TEXT --state TEXT")
	}
	if err := progress.CheckRun(req.Run); err != nil {
		return nil, err
	}
	for i, a := range req.Note.Artifacts {
		if a.File == "" {
			return nil, pathless()
		}
		req.Note.Artifacts[i].File = p.FromHere(a.File)
	}
	work := changes.Of(p.Repo)
	if req.asksGit() || req.Recovered {
		work, err = work.WithStatus(ctx, p.Prefix)
		if err != nil {
			return nil, err
		}
	}
	return p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		c, err := req.target(view)
		if err != nil {
			return nil, err
		}
		d := draft{DeltaRequest: req, takes: takes, said: said}
		if err := p.complete(ctx, &d, view, c, work); err != nil {
			return nil, err
		}
		return p.record(ctx, &d, view, c, now)
	})
}

// hasText reports whether the caller described what changed.
func (req DeltaRequest) hasText() bool {
	return !doc.IsBlank(req.Note.Changed) || req.Import != nil
}

// asksGit reports whether git lists the files of the delta.
func (req DeltaRequest) asksGit() bool { return len(req.Note.Artifacts) == 0 && !req.NoGit }

// draft is a delta that is about to be recorded.
type draft struct {
	DeltaRequest
	takes   []record.Words
	said    []record.Entry
	remarks []string
	repeats []repeat // the request with the times of files, and without them as New records a save
	adds    bool     // the delta has messages or recovered work that the request lacks, so it is never a repetition
	nothing bool     // no work was found that could be recovered
}

// complete adds to a delta what git and the record of sessions show. Work has the uncommitted changes.
func (p *Editor) complete(ctx context.Context, d *draft, view *workspace.View, c *checkpoint.Checkpoint,
	work changes.Changes) error {
	written := map[string]time.Time{} // modification times, to distinguish a repeated request from a new one
	for _, a := range d.Note.Artifacts {
		written[a.File] = p.Repo.Worktree().ModTime(a.File)
	}
	var trail changes.Work
	byGit := d.asksGit()
	if byGit || d.Recovered {
		var err error
		trail, err = p.trail(ctx, d, view, c, work)
		if err != nil {
			return err
		}
	}
	asked := d.DeltaRequest
	recovered := d.Recovered && p.fillRecovered(ctx, &d.Note, asked.hasText(), c, trail)
	d.Note.Intent, d.adds = quoted(d.said), recovered || d.said != nil
	switch {
	case d.hasText():
	case d.adds:
		d.Note.Changed = "Took up what the user said: " + text.Count(len(d.said), "message")
	case !reflect.ValueOf(asked.Note).IsZero():
		return saysNothing()
	default:
		d.nothing = true
		return nil
	}
	if byGit {
		for _, f := range trail.Files {
			if f.Uncommitted {
				written[f.Path] = p.Repo.Worktree().ModTime(f.Path)
			}
		}
		d.Note.Artifacts, d.remarks = ArtifactsOf(trail)
		if d.Since == "" {
			d.Note.Artifacts = p.Unlisted(c, d.Note.Artifacts)
		}
		d.remarks = append(remarksOf(trail, cmp.Or(d.Since, "base")), d.remarks...)
		if n := len(d.Note.Artifacts); n > 0 {
			d.remarks = append([]string{"recorded " + text.Count(n, "changed file") + " (from git)"}, d.remarks...)
		} else if len(trail.Files) > 0 {
			d.remarks = append(d.remarks, "no file changed since a delta listed it (from git)")
		}
	}
	d.repeats = []repeat{repeatOf(p.Settings, "delta", asked, written), repeatOf(p.Settings, "delta", asked)}
	return nil
}

// record returns the transaction that records a delta. The transaction is empty if the delta is recorded already.
func (p *Editor) record(ctx context.Context, d *draft, view *workspace.View, c *checkpoint.Checkpoint,
	now time.Time) (*workspace.Tx, error) {
	o := &workspace.Tx{Op: "delta", ID: c.ID, Summary: d.Note.Changed, Path: c.Path, Takes: d.takes}
	if d.nothing {
		o.Summary = "nothing to recover"
		return o, nil
	}
	if same, err := p.repeatsDelta(ctx, d, view, c); same || err != nil {
		return o, err
	}
	r := revise.Begin(c)
	if view.Began.Hash != "" {
		r.Set("base", view.Began.Hash)
	}
	r.Drop("trigger") // the trigger of the previous delta
	p.Sign(c, r)
	note := revise.Settle(c, d.Note)
	o.Summary, o.Remarks = note.Changed, slices.Clone(d.remarks)
	for _, step := range note.Told {
		o.Remarks = append(o.Remarks, fmt.Sprintf("no next action contains %q: recorded as a step", text.FirstLine(step)))
	}
	var err error
	if d.Import != nil {
		note, err = d.Import.Record(c, r, note, now)
		o.Summary = note.Changed
	} else {
		err = r.Record(note, now)
	}
	if err != nil {
		return nil, err
	}
	revised, err := progress.SetRun(r, d.Run).Apply()
	if err != nil {
		return nil, err
	}
	o.Revise(c, revised)
	o.NoteOpen(d.Note.Texts()...)
	o.NoteReplaced(c, revised, "--add-next")
	o.BeforeCommit = func() { p.remember(d.repeats[0], revised, d.Note.Artifacts) }
	return o, nil
}

func saysNothing() error {
	return fault.New(fault.Usage, "a delta needs a text: what changed").
		WithHint("ckpt delta -m TEXT, or -F - and the text on standard input")
}

// target returns the checkpoint that ID means or, without ID, the one that the JSON names. If they mean two existing
// checkpoints, it returns an error. If JSON is for a checkpoint that does not exist, the hint is ckpt new.
func (req DeltaRequest) target(view *workspace.View) (*checkpoint.Checkpoint, error) {
	if req.Import == nil {
		return view.Open(req.ID)
	}
	named := req.Import.Target(view.Set)
	if err := checkpoint.CheckID(named); err != nil && named != "" && req.ID == "" {
		return nil, fault.New(fault.Usage, "the checkpointId of the JSON: %w", err).WithHint("ckpt delta ID -F FILE")
	}
	if whole, err := view.Target(named); err == nil && whole.ID == "chk-"+named {
		named = whole.ID
	}
	c, err := view.Open(cmp.Or(req.ID, named))
	if err == nil && named != "" && c.ID != named {
		if other, _ := view.Target(named); req.ID == "" || other != nil && other.ID == named {
			return nil, fault.New(fault.Usage, "the JSON is of %s, not of %s", named, c.ID).WithHint("ckpt save -F FILE")
		}
	}
	if fault.KindOf(err) == fault.NotFound {
		err = fault.New(fault.NotFound, "%w", err).WithHint("%s -F FILE", strings.TrimSpace("ckpt new "+req.ID))
	}
	return c, err
}

// trail returns what changed according to git since the state that a checkpoint describes.
func (p *Editor) trail(ctx context.Context, d *draft, view *workspace.View, c *checkpoint.Checkpoint,
	work changes.Changes) (changes.Work, error) {
	from := base.Finder{Folder: view.Folder}.Since(ctx, c)
	if d.Since != "" {
		hash, err := log.Of(view.Repo).ResolveCode(ctx, d.Since)
		if err != nil {
			return changes.Work{}, err
		}
		if hash == "" {
			return changes.Work{}, fault.New(fault.NotFound, "git knows no revision %q", d.Since).
				WithHint("git log --oneline")
		}
		from = changes.Base{Commit: hash}
	}
	trail, err := work.At(view.Repo).Since(ctx, from, view.Prefix, d.AllAuthors)
	if err == nil && d.Since == "" {
		p.AddGone(ctx, c, &trail)
	}
	return trail, err
}
