package entrycache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
)

// TestRecord: a record has every field of an entry but those that do not come from the text of an
// archived file, and those that keep the entry out of the cache.
func TestRecord(t *testing.T) {
	elsewhere := "Path Changed Edited Unreadable Unfinished Branches Worktree NewerOn Branch On Newer Elsewhere"
	refused := "Mark MarkedCurrent Replaced"
	full := result.Entry{
		Created: result.At(time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)), Told: time.Date(2026, 2, 3, 4, 5, 6, 7, time.UTC),
		Deltas: 300,
	}
	v := reflect.ValueOf(&full).Elem()
	fill := func(v reflect.Value) {
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.String {
				v.Field(i).SetString(v.Type().Field(i).Name + " – " + strings.Repeat("x", 50*i))
			}
		}
	}
	fill(v)
	fill(v.FieldByName("Run"))
	got, ok := newRecord(disk.Stamp{}, "", time.Time{}, &full).entry()
	if !ok {
		t.Fatal("the record cannot be read")
	}
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch {
		case strings.Contains(refused, name):
			one := result.Entry{}
			set(reflect.ValueOf(&one).Elem().Field(i))
			if isPlain(&one) {
				t.Errorf("an entry with %s is cached, but a record has no %s", name, name)
			}
		case strings.Contains(elsewhere, name):
		case !reflect.DeepEqual(v.Field(i).Interface(), reflect.ValueOf(got).Elem().Field(i).Interface()):
			t.Errorf("%s: %v, want %v", name, reflect.ValueOf(got).Elem().Field(i), v.Field(i))
		}
	}
}

// set gives a field a value that is not its zero value.
func set(field reflect.Value) {
	switch field.Kind() {
	case reflect.Bool:
		field.SetBool(true)
	case reflect.Slice:
		field.Set(reflect.MakeSlice(field.Type(), 1, 1))
	case reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
	}
}

// archive is a folder with checkpoints, some of which an operation changes.
type archive struct {
	*testing.T
	dir     string
	folder  *disk.Folder
	commits map[string]string // the blob of each file in the last commit
	times   map[string]int    // when a commit last changed it, in Unix seconds
	asked   int               // how often a listing asked what commits tell
	skew    time.Duration     // of the clock of a listing
}

const files = 12

func newArchive(t *testing.T) *archive {
	a := &archive{T: t, dir: t.TempDir(), commits: map[string]string{}, times: map[string]int{}}
	must(t, os.Mkdir(filepath.Join(a.dir, "cache"), 0o777))
	for i := range files {
		a.write(name(i), text(i, 'a'))
		a.commits[name(i)] = git.BlobHash(text(i, 'a'))
	}
	folder, err := disk.OpenFolder(a.dir)
	must(t, err)
	t.Cleanup(folder.Close)
	a.folder = folder
	if _, err := folder.Stamp(name(0)); err != nil {
		t.Skip("files have no stamps here")
	}
	return a
}

func name(i int) string { return fmt.Sprintf("archive-%03d.md", i) }

// text returns a checkpoint. Those with the same number have the same size.
func text(i int, variant byte) []byte {
	return fmt.Appendf(nil, "---\ncheckpoint: chk-%03d\ncreated: 2026-01-02\n---\n\n## Problem\n\nIt is %c.\n", i, variant)
}

// LastCommit and Archive implement [Commits].
func (a *archive) LastCommit(path string) (blob string, at time.Time) {
	a.asked++
	if strings.HasPrefix(path, "old-") {
		blob = git.BlobHash(nil)
	} else {
		blob = a.commits[path]
	}
	return blob, time.Unix(int64(a.times[path]), 0)
}

func (a *archive) Archive() string { return fmt.Sprint(a.commits, a.times) }

func (a *archive) path(name string) string { return filepath.Join(a.dir, name) }

func (a *archive) write(name string, text []byte) { must(a, os.WriteFile(a.path(name), text, 0o666)) }

