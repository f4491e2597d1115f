// Package dropped finds operations whose commits are no longer on the branch, and whose text is not
// in the files either: after a reset, an aborted rebase or a dropped commit.
package dropped

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// Finder finds dropped operations in a repository.
type Finder struct {
	*folder.Folder
}

// Reader reads a file of the folder by its path there. It returns nil if the file does not exist.
type Reader func(rel string) ([]byte, error)

// Find returns ckpt's last operations on the checked-out branch whose commits are no longer on the
// branch, and whose text is in none of the readers' files. It ignores the commits of this command.
func (f Finder) Find(ctx context.Context, reads []Reader, own ...string) ([]log.Dropped, error) {
	if f.Repo.InProgress() != "" {
		return nil, nil
	}
	carried := func(c log.Commit) (bool, error) {
		for _, read := range reads {
			if kept, err := f.carried(read, c); kept || err != nil {
				return kept, err
			}
		}
		return false, nil
	}
	lost, err := log.Of(f.Repo).Dropped(ctx, f.Prefix, carried, own...)
	if err != nil || len(lost) == 0 {
		return nil, err
	}
	if elsewhere, err := f.Repo.Branches().HasCommit(ctx, lost[0].Hash); elsewhere || err != nil {
		return nil, err // its text is in the files, and so is that of older operations
	}
	return lost, nil
}

// carried reports whether the changes of a commit are in the files now: a rebase or an amended
// commit keeps the text.
func (f Finder) carried(read Reader, c log.Commit) (bool, error) {
	for _, changed := range c.Files {
		if slices.Contains(store.KeepFiles, changed.Path) {
			continue // a keep file, which the next operation adds if it is missing
		}
		if kept, err := f.carriedFile(read, changed); !kept || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (f Finder) carriedFile(read Reader, c log.FileChange) (bool, error) {
	before, err := folder.Blob(f.Repo, c.Before)
	if err != nil {
		return false, err
	}
	after, err := folder.Blob(f.Repo, c.After)
	if err != nil {
		return false, err
	}
	now, err := read(c.Path)
	if err != nil {
		return false, err
	}
	if c.After == "" {
		return now == nil, nil
	}
	if now == nil { // the checkpoint may have been archived or reopened since
		other := path.Join(store.Archive, path.Base(c.Path))
		if checkpoint.InArchive(c.Path) {
			other = path.Join(store.Active, path.Base(c.Path))
		}
		now, err = read(other)
		if err != nil || now == nil {
			return false, err
		}
	}
	return !bytes.Equal(now, before) && holdsAdded(string(before), string(after), string(now)), nil
}

// holdsAdded reports whether now has every line below the frontmatter that after has and before
// lacks.
func holdsAdded(before, after, now string) bool {
	known := map[string]bool{}
	for _, text := range []string{before, now} {
		for line := range strings.Lines(text) {
			known[strings.TrimSpace(line)] = true
		}
	}
	front, _, _ := doc.FrontSpan([]byte(after))
	for line := range strings.Lines(after[front.End:]) {
		if !known[strings.TrimSpace(line)] {
			return false
		}
	}
	return true
}

// Describe describes a dropped operation, with the command that restores its text.
func Describe(d log.Dropped) (what, fix string) {
	fix = "git show " + d.Hash[:7]
	if ids := d.Trailers[revisions.IDTrailer]; len(ids) == 1 {
		fix = "ckpt restore " + ids[0] + " --at " + d.Hash[:7]
	}
	return fmt.Sprintf("%s no longer contains %q: git removed it (%s)", d.Branch, strings.TrimPrefix(d.Subject, "ckpt: "),
		d.By), fix
}

// Remarks returns the remarks on dropped operations.
func (f Finder) Remarks(ctx context.Context, reads []Reader, own ...string) ([]string, error) {
	all, err := f.Find(ctx, reads, own...)
	var said []string
	for _, d := range all {
		what, fix := Describe(d)
		said = append(said, what+"; to restore it: "+fix)
	}
	return said, err
}
