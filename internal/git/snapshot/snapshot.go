// Package snapshot records the working tree and the index, and restores them exactly.
//
// It exists for explorations: an agent tries something, and the files go back to where they were.
// `git stash create` was tried. It cannot record untracked files without touching the working tree,
// loses the announcements of `git add -N` and the line ends on disk, and cannot restore if there
// are ignored files.
package snapshot

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/object"
)

// Snapshots takes and restores snapshots of a working tree.
type Snapshots struct{ repo *git.Repo }

// Of returns the snapshots of a repository.
func Of(repo *git.Repo) Snapshots { return Snapshots{repo: repo} }

// snapshotRefs is the prefix of the refs of snapshots: refs/ckpt/snapshots/<worktree>/<time>. A
// snapshot is a commit on such a ref, whose parent is HEAD. Taking it touches neither the working
// tree nor the index. Its tree contains work/ (the files that git does not ignore, tracked or not,
// as git stores them), index/ (the index), bytes/ (the exact bytes of files that were changed or
// untracked, or whose line ends git would write differently) and intent (the paths that `git add
// -N` announced, each ended by NUL). So `git diff REF:index REF:work` shows what was not staged.
// Ignored files, and the folder that the caller excludes, are not recorded.
const snapshotRefs = "refs/ckpt/snapshots/"

// Snapshot is one snapshot.
type Snapshot struct {
	Ref   string
	Head  string // the commit of HEAD; "" on an unborn branch
	At    time.Time
	About string // its purpose, on one line

	commit string
}

// Take takes a snapshot without the folder exclude. If the state cannot be recorded exactly, it
// returns a fault.Unsupported with the reason.
func (s Snapshots) Take(ctx context.Context, exclude, about string, now time.Time) (Snapshot, error) {
	return s.take(ctx, exclude, about, contents{}, now)
}

// take takes a snapshot, either for Take or before another snapshot is restored. In the latter case
// it also records the files of that snapshot that git ignores now.
func (s Snapshots) take(ctx context.Context, exclude, about string, before contents, now time.Time) (Snapshot, error) {
	dirty, err := s.recordable(ctx, exclude)
	if err != nil {
		return Snapshot{}, err
	}
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return Snapshot{}, fault.New(fault.Failed, "take a snapshot: %w", err)
	}
	defer os.RemoveAll(dir)
	t := &taking{repo: s.repo, index: filepath.Join(dir, "index"), exclude: exclude}
	if err := s.repo.Index().Copy(t.index); err != nil {
		return Snapshot{}, err
	}
	trees := map[string]string{}
	trees["index"], err = t.staged(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	announced, err := t.announced(ctx, trees["index"])
	if err != nil {
		return Snapshot{}, err
	}
	held, forced, err := t.worked(ctx, before.work)
	if err != nil {
		return Snapshot{}, err
	}
	trees["work"], err = t.tree(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	for path, mode := range announced {
		if held[path].Mode != mode {
			return Snapshot{}, inexact("%q was announced (git add -N) as another kind of file", path).
				WithHint("git rm --cached -- %q", path)
		}
	}
	odd, err := t.oddEnds(ctx, held)
	if err != nil {
		return Snapshot{}, err
	}
	trees["bytes"], err = s.bytesTree(ctx, held,
		slices.Concat(dirty, forced, odd, slices.Collect(maps.Keys(before.bytes))))
	if err != nil {
		return Snapshot{}, err
	}
	return s.store(ctx, trees, slices.Sorted(maps.Keys(announced)), about, now)
}

// store makes the commit and the ref of the snapshot.
func (sn Snapshots) store(ctx context.Context, trees map[string]string, intent []string, about string,
	now time.Time) (Snapshot, error) {
	s := Snapshot{At: now, About: about}
	head, err := sn.repo.Head()
	if err != nil {
		return s, err
	}
	s.Head = head.Hash
	announced, err := sn.repo.Objects().Store(ctx, []byte(strings.Join(append(intent, ""), "\x00")))
	if err != nil {
		return s, err
	}
	list := "100644 blob " + announced + "\tintent\x00"
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		list += "040000 tree " + trees[name] + "\t" + name + "\x00"
	}
	out, err := sn.repo.Aside(ctx, "", []byte(list), "mktree", "-z")
	if err != nil {
		return s, err
	}
	author, err := sn.repo.Config().Identity(ctx, "author", now)
	if err != nil {
		return s, err
	}
	c := object.CommitText{Tree: strings.TrimSpace(string(out)), Author: author, Committer: author,
		Message: "ckpt snapshot: " + about + "\n"}
	if s.Head != "" {
		c.Parents = []string{s.Head}
	}
	s.commit, err = commit.Of(sn.repo).StoreCommit(ctx, c)
	if err != nil {
		return s, err
	}
	name := snapshotRefs + sn.repo.WorktreeName() + "/" + now.UTC().Format("20060102T150405Z")
	for n := 1; ; n++ { // there may be two snapshots in one second
		s.Ref = name
		if n > 1 {
			s.Ref += "-" + strconv.Itoa(n)
		}
		is, err := sn.repo.Refs().Read(ctx, s.Ref)
		if err != nil {
			return s, err
		}
		if is == "" {
			return s, sn.repo.Refs().MoveByGit(ctx, s.Ref, s.commit, "")
		}
	}
}

// List returns all snapshots of all working trees, the oldest first.
func (s Snapshots) List(ctx context.Context) ([]Snapshot, error) {
	return s.snapshotsBelow(ctx, snapshotRefs)
}

func (s Snapshots) snapshotsBelow(ctx context.Context, ref string) ([]Snapshot, error) {
	rows, err := s.repo.Refs().List(ctx,
		[]string{"refname", "objectname", "parent", "committerdate:unix", "subject"}, "--sort=creatordate", ref)
	var all []Snapshot
	for _, row := range rows {
		seconds, _ := strconv.ParseInt(row[3], 10, 64) // git prints a valid number
		all = append(all, Snapshot{Ref: row[0], commit: row[1], Head: row[2], At: time.Unix(seconds, 0).UTC(),
			About: strings.TrimPrefix(row[4], "ckpt snapshot: ")})
	}
	return all, err
}

// Find returns the snapshot with a ref, given in full or from the worktree's name on.
func (sn Snapshots) Find(ctx context.Context, ref string) (Snapshot, error) {
	if !strings.HasPrefix(ref, "refs/") {
		ref = snapshotRefs + ref
	}
	if strings.HasPrefix(ref, snapshotRefs) {
		all, err := sn.snapshotsBelow(ctx, ref)
		if err != nil {
			return Snapshot{}, err
		}
		for _, s := range all {
			if s.Ref == ref {
				return s, nil
			}
		}
	}
	return Snapshot{}, fault.New(fault.NotFound, "no snapshot is called %q", ref).
		WithHint("git for-each-ref %s", snapshotRefs)
}

// Delete deletes a snapshot.
func (sn Snapshots) Delete(ctx context.Context, s Snapshot) error {
	return sn.repo.Refs().MoveByGit(ctx, s.Ref, "", s.commit)
}

// DropCommand returns the command that deletes a snapshot.
func (s Snapshot) DropCommand() string { return fmt.Sprintf("git update-ref -d %s", s.Ref) }
