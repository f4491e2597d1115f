package disk

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
)

func TestJournal(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	files := sample(t, root)
	j, err := Begin(dir, Operation{Root: root, Files: files, End: ToCommit, Sync: true})
	must(t, err)
	if _, err := Begin(dir, Operation{Root: root, Files: files, End: ToCommit, Sync: false}); err == nil {
		t.Error("a second journal was begun")
	}
	must(t, j.Apply())
	wantState(t, root, files, after)
	must(t, j.Done())
	if p, err := Pending(dir, root); p != nil || err != nil {
		t.Errorf("pending after done: %v, %v", p, err)
	}
	wantNoTemps(t, filepath.Join(root, "active"))
	j, err = Begin(dir, Operation{Root: root, End: ToFiles, Sync: true}) // the next one, in the same place
	must(t, err)
	must(t, j.Done())
}

// A journal that was not written to its end is none: the files are as they were.
func TestTornJournal(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	files := sample(t, root)
	j, err := Begin(dir, Operation{Root: root, Files: files, End: ToCommit, Sync: true})
	must(t, err)
	whole, err := os.ReadFile(j.log.path)
	must(t, err)
	var body bytes.Buffer
	must(t, encodeLog(&body, root, ToCommit, files))
	for n := range logHeader + body.Len() {
		must(t, os.WriteFile(j.log.path, append(whole[:n:n], make([]byte, len(whole)-n)...), 0o644))
		p, err := Pending(dir, root)
		if torn := n >= logHeader || n == 0; torn && (p != nil || err != nil) {
			t.Fatalf("cut after %d bytes: %v, %v", n, p, err)
		}
	}
	must(t, os.WriteFile(j.log.path, whole, 0o644))
	p, err := Pending(dir, root)
	must(t, err)
	for i, f := range p.Files() {
		if f.Path != files[i].Path || !change.Same(f.Before, files[i].Before) || !change.Same(f.After, files[i].After) {
			t.Errorf("file %d = %+v, want %+v", i, f, files[i])
		}
	}
}

// What no ckpt has written is named, and put aside, never overwritten.
func TestStrangeJournal(t *testing.T) {
	for _, garbage := range []string{"garbage", `{"Version":1}`, strings.Repeat("x", 200), "ckpt journal 2 open x y z\n", "ckpt journal 3 open 0000000042 0000006431 6f95ab96b0731c91c72471a51e623a1b6d475c30\n"} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "journal"), []byte(garbage), 0o644))
		if _, err := Pending(dir, dir); err == nil || fault.HintOf(err) == "" {
			t.Errorf("%q: %v", garbage, err)
		}
		if _, err := Begin(dir, Operation{Root: dir, End: ToFiles}); err == nil {
			t.Errorf("%q: begun", garbage)
		}
		to, err := PutAside(dir)
		must(t, err)
		wantFile(t, to, garbage)
		if to, err := PutAside(dir); to != "" || err != nil {
			t.Errorf("%q: put aside again: %q, %v", garbage, to, err)
		}
		j, err := Begin(dir, Operation{Root: dir, End: ToFiles})
		must(t, err)
		must(t, j.Done())
	}
}

func TestApplyRefusesAFileThatChanged(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	files := sample(t, root)
	j, err := Begin(dir, Operation{Root: root, Files: files, End: ToCommit, Sync: false})
	must(t, err)
	put(t, root, "active/kept.md", []byte("mine"))
	if err := j.Apply(); fault.KindOf(err) != fault.Busy {
		t.Fatalf("err = %v", err)
	}
	put(t, root, "active/kept.md", files[0].Before)
	wantState(t, root, files, before)
	must(t, j.Revert())
}

