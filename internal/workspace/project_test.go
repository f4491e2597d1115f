package workspace

import (
	"os"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/store"
)

const (
	alpha = "active/chk-alpha.md" // the current checkpoint of every project
	beta  = "active/chk-beta.md"
	old   = "archive/chk-old.md"
)

// project is a repository with checkpoints, all of them committed.
type project struct {
	*gittest.Repo
	t        *testing.T
	settings Settings
}

// newProject makes a repository with two active checkpoints and an archived one.
func newProject(t *testing.T) *project {
	t.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := &project{Repo: gittest.New(t), t: t}
	p.settings = Settings{Dir: p.Dir, Now: func() time.Time { return now }, Getenv: os.Getenv}
	p.Commit("Begin", "main.go", "package main\n", "checkpoints/"+alpha, chk("chk-alpha", "status: current"),
		"checkpoints/"+beta, chk("chk-beta"), "checkpoints/"+old, chk("chk-old"),
		"checkpoints/active/.gitkeep", "", "checkpoints/archive/.gitkeep", "")
	return p
}

// chk returns the file of a checkpoint.
func chk(id string, fields ...string) string {
	front := append([]string{"checkpoint: " + id, "created: 2026-02-01"}, fields...)
	return "---\n" + strings.Join(front, "\n") + "\n---\n\n## Problem\n\nProblem of " + id + ".\n\n## Context\n\n- One.\n"
}

// open opens the repository anew, as each command does.
func (p *project) open() *Workspace {
	p.t.Helper()
	w, err := Open(p.t.Context(), p.settings)
	gittest.Must(p.t, err)
	return w
}

// view reads a view as a command does.
func (p *project) view() *View {
	p.t.Helper()
	v, err := p.open().Read(p.t.Context(), store.Live)
	gittest.Must(p.t, err)
	return v
}

// read returns a file of a view, and an empty string for no file.
func (p *project) read(v *View, rel string) string {
	p.t.Helper()
	src, err := v.Store.Read(rel)
	gittest.Must(p.t, err)
	return string(src)
}

// onDisk returns a file of the checkpoints folder, and an empty string for no file.
func (p *project) onDisk(rel string) string {
	p.t.Helper()
	src, err := p.open().Disk.OnDisk(rel)
	gittest.Must(p.t, err)
	return string(src)
}

// edit changes a file of the folder by hand.
func (p *project) edit(rel, from, to string) {
	p.t.Helper()
	src := p.onDisk(rel)
	if !strings.Contains(src, from) {
		p.t.Fatalf("%s lacks %q:\n%s", rel, from, src)
	}
	p.Write("checkpoints/"+rel, strings.Replace(src, from, to, 1))
}

// change applies a transaction.
func (p *project) change(plan PlanFunc) (*result.Receipt, error) {
	p.t.Helper()
	return p.open().Change(p.t.Context(), store.Live, plan)
}

// add applies a note to a checkpoint, and ends the test if that fails.
func (p *project) add(rel, text string) *result.Receipt {
	p.t.Helper()
	receipt, err := p.change(adding(rel, text))
	gittest.Must(p.t, err)
	return receipt
}

// adding plans to add a line to the context of a checkpoint.
func adding(rel, text string) PlanFunc {
	return func(v *View, _ time.Time) (*Tx, error) {
		src, err := v.Store.Read(rel)
		o := &Tx{Op: "note", ID: Stem(rel), Summary: "context: " + text, Path: rel}
		o.Put(rel, src, []byte(string(src)+"- "+text+"\n"))
		return o, err
	}
}

// writing plans to write a file.
func writing(rel, text string) PlanFunc {
	return func(v *View, _ time.Time) (*Tx, error) {
		src, err := v.Store.Read(rel)
		o := &Tx{Op: "new", ID: Stem(rel), Summary: "a file", Path: rel}
		o.Put(rel, src, []byte(text))
		return o, err
	}
}

// removing plans to remove a file.
func removing(rel string) PlanFunc {
	return func(v *View, _ time.Time) (*Tx, error) {
		src, err := v.Store.Read(rel)
		o := &Tx{Op: "delete", ID: Stem(rel), Summary: "removed", Path: rel, Mode: Restore}
		o.Put(rel, src, nil)
		return o, err
	}
}

// checkError ends the test unless err has a text and a kind.
func checkError(t *testing.T, err error, text string, kind fault.Kind) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) || fault.KindOf(err) != kind {
		t.Fatalf("error %v (%v), want one with %q (%v)", err, fault.KindOf(err), text, kind)
	}
}

// checkHas reports an error for each wanted text that text lacks. With a "!" before it, a text must be missing.
func checkHas(t *testing.T, what, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if lacks, not := strings.CutPrefix(w, "!"); not == strings.Contains(text, lacks) {
			t.Errorf("%s: %q, not as wanted:\n%s", what, w, text)
		}
	}
}

func ids(all []*checkpoint.Checkpoint) string { return strings.Join(IDs(all), " ") }
