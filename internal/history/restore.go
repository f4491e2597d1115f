package history

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// RestoreRequest asks for a former version of a checkpoint.
type RestoreRequest struct {
	ID string // an id, whole or short; the checkpoint may be deleted
	At string // a version, as in [History.ShowAt]
}

// Restore sets a checkpoint to a former version, in the folder (active/ or archive/) that it was in then. The
// checkpoint may be deleted. If it was current then, it becomes current again, unless another one is now, or several
// agents share the worktree. Its entries in LEARNINGS.md are added if the version is in archive/, and removed if only
// the present file is.
func (p *History) Restore(ctx context.Context, req RestoreRequest) (*result.Receipt, error) {
	then, v, err := p.at(ctx, req.ID, req.At)
	if err != nil {
		return nil, orInvalid(req.ID, err)
	}
	old, err := then.Checkpoint(ctx, v)
	if err != nil {
		return nil, fault.New(fault.KindOf(err), "at %q %w", req.At, err).WithHint("ckpt log %s", then.ID)
	}
	vs, err := p.Versions(ctx, old.ID)
	if err != nil {
		return nil, err
	}
	return p.Change(ctx, store.All, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		chosen, err := view.ChosenOnBranch(ctx, v.Commit)
		if err != nil {
			return nil, err
		}
		r := restoring{versions: vs, view: view, old: old, chosen: chosen, shared: p.Settings.Shared}
		o := &workspace.Tx{Op: workspace.OpRestore, ID: vs.ID, Mode: workspace.Restore, Summary: "as of " + asOf(v)}
		if err := r.place(); err != nil {
			return nil, err
		}
		if err := r.write(o); err != nil {
			return nil, err
		}
		switch { // LEARNINGS.md has the learnings of archived checkpoints
		case checkpoint.InArchive(r.to):
			err = o.Harvest(view, old, now)
		case r.now != nil && checkpoint.InArchive(r.from):
			err = o.Unharvest(view, r.now)
		}
		return o, err
	})
}

// orInvalid returns err, or the reason if name was not found because it is not a valid id.
func orInvalid(name string, err error) error {
	if invalid := checkpoint.CheckID(name); invalid != nil && fault.KindOf(err) == fault.NotFound {
		hint := cmp.Or(fault.HintOf(err), "ckpt list --all shows the IDs")
		return fault.New(fault.Usage, "%w", invalid).WithHint("%s", hint)
	}
	return err
}

// asOf describes a version for the summary of an operation.
func asOf(v revisions.Version) string {
	return v.Short() + ", " + checkpoint.FormatTime(v.Time) + ": " + text.FirstLine(v.Subject)
}

// restoring is one run of Restore or Undelete.
type restoring struct {
	versions *gitlog.Versions
	view     *workspace.View
	old      *checkpoint.Checkpoint // the version to restore
	now      *checkpoint.Checkpoint // the present checkpoint; nil if it is deleted or cannot be read
	from     string                 // the path of the present file; empty if it is deleted
	to       string                 // the path of the restored file
	chosen   string                 // the id that was current on the branch at the time of old
	shared   bool                   // several agents share this working tree
}

// place finds the present file of the checkpoint, readable or not, and the path for the restored version. That is its
// former path, or the present one if the file was only renamed since.
func (r *restoring) place() error {
	for _, c := range r.view.Set.All {
		if c.ID != r.old.ID {
			continue
		}
		if r.now != nil {
			return fault.New(fault.Refused, "%s and %s have the same id %s", r.view.FromRoot(r.from),
				r.view.FromRoot(c.Path), c.ID).WithHint("ckpt validate")
		}
		r.now, r.from = c, c.Path
	}
	for _, b := range r.view.Set.Broken {
		was := slices.ContainsFunc(r.versions.List, func(v revisions.Version) bool { return v.Path == b.Path })
		if was && r.from == "" {
			r.from = b.Path
		}
	}
	r.to = r.old.Path
	if r.from != "" && checkpoint.InArchive(r.from) == checkpoint.InArchive(r.to) {
		r.to = r.from
	}
	if r.to == r.from {
		return nil
	}
	have, err := r.view.Store.Read(r.to)
	if err == nil && have != nil {
		at := r.view.FromRoot(r.to)
		return fault.New(fault.Refused, "%s exists already, and is not %s", at, r.old.ID).
			WithHint("ckpt show %s --raw; mv %s NAME and ckpt save make room", at, at)
	}
	return err
}

