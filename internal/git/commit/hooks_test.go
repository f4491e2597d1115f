package commit_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
)

// With ckpt.hooks=all all hooks of the user run. Those before the commit see only our
// changes.
func TestAllHooksRun(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	g.Git("config", "ckpt.hooks", "all")
	log := filepath.Join(t.TempDir(), "log")
	for _, name := range []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"} {
		g.Script(".git/hooks/"+name, "#!/bin/sh\necho "+name+" $(git diff --cached --name-only) >>"+log+"\n")
	}
	g.Write("staged.txt", "mine\n")
	g.Git("add", "staged.txt")
	record(t, g, change.File{Path: "checkpoints/n.md", After: []byte("n\n")})
	data, err := os.ReadFile(log)
	gittest.Must(t, err)
	want := "pre-commit checkpoints/n.md\nprepare-commit-msg checkpoints/n.md\ncommit-msg checkpoints/n.md\npost-commit staged.txt\n"
	if string(data) != want {
		t.Errorf("hooks saw:\n%swant:\n%s", data, want)
	}
}

// A hook for code may refuse, or stash and restore unstaged changes, as lint-staged does.
// The user's own work stays as it is.
func TestCodeHooks(t *testing.T) {
	for _, c := range []struct {
		name, script string
		refuses      string // what the error says
	}{
		{"refuses", "echo 'no tests' >&2; exit 1", "no tests"},
		{"refuses without output", "exit 1", "it gave no reason"},
		{"hides unstaged edits and restores them", "git diff --binary >.git/hidden && git checkout -q -- . && git apply --whitespace=nowarn .git/hidden 2>/dev/null; true", ""},
		{"formats and adds", "for f in $(git diff --cached --name-only --diff-filter=AM); do echo formatted >>$f; git add $f; done", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("base", gittest.Base()...)
			g.Git("config", "ckpt.hooks", "all")
			g.Script(".git/hooks/pre-commit", "#!/bin/sh\n"+c.script+"\n")
			g.Write("staged.txt", "mine\n")
			g.Git("add", "staged.txt")
			g.Write("half.txt", "half staged\n")
			g.Git("add", "half.txt")
			g.Write("half.txt", "half staged, half not\n")
			g.Write("a.txt", "edited\n")
			files := []change.File{
				{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("two\n")},
				{Path: "checkpoints/n.md", After: []byte("n\n")},
			}
			ours := map[string]bool{files[0].Path: true, files[1].Path: true}
			head := g.Git("rev-parse", "HEAD")
			before, index := observe(g, ours)

			d, err := prepare(t.Context(), g.Open(), files, "m", noon)
			gittest.Must(t, err)
			_, err = d.Land(t.Context(), writing(g, files))
			if c.refuses != "" {
				if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), c.refuses) {
					t.Errorf("err = %v", err)
				}
				if g.Git("rev-parse", "HEAD") != head || g.Git("ls-files", "-s", "-v") != index {
					t.Error("something changed")
				}
				return
			}
			gittest.Must(t, err)
			if after, _ := observe(g, ours); !maps.Equal(after, before) {
				t.Errorf("was\n%q\nand is\n%q", before, after)
			}
			if got := g.Git("status", "--porcelain", "checkpoints"); got != "" {
				t.Errorf("left over: %s", got)
			}
		})
	}
}

// If a hook adds files and the signer fails, nothing is committed, and nothing else has changed.
func TestHookAddsAndTheSignerFails(t *testing.T) {
	for _, unborn := range []bool{false, true} {
		g := gittest.New(t)
		if !unborn {
			g.Commit("base", gittest.Base()...)
		}
		g.Git("config", "ckpt.hooks", "all")
		g.Script(".git/hooks/pre-commit", "#!/bin/sh\ngit add -A\n")
		g.Script(".git/fails", "#!/bin/sh\ncat >/dev/null\n: >.git/asked\nexit 1\n")
		g.Git("config", "commit.gpgSign", "true")
		g.Git("config", "gpg.program", filepath.Join(g.Dir, ".git/fails"))
		g.Write("untracked.txt", "untracked\n")
		g.Write("staged.txt", "mine\n")
		g.Git("add", "staged.txt")
		files := []change.File{{Path: "checkpoints/n.md", After: []byte("n\n")}}
		head, _ := g.TryGit("rev-parse", "-q", "--verify", "HEAD")
		index := g.Git("ls-files", "-s")

		d, err := prepare(t.Context(), g.Open(), files, "m", noon)
		gittest.Must(t, err)
		if _, err := d.Land(t.Context(), writing(g, files)); err == nil {
			t.Errorf("unborn %v: it says done", unborn)
		}
		if _, err := os.Stat(filepath.Join(g.Dir, ".git/asked")); err != nil {
			t.Fatal("the signer was not asked")
		}
		if now, _ := g.TryGit("rev-parse", "-q", "--verify", "HEAD"); now != head {
			t.Errorf("unborn %v: HEAD moved: %s", unborn, g.Git("log", "--oneline", "--name-only"))
		}
		if now := g.Git("ls-files", "-s"); now != index {
			t.Errorf("unborn %v: the index was\n%s\nand is\n%s", unborn, index, now)
		}
	}
}

func TestCommitMsgHook(t *testing.T) {
	for _, where := range []string{".git/hooks", ".husky"} {
		t.Run(where, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("base", gittest.Base()...)
			if where != ".git/hooks" {
				g.Git("config", "core.hooksPath", where)
			}
			g.Script(where+"/commit-msg", "#!/bin/sh\ngrep -q works \"$1\" || { echo 'say that it works' >&2; exit 1; }\nprintf '\\nChecked-in: %s\\n' \"$(pwd)\" >>\"$1\"\n")
			r := g.Open()
			found, err := r.Hooks().Names(t.Context())
			if !slices.Equal(found, []string{"commit-msg"}) || err != nil {
				t.Errorf("hooks = %v, %v", found, err)
			}
			record(t, g, gittest.Operation()...)
			if got := g.Git("log", "-1", "--format=%B"); !strings.Contains(got, "Checked-in: "+g.Dir) {
				t.Errorf("message: %s", got)
			}
			file := change.File{Path: "x.md", After: []byte("x")}
			_, err = prepare(t.Context(), r, []change.File{file}, "wip", noon)
			if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "say that it works") {
				t.Errorf("err = %v", err)
			}
			g.Git("config", "ckpt.hooks", "none")
			if _, err = prepare(t.Context(), g.Open(), []change.File{file}, "wip", noon); err != nil {
				t.Errorf("without hooks: %v", err)
			}
		})
	}
}
