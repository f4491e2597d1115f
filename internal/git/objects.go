package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/git/refs"
)

// Objects reads what commits contain, and stores blobs.
type Objects struct{ repo *Repo }

// Objects returns the objects of the repository.
func (r *Repo) Objects() Objects { return Objects{repo: r} }

// Entry is the mode and the blob of a file in a commit or in the index.
type Entry = object.Entry

// FileEntry returns the entry of a regular file.
func FileEntry(blob string) Entry { return object.File(blob) }

// BlobHash returns the hash of the blob for exactly these bytes. Git stores a file as this blob
// unless attributes or core.autocrlf convert it.
func BlobHash(data []byte) string { return object.HashOf(data) }

// ErrElsewhere is in the error of a question that a partial clone cannot answer.
var ErrElsewhere = errors.New("history is not in this clone, which is a partial one")

// Database returns the object database. It can only read repositories with SHA-1.
func (o Objects) Database() *object.Database {
	if o.repo.objects == nil {
		dir := os.Getenv("GIT_OBJECT_DIRECTORY")
		if dir == "" {
			dir = filepath.Join(o.repo.commonDir, "objects")
		}
		o.repo.objects = object.Open(absolute(dir), o.repo.sharing)
	}
	return o.repo.objects
}

// Blob returns the content of a blob, which is not nil; fault.NotFound if a partial clone lacks it. It does not
// fetch from another repository. Without a name it returns nil.
func (o Objects) Blob(name string) ([]byte, error) {
	data, err := o.blob(name)
	if data == nil && name != "" && err == nil {
		data = []byte{}
	}
	return data, err
}

func (o Objects) blob(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	if o.repo.Foreign() == "" {
		data, err := o.Database().Read(object.Blob, name)
		if !errors.Is(err, object.ErrMissing) {
			return data, err
		}
	}
	data, err := o.ask(context.Background(), o.repo.Offline(), "cat-file", "blob", name)
	if err != nil && o.repo.MayLack() {
		return nil, fault.New(fault.NotFound, "%s is not in this clone, which is a partial one", name[:min(7, len(name))]).
			WithHint("git cat-file blob %s fetches it", name)
	}
	return data, err
}

// ask runs git for what an object has. It asks once about an object with this name, which never changes.
func (o Objects) ask(ctx context.Context, by *Repo, args ...string) ([]byte, error) {
	question := strings.Join(args, "\x00")
	if said, known := o.repo.read[question]; known {
		return slices.Clone(said), nil
	}
	said, err := by.Git(ctx, nil, args...)
	if o.repo.Foreign() == "" || err != nil {
		return said, err
	}
	if fixed := slices.ContainsFunc(args, refs.IsHash); fixed && len(said) < 1<<20 {
		if o.repo.read == nil {
			o.repo.read = map[string][]byte{}
		}
		o.repo.read[question] = slices.Clone(said)
	}
	return said, err
}

// Blobs reads many blobs and calls visit for each, in the order of names. The content is nil if
// this clone lacks the blob because it is a partial or damaged one; nothing is fetched. Visit may
// keep the content.
func (o Objects) Blobs(ctx context.Context, names []string, visit func(name string, content []byte)) error {
	if o.repo.Foreign() == "" && o.Database().Few(names) {
		for _, name := range names {
			content, err := o.Database().Read(object.Blob, name)
			if err != nil && !errors.Is(err, object.ErrMissing) {
				return err
			}
			if err == nil && content == nil {
				content = []byte{}
			}
			visit(name, content)
		}
		return nil
	}
	var here []string
	for _, name := range names {
		if o.repo.MayLack() && !o.Database().Has(name) { // git before 2.45 would fetch missing blobs
			visit(name, nil)
			continue
		}
		here = append(here, name)
	}
	if len(here) == 0 {
		return nil
	}
	cmd := o.repo.Offline().Command(ctx, "cat-file", "--batch", "--buffer")
	cmd.Stdin = strings.NewReader(strings.Join(here, "\n") + "\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return noGit()
	}
	if err != nil {
		return fault.New(fault.Failed, "git cat-file: %w", err)
	}
	failed := readBatch(bufio.NewReaderSize(out, 1<<16), here, visit)
	if failed != nil {
		_ = cmd.Cancel() // git may be waiting until we read on
	}
	err = cmp.Or(cmd.Wait(), failed)
	if text := strings.TrimSpace(stderr.String()); err != nil && text != "" {
		err = errors.New(text)
	}
	if err != nil {
		return fault.New(fault.Failed, "git cat-file --batch: %w", err)
	}
	return nil
}

