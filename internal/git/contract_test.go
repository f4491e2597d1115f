package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/git/gittest"
)

// shape is a repository in some state. Arrange gets one with a commit of
// base() in it, and returns the working tree to commit in.
type shape struct {
	name    string
	init    []string // more arguments for git init
	arrange func(t *testing.T, g *gittest.Repo) *gittest.Repo
}

func shapes() []shape {
	same := func(do func(g *gittest.Repo)) func(*testing.T, *gittest.Repo) *gittest.Repo {
		return func(_ *testing.T, g *gittest.Repo) *gittest.Repo { do(g); return g }
	}
	return []shape{
		{name: "plain", arrange: same(func(g *gittest.Repo) {})},
		{name: "index v3", arrange: same(func(g *gittest.Repo) {
			g.Git("update-index", "--index-version", "3")
			g.Git("update-index", "--skip-worktree", "dir/b.txt")
		})},
		{name: "index v4", arrange: same(func(g *gittest.Repo) { g.Git("update-index", "--index-version", "4") })},
		{name: "index v4 with flags", arrange: same(func(g *gittest.Repo) {
			g.Git("update-index", "--index-version", "4")
			g.Git("update-index", "--assume-unchanged", "dir/b.txt", "checkpoints/active/x.md")
			g.Git("update-index", "--skip-worktree", "checkpoints/z.txt")
		})},
		{name: "assume-unchanged", arrange: same(func(g *gittest.Repo) {
			g.Git("update-index", "--assume-unchanged", "dir/b.txt", "checkpoints/active/x.md")
		})},
		{name: "no cache tree", arrange: same(func(g *gittest.Repo) {
			g.Git("rm", "-q", "-r", "--cached", ".")
			g.Git("read-tree", "HEAD")
			g.Git("update-index", "--force-remove", "nothing")
		})},
		{name: "untracked cache", arrange: same(func(g *gittest.Repo) {
			g.Git("update-index", "--untracked-cache")
			g.Git("status")
			g.Git("status")
		})},
		{name: "index with a zero trailer", arrange: same(zeroTrailer)},
		{name: "index extensions EOIE and IEOT", arrange: same(func(g *gittest.Repo) {
			g.Git("config", "index.threads", "2")
			g.Git("config", "index.recordEndOfIndexEntries", "true")
			g.Git("config", "index.recordOffsetTable", "true")
			g.Git("update-index", "--force-write-index")
		})},
		{name: "resolved conflict remembered", arrange: same(func(g *gittest.Repo) {
			g.Git("checkout", "-q", "-b", "side")
			g.Commit("side", "dir/c.txt", "side\n")
			g.Git("checkout", "-q", "main")
			g.Commit("main", "dir/c.txt", "main\n")
			g.TryGit("merge", "side")
			g.Write("dir/c.txt", "both\n")
			g.Git("add", "dir/c.txt")
			g.Git("commit", "-q", "-m", "merged")
			g.TryGit("merge", "side")
		})},
		{name: "split index", arrange: same(func(g *gittest.Repo) { g.Git("update-index", "--split-index") })},
		{name: "sparse index", arrange: same(func(g *gittest.Repo) {
			g.Git("sparse-checkout", "set", "--sparse-index", "--cone", "checkpoints")
		})},
		{name: "SHA-256", init: []string{"--object-format=sha256"}, arrange: same(func(g *gittest.Repo) {})},
		{name: "partial clone without trees", arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			g.Git("config", "uploadpack.allowFilter", "true")
			g.Git("clone", "-q", "--no-checkout", "--filter=tree:0", "file://"+g.Dir, "../partial")
			at := g.At(filepath.Join(filepath.Dir(g.Dir), "partial"))
			at.Git("read-tree", "HEAD")
			at.Git("checkout-index", "-q", "-a")
			return at
		}},
		{name: "packed refs", arrange: same(func(g *gittest.Repo) { g.Git("pack-refs", "--all") })},
		{name: "packed objects", arrange: same(func(g *gittest.Repo) {
			for i := range 20 {
				g.Commit("grow", "checkpoints/active/x.md", strings.Repeat("line\n", i)+"one\n")
			}
			g.Commit("back", "checkpoints/active/x.md", "one\n")
			g.Git("gc", "-q")
		})},
		{name: "detached", arrange: same(func(g *gittest.Repo) { g.Git("checkout", "-q", "--detach") })},
		{name: "branch in a folder", arrange: same(func(g *gittest.Repo) {
			g.Git("checkout", "-q", "-b", "team/topic/x")
			g.Git("pack-refs", "--all")
		})},
		{name: "branch where a folder was", arrange: same(func(g *gittest.Repo) {
			g.Git("branch", "a/b/c")
			g.Git("branch", "-D", "a/b/c")
			g.Git("checkout", "-q", "-b", "a")
			g.Git("pack-refs", "--all")
			must(g.T.(*testing.T), os.MkdirAll(filepath.Join(g.Dir, ".git/refs/heads/a/b"), 0o755))
		})},
		{name: "symbolic branch", arrange: same(func(g *gittest.Repo) {
			g.Git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
			g.Git("symbolic-ref", "HEAD", "refs/heads/alias")
		})},
		{name: "no reflogs", arrange: same(func(g *gittest.Repo) { g.Git("config", "core.logAllRefUpdates", "false") })},
		{name: "linked worktree", arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			g.Git("worktree", "add", "-q", "-b", "topic", "../linked")
			return g.At(filepath.Join(filepath.Dir(g.Dir), "linked"))
		}},
		{name: "submodule", arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			outer := g.At(filepath.Join(filepath.Dir(g.Dir), "outer"))
			g.Git("init", "-q", outer.Dir)
			outer.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", g.Dir, "mods/sub")
			return g.At(filepath.Join(outer.Dir, "mods", "sub"))
		}},
		{name: "holds a submodule", arrange: same(func(g *gittest.Repo) {
			g.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", g.Dir, "mod")
			g.Git("commit", "-q", "-m", "mod")
		})},
		{name: "separate git folder", init: []string{"--separate-git-dir", "../elsewhere"}, arrange: same(func(g *gittest.Repo) {})},
		{name: "GIT_DIR and GIT_WORK_TREE", arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			moved := filepath.Join(filepath.Dir(g.Dir), "moved.git")
			must(t, os.Rename(filepath.Join(g.Dir, ".git"), moved))
			t.Setenv("GIT_DIR", moved)
			t.Setenv("GIT_WORK_TREE", g.Dir)
			return g
		}},
		{name: "core.worktree", arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			moved := filepath.Join(filepath.Dir(g.Dir), "moved.git")
			must(t, os.Rename(filepath.Join(g.Dir, ".git"), moved))
			t.Setenv("GIT_DIR", moved)
			g.Git("config", "core.worktree", g.Dir)
			return g
		}},
		{name: "GIT_INDEX_FILE", arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			mine := filepath.Join(t.TempDir(), "my-index")
			t.Setenv("GIT_INDEX_FILE", mine)
			g.Git("read-tree", "HEAD")
			return g
		}},
		{name: "sparse checkout without a sparse index", arrange: same(func(g *gittest.Repo) {
			g.Git("sparse-checkout", "set", "--no-sparse-index", "--cone", "checkpoints", "dir")
		})},
		{name: "alternates", arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			g.Git("gc", "-q")
			g.Git("clone", "-q", "--shared", g.Dir, "../shared")
			return g.At(filepath.Join(filepath.Dir(g.Dir), "shared"))
		}},
		{name: "shallow clone", arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			g.Commit("more", "more.txt", "1\n")
			g.Git("clone", "-q", "--depth", "1", "file://"+g.Dir, "../shallow")
			return g.At(filepath.Join(filepath.Dir(g.Dir), "shallow"))
		}},
		{name: "partial clone without blobs", arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			g.Git("config", "uploadpack.allowFilter", "true")
			g.Git("clone", "-q", "--filter=blob:none", "file://"+g.Dir, "../partial")
			return g.At(filepath.Join(filepath.Dir(g.Dir), "partial"))
		}},
		{name: "config that go-git cannot read", arrange: same(func(g *gittest.Repo) {
			g.Git("config", "branch.main.merge", "refs/pull/1/head")
			g.Git("config", "branch.main.rebase", "merges")
			g.Git("config", "pack.window", "10k")
			g.Write(".git/more", "[a.B]\n\tx = \xff\n")
			g.Git("config", "include.path", "more")
		})},
		{name: "fileMode=false", arrange: same(func(g *gittest.Repo) {
			g.Git("config", "core.fileMode", "false")
			g.Git("update-index", "--chmod=+x", "checkpoints/active/x.md")
			g.Git("commit", "-q", "-m", "x")
		})},
		{name: "autocrlf", arrange: same(func(g *gittest.Repo) { g.Git("config", "core.autocrlf", "true") })},
		{name: "attributes: text", arrange: same(func(g *gittest.Repo) { g.Commit("attrs", ".gitattributes", "*.md text eol=crlf\n") })},
		{name: "attributes: clean filter", arrange: same(func(g *gittest.Repo) {
			g.Git("config", "filter.up.clean", "tr a-z A-Z")
			g.Git("config", "filter.up.smudge", "tr A-Z a-z")
			g.Write(".git/info/attributes", "checkpoints/** filter=up\n")
			g.Git("add", "--renormalize", ".")
			g.Git("commit", "-q", "-m", "filtered")
		})},
		{name: "attributes: ident", arrange: same(func(g *gittest.Repo) { g.Commit("attrs", "checkpoints/.gitattributes", "* ident\n") })},
		{name: "umask and shared repository", init: []string{"--shared=group"}, arrange: same(func(g *gittest.Repo) {})},
	}
}

