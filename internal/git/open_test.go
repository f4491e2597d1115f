package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
)

func TestOpenAgreesWithGit(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	g.Git("worktree", "add", "-q", "../linked")
	for _, dir := range []string{g.Dir, filepath.Join(g.Dir, "dir"), filepath.Join(g.Dir, "../linked"), filepath.Join(g.Dir, "../linked/dir")} {
		at := g.At(dir)
		r := at.Open()
		for what, got := range map[string]string{
			"--show-toplevel": r.Root(), "--absolute-git-dir": r.GitDir(),
		} {
			if want := at.Git("rev-parse", what); got != want {
				t.Errorf("in %s: %s is %s, want %s", dir, what, got, want)
			}
		}
		if want := at.Git("rev-parse", "--path-format=absolute", "--git-common-dir"); r.CommonDir() != want {
			t.Errorf("in %s: common dir %s, want %s", dir, r.CommonDir(), want)
		}
	}
}

// TestOpenBelowACeiling finds the repositories that git finds with GIT_CEILING_DIRECTORIES.
func TestOpenBelowACeiling(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	above := filepath.Dir(g.Dir)
	link := filepath.Join(t.TempDir(), "link")
	_ = os.Symlink(g.Dir, link) // without a link, git ignores the folder, too
	two := "/none" + string(os.PathListSeparator) + g.Dir
	for _, ceiling := range []string{above, g.Dir, g.Dir + "/", link, two, filepath.Join(g.Dir, "dir"), "."} {
		for _, dir := range []string{g.Dir, filepath.Join(g.Dir, "dir")} {
			t.Setenv("GIT_CEILING_DIRECTORIES", ceiling)
			at := g.At(dir)
			_, want := at.TryGit("rev-parse", "--git-dir")
			if _, err := git.Open(dir); (err == nil) != (want == nil) {
				t.Errorf("ceiling %s, in %s: %v, git: %v", ceiling, dir, err, want)
			}
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	envtest.Set(t)
	empty := t.TempDir()
	if _, err := git.Open(empty); fault.KindOf(err) != fault.NotFound || fault.HintOf(err) != "ckpt init --git" {
		t.Errorf("no repository: %v", err)
	}
	g := gittest.New(t, "--bare")
	if _, err := git.Open(g.Dir); fault.KindOf(err) != fault.Unsupported {
		t.Errorf("bare: %v", err)
	}
	h := gittest.New(t)
	if _, err := git.Open(filepath.Join(h.Dir, ".git", "hooks")); fault.KindOf(err) != fault.Unsupported {
		t.Errorf("inside .git: %v", err)
	}
	gittest.Must(t, os.WriteFile(filepath.Join(empty, ".git"), []byte("gitdir: gone\n"), 0o644))
	if _, err := git.Open(empty); fault.KindOf(err) != fault.NotFound {
		t.Errorf("dangling .git file: %v", err)
	}
	gittest.Must(t, os.Remove(filepath.Join(empty, ".git")))
	r, err := git.Init(t.Context(), empty)
	gittest.Must(t, err)
	if r.Root() == "" || r.InProgress() != "" {
		t.Errorf("after init: %q, %q", r.Root(), r.InProgress())
	}
}

func TestInProgress(t *testing.T) {
	t.Run("files", func(t *testing.T) { inProgress(t) })
	t.Run("reftable", func(t *testing.T) {
		if envtest.Command("git", "init", "-q", "--ref-format=reftable", t.TempDir()).Run() != nil {
			t.Skip("this git has no reftable")
		}
		inProgress(t, "--ref-format=reftable")
	})
}

func inProgress(t *testing.T, initArgs ...string) {
	for want, args := range map[string][]string{
		"":            {"status"},
		"merge":       {"merge", "side"},
		"rebase":      {"rebase", "side"},
		"cherry-pick": {"cherry-pick", "side"},
		"revert":      {"revert", "--no-edit", "HEAD~1"},
		"bisect":      {"bisect", "start"},
	} {
		g := gittest.New(t, initArgs...)
		g.Commit("base", gittest.Base()...)
		g.Git("checkout", "-q", "-b", "side")
		g.Commit("side", "a.txt", "side\n")
		g.Git("checkout", "-q", "main")
		g.Commit("main", "a.txt", "main\n")
		g.TryGit(args...)
		if got := g.Open().InProgress(); got != want {
			t.Errorf("in progress: %q, want %q", got, want)
		}
	}
}

func TestInsideAHookOfACommit(t *testing.T) {
	g := gittest.New(t)
	g.Script(".git/hooks/pre-commit", "#!/bin/sh\nenv | grep ^GIT_ >.git/seen\n")
	g.Commit("base", "a.txt", "a\n")
	r := g.Open()
	for l := range strings.Lines(g.Read(".git/seen")) {
		name, value, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "=")
		t.Setenv(name, value)
	}
	if got := r.InProgress(); got != "commit" {
		t.Errorf("in progress: %q", got)
	}
}

func TestConfig(t *testing.T) {
	g := gittest.New(t)
	g.Git("config", "user.name", "Ann")
	g.Write("../inc", "[user]\n\temail = inc@example.com\n[ckpt]\n\tflag\n")
	g.Git("config", "includeIf.gitdir:"+g.Dir+"/.path", filepath.Join(g.Dir, "../inc"))
	g.Git("config", "merge.Up.name", "line\nbreak")
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "user.name")
	t.Setenv("GIT_CONFIG_VALUE_0", "Env")
	r := g.Open()
	for key, want := range map[string]string{
		"user.name": "Env", "user.email": "inc@example.com", "ckpt.flag": "true", "merge.Up.name": "line\nbreak",
	} {
		if got, ok, err := r.Config().Get(t.Context(), key); got != want || !ok || err != nil {
			t.Errorf("%s = %q, %v, %v", key, got, ok, err)
		}
	}
	if _, ok, err := r.Config().Get(t.Context(), "no.such"); ok || err != nil {
		t.Errorf("no.such: %v, %v", ok, err)
	}
}
