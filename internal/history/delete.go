package history

import (
	"context"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Undelete restores a deleted checkpoint with its former path and bytes. If another
// checkpoint is current by now, the restored one is active. A checkpoint that git lost in a
// merge is restored with what both sides wrote.
func (p *History) Undelete(ctx context.Context, id string) (*result.Receipt, error) {
	if err := checkpoint.CheckID(id); err != nil {
		return nil, fault.New(fault.Usage, "%w", err).WithHint("ckpt undo --list shows what was deleted")
	}
	vs, err := p.VersionsOfID(ctx, id)
	if err != nil {
		return nil, err
	}
	if vs.ID != id {
		return nil, fault.New(fault.Usage, "undelete needs the full id: %s", vs.ID).
			WithHint("ckpt undelete %s", vs.ID)
	}
	old, how, err := p.resolve.RestoreLost(ctx, id)
	lost := old != nil
	if !lost && err == nil {
		old, how, err = lastThere(ctx, vs)
	}
	if err != nil {
		return nil, err
	}
	return p.Change(ctx, store.All, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		r := restoring{project: p, versions: vs, view: view, set: view.Set, old: old}
		if err := r.place(); err != nil {
			return nil, err
		}
		switch {
		case r.now != nil:
			return nil, fault.New(fault.Usage, "%s is not deleted: %s", id, p.FromRoot(r.from)).
				WithHint("ckpt log %s; ckpt restore %s --at REV", id, id)
		case r.from != "":
			return nil, fault.New(fault.Invalid, "%s is there, and cannot be read", p.FromRoot(r.from)).
				WithHint("ckpt validate %s; ckpt restore %s --at @{0}", r.from, id)
		}
		o := &workspace.Tx{Op: "undelete", ID: id, Mode: workspace.Restore, Summary: how}
		if lost {
			return o, r.do(o, now)
		}
		return o, r.write(o)
	})
}

// lastThere returns the last version of a checkpoint before its deletion, and a phrase that names
// that version.
func lastThere(ctx context.Context, vs *gitlog.Versions) (*checkpoint.Checkpoint, string, error) {
	v := vs.List[0]
	if !v.Gone() {
		c, err := vs.Checkpoint(ctx, v)
		return c, "as of " + asOf(v), err
	}
	if len(v.Before) == 0 {
		return nil, "", fault.New(fault.NotFound, "what %s was is not in this clone", vs.ID).WithHint("git fetch --unshallow")
	}
	c, err := vs.Read(ctx, v.Before[0])
	if v.Pending != "" {
		return c, "as it was before it was to go", err
	}
	how := "(" + v.Op + ")"
	if v.Op == "" {
		how = text.FirstLine(v.Subject)
	}
	return c, "as it was before " + v.Short() + " " + how, err
}
