package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/index"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/text"
)

// Index is the index of the working tree.
type Index struct{ repo *Repo }

// Index returns the index of the repository.
func (r *Repo) Index() Index { return Index{repo: r} }

// File returns the path of this working tree's index, or else of the index in GIT_INDEX_FILE, which git sets for hooks.
func (x Index) File() string {
	if file := os.Getenv("GIT_INDEX_FILE"); file != "" {
		return absolute(file)
	}
	return filepath.Join(x.repo.gitDir, "index")
}

// IsLocked reports whether the index has a lock file.
func (x Index) IsLocked() bool { return x.DescribeLock() != "" }

// DescribeLock returns a clause that names the lock file of the index; "" if the index is not locked.
func (x Index) DescribeLock() string {
	lock := x.File() + ".lock"
	if _, err := os.Lstat(lock); err != nil {
		return ""
	}
	return lock + " exists: git is running, or was killed"
}

// Stamp returns a text that changes whenever the index does, and so whenever git changes files. It is empty while a
// program has locked the index.
func (x Index) Stamp() string {
	if x.IsLocked() {
		return ""
	}
	info, err := os.Stat(x.File())
	if err != nil {
		return "none"
	}
	return fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size())
}

// Await waits up to 200 ms while another program, such as the git status of an editor, has locked the index.
func (x Index) Await() {
	for try := 0; try < 40 && x.IsLocked(); try++ {
		time.Sleep(5 * time.Millisecond)
	}
}

// LockedByUs reports whether a ckpt has locked the index: one that runs and has the exclusive [Repo.Lock], or
// one that was killed.
func (x Index) LockedByUs() bool { return x.repo.refs.Locks.Ours(x.File() + ".lock") }

// Rewrite writes a new index beside the old one, with entries set or removed. The caller has index.lock. An entry gets
// the stat data of its file if the file is one of files and has the wanted content in the working tree. The
// error wraps [index.Unsupported] if only git can rewrite the index.
func (x Index) Rewrite(entries map[string]object.Entry, files []change.File) (*disk.Staged, error) {
	stats := map[string]index.Stat{}
	for _, f := range files {
		if !f.Gone() {
			stats[f.Path] = x.statOf(f)
		}
	}
	edits := make([]index.Edit, 0, len(entries))
	for path, to := range entries {
		edits = append(edits, index.Edit{Path: path, To: to, Stat: stats[path]})
	}
	edited, err := x.edited(edits)
	if err != nil {
		return nil, err
	}
	staged, err := disk.Stage("", x.File(), edited)
	if err == nil {
		err = staged.Share(x.repo.Sharing())
	}
	return staged, err
}

// ByGit returns why only git can rewrite the index; "" if ckpt can.
func (x Index) ByGit() (why string, err error) {
	_, err = x.edited(nil)
	if u, ok := errors.AsType[index.Unsupported](err); ok {
		return u.Error(), nil
	}
	return "", err
}

// edited returns the content of the index with the edits made. An index that does not exist counts as empty.
func (x Index) edited(edits []index.Edit) ([]byte, error) {
	path := x.File()
	var second uint32
	info, err := os.Stat(path)
	var data []byte
	if err == nil {
		second = uint32(info.ModTime().Unix())
		data, err = os.ReadFile(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Failed, "read the index: %w", err)
	}
	edited, err := index.Rewrite(data, edits, second, x.repo.objects.Hash())
	if errors.Is(err, index.ErrDamaged) {
		err = fault.New(fault.Failed, "read %q: %w", path, err).WithHint("git fsck")
	}
	return edited, err
}

// statOf returns the stat data of a file that has the wanted content. For any other file it returns
// zero, so that git notices that the file differs from what is committed.
func (x Index) statOf(f change.File) index.Stat {
	path := x.repo.PathOf(f.Path)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return index.Stat{}
	}
	now, err := disk.Bytes(path)
	if err != nil || !change.Same(now, f.After) {
		return index.Stat{}
	}
	return index.StatOf(info)
}

// StageMerged stages files of the working tree whose entries in the index have a merge conflict; this ends the
// conflict.
func (x Index) StageMerged(ctx context.Context, files []change.File) error {
	if len(files) == 0 {
		return nil
	}
	unlock, err := x.repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	durable, err := x.repo.Durable(ctx)
	if err != nil {
		return err
	}
	in := []byte(strings.Join(change.Paths(files), "\x00") + "\x00")
	err = x.repo.Retry(func() error {
		_, err := x.repo.Hooks().Git(ctx, in, append(durable, "update-index", "--add", "--remove", "-z", "--stdin")...)
		return err
	})
	if err != nil {
		return err
	}
	// Without a refresh `git merge --abort` refuses. The refresh returns an error if other
	// conflicts are left.
	_, _ = x.repo.Git(ctx, nil, "update-index", "-q", "--refresh")
	return nil
}

// Repair completes an operation whose process died after it had moved the branch and before it had updated the index.
// Changed has the entries before and after the operation, by path below dir. An index entry with either content is set
// to the entry after the operation and refreshed. Any other entry was staged by the user and stays.
func (x Index) Repair(ctx context.Context, dir string, changed map[string][2]object.Entry) error {
	unlock, err := x.repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	var paths []string
	for rel := range changed {
		paths = append(paths, path.Join(dir, rel))
	}
	staged, err := x.Entries(ctx, paths)
	if err != nil {
		return err
	}
	entries := map[string]object.Entry{}
	for rel, v := range changed {
		at := path.Join(dir, rel)
		if now := staged[at]; !now.Conflict && (now.Hash == v[0].Hash || now.Hash == v[1].Hash) {
			entries[at] = v[1]
		}
	}
	return x.Set(ctx, entries)
}

