package project

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/history"
)

// Log is the versions of a checkpoint and what each changed, at most limit of them
// (0: all).
func (p *Project) Log(ctx context.Context, name string, limit int) (*history.Log, error) {
	vs, err := p.Versions(ctx, name)
	if err != nil {
		return nil, err
	}
	list := vs.List
	if limit > 0 && len(list) > limit {
		list = list[:limit]
	}
	var blobs []string
	for _, v := range list {
		blobs = append(blobs, v.Blob)
		for _, side := range v.Before {
			blobs = append(blobs, side.Blob)
		}
	}
	if err := vs.Load(ctx, blobs...); err != nil {
		return nil, err
	}
	log := &history.Log{ID: vs.ID, Older: len(vs.List) - len(list)}
	if len(list) > 0 {
		if log.Edited, err = p.editedSince(ctx, vs); err != nil {
			return nil, err
		}
	}
	log.Changes, err = vs.changes(ctx, list)
	return log, err
}

// changes tells what each of the versions changed. They are shared out to as many
// processors as help, where all their bytes are in memory.
func (vs *Versions) changes(ctx context.Context, list []history.Version) ([]history.Change, error) {
	const worth = 50 // versions for another processor
	workers := max(1, min(runtime.GOMAXPROCS(0), 4, len(list)/worth))
	if vs.full {
		workers = 1
	}
	all, errs := make([]history.Change, len(list)), make([]error, workers)
	var done sync.WaitGroup
	for w := range workers {
		done.Go(func() {
			from, to := w*len(list)/workers, (w+1)*len(list)/workers
			errs[w] = vs.tell(ctx, list[from:to], all[from:to])
		})
	}
	done.Wait()
	return all, errors.Join(errs...)
}

// tell is changes for a stretch of them.
func (vs *Versions) tell(ctx context.Context, list []history.Version, to []history.Change) (err error) {
	texts := map[string]*history.Text{} // most are the newer side once, and then the older one
	read := func(s history.Side) (*history.Text, error) {
		if t := texts[s.Blob]; t != nil {
			return t, nil
		}
		c, err := vs.parse(ctx, s)
		if err == nil {
			texts[s.Blob] = history.Read(c.Doc)
		}
		return texts[s.Blob], err
	}
	for i, v := range list {
		to[i].Version = v
		if to[i].Diff, to[i].Why, err = compared(v, read); err != nil {
			return err
		}
		delete(texts, v.Blob)
	}
	return nil
}

// compared tells what a version changed, or why that cannot be told.
func compared(v history.Version, read func(history.Side) (*history.Text, error)) (*history.Diff, string, error) {
	if v.Gone() || v.Cut && len(v.Before) == 0 {
		return nil, "", nil
	}
	after, err := read(history.Side{Path: v.Path, Blob: v.Blob})
	if err != nil {
		return untold(err)
	}
	before := history.Read(nil)
	if len(v.Before) > 0 {
		if before, err = read(v.Before[0]); err != nil {
			_, why, err := untold(err)
			return nil, "before it: " + why, err
		}
	}
	return history.Compare(before, after), "", nil
}

// untold is why a version cannot be compared, where that is no failure of ours.
func untold(err error) (*history.Diff, string, error) {
	switch fault.KindOf(err) {
	case fault.NotFound:
		return nil, "not in this clone", nil
	case fault.Invalid:
		return nil, err.Error(), nil
	}
	return nil, "", err
}

// editedSince says whether the checkpoint's file is not as its newest version.
func (p *Project) editedSince(ctx context.Context, vs *Versions) (bool, error) {
	newest := vs.List[0]
	src, err := p.Store.Read(newest.Path)
	if err != nil || src == nil || newest.Gone() || newest.Missing {
		return false, err
	}
	was, err := vs.Bytes(ctx, newest.Blob)
	return err == nil && !bytesSame(src, was), err
}
