package history

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
	"example.com/ckpt/internal/workspace/uncommitted"
)

// Undo takes back the last n operations that are not undone yet. It makes one new commit that
// touches checkpoint files only, and updates the index and the working tree. In a file that
// has changed since, it reverts only the text that the operation wrote, and refuses if that
// text has changed. It also refuses to undo an operation that git lost, and does not take
// back an older one instead.
func (p *History) Undo(ctx context.Context, n int) (*result.Receipt, error) {
	if state := p.Repo.InProgress(); state != "" {
		return p.undoWaiting(ctx, state, n)
	}
	cfg, err := p.Policy(ctx)
	if err != nil {
		return nil, err
	}
	if cfg.Commit == policy.Off && !p.NoCommit {
		return nil, fault.New(fault.Unsupported, "undo needs commits, and commit: off makes none").
			WithHint("git diff -- %s", p.Prefix)
	}
	if err := p.LandNow(ctx); err != nil {
		return nil, err
	}
	var taken []*uncommitted.Operation
	receipt, err := p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		set := view.Set
		all, err := p.History(ctx, n, Past.undoable)
		if err != nil {
			return nil, err
		}
		if err := p.noneLost(ctx, all, n); err != nil {
			return nil, err
		}
		if len(all) < n {
			return nil, fault.New(fault.NotFound, "%s cannot be undone: this branch has %d to undo", text.Count(n, "operation"),
				len(all)).WithHint("ckpt undo --list")
		}
		if err := wholeHistory(p.Repo, all); err != nil {
			return nil, err
		}
		blobs, err := blobsOf(ctx, p.Repo, all)
		if err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: workspace.OpUndo, Summary: summaryOf(all), Mode: workspace.Revert}
		if !slices.ContainsFunc(all, func(u Past) bool { return u.uncommitted == nil }) {
			o.Commit = all[0].uncommitted.Commit
		} else if cfg.Commit == policy.Stage {
			if err := p.Uncommitted.CheckStaged(ctx); err != nil {
				return nil, err
			}
		}
		for _, undo := range all {
			if o.ID == "" && !strings.Contains(undo.ID, ",") {
				o.ID = undo.ID
			}
			if undo.uncommitted != nil {
				if err := o.RevertUncommitted(ctx, view, undo.uncommitted); err != nil {
					return nil, err
				}
				continue
			}
			o.Undoes, o.Trailers = append(o.Undoes, undo.Commit), append(o.Trailers, workspace.TrailerUndoes+": "+undo.Commit)
			found, err := (&reverter{View: view, tx: o, past: undo, blobs: blobs}).takeBack(ctx)
			if err != nil {
				return nil, err
			}
			if found != nil {
				return nil, found.refusal()
			}
		}
		if slices.ContainsFunc(all, func(u Past) bool { return u.ID != o.ID }) {
			o.ID = ""
		}
		taken = o.Undone
		if marked, err := p.markedBefore(ctx, all, set.Current()); marked || err != nil {
			return o, err
		}
		return o, o.KeepCurrent(set)
	})
	if err == nil && !p.DryRun {
		p.Uncommitted.Forget(taken...)
	}
	return receipt, err
}

// wholeHistory refuses operations in the last commits of a shallow clone, since their changes are
// not known.
func wholeHistory(repo *git.Repo, all []Past) error {
	cut, err := repo.Objects().Shallow()
	if err != nil {
		return err
	}
	for _, o := range all {
		if cut[o.Commit] {
			return fault.New(fault.NotFound, "what the files were before %s (%s) is not in this clone, which is a shallow one",
				o.Commit[:7], o.Subject).
				WithHint("git fetch --unshallow")
		}
	}
	return nil
}

func summaryOf(undone []Past) string {
	if len(undone) == 1 {
		return "undid: " + strings.TrimPrefix(undone[0].Subject, "ckpt: ")
	}
	return fmt.Sprintf("undid %d operations, to before: %s", len(undone),
		strings.TrimPrefix(undone[len(undone)-1].Subject, "ckpt: "))
}

// blobsOf returns the contents of the files of operations, before and after each, by blob hash. A
// file that this clone lacks is nil.
func blobsOf(ctx context.Context, repo *git.Repo, all []Past) (map[string][]byte, error) {
	blobs := map[string][]byte{}
	var names []string
	for _, o := range all {
		for _, f := range o.files {
			for _, name := range []string{f.Before, f.After} {
				if _, known := blobs[name]; !known && name != "" {
					blobs[name], names = nil, append(names, name)
				}
			}
		}
	}
	return blobs, repo.Objects().Blobs(ctx, names, func(name string, src []byte) { blobs[name] = src })
}
