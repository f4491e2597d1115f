package commit_test

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/gittest"
)

// work makes changes of every kind that a user may have while ckpt commits.
func work(g *gittest.Repo) {
	g.Write("staged.txt", "staged\n")
	g.Write("half.txt", "half staged\n")
	g.Git("add", "--sparse", "staged.txt", "half.txt")
	g.Write("half.txt", "half staged, half not\n")
	g.Write("announced.txt", "announced\n")
	g.Git("add", "--sparse", "-N", "announced.txt")
	g.Write("untracked.txt", "untracked\n")
	g.Write("checkpoints/notes.txt", "untracked\n")
	g.Write("checkpoints/z.txt", "edited\n")
	os.Remove(filepath.Join(g.Dir, "deleted.txt"))
	g.Git("rm", "-q", "--sparse", "removed.txt")
}

// The promise in every shape: our paths are committed, nothing else differs.
func TestCommitTouchesOnlyItsPaths(t *testing.T) { withEveryGit(t, commitsTouchOnlyTheirPaths) }

func commitsTouchOnlyTheirPaths(t *testing.T) {
	for _, s := range shapes() {
		for _, byGit := range []bool{false, true} {
			name := s.name
			if byGit {
				name += ", by git"
			}
			t.Run(name, func(t *testing.T) {
				if byGit && testing.Short() {
					t.Skip("many processes")
				}
				needsGit(t, s.since[0], s.since[1])
				g := gittest.New(t, s.init...)
				g.Commit("base", gittest.Base()...)
				g = s.arrange(t, g)
				work(g)
				if s.name != "plain" {
					g.Git("config", "ckpt.fsync", "off") // makes the test faster
				}
				if byGit {
					chooseGit(t, g)
				}
				checkCommit(t, g, gittest.Operation())
			})
		}
	}
}

// chooseGit makes git make the commits, by a hook that only git runs.
func chooseGit(t *testing.T, g *gittest.Repo) {
	t.Helper()
	g.Git("config", "ckpt.hooks", "all")
	g.Git("config", "core.hooksPath", filepath.Join(t.TempDir(), "hooks"))
	g.At("/").Script(filepath.Join(g.Git("config", "core.hooksPath"), "pre-commit"), "#!/bin/sh\nexit 0\n")
	if why, err := commit.Of(g.Open()).ByGit(t.Context()); why == "" || err != nil {
		t.Errorf("by git: %q, %v", why, err)
	}
}

// checkCommit commits files and compares everything around them with before.
func checkCommit(t *testing.T, g *gittest.Repo, files []change.File) {
	t.Helper()
	ours := map[string]bool{}
	for _, f := range files {
		ours[f.Path] = true
	}
	before, entries := observe(g, ours)
	parent, _ := g.TryGit("rev-parse", "-q", "--verify", "HEAD")
	logs := reflogs(g, before["symbolic HEAD"])

	hash := record(t, g, files...)

	after, entriesAfter := observe(g, ours)
	for what, now := range after {
		if now != before[what] {
			t.Errorf("%s was\n%s\nand is\n%s", what, before[what], now)
		}
	}
	if out, err := g.TryGit("fsck", "--strict", "--no-dangling", "--no-progress"); err != nil || out != "" {
		t.Errorf("fsck: %v\n%s", err, out)
	}
	made, committed, _ := strings.Cut(g.Git("log", "-1", "--format=%H %P", "--name-only", "--no-renames"), "\n\n")
	if want := hash + " " + strings.TrimSpace(parent); !strings.HasPrefix(made, want) {
		t.Errorf("HEAD and its parents are %q, want %q", made, want)
	}
	for path := range lines(committed) {
		if !ours[path] {
			t.Errorf("committed %q", path)
		}
	}
	if out := g.Git(append([]string{"status", "--porcelain", "--"}, slices.Collect(maps.Keys(ours))...)...); out != "" {
		t.Errorf("left over: %s", out)
	}
	for what, now := range reflogs(g, before["symbolic HEAD"]) {
		if had := logs[what]; now != had+1 && had > 0 {
			t.Errorf("%s had %d entries and has %d", what, had, now)
		}
	}
	commits, err := commit.Of(g.Open()).ByGit(t.Context())
	gittest.Must(t, err)
	index, err := g.Open().Index().ByGit()
	gittest.Must(t, err)
	byGit := commits != "" || index != ""
	indexFlags := flags(entries)
	for path, flag := range flags(entriesAfter) {
		if ours[path] && byGit {
			continue // git itself drops assume-unchanged here
		}
		if was, ok := indexFlags[path]; ok && was != flag {
			t.Errorf("%s has flag %s, had %s", path, flag, was)
		}
	}
	// The cache tree must agree with the entries: build the tree without it.
	tree := g.Git("write-tree")
	t.Run("write-tree", func(t *testing.T) {
		if strings.Contains(after["status"], "u ") {
			return
		}
		entries = regexp.MustCompile(`(?m)^(.*\tannounced\.txt\n|. )`).ReplaceAllString(entriesAfter, "")
		t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "fresh"))
		gitIn(t, g, entries, "update-index", "--index-info")
		if got := g.Git("write-tree"); got != tree {
			t.Errorf("write-tree is %s with the cache tree, %s without", tree, got)
		}
	})
	if left, _ := filepath.Glob(filepath.Join(g.Dir, ".git", "ckpt", ".ckpt-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// observe returns what git shows of everything but our paths, and all entries of the index. The status has
// the hashes of everything that is staged.
func observe(g *gittest.Repo, ours map[string]bool) (seen map[string]string, entries string) {
	keep := func(out string) string {
		var kept []string
		for line := range strings.Lines(out) {
			line = strings.TrimSuffix(line, "\n")
			i := strings.LastIndexAny(line, " \t")
			if !ours[line[i+1:]] {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "\n")
	}
	entries = g.Git("ls-files", "-s", "-v")
	return map[string]string{
		"status":        keep(g.Git("status", "--porcelain=v2", "--untracked-files=all", "--no-renames")),
		"entries":       keep(entries),
		"diff":          g.Git("diff", "--", ":/", ":(exclude)checkpoints/a*"),
		"refs":          g.Git("for-each-ref", "--format=%(refname)"),
		"symbolic HEAD": first(g.TryGit("symbolic-ref", "-q", "HEAD")),
	}, entries
}

// reflogs returns the number of entries in the reflogs of HEAD and of a branch, if it is not empty.
func reflogs(g *gittest.Repo, branch string) map[string]int {
	logs := map[string]int{}
	out, _ := g.TryGit("log", "-g", "--format=%gD", "HEAD", cmp.Or(branch, "HEAD"), "--")
	for entry := range lines(out) {
		ref, _, _ := strings.Cut(entry, "@")
		logs["reflog of "+ref]++
	}
	return logs
}

func flags(entries string) map[string]string {
	flags := map[string]string{}
	for line := range lines(entries) {
		flags[line[strings.IndexByte(line, '\t')+1:]] = line[:1]
	}
	return flags
}

func lines(out string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(out) {
		set[strings.TrimSuffix(line, "\n")] = true
	}
	return set
}

func first(s string, _ error) string { return s }
