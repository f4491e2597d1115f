package workspace

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/checkout"
)

// inWorktree is the value of Pending in the receipt if only the worktree's current checkpoint changed.
const inWorktree = "in this worktree"

// commit stores one commit and moves the ref to it by compare-and-set, which completes the operation. Then it copies
// the operation to the files and, in own mode, to the branch. If ckpt is killed before that, the next command does
// it.
func (a *applying) commit(ctx context.Context) error {
	v := a.view
	onRef := a.w.mode == policy.Ref
	if err := a.unchangedOnDisk(); err != nil {
		return err
	}
	if a.tx.BeforeCommit != nil {
		a.tx.BeforeCommit()
	}
	chosen, changed := a.chosen()
	if changed {
		a.rememberCurrent()
	}
	tip, message, err := a.storeCommit(ctx, chosen, changed)
	if err != nil {
		return err
	}
	from := v.refTip
	if !onRef {
		if v.absorbed != nil && v.tip != from {
			if err := v.absorbed.Begin(); err != nil {
				return err
			}
		}
		made := ""
		if tip != v.tip {
			made = tip
		}
		if err := a.recordBranch(made); err != nil {
			return err
		}
	}
	if changed {
		marks := ""
		if v.found != nil {
			marks = v.found.Marks
		}
		if err := v.branch.Announce(v.state, tip, chosen, marks); err != nil {
			return err
		}
	}
	if tip != from {
		subject, _, _ := strings.Cut(message, "\n")
		if err := a.w.files.Ref.Move(ctx, tip, from, subject); err != nil {
			return err
		}
		a.receipt.Commit, a.made = tip, tip
	} else if onRef {
		a.receipt.Pending = inWorktree
	}
	if v.absorbed != nil {
		_ = v.absorbed.Done() // if it fails, the same commits are taken in again, which changes nothing
	}
	if !onRef {
		return a.publish(ctx, tip)
	}
	err = a.writeFiles(ctx, tip)
	if err != nil && (changed || tip != v.tip) { // the operation is done, and the next command writes the files
		a.receipt.Remarks = append(a.receipt.Remarks, "the files are not up to date yet: "+err.Error())
		return nil
	}
	return err
}

// recordBranch records the branch on which each file is published: usually the one that is checked out. If the
// transaction undoes an operation of another branch, files that the worktree lacks, or has in another version, keep
// the branch that was recorded for them before.
func (a *applying) recordBranch(made string) error {
	files := map[bool][]change.File{} // files[true] are those that the worktree lacks, or has in another version
	for _, f := range a.tx.Files.Files {
		lacks := a.tx.Branch != "" && (f.Before == nil || a.view.Store.IsPending(f.Path))
		files[lacks] = append(files[lacks], f)
	}
	err := a.view.branch.RecordOwed(a.view.state, files[false], made, a.cfg.Commit == policy.Own)
	return cmp.Or(err, a.view.branch.RecordOwed(checkout.State{}, files[true], made, true))
}

// writeFiles copies the operation to the files in ref mode. It skips a file that was edited meanwhile, because the
// next command merges the edit. The policy is on the branch of the code, so writeFiles commits it there.
func (a *applying) writeFiles(ctx context.Context, tip string) error {
	b := a.view.branch
	found, err := b.Compare(ctx, tip, nil, a.tx.Files.Files)
	if err == nil {
		_, err = b.Publish(ctx, found, tip, checkout.Publishing{})
	}
	if err != nil && !errors.Is(err, disk.ErrChanged) {
		return err
	}
	inRef := func(f change.File) bool { return checkout.Written(f.Path) }
	besides := change.Set{Files: slices.DeleteFunc(slices.Clone(a.tx.Files.Files), inRef)}
	if besides.Empty() {
		return nil
	}
	b = checkout.OnBranch(b.Repo, a.w.Prefix, b.Ref)
	made, err := b.CommitFiles(ctx, besides.Under(a.w.Prefix), Message(a.cfg, a.tx), a.now)
	if made != "" {
		a.receipt.Commit, a.receipt.Pending = made, ""
		err = b.Recover(ctx, func(context.Context, policy.Commit) error { return nil }) // the clone keeps its commit mode
	}
	return err
}

