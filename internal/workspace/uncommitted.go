package workspace

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

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/policy"
)

// An operation that made no commit, because it was staged or only written, is in no
// history. What undo has to know of it lies in the git folder, a working tree's own: a
// file an operation, named so that their order is that of time. It is written before
// the operation's files, so that no operation is without it, and named unfinished until
// they are written. One that never happened is told by its files, which are as they were
// before.

// uncommittedKept is how many such files are kept.
const uncommittedKept = 50

// halfDone ends the name of the record of an operation that is not known to have been
// written: the command may have been killed.
const halfDone = ".unfinished"

// uncommitted is an operation that made no commit.
type Uncommitted struct {
	Op      string            `json:"op"`
	ID      string            `json:"id,omitempty"`
	Subject string            `json:"subject"`
	Time    time.Time         `json:"time"`
	Head    string            `json:"head,omitempty"`    // the commit that was checked out
	Commit  policy.Commit     `json:"commit"`            // how it was written: staged, or only to the files
	Undoes  []string          `json:"undoes,omitempty"`  // commits that it took back
	Partial bool              `json:"partial,omitempty"` // the files were too large to keep
	Files   []uncommittedFile `json:"files,omitempty"`

	Name     string `json:"-"` // of the file that the record is in
	gone     bool   // none of its files is as it left it: each is as it, or an older one, found it
	replaced bool   // a newer one that is not gone has changed one of its files
}

// uncommittedFile is a file, relative to the folder, as the operation found and left
// it; nil and "" are no file. Found is kept of a staged operation only.
type uncommittedFile struct {
	Path   string `json:"path"`
	Found  []byte `json:"found"`
	Before string `json:"before,omitempty"` // the blob of Found
	After  string `json:"after,omitempty"`  // the blob that it left
}

func (p *Workspace) UncommittedDir() string { return filepath.Join(p.Repo.JournalDir(), "uncommitted") }

// keepUncommitted records an operation that is about to be written without a commit. The
// caller calls done with the error of writing it: the record is dropped, or finished.
func (p *Workspace) keepUncommitted(o *Tx, cfg policy.Config, now time.Time) (done func(error), err error) {
	if o.Op == OpUndo && len(o.Undoes) == 0 && !o.recommits {
		return func(error) {}, nil // what it takes back goes from the list
	}
	subject, _, _ := strings.Cut(Message(cfg, o), "\n")
	head, err := p.Repo.Head()
	if err != nil {
		return nil, err
	}
	u := Uncommitted{Head: head.Hash, Op: o.Op, ID: o.ID, Subject: subject, Time: now, Commit: cfg.Commit, Undoes: o.Undoes}
	size := 0
	for _, f := range o.Files.Files {
		file := uncommittedFile{Path: f.Path, Before: blobName(f.Before), After: blobName(f.After)}
		if u.Commit == policy.Stage {
			file.Found = f.Before
			size += len(f.Before)
		}
		u.Files = append(u.Files, file)
	}
	if size > maxPending {
		u.Partial = true
		for i := range u.Files {
			u.Files[i].Found = nil
		}
	}
	src, err := json.Marshal(u)
	if err != nil {
		return nil, err
	}
	names, err := disk.Names(p.UncommittedDir())
	if err != nil {
		return nil, err
	}
	last := 0
	if len(names) > 0 {
		last, _ = strconv.Atoi(strings.TrimSuffix(names[len(names)-1], halfDone))
	}
	file := filepath.Join(p.UncommittedDir(), fmt.Sprintf("%012d", last+1))
	if err := disk.WriteFile(file+halfDone, src, false); err != nil {
		return nil, err
	}
	disk.KeepNewest(p.UncommittedDir(), uncommittedKept)
	return func(failed error) {
		if failed != nil {
			_ = disk.Remove(file + halfDone)
			return
		}
		_ = disk.Rename(file+halfDone, file) // one that stays unfinished is as good, but for lost
	}, nil
}

// blobName returns the name of a blob with these bytes; "" for no file.
func blobName(src []byte) string {
	if src == nil {
		return ""
	}
	return git.BlobHash(src)
}

// uncommittedOps returns the operations that made no commit, the newest first, but for those
// that were taken back, by whomever, or never happened.
func (p *Workspace) UncommittedOps() ([]*Uncommitted, error) {
	all, err := p.uncommittedRecords()
	return slices.DeleteFunc(all, func(u *Uncommitted) bool { return u.gone }), err
}

// after returns how many of these commits, the newest first, are newer than u: those up to
// the child of the commit that u was made on, or up to the one that committed u.
func (u *Uncommitted) After(commits []log.Commit) int {
	if i := slices.IndexFunc(commits, func(c log.Commit) bool { return slices.Contains(c.Parents, u.Head) }); i >= 0 {
		return i + 1
	}
	if i := slices.IndexFunc(commits, func(c log.Commit) bool { return c.Hash == u.Head }); i >= 0 {
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
func (u *Uncommitted) isIn(c log.Commit) bool {
	return !slices.ContainsFunc(u.Files, func(f uncommittedFile) bool {
		return !slices.ContainsFunc(c.Files, func(of log.FileChange) bool { return of.Path == f.Path && of.After == f.After })
	})
}

// RevertUncommitted wants the files of an operation that made no commit as that found
// them, if they still are as it, or a later one that is undone too, left them, on disk
// and in the index.
func (p *Workspace) RevertUncommitted(ctx context.Context, o *Tx, u *Uncommitted) error {
	what := strings.TrimPrefix(u.Subject, "ckpt: ")
	switch {
	case u.Commit != policy.Stage:
		return fault.New(fault.Unsupported, "the newest operation, %s, was not committed (--no-commit, or commit: off), and ckpt keeps nothing to take it back with", what).
			WithHint("git diff -- %s", p.Prefix)
	case u.Partial:
		return fault.New(fault.Unsupported, "the newest operation, %s, is staged, and too large to take back", what).WithHint("git restore --staged --worktree %s", p.Prefix)
	}
	staged, err := log.Of(p.Repo).Staged(ctx, p.Prefix)
	if err != nil {
		return err
	}
	for _, f := range u.Files {
		src, err := p.Store.Read(f.Path)
		if err != nil {
			return err
		}
		have, planned := o.Files.After(f.Path)
		if !planned {
			have = src
		}
		ours := blobName(have) == f.After
		if ours && !planned {
			path := p.FromRoot(f.Path)
			if !slices.ContainsFunc(staged, func(c log.FileChange) bool { return c.Path == path }) {
				o.recommits = true
			}
			if ours, err = p.indexHolds(ctx, staged, f, src); err != nil {
				return err
			}
		}
		if !ours {
			path := p.FromRoot(f.Path)
			return fault.New(fault.Refused, "%s has changed since %s (staged): undoing would lose that", path, what).WithHint("git diff HEAD -- %s", path)
		}
		o.Files.Add(change.File{Path: f.Path, Before: src, After: f.found()})
	}
	o.Undone = append(o.Undone, u.Name)
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
func (p *Workspace) indexHolds(ctx context.Context, staged []log.FileChange, f uncommittedFile, left []byte) (bool, error) {
	path := p.FromRoot(f.Path)
	i := slices.IndexFunc(staged, func(c log.FileChange) bool { return c.Path == path })
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
	src, err := p.Repo.Objects().Blob(name) // git may have converted line ends
	lf := func(b []byte) string { return string(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))) }
	return err == nil && (lf(src) == lf(left) || lf(src) == lf(f.found())), err
}
