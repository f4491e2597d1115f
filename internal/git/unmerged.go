package git

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
)

// Unmerged is a file that git could not merge, as the index has it: what both sides
// began as and what they made of it. Nil is no file.
type Unmerged struct {
	Path               string // from the root
	Base, Ours, Theirs []byte
}

// Unmerged are the files below dir (a slash path from the root) that git could not
// merge, by path. It runs git.
func (r *Repo) Unmerged(ctx context.Context, dir string) ([]Unmerged, error) {
	out, err := r.git(ctx, nil, "ls-files", "--unmerged", "-z", "--full-name", "--", dir)
	if err != nil {
		return nil, err
	}
	var all []Unmerged
	for line := range strings.SplitSeq(string(out), "\x00") { // MODE HASH STAGE\tPATH, sorted
		head, path, ok := strings.Cut(line, "\t")
		part := strings.Fields(head)
		if !ok || len(part) < 3 {
			continue
		}
		if len(all) == 0 || all[len(all)-1].Path != path {
			all = append(all, Unmerged{Path: path})
		}
		src, err := r.Blob(part[1])
		if err != nil {
			return nil, err
		}
		if src == nil {
			src = []byte{}
		}
		u := &all[len(all)-1]
		switch part[2] {
		case "1":
			u.Base = src
		case "2":
			u.Ours = src
		case "3":
			u.Theirs = src
		}
	}
	return all, nil
}

// StageMerged is Stage in place of what a merge has left of these paths in the index:
// they are no conflict any more.
func (r *Repo) StageMerged(ctx context.Context, files []change.File) error {
	unlock, err := r.beginStaging(ctx, files)
	if err != nil {
		return err
	}
	defer unlock()
	entries, err := r.storedByGit(ctx, files)
	if err != nil || len(entries) == 0 {
		return err
	}
	return r.updateIndex(ctx, entries)
}

// Unmerge puts files into the index as a merge that could not unite them would have:
// nobody commits them by mistake.
func (r *Repo) Unmerge(ctx context.Context, all []Unmerged) error {
	var in strings.Builder
	for _, u := range all {
		fmt.Fprintf(&in, "0 %s\t%s\x00", r.noName(), u.Path)
		for i, src := range [][]byte{u.Base, u.Ours, u.Theirs} {
			if src == nil {
				continue
			}
			out, err := r.git(ctx, src, "hash-object", "-w", "--stdin", "--path", u.Path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&in, "%o %s %d\t%s\x00", filemode.Regular, strings.TrimSpace(string(out)), i+1, u.Path)
		}
	}
	if in.Len() == 0 {
		return nil
	}
	return r.patiently(func() error {
		_, err := r.git(ctx, []byte(in.String()), "update-index", "-z", "--index-info")
		return err
	})
}

// Merge is two lines of history that come, or came, together. Its commits may be
// written as anything that git understands.
type Merge struct{ Base, Ours, Theirs string }

// LastMerge is the merge, or the like, that git is in the middle of; else the last one
// on HEAD's own line. Ok is false where there is none.
func (r *Repo) LastMerge(ctx context.Context) (m Merge, ok bool, err error) {
	for _, name := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD"} {
		note, err := r.gitNote(name)
		if err != nil {
			return m, false, err
		}
		theirs, _, _ := strings.Cut(note, "\n") // of several the first
		if theirs == "" {
			continue
		}
		m = Merge{theirs + "^", "HEAD", theirs}
		if name == "MERGE_HEAD" {
			m.Base, err = r.mergeBase(ctx, m)
		}
		return m, true, err
	}
	return r.mergeOf(ctx, "--first-parent", "--merges")
}

// MergeOf is the last merge that changed a file (from the root); ok is false where no
// merge did so last.
func (r *Repo) MergeOf(ctx context.Context, path string) (Merge, bool, error) {
	return r.mergeOf(ctx, "HEAD", "--", path)
}

func (r *Repo) mergeOf(ctx context.Context, how ...string) (m Merge, ok bool, err error) {
	head, err := r.Head()
	if err != nil || head.Hash == "" {
		return m, false, err
	}
	out, err := r.git(ctx, nil, append([]string{"log", "--max-count=1", "--no-show-signature", "--format=%P"}, how...)...)
	parents := strings.Fields(string(out))
	if err != nil || len(parents) != 2 {
		return m, false, err
	}
	m = Merge{"", parents[0], parents[1]}
	m.Base, err = r.mergeBase(ctx, m)
	return m, true, err
}

// mergeBase is what both sides began as; "" where that is nothing.
func (r *Repo) mergeBase(ctx context.Context, m Merge) (string, error) {
	out, err := r.git(ctx, nil, "merge-base", m.Ours, m.Theirs)
	if exitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// At is a file (from the root) as the three commits of a merge have it; nil is no file.
func (m Merge) At(ctx context.Context, r *Repo, path string) (Unmerged, error) {
	u := Unmerged{Path: path}
	for _, side := range []struct {
		rev string
		to  *[]byte
	}{{m.Base, &u.Base}, {m.Ours, &u.Ours}, {m.Theirs, &u.Theirs}} {
		if side.rev == "" {
			continue
		}
		src, err := r.FileAt(ctx, side.rev, path)
		switch {
		case err == nil && src == nil:
			*side.to = []byte{}
		case err == nil:
			*side.to = src
		case fault.KindOf(err) != fault.NotFound:
			return u, err
		}
	}
	return u, nil
}
