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
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// DeltaRequest is what changed since the last delta.
type DeltaRequest struct {
	ID          string
	Note        checkpoint.Progress // what the flags and the file say
	Import      *schema.Import      // JSON of another schema, whose news are recorded
	Since       string              // a revision, in place of base
	AllAuthors  bool                // list what others' commits changed too
	NoArtifacts bool                // the caller gave the artifacts: do not ask git
	Recovered   bool                // fill in what the record and git show of work that no delta records
	Run         map[string]string   // what run it belongs to: keys of the frontmatter
}

// Delta appends a delta and brings decisions, state and next actions up to date
// in one operation. Artifacts that are not given are what git says changed.
func (p *Editor) Delta(ctx context.Context, req DeltaRequest) (*result.Receipt, error) {
	if strings.TrimSpace(req.Note.Changed) == "" && req.Import == nil && !req.Recovered {
		return nil, saysNothing()
	}
	if err := progress.CheckRun(req.Run); err != nil {
		return nil, err
	}
	var remarks, edited []string
	for i, a := range req.Note.Artifacts {
		req.Note.Artifacts[i].File = p.fromHere(a.File)
		edited = append(edited, req.Note.Artifacts[i].File)
	}
	byGit := len(req.Note.Artifacts) == 0 && !req.NoArtifacts
	var trail changes.Work
	deltas := -1 // how many the checkpoint has where this one only makes up for one that is missing
	if byGit || req.Recovered {
		c, found, err := p.trail(ctx, req)
		if err != nil {
			return nil, err
		}
		if trail = found; req.Recovered {
			given, says := req.Note, strings.TrimSpace(req.Note.Changed) != "" || req.Import != nil
			switch recovered := p.fillRecovered(ctx, &req.Note, says, c, trail); {
			case says:
			case recovered:
				deltas = c.DeltaCount()
			case !reflect.ValueOf(given).IsZero():
				return nil, saysNothing()
			default:
				return p.Change(ctx, store.Live, func(*checkpoint.Set, time.Time) (*workspace.Tx, error) {
					return &workspace.Tx{Op: "delta", ID: c.ID, Summary: "nothing to recover", Path: c.Path}, nil
				})
			}
		}
	}
	asked := req
	if byGit {
		for _, f := range trail.Files {
			if f.Uncommitted {
				edited = append(edited, f.Path)
			}
		}
		req.Note.Artifacts, remarks = ArtifactsOf(trail)
		remarks = append(remarksOf(trail, cmp.Or(req.Since, "base")), remarks...)
		if n := len(req.Note.Artifacts); n > 0 {
			remarks = append([]string{text.Count(n, "file") + " changed, says git"}, remarks...)
		}
	}
	head, err := p.git.Head()
	if err != nil {
		return nil, err
	}
	again, err := p.repeat(asked, edited)
	if err != nil {
		return nil, err
	}
	return p.Change(ctx, store.Live, func(set *checkpoint.Set, now time.Time) (*workspace.Tx, error) {
		c, err := p.Open(set, req.ID)
		if err != nil {
			return nil, err
		}
		same, err := p.repeats(ctx, again, c)
		if same = same || deltas >= 0 && deltas != c.DeltaCount(); same || err != nil { // another one was quicker
			return &workspace.Tx{Op: "delta", ID: c.ID, Summary: req.Note.Changed, Path: c.Path}, err
		}
		r := c.Revise()
		if head.Hash != "" {
			r.Set("base", head.Hash)
		}
		r.Drop("trigger") // it is that of the last delta
		p.Sign(r)
		note, remarks := c.Settle(req.Note), slices.Clone(remarks)
		for _, step := range note.Told {
			remarks = append(remarks, fmt.Sprintf("no next action contains %q: recorded as a step", text.FirstLine(step)))
		}
		if req.Import != nil {
			note, err = req.Import.Record(c, r, note, now)
		} else {
			err = r.Record(note, now)
		}
		if err != nil {
			return nil, err
		}
		revised, err := progress.SetRun(r, req.Run).Apply()
		if err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: "delta", ID: c.ID, Summary: note.Changed, Path: c.Path, Remarks: remarks}
		o.Revise(c, revised)
		o.NoteReplaced(c, revised, "--add-next")
		p.remember(again, revised)
		return o, nil
	})
}

func saysNothing() error {
	return fault.New(fault.Usage, "a delta says what changed").WithHint("ckpt delta -m TEXT, or -F - and the text on standard input")
}

// trail returns the checkpoint of a request, and what git says changed since the state that
// it describes.
func (p *Editor) trail(ctx context.Context, req DeltaRequest) (*checkpoint.Checkpoint, changes.Work, error) {
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, changes.Work{}, err
	}
	c, err := p.Open(set, req.ID)
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
			return nil, changes.Work{}, fault.New(fault.NotFound, "git knows no revision %q", req.Since).WithHint("git log --oneline")
		}
		base = changes.Base{Commit: hash}
	}
	trail, err := p.trails.Since(ctx, base, p.prefix, req.AllAuthors)
	return c, trail, err
}

// sign notes who did it, where the environment says.
func (p *Editor) Sign(r *checkpoint.Revision) {
	if p.Agent != "" {
		r.Set("agent", p.Agent)
	}
	if p.Session != "" {
		r.Set("session", p.Session)
	}
}
