package project

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/history"
)

// at finds the version of a checkpoint that rev means: "-2" or "@{2}", the second
// before the newest; a day or a time ("2026-01-02", "2026-01-02T10:00Z"), as it stood
// at its end; else a git revision, as that commit has it. What looks like a day is one.
func (p *Project) at(ctx context.Context, name, rev string) (*Versions, history.Version, error) {
	if n, ok := stepsBack(rev); ok {
		vs, err := p.Versions(ctx, name)
		if err != nil {
			return nil, history.Version{}, err
		}
		if n >= len(vs.List) {
			return nil, history.Version{}, fault.New(fault.NotFound, "%s has %s, and %q is before the first", vs.ID, count(len(vs.List), "version"), rev).
				WithHint("ckpt log %s", vs.ID)
		}
		return vs, vs.List[n], vs.here(vs.List[n], rev)
	}
	if t, ok := moment(rev); ok {
		vs, err := p.Versions(ctx, name)
		if err != nil {
			return nil, history.Version{}, err
		}
		for _, v := range vs.List {
			if !v.Time.After(t) {
				return vs, v, vs.here(v, rev)
			}
		}
		return nil, history.Version{}, vs.notYet(rev)
	}
	return p.atCommit(ctx, name, rev)
}

// atCommit is at for a git revision, on whatever branch.
func (p *Project) atCommit(ctx context.Context, name, rev string) (*Versions, history.Version, error) {
	commit, err := p.Repo.Resolve(ctx, rev)
	if err != nil {
		return nil, history.Version{}, err
	}
	if commit == "" {
		return nil, history.Version{}, fault.New(fault.NotFound, "%q is no revision, no date and no number of versions back", rev).
			WithHint("ckpt log shows the versions: name one by its commit, a day (2026-01-02), or @{1} for the one before")
	}
	vs, err := p.versionsFrom(ctx, name, commit)
	if err == nil && len(vs.List) == 0 || err != nil && fault.KindOf(err) == fault.NotFound {
		all, allErr := p.Versions(ctx, name)
		if allErr != nil {
			return nil, history.Version{}, allErr
		}
		return nil, history.Version{}, all.notYet(rev)
	}
	if err != nil {
		return nil, history.Version{}, err
	}
	tree, err := p.Repo.TreeAt(ctx, commit, p.prefix)
	if err != nil {
		return nil, history.Version{}, err
	}
	for _, v := range vs.List {
		if !v.Gone() && tree[v.Path] == v.Blob {
			return vs, v, vs.here(v, rev)
		}
	}
	gone := slices.IndexFunc(vs.List, history.Version.Gone)
	if gone >= 0 {
		return vs, vs.List[gone], vs.here(vs.List[gone], rev)
	}
	return nil, history.Version{}, vs.notYet(rev)
}

// here is the error where a version is none that could be shown.
func (vs *Versions) here(v history.Version, rev string) error {
	switch {
	case v.Gone():
		return fault.New(fault.NotFound, "at %q %s was gone: %s took it away (%s)", rev, vs.ID, v.Short(), v.Subject).
			WithHint("ckpt show %s --at %s~", vs.ID, v.Short())
	case v.Missing:
		return fault.New(fault.NotFound, "%s as it was in %s is not in this clone, which is a partial one", vs.ID, v.Short()).
			WithHint("git cat-file blob %s fetches it", v.Blob)
	}
	return nil
}

// notYet is the error where rev is before the first version.
func (vs *Versions) notYet(rev string) error {
	if len(vs.List) == 0 {
		return fault.New(fault.NotFound, "%s is in no commit yet", vs.ID).WithHint("ckpt save")
	}
	first := vs.List[len(vs.List)-1]
	begins := "it begins with"
	if first.Cut {
		begins = "this clone's history of it begins with"
	}
	return fault.New(fault.NotFound, "%s is not at %q: %s %s of %s", vs.ID, rev, begins, first.Short(), checkpoint.FormatTime(first.Time)).
		WithHint("ckpt log %s", vs.ID)
}

// ShowAt is the checkpoint that name means as it was at rev, and which version that
// is.
func (p *Project) ShowAt(ctx context.Context, name, rev string) (*checkpoint.Checkpoint, history.Version, error) {
	vs, v, err := p.at(ctx, name, rev)
	if err != nil {
		return nil, v, err
	}
	c, err := vs.Checkpoint(ctx, v)
	if fault.KindOf(err) == fault.Invalid && err != nil {
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

// stepsBack reads "-2" and "@{2}".
func stepsBack(rev string) (int, bool) {
	digits, ok := strings.CutPrefix(rev, "-")
	if !ok {
		if digits, ok = strings.CutPrefix(rev, "@{"); !ok || !strings.HasSuffix(digits, "}") {
			return 0, false
		}
		digits = strings.TrimSuffix(digits, "}")
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0
}

// moment reads a day, whose end it is, or a time.
func moment(rev string) (time.Time, bool) {
	if len(rev) < len("2026-01") || rev[4] != '-' {
		return time.Time{}, false
	}
	t, ok := checkpoint.ParseTime(rev)
	switch {
	case !ok:
		return t, false
	case len(rev) == len("2026-01"):
		t = t.AddDate(0, 1, 0).Add(-time.Second)
	case !strings.ContainsAny(rev, ":Tt "):
		t = t.AddDate(0, 0, 1).Add(-time.Second)
	}
	return t, true
}
