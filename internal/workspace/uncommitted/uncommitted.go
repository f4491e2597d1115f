// Package uncommitted records the operations that made no commit: they are not in history, and undo
// must not undo an older one in their place.
//
// The records are in the git folder of the worktree, one file per operation, with names in the
// order of time. Each is written before the operation's files, so that every operation has one, and
// its name ends in .unfinished until they are written. An operation that did not happen is
// recognized by its files, which are unchanged.
package uncommitted

import (
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
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/workspace/folder"
)

// Log has the records of one worktree.
type Log struct {
	*folder.Folder
}

// kept is how many records are kept.
const kept = 50

// halfDone ends the name of a record while its operation is not known to be written: the command
// may have been killed.
const halfDone = ".unfinished"

// Operation is an operation that made no commit.
type Operation struct {
	Op      string    `json:"op"`
	ID      string    `json:"id,omitempty"`
	Subject string    `json:"subject"`
	Time    time.Time `json:"time"`
	Head    string    `json:"head,omitempty"`   // the commit that was checked out
	Undoes  []string  `json:"undoes,omitempty"` // the commits that it reverted
	Files   []file    `json:"files,omitempty"`

	Name string `json:"-"` // the name of the record's file
	// None of its files has the content that it left: each has the content that it, or an older
	// operation, found.
	gone     bool
	replaced bool // a newer operation that is not gone has changed one of its files
}

