package history

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// Past is an operation in history.
type Past struct {
	result.Operation
	commit log.Commit
}

// undoable reports whether undo may undo the operation.
func (o Past) undoable() bool { return !o.Undone && !o.Redone && o.Op != workspace.OpUndo }

// redoable reports whether redo may take the operation back.
func (o Past) redoable() bool { return !o.Undone && o.Op == workspace.OpUndo }

// Operations returns at most limit operations of the checkpoint ref, the newest first. A limit of 0 means all.
func (p *History) Operations(ctx context.Context, limit int) ([]result.Operation, error) {
	all, err := p.History(ctx, limit, func(Past) bool { return true })
	if err != nil {
		return nil, err
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	var list []result.Operation
	var refused error // the error at which undo would stop
	tx := &workspace.Tx{}
	for _, o := range all {
		switch {
		case !o.undoable():
		case !o.own(view, p.Settings.Session):
			o.Elsewhere = ckptref.MakerOf(o.commit).String()
		case refused == nil:
			tx.Undoes = append(tx.Undoes, o.Commit)
			effect, err := (&reverter{View: view, tx: tx, past: o}).undo(ctx)
			o.Undone, refused = !effect && err == nil, err
		}
		list = append(list, o.Operation)
	}
	return list, nil
}

// History returns the newest n operations of the checkpoint ref for which counts returns true, the newest
// first. An n of 0 means all. It reads only as much history as it needs: an undo is always newer
// than the operations that it undid, so it is read first.
func (p *History) History(ctx context.Context, n int, counts func(Past) bool) ([]Past, error) {
	for limit := 4 * min(n, 1<<20); ; limit *= 8 {
		commits, err := log.Of(p.Commits).Recent(ctx, p.Prefix, cmp.Or(limit, -1),
			"--sparse", "--fixed-strings", "--grep="+workspace.TrailerOp+":") // --sparse: an undo may change no file
		if err != nil {
			return nil, err
		}
		all := slices.DeleteFunc(operations(commits), func(o Past) bool { return !counts(o) })
		if n > 0 && len(all) >= n {
			return all[:n], nil
		}
		if limit == 0 || len(commits) < limit {
			return all, nil
		}
	}
}

// OnAllLines returns the operations of the checkpoint ref and of the branches that it has taken in, in no
// particular order.
func (p *History) OnAllLines(ctx context.Context) ([]Past, error) {
	commits, err := log.Of(p.Commits).History(ctx, log.Files{Dir: p.Prefix})
	return operations(slices.DeleteFunc(commits, func(c log.Commit) bool { return c.Copy })), err
}

// operations returns the operations among commits, which are listed from the newest, and sets their Undone and Redone.
// It leaves out commits that the ref took in from a branch, and operations of another checkpoints folder.
func operations(commits []log.Commit) []Past {
	var all []Past
	here := map[string]bool{} // the commits of this folder, with undos that changed no file of it but undid one of them
	for _, c := range slices.Backward(commits) {
		undoes := func(name string) bool { return here[name] }
		here[c.Hash] = len(c.Files) > 0 || slices.ContainsFunc(c.Trailers[workspace.TrailerUndoes], undoes)
	}
	undone, redone := map[string]bool{}, map[string]bool{}
	for _, c := range commits {
		if len(c.Parents) > 1 {
			continue // a merge only joins the operations of both sides
		}
		op, id := strings.Join(c.Trailers[workspace.TrailerOp], ","), strings.Join(c.Trailers[workspace.TrailerID], ", ")
		to := undone
		if undone[c.Hash] {
			to = redone
		}
		for _, name := range c.Trailers[workspace.TrailerUndoes] {
			to[name] = true
		}
		for _, name := range c.Trailers[workspace.TrailerPassed] { // also if the commit is undone itself
			undone[name] = true
		}
		if here[c.Hash] && op != "" && op != checkout.OpAbsorb { // an absorb has changes by others, which stay
			all = append(all, Past{Operation: result.Operation{
				Commit: c.Hash, Time: result.At(c.Time), Op: op, ID: id, Subject: c.Subject, Undone: undone[c.Hash],
				Redone: redone[c.Hash],
			}, commit: c})
		}
	}
	return all
}
