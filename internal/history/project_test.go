package history_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

// project is a repository with a checkpoints folder. Each operation is an hour later than the
// one before.
type project struct {
	*gittest.Repo
	t        *testing.T
	settings workspace.Settings
	now      time.Time
}

// newProject makes a repository with one commit of code, of 2026-01-02T09:00:00Z.
func newProject(t *testing.T) *project {
	t.Helper()
	p := &project{Repo: gittest.New(t), t: t, now: time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)}
	p.settings = workspace.Settings{Dir: p.Dir, Now: func() time.Time { return p.now }, Getenv: os.Getenv}
	p.setTime()
	p.Commit("Begin", "code.go", "package code\n")
	return p
}

// later sets the clock, of git too, to an hour later.
func (p *project) later() {
	p.now = p.now.Add(time.Hour)
	p.setTime()
}

func (p *project) setTime() {
	p.t.Setenv("GIT_AUTHOR_DATE", p.now.Format(time.RFC3339))
	p.t.Setenv("GIT_COMMITTER_DATE", p.now.Format(time.RFC3339))
}

// open opens the repository anew, as each command does.
func (p *project) open() *workspace.Workspace {
	p.t.Helper()
	w, err := workspace.Open(context.Background(), p.settings)
	if err != nil {
		p.t.Fatal(err)
	}
	return w
}

func (p *project) history() *history.History { return history.New(p.open()) }

// edit runs an operation an hour later. A failure ends the test.
func (p *project) edit(verb func(context.Context, *edit.Editor) (*result.Receipt, error)) {
	p.t.Helper()
	p.later()
	if _, err := verb(context.Background(), edit.New(p.open())); err != nil {
		p.t.Fatal(err)
	}
}

// new makes a checkpoint. It becomes current.
func (p *project) new(name, problem string) {
	p.t.Helper()
	p.edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.New(ctx, edit.NewRequest{Name: name, Text: revise.Spec{Problem: problem}})
	})
}

// fork makes a checkpoint with a parent. It becomes current.
func (p *project) fork(name, parent string) {
	p.t.Helper()
	p.edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.New(ctx, edit.NewRequest{Name: name, Parent: parent, Text: revise.Spec{Problem: "A fork."}})
	})
}

// note writes a note to a checkpoint. An empty id means the current one.
func (p *project) note(id, kind, text string) {
	p.t.Helper()
	p.edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.Note(ctx, edit.NoteRequest{ID: id, Kind: kind, Text: []string{text}})
	})
}

// decide notes a decision, which may supersede another one.
func (p *project) decide(id, what, supersedes string) {
	p.t.Helper()
	p.edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.Note(ctx, edit.NoteRequest{
			ID: id, Kind: "decision", Text: []string{what}, Why: "it works", Supersedes: supersedes,
		})
	})
}

func (p *project) delta(id, text string) {
	p.t.Helper()
	p.edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.Delta(ctx, edit.DeltaRequest{ID: id, Note: revise.Progress{Changed: text}, NoArtifacts: true})
	})
}

func (p *project) archive(id, learning string) {
	p.t.Helper()
	p.edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.Archive(ctx, edit.ArchiveRequest{ID: id, Outcome: "It works.", Learnings: []string{learning}})
	})
}

func (p *project) delete(id string) {
	p.t.Helper()
	p.edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.Delete(ctx, edit.DeleteRequest{ID: id, Force: true})
	})
}

func (p *project) use(id string) {
	p.t.Helper()
	p.edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) { return e.Use(ctx, id) })
}

// undo undoes n operations. A failure ends the test.
func (p *project) undo(n int) {
	p.t.Helper()
	p.later()
	if _, err := p.history().Undo(context.Background(), n); err != nil {
		p.t.Fatal(err)
	}
}

// replace edits a file by hand.
func (p *project) replace(path, old, text string) {
	p.t.Helper()
	src := p.Read(path)
	if !strings.Contains(src, old) {
		p.t.Fatalf("%s lacks %q:\n%s", path, old, src)
	}
	p.Write(path, strings.Replace(src, old, text, 1))
}

// commitAll commits every change an hour later, as a person does.
func (p *project) commitAll(message string) {
	p.t.Helper()
	p.later()
	p.Git("add", "-A")
	p.Git("commit", "-q", "--allow-empty", "-m", message)
}

// exists reports whether a file is in the working tree.
func (p *project) exists(path string) bool {
	_, err := os.Stat(filepath.Join(p.Dir, path))
	return err == nil
}

// remove removes a file by hand.
func (p *project) remove(path string) {
	p.t.Helper()
	if err := os.Remove(filepath.Join(p.Dir, path)); err != nil {
		p.t.Fatal(err)
	}
}

// checkFiles compares the checkpoint files with those that files returned before.
func (p *project) checkFiles(want map[string]string) {
	p.t.Helper()
	got := p.files()
	for path, src := range want {
		if have, ok := got[path]; !ok {
			p.t.Errorf("%s is gone", path)
		} else if have != src {
			p.t.Errorf("%s is\n%s\nwant\n%s", path, have, src)
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			p.t.Errorf("%s is new", path)
		}
	}
}

// files returns the content of the Markdown files of the checkpoints folder, by path.
func (p *project) files() map[string]string {
	p.t.Helper()
	all := map[string]string{}
	root := filepath.Join(p.Dir, workspace.DefaultFolder)
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		rel, err := filepath.Rel(p.Dir, path)
		all[filepath.ToSlash(rel)] = p.Read(rel)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

// failure is an error that a table wants. No text means that there is none.
type failure struct {
	kind fault.Kind
	text string // in the message
	hint string // in the hint
}

// check compares an error with the wanted one, and reports whether there is an error.
func (f failure) check(t *testing.T, err error) bool {
	t.Helper()
	if f.text == "" {
		if err != nil {
			t.Fatalf("unexpected error: %v", err)
		}
		return false
	}
	if err == nil {
		t.Fatalf("no error, want one with %q", f.text)
	}
	if fault.KindOf(err) != f.kind || !strings.Contains(err.Error(), f.text) {
		t.Errorf("error of kind %s: %v\nwant kind %s and %q", fault.KindOf(err), err, f.kind, f.text)
	}
	if !strings.Contains(fault.HintOf(err), f.hint) {
		t.Errorf("hint %q, want one with %q", fault.HintOf(err), f.hint)
	}
	return true
}

const auth = "checkpoints/active/chk-auth.md"