// storeCommit stores the transaction as a commit, to which nothing points yet, and returns the commit and its
// message. If no file of the ref changes, it returns the view's commit instead, unless the transaction undoes
// operations: such a commit may be empty.
func (a *applying) storeCommit(ctx context.Context, chosen string, changed bool) (tip, message string, err error) {
	ref, parent := a.w.files.Ref, a.view.tip
	maker := ckptref.Maker{
		Folder: filepath.Base(a.w.Repo.Root()), Worktree: a.view.state.Worktree, Agent: a.w.Agent, Session: a.w.Session,
	}
	head, _ := a.view.Repo.Head() // HEAD as it was when the view was loaded
	message = Message(a.cfg, a.tx) + maker.Trailers(cmp.Or(a.tx.Branch, a.view.Branch()), head.Hash)
	files, contents, err := a.refFiles(ctx, chosen, changed)
	if err != nil || len(files)+len(a.tx.Undoes) == 0 {
		return parent, message, err
	}
	if parent == "" {
		parent, err = ref.Root(ctx)
		if err != nil {
			return "", "", err
		}
	}
	if shown := a.view.state.Current(); changed && shown != "" {
		message += TrailerCurrent + ": " + shown + "\n"
	}
	tip, err = ref.Store(ctx, commit.Spec{
		Parents: []string{parent}, Files: files, Contents: contents, Message: message, Time: a.now,
	}, a.w.mode == policy.Ref)
	return tip, message, err
}

// severalMarked reports whether the branch marks more than one checkpoint as current.
func (a *applying) severalMarked() bool {
	return a.view.found != nil && strings.Contains(a.view.found.Marks, ",")
}

// publish copies the operation to the files and the branch. What cannot be copied now is left to the next command.
func (a *applying) publish(ctx context.Context, tip string) error {
	b, own := a.view.branch, a.cfg.Commit == policy.Own
	inRef := func(f change.File) bool { return checkout.Written(f.Path) }
	besides := slices.DeleteFunc(slices.Clone(a.tx.Files.Files), inRef)
	publishing := checkout.Publishing{
		Commits: own, Later: a.w.mode == policy.Own, Besides: besides, Message: Message(a.cfg, a.tx), Now: a.now,
	}
	b.Repo.Index().Await()
	found, made, err := a.publishOnHead(ctx, tip, publishing)
	switch {
	case err != nil && tip == a.view.tip && len(besides) > 0: // nothing went to the ref: the operation failed
		return cmp.Or(a.view.CheckOnBranch(), err)
	case err != nil:
		if found != nil && !a.view.found.Unsure() {
			_ = b.Took(found, a.tx.Files.Files) // if it fails, the edits are merged again, which changes nothing
		}
		a.receipt.Pending = "not published: " + b.Unpublishable(err)
	case made != "":
		a.receipt.Commit, a.receipt.Published = made, new(true)
	case !own:
		a.receipt.Pending = "in the files; not committed on the branch"
	default: // the branch has the same contents already
		a.receipt.Published = nil
		if a.receipt.Commit == "" {
			a.receipt.Pending = inWorktree
		}
	}
	if own && found != nil {
		lacks := b.PublishElsewhere(ctx, found, tip, a.now)
		switch {
		case err != nil && !lacks:
			a.receipt.Pending, a.receipt.Published = "", new(true)
		case err == nil && made == "" && lacks:
			why, paths := "a branch has yet to get it", change.Paths(a.tx.Files.Files)
			if i := slices.IndexFunc(found.Linked, func(rel string) bool { return slices.Contains(paths, rel) }); i >= 0 {
				why = a.view.FromRoot(found.Linked[i]) + " is a symbolic link"
			}
			a.receipt.Pending, a.receipt.Published = "not published: "+why, new(bool)
		}
	}
	return nil
}

// CheckOnBranch returns an error if nothing can be committed to the branch now.
func (v *View) CheckOnBranch() error {
	if v.Began.Ref != "" && v.Repo.InProgress() == "" {
		return nil
	}
	return fault.New(fault.Refused, "%s", v.branch.Unpublishable(git.ErrLeft)).
		WithHint("try again on a branch, once no rebase, merge or the like is in progress")
}

