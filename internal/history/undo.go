package history

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Undo undoes the last n operations that are not undone yet. It makes one new commit that
// touches checkpoint files only, and updates the index and the working tree. In a file that
// has changed since, it reverts only the text that the operation wrote, and refuses if that
// text has changed. It also refuses to undo an operation that git lost, and does not undo an
// older one instead.
func (p *History) Undo(ctx context.Context, n int) (*result.Receipt, error) {
	if state := p.commits.InProgress(); state != "" {
		return p.undoPending(ctx, state, n)
	}
	return p.takeBack(ctx, workspace.OpUndo, func(view *workspace.View) ([]Past, error) { return p.toUndo(ctx, view, n) })
}

// Redo undoes the newest undo that is not taken back yet, as Undo undoes other operations.
func (p *History) Redo(ctx context.Context) (*result.Receipt, error) {
	if state := p.commits.InProgress(); state != "" {
		return nil, fault.New(fault.Unsupported, "cannot redo while a %s is in progress", state).
			WithHint("finish the %s first, then ckpt redo", state)
	}
	return p.takeBack(ctx, workspace.OpRedo, func(view *workspace.View) ([]Past, error) {
		all, err := p.History(ctx, 1, func(o Past) bool { return o.redoable() && o.own(view, p.settings.Session) })
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
	cfg, err := p.Policy(ctx)
	if err != nil {
		return nil, err
	}
	if cfg.Commit == policy.Off && !p.settings.NoCommit {
		return nil, fault.New(fault.Unsupported, "%s needs commits, and commit: off makes none", op).
			WithHint("git status -vv -- %s", p.prefix)
	}
	if err := p.LandNow(ctx); err != nil {
		return nil, err
	}
	var all []Past // chosen once: the save of edits by hand before the undo is not what it undoes
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
		if view.OnRef() {
			return o, markAgain(ctx, view, o, all)
		}
		if marked, err := markedBefore(ctx, view, all); marked || err != nil {
			return o, err
		}
		return o, o.KeepCurrent(view.Set)
	})
}

// toUndo returns the last n operations that are not undone yet, if all of them are known. On a ref
// that worktrees share these are only the own ones.
func (p *History) toUndo(ctx context.Context, view *workspace.View, n int) ([]Past, error) {
	all, err := p.History(ctx, n, func(o Past) bool { return o.undoable() && o.own(view, p.settings.Session) })
	if err != nil {
		return nil, err
	}
	if err := p.noneLost(ctx, all, n); err != nil {
		return nil, err
	}
	if len(all) < n && view.OnRef() {
		return nil, notOwn(ctx, p, view, len(all))
	}
	if len(all) < n {
		return nil, fault.New(fault.NotFound, "%s cannot be undone: this branch has %d to undo", text.Count(n, "operation"),
			len(all)).WithHint("ckpt undo --list")
	}
	return all, wholeHistory(p.repo, all)
}

// takingBack returns the transaction that undoes operations, which are listed from the newest.
func takingBack(ctx context.Context, p *History, view *workspace.View, op string, all []Past) (*workspace.Tx, error) {
	blobs, err := blobsOf(ctx, p.repo, all)
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
		found, err := undo(ctx, view, o, u, blobs)
		if err != nil {
			return nil, err
		}
		if found != nil {
			return nil, found.refusal()
		}
	}
	several := func(u Past) bool { return u.ID != all[0].ID || strings.Contains(u.ID, ",") }
	if !slices.ContainsFunc(all, several) {
		o.ID = all[0].ID
	}
	return o, nil
}

// undo adds to a transaction what undoes one operation. The obstacle tells why that is
// impossible.
func undo(
	ctx context.Context, view *workspace.View, o *workspace.Tx, u Past, blobs map[string][]byte,
) (*obstacle, error) {
	if u.uncommitted != nil {
		return nil, fault.New(fault.Unsupported,
			"the newest operation, %s, was not committed (--no-commit, or commit: off), and ckpt keeps "+
				"nothing to take it back with", u.uncommitted.Title()).
			WithHint("git status -vv -- %s", view.Prefix)
	}
	return (&reverter{View: view, tx: o, past: u, blobs: blobs}).undo(ctx)
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

// undoPending undoes the last n pending operations while a git command is in progress. They are not
// in history yet, so they are dropped. Operations in history cannot be undone at that time, because
// git is about to rewrite or to leave that history.
func (p *History) undoPending(ctx context.Context, state string, n int) (*result.Receipt, error) {
	unlock, err := p.repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s, err := p.Load(ctx)
	if err != nil {
		return nil, err
	}
	var all []log.Commit
	if s.Pending != nil {
		all, err = pending.Of(p.repo).Commits(ctx, s.Pending)
		if err != nil {
			return nil, err
		}
	}
	// The last commit may hold pending changes that a failed commit left: these are not an
	// operation.
	if i := slices.IndexFunc(all,
		func(c log.Commit) bool { return slices.Contains(c.Trailers[workspace.TrailerOp], "land") }); i >= 0 {
		all = all[:i]
	}
	if len(all) < n {
		return nil, fault.New(fault.Unsupported, "a %s is in progress: %s to undo, and operations in history have to wait",
			state, pendingToUndo(len(all))).
			WithHint("finish the %s first, then ckpt undo", state)
	}
	to, err := pending.Of(p.repo).Before(ctx, all[n-1])
	if err != nil {
		return nil, err
	}
	var undone []Past
	for _, c := range all[:n] {
		undone = append(undone, Past{Operation: result.Operation{Commit: c.Hash, Subject: c.Subject}})
	}
	o := &workspace.Tx{Op: workspace.OpUndo, Summary: summaryOf(undone)}
	if ids := all[n-1].Trailers[workspace.TrailerID]; len(ids) == 1 {
		o.ID = ids[0]
	}
	o.Files.Files, err = between(ctx, s, to)
	if err != nil {
		return nil, err
	}
	receipt := workspace.Receipt(p.prefix, o)
	if p.settings.DryRun {
		receipt.DryRun, receipt.Diff = true, change.Patch(o.Files.Under(p.prefix))
		return receipt, nil
	}
	if err := pending.Of(p.repo).Drop(ctx, s.Pending, to); err != nil {
		return nil, err
	}
	receipt.Pending = "dropped from " + s.Pending.Ref + "; git show " + all[0].Hash[:7] + " has it"
	return receipt, nil
}

// pendingToUndo counts the pending operations for a message.
func pendingToUndo(n int) string {
	if n == 0 {
		return "no pending operation"
	}
	return "only " + text.Count(n, "pending operation")
}

// between returns the changes of the files if only the pending changes up to a commit remain.
func between(ctx context.Context, now *workspace.View, to *pending.Changes) ([]change.File, error) {
	then, err := now.WithPending(ctx, to)
	if err != nil {
		return nil, err
	}
	var files []change.File
	for _, f := range now.Merged {
		src, err := then.Store.Read(f.Path)
		if err != nil {
			return nil, err
		}
		if !change.Same(f.After, src) {
			files = append(files, change.File{Path: f.Path, Before: f.After, After: src})
		}
	}
	slices.SortFunc(files, func(a, b change.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}
