package edit

import (
	"context"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/agents/recorder"
	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// A verb computes a transaction from checkpoints. These tests run the verbs one after the
// other on a folder and compare its files.
func TestVerbs(t *testing.T) {
	ctx := context.Background()
	newOne := func(name string) func(*Editor) (*result.Receipt, error) {
		return func(e *Editor) (*result.Receipt, error) {
			return e.New(ctx, NewRequest{Name: name, Text: revise.Spec{Problem: "Problem of " + name + "."}})
		}
	}
	note := func(kind string, text ...string) func(*Editor) (*result.Receipt, error) {
		return func(e *Editor) (*result.Receipt, error) { return e.Note(ctx, NoteRequest{Kind: kind, Text: text}) }
	}
	next := func(add bool, actions ...string) func(*Editor) (*result.Receipt, error) {
		return func(e *Editor) (*result.Receipt, error) { return e.Next(ctx, "", actions, add) }
	}
	delta := func(text string) func(*Editor) (*result.Receipt, error) {
		return func(e *Editor) (*result.Receipt, error) {
			return e.Delta(ctx, DeltaRequest{Note: revise.Progress{Changed: text}, NoArtifacts: true})
		}
	}
	archive := func(id string) func(*Editor) (*result.Receipt, error) {
		return func(e *Editor) (*result.Receipt, error) {
			return e.Archive(ctx, ArchiveRequest{ID: id, Outcome: "It works.", Learnings: []string{"Read the manual."}})
		}
	}
	remove := func(req DeleteRequest) func(*Editor) (*result.Receipt, error) {
		return func(e *Editor) (*result.Receipt, error) { return e.Delete(ctx, req) }
	}
	use := func(id string) func(*Editor) (*result.Receipt, error) {
		return func(e *Editor) (*result.Receipt, error) { return e.Use(ctx, id) }
	}
	const a, b = "active/chk-a.md", "active/chk-b.md"
	tests := []struct {
		name   string
		first  []func(*Editor) (*result.Receipt, error)
		do     func(*Editor) (*result.Receipt, error)
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
			do:  func(e *Editor) (*result.Receipt, error) { return e.Done(ctx, "", "Build") },
			has: map[string]string{a: "Ship it"},
		},
		{
			name: "done finds nothing", first: steps(newOne("a")), err: "next action",
			do: func(e *Editor) (*result.Receipt, error) { return e.Done(ctx, "", "Build") },
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
			do:    func(e *Editor) (*result.Receipt, error) { return e.Reopen(ctx, "chk-a", false) },
			has:   map[string]string{a: "Problem of a."},
			lacks: map[string]string{"archive/chk-a.md": "", a: "It works.", store.Learnings: "Read the manual."},
		},
		{name: "use", first: steps(newOne("a"), newOne("b")), do: use("chk-a"), has: map[string]string{a: "status: current", b: "status: active"}},
		{name: "delete the current one", first: steps(newOne("a")), do: remove(DeleteRequest{ID: "chk-a"}), err: "is the current checkpoint"},
		{name: "delete by a part of the id", first: steps(newOne("a")), do: remove(DeleteRequest{ID: "a"}), err: "chk-a is the current"},
		{
			name: "delete what no commit has", first: steps(newOne("a"), newOne("b")), do: remove(DeleteRequest{ID: "chk-a"}),
			err: "edits that no commit has",
		},
		{
			name: "delete by force", first: steps(newOne("a"), newOne("b")), do: remove(DeleteRequest{ID: "chk-a", Force: true}),
			lacks: map[string]string{a: ""},
		},
		{
			name: "fork", first: steps(newOne("a"), note("decision", "Use Go: it is there")),
			do: func(e *Editor) (*result.Receipt, error) {
				return e.New(ctx, NewRequest{Name: "b", Parent: "chk-a", SameProblem: true})
			},
			has: map[string]string{b: "Use Go"},
		},
		{
			name: "fork without a problem", first: steps(newOne("a")), err: "needs a problem of its own",
			do: func(e *Editor) (*result.Receipt, error) { return e.New(ctx, NewRequest{Name: "b", Parent: "chk-a"}) },
		},
		{
			name: "fold", first: steps(newOne("a"), delta("Wrote the parser.")),
			do:    func(e *Editor) (*result.Receipt, error) { return e.Fold(ctx, "") },
			has:   map[string]string{a: "Wrote the parser."},
			lacks: map[string]string{a: "## Delta"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := &memory{store: &store.Store{Dir: t.TempDir()}}
			e := m.editor(t)
			for _, first := range tt.first {
				if _, err := first(e); err != nil {
					t.Fatal(err)
				}
			}
			receipt, err := tt.do(e)
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
				if src := m.read(t, path); !strings.Contains(string(src), text) {
					t.Errorf("%s lacks %q:\n%s", path, text, src)
				}
			}
			for path, text := range tt.lacks {
				if src := m.read(t, path); src != nil && strings.Contains(string(src), text) {
					t.Errorf("%s has %q:\n%s", path, text, src)
				}
			}
		})
	}
}