// list lists the files with the cache, and fails if an entry differs from that of a fresh read. It
// returns how many came from the cache.
func (a *archive) list() (known int) {
	a.Helper()
	c := Open(filepath.Join(a.dir, "cache"), time.Now().Add(a.skew), a.Archive(), func() Commits { return a })
	for i := range fewest { // further files, which never change
		path := fmt.Sprintf("old-%d", i)
		_, _, ok := c.Get(path, disk.Stamp{})
		if !ok {
			c.Add(path, nil, &result.Entry{ID: path})
		}
	}
	for i := range files {
		stamp, err := a.folder.Stamp(name(i))
		if err != nil {
			continue
		}
		cached, at, ok := c.Get(name(i), stamp)
		src, err := os.ReadFile(a.path(name(i)))
		must(a, err)
		cp, err := checkpoint.Parse(name(i), src)
		if err != nil {
			if ok {
				a.Errorf("%s cannot be read and is in the cache", name(i))
			}
			continue
		}
		fresh := progress.NewEntry(cp, "", time.Time{})
		if ok {
			known++
			if !reflect.DeepEqual(cached, fresh) {
				a.Errorf("%s: the cache has %q, the file %q", name(i), cached.Problem, fresh.Problem)
			}
			if blob, when := a.LastCommit(name(i)); blob != git.BlobHash(src) || !when.Equal(at) {
				a.Errorf("%s: the cache has a file that was changed at %v, which no commit has, or at %v", name(i), at, when)
			}
		} else {
			c.Add(name(i), src, fresh)
		}
	}
	c.Save()
	return known
}

// tick waits until the clock of the file system has moved on, so that later changes show.
func (a *archive) tick() {
	latest := int64(0)
	for i := range files {
		stamp, err := a.folder.Stamp(name(i))
		if err == nil {
			latest = max(latest, stamp.Changed)
		}
	}
	for {
		a.write("probe", []byte("x"))
		stamp, err := a.folder.Stamp("probe")
		must(a, err)
		if stamp.Changed > latest {
			return
		}
	}
}

// settled makes listings trust all files, as if some time had passed.
func (a *archive) settled() {
	a.tick()
	a.skew = time.Hour
}

// TestRacy: a file that was changed a moment ago is read again, and later it is cached.
func TestRacy(t *testing.T) {
	a := newArchive(t)
	for range 3 {
		if known := a.list(); known != 0 {
			t.Fatalf("%d files are known that were changed a moment ago", known)
		}
	}
	a.settled()
	a.list()
	if known := a.list(); known != files {
		t.Errorf("%d files are known, want all %d", known, files)
	}
}

// TestOnlyCommitted: the cache has only what the last commit has, and drops the rest.
func TestOnlyCommitted(t *testing.T) {
	a := newArchive(t)
	a.write(name(0), text(0, 'S'))
	a.settled()
	a.list()
	if known := a.list(); known != files-1 {
		t.Errorf("%d files are known, want all but the one that is not committed", known)
	}
	a.contains("It is S.", false)
	a.contains("It is a.", true)
	a.commits[name(1)] = git.BlobHash(text(1, 'b')) // another commit is checked out, the file is not
	if known := a.list(); known != files-2 {
		t.Errorf("%d files are known", known)
	}
	for i := range files {
		must(t, os.Remove(a.path(name(i))))
	}
	a.list()
	a.contains("It is a.", false)
}

func (a *archive) contains(text string, want bool) {
	a.Helper()
	src, err := disk.ReadFile(file(a.path("cache")))
	must(a, err)
	if bytes.Contains(src, []byte(text)) != want {
		a.Errorf("whether the cache contains %q: %t, want %t", text, !want, want)
	}
}

// TestDamaged: a damaged cache counts as empty, and is replaced. Another build's, too.
func TestDamaged(t *testing.T) {
	a := newArchive(t)
	a.settled()
	for _, damage := range []func([]byte) []byte{
		func(src []byte) []byte { return src[:len(src)/2] },
		func(src []byte) []byte { return src[:len(src)-1] },
		func(src []byte) []byte { return append(src, 0) },
		func(src []byte) []byte { return nil },
		func(src []byte) []byte { return bytes.Replace(src, []byte("It is a."), []byte("It is b."), 1) },
		func(src []byte) []byte { return bytes.Replace(src, []byte("build {"), []byte("build {f"), 1) },
	} {
		a.list()
		if known := a.list(); known != files {
			t.Errorf("%d files are known", known)
		}
		src, err := os.ReadFile(file(a.path("cache")))
		must(t, err)
		must(t, os.WriteFile(file(a.path("cache")), damage(src), 0o666))
		if known := a.list(); known != 0 {
			t.Errorf("%d files are known from a damaged cache", known)
		}
	}
}

