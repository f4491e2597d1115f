package history

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
	"example.com/ckpt/internal/workspace/uncommitted"
)

// Past is an operation in history.
type Past struct {
	result.Operation
	commit      log.Commit
	files       []log.FileChange
	later       []log.Commit           // the later commits that are neither an operation nor a merge
	uncommitted *uncommitted.Operation // set if the operation made no commit
}

// undoable reports whether undo may undo the operation.
func (o Past) undoable() bool {
	return !o.Undone && o.Op != workspace.OpUndo && o.Op != workspace.OpRedo
}

// redoable reports whether redo may take the operation back.
func (o Past) redoable() bool { return !o.Undone && o.Op == workspace.OpUndo }

// Operations returns at most limit operations of this branch, the newest first. A limit of 0
// means all.
func (p *History) Operations(ctx context.Context, limit int) ([]result.Operation, error) {
	all, err := p.History(ctx, limit, func(Past) bool { return true })
	if err != nil {
		return nil, err
	}
	if err := p.markBlocked(ctx, all); err != nil {
		return nil, err
	}
	var list []result.Operation
	for _, o := range all {
		list = append(list, o.Operation)
	}
	return list, nil
}

// markBlocked records why undo refuses operations. After the first that it refuses, it refuses all
// older ones, since it would have to undo the newer ones first.
func (p *History) markBlocked(ctx context.Context, all []Past) error {
	cfg, err := p.Policy(ctx)
	if err != nil || cfg.Commit == policy.Off || p.commits.InProgress() != "" {
		return err
	}
	blobs, err := blobsOf(ctx, p.repo, all)
	if err != nil {
		return err
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return err
	}
	o, n, first := &workspace.Tx{}, 0, 0
	for i := range all {
		u := &all[i]
		if !u.undoable() {
			continue
		}
		if !u.own(view, p.settings.Session) {
			u.Elsewhere = ckptref.MakerOf(u.commit).String()
			continue
		}
		n++
		if first > 0 {
			u.Blocked = fmt.Sprintf("operation %d is in the way", first)
			continue
		}
		u.Blocked = blocked(ctx, view, o, *u, blobs)
		if u.Blocked != "" {
			first = n
		}
	}
	return nil
}