// publishOnHead publishes a commit of the ref on the branch of the view. If the branch moves meanwhile, for example
// by a `git commit` of code, it tries again, three times in all.
func (a *applying) publishOnHead(ctx context.Context, tip string,
	p checkout.Publishing) (found *checkout.Found, made string, err error) {
	b := a.view.branch
	for try := 1; ; try++ {
		found, err = b.Compare(ctx, tip, a.view.found, a.tx.Files.Files)
		if err == nil {
			made, err = b.Publish(ctx, found, tip, p)
		}
		if !errors.Is(err, git.ErrMoved) || try == 3 {
			return found, made, err
		}
		on, failed := b.Repo.Checkout()
		now, left := b.Repo.Still(on)
		if failed != nil || left != nil {
			return found, made, err
		}
		b = b.During(now)
	}
}

// unchangedOnDisk returns disk.ErrChanged if a file on disk does not have the content that the transaction was
// computed from or, for a save, the content that is to be committed.
func (a *applying) unchangedOnDisk() error {
	for _, f := range a.tx.Files.Files {
		if a.view.found != nil && a.view.Store.IsPending(f.Path) {
			continue // the view does not read this file from disk; publish compares it
		}
		src, err := a.w.Disk.OnDisk(f.Path)
		if err != nil {
			return err
		}
		found := f.Before
		if a.tx.Mode == Save { // the file on disk may have a mark that the save clears
			src, found = checkout.Shared(f.Path, src), checkout.Shared(f.Path, f.After)
		}
		if !change.Same(src, found) {
			return disk.ErrChanged
		}
	}
	return nil
}

// chosen returns the id of the checkpoint that is current after the transaction, or [checkout.None]. Changed is true
// if the id must be recorded: it differs from the one before or from the worktree's, or other marks were removed.
func (a *applying) chosen() (id string, changed bool) {
	before, after := checkout.None, checkout.None
	if c := a.view.Set.Current(); c != nil {
		before = c.ID
	}
	if c := a.view.Set.After(a.tx.Files.Files).Current(); c != nil {
		after = c.ID
	}
	changed = before != after || after != checkout.None && after != a.view.state.Current() ||
		a.severalMarked() && (!a.tx.Mode.fromHistory() || a.tx.Op == OpResolve)
	return after, changed
}

// refFiles returns those of the transaction's files that differ from the ref's, as entries and contents by path. If
// changed is set, it adds the file that records chosen as the current checkpoint of the branch.
func (a *applying) refFiles(ctx context.Context, chosen string, changed bool) (map[string]git.Entry, map[string][]byte,
	error) {
	var written []change.File
	var paths []string
	for _, f := range a.tx.Files.Files {
		if checkout.Written(f.Path) {
			written, paths = append(written, f), append(paths, a.view.InTree(f.Path))
		}
	}
	tree, err := a.w.Repo.Objects().EntriesIn(ctx, a.view.tip, paths)
	if err != nil {
		return nil, nil, err
	}
	files, contents := map[string]git.Entry{}, map[string][]byte{}
	for i, f := range written {
		path, was := paths[i], tree[paths[i]].Hash
		if f.Gone() {
			if was != "" {
				files[path] = git.Entry{}
			}
			continue
		}
		after := f.After
		if a.w.Publishes() {
			after, err = checkout.Stored(a.w.Repo, path, after)
			if err != nil {
				return nil, nil, err
			}
		}
		if same, err := checkout.Same(a.w.Repo, f.Path, after, was); err != nil {
			return nil, nil, err
		} else if same {
			continue
		}
		files[path], contents[path] = git.FileEntry(""), checkout.Shared(f.Path, after)
	}
	branch := a.view.Branch()
	if !changed || branch == "" {
		return files, contents, nil
	}
	at := a.view.InTree(checkout.CurrentFile(branch))
	record := chosen + "\n"
	if a.severalMarked() { // list them, so that the file changes even if chosen is the same as before
		record += strings.ReplaceAll(a.view.found.Marks, ",", "\n") + "\n"
	}
	files[at], contents[at] = git.FileEntry(""), []byte(record)
	return files, contents, nil
}
