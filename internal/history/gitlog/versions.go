// Package gitlog finds the versions of one checkpoint in git's history, the changes of each, and
// the version that a time or a number means. It reads only commits and their files: the caller
// gives the id and the path of the present file.
package gitlog

import (
	"context"
	"path"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/revisions"
)

// Versions are the versions of one checkpoint, each once.
//
// They come from all commits on every line, not from first parents only: after a merge, the
// author of a branch finds each step, and blame names it. What a commit of a branch copies from the checkpoint ref
// is not another version. Uncommitted edits are not a version.
//
// The checkpoint is followed by its id, which is the frontmatter key, under any file name:
// through active/ and archive/, renames, deletion and return. An unreadable file is a version
// of the id that its path had before.
type Versions struct {
	ID string

	// List has the present versions, the newest first, without merges that took one side unchanged. Neighbours are
	// not always successive versions; Before has the version that a version changed.
	List   []revisions.Version
	Lines  []Line // all, each after those from which it was made
	Newest []int  // the newest ones in Lines that the checkpoint ref, or HEAD, knows

	repo   *git.Repo
	graph  *log.Graph
	of     map[string][]revisions.Version // by commit
	same   map[string][]int               // versions with the same content
	states map[string]state               // by commit

	bytes map[string][]byte // the blobs that were read; nil for one that this clone lacks
	kept  int               // the total size of bytes
}

// keep is how many bytes of old versions stay in memory. Other versions are read again when needed.
const keep = 64 << 20

// Start identifies the checkpoint to follow.
type Start struct {
	ID   string // the id; if it is empty, the last id in the file at Path counts
	Path string // the path of the present file, if any
	Dir  string // the checkpoints folder, as a slash path from the root of a commit
}

// Follow finds the versions of a checkpoint in a history. It may find none.
func Follow(ctx context.Context, repo *git.Repo, graph *log.Graph, from Start) (*Versions, error) {
	vs := &Versions{ID: from.ID, repo: repo, graph: graph, bytes: map[string][]byte{},
		same: map[string][]int{}, states: map[string]state{}}
	f := &follower{Versions: vs, commits: graph.Commits, paths: map[string]bool{}, ids: map[string]string{},
		own: map[string]bool{}}
	if from.Path != "" {
		f.paths[from.Path] = true
	}
	if err := f.follow(ctx); err != nil {
		return nil, err
	}
	var err error
	vs.of, err = f.changes(ctx, from.Dir)
	if err != nil {
		return nil, err
	}
	return vs, vs.read(ctx)
}

// about returns a version with the data of its commit.
func about(v revisions.Version, c log.Commit) revisions.Version {
	v.Commit, v.Time, v.Author, v.Email, v.Subject = c.Hash, c.Time, c.Author, c.Email, c.Subject
	if op := c.Trailers[revisions.OpTrailer]; len(op) > 0 {
		v.Op = op[0]
	}
	if code := c.Trailers[revisions.CodeTrailer]; len(code) > 0 {
		v.Code = code[0]
	}
	if v.Path == "" && len(v.Before) > 0 {
		v.Path = v.Before[0].Path
	}
	return v
}

// Load reads many versions in one batch, before a caller asks for each of them.
func (vs *Versions) Load(ctx context.Context, blobs ...string) error {
	var want []string
	for _, name := range blobs {
		if _, have := vs.bytes[name]; !have && name != "" {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	want = slices.Compact(want)
	return vs.repo.Objects().Blobs(ctx, want, vs.hold)
}

func (vs *Versions) hold(name string, src []byte) {
	if vs.kept+len(src) <= keep || src == nil {
		vs.bytes[name] = src
		vs.kept += len(src)
	}
}

// Bytes returns a file in history, by its blob. The error is fault.NotFound if this clone lacks it.
func (vs *Versions) Bytes(ctx context.Context, blob string) ([]byte, error) {
	src, have := vs.bytes[blob]
	if !have {
		if err := vs.repo.Objects().Blobs(ctx, []string{blob}, func(_ string, got []byte) { src = got }); err != nil {
			return nil, err
		}
	}
	if src == nil {
		return nil, fault.New(fault.NotFound, "the file %s of %s is not in this clone, which is a partial one", blob, vs.ID).
			WithHint("git cat-file blob %s fetches it", blob)
	}
	return src, nil
}

// Checkpoint parses a version. The error is fault.Invalid if it cannot be read.
func (vs *Versions) Checkpoint(ctx context.Context, v revisions.Version) (*checkpoint.Checkpoint, error) {
	if v.Gone() {
		return nil, fault.New(fault.NotFound, "%s was deleted in %s", vs.ID, v.Short()).WithHint("ckpt log %s", vs.ID)
	}
	return vs.Read(ctx, revisions.Side{Path: v.Path, Blob: v.Blob})
}

// Read parses one side of a version. The error is fault.Invalid if it cannot be read.
func (vs *Versions) Read(ctx context.Context, s revisions.Side) (*checkpoint.Checkpoint, error) {
	src, err := vs.Bytes(ctx, s.Blob)
	if err != nil {
		return nil, err
	}
	c, err := checkpoint.Parse(s.Path, src)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s cannot be read: %w", path.Base(s.Path), err)
	}
	return c, nil
}
