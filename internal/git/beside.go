package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"example.com/ckpt/internal/core/fault"
)

// Unreached returns the commits that are not ancestors of the commit from, in the given
// order; an empty from has no ancestors. Commits that this clone lacks are left out. It
// runs git once.
func (r *Repo) Unreached(ctx context.Context, from string, commits []string) ([]string, error) {
	out, err := output(r.offline(ctx, "rev-list", "--ignore-missing", "--stdin"), []byte(spanOf([]string{from}, commits)))
	if err != nil {
		return nil, err
	}
	unreached := map[string]bool{}
	for commit := range strings.Lines(string(out)) {
		unreached[strings.TrimSuffix(commit, "\n")] = true
	}
	var all []string
	for _, commit := range commits {
		if unreached[commit] {
			all = append(all, commit)
		}
	}
	return all, nil
}

// Beside returns the commits that touched files below dir, a slash path from the root, and
// that are in the history of commits but not in that of without. A merge counts with the
// files in which it differs from each of its parents. It runs git once and fetches nothing.
func (r *Repo) Beside(ctx context.Context, without, commits []string, dir string) ([]Commit, error) {
	args := []string{"-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--ignore-missing", "-c", "--raw", "--no-renames", "--no-abbrev", "-z",
		"--no-color", "--no-show-signature", "--encoding=UTF-8", logFormat(), "--stdin", "--", dir}
	out, err := output(r.offline(ctx, args...), []byte(spanOf(without, commits)))
	if err != nil {
		return nil, r.elsewhere(err)
	}
	return parseCommits(string(out), dir)
}

// spanOf returns what git reads on standard input for the commits in the history of commits
// but not in that of without, in which empty names are skipped.
func spanOf(without, commits []string) string {
	span := strings.Join(commits, "\n") + "\n"
	for _, commit := range without {
		if commit != "" {
			span += "^" + commit + "\n"
		}
	}
	return span
}

// FilesAt reads which blobs commits have at the paths in wanted, which are relative to dir, a
// slash path from the root. Folders without a wanted path are not read, and none is read
// twice. Visit gets the answers in the order of commits. It runs git once and fetches
// nothing.
func (r *Repo) FilesAt(ctx context.Context, commits []string, dir string, wanted map[string]bool, visit func(commit string, files map[string]string)) error {
	if len(commits) == 0 {
		return nil
	}
	t := treeReader{wanted: map[string]bool{}, known: map[string]map[string]string{}}
	for path := range wanted {
		t.wanted[path] = true
		for i := range path {
			if path[i] == '/' {
				t.wanted[path[:i]] = true
			}
		}
	}
	cmd := r.offline(ctx, "cat-file", "--batch")
	var said bytes.Buffer
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		return fault.New(fault.Failed, "git cat-file: %w", err)
	}
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
	t.in, t.out = in, bufio.NewReaderSize(out, 1<<16)
	var readErr error
	for _, commit := range commits {
		var files map[string]string
		if files, readErr = t.folder(commit+":"+dir, ""); readErr != nil {
			_ = cmd.Cancel()
			break
		}
		visit(commit, files)
	}
	_ = in.Close() // it ends then
	err = cmp.Or(readErr, cmd.Wait())
	if text := strings.TrimSpace(said.String()); err != nil && text != "" {
		err = errors.New(text)
	}
	if err != nil {
		return fault.New(fault.Failed, "git cat-file --batch: %w", err)
	}
	return nil
}

// treeReader reads folders by `git cat-file --batch`, one after the other.
type treeReader struct {
	in     io.Writer
	out    *bufio.Reader
	wanted map[string]bool              // files, and the folders that lead to them
	known  map[string]map[string]string // what was read, by tree and path
}

// folder returns the wanted files of a tree, which git finds by name and which is at path.
func (t *treeReader) folder(name, path string) (map[string]string, error) {
	if _, err := io.WriteString(t.in, name+"\n"); err != nil {
		return nil, err
	}
	head, err := t.out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	f := strings.Fields(head)
	if len(f) < 3 || f[len(f)-1] == "missing" { // the commit has no such folder
		return nil, nil
	}
	size, err := strconv.Atoi(f[2])
	if err != nil {
		return nil, err
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(t.out, data); err != nil {
		return nil, err
	}
	key := f[0] + " " + path
	if files, ok := t.known[key]; ok || f[1] != "tree" {
		return files, nil
	}
	files := map[string]string{}
	err = t.entries(data[:size], path, len(f[0])/2, func(mode, name, hash string) error {
		switch {
		case !t.wanted[name]:
		case mode != "40000":
			files[name] = hash
		default:
			below, err := t.subfolder(hash, name)
			for path, blob := range below {
				files[path] = blob
			}
			return err
		}
		return nil
	})
	t.known[key] = files
	return files, err
}

// subfolder is folder for a tree that the one above it names.
func (t *treeReader) subfolder(hash, path string) (map[string]string, error) {
	if files, ok := t.known[hash+" "+path]; ok {
		return files, nil
	}
	return t.folder(hash, path)
}

// entries calls visit for each entry of a tree object, whose hashes have size bytes. Names
// are paths below the folder that was asked for.
func (t *treeReader) entries(data []byte, path string, size int, visit func(mode, name, hash string) error) error {
	for len(data) > 0 {
		mode, rest, ok1 := bytes.Cut(data, []byte{' '})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok1 || !ok2 || len(rest) < size {
			return errTree
		}
		full := string(name)
		if path != "" {
			full = path + "/" + full
		}
		if t.wanted[full] {
			if err := visit(string(mode), full, hex.EncodeToString(rest[:size])); err != nil {
				return err
			}
		}
		data = rest[size:]
	}
	return nil
}

// Grown reports whether a commit is another one with at most so many commits on top, each
// with one parent, and has the same folder at dir. It runs no process, and says no where
// only git could tell.
func (r *Repo) Grown(from, to string, most int, dir string) bool {
	if r.foreign() != "" || !r.sameFolder(from, to, dir) {
		return false
	}
	for range most {
		h, err := parseHash(to)
		if err != nil {
			return false
		}
		data, err := r.objectsDB().want(plumbing.CommitObject, h)
		if err != nil {
			return false
		}
		parent, _, plain := lineOf(data)
		if !plain || parent == "" {
			return false
		}
		if to = parent; to == from {
			return true
		}
	}
	return false
}

func (r *Repo) sameFolder(a, b, dir string) bool {
	var at [2]place
	for i, commit := range []string{a, b} {
		root, err := treeOf(r.objectsDB(), commit)
		if err != nil {
			return false
		}
		if at[i], err = lookup(r.objectsDB(), root, dir); err != nil {
			return false
		}
	}
	return at[0] == at[1]
}
