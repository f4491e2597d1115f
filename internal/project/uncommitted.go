package project

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/config"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
)

// An operation that made no commit, because it was staged or only written, is in no
// history. What undo has to know of it lies in the git folder, a working tree's own: a
// file an operation, named so that their order is that of time. It is written before
// the operation's files, so that no operation is without it; one that never happened
// is told by its files, which are as they were before.

// uncommittedKept is how many such files are kept.
const uncommittedKept = 50

// uncommitted is an operation that made no commit.
type uncommitted struct {
	Op      string            `json:"op"`
	ID      string            `json:"id,omitempty"`
	Subject string            `json:"subject"`
	Time    time.Time         `json:"time"`
	Head    string            `json:"head,omitempty"`    // the commit that was checked out
	Commit  config.Commit     `json:"commit"`            // how it was written: staged, or only to the files
	Undoes  []string          `json:"undoes,omitempty"`  // commits that it took back
	Partial bool              `json:"partial,omitempty"` // the files were too large to keep
	Files   []uncommittedFile `json:"files,omitempty"`

	name string // of the file that keeps it
}

// uncommittedFile is a file, relative to the folder, as the operation found and left
// it; nil and "" are no file. Found is kept of a staged operation only.
type uncommittedFile struct {
	Path   string `json:"path"`
	Found  []byte `json:"found"`
	Before string `json:"before,omitempty"` // the blob of Found
	After  string `json:"after,omitempty"`  // the blob that it left
}

func (p *Project) uncommittedDir() string { return filepath.Join(p.Repo.JournalDir(), "uncommitted") }

// keepUncommitted records an operation that is about to be written without a commit.
// The caller drops the record where that fails.
func (p *Project) keepUncommitted(o *operation, policy config.Config, now time.Time) (drop func(), err error) {
	if o.op == opUndo && len(o.undoes) == 0 {
		return func() {}, nil // what it takes back goes from the list
	}
	subject, _, _ := strings.Cut(message(policy, o), "\n")
	head, err := p.Repo.Head()
	if err != nil {
		return nil, err
	}
	u := uncommitted{Head: head.Hash, Op: o.op, ID: o.id, Subject: subject, Time: now, Commit: policy.Commit, Undoes: o.undoes}
	size := 0
	for _, f := range o.files.Files {
		after, err := f.Content()
		if err != nil {
			return nil, err
		}
		file := uncommittedFile{Path: f.Path, Before: blobName(f.Before), After: blobName(after)}
		if u.Commit == config.Stage {
			file.Found = f.Before
			size += len(f.Before)
		}
		u.Files = append(u.Files, file)
	}
	if size > manyBytes {
		u.Partial = true
		for i := range u.Files {
			u.Files[i].Found = nil
		}
	}
	src, err := json.Marshal(u)
	if err != nil {
		return nil, err
	}
	names, err := disk.Names(p.uncommittedDir())
	if err != nil {
		return nil, err
	}
	last := 0
	if len(names) > 0 {
		last, _ = strconv.Atoi(names[len(names)-1])
	}
	file := filepath.Join(p.uncommittedDir(), fmt.Sprintf("%012d", last+1))
	if err := disk.WriteFile(file, src, false); err != nil {
		return nil, err
	}
	disk.KeepNewest(p.uncommittedDir(), uncommittedKept)
	return func() { _ = disk.Remove(file) }, nil
}

// blobName returns the name of a blob with these bytes; "" for no file.
func blobName(src []byte) string {
	if src == nil {
		return ""
	}
	return git.BlobHash(src)
}

// uncommittedOps returns the operations that made no commit, the newest first, but for those
// that were taken back. What cannot be read is left out.
func (p *Project) uncommittedOps() ([]*uncommitted, error) {
	names, err := disk.Names(p.uncommittedDir())
	if err != nil {
		return nil, err
	}
	var all []*uncommitted
	for _, name := range slices.Backward(names) {
		src, err := disk.ReadFile(filepath.Join(p.uncommittedDir(), name))
		u := &uncommitted{name: name}
		if err != nil || json.Unmarshal(src, u) != nil {
			continue
		}
		if gone, err := p.takenBack(u); err != nil {
			return nil, err
		} else if !gone {
			all = append(all, u)
		}
	}
	return all, nil
}

// past returns the operation as one among those of history.
func (u *uncommitted) past() past {
	return past{Operation: report.Operation{Time: u.Time, Op: u.Op, ID: u.ID, Subject: u.Subject, Uncommitted: string(u.Commit)}, uncommitted: u}
}

// takenBack reports whether every file is as it was before the operation: it was taken back
// already, by whomever, or it never happened.
func (p *Project) takenBack(u *uncommitted) (bool, error) {
	for _, f := range u.Files {
		src, err := p.Store.OnDisk(f.Path)
		if err != nil || blobName(src) != f.Before {
			return false, err
		}
	}
	return true, nil
}

