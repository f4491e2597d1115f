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
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/core/fault"
)

// A snapshot is the working tree and the index at one moment, as a commit on a ref of
// its own, refs/ckpt/snapshots/<worktree>/<time>, whose parent is HEAD. Taking it
// touches neither. Its tree holds
//
//	work/   the files that git does not ignore, tracked or not, as git stores them
//	index/  the index
//	bytes/  the very bytes of files that were changed or untracked, or had other line
//	        endings than git gives them, where work/ has what git made of them
//	intent  the paths that `git add -N` announced, each ended by NUL
//
// so that `git diff REF:index REF:work` shows what was not staged. Ignored files are
// in none of it, and neither is the folder that the caller leaves out.
const snapshotRefs = "refs/ckpt/snapshots/"

// Snapshot is one snapshot.
type Snapshot struct {
	Ref   string
	Head  string // the commit that HEAD was; "" on an unborn branch
	At    time.Time
	About string // what it was taken for, on one line

	commit string
}

// inGit is how git is asked here: what a configuration wants to be warned of, or does
// to be faster, is not wanted.
var inGit = []string{"-c", "core.safecrlf=false", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
	"-c", "advice.addEmbeddedRepo=false", "-c", "advice.addIgnoredFile=false"}

// Snapshot takes one, without the folder exclude. What cannot be recorded exactly is
// refused: fault.Unsupported, with the reason.
func (r *Repo) Snapshot(ctx context.Context, exclude, about string, now time.Time) (Snapshot, error) {
	return r.snapshot(ctx, exclude, about, contents{}, now)
}

// snapshot is Snapshot before another one is brought back: what that one has is
// recorded even where git ignores it now.
func (r *Repo) snapshot(ctx context.Context, exclude, about string, before contents, now time.Time) (Snapshot, error) {
	dirty, err := r.recordable(ctx, exclude)
	if err != nil {
		return Snapshot{}, err
	}
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return Snapshot{}, fault.New(fault.Failed, "take a snapshot: %w", err)
	}
	defer os.RemoveAll(dir)
	t := &taking{repo: r, index: filepath.Join(dir, "index"), exclude: exclude}
	if err := t.copyIndex(); err != nil {
		return Snapshot{}, err
	}
	trees := map[string]string{}
	if trees["index"], err = t.staged(ctx); err != nil {
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
	if trees["work"], err = t.tree(ctx); err != nil {
		return Snapshot{}, err
	}
	for path, mode := range announced {
		if held[path].mode != mode {
			return Snapshot{}, inexact("%q was announced (git add -N) as another kind of file", path).WithHint("git rm --cached -- %q", path)
		}
	}
	odd, err := t.oddEnds(ctx, held)
	if err != nil {
		return Snapshot{}, err
	}
	if trees["bytes"], err = r.bytesTree(ctx, filepath.Join(dir, "bytes"), held, slices.Concat(dirty, forced, odd, slices.Collect(maps.Keys(before.bytes)))); err != nil {
		return Snapshot{}, err
	}
	return r.keepSnapshot(ctx, trees, slices.Sorted(maps.Keys(announced)), about, now)
}

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

