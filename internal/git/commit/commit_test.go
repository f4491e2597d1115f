package commit_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/gittest"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// gitIn runs git with something on its standard input.
func gitIn(t *testing.T, g *gittest.Repo, stdin string, args ...string) {
	t.Helper()
	cmd := g.Command("git", args...)
	cmd.Stdin = strings.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// zeroTrailer changes the index as index.skipHash does, which this git may not know.
func zeroTrailer(g *gittest.Repo) {
	path := filepath.Join(g.Dir, ".git", "index")
	data := []byte(g.Read(".git/index"))
	clear(data[len(data)-20:])
	if err := os.WriteFile(path, data, 0o644); err != nil {
		g.T.Fatal(err)
	}
}

// A setting with an unknown value is an error.
func TestStrangeSettings(t *testing.T) {
	for key, values := range map[string][]string{"ckpt.hooks": {"bogus", "true"}, "ckpt.fsync": {"bogus", "full"}} {
		for _, value := range values {
			g := gittest.New(t)
			g.Commit("base", gittest.Base()...)
			g.Git("config", key, value)
			_, err := prepare(t.Context(), g.Open(), gittest.Operation(), "m", noon)
			if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), value) || fault.HintOf(err) == "" {
				t.Errorf("%s=%s: %v, hint %q", key, value, err, fault.HintOf(err))
			}
		}
	}
}

// An object that is stored again gets a new time: gc may be about to remove it.
func TestObjectsAreMadeYoung(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	name := g.Git("hash-object", "-w", "checkpoints/z.txt")
	file := filepath.Join(g.Dir, ".git/objects", name[:2], name[2:])
	old := time.Now().Add(-30 * 24 * time.Hour)
	gittest.Must(t, os.Chtimes(file, old, old))
	record(t, g, change.File{Path: "checkpoints/n.md", After: []byte("z\n")})
	info, err := os.Stat(file)
	gittest.Must(t, err)
	if time.Since(info.ModTime()) > time.Hour {
		t.Errorf("%s is from %v", file, info.ModTime())
	}
}

// record commits files as an operation does: prepare, write, land.
func record(t *testing.T, g *gittest.Repo, files ...change.File) string {
	t.Helper()
	d, err := prepare(t.Context(), g.Open(), files, "ckpt: delta x: works\n\nCheckpoint: x\n", noon)
	gittest.Must(t, err)
	hash, err := d.Land(t.Context(), writing(g, files))
	gittest.Must(t, err)
	return hash
}

// writing returns a function that writes files, for Land.
func writing(g *gittest.Repo, files []change.File) func() error {
	return func() error {
		g.Apply(files)
		return nil
	}
}

// prepare prepares a commit wherever HEAD is.
func prepare(ctx context.Context, r *git.Repo, files []change.File, message string,
	now time.Time) (*commit.Draft, error) {
	on, err := r.Checkout()
	if err != nil {
		return nil, err
	}
	return commit.Of(r).Prepare(ctx, on, files, message, now)
}
