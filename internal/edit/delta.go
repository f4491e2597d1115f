package edit

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// DeltaRequest describes what changed since the last delta.
type DeltaRequest struct {
	ID          string
	Note        revise.Progress   // the content of the flags and the file
	Import      *schema.Import    // JSON of another schema, whose news are recorded
	Since       string            // the revision since which files are listed, in place of the base
	AllAuthors  bool              // also list what commits of other people changed
	NoArtifacts bool              // the caller has given the artifacts, so git is not asked
	Recovered   bool              // add what the record and git show of work that no delta records
	Prompt      bool              // add what the user said to the Session Intent
	Run         map[string]string // the run that it belongs to: keys of the frontmatter
}

// Delta appends a delta and updates decisions, state and next actions, in one operation. If no
// artifacts are given, it lists the files that changed according to git.
func (p *Editor) Delta(ctx context.Context, req DeltaRequest) (*result.Receipt, error) {
	said, err := takeUp(p, req.Prompt)
	if err != nil {
		return nil, err
	}
	req.Note.Intent = quoted(said)
	if len(said) > 0 && !req.hasText() && !req.Recovered {
		req.Note.Changed = "Took up what the user said: " + text.Count(len(said), "message")
	}
	if !req.hasText() && !req.Recovered {
		return nil, saysNothing()
	}
	if err := progress.CheckRun(req.Run); err != nil {
		return nil, err
	}
	d, err := p.draft(ctx, req)
	if err != nil {
		return nil, err
	}
	return p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		return p.record(ctx, d, view, now)
	})
}

// hasText reports whether the caller described what changed.
func (req DeltaRequest) hasText() bool {
	return strings.TrimSpace(req.Note.Changed) != "" || req.Import != nil
}

// draft is a delta that is about to be recorded.
type draft struct {
	DeltaRequest
	remarks []string
	head    string // the commit that the delta describes; empty without commits
	repeat  repeat
	nothing bool // no work was found that could be recovered
	deltas  int  // the number of deltas that the checkpoint must still have, or -1
}

// draft completes a request with what git and the record of sessions show.
func (p *Editor) draft(ctx context.Context, req DeltaRequest) (*draft, error) {
	d := &draft{DeltaRequest: req, deltas: -1}
	var edited []string // files whose modification times distinguish a repeated request from a new one
	for i, a := range d.Note.Artifacts {
		d.Note.Artifacts[i].File = p.fromHere(a.File)
		edited = append(edited, d.Note.Artifacts[i].File)
	}
	byGit := len(d.Note.Artifacts) == 0 && !d.NoArtifacts
	var c *checkpoint.Checkpoint
	var trail changes.Work
	if byGit || d.Recovered {
		var err error
		c, trail, err = p.trail(ctx, req)
		if err != nil {
			return nil, err
		}
		if d.Recovered {
			if err := p.recoverInto(ctx, d, c, trail); err != nil || d.nothing {
				return d, err
			}
		}
	}
	asked := d.DeltaRequest
	if byGit {
		for _, f := range trail.Files {
			if f.Uncommitted {
				edited = append(edited, f.Path)
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
	head, err := p.git.Head()
	if err != nil {
		return nil, err
	}
	d.head = head.Hash
	d.repeat, err = p.deltaRepeat(asked, edited)
	return d, err
}

// recoverInto adds recovered work to a delta. A delta that has nothing else is recorded only
// if no other delta comes first.
func (p *Editor) recoverInto(ctx context.Context, d *draft, c *checkpoint.Checkpoint, trail changes.Work) error {
	given, described := d.Note, d.hasText()
	recovered := p.fillRecovered(ctx, &d.Note, described, c, trail)
	switch {
	case described:
	case recovered:
		d.deltas = c.DeltaCount()
	case !reflect.ValueOf(given).IsZero():
		return saysNothing()
	default:
		d.nothing = true
	}
	return nil
}

// record returns the transaction that records a delta. The transaction is empty if the delta is
// recorded already.
func (p *Editor) record(ctx context.Context, d *draft, view *workspace.View, now time.Time) (*workspace.Tx, error) {
	c, err := d.target(view)
	if err != nil {
		return nil, err
	}
	o := &workspace.Tx{Op: "delta", ID: c.ID, Summary: d.Note.Changed, Path: c.Path}
	if d.nothing {
		o.Summary = "nothing to recover"
		return o, nil
	}
	if d.deltas >= 0 && d.deltas != c.DeltaCount() {
		return o, nil
	}
	if same, err := p.repeatsDelta(ctx, d.repeat, c); same || err != nil {
		return o, err
	}
	r := revise.Begin(c)
	if d.head != "" {
		r.Set("base", d.head)
	}
	r.Drop("trigger") // the trigger of the previous delta
	p.Sign(r)
	note := revise.Settle(c, d.Note)
	o.Summary, o.Remarks = note.Changed, slices.Clone(d.remarks)
	for _, step := range note.Told {
		o.Remarks = append(o.Remarks, fmt.Sprintf("no next action contains %q: recorded as a step", text.FirstLine(step)))
	}
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
	o.BeforeCommit = func() {
		d.repeat.remember(p.stateDir, revised, withListed(p, c, revised, d.Note.Artifacts))
	}
	return o, nil
}

func saysNothing() error {
	return fault.New(fault.Usage, "a delta says what changed").
		WithHint("ckpt delta -m TEXT, or -F - and the text on standard input")
}

// target returns the checkpoint of a request. If it does not exist and the request is JSON, the error names ckpt new.
func (req DeltaRequest) target(view *workspace.View) (*checkpoint.Checkpoint, error) {
	c, err := view.Open(req.ID)
	if req.Import != nil && fault.KindOf(err) == fault.NotFound {
		err = fault.New(fault.NotFound, "%w", err).WithHint("ckpt new %s -F FILE", cmp.Or(req.ID, "NAME"))
	}
	return c, err
}

// trail returns the checkpoint of a request, and what changed according to git since the state that
// it describes.
func (p *Editor) trail(ctx context.Context, req DeltaRequest) (*checkpoint.Checkpoint, changes.Work, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, changes.Work{}, err
	}
	c, err := req.target(view)
	if err != nil {
		return nil, changes.Work{}, err
	}
	base := p.base.Since(ctx, c)
	if req.Since != "" {
		hash, err := p.trails.Resolve(ctx, req.Since)
		if err != nil {
			return nil, changes.Work{}, err
		}
		if hash == "" {
			return nil, changes.Work{}, fault.New(fault.NotFound, "git knows no revision %q", req.Since).
				WithHint("git log --oneline")
		}
		base = changes.Base{Commit: hash}
	}
	trail, err := p.trails.Since(ctx, base, p.prefix, req.AllAuthors)
	return c, trail, err
}

// Sign records the agent and its session, if they are known.
func (p *Editor) Sign(r *revise.Revision) {
	if p.Agent != "" {
		r.Set("agent", p.Agent)
	}
	if p.Session != "" {
		r.Set("session", p.Session)
	}
}
