package disk

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// older is the suffix of the file to which AppendRotated renames a full log.
const older = ".1"

// AppendRotated appends a line to a log as Append does, and reports whether it is the first line. When the log
// reaches limit bytes, it is renamed, which replaces the log that was renamed before. So no process rewrites a file
// to which others append, and both files together stay below twice the limit and a few lines.
func AppendRotated(path string, line []byte, limit int64, mode fs.FileMode) (first bool, err error) {
	size, err := Append(path, line, mode)
	if err != nil || size < limit {
		return size == int64(len(line)), err
	}
	// Only the process whose line reaches the limit renames the log: if two did, the second would rename the new log.
	// If the log is far over the limit, that process has probably died, and any other renames it.
	if reached := size-int64(len(line)) < limit; !reached && size < limit+limit/4 {
		return false, nil
	}
	if err := Rename(path, path+older); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, describe("rename", path, err)
	}
	return false, nil
}

// Rotated is a log that AppendRotated wrote.
type Rotated struct {
	Path string
	Last time.Time // when it was last written
	Size int64     // the size of both files
}

// ListRotated returns the logs in a folder, the most recently written one first. It returns none if
// the folder does not exist.
func ListRotated(dir string) ([]Rotated, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, describe("read", dir, err)
	}
	at := map[string]int{}
	var all []Rotated
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		path := filepath.Join(dir, strings.TrimSuffix(e.Name(), older))
		i, ok := at[path]
		if !ok {
			i = len(all)
			at[path] = i
			all = append(all, Rotated{Path: path})
		}
		all[i].Size += info.Size()
		if info.ModTime().After(all[i].Last) {
			all[i].Last = info.ModTime()
		}
	}
	slices.SortStableFunc(all, func(a, b Rotated) int { return b.Last.Compare(a.Last) })
	return all, nil
}

// Read returns the whole lines of a log, the oldest first, while others append to it. It leaves
// out the beginning of a line that is being written.
func (r Rotated) Read() ([]byte, error) {
	for {
		src, err := r.readOnce()
		if !errors.Is(err, errRenamed) {
			return src, err
		}
	}
}

var errRenamed = errors.New("the log was renamed meanwhile")

func (r Rotated) readOnce() ([]byte, error) {
	var now []byte
	var info fs.FileInfo
	f, err := os.Open(r.Path)
	if err == nil {
		defer f.Close() // closed only after SameFile, since a new file could reuse the inode number
		info, err = f.Stat()
		if err == nil {
			now, err = io.ReadAll(io.LimitReader(f, MaxFile))
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, describe("read", r.Path, err)
	}
	before, err := ReadFile(r.Path + older)
	if err != nil {
		return nil, describe("read", r.Path+older, err)
	}
	then, err := os.Stat(r.Path)
	replaced := err == nil && (info == nil || !os.SameFile(info, then))
	gone := errors.Is(err, fs.ErrNotExist) && info != nil
	if replaced || gone {
		return nil, errRenamed
	}
	return slices.Concat(wholeLines(before), wholeLines(now)), nil
}

func wholeLines(src []byte) []byte { return src[:bytes.LastIndexByte(src, '\n')+1] }

// Remove removes a log.
func (r Rotated) Remove() error { return errors.Join(Remove(r.Path), Remove(r.Path+older)) }
