// Package resolve resolves the conflicts that git's merge left in the checkpoints folder. It also
// contains the merge driver that git calls.
//
// Package merge decides how versions are merged. This package collects the three versions from git
// and the disk, respects what the user resolved by hand, and writes the result. It asks the user
// only about files that cannot be read, and about lines of config.yaml.
package resolve

import (
	"context"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/mergefile"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Run resolves the conflicts of a merge in the checkpoints folder, or only those of the named
// ids or paths. It merges the versions of the three commits again, by id, and writes the result. It
// keeps files that were resolved or edited by hand since. At most one checkpoint remains current.
//
// During a merge, Run stages the files, which become part of the user's own commit; otherwise
// it is an operation. The receipt names the conflicts that only a person can resolve.
func Run(ctx context.Context, p *workspace.Workspace, names []string) (*result.Receipt, error) {
	if len(names) == 0 && p.Pinned != "" && !p.Shared {
		names = []string{p.Pinned}
	}
	return p.Change(ctx, store.All, func(view *workspace.View, _ time.Time) (*workspace.Tx, error) {
		before := view.Set
		unmerged, err := log.Of(p.Repo).Unmerged(ctx, p.Prefix)
		if err != nil {
			return nil, err
		}
		onlyKept(unmerged)
		conflict := len(unmerged.Paths()) > 0
		view, err = view.Disk(conflict) // resolve reads the conflicting files themselves
		if err != nil {
			return nil, err
		}
		onBranch := view.FilesDir == view.Prefix // in mode ref, true only while git merges files that a branch still has
		merging := conflict || onBranch && p.Repo.InProgress() == "merge"
		r := &resolving{Workspace: p, before: before, settler: &settler{
			names:    names,
			set:      view.Set,
			index:    unmerged,
			merging:  merging,
			stale:    !p.Publishes(),
			onDisk:   view.Store.OnDisk,
			blob:     p.Repo.Objects().Blob,
			fromRoot: view.FromRoot,
			report:   &result.Resolution{},
			text: func(base, ours, theirs []byte) ([]byte, bool, error) {
				return mergefile.WithMarkers(ctx, p.Repo.Root(), mergefile.Texts{Base: base, Ours: ours, Theirs: theirs})
			},
		}}
		r.o = &workspace.Tx{Op: workspace.OpResolve, Mode: workspace.Restore, Resolution: r.report}
		err = r.run(ctx)
		if r.merging {
			r.o.Mode = workspace.Merge
		}
		r.o.Remarks = r.remarks
		r.o.Files.Files = r.files
		return r.o, err
	})
}

// resolving is one run of [Run]. It adds to the settler the data that only git has.
type resolving struct {
	*workspace.Workspace
	*settler
	o      *workspace.Tx
	before *checkpoint.Set // the checkpoints as readers get them before the merge is resolved
}

func (r *resolving) run(ctx context.Context) error {
	versions, err := r.versions(ctx)
	if err != nil {
		return err
	}
	state := r.Repo.InProgress()
	if !r.merging && state != "" && state != "merge" {
		return nil // the files belong to a commit that a rebase is applying, and have no conflict
	}
	if err := r.settleAll(versions); err != nil {
		return err
	}
	if err := r.oneCurrent(); err != nil {
		return err
	}
	r.summarise()
	return nil
}

// summarise completes the report and names the operation.
func (r *resolving) summarise() {
	r.files = slices.DeleteFunc(r.files, func(f change.File) bool {
		return change.Same(f.Before, f.After) && !r.merging
	})
	slices.SortStableFunc(r.report.Files, func(a, b result.Resolved) int { return strings.Compare(a.Path, b.Path) })
	var done []string
	for _, f := range r.report.Files {
		if len(f.Left) == 0 {
			done = append(done, workspace.Stem(f.Path))
		}
	}
	if len(r.report.Files) == 1 {
		r.o.ID = r.report.Files[0].ID
	}
	r.o.Summary = "settled: " + strings.Join(done, ", ")
	if n := r.report.Left(); n > 0 {
		r.o.Summary = text.Count(n, "place") + " left for you"
	}
}
