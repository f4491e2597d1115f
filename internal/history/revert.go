package history

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/mergefile"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// reverter undoes one operation.
type reverter struct {
	*workspace.View
	tx   *workspace.Tx // collects the changes; newer operations may be undone in it already
	past Past          // the operation to undo
}

// undo restores the files of the operation as they were before it. In a file that has changed since, it reverts only
// the sections that the operation changed, and refuses if that is impossible. Changes by operations that are undone
// too do not count. Effect is false if no file had to be changed, or if the operation was taken back already.
func (r *reverter) undo(ctx context.Context) (effect bool, err error) {
	was, before, err := r.versions(r.past.commit)
	if err != nil {
		return false, err
	}
	now, err := r.present(was, before)
	if err != nil {
		return false, err
	}
	text := func(was, now, before []byte) ([]byte, bool, error) {
		return mergefile.PreferTheirs(ctx, r.Repo.Root(), was, now, before)
	}
	files, obstacle, err := merge.RevertSets(was, now, before, text)
	if obstacle != nil {
		if taken, err := r.takenBack(ctx, was, before, text); err != nil || taken && !obstacle.Made {
			return false, err
		}
		return false, r.refusal(ctx, obstacle)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		disk, err := r.Store.Read(path)
		if err != nil {
			return false, err
		}
		r.tx.Files.Add(change.File{Path: path, Before: disk, After: files[path]})
	}
	return len(files) > 0 || len(was)+len(before) == 0, err // an operation without files chose the current checkpoint
}

// takenBack reports whether a commit since the operation has taken it back, and no later commit has done the operation
// again. The commit may be of any worktree, or brought by git. It must have done what an undo would have done then.
func (r *reverter) takenBack(ctx context.Context, was, before merge.Set, text merge.TextMerge) (bool, error) {
	of := log.Files{Dir: r.Prefix}
	for _, f := range r.past.commit.Files {
		of.Names = append(of.Names, path.Base(f.Path))
	}
	since, err := log.Of(r.Commits).History(ctx, of)
	for _, c := range since {
		if c.Hash == r.past.Commit {
			break
		}
		if c.Copy || slices.Contains(r.tx.Undoes, c.Hash) {
			continue
		}
		after, then, err := r.versions(c)
		switch {
		case err != nil, merge.Reverts(before, then, was, after, text):
			return false, err
		case merge.Reverts(was, then, before, after, text):
			return true, nil
		}
	}
	return false, err
}

// versions returns the files that a commit changed, after it and before it, in the form that the checkpoint ref has.
func (r *reverter) versions(c log.Commit) (was, before merge.Set, err error) {
	was, before = merge.Set{}, merge.Set{}
	for _, f := range c.Files {
		if branch := workspace.BranchOf(f.Path); branch != "" {
			if len(c.Files) == 1 && c.Hash == r.past.Commit && !r.OnBranch(branch) {
				return nil, nil, fault.New(fault.Refused, "%s (%s) chose what is current on %s, which is not checked out",
					r.past.Commit[:7], r.past.Subject, branch).WithHint("git switch %s, then ckpt %s", branch, r.tx.Op)
			}
			continue // markAgain restores the choice
		}
		for i, set := range []merge.Set{before, was} {
			src, err := r.Repo.Objects().Blob([]string{f.Before, f.After}[i])
			if err != nil {
				return nil, nil, fmt.Errorf("%s before and after %s: %w", r.FromRoot(f.Path), c.Hash[:7], err)
			}
			if src != nil {
				set[f.Path] = checkout.Shared(f.Path, src)
			}
		}
	}
	return was, before, nil
}

// present returns the files of the operation as the transaction leaves them. It finds checkpoints that have moved to
// other paths since.
func (r *reverter) present(was, before merge.Set) (merge.Set, error) {
	now, missing := merge.Set{}, map[string]bool{}
	for _, version := range []merge.Set{before, was} {
		for path, src := range version {
			missing[checkpoint.IDIn(src)] = true
			have, changed := r.tx.Files.After(path)
			if !changed {
				var err error
				have, err = r.Store.Read(path)
				if err != nil {
					return nil, err
				}
				have = checkout.Shared(path, have)
			}
			if have != nil {
				now[path] = have
			}
		}
	}
	delete(missing, "")
	for _, src := range now {
		delete(missing, checkpoint.IDIn(src))
	}
	if len(missing) == 0 {
		return now, nil
	}
	set, err := r.Store.Load(store.All)
	if err != nil {
		return nil, err
	}
	set = set.After(r.tx.Files.Files)
	for id := range missing {
		if c, ok := set.Get(id); ok {
			now[c.Path] = checkout.Shared(c.Path, c.Doc.Bytes())
		}
	}
	return now, nil
}

// refusal returns the error for an operation that cannot be undone. The hint is a git diff with what has changed since:
// in the file, which git may not track, or in the commits.
func (r *reverter) refusal(ctx context.Context, o *merge.Obstacle) error {
	commit := r.past.Commit[:7]
	shown := commit + ":" + r.InTree(o.Path) + " " + r.FromRoot(o.Path)
	now, _ := r.Store.Read(o.Path)
	edited, _ := r.Lacks(ctx, []change.File{{Path: o.Path, After: now}})
	if head, err := r.Commits.Head(); err == nil && (now == nil || len(edited) == 0) {
		shown = commit + " " + head.Ref + " -- " + r.InTree(o.Path)
	}
	return fault.New(fault.Refused, "%s %s since %s (%s): undoing would lose that", r.FromRoot(o.Path), o.What, commit,
		r.past.Subject).WithHint("git diff %s", shown)
}