// file has the path of a file, relative to the folder, and the hashes of its content before and
// after the operation. An empty hash means that it did not exist.
type file struct {
	Path   string `json:"path"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

func (l *Log) dir() string { return filepath.Join(l.Repo.JournalDir(), "uncommitted") }

// Keep records an operation that is about to be written without a commit, and its files. The caller
// then calls done with the error of writing: the record is deleted, or completed.
func (l *Log) Keep(op Operation, files change.Set) (done func(error), err error) {
	head, err := l.Repo.Head()
	if err != nil {
		return nil, err
	}
	op.Head = head.Hash
	for _, f := range files.Files {
		op.Files = append(op.Files, file{Path: f.Path, Before: blobName(f.Before), After: blobName(f.After)})
	}
	src, err := json.Marshal(op)
	if err != nil {
		return nil, err
	}
	names, err := disk.Names(l.dir())
	if err != nil {
		return nil, err
	}
	last := 0
	if len(names) > 0 {
		last, _ = strconv.Atoi(strings.TrimSuffix(names[len(names)-1], halfDone))
	}
	file := filepath.Join(l.dir(), fmt.Sprintf("%012d", last+1))
	if err := disk.WriteFile(file+halfDone, src, false); err != nil {
		return nil, err
	}
	disk.KeepNewest(l.dir(), kept)
	return func(failed error) {
		if failed != nil {
			_ = disk.Remove(file + halfDone)
			return
		}
		_ = disk.Rename(file+halfDone, file) // if this fails, only Lost ignores the record
	}, nil
}

// blobName returns the hash of a blob with these bytes; "" for nil.
func blobName(src []byte) string {
	if src == nil {
		return ""
	}
	return git.BlobHash(src)
}

// Operations returns the operations that made no commit, the newest first. It leaves out those that
// were reverted, by ckpt or by hand, or that never happened.
func (l *Log) Operations() ([]*Operation, error) {
	all, err := l.records()
	return slices.DeleteFunc(all, func(u *Operation) bool { return u.gone }), err
}

// After returns how many of these commits, the newest first, are newer than u: those down to the
// child of the commit that u was made on, or down to the one that committed u.
func (u *Operation) After(commits []log.Commit) int {
	if i := slices.IndexFunc(commits, func(c log.Commit) bool { return slices.Contains(c.Parents, u.Head) }); i >= 0 {
		return i + 1
	}
	if i := slices.IndexFunc(commits, func(c log.Commit) bool { return c.Hash == u.Head }); i >= 0 {
		return i
	}
	n := 0
	for i, c := range commits { // commits made in the same second as u also count as older
		if c.Time.After(u.Time) || c.Time.Equal(u.Time) && u.isIn(c) {
			n = i + 1
		}
	}
	return n
}

// isIn reports whether a commit has the content that the operation left.
func (u *Operation) isIn(c log.Commit) bool {
	return !slices.ContainsFunc(u.Files, func(f file) bool {
		return !slices.ContainsFunc(c.Files, func(of log.FileChange) bool { return of.Path == f.Path && of.After == f.After })
	})
}

// records returns the records of operations that made no commit, the newest first. It leaves out
// records that cannot be read.
func (l *Log) records() ([]*Operation, error) {
	names, err := disk.Names(l.dir())
	if err != nil {
		return nil, err
	}
	type state struct{ path, blob string }
	var all []*Operation
	now, found := map[string]string{}, map[state]bool{}
	for _, name := range names {
		src, err := disk.ReadFile(filepath.Join(l.dir(), name))
		u := &Operation{Name: name, gone: true}
		if err != nil || json.Unmarshal(src, u) != nil {
			continue
		}
		for _, f := range u.Files {
			src, err := l.Store.OnDisk(f.Path)
			if err != nil {
				return nil, err
			}
			now[f.Path] = blobName(src)
			found[state{f.Path, f.Before}] = true
			if now[f.Path] == f.After || !found[state{f.Path, now[f.Path]}] {
				u.gone = false
			}
		}
		all = append(all, u)
	}
	slices.Reverse(all)
	there := map[string]bool{}
	for _, u := range all {
		for _, f := range u.Files {
			u.replaced = u.replaced || there[f.Path]
		}
		for _, f := range u.Files {
			there[f.Path] = there[f.Path] || !u.gone
		}
	}
	return all, nil
}

// Lost returns the newest operations without a commit whose text git has removed, the newest first:
// neither the files nor a commit on a branch has it. The next change deletes their records, so all
// of them are newer than any committed change.
func (l *Log) Lost(ctx context.Context) ([]*Operation, error) {
	if l.Repo.InProgress() != "" { // the content may be restored when the merge or the like ends
		return nil, nil
	}
	all, err := l.records()
	if err != nil {
		return nil, err
	}
	var lost []*Operation
	for _, u := range all {
		if !u.gone || u.replaced || strings.HasSuffix(u.Name, halfDone) {
			continue
		}
		var paths []string
		for _, f := range u.Files {
			paths = append(paths, l.FromRoot(f.Path))
		}
		if touched, err := log.Of(l.Repo).TouchedSince(ctx, u.Head, u.Time, paths...); err != nil {
			return nil, err
		} else if touched { // the older ones were touched, too
			break
		}
		lost = append(lost, u)
	}
	return lost, nil
}

// Title describes the operation.
func (u *Operation) Title() string { return strings.TrimPrefix(u.Subject, "ckpt: ") }

// GitTookAway describes what happened to a lost operation.
const GitTookAway = "is no longer in the files: git removed it"

// PrintHint returns a sentence with the command that prints a file of a lost operation, or "" if
// the repository does not have the content.
func (l *Log) PrintHint(u *Operation) string {
	for _, f := range u.Files {
		if f.After == "" {
			continue
		}
		if _, err := l.Repo.Objects().Blob(f.After); err == nil {
			return "; git cat-file -p " + f.After[:7] + " prints " + l.FromRoot(f.Path) + " as it was"
		}
	}
	return ""
}

// Remarks returns the remarks on lost operations.
func (l *Log) Remarks(lost []*Operation) []string {
	var said []string
	for _, u := range lost {
		said = append(said, strconv.Quote(u.Title())+" "+GitTookAway+l.PrintHint(u))
	}
	return said
}

// Forget deletes the records of operations. A record that cannot be deleted is reported again.
func (l *Log) Forget(lost ...*Operation) {
	for _, u := range lost {
		_ = disk.Remove(filepath.Join(l.dir(), u.Name))
	}
}