// TestReadOnly: a cache that cannot be written is no error.
func TestReadOnly(t *testing.T) {
	a := newArchive(t)
	a.settled()
	must(t, os.Remove(a.path("cache")))
	a.write("cache", nil) // a file, where a folder should be
	a.list()
	if known := a.list(); known != 0 {
		t.Errorf("%d files are known", known)
	}
}

// FuzzFresh compares listings with fresh reads while files change in ways that are hard to see.
func FuzzFresh(f *testing.F) {
	f.Add([]byte("0lla1lb2lc3ld4le5lf6lg7lh"))
	f.Add([]byte("lla0a1a2a3lb0b1l"))
	f.Add([]byte("lh0lh1lg0lg1le3ld3lc3l"))
	f.Fuzz(func(t *testing.T, ops []byte) { replay(t, ops[:min(len(ops), 40)]) })
}

// replay changes and lists files: a digit selects a file for the letters after it.
func replay(t *testing.T, ops []byte) {
	a := newArchive(t)
	a.settled()
	at := 0
	for n, op := range ops {
		switch {
		case op == 'l':
			a.list()
			a.tick() // all files are trusted: what follows must not be in the same tick
		case '0' <= op && op <= '9':
			at = int(op - '0')
		case op == 'k':
			a.skew = -a.skew // the clock goes back, or forward again
		default:
			a.change(at, op, byte('a'+n%26))
		}
	}
	a.list()
	a.tick()
	a.list()
}

// change changes a file in one of several ways.
func (a *archive) change(i int, op, variant byte) {
	info, err := os.Stat(a.path(name(i)))
	if err != nil {
		a.write(name(i), text(i, variant))
		return
	}
	keepTime := func(path string) { must(a, os.Chtimes(path, info.ModTime(), info.ModTime())) }
	switch op {
	case 'a': // in place, with the same size
		a.write(name(i), text(i, variant))
	case 'b': // and with the same time of modification
		a.write(name(i), text(i, variant))
		keepTime(a.path(name(i)))
	case 'c': // replaced by a file with the same size and time
		a.write("new", text(i, variant))
		keepTime(a.path("new"))
		must(a, os.Rename(a.path("new"), a.path(name(i))))
	case 'd':
		must(a, os.Truncate(a.path(name(i)), info.Size()/2))
		keepTime(a.path(name(i)))
	case 'e':
		must(a, os.Remove(a.path(name(i))))
	case 'f': // the time of modification is in the future
		future := time.Now().Add(24 * time.Hour)
		must(a, os.Chtimes(a.path(name(i)), future, future))
	case 'g': // two files change places
		other := (i + 1) % files
		must(a, os.Rename(a.path(name(i)), a.path("new")))
		_ = os.Rename(a.path(name(other)), a.path(name(i))) // it may have been removed
		must(a, os.Rename(a.path("new"), a.path(name(other))))
	default: // committed as it is
		src, err := os.ReadFile(a.path(name(i)))
		must(a, err)
		a.commits[name(i)] = git.BlobHash(src)
		a.times[name(i)] = int(variant)
	}
}

// FuzzDecode decodes any text without a crash, and what it decodes again from its encoding.
func FuzzDecode(f *testing.F) {
	e := &result.Entry{ID: "chk-a", Problem: "P.", Deltas: 3}
	f.Add(string(encode(map[string]*record{"archive/a.md": newRecord(disk.Stamp{Size: 3, Modified: -1}, "abc", time.Time{}, e)})))
	f.Add("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	f.Fuzz(func(t *testing.T, text string) {
		all := decode(text)
		for _, r := range all {
			r.entry()
		}
		if again := decode(string(encode(all))); len(all) > 0 && !reflect.DeepEqual(again, all) {
			t.Errorf("%v, want %v", again, all)
		}
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
