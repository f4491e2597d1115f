package commit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/gittest"
)

// work makes changes of every kind that a user may have while ckpt commits.
func work(g *gittest.Repo) {
	g.Write("staged.txt", "staged\n")
	g.Git("add", "--sparse", "staged.txt")
	g.Write("half.txt", "half staged\n")
	g.Git("add", "--sparse", "half.txt")
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
					g.Git("config", "ckpt.fsync", "off") // for the time the test takes
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
	before := observe(g, ours)
	parent, _ := g.TryGit("rev-parse", "-q", "--verify", "HEAD")
	logs := reflogs(g)
	indexFlags := flags(g)

	hash := record(t, g, files...)

	for what, now := range observe(g, ours) {
		if now != before[what] {
			t.Errorf("%s was\n%s\nand is\n%s", what, before[what], now)
		}
	}
	if out, err := g.TryGit("fsck", "--strict", "--no-dangling", "--no-progress"); err != nil || out != "" {
		t.Errorf("fsck: %v\n%s", err, out)
	}
	if head := g.Git("rev-parse", "HEAD"); head != hash {
		t.Errorf("HEAD is %s, Land said %s", head, hash)
	}
	if parents := g.Git("log", "-1", "--format=%P"); !strings.HasPrefix(parents, strings.TrimSpace(parent)) {
		t.Errorf("parents %q, want %q", parents, parent)
	}
	for path := range lines(g.Git("log", "-1", "--format=", "--name-only", "--no-renames")) {
		if !ours[path] {
			t.Errorf("committed %q", path)
		}
	}
	for path := range ours {
		if out := g.Git("status", "--porcelain", "--", path); out != "" {
			t.Errorf("left over: %s", out)
		}
	}
	for what, now := range reflogs(g) {
		if had := logs[what]; now != had+1 && had > 0 {
			t.Errorf("%s had %d entries and has %d", what, had, now)
		}
	}
	commits, err := commit.Of(g.Open()).ByGit(t.Context())
	gittest.Must(t, err)
	index, err := g.Open().Index().ByGit()
	gittest.Must(t, err)
	byGit := commits != "" || index != ""
	for path, flag := range flags(g) {
		if ours[path] && byGit {
			continue // git itself drops assume-unchanged here
		}
		if was, ok := indexFlags[path]; ok && was != flag {
			t.Errorf("%s has flag %s, had %s", path, flag, was)
		}
	}
	// The cache tree must agree with the entries: build the tree without it.
	fresh := filepath.Join(t.TempDir(), "fresh")
	tree := g.Git("write-tree")
	t.Run("write-tree", func(t *testing.T) {
		entries := g.Git("ls-files", "-s", "-z")
		if strings.Contains(g.Git("status", "--porcelain=v2"), "u ") {
			return
		}
		t.Setenv("GIT_INDEX_FILE", fresh)
		gitIn(t, g, entries, "update-index", "-z", "--index-info")
		g.Git("update-index", "--force-remove", "announced.txt")
		if got := g.Git("write-tree"); got != tree {
			t.Errorf("write-tree is %s with the cache tree, %s without", tree, got)
		}
	})
	if left, _ := filepath.Glob(filepath.Join(g.Dir, ".git", "ckpt", ".ckpt-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// observe returns what git shows of everything but our paths.
func observe(g *gittest.Repo, ours map[string]bool) map[string]string {
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
	return map[string]string{
		"status":        keep(g.Git("status", "--porcelain=v2", "--untracked-files=all", "--no-renames")),
		"entries":       keep(g.Git("ls-files", "-s")),
		"diff":          g.Git("diff", "--", ":/", ":(exclude)checkpoints/a*"),
		"diff --cached": g.Git("diff", "--cached", "--", ":/", ":(exclude)checkpoints/a*"),
		"refs":          g.Git("for-each-ref", "--format=%(refname)"),
		"symbolic HEAD": first(g.TryGit("symbolic-ref", "-q", "HEAD")),
	}
}

func reflogs(g *gittest.Repo) map[string]int {
	logs := map[string]int{}
	for _, ref := range []string{"HEAD", g.Git("rev-parse", "--symbolic-full-name", "HEAD")} {
		out, err := g.TryGit("reflog", "show", ref)
		if err == nil {
			logs["reflog of "+ref] = len(lines(out))
		}
	}
	return logs
}

func flags(g *gittest.Repo) map[string]string {
	flags := map[string]string{}
	for line := range lines(g.Git("ls-files", "-v")) {
		flag, path, _ := strings.Cut(line, " ")
		flags[path] = flag
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
