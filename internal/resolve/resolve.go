package resolve

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// ResolveRequest selects what to resolve.
type ResolveRequest struct {
	Names []string   // of checkpoints, or paths of files; none means all
	Pick  merge.Pick // which of two texts that both sides replaced is kept in its section
}

// Resolve resolves what git's merge left in the checkpoints folder. It merges the versions
// of the three commits again, by id, and writes the result. It keeps what was resolved or
// edited by hand since. At most one checkpoint remains current.
//
// During a merge, Resolve stages the files, which become part of the user's own commit;
// otherwise it is an operation. The receipt names what only a person can resolve.
func (p *Resolver) Resolve(ctx context.Context, req ResolveRequest) (*result.Receipt, error) {
	return p.Change(ctx, store.All, func(_ *checkpoint.Set, _ time.Time) (*workspace.Tx, error) {
		p.Store.Overlay = nil // resolve works on the files in conflict themselves
		r := &resolving{Resolver: p, names: req.Names, pick: req.Pick, report: &result.Resolution{}}
		r.o = &workspace.Tx{Op: "resolve", Exact: true, Past: true, Resolution: r.report}
		var err error
		if r.set, err = p.Store.Load(store.All); err != nil {
			return nil, err
		}
		return r.o, r.run(ctx)
	})
}

// resolving computes one resolve.
type resolving struct {
	*Resolver
	names  []string
	pick   merge.Pick
	set    *checkpoint.Set   // the files on disk
	index  log.Versions      // of the files that git could not merge
	auto   map[string]string // blobs of what git wrote to the disk, by path; nil if unknown
	merged merge.Set         // the result of the merge
	o      *workspace.Tx
	report *result.Resolution
}

func (r *resolving) run(ctx context.Context) error {
	versions, err := r.versions(ctx)
	if err != nil {
		return err
	}
	state := r.Repo.InProgress()
	if !r.o.Merging && state != "" && state != "merge" {
		return nil // the files belong to a commit that git is replaying, and have no conflict
	}
	items, err := r.items(ctx, versions)
	if err != nil {
		return err
	}
	if items, err = r.selected(items); err != nil {
		return err
	}
	for _, it := range items {
		if err := r.settle(ctx, it); err != nil {
			return err
		}
	}
	if r.pick != merge.Later {
		if items, err = r.pickTexts(ctx, items); err != nil {
			return err
		}
	}
	if err := r.oneCurrent(ctx); err != nil {
		return err
	}
	if err := r.updateIndexes(); err != nil {
		return err
	}
	if err := r.reportLost(ctx); err != nil {
		return err
	}
	r.summarise(items)
	return nil
}

// selected returns the items that the names of the request select.
func (r *resolving) selected(all []*item) ([]*item, error) {
	if len(r.names) == 0 {
		return all, nil
	}
	selected := map[*item]bool{}
	for _, name := range r.names {
		i := slices.IndexFunc(all, func(it *item) bool { return it.isCalled(name) })
		if i >= 0 {
			selected[all[i]] = true
		} else if c, err := r.set.Resolve(name); err != nil {
			return nil, err
		} else if r.pick == merge.Later {
			r.o.Remarks = append(r.o.Remarks, c.ID+" has no conflict")
		}
	}
	return slices.DeleteFunc(all, func(it *item) bool { return !selected[it] }), nil
}

// write makes a file contain after; nil removes it. During a merge the file is staged even
// if it contains that already.
func (r *resolving) write(rel string, after []byte) error {
	files := &r.o.Files.Files
	if i := slices.IndexFunc(*files, func(f change.File) bool { return f.Path == rel }); i >= 0 {
		(*files)[i].After = after
		return nil
	}
	before, err := r.Store.OnDisk(rel)
	*files = append(*files, change.File{Path: rel, Before: before, After: after})
	return err
}

// written returns the content of a file after the operation.
func (r *resolving) written(rel string) ([]byte, error) {
	for _, f := range r.o.Files.Files {
		if f.Path == rel {
			return f.After, nil
		}
	}
	return r.Store.OnDisk(rel)
}

// after returns the checkpoints as the operation leaves them.
func (r *resolving) after() *checkpoint.Set {
	touched := func(rel string) bool {
		return slices.ContainsFunc(r.o.Files.Files, func(f change.File) bool { return f.Path == rel })
	}
	set := &checkpoint.Set{
		All:    slices.DeleteFunc(slices.Clone(r.set.All), func(c *checkpoint.Checkpoint) bool { return touched(c.Path) }),
		Broken: slices.DeleteFunc(slices.Clone(r.set.Broken), func(b checkpoint.Broken) bool { return touched(b.Path) }),
	}
	for _, f := range r.o.Files.Files {
		if f.After == nil || !workspace.IsCheckpointPath(f.Path) {
			continue
		}
		if c, err := checkpoint.Parse(f.Path, f.After); err == nil {
			set.All = append(set.All, c)
		} else {
			set.Broken = append(set.Broken, checkpoint.Broken{Path: f.Path, Err: err})
		}
	}
	slices.SortStableFunc(set.All, func(a, b *checkpoint.Checkpoint) int { return cmp.Compare(a.Path, b.Path) })
	return set
}

// reportLost reports the checkpoints that commits have lost.
func (r *resolving) reportLost(ctx context.Context) error {
	if r.o.Merging {
		return nil
	}
	lost, err := r.lostFromHistory(ctx)
	if errors.Is(err, git.ErrElsewhere) {
		return nil
	}
	for _, l := range lost {
		at := cmp.Or(l.At, l.Sides[0].path)
		r.reportFile(at, l.ID, r.describeLost(l), result.Spot{What: "to put it right: " + l.fix()})
	}
	return err
}

// reportFile adds what has become of a file to the report.
func (r *resolving) reportFile(rel, id, how string, left ...result.Spot) {
	r.report.Files = append(r.report.Files, result.Resolved{Path: r.FromRoot(rel), ID: id, How: how, Left: left})
}

// summarise completes the report and names the operation.
func (r *resolving) summarise(items []*item) {
	r.o.Files.Files = slices.DeleteFunc(r.o.Files.Files, func(f change.File) bool {
		return change.Same(f.Before, f.After) && !r.o.Merging
	})
	slices.SortStableFunc(r.report.Files, func(a, b result.Resolved) int { return strings.Compare(a.Path, b.Path) })
	var done []string
	for i, f := range r.report.Files {
		if len(f.Left) == 0 {
			done = append(done, workspace.Stem(f.Path))
		}
		if f.ID == "" {
			continue
		}
		if len(r.report.Files) == 1 {
			r.o.ID = f.ID
		}
		if at := slices.IndexFunc(items, func(it *item) bool { return it.ID == f.ID }); at >= 0 {
			r.report.Files[i].Choices = items[at].choices(r.pick)
		}
	}
	r.o.Summary = "settled: " + strings.Join(done, ", ")
	if n := r.report.Left(); n > 0 {
		r.o.Summary = text.Count(n, "place") + " left for you"
	}
}

// inConflict reports whether a merge left its markers in a file.
func inConflict(rel string, src []byte) bool {
	_, _, _, marked := merge.Sides(src)
	return marked && (!workspace.IsCheckpointPath(rel) || merge.Readable(rel, src) != nil)
}
