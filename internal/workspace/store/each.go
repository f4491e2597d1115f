package store

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// Each reads the checkpoints of the folder, several at a time, and calls `of` with each. It returns
// the results by path, and the files that cannot be read. When `of` returns, the memory of its
// checkpoint is reused for another one, so that a listing of a hundred thousand files needs the
// memory of a few.
func Each[T any](s *Store, scope Scope, of func(*checkpoint.Checkpoint) T) ([]T, []checkpoint.Broken, error) {
	every := func([]byte) bool { return true }
	read := func(_ string, _ []byte, c *checkpoint.Checkpoint, err error) (made T, _ error) {
		if err == nil {
			made = of(c)
		}
		return made, err
	}
	return settled(s, scope, every, read)
}

// Where does the work of Each for those files whose bytes pass a test; it does not parse the
// others. For a file that cannot be parsed, it calls `of` with the bytes and the reason; the broken
// files that Where returns are only those that could not be read.
func Where[T any](s *Store, scope Scope, pass func(src []byte) bool,
	of func(path string, src []byte, c *checkpoint.Checkpoint, unreadable error) T) ([]T, []checkpoint.Broken, error) {
	read := func(path string, src []byte, c *checkpoint.Checkpoint, err error) (made T, _ error) {
		if errors.Is(err, checkpoint.ErrOther) {
			return made, err
		}
		return of(path, src, c, err), nil
	}
	return settled(s, scope, pass, read)
}

// settled reads the checkpoints whose bytes pass. At most one of them is current: those that are
// marked as current come last, when all of them are known.
func settled[T any](s *Store, scope Scope, pass func(src []byte) bool,
	of func(path string, src []byte, c *checkpoint.Checkpoint, err error) (T, error)) ([]T, []checkpoint.Broken, error) {
	files, results, err := each(s, scope, func(r *reader, path string, src []byte) (made result[T]) {
		passes := pass(src)
		if !passes && !mayBeMarked(path, src) {
			return result[T]{err: checkpoint.ErrOther}
		}
		c, err := r.checkpoint.Parse(path, src)
		switch {
		case err == nil && c.MarkedCurrent():
			made.marked, made.err = checkpoint.Parse(path, bytes.Clone(src))
			made.passes = passes
		case !passes:
			made.err = checkpoint.ErrOther
		default:
			made.of, made.err = of(path, src, c, err)
		}
		return made
	})
	if err != nil {
		return nil, nil, err
	}
	var marked checkpoint.Set
	var at []int
	for i, r := range results {
		if r.marked != nil {
			marked.All, at = append(marked.All, r.marked), append(at, i)
		}
	}
	marked.Settle(s.Choose)
	for n, c := range marked.All {
		r := &results[at[n]]
		r.err = checkpoint.ErrOther
		if r.passes {
			r.of, r.err = of(c.Path, c.Doc.Bytes(), c, nil)
		}
	}
	all, broken := gather(files, results)
	return all, broken, nil
}

// mayBeMarked reports whether a file may be a checkpoint that is marked as current.
func mayBeMarked(path string, src []byte) bool {
	front, _, _ := bytes.Cut(src[min(len(src), 3):], []byte("\n---"))
	return !checkpoint.InArchive(path) && bytes.Contains(front, []byte("status"))
}

// result is the result for a file, or the reason why there is none.
type result[T any] struct {
	of     T
	err    error
	marked *checkpoint.Checkpoint // the file is marked as current, so it is handled at the end
	passes bool                   // for a marked file: its bytes pass the test
}

// each computes a result for each file, several at a time; the bytes are reused afterwards.
func each[T any](s *Store, scope Scope,
	of func(r *reader, path string, src []byte) result[T]) ([]file, []result[T], error) {
	files, err := s.list(scope)
	if err != nil {
		return nil, nil, err
	}
	results := make([]result[T], len(files))
	together(len(files), func(turns iter.Seq[int]) {
		r := reader{store: s}
		defer r.close()
		for i := range turns {
			src, err := r.read(files[i])
			if err == nil {
				results[i] = of(&r, files[i].path, src)
			} else {
				results[i].err = err
			}
		}
	})
	return files, results, nil
}

// gather returns the results for files, and the files that cannot be read.
func gather[T any](files []file, results []result[T]) (all []T, broken []checkpoint.Broken) {
	all = make([]T, 0, len(results))
	for i, r := range results {
		switch {
		case r.err == nil:
			all = append(all, r.of)
		case !errors.Is(r.err, checkpoint.ErrOther) && !errors.Is(r.err, errGone):
			broken = append(broken, checkpoint.Broken{Path: files[i].path, Err: r.err})
		}
	}
	return all, broken
}

// together calls do(0) to do(n-1) on several processors: most of the work is the kernel's. Each
// goroutine takes a few calls at a time.
func together(n int, do func(turns iter.Seq[int])) {
	const few, processors = 32, 4
	var next atomic.Int64
	turns := func(yield func(int) bool) {
		for from := 0; from < n; {
			from = int(next.Add(few)) - few
			for i := from; i < min(from+few, n); i++ {
				if !yield(i) {
					return
				}
			}
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), processors, n/few) - 1 {
		others.Go(func() { do(turns) })
	}
	do(turns)
	others.Wait()
}

// errGone marks a file that no longer exists.
var errGone = errors.New("gone since the folder was listed")

// reader reads files one after the other into the same buffer.
type reader struct {
	store  *Store
	dir    string
	folder *disk.Folder // the open folder dir
	buf    []byte

	checkpoint checkpoint.Reader
}

func (r *reader) read(f file) ([]byte, error) {
	if f.kind != regular {
		src, err := r.store.Read(f.path)
		if src == nil && err == nil {
			err = errors.New("a link to a file that is not there")
			if !r.store.Has(f.path) {
				err = errGone
			}
		}
		return src, err
	}
	name, err := r.open(f)
	if err != nil {
		return nil, goneOr(f.path, err)
	}
	src, err := r.folder.Read(name, r.buf)
	if err != nil {
		return nil, goneOr(f.path, err)
	}
	r.buf = src
	return src, nil
}

// open opens the folder of a file, and returns the file's name in it.
func (r *reader) open(f file) (name string, err error) {
	dir, name := path.Split(f.path)
	if r.folder == nil || dir != r.dir {
		r.close()
		folder, err := disk.OpenFolder(r.store.File(dir))
		if err != nil {
			return "", err
		}
		r.dir, r.folder = dir, folder
	}
	return name, nil
}

func goneOr(rel string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errGone
	}
	return fault.New(fault.Failed, "read %s: %w", rel, disk.Pathless(err))
}

func (r *reader) close() {
	if r.folder != nil {
		r.folder.Close()
		r.folder = nil
	}
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
	overlaid          // in the overlay
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
	files = s.overlay.lay(files, func(rel string) bool {
		return isListed(path.Base(rel)) &&
			slices.ContainsFunc(roots, func(root string) bool { return strings.HasPrefix(rel, root+"/") })
	})
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return files, nil
}

// listBelow adds the files below a folder to files.
func (s *Store) listBelow(dir string, files []file) ([]file, error) {
	entries, err := os.ReadDir(s.File(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case err != nil:
		case e.IsDir():
			below, sealed := s.listBelow(dir+"/"+name, files)
			files = below
			if sealed != nil { // a folder without read permission is reported like a broken file
				files = append(files, file{dir + "/" + name, strange})
			}
		case isListed(name) && e.Type().IsRegular():
			files = append(files, file{dir + "/" + name, regular})
		case isListed(name):
			files = append(files, file{dir + "/" + name, strange})
		}
	}
	return files, err
}