// withUncommitted adds the operations that made no commit to those of commits, the newest
// first: each before the newest commit that is older, and none that is older than all of
// them unless they are the whole of history. Commits that one of them took back are undone.
func (p *Project) withUncommitted(commits []git.Commit, whole bool) ([]past, error) {
	all := operations(commits)
	recorded, err := p.uncommittedOps()
	if err != nil || len(recorded) == 0 {
		return all, err
	}
	var merged []past
	for _, u := range recorded {
		n := u.after(commits)
		if n == len(commits) && !whole {
			break
		}
		for ; n > 0; n, commits = n-1, commits[1:] {
			if len(all) > 0 && all[0].Commit == commits[0].Hash {
				merged, all = append(merged, all[0]), all[1:]
			}
		}
		merged = append(merged, u.past())
	}
	merged = append(merged, all...)
	for i, o := range merged {
		merged[i].Undone = o.Undone || slices.ContainsFunc(recorded, func(u *uncommitted) bool {
			return o.Commit != "" && slices.Contains(u.Undoes, o.Commit)
		})
	}
	return merged, nil
}

// after returns how many of these commits, the newest first, are newer than u: those up to
// the child of the commit that u was made on, or up to the one that committed u.
func (u *uncommitted) after(commits []git.Commit) int {
	if i := slices.IndexFunc(commits, func(c git.Commit) bool { return slices.Contains(c.Parents, u.Head) }); i >= 0 {
		return i + 1
	}
	if i := slices.IndexFunc(commits, func(c git.Commit) bool { return c.Hash == u.Head }); i >= 0 {
		return i
	}
	n := 0
	for i, c := range commits { // of one second with u are also older ones
		if c.Time.After(u.Time) || c.Time.Equal(u.Time) && u.isIn(c) {
			n = i + 1
		}
	}
	return n
}

// isIn reports whether a commit holds what the operation left.
func (u *uncommitted) isIn(c git.Commit) bool {
	return !slices.ContainsFunc(u.Files, func(f uncommittedFile) bool {
		return !slices.ContainsFunc(c.Files, func(of git.FileChange) bool { return of.Path == f.Path && of.After == f.After })
	})
}

// takeBackUncommitted wants the files of an operation that made no commit as that found
// them, if they still are as it, or a later one that is undone too, left them, on disk
// and in the index.
func (p *Project) takeBackUncommitted(ctx context.Context, o *operation, u *uncommitted) error {
	what := strings.TrimPrefix(u.Subject, "ckpt: ")
	switch {
	case u.Commit != config.Stage:
		return fault.New(fault.Unsupported, "the newest operation, %s, was not committed (--no-commit, or commit: off), and ckpt keeps nothing to take it back with", what).
			WithHint("git diff -- %s", p.prefix)
	case u.Partial:
		return fault.New(fault.Unsupported, "the newest operation, %s, is staged, and too large to take back", what).WithHint("git restore --staged --worktree %s", p.prefix)
	}
	staged, err := p.Repo.Staged(ctx, p.prefix)
	if err != nil {
		return err
	}
	for _, f := range u.Files {
		src, err := p.Store.Read(f.Path)
		if err != nil {
			return err
		}
		have, planned := o.files.After(f.Path)
		if !planned {
			have = src
		}
		ours := blobName(have) == f.After
		if ours && !planned {
			if ours, err = p.indexHolds(ctx, staged, f, src); err != nil {
				return err
			}
		}
		if !ours {
			path := p.fromRoot(f.Path)
			return fault.New(fault.Refused, "%s has changed since %s (staged): undoing would lose that", path, what).WithHint("git diff HEAD -- %s", path)
		}
		o.files.Add(change.File{Path: f.Path, Before: src, After: f.found()})
	}
	o.taken = append(o.taken, u.name)
	return nil
}

// found returns the bytes that the operation found; nil for no file.
func (f uncommittedFile) found() []byte {
	if f.Before != "" && f.Found == nil {
		return []byte{}
	}
	return f.Found
}

// indexHolds reports whether the index has a file as the operation found or left it:
// anything else the user has staged.
func (p *Project) indexHolds(ctx context.Context, staged []git.FileChange, f uncommittedFile, left []byte) (bool, error) {
	path := p.fromRoot(f.Path)
	i := slices.IndexFunc(staged, func(c git.FileChange) bool { return c.Path == path })
	if i < 0 { // as the last commit has it
		return true, nil
	}
	name := staged[i].After
	if name == f.Before || name == f.After {
		return true, nil
	}
	if name == "" {
		return false, nil
	}
	src, err := p.Repo.Blob(name) // git may have converted line ends
	lf := func(b []byte) string { return string(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))) }
	return err == nil && (lf(src) == lf(left) || lf(src) == lf(f.found())), err
}

// unexplained refuses to undo a commit where operations are staged, and the index holds
// changes that no recorded operation made: the newest operation may be one of them.
func (p *Project) unexplained(ctx context.Context, policy config.Config) error {
	if policy.Commit != config.Stage {
		return nil
	}
	staged, err := p.Repo.Staged(ctx, p.prefix)
	if err != nil || len(staged) == 0 {
		return err
	}
	type left struct{ path, blob string }
	known := map[left]bool{}
	recorded, err := p.uncommittedOps()
	if err != nil {
		return err
	}
	for _, u := range recorded {
		for _, f := range u.Files {
			known[left{f.Path, f.After}] = true
		}
	}
	for _, c := range staged {
		path := strings.TrimPrefix(c.Path, p.prefix+"/")
		src, err := p.Store.OnDisk(path) // git may have converted what it staged
		if err != nil {
			return err
		}
		if !known[left{path, c.After}] && !known[left{path, blobName(src)}] {
			return fault.New(fault.Refused, "%s is staged, and ckpt has no record of the operation that did it: it may be the newest one", c.Path).
				WithHint("git diff --cached -- %s; git restore --staged --worktree takes it back", c.Path)
		}
	}
	return nil
}
