// Package entrycache caches the entries of archived checkpoints for `ckpt list`, in the git folder of
// a worktree. With it a listing need not open the files, which takes most of its time.
//
// An entry is used if the file has the same [disk.Stamp], and if the last commit has the content that
// the entry was made from. So the cache has no text that is not in a commit. An entry is not cached
// if the file was changed a moment ago, since a further change could leave the stamp as it is.
//
// A cache that is damaged, or that another build of ckpt has written, counts as empty. A cache that
// cannot be written is no error. Where files have no stamps, on Windows, nothing is cached.
package entrycache

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/result"
)

// fewest is the number of entries from which on they are cached. Fewer files are read as fast.
const fewest = 200

// Cache has the entries of a worktree. It is safe for concurrent use.
type Cache struct {
	file   string
	build  string    // empty if nothing can be cached
	opened time.Time // before any file was looked at

	known map[string]*record // by path; the map does not change once the cache is open

	mu     sync.Mutex
	missed map[string]disk.Stamp // the stamps of files that have no usable record
	added  map[string]*record
}

// Open reads the cache in dir, the folder of a worktree for the files of ckpt's own.
func Open(dir string, now time.Time) *Cache {
	c := &Cache{file: file(dir), opened: now, missed: map[string]disk.Stamp{}, added: map[string]*record{}}
	build, err := disk.Program()
	if err != nil {
		return c
	}
	c.build = fmt.Sprintf("%x", build)
	src, err := disk.ReadFile(c.file)
	if err != nil {
		return c
	}
	first, records, _ := bytes.Cut(src, []byte("\n"))
	if string(first) == c.head(records) {
		c.known = decode(string(records))
	}
	return c
}

// Forget removes the cache in dir if one of the changes removes an archived file.
func Forget(dir string, changes []change.File) {
	removes := func(f change.File) bool { return f.After == nil && checkpoint.InArchive(f.Path) }
	if slices.ContainsFunc(changes, removes) {
		_ = disk.Remove(file(dir))
	}
}

func file(dir string) string { return filepath.Join(dir, "entries") }

// head returns the first line of a cache with these records.
func (c *Cache) head(records []byte) string {
	return fmt.Sprintf("ckpt entries, build %s, sum %x", c.build, crc32.ChecksumIEEE(records))
}

// Get returns the entry of a file if it has the stamp, and the last commit the blob, that the entry
// was made for. The caller sets the path and what depends on history. Only one goroutine may ask
// for a path.
func (c *Cache) Get(path string, stamp disk.Stamp, committed string) (*result.Entry, bool) {
	r := c.known[path]
	if r != nil && r.stamp == stamp && r.blob == committed {
		if e, ok := r.entry(); ok {
			r.used = true
			return e, true
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.missed[path] = stamp
	return nil, false
}

// Add caches the entry of a file for which Get returned none. The file had the content of the blob
// at some time after the call of Get.
func (c *Cache) Add(path, blob string, e *result.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	stamp, asked := c.missed[path]
	if asked && stamp.Settled(c.opened) && isPlain(e) {
		c.added[path] = newRecord(stamp, blob, e)
	}
}

// Save writes the entries that Get returned, and those that were added, unless they are exactly
// those of the file.
func (c *Cache) Save() {
	used := make(map[string]*record, len(c.known)+len(c.added))
	for path, r := range c.known {
		if r.used {
			used[path] = r
		}
	}
	if c.build == "" || len(c.added) == 0 && len(used) == len(c.known) {
		return
	}
	for path, r := range c.added {
		used[path] = r
	}
	if len(used) < fewest {
		_ = disk.Remove(c.file)
		return
	}
	records := encode(used)
	_ = disk.WriteFile(c.file, append([]byte(c.head(records)+"\n"), records...), false)
}
