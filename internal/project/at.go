package project

import (
	"context"
	"fmt"
	"strings"

	"example.com/ckpt/internal/chronicle"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/history"
	"example.com/ckpt/internal/core/ledger"
	"example.com/ckpt/internal/core/resume"
)

// Version splits the name of a version of a checkpoint, "chk-auth@{2}", into the
// checkpoint and the version; rev is "" for a name of another form.
func Version(name string) (id, rev string) {
	at := strings.LastIndex(name, "@{")
	if at < 0 || chronicle.IsCommit(name[at:]) {
		return name, ""
	}
	return name[:at], name[at:]
}

// at finds the version of a checkpoint that rev means: "-2" or "@{2}", the second
// before the newest; a day or a time ("2026-01-02", "2026-01-02T10:00Z"), as it stood
// at its end; else a git revision, as that commit has it. What looks like a day is one.
func (p *Project) at(ctx context.Context, name, rev string) (*chronicle.Versions, history.Version, error) {
	if chronicle.IsCommit(rev) {
		return p.atCommit(ctx, name, rev)
	}
	vs, err := p.versions(ctx, name)
	if err != nil {
		return nil, history.Version{}, err
	}
	v, err := vs.At(rev)
	return vs, v, err
}

// atCommit is at for a git revision, on whatever branch.
func (p *Project) atCommit(ctx context.Context, name, rev string) (*chronicle.Versions, history.Version, error) {
	commit, err := p.Repo.Resolve(ctx, rev)
	if err != nil {
		return nil, history.Version{}, err
	}
	if commit == "" {
		return nil, history.Version{}, fault.New(fault.NotFound, "%q is no revision, no date and no number of versions back", rev).
			WithHint("ckpt log shows the versions: name one by its commit, a day (2026-01-02), or @{1} for the one before")
	}
	vs, err := p.versionsFrom(ctx, name, commit)
	if err == nil && len(vs.List) == 0 || fault.KindOf(err) == fault.NotFound {
		all, allErr := p.versions(ctx, name)
		if allErr != nil {
			return nil, history.Version{}, allErr
		}
		return nil, history.Version{}, all.NotYet(rev)
	}
	if err != nil {
		return nil, history.Version{}, err
	}
	tree, err := p.Repo.TreeAt(ctx, commit, p.prefix)
	if err != nil {
		return nil, history.Version{}, err
	}
	v, err := vs.AtCommit(tree, rev)
	return vs, v, err
}

// ShowAt is the checkpoint that name means as it was at rev, and which version that
// is.
func (p *Project) ShowAt(ctx context.Context, name, rev string) (*checkpoint.Checkpoint, history.Version, error) {
	vs, v, err := p.at(ctx, name, rev)
	if err != nil {
		return nil, v, err
	}
	c, err := vs.Checkpoint(ctx, v)
	if fault.KindOf(err) == fault.Invalid {
		err = fault.New(fault.Invalid, "at %q %w", rev, err).WithHint("ckpt show %s --at %s --raw", vs.ID, rev)
	}
	return c, v, err
}

// RawAt is the bytes of the file as it was at rev, readable or not.
func (p *Project) RawAt(ctx context.Context, name, rev string) ([]byte, error) {
	vs, v, err := p.at(ctx, name, rev)
	if err != nil {
		return nil, err
	}
	return vs.Bytes(ctx, v.Blob)
}

// resumeAt is the brief of a checkpoint as it was at rev.
func (p *Project) resumeAt(ctx context.Context, name, rev string) (*resume.Brief, error) {
	c, v, err := p.ShowAt(ctx, name, rev)
	if err != nil {
		return nil, err
	}
	entries, err := p.entries(ctx)
	if err != nil {
		return nil, err
	}
	brief := resume.Build(c, ledger.Pick(entries, []string{string(c.Doc.Bytes())}, resume.MaxLearnings))
	brief.Path = p.fromRoot(c.Path)
	brief.Facts = fmt.Sprintf("As it was at %s: %s of %s. What came later is not in it (`ckpt resume %s`).", rev, v.Short(), checkpoint.FormatTime(v.Time), c.ID)
	return brief, nil
}
