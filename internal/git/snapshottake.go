package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/core/fault"
)

// inGit is how git is asked here: what a configuration wants to be warned of, or does
// to be faster, is not wanted.
var inGit = []string{"-c", "core.safecrlf=false", "-c", "core.fsmonitor=false",
	"-c", "advice.addEmbeddedRepo=false", "-c", "advice.addIgnoredFile=false"}

// inexact refuses what a snapshot cannot hold.
func inexact(format string, args ...any) *fault.Error {
	return fault.New(fault.Unsupported, "the working tree cannot be recorded exactly: "+format, args...)
}

// recordable refuses what a snapshot cannot hold, and gives the paths that are not
// as the last commit has them.
func (r *Repo) recordable(ctx context.Context, exclude string) (dirty []string, err error) {
	if state := r.InProgress(); state != "" {
		return nil, inexact("a %s is in progress", state)
	}
	outside := func(path string) bool { return !strings.HasPrefix(path, exclude+"/") }
	out, err := r.git(ctx, nil, "ls-files", "-v", "-z")
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
	out, err = r.git(ctx, nil, append(slices.Clone(inGit), "status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames")...)
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
			if path = parts[7]; outside(path) && strings.HasPrefix(parts[1], "S") {
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

// taking is a snapshot being taken, in an index of its own.
type taking struct {
	repo    *Repo
	index   string
	exclude string
}

// git runs git with the index of a snapshot; paths may be patterns.
func (t *taking) git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return t.repo.aside(ctx, t.index, stdin, args...)
}

// aside runs git with an index of its own, "" for none, and in a way that what it
// stores survives a power cut: a file is changed when its snapshot is safe.
func (r *Repo) aside(ctx context.Context, index string, stdin []byte, args ...string) ([]byte, error) {
	durable, err := r.durable(ctx)
	if err != nil {
		return nil, err
	}
	if durable != nil {
		durable = append(durable, "-c", "core.fsyncMethod=batch") // one round for many objects, where git can
	}
	none, err := r.withoutHooks(ctx)
	if err != nil {
		return nil, err
	}
	cmd := r.command(ctx, slices.Concat(inGit, none, durable, args)...)
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_LITERAL_PATHSPECS=0")
	if index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
	}
	return output(cmd, stdin)
}

// copyIndex begins with what the index knows, so that files that did not change are
// not read. The time comes along: by it git knows which entries it cannot trust.
func (t *taking) copyIndex() error {
	from := t.repo.indexFile()
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was ever staged
	}
	var src []byte
	if err == nil {
		src, err = os.ReadFile(from)
	}
	if err == nil {
		err = os.WriteFile(t.index, src, 0o600)
	}
	if err == nil {
		err = os.Chtimes(t.index, info.ModTime(), info.ModTime())
	}
	if err != nil {
		return fault.New(fault.Failed, "copy the index: %w", err)
	}
	return nil
}

// staged is the tree of the index.
func (t *taking) staged(ctx context.Context) (string, error) {
	if _, err := t.git(ctx, nil, "rm", "-r", "-f", "-q", "--cached", "--ignore-unmatch", "--", ":(top,literal)"+t.exclude); err != nil {
		return "", err
	}
	return t.tree(ctx)
}

// announced are the paths that `git add -N` announced, with their modes: those of the
// index that its tree lacks.
func (t *taking) announced(ctx context.Context, tree string) (map[string]filemode.FileMode, error) {
	held, err := t.held(ctx)
	if err != nil {
		return nil, err
	}
	out, err := t.repo.git(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", tree)
	if err != nil {
		return nil, err
	}
	all, staged := map[string]filemode.FileMode{}, parseEntries(out)
	for path, e := range held {
		if _, ok := staged[path]; ok {
			continue
		}
		if !t.repo.isFile(path) {
			return nil, inexact("%q was announced (git add -N) and is gone", path).WithHint("git rm --cached -- %q", path)
		}
		all[path] = e.mode
	}
	return all, nil
}

func (t *taking) tree(ctx context.Context) (string, error) {
	out, err := t.git(ctx, nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// worked takes the working tree into the index, and of the files in also those that are
// there and that git ignores, which it names. It gives what the index holds then.
func (t *taking) worked(ctx context.Context, also map[string]stored) (held map[string]stored, forced []string, err error) {
	if _, err := t.git(ctx, nil, "add", "-A", "--", ".", ":(top,exclude,literal)"+t.exclude); err != nil {
		return nil, nil, err
	}
	if held, err = t.held(ctx); err != nil {
		return nil, nil, err
	}
	var patterns bytes.Buffer
	for path := range also {
		if _, have := held[path]; !have && t.repo.isFile(path) {
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

func (t *taking) held(ctx context.Context) (map[string]stored, error) {
	out, err := t.git(ctx, nil, "ls-files", "-s", "-z")
	return parseEntries(out), err
}

// isFile says whether a file or a link stands at a path from the root, and no link
// on the way to it.
func (r *Repo) isFile(path string) bool {
	at := r.root
	parts := strings.Split(path, "/")
	for i, part := range parts {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		if err != nil || i+1 < len(parts) && !info.IsDir() {
			return false
		}
		if i+1 == len(parts) {
			return !info.IsDir()
		}
	}
	return false
}

// bytesTree stores the very bytes of those paths that are regular files, as a tree.
func (r *Repo) bytesTree(ctx context.Context, index string, held map[string]stored, paths []string) (string, error) {
	var plain, odd []string // odd: those that cannot be a line
	for _, path := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		switch e := held[path]; {
		case !e.mode.IsRegular() && e.mode != filemode.Executable:
		case strings.ContainsAny(path, "\n\r") || strings.HasPrefix(path, `"`):
			odd = append(odd, path)
		default:
			plain = append(plain, path)
		}
	}
	names := map[string]string{}
	out, err := r.aside(ctx, "", []byte(strings.Join(append(plain, ""), "\n")), "hash-object", "-w", "--no-filters", "--stdin-paths")
	if err != nil {
		return "", err
	}
	for i, name := range strings.Fields(string(out)) {
		names[plain[i]] = name
	}
	for _, path := range odd {
		out, err := r.aside(ctx, "", nil, "hash-object", "-w", "--no-filters", "--", path)
		if err != nil {
			return "", err
		}
		names[path] = strings.TrimSpace(string(out))
	}
	var entries bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(&entries, "%o %s\t%s\x00", held[path].mode, names[path], path)
	}
	if _, err := r.aside(ctx, index, entries.Bytes(), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err = r.aside(ctx, index, nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}
