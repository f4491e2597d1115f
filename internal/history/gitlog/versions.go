// Package gitlog finds the versions of one checkpoint in git's history, the changes of each, and
// the version that a time or a number means. It reads only commits and their files: the caller
// gives the id and the path of the present file.
package gitlog

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/revisions"
)

// Versions are the versions of one checkpoint, each once.
//
// They come from all lines of history, not from first parents only: after a merge, the author of a branch finds each
// commit of the branch, and so does blame. A commit of a branch that copies an operation of the checkpoint ref counts
// as a version only if a rebase has merged it, and no later operation has the resulting content. Uncommitted edits are
// not a version.
//
// The checkpoint is followed by the id in its frontmatter, under any file name: through active/ and archive/, renames,
// deletion and restoration.
type Versions struct {
	ID string

	// List has the versions, the newest first, without merges that took one side unchanged. A version need not have been
	// made from the next one in List: Before has the files from which it was made.
	List  []revisions.Version
	Lines []Line // all versions, each after those from which it was made

	repo  *git.Repo
	files log.Files
	bytes map[string][]byte // by blob, the contents that were read; nil for a blob that this clone lacks
	kept  int               // the total size of bytes
	ids   map[string]string // by blob that was read, the id in it; "" if it is not a readable checkpoint

	contents map[string]string // results of the method content
	sameAs   map[string]string // for the commit of each dropped line, another commit with its version
	now      string            // the content of the present file; may be empty
	taken    map[string]bool   // the contents that the ref took in, or has yet to take in, and no operation has
}

// keep is how many bytes of old versions stay in memory. Other versions are read again when needed.
const keep = 64 << 20

// Start identifies the checkpoint to follow.
type Start struct {
	ID   string // the id; if it is empty, the last id in the file at Path counts
	Path string // the path of the present file, if any
	Now  []byte // the present file, as the ref would have it; nil if it cannot be read
	Dir  string // the checkpoints folder, as a slash path from the root of a commit

	OnBranch bool     // the clone has no checkpoint ref, so the commits are those of a branch
	Others   []string // commits whose history counts besides the history of the ref
}

// versions returns the Versions of the checkpoint, into which nothing was read yet.
func (from Start) versions(repo *git.Repo) *Versions {
	vs := &Versions{ID: from.ID, repo: repo, files: log.Files{Dir: from.Dir}, bytes: map[string][]byte{},
		ids: map[string]string{}, contents: map[string]string{}, sameAs: map[string]string{}, taken: map[string]bool{}}
	if from.ID != "" {
		vs.files.Names = []string{from.ID + ".md"}
	}
	if from.Path != "" {
		vs.files.Names = append(vs.files.Names, from.Path)
		vs.now = from.Path + "\x00" + repo.Objects().BlobHash(from.Now)
		vs.taken[vs.now] = true
	}
	return vs
}

// Follow finds the versions of a checkpoint in the history of the checkpoint ref, which is HEAD in repo. There may
// be none.
func Follow(ctx context.Context, repo *git.Repo, from Start) (*Versions, error) {
	vs := from.versions(repo)
	for {
		commits, err := log.Of(repo).History(ctx, vs.files, from.Others...)
		if err != nil {
			return nil, err
		}
		names, err := vs.otherNames(ctx, commits)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return vs, vs.read(ctx, commits, from.OnBranch)
		}
		vs.files.Names = append(vs.files.Names, names...)
	}
}

// IsEdited reports whether the present file differs from the newest version. It is false if this clone lacks that
// version.
func (vs *Versions) IsEdited() bool {
	newest := vs.List[0]
	return vs.now != "" && vs.bytes[newest.Blob] != nil && vs.content(newest.Path, newest.Blob) != vs.now
}

// In returns the version of a checkpoint in a commit, with the commit that made it. If the commit does not have the
// checkpoint, the version is its deletion, or the zero version.
func In(ctx context.Context, repo *git.Repo, from Start, commit string) (*Versions, revisions.Version, error) {
	vs := from.versions(repo)
	tree, err := repo.Objects().TreeAt(ctx, commit, from.Dir)
	if err != nil {
		return vs, revisions.Version{}, err
	}
	at, err := vs.find(ctx, tree)
	if err != nil {
		return vs, revisions.Version{}, err
	}
	if at != "" {
		vs.files.Names = []string{at}
	}
	c, found, err := log.Of(repo).Last(ctx, vs.files, commit)
	if err != nil || !found {
		return vs, revisions.Version{}, err
	}
	return vs, about(revisions.Version{Path: at, Blob: tree[at]}, c), nil
}

// find returns the path of the checkpoint in a tree, or "" if the tree does not have it. It looks
// at files with a name of the checkpoint first.
func (vs *Versions) find(ctx context.Context, tree map[string]string) (string, error) {
	var paths []string
	for _, own := range []bool{true, false} {
		for _, at := range slices.Sorted(maps.Keys(tree)) {
			if checkpoint.IsFile(at) && vs.isOwn(at) == own {
				paths = append(paths, at)
			}
		}
	}
	for _, at := range paths {
		id, err := vs.idIn(ctx, tree[at])
		unknown := id == "" || vs.ID == ""
		switch {
		case err != nil:
			return "", err
		case vs.isOwn(at) && unknown:
			vs.ID = cmp.Or(vs.ID, id, strings.TrimSuffix(path.Base(at), ".md"))
			return at, nil
		case !unknown && id == vs.ID:
			return at, nil
		}
	}
	return "", nil
}

// about returns a version with the data of its commit.
func about(v revisions.Version, c log.Commit) revisions.Version {
	v.Commit, v.Time, v.Author, v.Email, v.Subject = c.Hash, c.Time, c.Author, c.Email, c.Subject
	v.Code = strings.Join(c.Trailers[revisions.CodeTrailer], "")
	for _, op := range c.Trailers[revisions.OpTrailer] { // several if the commit publishes several operations
		v.Op = op
		v.TakesBack = v.TakesBack || slices.Contains([]string{"undo", "redo", "restore"}, op)
	}
	return v
}

// Load reads blobs in one batch and keeps their contents for later calls.
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
	vs.ids[name] = checkpoint.IDIn(src)
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

// Checkpoint parses a version. The error is fault.Invalid if it cannot be parsed.
func (vs *Versions) Checkpoint(ctx context.Context, v revisions.Version) (*checkpoint.Checkpoint, error) {
	if v.Gone() {
		return nil, fault.New(fault.NotFound, "%s was deleted in %s", vs.ID, v.Short()).WithHint("ckpt log %s", vs.ID)
	}
	return vs.Read(ctx, revisions.Side{Path: v.Path, Blob: v.Blob})
}

// Read parses one side of a version. The error is fault.Invalid if it cannot be parsed.
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
