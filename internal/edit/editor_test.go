package edit_test

import (
	"context"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/edit/edittest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// A verb computes a transaction from checkpoints. TestVerbs runs the verbs one after the other on a
// folder and compares its files.
func TestVerbs(t *testing.T) {
	ctx := context.Background()
	newOne := func(name string) func(*edit.Editor) (*result.Receipt, error) {
		return func(e *edit.Editor) (*result.Receipt, error) {
			return e.New(ctx, edit.NewRequest{Name: name, Text: revise.Spec{Problem: "Problem of " + name + "."}})
		}
	}
	note := func(kind string, text ...string) func(*edit.Editor) (*result.Receipt, error) {
		return func(e *edit.Editor) (*result.Receipt, error) {
			return e.Note(ctx, edit.NoteRequest{Kind: kind, Text: text})
		}
	}
	next := func(add bool, actions ...string) func(*edit.Editor) (*result.Receipt, error) {
		return func(e *edit.Editor) (*result.Receipt, error) { return e.Next(ctx, "", actions, add) }
	}
	delta := func(text string) func(*edit.Editor) (*result.Receipt, error) {
		return func(e *edit.Editor) (*result.Receipt, error) {
			return e.Delta(ctx, edit.DeltaRequest{Note: revise.Progress{Changed: text}, NoGit: true})
		}
	}
	archive := func(id string) func(*edit.Editor) (*result.Receipt, error) {
		return func(e *edit.Editor) (*result.Receipt, error) {
			return e.Archive(ctx, edit.ArchiveRequest{ID: id, Outcome: "It works.", Learnings: []string{"Read the manual."}})
		}
	}
	remove := func(req edit.DeleteRequest) func(*edit.Editor) (*result.Receipt, error) {
		return func(e *edit.Editor) (*result.Receipt, error) { return e.Delete(ctx, req) }
	}
	use := func(id string) func(*edit.Editor) (*result.Receipt, error) {
		return func(e *edit.Editor) (*result.Receipt, error) { return e.Use(ctx, id) }
	}
	byHand := func(e *edit.Editor) (*result.Receipt, error) {
		gittest.Must(t, disk.WriteFile(e.Repo.PathOf("checkpoints/active/chk-a.md"), []byte(handMade), false))
		return nil, nil
	}
	const a, b = "active/chk-a.md", "active/chk-b.md"
	tests := []struct {
		name   string
		first  []func(*edit.Editor) (*result.Receipt, error)
		do     func(*edit.Editor) (*result.Receipt, error)
		err    string            // in the error
		remark string            // in the remarks
		has    map[string]string // text in files, by path
		lacks  map[string]string // text not in files; "" means that there is no such file
		same   bool              // nothing changed
	}{
		{name: "new", do: newOne("a"), has: map[string]string{a: "Problem of a."}},
		{name: "new twice", first: steps(newOne("a")), do: newOne("a"), same: true},
		{
			name: "new makes the other one active", first: steps(newOne("a")), do: newOne("b"), remark: "chk-a is no longer current",
			has: map[string]string{a: "status: active", b: "status: current"},
		},
		{name: "note without a checkpoint", do: note("context", "x"), err: "no checkpoint is active"},
		{name: "note", first: steps(newOne("a")), do: note("context", "Two users."), has: map[string]string{a: "- Two users."}},
		{name: "the same note twice", first: steps(newOne("a"), note("context", "Two.")), do: note("context", "Two."), same: true},
		{name: "empty note", first: steps(newOne("a")), do: note("context", " "), err: "note context needs a text"},
		{name: "breadcrumb without reference", first: steps(newOne("a")), do: note("breadcrumb", "file"), err: "TYPE and a REFERENCE"},
		{name: "next", first: steps(newOne("a")), do: next(false, "Build it"), has: map[string]string{a: "Build it"}},
		{
			name: "next replaces", first: steps(newOne("a"), next(false, "Old one")), do: next(false, "New one"),
			has: map[string]string{a: "New one"}, lacks: map[string]string{a: "Old one"},
		},
		{name: "next appends", first: steps(newOne("a"), next(false, "Old one")), do: next(true, "New one"), has: map[string]string{a: "Old one"}},
		{
			name: "done", first: steps(newOne("a"), next(false, "Build it", "Ship it")),
			do:  func(e *edit.Editor) (*result.Receipt, error) { return e.Done(ctx, "", "Build") },
			has: map[string]string{a: "Ship it"},
		},
		{
			name: "done finds nothing", first: steps(newOne("a")), err: "next action",
			do: func(e *edit.Editor) (*result.Receipt, error) { return e.Done(ctx, "", "Build") },
		},
		{name: "delta", first: steps(newOne("a")), do: delta("Wrote the parser."), has: map[string]string{a: "Wrote the parser."}},
		{name: "delta without text", first: steps(newOne("a")), do: delta(" "), err: "says what changed"},
		{name: "the same delta twice", first: steps(newOne("a"), delta("Wrote it.")), do: delta("Wrote it."), same: true},
		{
			name: "archive", first: steps(newOne("a")), do: archive("chk-a"), remark: "no checkpoint is current now",
			has:   map[string]string{"archive/chk-a.md": "It works.", store.Learnings: "Read the manual."},
			lacks: map[string]string{a: ""},
		},
		{name: "archive twice", first: steps(newOne("a"), archive("chk-a")), do: archive("chk-a"), same: true},
		{
			name: "reopen", first: steps(newOne("a"), archive("chk-a")),
			do:    func(e *edit.Editor) (*result.Receipt, error) { return e.Reopen(ctx, "chk-a", false) },
			has:   map[string]string{a: "Problem of a."},
			lacks: map[string]string{"archive/chk-a.md": "", a: "It works.", store.Learnings: "Read the manual."},
		},
		{name: "use", first: steps(newOne("a"), newOne("b")), do: use("chk-a"), has: map[string]string{a: "status: current", b: "status: active"}},
		{name: "delete the current one", first: steps(newOne("a")), do: remove(edit.DeleteRequest{ID: "chk-a"}), err: "is the current checkpoint"},
		{name: "delete by a part of the id", first: steps(newOne("a")), do: remove(edit.DeleteRequest{ID: "a"}), err: "chk-a is the current"},
		{
			name: "delete what no commit has", first: steps(newOne("a"), newOne("b"), byHand), do: remove(edit.DeleteRequest{ID: "chk-a"}),
			lacks: map[string]string{a: ""},
		},
		{
			name: "delete by force", first: steps(newOne("a"), newOne("b")), do: remove(edit.DeleteRequest{ID: "chk-a", Force: true}),
			lacks: map[string]string{a: ""},
		},
		{
			name: "fork", first: steps(newOne("a"), note("decision", "Use Go: it is there")),
			do: func(e *edit.Editor) (*result.Receipt, error) {
				return e.New(ctx, edit.NewRequest{Name: "b", Parent: "chk-a", SameProblem: true})
			},
			has: map[string]string{b: "Use Go"},
		},
		{
			name: "fork without a problem", first: steps(newOne("a")), err: "needs a problem of its own",
			do: func(e *edit.Editor) (*result.Receipt, error) {
				return e.New(ctx, edit.NewRequest{Name: "b", Parent: "chk-a"})
			},
		},
		{
			name: "fold", first: steps(newOne("a"), delta("Wrote the parser.")),
			do:    func(e *edit.Editor) (*result.Receipt, error) { return e.Fold(ctx, "") },
			has:   map[string]string{a: "Wrote the parser."},
			lacks: map[string]string{a: "## Delta"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := edittest.New(t)
			for _, first := range tt.first {
				p.Edit(func(_ context.Context, e *edit.Editor) (*result.Receipt, error) { return first(e) })
			}
			p.Later()
			w := p.Workspace()
			receipt, err := tt.do(edit.New(w))
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want one with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if receipt.Unchanged != tt.same {
				t.Errorf("unchanged: %v, want %v", receipt.Unchanged, tt.same)
			}
			if said := strings.Join(receipt.Remarks, "\n"); !strings.Contains(said, tt.remark) {
				t.Errorf("remarks %q, want one with %q", said, tt.remark)
			}
			for path, text := range tt.has {
				if src := read(t, w, path); !strings.Contains(string(src), text) {
					t.Errorf("%s lacks %q:\n%s", path, text, src)
				}
			}
			for path, text := range tt.lacks {
				if src := read(t, w, path); src != nil && strings.Contains(string(src), text) {
					t.Errorf("%s has %q:\n%s", path, text, src)
				}
			}
		})
	}
}

func steps(all ...func(*edit.Editor) (*result.Receipt, error)) []func(*edit.Editor) (*result.Receipt, error) {
	return all
}

// handMade is a checkpoint that no command has written.
const handMade = "---\ncheckpoint: chk-a\ncreated: 2026-01-02T10:00:00Z\nstatus: active\n---\n\n## Problem\n\nBy hand.\n"

func read(t *testing.T, w *workspace.Workspace, path string) []byte {
	t.Helper()
	src, err := w.Disk.Read(path)
	gittest.Must(t, err)
	return src
}

// TestOneMoment limits how often a delta reads HEAD, takes ckpt's lock and loads the set. The limits may only
// go down. The first read of HEAD is the commit that everything is computed from. The others compare HEAD with
// it before the branch moves: once before the files are written, under the lock of the index, and once under
// the locks of HEAD and the branch, since `git commit` and `git update-ref` need no lock of the index then.
func TestOneMoment(t *testing.T) {
	for _, tt := range []struct {
		mode        string
		heads       int64
		locks, sets int64
	}{
		{mode: "own", heads: 3, locks: 1, sets: 1},
		{mode: "off", heads: 1, locks: 1, sets: 1},
		{mode: "ref", heads: 1, locks: 1, sets: 1},
	} {
		t.Run(tt.mode, func(t *testing.T) {
			p := edittest.New(t, "main.go", "package main\n")
			p.Git("config", "ckpt.commit", tt.mode)
			p.New("a", "Problem of a.")
			p.Write("main.go", "package main // edited\n")
			p.Later()
			w := p.Workspace()
			_, err := edit.New(w).Delta(t.Context(), edit.DeltaRequest{Note: revise.Progress{Changed: "Wrote it."}})
			gittest.Must(t, err)
			if src := read(t, w, "active/chk-a.md"); !strings.Contains(string(src), "main.go") {
				t.Errorf("the delta lists no file:\n%s", src)
			}
			n := w.Repo.Counts
			for what, got := range map[string][2]int64{
				"HEAD was read":    {n.Heads.Load(), tt.heads},
				"a lock was taken": {n.Locks.Load(), tt.locks},
				"a set was loaded": {n.Sets.Load(), tt.sets},
			} {
				if got[0] > got[1] {
					t.Errorf("%s %d times, want at most %d", what, got[0], got[1])
				}
			}
		})
	}
}
