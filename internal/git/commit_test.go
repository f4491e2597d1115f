package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func TestCommitSmoke(t *testing.T) {
	g := gittest.New(t)
	g.Commit("first", "a.txt", "a\n", "checkpoints/active/x.md", "one\n", "checkpoints/active/gone.md", "gone\n")
	g.Write("staged.txt", "s\n")
	g.Git("add", "staged.txt")
	commit(t, g,
		change.File{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("two\n")},
		change.File{Path: "checkpoints/active/gone.md", Before: []byte("gone\n")},
		change.File{Path: "checkpoints/archive/new.md", After: []byte("new\n")})
	if got, want := g.Git("status", "--porcelain=v2"), "1 A. N... 000000 100644 100644 0000000000000000000000000000000000000000 "; !strings.HasPrefix(got, want) || strings.Contains(got, "\n") {
		t.Errorf("status:\n%s", got)
	}
	if out := g.Git("fsck", "--strict"); out != "" {
		t.Error(out)
	}
	t.Log(g.Git("log", "--stat"))
	t.Log(g.Git("reflog"))
}

// commit does with files what the gate does: prepare, write, land.
func commit(t *testing.T, g *gittest.Repo, files ...change.File) string {
	t.Helper()
	r, err := git.Open(g.Dir)
	must(t, err)
	d, err := r.Prepare(t.Context(), files, "ckpt: delta x: works\n\nCheckpoint: x\n", noon)
	must(t, err)
	write(t, g, files)
	hash, err := d.Land(t.Context())
	must(t, err)
	return hash
}

func write(t *testing.T, g *gittest.Repo, files []change.File) {
	t.Helper()
	for _, f := range files {
		if f.After == nil {
			must(t, os.Remove(filepath.Join(g.Dir, f.Path)))
		} else {
			g.Write(f.Path, string(f.After))
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v (%v)\nhint: %s", err, fault.KindOf(err), fault.HintOf(err))
	}
}

// gitIn runs git with something on its standard input.
func gitIn(t *testing.T, g *gittest.Repo, stdin string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = g.Dir, strings.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// zeroTrailer is what index.skipHash does, which this git may not know.
func zeroTrailer(g *gittest.Repo) {
	path := filepath.Join(g.Dir, ".git", "index")
	data := []byte(g.Read(".git/index"))
	clear(data[len(data)-20:])
	if err := os.WriteFile(path, data, 0o644); err != nil {
		g.T.Fatal(err)
	}
}

// A setting that ckpt does not know is no setting that it ignores.
func TestStrangeSettings(t *testing.T) {
	for key, values := range map[string][]string{"ckpt.hooks": {"bogus", "true"}, "ckpt.fsync": {"bogus", "full"}} {
		for _, value := range values {
			g := gittest.New(t)
			g.Commit("base", base()...)
			g.Git("config", key, value)
			_, err := open(t, g).Prepare(t.Context(), operation(), "m", noon)
			if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), value) || fault.HintOf(err) == "" {
				t.Errorf("%s=%s: %v, hint %q", key, value, err, fault.HintOf(err))
			}
		}
	}
}

// An object that is there already was perhaps about to be taken for garbage.
func TestObjectsAreMadeYoung(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", base()...)
	name := g.Git("hash-object", "-w", "checkpoints/z.txt")
	file := filepath.Join(g.Dir, ".git/objects", name[:2], name[2:])
	old := time.Now().Add(-30 * 24 * time.Hour)
	must(t, os.Chtimes(file, old, old))
	commit(t, g, change.File{Path: "checkpoints/n.md", After: []byte("z\n")})
	info, err := os.Stat(file)
	must(t, err)
	if time.Since(info.ModTime()) > time.Hour {
		t.Errorf("%s is from %v", file, info.ModTime())
	}
}
