package uncommitted

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

const (
	alpha = "active/chk-alpha.md"
	beta  = "active/chk-beta.md"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) // the time of every commit of a test

// project is a repository with one committed checkpoint, and the log of its operations.
type project struct {
	*gittest.Repo
	*Log
	t *testing.T
}

func newProject(t *testing.T) *project {
	t.Helper()
	r := gittest.New(t)
	r.Commit("Begin", "checkpoints/"+alpha, "alpha\n")
	at := &store.Store{Dir: filepath.Join(r.Dir, "checkpoints")}
	return &project{
		Repo: r, t: t, Log: &Log{Folder: folder.New(r.Open(), at, "checkpoints")},
	}
}

// operation is one change of a file. An empty text means that there is no file.
type operation struct{ rel, before, after string }

func bytesOf(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(text)
}

// do records operations and makes them. It stages their files, as the user may do.
func (p *project) do(all ...operation) {
	p.t.Helper()
	for i, o := range all {
		set := change.Set{Files: []change.File{{Path: o.rel, Before: bytesOf(o.before), After: bytesOf(o.after)}}}
		op := Operation{Op: "note", Subject: "ckpt: note " + o.after, Time: start.Add(time.Duration(i+1) * time.Minute)}
		done, err := p.Keep(op, set)
		gittest.Must(p.t, err)
		p.Apply(set.Under("checkpoints"))
		p.Git("add", "-A", "checkpoints")
		done(nil)
	}
}

// titles returns operations as their texts.
func titles(all []*Operation) string {
	var texts []string
	for _, u := range all {
		texts = append(texts, strings.TrimPrefix(u.Title(), "note "))
	}
	return strings.Join(texts, "; ")
}

var (
	two   = operation{alpha, "alpha\n", "two"}
	three = operation{alpha, "two", "three"}
	fresh = operation{beta, "", "beta"}
)

// TestOperations lists the operations that still are in the files, or whose text was edited
// since, and not those that git or a person took back.
func TestOperations(t *testing.T) {
	for _, tt := range []struct {
		name  string
		do    []operation
		after func(*project)
		want  string // the newest first
		lost  string
	}{
		{name: "none"},
		{name: "two", do: []operation{two, three}, want: "three; two"},
		{name: "of two files", do: []operation{two, fresh}, want: "beta; two"},
		{
			name: "edited since", do: []operation{two}, want: "two",
			after: func(p *project) { p.Write("checkpoints/"+alpha, "two, edited") },
		},
		{
			name: "restored by git", do: []operation{two}, lost: "two",
			after: func(p *project) { p.Git("reset", "-q", "--hard") },
		},
		{
			name: "the newest taken back by hand", do: []operation{two, three}, want: "two", lost: "three",
			after: func(p *project) { p.Write("checkpoints/"+alpha, "two") },
		},
		{
			name: "all restored by git", do: []operation{two, three, fresh}, lost: "beta; three; two",
			after: func(p *project) { p.Git("reset", "-q", "--hard") },
		},
		{
			name: "one of two files restored", do: []operation{two, fresh}, want: "beta", lost: "two",
			after: func(p *project) { p.Git("checkout", "-q", "HEAD", "--", "checkpoints/"+alpha) },
		},
		{
			name: "committed and reverted", do: []operation{two},
			after: func(p *project) {
				p.Git("commit", "-qm", "with two")
				p.Git("reset", "-q", "--hard", "HEAD~1")
			},
			lost: "two",
		},
		{
			name: "during a bisect", do: []operation{two},
			after: func(p *project) {
				p.Git("reset", "-q", "--hard")
				p.Git("bisect", "start")
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.do(tt.do...)
			if tt.after != nil {
				tt.after(p)
			}
			all, err := p.Operations()
			if got := titles(all); got != tt.want || err != nil {
				t.Errorf("operations %q, %v, want %q", got, err, tt.want)
			}
			lost, err := p.Lost(t.Context())
			if got := titles(lost); got != tt.lost || err != nil {
				t.Errorf("lost %q, %v, want %q", got, err, tt.lost)
			}
			if said := p.Remarks(lost); len(said) != len(lost) || len(said) > 0 && !strings.Contains(said[0], GitTookAway) {
				t.Errorf("remarks %q", said)
			}
			p.Forget(lost...)
			if lost, err := p.Lost(t.Context()); len(lost) > 0 || err != nil {
				t.Errorf("lost after Forget: %q, %v", titles(lost), err)
			}
		})
	}
}

