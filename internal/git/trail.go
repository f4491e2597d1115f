package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/core/fault"
)

// Trail is what the user changed since a commit: in own commits, first parents
// only and without merges, and in the working tree.
type Trail struct {
	Files  []Touched // sorted by path
	Own    []Own     // the user's commits, oldest first
	Mine   int       // commits by the user since the base; those of excluded files only do not count
	Others int       // commits by others, likewise
	Base   string    // the commit counted from, in full; "" where there is none
	State  BaseState
}

// Own is a commit by the user.
type Own struct {
	Hash    string
	At      time.Time // when it was authored
	Message string
	Outside bool // it changed a file outside the excluded folder
}

// Touched is one file that the user changed, with the net effect.
type Touched struct {
	Path        string // slash path from the root
	From        string // the former path of a renamed file
	Action      string // "created", "modified" or "deleted"
	Renamed     bool
	Subject     string    // of the newest own commit that touched it; "" where none did
	Uncommitted bool      // the working tree or the index has changes to it
	At          time.Time // when that commit was authored
}

// BaseState says how the base relates to HEAD.
type BaseState int

// The states of a base.
const (
	None     BaseState = iota // no base was given: the working tree only
	Ancestor                  // HEAD has grown from it
	Diverged                  // history was rewritten: counted from the common ancestor
	Gone                      // unknown here, or no common ancestor: the working tree only
	Lacking                   // this clone does not have what changed since: the working tree only
)

// Trail follows what the user did since the commit base (hex, "" for none),
// outside the folder exclude. Whose commits count as the user's is decided by
// the author's address, unless allAuthors. It runs two or three git processes, and
// fetches nothing.
func (r *Repo) Trail(ctx context.Context, base, exclude string, allAuthors bool) (Trail, error) {
	r = r.Offline()
	head, err := r.Head()
	if err != nil {
		return Trail{}, err
	}
	me := ""
	if who, err := r.identity(ctx, "author", time.Time{}); err == nil { // nobody yet: nothing is mine
		me = who.email()
	}
	type result struct {
		events []event
		err    error
	}
	status := make(chan result, 1)
	go func() {
		events, err := r.uncommitted(ctx, strings.Trim(exclude, "/"))
		status <- result{events, err}
	}()
	t := Trail{}
	commits, err := r.since(ctx, &t, base, head.Hash)
	now := <-status
	if err != nil {
		return Trail{}, err
	}
	if now.err != nil {
		return Trail{}, now.err
	}
	f := netEffect{exclude: strings.Trim(exclude, "/"), files: map[string]*Touched{}}
	for _, c := range commits {
		mine := allAuthors || me != "" && strings.EqualFold(c.email, me)
		if mine {
			t.Own = append(t.Own, Own{c.hash, c.at, c.message, !f.excludes(c.events)})
		}
		switch {
		case f.excludes(c.events):
		case mine:
			t.Mine++
		default:
			t.Others++
		}
		for _, e := range c.events {
			e.subject, e.at, e.mine = c.subject, c.at, mine
			f.add(e)
		}
	}
	for _, e := range now.events {
		e.mine, e.uncommitted = true, true
		f.add(e)
	}
	t.Files = f.sorted()
	return t, nil
}

// ModTime is when a file of the working tree, a path from the root, was last written;
// the zero time where there is none.
func (r *Repo) ModTime(path string) time.Time {
	info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(path)))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// since fills in the trail's base and returns the commits from it to head,
// oldest first.
func (r *Repo) since(ctx context.Context, t *Trail, base, head string) ([]logged, error) {
	switch {
	case base == "":
		return nil, nil
	case head == "" || strings.Trim(base, "0123456789abcdef") != "":
		t.State = Gone
		return nil, nil
	case base == head:
		t.State, t.Base = Ancestor, head
		return nil, nil
	}
	out, err := r.git(ctx, nil, "merge-base", base, head)
	if code := exitCode(err); code == 1 || code == 128 {
		t.State = Gone
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t.State, t.Base = Diverged, strings.TrimSpace(string(out))
	if t.Base == "" { // git does not look whether it could print it
		return nil, fault.New(fault.Failed, "git merge-base %s HEAD: it gave no answer", base)
	}
	if strings.HasPrefix(t.Base, base) {
		t.State = Ancestor
	}
	if t.Base == head {
		return nil, nil
	}
	for _, similar := range []string{"-M", "-M100%"} { // the contents may be missing, and then the trees
		out, err = r.git(ctx, nil, "-c", "log.showRoot=true", "log", "-z", "--first-parent", "--no-merges", "--reverse",
			similar, "--name-status", "--no-color", "--no-show-signature", "--encoding=UTF-8",
			"--format=%x01%ae%x00%s%x00%H%x00%at%x00%B", t.Base+".."+head)
		if exitCode(err) != 128 || !r.mayLack() {
			return parseLog(out), err
		}
	}
	t.State = Lacking
	return nil, nil
}