// base is what every shape has committed.
func base() []string {
	return []string{
		"a.txt", "a\n", "dir/b.txt", "b\n", "dir/c.txt", "c\n",
		"half.txt", "half\n", "deleted.txt", "deleted\n", "removed.txt", "removed\n",
		"checkpoints-old/a.md", "a\n", "checkpoints/z.txt", "z\n",
		"checkpoints/active/x.md", "one\n", "checkpoints/active/gone.md", "gone\n", "checkpoints/active/sub/y.md", "y\n",
	}
}

// work is everything a user may have going on while ckpt commits.
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

func operation() []change.File {
	return []change.File{
		{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("two\r\nlines $Id$\n")},
		{Path: "checkpoints/active/gone.md", Before: []byte("gone\n")},
		{Path: "checkpoints/archive/2026/gone.md", After: []byte("gone\n")},
		{Path: "checkpoints/active/sub/y.md", Before: []byte("y\n")},
		{Path: "checkpoints/active/empty.md", After: []byte{}},
	}
}

// The promise in every shape: our paths are committed, nothing else differs.
func TestCommitTouchesOnlyItsPaths(t *testing.T) {
	for _, s := range shapes() {
		for _, byGit := range []bool{false, true} {
			name := s.name
			if byGit {
				name += ", by git"
			}
			t.Run(name, func(t *testing.T) {
				g := gittest.New(t, s.init...)
				g.Commit("base", base()...)
				g = s.arrange(t, g)
				work(g)
				if s.name != "plain" {
					g.Git("config", "ckpt.fsync", "off") // for the time the test takes
				}
				if byGit {
					chooseGit(t, g)
				}
				checkCommit(t, g, operation())
			})
		}
	}
}

