package workspace

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/store"
)

// uncommittedRecords returns what is recorded of operations that made no commit, the newest
// first. What cannot be read is left out.
func (p *Workspace) uncommittedRecords() ([]*Uncommitted, error) {
	names, err := disk.Names(p.UncommittedDir())
	if err != nil {
		return nil, err
	}
	type state struct{ path, blob string }
	var all []*Uncommitted
	now, found := map[string]string{}, map[state]bool{}
	for _, name := range names {
		src, err := disk.ReadFile(filepath.Join(p.UncommittedDir(), name))
		u := &Uncommitted{Name: name, gone: true}
		if err != nil || json.Unmarshal(src, u) != nil {
			continue
		}
		for _, f := range u.Files {
			src, err := p.Store.OnDisk(f.Path)
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

// lost returns the newest operations that made no commit and whose text git took away,
// the newest first: neither the files nor a commit on a branch has it. The next change
// forgets them, so all are newer than any change that is in a commit.
func (p *Workspace) Lost(ctx context.Context) ([]*Uncommitted, error) {
	if p.Repo.InProgress() != "" { // it may come back
		return nil, nil
	}
	all, err := p.uncommittedRecords()
	if err != nil {
		return nil, err
	}
	var lost []*Uncommitted
	for _, u := range all {
		if !u.gone || u.replaced || strings.HasSuffix(u.Name, halfDone) {
			continue
		}
		var paths []string
		for _, f := range u.Files {
			paths = append(paths, p.FromRoot(f.Path))
		}
		if touched, err := log.Of(p.Repo).TouchedSince(ctx, u.Head, u.Time, paths...); err != nil {
			return nil, err
		} else if touched { // and so were those before it
			break
		}
		lost = append(lost, u)
	}
	return lost, nil
}

// title returns the operation in words.
func (u *Uncommitted) Title() string { return strings.TrimPrefix(u.Subject, "ckpt: ") }

// gitTookAway is what happened to a lost operation.
const GitTookAway = "is no longer staged or in the files: git took it away"

// PrintCommand returns the command that prints a file of a lost operation as it left it, in a
// sentence; "" where the repository does not have that.
func (p *Workspace) PrintCommand(u *Uncommitted) string {
	for _, f := range u.Files {
		if f.After == "" || f.Path == store.ActiveIndex || f.Path == store.ArchiveIndex {
			continue
		}
		if _, err := p.Repo.Objects().Blob(f.After); err == nil {
			return "; git cat-file -p " + f.After[:7] + " prints " + p.FromRoot(f.Path) + " as it was"
		}
	}
	return ""
}

// lostRemarks are the remarks on lost operations.
func (p *Workspace) LostRemarks(lost []*Uncommitted) []string {
	var said []string
	for _, u := range lost {
		said = append(said, strconv.Quote(u.Title())+" "+GitTookAway+p.PrintCommand(u))
	}
	return said
}

// forget removes the records of operations. One that stays is told again.
func (p *Workspace) Forget(lost []*Uncommitted) {
	for _, u := range lost {
		_ = disk.Remove(filepath.Join(p.UncommittedDir(), u.Name))
	}
}

// unexplained refuses to undo a commit where operations are staged, and the index holds
// changes that no recorded operation made: the newest operation may be one of them.
func (p *Workspace) Unexplained(ctx context.Context, cfg policy.Config) error {
	if cfg.Commit != policy.Stage {
		return nil
	}
	staged, err := log.Of(p.Repo).Staged(ctx, p.Prefix)
	if err != nil || len(staged) == 0 {
		return err
	}
	type left struct{ path, blob string }
	known := map[left]bool{}
	recorded, err := p.UncommittedOps()
	if err != nil {
		return err
	}
	for _, u := range recorded {
		for _, f := range u.Files {
			known[left{f.Path, f.After}] = true
		}
	}
	for _, c := range staged {
		path := strings.TrimPrefix(c.Path, p.Prefix+"/")
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
