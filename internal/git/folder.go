package git

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// Entry is the mode and the blob of a file in a commit. The zero value means that there is
// no such file.
type Entry struct {
	mode filemode.FileMode
	Hash string
}

// Regular reports whether the entry is a file that is not executable, rather than a
// link, a submodule or a program.
func (e Entry) Regular() bool {
	return e.mode == filemode.Regular || e.mode == filemode.Deprecated
}

// FileEntry returns the entry of a regular file.
func FileEntry(blob string) Entry { return Entry{filemode.Regular, blob} }

func (e Entry) stored() stored { return stored{mode: e.mode, hash: e.Hash} }

// FolderAt returns the files below dir (a slash path from the root) in a commit, by path
// below dir. It is empty where the commit is "" or has no such folder. A partial clone
// fetches the trees that it lacks.
func (r *Repo) FolderAt(ctx context.Context, commit, dir string) (map[string]Entry, error) {
	files := map[string]Entry{}
	if commit == "" {
		return files, nil
	}
	if r.foreign() == "" {
		err := r.walkFolder(commit, dir, files)
		if err == nil || !errors.Is(err, errMissing) {
			return files, err
		}
		clear(files)
	}
	out, err := r.git(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", commit, "--", dir+"/")
	for path, e := range parseEntries(out) {
		files[strings.TrimPrefix(path, dir+"/")] = Entry{e.mode, e.hash}
	}
	return files, err
}

func (r *Repo) walkFolder(commit, dir string, files map[string]Entry) error {
	root, err := treeOf(r.objectsDB(), commit)
	if err != nil {
		return err
	}
	at, err := lookup(r.objectsDB(), root, dir)
	if err != nil || at.mode != filemode.Dir {
		return err
	}
	return walkTree(r.objectsDB(), at.hash, "", func(path string, at place) { files[path] = Entry{at.mode, at.hash.String()} })
}

// Contents returns the content of blobs, by their hashes. A partial clone fetches those
// that it lacks.
func (r *Repo) Contents(ctx context.Context, blobs []string) (map[string][]byte, error) {
	all := map[string][]byte{}
	slices.Sort(blobs)
	blobs = slices.Compact(blobs)
	err := r.Blobs(ctx, blobs, func(blob string, src []byte) { all[blob] = src })
	for _, blob := range blobs {
		if err == nil && all[blob] == nil {
			all[blob], err = r.blobByGit(ctx, blob)
		}
		if all[blob] == nil {
			all[blob] = []byte{} // an empty file is not a missing one
		}
	}
	return all, err
}

// CheckedOut returns what git writes into the working tree for a file (from the root) of a
// commit, whose blob has this content: line ends and filters may differ. It runs git only
// where an attribute or the configuration could make a difference.
func (r *Repo) CheckedOut(ctx context.Context, commit, path string, content []byte) ([]byte, error) {
	auto, err := r.setting(ctx, "core.autocrlf", "false")
	if err != nil {
		return nil, err
	}
	eol, err := r.setting(ctx, "core.eol", "native")
	if err != nil {
		return nil, err
	}
	rules, err := (&namer{repo: r}).rulesFor(ctx, path)
	if err != nil {
		return nil, err
	}
	native := strings.EqualFold(eol, "lf") || strings.EqualFold(eol, "native") && runtime.GOOS != "windows"
	asStored := native && !truth(auto) && !rules.crlf // git then adds no CR, and it never takes one out
	if asStored && !rules.any && !(rules.keywords && bytes.Contains(content, []byte("$Id"))) {
		return content, nil
	}
	return r.git(ctx, nil, "cat-file", "--filters", commit+":"+path)
}

// Contains reports whether a commit is another one or has grown from it.
func (r *Repo) Contains(ctx context.Context, commit, ancestor string) (bool, error) {
	if commit == ancestor {
		return true, nil
	}
	_, err := r.git(ctx, nil, "merge-base", "--is-ancestor", ancestor, commit)
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// meetingLimit is how many commits of each side Meeting looks at.
const meetingLimit = 500

// Meeting returns the newest commit of theirs whose folder dir equals, to the byte, that of
// a commit of ours. It is empty if there is none. Both lists begin with the newest commit.
// At that point the two sides had the same checkpoints, although their histories do not
// show it: one side was squashed or rebased, or sent its checkpoints without its code.
func (r *Repo) Meeting(ctx context.Context, ours, theirs []string, dir string) (string, error) {
	ours, theirs = ours[:min(len(ours), meetingLimit)], theirs[:min(len(theirs), meetingLimit)]
	var in strings.Builder
	for _, commit := range slices.Concat(ours, theirs) {
		in.WriteString(commit + ":" + dir + "\n")
	}
	out, err := r.git(ctx, []byte(in.String()), "cat-file", "--batch-check=%(objectname) %(objecttype)")
	if err != nil {
		return "", err
	}
	had := map[string]bool{}
	for i, line := range strings.Split(string(out), "\n") {
		tree, isTree := strings.CutSuffix(line, " tree")
		switch {
		case !isTree: // no such folder in this commit
		case i < len(ours):
			had[tree] = true
		case had[tree]:
			return theirs[i-len(ours)], nil
		}
	}
	return "", nil
}