// blocked returns why an operation cannot be undone after those in o. It is empty if the
// operation can be undone.
func blocked(
	ctx context.Context, view *workspace.View, o *workspace.Tx, u Past, blobs map[string][]byte,
) string {
	err := wholeHistory(view.Repo, []Past{u})
	if err == nil {
		var found *obstacle
		found, err = undo(ctx, view, o, u, blobs)
		if found != nil {
			return found.what
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// History returns the newest n operations of this branch for which counts is true, the newest
// first. An n of 0 means all. It reads only as much history as it needs: an undo is always newer
// than the operations that it undid, so it is read first.
func (p *History) History(ctx context.Context, n int, counts func(Past) bool) ([]Past, error) {
	for limit := 4 * min(n, 1<<20); ; limit *= 8 {
		commits, err := p.line(ctx, limit)
		if err != nil {
			return nil, err
		}
		whole := limit == 0 || len(commits) < limit
		all, err := p.withUncommitted(commits, whole)
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(o Past) bool { return !counts(o) })
		if n > 0 && len(all) >= n {
			return all[:n], nil
		}
		if whole {
			return all, nil
		}
	}
}

// line returns the newest commits that changed the checkpoints: those of the branch's own line, or
// all of the checkpoint ref, where a merge has no side that is the own one.
func (p *History) line(ctx context.Context, limit int) ([]log.Commit, error) {
	if p.commits != p.repo {
		return log.Of(p.commits).Recent(ctx, p.prefix, "", cmp.Or(limit, -1))
	}
	return log.Of(p.commits).Log(ctx, p.prefix, limit)
}

// operations returns the operations among a line of commits, the newest first. With renamed commits
// may have other hashes by now than those that an undo names.
func operations(commits []log.Commit, renamed bool) []Past {
	var all []Past
	w := undoings{renamed: renamed}
	var others []log.Commit
	for _, c := range commits {
		if len(c.Parents) > 1 {
			continue // it has the operations of both sides
		}
		op, id := strings.Join(c.Trailers[workspace.TrailerOp], ","), strings.Join(c.Trailers[workspace.TrailerID], ", ")
		if op == "" {
			op, id = fromSubject(c)
		}
		undone := w.undid(c, op)
		if !undone || op != workspace.OpUndo {
			w.add(c, op)
		}
		if op != "" && !strings.Contains(op, ",") {
			all = append(all, Past{Operation: result.Operation{
				Commit: c.Hash, Time: result.At(c.Time), Op: op, ID: id, Subject: c.Subject, Undone: undone,
			}, commit: c, files: c.Files, later: slices.Clip(others)})
		} else {
			others = append(others, c)
		}
	}
	return all
}

// undoings records the undo and redo commits in a line of commits, read from the newest, and which
// operations they undid. A redo undoes an undo. After a rebase the commit hashes in the trailers are outdated. An
// operation is then recognized by its files, which the undo restored.
type undoings struct {
	renamed bool

	named map[string]*undoing // by the hash of the commit that was undone
	open  []*undoing          // undo commits that undid more operations than were read so far
}

// undoing is one undo or redo commit.
type undoing struct {
	redo  bool
	left  int               // how many of the operations that it undid are still to be read
	files map[string]string // the blobs before the undo, updated with the operations that were read
}

// add records which operations a commit undid.
func (w *undoings) add(c log.Commit, op string) {
	names := c.Trailers[workspace.TrailerUndoes]
	if len(names) == 0 {
		return
	}
	u := &undoing{redo: op == workspace.OpRedo, left: len(names), files: map[string]string{}}
	for _, f := range c.Files {
		u.files[f.Path] = f.Before
	}
	if w.named == nil {
		w.named = map[string]*undoing{}
	}
	for _, name := range names {
		w.named[name] = u
	}
	if op == workspace.OpUndo || u.redo { // a commit of several pending operations did more than an undo
		w.open = append(w.open, u)
	}
}

// undid reports whether the commit of an operation was undone.
func (w *undoings) undid(c log.Commit, op string) bool {
	if op == workspace.OpRedo {
		return false
	}
	u := w.named[c.Hash]
	if u == nil && w.renamed {
		for _, newer := range slices.Backward(w.open) {
			if newer.redo == (op == workspace.OpUndo) && newer.found(c.Files) {
				u = newer
				break
			}
		}
	}
	if u == nil {
		return false
	}
	for _, f := range c.Files {
		u.files[f.Path] = f.Before
	}
	u.left--
	if u.left == 0 {
		w.open = slices.DeleteFunc(w.open, func(o *undoing) bool { return o == u })
	}
	return true
}

// found reports whether the undo undid a commit: the undo, or a newer operation that it also undid,
// found the files as the commit left them. If several operations cancel each other out in a file,
// the undo did not touch that file.
func (u *undoing) found(files []log.FileChange) bool {
	for _, f := range files {
		blob, touched := u.files[f.Path]
		switch {
		case touched && blob != f.After:
			return false
		case !touched && u.left == 1:
			return false
		}
	}
	return len(files) > 0
}

// fromSubject parses the operation in a commit's subject, for commits without trailers, which a
// commit-msg hook may have removed. The subject must name the checkpoint of a file that the commit
// changed, since people may begin a subject in the same way.
func fromSubject(c log.Commit) (op, id string) {
	said, ours := strings.CutPrefix(c.Subject, "ckpt: ")
	head, _, whole := strings.Cut(said, ": ")
	op, id, named := strings.Cut(head, " ")
	changed := slices.ContainsFunc(c.Files, func(f log.FileChange) bool { return path.Base(f.Path) == id+".md" })
	if wellFormed := ours && whole && named; !wellFormed || !changed {
		return "", ""
	}
	return op, id
}
