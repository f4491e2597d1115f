package gitlog

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/revisions"
)

// Changes returns what each of the versions in list changed. If all the bytes fit in memory,
// several processors share the work.
func (vs *Versions) Changes(ctx context.Context, list []revisions.Version) ([]revisions.Change, error) {
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
	const worth = 50 // the number of versions for which another processor is worthwhile
	workers := max(1, min(runtime.GOMAXPROCS(0), 4, len(list)/worth))
	if vs.full {
		workers = 1
	}
	all, errs := make([]revisions.Change, len(list)), make([]error, workers)
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

// tell computes the changes of some versions.
func (vs *Versions) tell(ctx context.Context, list []revisions.Version, to []revisions.Change) (err error) {
	texts := map[string]*revisions.Text{} // most texts are used twice: as the newer side and then as the older side
	read := func(s revisions.Side) (*revisions.Text, error) {
		if t := texts[s.Blob]; t != nil {
			return t, nil
		}
		c, err := vs.Read(ctx, s)
		if err == nil {
			texts[s.Blob] = revisions.Read(c.Doc)
		}
		return texts[s.Blob], err
	}
	for i, v := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		to[i].Version = v
		to[i].Diff, to[i].Why, err = compared(v, read)
		if err != nil {
			return err
		}
		delete(texts, v.Blob)
	}
	return nil
}

// compared returns the changes of a version, or the reason why they are not known.
func compared(v revisions.Version,
	read func(revisions.Side) (*revisions.Text, error)) (*revisions.Diff, string, error) {
	if v.Gone() || v.Cut && len(v.Before) == 0 {
		return nil, "", nil
	}
	after, err := read(revisions.Side{Path: v.Path, Blob: v.Blob})
	if err != nil {
		return untold(err)
	}
	before := revisions.Read(nil)
	if len(v.Before) > 0 {
		before, err = read(v.Before[0])
		if err != nil {
			_, why, err := untold(err)
			return nil, "before it: " + why, err
		}
	}
	return revisions.Compare(before, after), "", nil
}

// untold returns the reason why a version cannot be compared, or err if the error is of another
// kind.
func untold(err error) (*revisions.Diff, string, error) {
	switch fault.KindOf(err) {
	case fault.NotFound:
		return nil, "not in this clone", nil
	case fault.Invalid:
		return nil, err.Error(), nil
	}
	return nil, "", err
}