// readBatch reads the answers of cat-file --batch: "NAME KIND SIZE", the content and a line
// break, or "NAME missing".
func readBatch(from *bufio.Reader, names []string, visit func(string, []byte)) error {
	for _, name := range names {
		head, err := from.ReadString('\n')
		if err != nil {
			return err
		}
		f := strings.Fields(head)
		if len(f) == 2 && f[1] == "missing" {
			visit(name, nil)
			continue
		}
		if len(f) != 3 {
			return errors.New("it answered " + strconv.Quote(head))
		}
		size, err := strconv.Atoi(f[2])
		if err != nil {
			return err
		}
		content := make([]byte, size+1)
		if _, err := io.ReadFull(from, content); err != nil {
			return err
		}
		visit(name, content[:size:size])
	}
	return nil
}

// Contents returns the content of blobs, by their hashes. In a partial clone git fetches missing
// ones.
func (o Objects) Contents(ctx context.Context, blobs []string) (map[string][]byte, error) {
	all := map[string][]byte{}
	slices.Sort(blobs)
	blobs = slices.Compact(blobs)
	err := o.Blobs(ctx, blobs, func(blob string, content []byte) { all[blob] = content })
	for _, blob := range blobs {
		if err == nil && all[blob] == nil {
			all[blob], err = o.repo.Git(ctx, nil, "cat-file", "blob", blob)
		}
		if all[blob] == nil {
			all[blob] = []byte{} // an empty file must differ from a missing one, which is nil
		}
	}
	return all, err
}

// FileAt returns the content of path (from the root) at rev, which may be anything that git
// understands. It returns fault.NotFound if rev does not have the file.
func (o Objects) FileAt(ctx context.Context, rev, path string) ([]byte, error) {
	out, err := o.repo.Git(ctx, nil, "cat-file", "blob", rev+":"+path)
	if ExitCode(err) == 128 {
		return nil, fault.New(fault.NotFound, "no %q at %q", path, rev)
	}
	return out, err
}

// FolderAt returns the files below dir (a slash path from the root) in a commit, by path below dir.
// It is empty if the commit is "" or does not have the folder. In a partial clone git fetches
// missing trees.
func (o Objects) FolderAt(ctx context.Context, commit, dir string) (map[string]Entry, error) {
	return o.folderAt(ctx, commit, dir, !o.repo.noFetch)
}

// TreeAt returns the blobs of every file below dir (a slash path from the root) in a commit,
// by path below dir. If a partial clone lacks them the error is [ErrElsewhere].
func (o Objects) TreeAt(ctx context.Context, commit, dir string) (map[string]string, error) {
	return blobNames(o.folderAt(ctx, commit, dir, false))
}

