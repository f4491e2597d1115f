package checkout

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
)

// errInUse means that a worktree has the branch checked out, or is rebasing or bisecting it.
var errInUse = errors.New("the branch is checked out")

// PublishElsewhere publishes the files that could not be published before, on branches that no worktree has checked
// out. What it cannot publish is left to a later command, so it returns no error. Lacks is true if a branch has yet
// to get the operation of tip.
func (b Branch) PublishElsewhere(ctx context.Context, f *Found, tip string, now time.Time) (lacks bool) {
	l, err := b.ledger()
	if err != nil {
		return true
	}
	for _, branch := range l.debtors() {
		if branch == f.State.Branch || strings.HasPrefix(branch, detached) {
			continue
		}
		if b.publishOn(ctx, branch, l, f, tip, now) == nil {
			_ = b.paid(branch, func(d debt) bool { return d.branch == branch })
		}
	}
	return b.owed(func(d debt) bool { return d.commit == tip })
}

// publishOn commits the files that a branch has yet to get. It does nothing if the branch is gone.
func (b Branch) publishOn(ctx context.Context, branch string, l *ledger, f *Found, tip string, now time.Time) error {
	ref := git.LocalRefs + branch
	from, err := b.Repo.Refs().Read(ctx, ref)
	if from == "" || err != nil {
		return err
	}
	if unseen, err := b.IsUnseen(ctx, from); unseen || err != nil {
		return cmp.Or(err, git.ErrMoved)
	}
	release, err := holdAll(ctx, b, ref, f.landed)
	if err != nil {
		return err
	}
	defer release()
	spec := commit.Spec{Parents: []string{from}, Files: map[string]git.Entry{}, Contents: map[string][]byte{}, Time: now}
	differ, err := b.differing(ctx, from, tip)
	if err != nil {
		return err
	}
	for rel, v := range differ {
		owed := func(d debt) bool { return d.branch == branch && d.isFor(rel) }
		if !slices.ContainsFunc(l.owed, owed) || !v[0].IsZero() && !v[0].Regular() {
			continue
		}
		head, failed := b.Repo.Objects().Blob(v[0].Hash)
		src, err := b.Repo.Objects().Blob(v[1].Hash)
		if err := errors.Join(failed, err); err != nil {
			return err
		}
		id, chosen := f.State.Chosen[branch]
		if !chosen {
			id = MarkedID(rel, head)
		}
		at := b.Prefix + "/" + rel
		if want := Shown(rel, src, id); want == nil {
			spec.Files[at] = git.Entry{}
		} else if !change.Same(want, head) {
			e := git.FileEntry("")
			if !v[0].IsZero() {
				e.Mode = v[0].Mode
			}
			spec.Files[at], spec.Contents[at] = e, want
		}
	}
	if len(spec.Files) == 0 {
		return nil
	}
	spec.Message, err = b.message(ctx, &Found{State: State{Branch: branch}}, tip, nil, Publishing{})
	if err != nil {
		return err
	}
	made, err := commit.Of(b.Repo).Make(ctx, spec)
	if err != nil {
		return err
	}
	if err := b.Repo.Refs().Move(ctx, ref, made, from); err != nil {
		return err
	}
	return b.saw(from, made)
}

// isGone reports whether a branch where a file was published does not exist any more.
func (b Branch) isGone(branch string) bool {
	if branch == "" || strings.HasPrefix(branch, detached) {
		return false
	}
	at, err := b.Repo.Refs().Read(context.Background(), git.LocalRefs+branch)
	return at == "" && err == nil
}

// holdAll takes the index locks of all worktrees, so that none can check the branch out now. It returns errInUse if
// one has the branch checked out. It also does so if an index was written just now, except by ckpt at the time
// landed: git writes the index before it moves HEAD.
func holdAll(ctx context.Context, b Branch, ref string, landed time.Time) (release func(), err error) {
	others, err := b.Repo.Branches().OtherFolders()
	if err != nil || b.Repo.Refs().Foreign() != "" {
		return nil, errors.Join(err, errInUse)
	}
	locks := b.Repo.FileRefs().Locks.NewSet()
	dirs := []string{b.Repo.GitDir()}
	for _, f := range others {
		dirs = append(dirs, f.GitDir)
	}
	for _, dir := range dirs {
		if err := locks.Take(ctx, filepath.Join(dir, "index"), time.Now()); err != nil {
			locks.Release()
			return nil, err
		}
		at := disk.Changed(filepath.Join(dir, "index"))
		if git.IsUsed(dir, ref) || !at.Equal(landed) && time.Since(at).Abs() < patience {
			locks.Release()
			return nil, errInUse
		}
	}
	return locks.Release, nil
}
