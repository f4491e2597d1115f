package git

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/object"
)

// Objects reads and stores git objects.
type Objects struct{ repo *Repo }

// Objects returns the objects of the repository.
func (r *Repo) Objects() Objects { return Objects{repo: r} }

// Entry is the mode and the blob of a file in a commit or in the index.
type Entry = object.Entry

// FileEntry returns the entry of a regular file.
func FileEntry(blob string) Entry { return Entry{Mode: filemode.Regular, Hash: blob} }

// BlobHash returns the hash of the blob for exactly these bytes. Git stores a file as this blob
// unless attributes or core.autocrlf convert it.
func (o Objects) BlobHash(data []byte) string { return o.repo.objects.HashOf(object.Blob, data) }

// ErrElsewhere means that a partial clone lacks objects that a question needs. Errors wrap it.
var ErrElsewhere = errors.New("history is not in this clone, which is a partial one")

// Database returns the object database. It fetches nothing.
func (o Objects) Database() *object.Database { return o.repo.objects }

func openObjects(r *Repo) *object.Database {
	dir := os.Getenv("GIT_OBJECT_DIRECTORY")
	if dir == "" {
		dir = filepath.Join(r.commonDir, "objects")
	}
	ctx, hash := context.Background(), sha1.New
	if strings.EqualFold(r.format.extensions["objectformat"], "sha256") {
		hash = sha256.New
	}
	return &object.Database{Options: object.Options{
		Dir: absolute(dir), Hash: hash, Sharing: r.Sharing,
		CatFile: func() (*exec.Cmd, error) {
			if _, err := r.gitRelease(ctx); err != nil {
				return nil, err
			}
			cmd := r.Command(ctx, "--no-replace-objects", "cat-file", "--batch")
			cmd.Env = append(append(cmd.Env, "LC_ALL=C"), noFetch...)
			return cmd, nil
		},
	}}
}

// reader reads objects until its context ends.
type reader struct {
	ctx   context.Context
	repo  *Repo
	fetch bool // git fetches what a partial clone lacks
}

func (r reader) Read(kind plumbing.ObjectType, hash string) ([]byte, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	data, err := r.repo.objects.Read(kind, hash)
	if r.fetch && errors.Is(err, object.ErrMissing) && r.repo.MayLack() {
		return r.repo.Git(r.ctx, nil, "cat-file", kind.String(), hash)
	}
	return data, err
}

// Reader returns a reader that fetches what a partial clone lacks, except for a repository of [Repo.Offline].
func (o Objects) Reader(ctx context.Context) object.Reader {
	return reader{ctx, o.repo, !o.repo.noFetch}
}

// NewBatch returns an empty batch of new objects.
func (o Objects) NewBatch(ctx context.Context) *object.Batch {
	return o.repo.objects.NewBatch(o.Reader(ctx))
}

// Blob returns the content of a blob, which is not nil even if it is empty. For the name "" it returns nil. It fetches
// nothing: if a partial clone lacks the blob, the error is fault.NotFound.
func (o Objects) Blob(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	data, err := o.repo.objects.Read(object.Blob, name)
	if errors.Is(err, object.ErrMissing) && o.repo.MayLack() {
		return nil, fault.New(fault.NotFound, "%s is not in this clone, which is a partial one", name[:min(7, len(name))]).
			WithHint("git cat-file blob %s fetches it", name)
	}
	return data, err
}

// Blobs reads many blobs and calls visit for each, in the order of names. The content is nil if
// this clone lacks the blob because it is a partial or damaged one; nothing is fetched. Visit may
// keep the content.
func (o Objects) Blobs(ctx context.Context, names []string, visit func(name string, content []byte)) error {
	return o.Database().Blobs(ctx, names, visit)
}

// Contents returns the content of blobs, by their hashes. In a partial clone git fetches missing blobs.
func (o Objects) Contents(ctx context.Context, blobs []string) (map[string][]byte, error) {
	all := map[string][]byte{}
	slices.Sort(blobs)
	blobs = slices.Compact(blobs)
	err := o.Blobs(ctx, blobs, func(blob string, content []byte) { all[blob] = content })
	for _, blob := range blobs {
		if err == nil && all[blob] == nil {
			all[blob], err = o.Reader(ctx).Read(object.Blob, blob)
		}
	}
	return all, err
}

