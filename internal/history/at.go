package history

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Version splits the name of a version, "chk-auth@{2}", into the checkpoint and the version. For
// any other name rev is "".
func Version(name string) (id, rev string) {
	at := strings.LastIndex(name, "@{")
	if at < 0 || gitlog.IsCommit(name[at:]) {
		return name, ""
	}
	return name[:at], name[at:]
}

// at finds the version of a checkpoint that rev means. "-2" and "@{2}" mean the second version before the newest. A day
// or a time ("2026-01-02", "2026-01-02T10:00Z") means the newest version up to the end of that day, or up to that time.
// Anything else is a git revision and means the version in that commit; text in the form of a day never is.
func (p *History) at(ctx context.Context, name, rev string) (*gitlog.Versions, revisions.Version, error) {
	name, rev, err := p.versionNamed(ctx, name, rev)
	if err != nil {
		return nil, revisions.Version{}, err
	}
	if gitlog.IsCommit(rev) {
		return p.atCommit(ctx, name, rev)
	}
	vs, err := p.Versions(ctx, name)
	if err != nil {
		return nil, revisions.Version{}, err
	}
	v, err := vs.At(rev)
	return vs, v, err
}

// versionNamed splits a rev of the form ID@{n} into the checkpoint and the version. In any other case it returns name
// and rev unchanged. If there is a name, ID and name must mean the same checkpoint. If ID is not a checkpoint, rev may
// be a git revision such as main@{1}.
func (p *History) versionNamed(ctx context.Context, name, rev string) (string, string, error) {
	id, back := Version(rev)
	switch {
	case id == "" || back == "":
		return name, rev, nil
	case sameName(id, name):
		return name, back, nil
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return "", "", err
	}
	meant, notThere := view.Target(id)
	asked, _ := view.Target(name)
	unnamed := (name == "" || name == "@") && p.Settings.Pinned == ""
	switch {
	case notThere == nil && unnamed:
		return id, back, nil
	case notThere == nil && asked != nil && asked.ID == meant.ID:
		return name, back, nil
	}
	commit, err := log.Of(p.Repo).Resolve(ctx, rev)
	switch {
	case commit != "" || err != nil:
		return name, rev, err
	case unnamed: // it may be a deleted checkpoint
		return id, back, nil
	case notThere == nil && asked != nil:
		return "", "", fault.New(fault.Usage, "%q is a version of %s, not of %s", rev, meant.ID, asked.ID).
			WithHint("%s is the version of %s", back, asked.ID)
	}
	return name, rev, nil // p.at reports the error in rev
}

// atCommit finds the version of a checkpoint in a git revision on any branch. In ref mode the commits of the code
// contain no checkpoints. There it finds the newest version that was made while that commit or an ancestor of it was
// checked out.
func (p *History) atCommit(ctx context.Context, name, rev string) (*gitlog.Versions, revisions.Version, error) {
	fail := func(err error) (*gitlog.Versions, revisions.Version, error) { return nil, revisions.Version{}, err }
	commit, err := log.Of(p.Repo).Resolve(ctx, rev)
	if err != nil {
		return fail(err)
	}
	if commit == "" {
		return fail(fault.New(fault.NotFound, "%q is not a revision, a date or a number of versions back", rev).
			WithHint("ckpt log shows the versions: name one by its commit, a day (2026-01-02), or @{1} for the one before"))
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return fail(err)
	}
	from, _ := p.start(ctx, view, name) // the commit may have a checkpoint that is nowhere else
	from.Dir = p.Prefix
	vs, v, err := gitlog.In(ctx, p.Repo, from, commit)
	if err != nil || !v.Gone() {
		return vs, v, err
	}
	all, err := p.Versions(ctx, name)
	switch {
	case err != nil:
		return fail(err)
	case v.Commit != "" && v.Op != workspace.OpMigrate:
		return all, v, all.Here(v, rev)
	case p.Publishes():
		return all, revisions.Version{}, all.NotYet(rev)
	}
	later, err := log.Of(p.Repo).Unreached(ctx, commit, all.Codes())
	if err != nil {
		return fail(err)
	}
	v, err = all.AtCode(rev, func(code string) bool {
		return !slices.Contains(later, code) && log.Of(p.Repo).HasCommit(code)
	})
	return all, v, err
}

// ShowAt returns the checkpoint that name means as it was at rev, and its version.
func (p *History) ShowAt(ctx context.Context, name, rev string) (*checkpoint.Checkpoint, revisions.Version, error) {
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

// nameAt returns the arguments by which commands name a version of a checkpoint: "chk-auth --at 1a2b3c4".
func nameAt(c *checkpoint.Checkpoint, v revisions.Version) string { return c.ID + " --at " + v.Short() }

// RawAt returns the bytes of the file as it was at rev, even if it cannot be parsed.
func (p *History) RawAt(ctx context.Context, name, rev string) ([]byte, error) {
	vs, v, err := p.at(ctx, name, rev)
	if err != nil {
		return nil, err
	}
	return vs.Bytes(ctx, v.Blob)
}

// ResumeAt returns the brief of a checkpoint as it was at rev.
func (p *History) ResumeAt(ctx context.Context, name, rev string) (*brief.Brief, error) {
	c, v, err := p.ShowAt(ctx, name, rev)
	if err != nil {
		return nil, err
	}
	all, unread := p.AllLearnings(ctx)
	built := brief.Build(c, all, unread)
	built.Name, built.Path, built.Moment.ReadOnly = nameAt(c, v), p.FromRoot(c.Path), true
	built.Facts = brief.Lengths{fmt.Sprintf("As it was at %s: %s of %s. What came later is not in it (`ckpt resume %s`).",
		rev, v.Short(), checkpoint.FormatTime(v.Time), c.ID)}
	return built, nil
}