// write adds the restored file to the operation, and removes the present file if that has another path.
func (r *restoring) write(o *workspace.Tx) error {
	o.Path = r.to
	before, err := r.view.Store.Read(r.to)
	o.Put(r.to, before, r.marked(o))
	if r.from == "" || r.from == r.to || err != nil {
		return err
	}
	gone, err := r.view.Store.Read(r.from)
	o.Put(r.from, gone, nil)
	return err
}

// marked returns the version to restore. In active/ it gets the mark of the current checkpoint, which the ref does not
// store, in two cases: the checkpoint is current now, or it was current then, none is now, and shared is false.
func (r *restoring) marked(o *workspace.Tx) []byte {
	src, isCurrent := r.old.Doc.Bytes(), r.now != nil && r.now.Status() == checkpoint.Current
	switch {
	case checkpoint.InArchive(r.to):
		if isCurrent {
			o.Remarks = append(o.Remarks, workspace.WithoutCurrent(r.view.Set, r.now))
		}
		return src
	case !r.shared && r.view.Set.Current() == nil:
		isCurrent = r.chosen == r.old.ID || r.old.Status() == checkpoint.Current
	}
	if isCurrent {
		return checkout.Shown(r.to, src, r.old.ID)
	}
	return checkout.Shared(r.to, src)
}

// Undelete restores a deleted checkpoint with its former path and bytes. If another checkpoint is current by now, the
// restored one is only active.
func (p *History) Undelete(ctx context.Context, name string) (*result.Receipt, error) {
	vs, err := p.toUndelete(ctx, name)
	if err != nil {
		return nil, orInvalid(name, err)
	}
	id := vs.ID
	old, how, err := lastThere(ctx, vs)
	if err != nil {
		return nil, err
	}
	return p.Change(ctx, store.All, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		before := ""
		if v := vs.List[0]; v.Gone() {
			deletion, err := view.Repo.Objects().Commit(ctx, v.Commit) // its parent tells which checkpoint was current before
			if err != nil {
				return nil, err
			}
			before = deletion.Parents[0]
		}
		chosen, err := view.ChosenOnBranch(ctx, before)
		if err != nil {
			return nil, err
		}
		r := restoring{versions: vs, view: view, old: old, chosen: chosen, shared: p.Settings.Shared}
		if err := r.place(); err != nil {
			return nil, err
		}
		switch {
		case r.now != nil:
			return nil, fault.New(fault.Usage, "%s is not deleted: %s", id, p.FromRoot(r.from)).
				WithHint("ckpt log %s; ckpt restore %s --at REV", id, id)
		case r.from != "":
			return nil, fault.New(fault.Invalid, "%s exists and cannot be read", p.FromRoot(r.from)).
				WithHint("ckpt validate %s; ckpt doctor --fix", r.from)
		}
		o := &workspace.Tx{Op: "undelete", ID: id, Mode: workspace.Restore, Summary: how}
		return o, r.write(o)
	})
}

// toUndelete finds the versions of the checkpoint to restore, by a whole id, or else by a prefix of
// the id of a deleted one.
func (p *History) toUndelete(ctx context.Context, name string) (*gitlog.Versions, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	gone, err := p.deleted(ctx, view, name)
	switch {
	case err != nil:
		return nil, err
	case gone != nil:
		return p.follow(ctx, *gone)
	}
	vs, err := p.Versions(ctx, name)
	if errors.Is(err, checkpoint.ErrNone) {
		err = neverCalled(p.Repo, name)
	}
	return vs, err
}

// lastThere returns the last version of a checkpoint before its deletion, and a phrase that names that version.
func lastThere(ctx context.Context, vs *gitlog.Versions) (*checkpoint.Checkpoint, string, error) {
	v := vs.List[0]
	at, how := revisions.Side{Path: v.Path, Blob: v.Blob}, "as of "+asOf(v)
	if v.Gone() {
		if len(v.Before) == 0 {
			return nil, "", fault.New(fault.NotFound, "what %s was is not in this clone", vs.ID).
				WithHint("git fetch --unshallow")
		}
		at, how = v.Before[0], "("+v.Op+")"
		if v.Op == "" {
			how = text.FirstLine(v.Subject)
		}
		how = "as it was before " + v.Short() + " " + how
	}
	c, err := vs.Read(ctx, at)
	return c, how, err
}