// Set makes git set or remove entries of the index, by path from the root. It refuses paths with a
// merge conflict, whose sides would be lost. Files that a sparse checkout leaves out stay left out.
// The caller must not have git's locks.
func (x Index) Set(ctx context.Context, entries map[string]object.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	old, err := x.merged(ctx, slices.Sorted(maps.Keys(entries)))
	if err != nil {
		return err
	}
	info := x.Info(entries)
	err = x.repo.Retry(func() error {
		_, err := x.repo.Hooks().Git(ctx, info, "update-index", "-z", "--index-info")
		return err
	})
	if err != nil {
		return err
	}
	var skipped bytes.Buffer
	refresh := []string{"add", "--refresh", "--"}
	for path, e := range entries {
		switch {
		case e.IsZero():
		case old[path].Skipped:
			skipped.WriteString(path + "\x00")
		default:
			refresh = append(refresh, path)
		}
	}
	if skipped.Len() > 0 {
		_, err = x.repo.Hooks().Git(ctx, skipped.Bytes(), "update-index", "-z", "--skip-worktree", "--stdin")
	}
	// Without this refresh git's plumbing, such as `git diff-index`, treats the files as changed until a `git status`.
	_, _ = x.repo.Hooks().Git(ctx, nil, refresh...)
	return err
}

// Info returns entries in the format of `git update-index -z --index-info`.
func (x Index) Info(entries map[string]object.Entry) []byte {
	var in bytes.Buffer
	for path, e := range entries {
		if e.IsZero() {
			e.Hash = strings.Repeat("00", x.repo.objects.Hash().Size())
		}
		fmt.Fprintf(&in, "%o %s\t%s\x00", e.Mode, e.Hash, path)
	}
	return in.Bytes()
}

// IndexEntry is what the index has at a path.
type IndexEntry struct {
	object.Entry
	Conflict bool // a merge conflict left several sides; Entry is one of them
	Skipped  bool // a sparse checkout leaves the file out of the working tree

	Modified time.Time // when the file was modified, as git last wrote or compared it; zero if it did neither
}

// Entries returns the entries of the index at paths. It runs `git ls-files`, in batches, because the arguments
// of a process have a maximum length.
func (x Index) Entries(ctx context.Context, paths []string) (map[string]IndexEntry, error) {
	all := map[string]IndexEntry{}
	for some := range slices.Chunk(paths, 1000) {
		args := append([]string{"ls-files", "-t", "-s", "-z", "--debug", "--full-name", "--"}, some...)
		out, err := x.repo.Git(ctx, nil, args...)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, ParseIndex(out))
	}
	return all, nil
}

// details matches the lines that `git ls-files --debug` prints below an entry.
var details = text.Regexp(`^  ctime: \S+\n  mtime: (\d+):(\d+)\n.*\n.*\n.*\n`)

// ParseIndex parses the output of `git ls-files -t -s -z`, with or without --debug: "H 100644 HASH STAGE\tPATH".
func ParseIndex(out []byte) map[string]IndexEntry {
	all, last := map[string]IndexEntry{}, ""
	for line := range strings.SplitSeq(string(out), "\x00") {
		if of := details.Get().FindStringSubmatch(line); of != nil {
			seconds, _ := strconv.ParseInt(of[1], 10, 64)
			nanoseconds, _ := strconv.ParseInt(of[2], 10, 64)
			if e := all[last]; seconds > 0 {
				e.Modified = time.Unix(seconds, nanoseconds)
				all[last] = e
			}
			line = line[len(of[0]):]
		}
		head, path, _ := strings.Cut(line, "\t")
		if part := strings.Fields(head); len(part) == 4 {
			mode, _ := filemode.New(part[1]) // git prints a valid one
			entry := object.Entry{Mode: mode, Hash: part[2]}
			all[path] = IndexEntry{Entry: entry, Conflict: part[3] != "0", Skipped: part[0] == "S"}
			last = path
		}
	}
	return all
}

// merged returns what Entries does, but refuses a merge conflict.
func (x Index) merged(ctx context.Context, paths []string) (map[string]IndexEntry, error) {
	entries, err := x.Entries(ctx, paths)
	for path, e := range entries {
		if e.Conflict {
			return nil, fault.New(fault.Refused, "%q has a merge conflict", path).WithHint("ckpt resolve")
		}
	}
	return entries, err
}

// CheckMerged returns fault.Refused if one of the paths has a merge conflict in the index.
func (x Index) CheckMerged(ctx context.Context, paths []string) error {
	_, err := x.merged(ctx, paths)
	return err
}

// Skipped returns which of the paths (from the root) a sparse checkout keeps out of the working
// tree. Git still has these files: they are not deleted.
func (x Index) Skipped(ctx context.Context, paths []string) (map[string]bool, error) {
	entries, err := x.Entries(ctx, paths)
	skipped := map[string]bool{}
	for path, e := range entries {
		if e.Skipped {
			skipped[path] = true
		}
	}
	return skipped, err
}

// Tracked is the set of files in the index.
type Tracked = index.Tracked

// Tracked returns the files in the index.
func (x Index) Tracked(ctx context.Context) (*Tracked, error) {
	out, err := x.repo.Git(ctx, nil, "ls-files", "--stage", "-t", "-z")
	if err != nil {
		return nil, err
	}
	return index.ParseTracked(out), nil
}

// Copy copies the index to another path, so that git need not read unchanged files. It also copies the modification
// time, by which git knows which entries it cannot trust.
func (x Index) Copy(to string) error {
	from := x.File()
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the index does not exist: nothing was ever staged
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(from)
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err == nil {
		err = os.Chtimes(to, info.ModTime(), info.ModTime())
	}
	if err != nil {
		return fault.New(fault.Failed, "copy the index: %w", err)
	}
	return nil
}
