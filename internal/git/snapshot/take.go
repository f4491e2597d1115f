package snapshot

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
)

// inexact returns the error for a state that a snapshot cannot record.
func inexact(format string, args ...any) *fault.Error {
	return fault.New(fault.Unsupported, "the working tree cannot be recorded exactly: "+format, args...)
}

// recordable refuses a state that a snapshot cannot record, and returns the paths that differ from
// the last commit.
func (s Snapshots) recordable(ctx context.Context, exclude string) (dirty []string, err error) {
	if state := s.repo.InProgress(); state != "" {
		return nil, inexact("a %s is in progress", state)
	}
	outside := func(path string) bool { return !strings.HasPrefix(path, exclude+"/") }
	out, err := s.repo.Git(ctx, nil, "ls-files", "-v", "-z")
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(string(out), "\x00") {
		tag, path, _ := strings.Cut(line, " ")
		switch {
		case tag == "" || !outside(path):
		case tag == "M":
			return nil, inexact("%q has a merge conflict", path)
		case tag == "S" || tag == "s":
			return nil, inexact("a sparse checkout leaves out %q", path)
		case strings.ToLower(tag) == tag:
			return nil, inexact("git was told to take %q for unchanged (git update-index --no-assume-unchanged)", path)
		}
	}
	out, err = s.repo.Aside(ctx, "", nil, "status", "--porcelain=v2", "-z", "--untracked-files=all",
		"--ignore-submodules=none", "--no-renames")
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(string(out), "\x00") {
		kind, rest, _ := strings.Cut(line, " ")
		path := rest
		if kind == "1" {
			parts := strings.SplitN(rest, " ", 8)
			if len(parts) < 8 {
				continue
			}
			path = parts[7]
			if outside(path) && strings.HasPrefix(parts[1], "S") {
				return nil, inexact("the submodule %q has changes", path)
			}
		}
		if kind != "1" && kind != "?" || !outside(path) {
			continue
		}
		if strings.HasSuffix(path, "/") {
			return nil, inexact("%q is a repository of its own", path)
		}
		dirty = append(dirty, path)
	}
	return dirty, nil
}

// taking is a snapshot that is being taken, with a temporary index.
type taking struct {
	repo    *git.Repo
	index   string
	exclude string
}

// git runs git with the index of the snapshot; paths may be patterns.
func (t *taking) git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return t.repo.Aside(ctx, t.index, stdin, args...)
}

// staged returns the tree of the temporary index.
func (t *taking) staged(ctx context.Context) (string, error) {
	if _, err := t.git(ctx, nil, "rm", "-r", "-f", "-q", "--cached", "--ignore-unmatch", "--",
		":(top,literal)"+t.exclude); err != nil {
		return "", err
	}
	return t.tree(ctx)
}