// A process may die after any number of renames, before or after the temporary
// files: from everywhere both ways lead to a whole state, and edits survive.
func TestJournalRecovers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		root, dir := t.TempDir(), t.TempDir()
		files := sample(t, root)
		j, err := Begin(dir, Operation{Root: root, Files: files, End: []End{ToFiles, ToCommit}[r.IntN(2)], Sync: false})
		must(t, err)

		died := r.IntN(len(files) + 1)
		temps := j.temps
		for i, f := range files[:died] {
			if f.After == nil {
				must(t, Remove(j.file(f)))
			} else {
				must(t, temps[i].Commit())
			}
		}
		edited := r.IntN(2 * len(files))
		if edited < len(files) {
			put(t, root, files[edited].Path, []byte("edited since"))
		}

		p, err := Pending(dir, root)
		must(t, err)
		if p.End != j.End || len(p.Files()) != len(files) {
			t.Fatalf("pending = %+v", p)
		}
		want := after
		if r.IntN(2) == 0 {
			want = before
			must(t, p.Revert())
			must(t, p.Revert()) // again, as after a second death
			must(t, p.Done())
		} else {
			must(t, p.Finish())
			must(t, p.Finish())
			must(t, p.Done())
		}
		if edited < len(files) {
			wantFile(t, filepath.Join(root, files[edited].Path), "edited since")
			files = append(files[:edited:edited], files[edited+1:]...)
		}
		wantState(t, root, files, want)
		wantNoTemps(t, filepath.Join(root, "active"))
		if t.Failed() {
			return
		}
		if p, _ := Pending(dir, root); p != nil {
			t.Fatal("the journal is still there")
		}
	}
}

// sample is one change of each sort, with root in the state before it.
func sample(t *testing.T, root string) []change.File {
	t.Helper()
	files := []change.File{
		{Path: "active/kept.md", Before: []byte("old"), After: []byte("new\xff\x00")},
		{Path: "active/new.md", After: []byte("born")},
		{Path: "active/empty.md", After: []byte{}},
		{Path: "active/filled.md", Before: []byte{}, After: []byte("x")},
		{Path: "active/gone.md", Before: []byte("bye")},
		{Path: "archive/2026/deep.md", After: []byte("bye")},
	}
	for _, f := range files {
		put(t, root, f.Path, f.Before)
	}
	return files
}

func before(f change.File) []byte { return f.Before }
func after(f change.File) []byte  { return f.After }

func wantState(t *testing.T, root string, files []change.File, want func(change.File) []byte) {
	t.Helper()
	j := Journal{root: root}
	for _, f := range files {
		got, err := j.read(f)
		must(t, err)
		if !change.Same(got, want(f)) {
			t.Errorf("%s = %q, want %q", f.Path, got, want(f))
		}
	}
}

func put(t *testing.T, root, path string, data []byte) {
	t.Helper()
	if data == nil {
		return
	}
	full := filepath.Join(root, path)
	must(t, os.MkdirAll(filepath.Dir(full), 0o755))
	must(t, os.WriteFile(full, data, 0o644))
}

// Moment tells operations apart, also one that was so large that its journal is cut.
func TestMoment(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	seen := map[string]bool{}
	for _, size := range []int{0, 10, 3 << 20, 10} {
		before, err := Moment(dir)
		must(t, err)
		if seen[before] || before == "" {
			t.Errorf("%d bytes: %q before", size, before)
		}
		seen[before] = true
		j, err := Begin(dir, Operation{Root: root, End: ToFiles, Files: []change.File{{Path: "a.md", After: make([]byte, size)}}})
		must(t, err)
		if during, err := Moment(dir); during != "" || err != nil {
			t.Errorf("%d bytes: %q, %v while it is under way", size, during, err)
		}
		must(t, j.Apply())
		must(t, j.Done())
		must(t, os.Remove(filepath.Join(root, "a.md")))
	}
	if info, err := os.Stat(filepath.Join(dir, "journal")); err != nil || info.Size() > 1<<20 {
		t.Errorf("the journal is %d bytes long: %v", info.Size(), err)
	}
}