// chooseGit makes the git binary the cylinder: there is a hook that only it runs.
func chooseGit(t *testing.T, g *gittest.Repo) {
	t.Helper()
	g.Git("config", "ckpt.hooks", "all")
	g.Git("config", "core.hooksPath", filepath.Join(t.TempDir(), "hooks"))
	g.At("/").Script(filepath.Join(g.Git("config", "core.hooksPath"), "pre-commit"), "#!/bin/sh\nexit 0\n")
	name, why, err := open(t, g).Cylinder(t.Context())
	if name != "git" || why == "" || err != nil {
		t.Errorf("cylinder = %s, %s, %v", name, why, err)
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

	hash := commit(t, g, files...)

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
	for what, had := range logs {
		if now := reflogs(g)[what]; now != had+1 && had > 0 {
			t.Errorf("%s had %d entries and has %d", what, had, now)
		}
	}
	for path, flag := range flags(g) {
		if was, ok := indexFlags[path]; ok && was != flag && !(ours[path] && g.Git("config", "--get", "--default=", "ckpt.hooks") == "all") { // git drops assume-unchanged
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
		g.TryGit("rm", "-q", "--cached", "-f", "announced.txt")
		if got := g.Git("write-tree"); got != tree {
			t.Errorf("write-tree is %s with the cache tree, %s without", tree, got)
		}
	})
	if left, _ := filepath.Glob(filepath.Join(g.Dir, ".git", "ckpt", ".ckpt-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// observe is what git sees of everything but our paths.
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
