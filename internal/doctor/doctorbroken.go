package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// unreadable finds files that cannot be read. Where history has a version that can
// be, fixing brings it back and keeps the broken text beside it; where a merge left
// its markers both sides are still wanted, and somebody has to choose.
func (p *Checker) unreadable(ctx context.Context, d *result.Diagnosis, fix bool) error {
	set, err := p.Read(ctx, store.All)
	if err != nil {
		return err
	}
	for _, b := range set.Broken {
		a := result.Ailment{Code: "unreadable", What: p.FromRoot(b.Path) + " cannot be read: " + b.Err.Error(), Fix: "ckpt edit " + b.Path}
		if errors.Is(b.Err, checkpoint.ErrConflict) {
			a.Fix = "ckpt resolve"
		}
		if err := p.mendUnreadable(ctx, b, &a, fix); err != nil {
			return err
		}
		d.Ailments = append(d.Ailments, a)
	}
	return nil
}

func (p *Checker) mendUnreadable(ctx context.Context, b checkpoint.Broken, a *result.Ailment, fix bool) error {
	if errors.Is(b.Err, checkpoint.ErrConflict) || p.Repo.InProgress() != "" {
		return nil
	}
	good, v, err := p.history.LastGood(ctx, b.Path)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	aside := p.aside(b.Path)
	a.Fix += ", or ckpt doctor --fix: " + history.VersionSaid(v) + " The text as it is goes to " + p.FromRoot(aside)
	if !fix {
		return nil
	}
	broken, err := p.Store.OnDisk(b.Path)
	if err != nil {
		return err
	}
	if err := disk.WriteFile(p.Store.File(aside), broken, true); err != nil {
		return err
	}
	_, err = p.Change(ctx, store.Live, func(*checkpoint.Set, time.Time) (*workspace.Tx, error) {
		o := &workspace.Tx{Op: "doctor", ID: good.ID, Summary: "back to its last version that can be read", Path: b.Path, Mode: workspace.Revert}
		o.Put(b.Path, broken, good.Doc.Bytes())
		return o, nil
	})
	if err != nil {
		return err
	}
	a.Mended = true
	a.What += "; it is as in " + history.VersionSaid(v) + " The broken text is in " + p.FromRoot(aside)
	return nil
}

// aside is where the text of a broken file is kept: beside it, under a name that no
// file has.
func (p *Checker) aside(rel string) string {
	name := rel + ".broken"
	for n := 2; p.Store.Has(name); n++ {
		name = fmt.Sprintf("%s.broken-%d", rel, n)
	}
	return name
}
