package history_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/edit/edittest"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/result"
)

// project is a repository with a checkpoints folder. Each operation is an hour later than the
// one before.
type project struct{ *edittest.Project }

// newProject makes a repository with one commit of code, of 2026-01-02T09:00:00Z.
func newProject(t *testing.T) *project {
	t.Helper()
	return &project{edittest.New(t, "code.go", "package code\n")}
}

func (p *project) history() *history.History { return history.New(p.Workspace()) }

// decide notes a decision, which may supersede another one.
func (p *project) decide(id, what, supersedes string) {
	p.Test.Helper()
	p.Edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.Note(ctx, edit.NoteRequest{
			ID: id, Kind: "decision", Text: []string{what}, Why: "it works", Supersedes: supersedes,
		})
	})
}

func (p *project) delta(id, text string) {
	p.Test.Helper()
	p.Edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.Delta(ctx, edit.DeltaRequest{ID: id, Note: revise.Progress{Changed: text}, NoGit: true})
	})
}

func (p *project) archive(id, learning string) {
	p.Test.Helper()
	p.Edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.Archive(ctx, edit.ArchiveRequest{ID: id, Outcome: "It works.", Learnings: []string{learning}})
	})
}

func (p *project) delete(id string) {
	p.Test.Helper()
	p.Edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.Delete(ctx, edit.DeleteRequest{ID: id, Force: true})
	})
}

func (p *project) use(id string) {
	p.Test.Helper()
	p.Edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) { return e.Use(ctx, id) })
}

// undo undoes n operations. A failure ends the test.
func (p *project) undo(n int) {
	p.Test.Helper()
	p.Later()
	if _, err := p.history().Undo(context.Background(), n); err != nil {
		p.Test.Fatal(err)
	}
}

// inClone does something in a clone, and fetches the branch from it.
func (p *project) inClone(branch string, do func(*project)) {
	p.Test.Helper()
	dir := p.Dir + "-" + branch
	p.Git("clone", "-q", p.Dir, dir)
	other := *p.Project
	other.Repo, other.Settings.Dir = p.At(dir), dir
	do(&project{&other})
	p.Now = other.Now
	p.Git("fetch", "-q", dir, "+HEAD:refs/heads/"+branch)
}

// replace edits a file by hand.
func (p *project) replace(path, old, text string) {
	p.Test.Helper()
	src := p.Read(path)
	if !strings.Contains(src, old) {
		p.Test.Fatalf("%s lacks %q:\n%s", path, old, src)
	}
	p.Write(path, strings.Replace(src, old, text, 1))
}

// commitAll commits every change an hour later, as a person does.
func (p *project) commitAll(message string) {
	p.Test.Helper()
	p.Later()
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
	p.Test.Helper()
	if err := os.Remove(filepath.Join(p.Dir, path)); err != nil {
		p.Test.Fatal(err)
	}
}

// checkFiles compares the checkpoint files with those that files returned before.
func (p *project) checkFiles(want map[string]string) {
	p.Test.Helper()
	got := p.files()
	for path, src := range want {
		if have, ok := got[path]; !ok {
			p.Test.Errorf("%s is gone", path)
		} else if have != src {
			p.Test.Errorf("%s is\n%s\nwant\n%s", path, have, src)
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			p.Test.Errorf("%s is new", path)
		}
	}
}

// files returns the content of the Markdown files of the checkpoints folder, by path. In ref mode that is .ckpt/.
func (p *project) files() map[string]string {
	p.Test.Helper()
	all := map[string]string{}
	root := filepath.Join(p.Dir, p.Workspace().FilesDir())
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		rel, err := filepath.Rel(p.Dir, path)
		all[filepath.ToSlash(rel)] = p.Read(rel)
		return err
	})
	if err != nil {
		p.Test.Fatal(err)
	}
	return all
}

// failure is an error that a table wants. An empty text means no error.
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
