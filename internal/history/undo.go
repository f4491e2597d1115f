package history

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Undo undoes the last n operations that are not undone yet. It makes one new commit that
// touches checkpoint files only. In a file that has changed since, it reverts only the text that the
// operation wrote, and refuses if that text has changed.
func (p *History) Undo(ctx context.Context, n int) (*result.Receipt, error) {
	return p.takeBack(ctx, workspace.OpUndo, func(view *workspace.View) ([]Past, error) { return p.toUndo(ctx, view, n) })
}

// Redo undoes the newest undo that is not taken back yet, as Undo undoes other operations.
func (p *History) Redo(ctx context.Context) (*result.Receipt, error) {
	return p.takeBack(ctx, workspace.OpRedo, func(view *workspace.View) ([]Past, error) {
		all, err := p.History(ctx, 1, func(o Past) bool { return o.redoable() && o.own(view, p.Settings.Session) })
		if err == nil && len(all) == 0 {
			err = fault.New(fault.NotFound, "nothing to redo: no undo is left to take back").
				WithHint("ckpt undo --list")
		}
		return all, err
	})
}

// takeBack makes the change of an undo or a redo. Which returns the operations that it takes back, the
// newest first.
func (p *History) takeBack(ctx context.Context, op string,
	which func(*workspace.View) ([]Past, error)) (*result.Receipt, error) {
	var all []Past // chosen once, before edits by hand are saved as an operation of their own
	return p.Change(ctx, store.Live, func(view *workspace.View, _ time.Time) (*workspace.Tx, error) {
		if all == nil {
			found, err := which(view)
			if err != nil {
				return nil, err
			}
			all = found
		}
		o, err := takingBack(ctx, p, view, op, all)
		if err != nil {
			return nil, err
		}
		return o, markAgain(ctx, view, o, all)
	})
}

// toUndo returns the last n operations of this worktree that are not undone yet.
func (p *History) toUndo(ctx context.Context, view *workspace.View, n int) ([]Past, error) {
	all, err := p.History(ctx, n, func(o Past) bool { return o.undoable() && o.own(view, p.Settings.Session) })
	if err != nil {
		return nil, err
	}
	if len(all) < n {
		return nil, notOwn(p.Settings.Session, len(all))
	}
	return all, wholeHistory(p.Repo, all)
}

// takingBack returns the transaction that undoes operations, which are listed from the newest.
func takingBack(ctx context.Context, p *History, view *workspace.View, op string, all []Past) (*workspace.Tx, error) {
	blobs, err := blobsOf(ctx, p.Repo, all)
	if err != nil {
		return nil, err
	}
	o := &workspace.Tx{Op: op, Summary: summaryOf(all), Mode: workspace.Restore,
		Remarks: []string{"redo: ckpt redo"}}
	if op == workspace.OpRedo {
		_, what, _ := strings.Cut(all[0].Subject, "undid")
		o.Summary = "redid" + what
		o.Remarks = []string{"undo: ckpt undo"}
	}
	for _, u := range all {
		o.Undoes = append(o.Undoes, u.Commit)
		o.Trailers = append(o.Trailers, workspace.TrailerUndoes+": "+u.Commit)
		if err := (&reverter{View: view, tx: o, past: u, blobs: blobs}).undo(ctx); err != nil {
			return nil, err
		}
	}
	several := func(u Past) bool { return u.ID != all[0].ID || strings.Contains(u.ID, ",") }
	if !slices.ContainsFunc(all, several) {
		o.ID = all[0].ID
	}
	return o, nil
}

// wholeHistory refuses operations in the oldest commits of a shallow clone, since their changes are
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
		for _, f := range o.commit.Files {
			for _, name := range []string{f.Before, f.After} {
				if _, known := blobs[name]; !known && name != "" {
					blobs[name], names = nil, append(names, name)
				}
			}
		}
	}
	return blobs, repo.Objects().Blobs(ctx, names, func(name string, src []byte) { blobs[name] = src })
}
