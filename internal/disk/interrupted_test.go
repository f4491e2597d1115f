package disk

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
)

// Whoever looks without the lock meets a live process at its work: the journal is being
// written over and cut while it is read, and that is no journal that nobody knows.
func TestInterruptedBesideAWriter(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	var over atomic.Bool
	wrote := make(chan error, 1)
	go func() {
		wrote <- func() error {
			for i := 0; !over.Load(); i++ {
				size := []int{10, 3 << 10, 2 << 20}[i%3]
				file := change.File{Path: strings.Repeat("x", i%50) + "\n.md", Before: bytes.Repeat([]byte("\n"), size), After: bytes.Repeat([]byte{byte(i)}, size)}
				j, err := Begin(dir, Operation{Root: root, Files: []change.File{file}, End: ToSave, Written: true})
				if err != nil {
					return err
				}
				if err := j.Done(); err != nil {
					return err
				}
			}
			return nil
		}()
	}()
	met := 0
	for looks := 0; met < 200 && looks < 100_000; looks++ {
		under, err := Interrupted(dir)
		if err != nil {
			t.Errorf("beside a writer: %v", err)
			break
		}
		if under {
			met++
		}
	}
	over.Store(true)
	must(t, <-wrote)
	t.Logf("met %d operations under way", met)
}

// Wherever one byte of a journal is another one, it is refused or counts as not written
// to its end; never is it read as another operation.
func TestJournalWithAWrongByte(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	files := sample(t, root)
	j, err := Begin(dir, Operation{Root: root, Files: files, End: ToCommit})
	must(t, err)
	whole, err := os.ReadFile(j.log.path)
	must(t, err)
	l, err := readLog(dir)
	must(t, err)
	for i := range logHeader + len(l.body) {
		for _, flip := range []byte{0x01, 0x20, 0x80} {
			bad := bytes.Clone(whole)
			bad[i] ^= flip
			must(t, os.WriteFile(j.log.path, bad, 0o644))
			if p, err := Pending(dir, root); p != nil && (p.End != ToCommit || !reflect.DeepEqual(p.files, files)) {
				t.Fatalf("byte %d as %q: %+v, %v", i, bad[i], p.files, err)
			}
		}
	}
}

// An operation that a later ckpt has begun may end in a way that this one does not know.
func TestJournalOfALaterCkpt(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	j, err := Begin(dir, Operation{Root: root, Files: sample(t, root), End: "elsewhere"})
	must(t, err)
	j.drop()
	if p, err := Pending(dir, root); !errors.Is(err, ErrStrange) {
		t.Errorf("pending = %+v, %v", p, err)
	}
}

// FuzzJournal: whatever stands in a journal with a right checksum, reading it ends, and
// what it gives is of files below the root and comes to the same body again.
func FuzzJournal(f *testing.F) {
	for _, body := range []string{
		"commit \"/r\"\n3 - \"a.md\"\n- 3 \"b/c.md\"\n\noldnew",
		"files \"/r\"\n\n",
		"files \"/r\"\n- 3 \"../a.md\"\n\nnew",
		"files \"/r\"\n9223372036854775807 9223372036854775807 \"a.md\"\n\n",
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		l := &log{path: "journal", body: body}
		end, files, err := l.decode()
		if err != nil {
			return
		}
		for _, file := range files {
			if !filepath.IsLocal(filepath.FromSlash(file.Path)) {
				t.Errorf("%q is not below the root", file.Path)
			}
		}
		var again bytes.Buffer
		must(t, encodeLog(&again, "", end, files))
		l = &log{path: "journal", body: again.Bytes()}
		if as, same, err := l.decode(); err != nil || as != end || !reflect.DeepEqual(same, files) {
			t.Errorf("%+v came back as %+v, %v", files, same, err)
		}
	})
}

// A disk that got full while a large journal was written is not left full.
func TestJournalThatFailsGivesTheRoomBack(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	j, err := Begin(dir, Operation{Root: root, End: ToFiles})
	must(t, err)
	must(t, j.Done())
	put(t, root, "file", []byte("no folder"))
	_, err = Begin(dir, Operation{Root: root, End: ToFiles, Files: []change.File{
		{Path: "large.md", After: make([]byte, 4<<20)},
		{Path: "file/inside.md", After: []byte("cannot be written")},
	}})
	if err == nil {
		t.Error("a file was made below a file")
	}
	if info, err := os.Stat(filepath.Join(dir, journalName)); err != nil || info.Size() > logMost {
		t.Errorf("the journal is %d bytes long: %v", info.Size(), err)
	}
	if p, err := Pending(dir, root); p != nil || err != nil {
		t.Errorf("pending = %v, %v", p, err)
	}
	j, err = Begin(dir, Operation{Root: root, End: ToFiles})
	must(t, err)
	must(t, j.Done())
}

// Somebody else made a file as an operation was about to: it is theirs.
func TestRevertLeavesWhatApplyDidNotTouch(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	files := sample(t, root)
	j, err := Begin(dir, Operation{Root: root, Files: files, End: ToCommit})
	must(t, err)
	put(t, root, "active/new.md", []byte("born"))
	must(t, os.Remove(filepath.Join(root, "active/gone.md")))
	if err := j.Apply(); fault.KindOf(err) != fault.Busy {
		t.Fatalf("err = %v", err)
	}
	must(t, j.Revert())
	must(t, j.Done())
	wantFile(t, filepath.Join(root, "active/new.md"), "born")
	if Exists(filepath.Join(root, "active/gone.md")) {
		t.Error("what somebody removed is back")
	}
	wantFile(t, filepath.Join(root, "active/kept.md"), "old")
	wantNoTemps(t, filepath.Join(root, "active"))
	if p, err := Pending(dir, root); p != nil || err != nil {
		t.Errorf("pending = %v, %v", p, err)
	}
}

// TestRevertThatFails checks that an operation which could not be reverted is still to be reverted,
// although the next command completes one that ended in the middle.
func TestRevertThatFails(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	files := sample(t, root)
	j, err := Begin(dir, Operation{Root: root, Files: files, End: ToFiles})
	must(t, err)
	must(t, j.Apply())
	blocked := filepath.Join(root, "active/new.md")
	must(t, os.Remove(blocked))
	must(t, os.MkdirAll(filepath.Join(blocked, "inside"), 0o777))
	if err := j.Revert(); err == nil {
		t.Fatal("a folder was taken for a file")
	}
	must(t, os.RemoveAll(blocked))
	p, err := Pending(dir, root)
	must(t, err)
	if p == nil || !p.Back {
		t.Fatalf("pending = %+v", p)
	}
	must(t, p.Revert())
	must(t, p.Done())
	wantState(t, root, files, before)
	wantNoTemps(t, filepath.Join(root, "active"))
}
