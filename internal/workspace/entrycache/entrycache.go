// Package entrycache caches the entries of archived checkpoints for `ckpt list`, in the git folder of
// a worktree. With it a listing need not open the files, which takes most of its time.
//
// An entry is used if the file has the same [disk.Stamp], and if the last commit has the content that
// the entry was made from. So the cache has no text that is not in a commit. An entry is not cached
// if the file was changed a moment ago, since a further change could leave the stamp as it is.
//
// The cache also has a key of the commits that it agrees with. As long as they are the same, it is
// not asked again what they tell about each file.
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
	"strings"
	"sync"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/result"
)

// fewest is the number of entries from which on they are cached. Fewer files are read as fast. A cache
// of more than [disk.MaxFile] bytes, for some 200,000 entries, could not be read again.
const fewest = 200

// Commits is what commits tell about archived files.
type Commits interface {
	// LastCommit returns the blob of a file in the last commit, and when a commit last changed it.
	LastCommit(path string) (blob string, at time.Time)

	// Archive returns a key of all that LastCommit returns. It is empty if there is none.
	Archive() string
}

// Cache has the entries of a worktree. It is safe for concurrent use.
type Cache struct {
	file    string
	build   string         // empty if nothing can be cached
	opened  time.Time      // before any file was looked at
	key     string         // of the commits that all known records agree with; empty if they are others
	commits func() Commits // called only if it is needed

	loading sync.WaitGroup
	known   map[string]*record // by path; it does not change once it is loaded

	mu     sync.Mutex
	missed map[string]disk.Stamp // the stamps of files that have no usable record
	added  map[string]*record
}

// Open reads the cache in dir, the folder of a worktree for the files of ckpt's own, in the
// background. The key is that of the commits, which are not asked for anything else if the cache
// agrees with them.
func Open(dir string, now time.Time, key string, commits func() Commits) *Cache {
	c := &Cache{
		file: file(dir), opened: now, commits: commits, missed: map[string]disk.Stamp{}, added: map[string]*record{},
	}
	build, err := disk.Program()
	if err == nil {
		c.build = fmt.Sprintf("%x", build)
		c.loading.Go(func() { c.load(key) })
	}
	return c
}

func (c *Cache) load(key string) {
	src, err := disk.ReadFile(c.file)
	if err != nil {
		return
	}
	first, records, _ := bytes.Cut(src, []byte("\n"))
	_, of, _ := strings.Cut(string(first), ", of ")
	if string(first) == c.head(of, records) {
		c.known = decode(string(records))
	}
	if of == key {
		c.key = key
	}
}

// Forget removes the cache in dir if one of the changes removes an archived file.
func Forget(dir string, changes []change.File) {
	removes := func(f change.File) bool { return f.After == nil && checkpoint.InArchive(f.Path) }
	if slices.ContainsFunc(changes, removes) {
		_ = disk.Remove(file(dir))
	}
}

func file(dir string) string { return filepath.Join(dir, "entries") }

// head returns the first line of a cache with records that agree with some commits.
func (c *Cache) head(key string, records []byte) string {
	return fmt.Sprintf("ckpt entries, build %s, sum %x, of %s", c.build, crc32.ChecksumIEEE(records), key)
}

// Get returns the entry of a file if it has the stamp, and the last commit the blob, that the entry
// was made for, and the time of the last commit that changed the file. The caller sets the path and
// what else depends on history. Only one goroutine may ask for a path.
func (c *Cache) Get(path string, stamp disk.Stamp) (e *result.Entry, at time.Time, ok bool) {
	c.loading.Wait()
	r := c.known[path]
	if r != nil && r.stamp == stamp && c.agrees(path, r) {
		if e, ok := r.entry(); ok {
			r.used = true
			return e, time.Unix(r.at, 0), true
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.missed[path] = stamp
	return nil, time.Time{}, false
}

// agrees reports whether the last commit has the blob of a record, and sets the record's time.
func (c *Cache) agrees(path string, r *record) bool {
	if c.key != "" {
		return true
	}
	blob, at := c.commits().LastCommit(path)
	r.at = at.Unix()
	return r.blob == blob
}

// Add caches the entry of a file for which Get returned none, if the last commit has the content of
// which it was made. The file had that content at some time after the call of Get.
func (c *Cache) Add(path string, content []byte, e *result.Entry) {
	blob, at := c.commits().LastCommit(path)
	if blob != git.BlobHash(content) || !isPlain(e) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	stamp, asked := c.missed[path]
	if asked && stamp.Settled(c.opened) {
		c.added[path] = newRecord(stamp, blob, at, e)
	}
}

// Save writes the entries that Get returned, and those that were added, unless they are exactly
// those of the file.
func (c *Cache) Save() {
	c.loading.Wait()
	used := 0
	for _, r := range c.known {
		if r.used {
			used++
		}
	}
	same := len(c.added) == 0 && used == len(c.known)
	agreed := c.key != "" || len(c.known) == 0
	if c.build == "" || same && agreed {
		return
	}
	key := c.commits().Archive()
	if c.key != "" && c.key != key {
		return // there is a commit that the records from the file do not know
	}
	all := c.added
	for path, r := range c.known {
		if r.used {
			all[path] = r
		}
	}
	records := encode(all)
	src := append([]byte(c.head(key, records)+"\n"), records...)
	if len(all) < fewest || len(src) > disk.MaxFile {
		_ = disk.Remove(c.file)
		return
	}
	_ = disk.WriteFile(c.file, src, false)
}