func steps(all ...func(*Editor) (*result.Receipt, error)) []func(*Editor) (*result.Receipt, error) {
	return all
}

// memory is a checkpoints folder of which no commit has anything.
type memory struct{ store *store.Store }

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func (m *memory) editor(t *testing.T) *Editor {
	return &Editor{
		checkpoints: m, git: m, trails: noHistory{}, base: noBase{}, prefix: "checkpoints", root: "/repo", stateDir: t.TempDir(),
		recorder:     &recorder.Recorder{},
		Settings:     workspace.Settings{Now: func() time.Time { return now }},
		fromRoot:     func(rel string) string { return "checkpoints/" + rel },
		fromHere:     func(name string) string { return name },
		previous:     func() string { return "" },
		checkIgnored: func(context.Context, string) error { return nil },
		config:       m.store.Config,
		policy:       func(context.Context, *workspace.View) (policy.Config, error) { return policy.Default(), nil },
		modified: func(context.Context, *workspace.View) (func(*checkpoint.Checkpoint) time.Time, error) {
			return (*checkpoint.Checkpoint).Changed, nil
		},
	}
}

func (m *memory) Read(_ context.Context, scope store.Scope) (*workspace.View, error) {
	set, err := m.store.Load(scope)
	at := folder.New(nil, m.store, "checkpoints")
	return workspace.NewView(at, set, workspace.Settings{}), err
}

func (m *memory) Change(ctx context.Context, scope store.Scope, plan workspace.PlanFunc) (*result.Receipt, error) {
	view, err := m.Read(ctx, scope)
	if err != nil {
		return nil, err
	}
	o, err := plan(view, now)
	if err != nil {
		return nil, err
	}
	if o.BeforeCommit != nil {
		o.BeforeCommit()
	}
	for _, f := range o.Files.Files {
		if f.After == nil {
			err = disk.Remove(m.store.File(f.Path))
		} else {
			err = disk.WriteFile(m.store.File(f.Path), f.After, false)
		}
		if err != nil {
			return nil, err
		}
	}
	return &result.Receipt{Op: o.Op, ID: o.ID, Remarks: o.Remarks, Unchanged: o.Files.Empty()}, nil
}

func (m *memory) read(t *testing.T, path string) []byte {
	t.Helper()
	src, err := m.store.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func (m *memory) Head() (git.Head, error)                          { return git.Head{}, nil }
func (m *memory) Committed(store.Scope) (map[string]string, error) { return nil, nil }
func (m *memory) Content(string) string                            { return "" }
func (m *memory) ModTime(string) time.Time                         { return now }

func (m *memory) Lacks(_ context.Context, files []change.File) ([]change.File, error) {
	return files, nil
}

func (m *memory) Staged(context.Context, ...string) ([]log.FileChange, error) { return nil, nil }

// noHistory is a repository without commits.
type noHistory struct{}

func (noHistory) Resolve(context.Context, string) (string, error) { return "", nil }

func (noHistory) Since(context.Context, changes.Base, string, bool) (changes.Work, error) {
	return changes.Work{}, nil
}

func (noHistory) Count(context.Context, changes.Base, string) (changes.Count, error) {
	return changes.Count{}, nil
}

// noBase names no base.
type noBase struct{}

func (noBase) Since(context.Context, *checkpoint.Checkpoint) changes.Base { return changes.Base{} }