func (o Objects) folderAt(ctx context.Context, commit, dir string, fetch bool) (map[string]Entry, error) {
	if commit == "" {
		return map[string]Entry{}, nil
	}
	if dir == "." {
		dir = ""
	}
	if o.repo.Foreign() == "" {
		c, err := object.ReadCommit(o.Database(), commit)
		var files map[string]Entry
		if err == nil {
			files, err = object.Files(o.Database(), c.Tree, dir)
		}
		if !errors.Is(err, object.ErrMissing) {
			return files, err
		}
		if !fetch && o.repo.MayLack() {
			return nil, fmt.Errorf("%w: %w", ErrElsewhere, err)
		}
	}
	prefix := ""
	args := []string{"ls-tree", "-r", "-z", "--full-tree", commit}
	if dir != "" {
		prefix = dir + "/"
		args = append(args, "--", prefix)
	}
	out, err := o.ask(ctx, o.repo, args...)
	files := map[string]Entry{}
	for path, e := range ParseEntries(out) {
		files[strings.TrimPrefix(path, prefix)] = e
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

// ParseEntries reads `ls-tree -z` ("MODE KIND HASH\tPATH") and `ls-files -s -z` ("MODE HASH
// STAGE\tPATH").
func ParseEntries(out []byte) map[string]Entry {
	entries := map[string]Entry{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		head, path, ok := strings.Cut(line, "\t")
		part := strings.Fields(head)
		if !ok || len(part) < 3 {
			continue
		}
		mode, err := filemode.New(part[0])
		if err != nil {
			continue
		}
		hash := part[2]
		if len(hash) == 1 {
			hash = part[1]
		}
		entries[path] = Entry{Mode: mode, Hash: hash}
	}
	return entries
}

// Commit returns the content of a commit.
func (o Objects) Commit(ctx context.Context, hash string) (object.CommitText, error) {
	if o.repo.Foreign() == "" {
		return object.ReadCommit(o.Database(), hash)
	}
	data, err := o.ask(ctx, o.repo, "cat-file", "commit", hash)
	if err != nil {
		return object.CommitText{}, err
	}
	return object.ParseCommit(hash, data)
}

// StoreCommit stores a commit object exactly as it is given, and returns its hash.
func (o Objects) StoreCommit(ctx context.Context, c object.CommitText) (string, error) {
	durable, err := o.repo.Durable(ctx)
	if err != nil {
		return "", err
	}
	out, err := o.repo.Git(ctx, c.Encode(), append(durable, "hash-object", "-w", "-t", "commit", "--stdin")...)
	return strings.TrimSpace(string(out)), err
}

// HeadEntries returns what HEAD has at paths.
func (o Objects) HeadEntries(ctx context.Context, paths []string) (map[string]Entry, error) {
	head, err := o.repo.Head()
	if err != nil {
		return nil, err
	}
	return o.EntriesIn(ctx, head.Hash, paths)
}

// EntriesIn returns what a commit has at paths.
func (o Objects) EntriesIn(ctx context.Context, commit string, paths []string) (map[string]Entry, error) {
	if o.repo.Foreign() != "" {
		return o.entriesByGit(ctx, commit, paths)
	}
	c, err := object.ReadCommit(o.Database(), commit)
	entries, tree := map[string]Entry{}, object.PathsOf(o.Database(), c.Tree)
	for _, path := range paths {
		var e Entry
		if err == nil {
			e, err = tree.At(path)
		}
		if !e.IsZero() {
			entries[path] = e
		}
	}
	if errors.Is(err, object.ErrMissing) {
		return o.entriesByGit(ctx, commit, paths)
	}
	return entries, err
}

func (o Objects) entriesByGit(ctx context.Context, commit string, paths []string) (map[string]Entry, error) {
	all := map[string]Entry{}
	if commit == "" {
		return all, nil
	}
	for some := range slices.Chunk(paths, 1000) { // in chunks, since the arguments of a process have a maximal length
		out, err := o.ask(ctx, o.repo, append([]string{"ls-tree", "-z", "--full-tree", commit, "--"}, some...)...)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, ParseEntries(out))
	}
	return all, nil
}

// MayLack reports whether some objects of this repository may only exist in another one.
func (r *Repo) MayLack() bool {
	_, partial := r.format.extensions["partialclone"]
	return (partial || r.format.promisor) && r.Foreign() == ""
}

// Shallow returns the commits at which the history of this shallow clone ends.
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

// Store stores content as a blob without a ref and returns its hash. Gc removes the blob when it is
// two weeks old.
func (o Objects) Store(ctx context.Context, content []byte) (name string, err error) {
	durable, err := o.repo.Durable(ctx)
	if err != nil {
		return "", err
	}
	out, err := o.repo.Git(ctx, content, append(durable, "hash-object", "-w", "--no-filters", "--stdin")...)
	return strings.TrimSpace(string(out)), err
}

// Elsewhere returns the error for a git command that failed because a partial clone lacks an
// object.
func (o Objects) Elsewhere(err error) error {
	if ExitCode(err) != 128 || !o.repo.MayLack() {
		return err
	}
	return fault.New(fault.Failed, "%w: %w", ErrElsewhere, err).
		WithHint("git log --raw > %s fetches it", os.DevNull)
}