// FileAt returns the content of a regular file, a path from the root, in a commit; nil if the commit does not have it.
func (o Objects) FileAt(ctx context.Context, commit, path string) ([]byte, error) {
	entries, err := o.EntriesIn(ctx, commit, []string{path})
	if err != nil || !entries[path].Regular() {
		return nil, err
	}
	return o.Blob(entries[path].Hash)
}

// FolderAt returns the files below dir (a slash path from the root) in a commit, by path below dir.
// It is empty if the commit is "" or does not have the folder. In a partial clone git fetches
// missing trees.
func (o Objects) FolderAt(ctx context.Context, commit, dir string) (map[string]Entry, error) {
	return o.folderAt(o.Reader(ctx), commit, dir)
}

// TreeAt returns the blobs of every file below dir (a slash path from the root) in a commit,
// by path below dir. If a partial clone lacks the commit or a tree, the error is [ErrElsewhere].
func (o Objects) TreeAt(ctx context.Context, commit, dir string) (map[string]string, error) {
	return blobNames(o.folderAt(reader{ctx, o.repo, false}, commit, dir))
}

func (o Objects) folderAt(from object.Reader, commit, dir string) (files map[string]Entry, err error) {
	if dir == "." {
		dir = ""
	}
	c, err := object.ReadCommit(from, commit)
	if err == nil {
		files, err = object.Files(from, c.Tree, dir)
	}
	if errors.Is(err, object.ErrMissing) && o.repo.MayLack() {
		err = fmt.Errorf("%w: %w", ErrElsewhere, err)
	}
	return files, err
}

// Tree returns the blobs of every file below dir (a slash path from the root, "" for all) in
// the commit at HEAD, by path below dir.
func (o Objects) Tree(dir string) (map[string]string, error) {
	head, err := o.repo.Head()
	if err != nil {
		return nil, err
	}
	return blobNames(o.FolderAt(context.Background(), head.Hash, dir))
}

func blobNames(files map[string]Entry, err error) (map[string]string, error) {
	blobs := make(map[string]string, len(files))
	for path, e := range files {
		blobs[path] = e.Hash
	}
	return blobs, err
}

// Commit returns the content of a commit.
func (o Objects) Commit(ctx context.Context, hash string) (object.CommitText, error) {
	return object.ReadCommit(reader{ctx, o.repo, false}, hash)
}

// HeadEntries returns the entries that HEAD's commit has at paths, by path. It leaves out paths that do not exist.
func (o Objects) HeadEntries(ctx context.Context, paths []string) (map[string]Entry, error) {
	head, err := o.repo.Head()
	if err != nil {
		return nil, err
	}
	return o.EntriesIn(ctx, head.Hash, paths)
}

// EntriesIn returns the entries that a commit has at paths, by path. It leaves out paths that do not exist. In a
// partial clone git fetches missing trees.
func (o Objects) EntriesIn(ctx context.Context, commit string, paths []string) (map[string]Entry, error) {
	from := o.Reader(ctx)
	c, err := object.ReadCommit(from, commit)
	if err != nil {
		return nil, err
	}
	entries, tree := map[string]Entry{}, object.PathsOf(from, c.Tree)
	for _, path := range paths {
		e, err := tree.At(path)
		if err != nil {
			return nil, err
		}
		if !e.IsZero() {
			entries[path] = e
		}
	}
	return entries, nil
}

// MayLack reports whether this repository may lack objects, because it is a partial clone.
func (r *Repo) MayLack() bool {
	_, partial := r.format.extensions["partialclone"]
	return partial || r.format.promisor
}

// Shallow returns the commits at which the history of a shallow clone ends; none if this clone is not shallow.
func (o Objects) Shallow() (map[string]bool, error) {
	cut := map[string]bool{}
	text, err := os.ReadFile(filepath.Join(o.repo.commonDir, "shallow"))
	if errors.Is(err, os.ErrNotExist) {
		return cut, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failed, "read the list of commits where history is cut off: %w", err)
	}
	for commit := range strings.FieldsSeq(string(text)) {
		cut[commit] = true
	}
	return cut, nil
}

// Elsewhere adds [ErrElsewhere] to an error of git in a partial clone, which may lack an object. It returns any other
// error unchanged.
func (o Objects) Elsewhere(err error) error {
	if ExitCode(err) != 128 || !o.repo.MayLack() {
		return err
	}
	return fault.New(fault.Failed, "%w: %w", ErrElsewhere, err).
		WithHint("git log --raw > %s fetches it", os.DevNull)
}
