package store

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// Each reads the checkpoints of the folder, several at a time, and calls `of` with each. It returns the results
// in the order of paths, and the files that cannot be read.
func Each[T any](s *Store, scope Scope, of func(*checkpoint.Checkpoint) T) ([]T, []checkpoint.Broken, error) {
	every := func([]byte) bool { return true }
	return each(s, scope, every, func(_ string, _ []byte, c *checkpoint.Checkpoint, err error) (made T, _ error) {
		if err == nil {
			made = of(c)
		}
		return made, err
	})
}

// Where is like Each, but skips files whose bytes do not pass. It also calls `of` for a file that cannot be parsed,
// with the bytes and the error. The broken files that it returns are only those that could not be read.
func Where[T any](s *Store, scope Scope, pass func(src []byte) bool,
	of func(path string, src []byte, c *checkpoint.Checkpoint, unreadable error) T) ([]T, []checkpoint.Broken, error) {
	return each(s, scope, pass, func(path string, src []byte, c *checkpoint.Checkpoint, err error) (made T, _ error) {
		if errors.Is(err, checkpoint.ErrOther) {
			return made, err
		}
		return of(path, src, c, err), nil
	})
}

// each reads the checkpoints whose bytes pass. It calls `of` last for those that are marked as current, since all of
// them must be known to decide which one counts.
func each[T any](s *Store, scope Scope, pass func(src []byte) bool,
	of func(path string, src []byte, c *checkpoint.Checkpoint, err error) (T, error)) ([]T, []checkpoint.Broken, error) {
	files, err := s.list(scope)
	if err != nil {
		return nil, nil, err
	}
	type result struct {
		of     T
		err    error
		marked *checkpoint.Checkpoint
		passes bool
	}
	results := make([]result, len(files))
	disk.Each(len(files), false, func(i int) {
		r, path := &results[i], files[i].path
		src, err := s.content(files[i])
		if err != nil {
			r.err = err
			return
		}
		r.passes, r.err = pass(src), errSkipped
		if !r.passes && !mayBeMarked(path, src) {
			return
		}
		c, err := checkpoint.Parse(path, src)
		if err == nil && c.MarkedCurrent() {
			r.marked = c
		} else if r.passes {
			r.of, r.err = of(path, src, c, err)
		}
	})
	var marked checkpoint.Set
	var at []int
	for i, r := range results {
		if r.marked != nil {
			marked.All, at = append(marked.All, r.marked), append(at, i)
		}
	}
	marked.Settle(s.Choose)
	for n, c := range marked.All {
		if r := &results[at[n]]; r.passes {
			r.of, r.err = of(c.Path, c.Doc.Bytes(), c, nil)
		}
	}
	all, broken := make([]T, 0, len(results)), []checkpoint.Broken(nil)
	for i, r := range results {
		path := files[i].path
		switch {
		case r.err == nil:
			all = append(all, r.of)
		case errors.Is(r.err, errSkipped):
		case !errors.Is(r.err, checkpoint.ErrOther):
			broken = append(broken, checkpoint.Broken{Path: path, Err: r.err})
		case s.Committed != nil && s.Committed(path) != nil:
			broken = append(broken, checkpoint.Broken{Path: path, Err: errLost})
		}
	}
	return all, broken, nil
}

// mayBeMarked reports whether a file may be a checkpoint that is marked as current.
func mayBeMarked(path string, src []byte) bool {
	front, _, _ := bytes.Cut(src[min(len(src), 3):], []byte("\n---"))
	return !checkpoint.InArchive(path) && bytes.Contains(front, []byte("status"))
}

// errLost marks a file that is a checkpoint in the last commit, but not on disk.
var errLost = errors.New("the `checkpoint:` key is gone")

// errSkipped marks a file that no longer exists, or that does not pass.
var errSkipped = errors.New("gone since the folder was listed")

// content returns the content of a file of the list.
func (s *Store) content(f file) ([]byte, error) {
	if f.kind == regular {
		src, err := disk.Bytes(s.File(f.path))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, errSkipped
		case err != nil:
			return nil, fault.New(fault.Failed, "read %s: %w", f.path, disk.Pathless(err))
		}
		return src, nil
	}
	src, err := s.Read(f.path)
	if src == nil && err == nil {
		err = errors.New("a link to a file that is not there")
		if !s.Has(f.path) {
			err = errSkipped
		}
	}
	return src, err
}

// file is a Markdown file that may be a checkpoint.
type file struct {
	path string // slash path relative to the folder
	kind fileKind
}

type fileKind int

const (
	regular  fileKind = iota
	strange           // not a regular file, probably a link
	overlaid          // read from the overlay, not from disk
)

// list returns the Markdown files that may be checkpoints, sorted by path.
func (s *Store) list(scope Scope) ([]file, error) {
	roots := []string{Active}
	if scope == All {
		roots = append(roots, Archive)
	}
	var files []file
	for _, root := range roots {
		if err := s.CheckLinks(root); err != nil {
			return nil, err
		}
		info, err := os.Lstat(s.File(root))
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir():
			continue
		case err == nil:
			files, err = s.listBelow(root, files)
		}
		if err != nil {
			return nil, fault.New(fault.Failed, "list checkpoints: %w", err)
		}
	}
	files = slices.DeleteFunc(files, func(f file) bool { return s.IsPending(f.path) })
	for rel, src := range s.overlay {
		listed := checkpoint.IsFile(rel) && (scope == All || !checkpoint.InArchive(rel))
		if src != nil && listed {
			files = append(files, file{rel, overlaid})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return files, nil
}

// listBelow appends the Markdown files below a folder to files.
func (s *Store) listBelow(dir string, files []file) ([]file, error) {
	entries, err := os.ReadDir(s.File(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil
	}
	for _, e := range entries {
		at := dir + "/" + e.Name()
		switch {
		case err != nil:
		case e.IsDir():
			below, sealed := s.listBelow(at, files)
			files = below
			if sealed != nil { // a folder without read permission is reported like a broken file
				files = append(files, file{at, strange})
			}
		case checkpoint.IsFile(at) && e.Type().IsRegular():
			files = append(files, file{at, regular})
		case checkpoint.IsFile(at):
			files = append(files, file{at, strange})
		}
	}
	return files, err
}
