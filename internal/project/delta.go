package project

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// DeltaRequest is what changed since the last delta.
type DeltaRequest struct {
	ID          string
	Note        checkpoint.Progress // what the flags and the file say
	Since       string              // a revision, in place of base
	AllAuthors  bool                // list what others' commits changed too
	NoArtifacts bool                // the caller gave the artifacts: do not ask git
}

// Delta appends a delta and brings decisions, state and next actions up to date
// in one operation. Artifacts that are not given are what git says changed.
func (p *Project) Delta(ctx context.Context, req DeltaRequest) (*report.Receipt, error) {
	if strings.TrimSpace(req.Note.Changed) == "" {
		return nil, fault.New(fault.Usage, "a delta says what changed").WithHint("ckpt delta -m TEXT")
	}
	var remarks []string
	if len(req.Note.Artifacts) == 0 && !req.NoArtifacts {
		trail, err := p.trail(ctx, req)
		if err != nil {
			return nil, err
		}
		req.Note.Artifacts, remarks = artifactsOf(trail), remarksOf(trail, cmp.Or(req.Since, "base"))
	}
	head, err := p.Repo.Head()
	if err != nil {
		return nil, err
	}
	return p.change(ctx, store.Live, func(set *checkpoint.Set, now time.Time) (*operation, error) {
		c, err := p.open(set, req.ID)
		if err != nil {
			return nil, err
		}
		r := c.Revise()
		if err := r.Record(req.Note, now); err != nil {
			return nil, err
		}
		if head.Hash != "" {
			r.Set("base", head.Hash)
		}
		revised, err := r.Apply()
		if err != nil {
			return nil, err
		}
		o := &operation{op: "delta", id: c.ID, summary: req.Note.Changed, about: c.Path, remarks: remarks}
		o.revise(c, revised)
		return o, nil
	})
}

// trail is what git says changed since the state that the checkpoint describes.
func (p *Project) trail(ctx context.Context, req DeltaRequest) (git.Trail, error) {
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return git.Trail{}, err
	}
	c, err := p.open(set, req.ID)
	if err != nil {
		return git.Trail{}, err
	}
	base := c.Field("base")
	if req.Since != "" {
		out, err := p.Repo.Run(ctx, "rev-parse", "--quiet", "--verify", "--end-of-options", req.Since+"^{commit}")
		if err != nil {
			return git.Trail{}, fault.New(fault.NotFound, "git knows no revision %q", req.Since).WithHint("git log --oneline")
		}
		base = strings.TrimSpace(string(out))
	}
	return p.Repo.Trail(ctx, base, p.prefix, req.AllAuthors)
}

func artifactsOf(trail git.Trail) []checkpoint.Artifact {
	var all []checkpoint.Artifact
	for _, f := range trail.Files {
		a := checkpoint.Artifact{File: f.Path, Action: f.Action, Change: f.Subject}
		if f.Renamed {
			a.Change = join("; ", "renamed from `"+f.From+"`", f.Subject)
		}
		if f.Uncommitted {
			a.Change = join("; ", a.Change, "not committed")
		}
		all = append(all, a)
	}
	return all
}

func join(sep, a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + sep + b
}

// remarksOf is what the reader of an artifact table should know of its making.
func remarksOf(trail git.Trail, base string) []string {
	var all []string
	switch trail.State {
	case git.Diverged:
		all = append(all, base+" is no ancestor of HEAD: artifacts are counted from their merge base "+trail.Base[:7])
	case git.Gone:
		all = append(all, base+" is not in this repository: artifacts are those of the working tree only")
	}
	if trail.Others > 0 {
		all = append(all, fmt.Sprintf("%s by others since then: --all-authors lists what they changed", count(trail.Others, "commit")))
	}
	if len(trail.Files) == 0 {
		all = append(all, "git knows of no changed file")
	}
	return all
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
