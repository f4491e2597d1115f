package changes_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// TestTrailOfRandomHistories makes random changes of files, and compares the trail with
// what git shows: the tree of the base and the files that exist and are not ignored.
func TestTrailOfRandomHistories(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			g := gittest.New(t)
			files := []string{".gitignore", "*.log\n"}
			for i := range 8 {
				files = append(files, fmt.Sprintf("d%d/f%d.txt", i%3, i), text(r, i))
			}
			g.Commit("base", append(files, "checkpoints/c.md", "1\n")...)
			base := g.Git("rev-parse", "HEAD")
			var did []string
			for range 4 + r.IntN(14) {
				did = append(did, act(r, g))
			}
			got := map[string]string{}
			for _, f := range trail(t, g, base).Files {
				got[f.Path] = f.Action
				if f.Renamed {
					got[f.Path], got[f.From] = "created", "deleted"
				}
			}
			want := between(t, g, base)
			for path, action := range want {
				if got[path] != action {
					t.Errorf("%s: %q, not %q", path, got[path], action)
				}
			}
			for path, action := range got {
				// A file that was changed and changed back is touched, too.
				if want[path] == "" && !(action == "modified" && held(g, base, path)) {
					t.Errorf("%s: %q, and git sees no change", path, action)
				}
			}
			if t.Failed() {
				t.Logf("%s\n%s", strings.Join(did, "\n"), g.Git("status", "--short"))
			}
		})
	}
}

// act makes one random change in the repository, and returns its description.
func act(r *rand.Rand, g *gittest.Repo) string {
	tracked := slices.DeleteFunc(strings.Fields(g.Git("ls-files")), func(f string) bool {
		_, err := os.Lstat(filepath.Join(g.Dir, f))
		return err != nil || strings.HasPrefix(f, "checkpoints/") || f == ".gitignore"
	})
	one := func() string { return tracked[r.IntN(len(tracked))] }
	fresh := fmt.Sprintf("d%d/n%d.txt", r.IntN(4), r.IntN(1000))
	kind := r.IntN(11)
	if len(tracked) == 0 {
		kind = 0
	}
	switch kind {
	case 0:
		g.Write(fresh, text(r, 100+r.IntN(1000)))
		return "untracked " + fresh
	case 1:
		g.Write(fresh, text(r, 100+r.IntN(1000)))
		g.Git("add", fresh)
		return "stage " + fresh
	case 2:
		f := one()
		g.Write(f, text(r, r.IntN(1000)))
		return "edit " + f
	case 3:
		f := one()
		g.Write(f, text(r, r.IntN(1000)))
		g.Git("add", f)
		return "edit and stage " + f
	case 4:
		f := one()
		remove(g, f)
		return "remove " + f
	case 5:
		f := one()
		g.TryGit("rm", "-q", "-f", f)
		return "git rm " + f
	case 6:
		f := one()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(g.Dir, fresh)), 0o777); err != nil {
			g.T.Fatal(err)
		}
		g.TryGit("mv", f, fresh)
		return "git mv " + f + " " + fresh
	case 7:
		g.Write("d1/x.log", "ignored")
		g.Write("checkpoints/c.md", text(r, r.IntN(1000)))
		return "ignored and excluded"
	case 8:
		f := one()
		g.TryGit("checkout", "-q", "HEAD", "--", f)
		return "restore " + f
	case 9:
		g.TryGit("commit", "-q", "-m", "staged only")
		return "commit what is staged"
	}
	g.Git("add", "-A")
	g.TryGit("commit", "-q", "-m", "all")
	return "commit all"
}

// between returns the differences between the base's tree and the working tree, by path.
// A rename is a deletion and a creation.
func between(t *testing.T, g *gittest.Repo, base string) map[string]string {
	t.Helper()
	all := map[string]string{}
	index := filepath.Join(t.TempDir(), "index")
	t.Setenv("GIT_INDEX_FILE", index)
	g.Git("read-tree", base)
	g.Git("add", "-A")
	for line := range strings.Lines(g.Git("diff", "--cached", "--name-status", "--no-renames", base)) {
		kind, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if !strings.HasPrefix(path, "checkpoints/") {
			all[path] = map[string]string{"A": "created", "M": "modified", "D": "deleted"}[kind]
		}
	}
	if err := os.Unsetenv("GIT_INDEX_FILE"); err != nil {
		t.Fatal(err)
	}
	return all
}

// held reports whether a commit has a file.
func held(g *gittest.Repo, commit, path string) bool {
	return g.Git("ls-tree", "--name-only", commit, "--", path) != ""
}

// text returns random lines that begin with n.
func text(r *rand.Rand, n int) string {
	var b strings.Builder
	for range 3 + r.IntN(10) {
		fmt.Fprintf(&b, "%d line %d\n", n, r.IntN(100_000))
	}
	return b.String()
}
