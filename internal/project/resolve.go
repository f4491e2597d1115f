package project

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/core/phrase"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/store"
)

// Resolve settles what a merge of git's has left in the checkpoints folder: files in
// conflict, section by section; a checkpoint that one side has archived and the other
// gone on with; two that are current. Names are the checkpoints that are meant, none
// for all. While git is in the middle of the merge what is whole is staged, and rides
// with the user's own commit; else it is an operation. What only a person can choose
// stays in its file between git's markers, and the receipt says where.
func (p *Project) Resolve(ctx context.Context, names []string) (*report.Receipt, error) {
	return p.change(ctx, store.All, func(_ *checkpoint.Set, now time.Time) (*operation, error) {
		p.Store.Overlay = nil // it is about the files, whatever ckpt reads in their place
		r := &resolving{Project: p, now: now, names: names, report: &report.Resolution{}}
		r.o = &operation{op: "resolve", exact: true, past: true, resolution: r.report}
		var err error
		if r.set, err = p.Store.Load(store.All); err != nil {
			return nil, err
		}
		return r.o, r.run(ctx)
	})
}

// resolving is a resolve at work.
type resolving struct {
	*Project
	now    time.Time
	names  []string
	set    *checkpoint.Set // the files as they are
	all    []*conflicted
	o      *operation
	report *report.Resolution
}

func (r *resolving) run(ctx context.Context) error {
	if err := r.collect(ctx); err != nil {
		return err
	}
	state := r.Repo.InProgress()
	if !r.o.merging && state != "" && state != "merge" {
		return nil // git has the files at a place of its own, and no conflict in them
	}
	r.o.merging = r.o.merging || state == "merge"
	if err := r.choose(); err != nil {
		return err
	}
	for _, c := range r.all {
		if err := r.settleOne(ctx, c); err != nil {
			return err
		}
	}
	if err := r.oneOfTwo(ctx); err != nil {
		return err
	}
	if err := r.oneCurrent(ctx); err != nil {
		return err
	}
	if err := r.indexesFollow(); err != nil {
		return err
	}
	r.summarise()
	return nil
}

// choose leaves the conflicts that are meant.
func (r *resolving) choose() error {
	if len(r.names) == 0 {
		return nil
	}
	meant := map[*conflicted]bool{}
	for _, name := range r.names {
		i := slices.IndexFunc(r.all, func(c *conflicted) bool { return c.called(name) })
		if i >= 0 {
			meant[r.all[i]] = true
		} else if c, err := r.set.Resolve(name); err != nil {
			return err
		} else {
			r.o.remarks = append(r.o.remarks, c.ID+" has no conflict")
		}
	}
	r.all = slices.DeleteFunc(r.all, func(c *conflicted) bool { return !meant[c] })
	return nil
}

// want makes a file hold after; also where it does so already: it is to be staged.
func (r *resolving) want(rel string, after []byte) error {
	files := &r.o.files.Files
	if i := slices.IndexFunc(*files, func(f change.File) bool { return f.Path == rel }); i >= 0 {
		(*files)[i].After = after
		return nil
	}
	before, err := r.Store.OnDisk(rel)
	*files = append(*files, change.File{Path: rel, Before: before, After: after})
	return err
}

// holds is a file as it is to be, else as it is.
func (r *resolving) holds(rel string) ([]byte, error) {
	for _, f := range r.o.files.Files {
		if f.Path == rel {
			return f.After, nil
		}
	}
	return r.Store.OnDisk(rel)
}

// after is the set as it is to be; what is left for a person cannot be read.
func (r *resolving) after() *checkpoint.Set {
	touched := func(rel string) bool {
		return slices.ContainsFunc(r.o.files.Files, func(f change.File) bool { return f.Path == rel })
	}
	set := &checkpoint.Set{
		All:    slices.DeleteFunc(slices.Clone(r.set.All), func(c *checkpoint.Checkpoint) bool { return touched(c.Path) }),
		Broken: slices.DeleteFunc(slices.Clone(r.set.Broken), func(b checkpoint.Broken) bool { return touched(b.Path) }),
	}
	for _, f := range r.o.files.Files {
		if f.After == nil || !isCheckpointPath(f.Path) {
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

// say adds what became of a file to the report.
func (r *resolving) say(rel, id, how string, left ...report.Spot) {
	r.report.Files = append(r.report.Files, report.Resolved{Path: r.fromRoot(rel), ID: id, How: how, Left: left})
}

// summarise names the operation, and orders the report.
func (r *resolving) summarise() {
	r.o.files.Files = slices.DeleteFunc(r.o.files.Files, func(f change.File) bool {
		return change.Same(f.Before, f.After) && (!r.o.merging || inConflict(f.Path, f.After))
	})
	slices.SortStableFunc(r.report.Files, func(a, b report.Resolved) int { return strings.Compare(a.Path, b.Path) })
	var done []string
	for _, f := range r.report.Files {
		if len(f.Left) == 0 {
			done = append(done, strings.TrimSuffix(f.Path[strings.LastIndexByte(f.Path, '/')+1:], ".md"))
		}
		if f.ID != "" && len(r.report.Files) == 1 {
			r.o.id = f.ID
		}
	}
	r.o.summary = "settled: " + strings.Join(done, ", ")
	if n := r.report.Left(); n > 0 {
		r.o.summary = phrase.Count(n, "place") + " left for you"
	}
}

// writeMerged writes what was resolved while git is in the middle of a merge, and
// stages what is whole.
func (p *Project) writeMerged(ctx context.Context, o *operation, receipt *report.Receipt) error {
	sync, err := p.Repo.Sync(ctx)
	if err != nil {
		return err
	}
	w := disk.Operation{Root: p.Repo.Root(), Files: o.files.Under(p.prefix), End: disk.ToMerge, Sync: sync}
	whole := slices.ContainsFunc(w.Files, func(f change.File) bool { return !inConflict(f.Path, f.After) })
	switch left := receipt.Resolution.Left() > 0; {
	case !whole:
		receipt.Pending = "nothing is staged yet"
	case left:
		receipt.Pending = "the rest is staged: rides with " + p.goesOn()
	default:
		receipt.Pending = "staged: rides with " + p.goesOn()
	}
	return p.writeFiles(w, nil, nothing, func() error {
		if err := p.stageMerged(ctx, w.Files); err != nil {
			return err
		}
		return p.Repo.Unmerge(ctx, o.unmerged)
	})
}

// stageMerged stages those of the files that hold no conflict.
func (p *Project) stageMerged(ctx context.Context, files []change.File) error {
	var whole []change.File
	for _, f := range files {
		after, err := f.Content() // of a large operation that was killed it is in the journal
		if err != nil {
			return err
		}
		if !inConflict(f.Path, after) {
			whole = append(whole, f)
		}
	}
	return p.Repo.StageMerged(ctx, whole)
}

// goesOn is the command that ends, or goes on with, what git is in the middle of.
func (p *Project) goesOn() string {
	switch state := p.Repo.InProgress(); state {
	case "rebase", "cherry-pick", "revert":
		return "git " + state + " --continue"
	}
	return "your next git commit"
}

// inConflict says whether a merge has left its markers in a file.
func inConflict(name string, src []byte) bool {
	_, _, _, marked := merge.Sides(src)
	if !marked {
		return false
	}
	return plainFile(name) || readable(name, src) != nil
}
