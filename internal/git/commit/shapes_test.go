package commit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// shape is a repository in some state. Arrange gets a repository with a commit of
// gittest.Base(), and returns the working tree to commit in.
type shape struct {
	name    string
	since   [2]int   // the oldest git that has it; zero for any
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
			gittest.Must(g.T.(*testing.T), os.MkdirAll(filepath.Join(g.Dir, ".git/refs/heads/a/b"), 0o755))
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
			gittest.Must(t, os.Rename(filepath.Join(g.Dir, ".git"), moved))
			t.Setenv("GIT_DIR", moved)
			t.Setenv("GIT_WORK_TREE", g.Dir)
			return g
		}},
		{name: "core.worktree", arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			moved := filepath.Join(filepath.Dir(g.Dir), "moved.git")
			gittest.Must(t, os.Rename(filepath.Join(g.Dir, ".git"), moved))
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
		{name: "feature.manyFiles", arrange: same(func(g *gittest.Repo) {
			g.Git("config", "feature.manyFiles", "true")
			g.Git("update-index", "--force-write-index")
			g.Git("status")
		})},
		{name: "index.skipHash", since: [2]int{2, 40}, arrange: same(func(g *gittest.Repo) {
			g.Git("config", "index.skipHash", "true")
			g.Git("update-index", "--force-write-index")
		})},
		{name: "core.fsync=all", arrange: same(func(g *gittest.Repo) { g.Git("config", "core.fsync", "all") })},
		{name: "fsmonitor hook", arrange: same(func(g *gittest.Repo) {
			g.Script(".git/monitor", "#!/bin/sh\nprintf 'token\\0/\\0'\n") // everything may have changed
			g.Git("config", "core.fsmonitor", ".git/monitor")
			g.Git("update-index", "--fsmonitor")
			g.Git("status")
		})},
		{name: "configuration of a worktree", arrange: same(func(g *gittest.Repo) {
			g.Git("config", "extensions.worktreeConfig", "true")
			g.Git("config", "--worktree", "core.logAllRefUpdates", "always")
		})},
		{name: "linked worktree by a relative path", since: [2]int{2, 48}, arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			g.Git("worktree", "add", "-q", "--relative-paths", "-b", "topic", "../linked")
			return g.At(filepath.Join(filepath.Dir(g.Dir), "linked"))
		}},
		{name: "precious objects", arrange: same(func(g *gittest.Repo) {
			g.Git("config", "core.repositoryFormatVersion", "1")
			g.Git("config", "extensions.preciousObjects", "true")
		})},
		{name: "commit graph", arrange: same(func(g *gittest.Repo) { g.Git("commit-graph", "write", "--reachable") })},
		{name: "index of several packs", arrange: same(func(g *gittest.Repo) {
			g.Git("repack", "-q", "-d")
			g.Commit("more", "more.txt", "1\n")
			g.Git("repack", "-q", "-d")
			g.Git("multi-pack-index", "write")
		})},
		{name: "paths outside ASCII", arrange: same(func(g *gittest.Repo) {
			g.Commit("names", "Übung/ñ.txt", "1\n")
			g.Git("config", "core.quotePath", "true")
		})},
		{name: "submodules with encoded paths", since: [2]int{2, 54}, arrange: same(func(g *gittest.Repo) {
			g.Git("config", "core.repositoryFormatVersion", "1")
			g.Git("config", "extensions.submodulePathConfig", "true")
		})},
		{name: "hooks of the configuration", arrange: same(func(g *gittest.Repo) {
			g.Git("config", "hook.refuse.event", "pre-commit")
			g.Git("config", "hook.refuse.command", "false")
			g.Git("config", "hook.refuse.enabled", "false") // else git could not commit here
		})},
		{name: "reftable", since: [2]int{2, 45}, init: []string{"--ref-format=reftable"}, arrange: same(func(g *gittest.Repo) {})},
		{name: "reftable and SHA-256", since: [2]int{2, 45}, init: []string{"--ref-format=reftable", "--object-format=sha256"},
			arrange: same(func(g *gittest.Repo) {})},
		{name: "linked worktree with a reftable", since: [2]int{2, 45}, init: []string{"--ref-format=reftable"}, arrange: func(t *testing.T, g *gittest.Repo) *gittest.Repo {
			g.Git("worktree", "add", "-q", "-b", "topic", "../linked")
			return g.At(filepath.Join(filepath.Dir(g.Dir), "linked"))
		}},
		{name: "umask and shared repository", init: []string{"--shared=group"}, arrange: same(func(g *gittest.Repo) {})},
	}
}
