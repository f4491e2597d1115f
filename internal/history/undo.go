package history

import (
	"cmp"
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
// operation wrote, and refuses if that text has changed. Operations that git or a person took back do not count.
func (p *History) Undo(ctx context.Context, n int) (*result.Receipt, error) {
	return p.takeBack(ctx, workspace.OpUndo, n, Past.undoable)
}

// Redo undoes the newest undo that is not taken back yet, as Undo undoes other operations.
func (p *History) Redo(ctx context.Context) (*result.Receipt, error) {
	return p.takeBack(ctx, workspace.OpRedo, 1, Past.redoable)
}

// takeBack undoes the newest n operations of this worktree for which counts returns true. Op is OpUndo or OpRedo.
func (p *History) takeBack(ctx context.Context, op string, n int, counts func(Past) bool) (*result.Receipt, error) {
	var all []Past // chosen once, before edits by hand are saved as an operation of their own
	idle := 0      // how many of the newest have no effect any more; they do not count
	return p.Change(ctx, store.Live, func(view *workspace.View, _ time.Time) (*workspace.Tx, error) {
		for {
			if all == nil {
				found, err := p.History(ctx, n+idle, func(o Past) bool { return counts(o) && o.own(view, p.Settings.Session) })
				if err == nil && len(found) < n+idle {
					err = notOwn(op, p.Settings.Session, len(found)-idle)
				}
				if err := cmp.Or(err, wholeHistory(p.Repo, found)); err != nil {
					return nil, err
				}
				all = found
			}
			o, undone, err := takingBack(ctx, p, view, op, all)
			if err != nil {
				return nil, err
			}
			if len(undone) == n {
				o.Summary = summaryOf(op, undone)
				return o, markAgain(ctx, view, o, undone)
			}
			all, idle = nil, len(all)-len(undone)
		}
	})
}

// takingBack returns the transaction that undoes operations, which are listed from the newest, and those of
// them that still had an effect.
func takingBack(ctx context.Context, p *History, view *workspace.View, op string,
	all []Past) (o *workspace.Tx, undone []Past, err error) {
	o = &workspace.Tx{Op: op, Mode: workspace.Restore}
	if back := map[string]string{workspace.OpUndo: "redo: ckpt redo", workspace.OpRedo: "undo: ckpt undo"}; !p.DryRun {
		o.Remarks = []string{back[op]}
	}
	for _, u := range all {
		o.Undoes = append(o.Undoes, u.Commit)
		effect, err := (&reverter{View: view, tx: o, past: u}).undo(ctx)
		switch {
		case err != nil:
			return nil, nil, err
		case effect:
			undone = append(undone, u)
			o.Trailers = append(o.Trailers, workspace.TrailerUndoes+": "+u.Commit)
		default:
			o.Trailers = append(o.Trailers, workspace.TrailerPassed+": "+u.Commit)
			o.Remarks = append(o.Remarks, "taken back already: "+strings.TrimPrefix(u.Subject, "ckpt: "))
		}
	}
	if len(undone) == 0 {
		return o, nil, nil
	}
	if branch := strings.Join(undone[0].commit.Trailers["Checkpoint-Branch"], ""); !view.OnBranch(branch) {
		o.Branch = branch
	}
	several := func(u Past) bool { return u.ID != undone[0].ID || strings.Contains(u.ID, ",") }
	if !slices.ContainsFunc(undone, several) {
		o.ID = undone[0].ID
	}
	return o, undone, nil
}

// wholeHistory refuses operations in the oldest commits of a shallow clone, since their changes are unknown.
func wholeHistory(repo *git.Repo, all []Past) error {
	cut, err := repo.Objects().Shallow()
	if err != nil {
		return err
	}
	for _, o := range all {
		if cut[o.Commit] {
			return fault.New(fault.NotFound, "what the files were before %s (%s) is not in this clone, which is a shallow one",
				o.Commit[:7], o.Subject).WithHint("git fetch --unshallow")
		}
	}
	return nil
}

func summaryOf(op string, undone []Past) string {
	oldest := strings.TrimPrefix(undone[len(undone)-1].Subject, "ckpt: ")
	_, again, isRedo := strings.Cut(oldest, "redid")
	switch {
	case op == workspace.OpRedo:
		_, what, _ := strings.Cut(oldest, "undid")
		return "redid" + what
	case len(undone) > 1:
		return fmt.Sprintf("undid %d operations, to before: %s", len(undone), oldest)
	case isRedo && undone[0].Op == workspace.OpRedo:
		return "undid" + again
	}
	return "undid: " + oldest
}