// TestHalfDone forgets an operation that failed, and keeps one that was killed as long as
// its text is in the files.
func TestHalfDone(t *testing.T) {
	p := newProject(t)
	set := change.Set{Files: []change.File{{Path: alpha, Before: []byte("alpha\n"), After: []byte("two")}}}
	done, err := p.Keep(Operation{Subject: "ckpt: note two"}, set)
	gittest.Must(t, err)
	done(fault.New(fault.Failed, "the disk is full"))
	if all, err := p.records(); len(all) > 0 || err != nil {
		t.Errorf("records of an operation that failed: %q, %v", titles(all), err)
	}
	_, err = p.Keep(Operation{Subject: "ckpt: note two"}, set)
	gittest.Must(t, err)
	if all, _ := p.Operations(); len(all) > 0 {
		t.Errorf("it never happened: %q", titles(all))
	}
	if lost, _ := p.Lost(t.Context()); len(lost) > 0 {
		t.Errorf("nobody knows that it was written: %q", titles(lost))
	}
	p.Write("checkpoints/"+alpha, "two")
	if all, _ := p.Operations(); titles(all) != "two" {
		t.Errorf("its text is in the file: %q", titles(all))
	}
	gittest.Must(t, os.WriteFile(filepath.Join(p.dir(), "000000000099"), []byte("{"), 0o644))
	if all, err := p.Operations(); titles(all) != "two" || err != nil {
		t.Errorf("with a record that cannot be read: %q, %v", titles(all), err)
	}
}

// TestAfter counts the commits that are newer than an operation.
func TestAfter(t *testing.T) {
	left := []log.FileChange{{Path: alpha, After: blobName([]byte("two"))}}
	commits := []log.Commit{
		{Hash: "c", Parents: []string{"b"}, Time: start.Add(2 * time.Hour)},
		{Hash: "b", Parents: []string{"a"}, Time: start.Add(time.Hour), Files: left},
		{Hash: "a", Time: start},
	}
	for _, tt := range []struct {
		name string
		u    Operation
		want int
	}{
		{name: "on the newest", u: Operation{Head: "c"}},
		{name: "on the one before", u: Operation{Head: "b"}, want: 1},
		{name: "on the oldest", u: Operation{Head: "a"}, want: 2},
		{name: "on one that is gone, by time", u: Operation{Head: "x", Time: start.Add(90 * time.Minute)}, want: 1},
		{
			name: "in a commit of the same second", want: 2,
			u: Operation{Head: "x", Time: start.Add(time.Hour), Files: []file{{Path: alpha, After: left[0].After}}},
		},
		{
			name: "beside a commit of the same second", want: 1,
			u: Operation{Head: "x", Time: start.Add(time.Hour), Files: []file{{Path: beta, After: left[0].After}}},
		},
	} {
		if got := tt.u.After(commits); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestPrintHint names the text of a lost operation if git still has it.
func TestPrintHint(t *testing.T) {
	p := newProject(t)
	p.do(two, fresh)
	p.Git("reset", "-q", "--hard")
	gittest.Must(t, os.Remove(filepath.Join(p.Repo.Dir, ".git", "objects", blobName([]byte("beta"))[:2], blobName([]byte("beta"))[2:])))
	lost, err := p.Lost(t.Context())
	gittest.Must(t, err)
	if len(lost) != 2 {
		t.Fatalf("lost %q", titles(lost))
	}
	if hint := p.PrintHint(lost[0]); hint != "" {
		t.Errorf("what git does not have: %q", hint)
	}
	if hint := p.PrintHint(lost[1]); !strings.Contains(hint, "git cat-file -p "+blobName([]byte("two"))[:7]) {
		t.Errorf("what git has: %q", hint)
	}
}

// TestKeptRecords keeps no more records than the limit.
func TestKeptRecords(t *testing.T) {
	p := newProject(t)
	for range kept + 5 {
		p.do(operation{alpha, "alpha\n", "alpha\n"})
	}
	if all, err := p.records(); len(all) > kept || err != nil {
		t.Errorf("%d records, %v", len(all), err)
	}
}
