package git

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"
)

// ErrLeft means that HEAD is no longer where an operation began: git has switched to
// another branch, detached HEAD, or begun a rebase, merge, bisect or the like. Nothing
// was committed.
var ErrLeft = errors.New("git has left the branch that was checked out")

// ErrMoved means that an operation has to be computed again: HEAD is elsewhere, or its
// branch has got other versions of the files. Nothing was committed.
var ErrMoved = errors.New("git moves HEAD, or changes the checkpoints, at the same time")

// Checkout names what is checked out: HEAD and the refs that it goes through. An
// operation records it when it begins, so that its commit goes nowhere else. The zero
// value stands for whatever HEAD is on.
type Checkout struct{ refs []string }

// Checkout returns what is checked out now.
func (r *Repo) Checkout() (Checkout, error) {
	if r.foreign() == "" {
		t, err := r.tip()
		return Checkout{t.chain}, err
	}
	h, err := r.headByGit(context.Background())
	if h.Ref == "" {
		return Checkout{[]string{"HEAD"}}, err
	}
	return Checkout{[]string{"HEAD", h.Ref}}, err
}

// Branch returns the short name of the branch, "" for a detached HEAD.
func (c Checkout) Branch() string {
	if len(c.refs) < 2 {
		return ""
	}
	return strings.TrimPrefix(c.refs[len(c.refs)-1], "refs/heads/")
}

// Left reports ErrLeft if HEAD is elsewhere now, or git is in the middle of something.
func (r *Repo) Left(c Checkout) error {
	if c.refs == nil {
		return nil
	}
	if r.InProgress() != "" {
		return ErrLeft
	}
	now, err := r.Checkout()
	if err == nil && !slices.Equal(now.refs, c.refs) {
		err = ErrLeft
	}
	return err
}

// FilesMoving reports whether git is changing the working tree, or did so a moment ago.
func (r *Repo) FilesMoving() bool {
	if _, err := os.Lstat(r.indexFile() + ".lock"); err == nil {
		return true
	}
	info, err := os.Lstat(r.indexFile())
	return err == nil && time.Since(info.ModTime()) < time.Second
}

// tip returns where the draft's commit is to go; ErrLeft if HEAD was to be there and is
// not.
func (d *Draft) tip() (tip, error) {
	now, err := d.repo.tip()
	if err == nil && d.on.refs != nil && (d.repo.InProgress() != "" || !slices.Equal(now.chain, d.on.refs)) {
		err = ErrLeft
	}
	return now, err
}