// aside runs git with an index of its own.
func (r *Repo) aside(ctx context.Context, index string, stdin []byte, args ...string) ([]byte, error) {
	cmd := r.command(ctx, append(slices.Clone(inGit), args...)...)
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_LITERAL_PATHSPECS=0", "GIT_INDEX_FILE="+index)
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
func (t *taking) announced(ctx context.Context, tree string) (map[string]string, error) {
	held, err := t.held(ctx)
	if err != nil {
		return nil, err
	}
	out, err := t.repo.git(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", tree)
	if err != nil {
		return nil, err
	}
	all, staged := map[string]string{}, parseEntries(out)
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
		case !strings.HasPrefix(e.mode, "100"):
		case strings.ContainsAny(path, "\n\r") || strings.HasPrefix(path, `"`):
			odd = append(odd, path)
		default:
			plain = append(plain, path)
		}
	}
	names := map[string]string{}
	out, err := r.git(ctx, []byte(strings.Join(append(plain, ""), "\n")), "hash-object", "-w", "--no-filters", "--stdin-paths")
	if err != nil {
		return "", err
	}
	for i, name := range strings.Fields(string(out)) {
		names[plain[i]] = name
	}
	for _, path := range odd {
		out, err := r.git(ctx, nil, "hash-object", "-w", "--no-filters", "--", path)
		if err != nil {
			return "", err
		}
		names[path] = strings.TrimSpace(string(out))
	}
	var entries bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(names)) {
		entries.WriteString(held[path].mode + " " + names[path] + "\t" + path + "\x00")
	}
	if _, err := r.aside(ctx, index, entries.Bytes(), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err = r.aside(ctx, index, nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// keepSnapshot makes the commit and its ref.
func (r *Repo) keepSnapshot(ctx context.Context, trees map[string]string, intent []string, about string, now time.Time) (Snapshot, error) {
	s := Snapshot{At: now, About: about}
	head, err := r.Head()
	if err != nil {
		return s, err
	}
	s.Head = head.Hash
	out, err := r.git(ctx, []byte(strings.Join(append(intent, ""), "\x00")), "hash-object", "-w", "--stdin")
	if err != nil {
		return s, err
	}
	list := "100644 blob " + strings.TrimSpace(string(out)) + "\tintent\x00"
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		list += "040000 tree " + trees[name] + "\t" + name + "\x00"
	}
	if out, err = r.git(ctx, []byte(list), "mktree", "-z"); err != nil {
		return s, err
	}
	args := []string{"commit-tree", "-F", "-"}
	if s.Head != "" {
		args = append(args, "-p", s.Head)
	}
	author, err := r.identity(ctx, "author", now)
	if err != nil {
		return s, err
	}
	cmd := r.command(ctx, append(args, strings.TrimSpace(string(out)))...)
	cmd.Env = append(append(append(cmd.Env, "LC_ALL=C"), author.env("GIT_AUTHOR")...), author.env("GIT_COMMITTER")...)
	if out, err = output(cmd, []byte("ckpt snapshot: "+about+"\n")); err != nil {
		return s, err
	}
	s.commit = strings.TrimSpace(string(out))
	name := snapshotRefs + strings.TrimPrefix(r.PendingRef(), pendingRefs) + "/" + now.UTC().Format("20060102T150405Z")
	for n := 1; ; n++ { // two in one second
		if s.Ref = name; n > 1 {
			s.Ref += "-" + strconv.Itoa(n)
		}
		is, err := r.refValue(ctx, s.Ref)
		if err != nil {
			return s, err
		}
		if is == "" {
			return s, r.moveRefByGit(ctx, s.Ref, s.commit, "")
		}
	}
}

// Snapshots are all snapshots of all working trees, the oldest first.
func (r *Repo) Snapshots(ctx context.Context) ([]Snapshot, error) {
	return r.snapshotsBelow(ctx, snapshotRefs)
}

func (r *Repo) snapshotsBelow(ctx context.Context, ref string) ([]Snapshot, error) {
	out, err := r.git(ctx, nil, "for-each-ref", "--sort=creatordate", "--format=%(refname)%00%(objectname)%00%(parent)%00%(committerdate:unix)%00%(subject)", ref)
	if err != nil {
		return nil, err
	}
	var all []Snapshot
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(f) < 5 {
			continue
		}
		seconds, _ := strconv.ParseInt(f[3], 10, 64) // git's own number
		all = append(all, Snapshot{Ref: f[0], commit: f[1], Head: f[2], At: time.Unix(seconds, 0).UTC(), About: strings.TrimPrefix(f[4], "ckpt snapshot: ")})
	}
	return all, nil
}

// FindSnapshot is the snapshot that a ref names, in full or from the worktree's name on.
func (r *Repo) FindSnapshot(ctx context.Context, ref string) (Snapshot, error) {
	if !strings.HasPrefix(ref, "refs/") {
		ref = snapshotRefs + ref
	}
	if strings.HasPrefix(ref, snapshotRefs) {
		all, err := r.snapshotsBelow(ctx, ref)
		if err != nil {
			return Snapshot{}, err
		}
		for _, s := range all {
			if s.Ref == ref {
				return s, nil
			}
		}
	}
	return Snapshot{}, fault.New(fault.NotFound, "no snapshot is called %q", ref).WithHint("git for-each-ref %s", snapshotRefs)
}

// DropSnapshot forgets one.
func (r *Repo) DropSnapshot(ctx context.Context, s Snapshot) error {
	return r.moveRefByGit(ctx, s.Ref, "", s.commit)
}

// DropCommand is what a person types to forget a snapshot.
func (s Snapshot) DropCommand() string { return fmt.Sprintf("git update-ref -d %s", s.Ref) }