// announced returns the paths that `git add -N` announced, with their modes: the paths of the index
// that are missing in its tree.
func (t *taking) announced(ctx context.Context, tree string) (map[string]filemode.FileMode, error) {
	held, err := t.held(ctx)
	if err != nil {
		return nil, err
	}
	out, err := t.repo.Git(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", tree)
	if err != nil {
		return nil, err
	}
	all, staged := map[string]filemode.FileMode{}, git.ParseEntries(out)
	for path, e := range held {
		if _, ok := staged[path]; ok {
			continue
		}
		if !t.repo.Worktree().IsFile(path) {
			return nil, inexact("%q was announced (git add -N) and is gone", path).WithHint("git rm --cached -- %q", path)
		}
		all[path] = e.Mode
	}
	return all, nil
}

func (t *taking) tree(ctx context.Context) (string, error) {
	out, err := t.git(ctx, nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// worked adds the working tree to the index, with the ignored files in also that exist; it returns
// these as forced. Held is the resulting content of the index.
func (t *taking) worked(ctx context.Context,
	also map[string]git.Entry) (held map[string]git.Entry, forced []string, err error) {
	if _, err := t.git(ctx, nil, "add", "-A", "--", ".", ":(top,exclude,literal)"+t.exclude); err != nil {
		return nil, nil, err
	}
	held, err = t.held(ctx)
	if err != nil {
		return nil, nil, err
	}
	var patterns bytes.Buffer
	for path := range also {
		if _, have := held[path]; !have && t.repo.Worktree().IsFile(path) {
			forced = append(forced, path)
			patterns.WriteString(":(top,literal)" + path + "\x00")
		}
	}
	if len(forced) == 0 {
		return held, nil, nil
	}
	if _, err := t.git(ctx, patterns.Bytes(), "add", "-f", "--pathspec-from-file=-", "--pathspec-file-nul"); err != nil {
		return nil, nil, err
	}
	held, err = t.held(ctx)
	return held, forced, err
}

func (t *taking) held(ctx context.Context) (map[string]git.Entry, error) {
	out, err := t.git(ctx, nil, "ls-files", "-s", "-z")
	return git.ParseEntries(out), err
}

// bytesTree stores the exact bytes of those paths that are regular files, as a tree.
func (s Snapshots) bytesTree(ctx context.Context, indexed map[string]git.Entry, paths []string) (string, error) {
	var files []string
	for _, path := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		if mode := indexed[path].Mode; mode.IsRegular() || mode == filemode.Executable {
			files = append(files, path)
		}
	}
	blobs, err := s.repo.Objects().StoreFiles(ctx, files, "--no-filters")
	if err != nil {
		return "", err
	}
	entries := map[string]git.Entry{}
	for path, blob := range blobs {
		entries[path] = git.Entry{Mode: indexed[path].Mode, Hash: blob}
	}
	return commit.Of(s.repo).WriteTree(ctx, "", entries)
}

// oddEnds returns the tracked files whose line ends differ from those that git would write: mixed
// ones, or LF if the configuration asks for CRLF. To git these files are unchanged. If no setting
// concerns line ends, it returns none and reads no file.
func (t *taking) oddEnds(ctx context.Context, held map[string]git.Entry) ([]string, error) {
	r := t.repo
	auto, _, err := r.Config().Get(ctx, "core.autocrlf")
	if err != nil {
		return nil, err
	}
	eol, _, err := r.Config().Get(ctx, "core.eol")
	if err != nil {
		return nil, err
	}
	crlf := git.IsTrue(auto)
	configured := crlf || strings.EqualFold(auto, "input") || strings.EqualFold(eol, "crlf")
	if !configured && !t.haveAttributes(ctx, held) {
		return nil, nil
	}
	out, err := t.git(ctx, nil, "ls-files", "--eol", "-z")
	if err != nil {
		return nil, err
	}
	var odd []string
	for line := range strings.SplitSeq(string(out), "\x00") {
		what, path, ok := strings.Cut(line, "\t") // a line of the form: i/lf w/crlf attr/text=auto
		part := strings.Fields(what)
		if !ok || len(part) < 2 {
			continue
		}
		attr := what[strings.Index(what, "attr/"):]
		wantsCRLF := (crlf || strings.EqualFold(eol, "crlf")) && !strings.Contains(attr, "-text") ||
			strings.Contains(attr, "eol=crlf")
		inIndex, onDisk := strings.TrimPrefix(part[0], "i/"), strings.TrimPrefix(part[1], "w/")
		plain := inIndex == onDisk && onDisk != "mixed" && (!wantsCRLF || onDisk == "none")
		converted := wantsCRLF && inIndex == "lf" && onDisk == "crlf"
		if !plain && !converted {
			odd = append(odd, path)
		}
	}
	return odd, nil
}

// haveAttributes reports whether there is any file with attributes that may apply.
func (t *taking) haveAttributes(ctx context.Context, held map[string]git.Entry) bool {
	for path := range held {
		if path == ".gitattributes" || strings.HasSuffix(path, "/.gitattributes") {
			return true
		}
	}
	if _, err := os.Stat(filepath.Join(t.repo.CommonDir(), "info", "attributes")); err == nil {
		return true
	}
	file, set, err := t.repo.Config().Get(ctx, "core.attributesFile")
	if err != nil || set && file != "" {
		return true
	}
	_, err = os.Stat(filepath.Join(git.UserConfigDir(), "attributes"))
	return err == nil
}
