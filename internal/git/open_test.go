package git_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
)

func TestOpenAgreesWithGit(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", base()...)
	g.Git("worktree", "add", "-q", "../linked")
	for _, dir := range []string{g.Dir, filepath.Join(g.Dir, "dir"), filepath.Join(g.Dir, "../linked"), filepath.Join(g.Dir, "../linked/dir")} {
		at := g.At(dir)
		r := open(t, at)
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

func TestOpenRefuses(t *testing.T) {
	gittest.SetEnv(t)
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
	must(t, os.WriteFile(filepath.Join(empty, ".git"), []byte("gitdir: gone\n"), 0o644))
	if _, err := git.Open(empty); fault.KindOf(err) != fault.NotFound {
		t.Errorf("dangling .git file: %v", err)
	}
	must(t, os.Remove(filepath.Join(empty, ".git")))
	r, err := git.Init(t.Context(), empty)
	must(t, err)
	if r.Root() == "" || r.InProgress() != "" {
		t.Errorf("after init: %q, %q", r.Root(), r.InProgress())
	}
}

func TestInProgress(t *testing.T) {
	conflict := func(g *gittest.Repo) {
		g.Git("checkout", "-q", "-b", "side")
		g.Commit("side", "a.txt", "side\n")
		g.Git("checkout", "-q", "main")
		g.Commit("main", "a.txt", "main\n")
	}
	for want, args := range map[string][]string{
		"merge":       {"merge", "side"},
		"rebase":      {"rebase", "side"},
		"cherry-pick": {"cherry-pick", "side"},
		"revert":      {"revert", "--no-edit", "HEAD~1"},
		"bisect":      {"bisect", "start"},
	} {
		g := gittest.New(t)
		g.Commit("base", base()...)
		conflict(g)
		g.TryGit(args...)
		if got := open(t, g).InProgress(); got != want {
			t.Errorf("in progress: %q, want %q", got, want)
		}
	}
}

func TestInsideAHookOfACommit(t *testing.T) {
	g := gittest.New(t)
	g.Script(".git/hooks/pre-commit", "#!/bin/sh\nenv | grep ^GIT_ >.git/seen\n")
	g.Commit("base", "a.txt", "a\n")
	r := open(t, g)
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
	g.Git("config", "remote.Up.url", "line\nbreak")
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "user.name")
	t.Setenv("GIT_CONFIG_VALUE_0", "Env")
	r := open(t, g)
	for key, want := range map[string]string{
		"user.name": "Env", "user.email": "inc@example.com", "ckpt.flag": "true", "remote.Up.url": "line\nbreak",
	} {
		if got, ok, err := r.Config().Get(t.Context(), key); got != want || !ok || err != nil {
			t.Errorf("%s = %q, %v, %v", key, got, ok, err)
		}
	}
	if _, ok, err := r.Config().Get(t.Context(), "no.such"); ok || err != nil {
		t.Errorf("no.such: %v, %v", ok, err)
	}
}

// Author and committer are as git itself would have them.
func TestIdentityAgreesWithGit(t *testing.T) {
	for _, c := range []struct {
		name   string
		env    map[string]string // "" removes
		config map[string]string
	}{
		{name: "environment"},
		{name: "user.*", env: map[string]string{"GIT_AUTHOR_NAME": "", "GIT_AUTHOR_EMAIL": "", "GIT_COMMITTER_NAME": "", "GIT_COMMITTER_EMAIL": ""},
			config: map[string]string{"user.name": " Ann <O'Neil>.", "user.email": "<ann@example.com>"}},
		{name: "author.* and committer.*", env: map[string]string{"GIT_AUTHOR_NAME": "", "GIT_COMMITTER_EMAIL": ""},
			config: map[string]string{"user.name": "Ann", "author.name": "Au", "committer.email": "c@example.com", "author.email": "x@example.com"}},
		{name: "EMAIL", env: map[string]string{"GIT_AUTHOR_EMAIL": "", "EMAIL": "mail@example.com"}},
		{name: "dates", env: map[string]string{"GIT_AUTHOR_DATE": "Fri, 02 Jan 2026 03:04:05 +0200", "GIT_COMMITTER_DATE": "2026-05-06T07:08:09-03:00"}},
		{name: "a date in words", env: map[string]string{"GIT_AUTHOR_DATE": "2026.05.06 07:08:09 +0100", "GIT_COMMITTER_DATE": "May 6 07:08:09 2026 +0100"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gittest.New(t)
			for name, value := range c.env {
				t.Setenv(name, value)
				if value == "" {
					os.Unsetenv(name)
				}
			}
			for key, value := range c.config {
				g.Git("config", key, value)
			}
			commit(t, g, change.File{Path: "x.md", After: []byte("x")})
			ours := g.Git("cat-file", "commit", "HEAD")
			g.Git("commit", "-q", "--allow-empty", "-m", "by git")
			theirs := g.Git("cat-file", "commit", "HEAD")
			for _, role := range []string{"author ", "committer "} {
				if a, b := line(ours, role), line(theirs, role); a != b {
					t.Errorf("ours   %s\ntheirs %s", a, b)
				}
			}
		})
	}
}

func TestTimeOfTheCommit(t *testing.T) {
	g := gittest.New(t)
	for _, name := range []string{"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
	commit(t, g, change.File{Path: "x.md", After: []byte("x")})
	if got := g.Git("log", "-1", "--format=%ai, %ci"); got != "2026-03-04 12:00:00 +0000, 2026-03-04 12:00:00 +0000" {
		t.Error(got)
	}
}

func TestCommitMsgHook(t *testing.T) {
	for _, where := range []string{".git/hooks", ".husky"} {
		t.Run(where, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("base", base()...)
			if where != ".git/hooks" {
				g.Git("config", "core.hooksPath", where)
			}
			g.Script(where+"/commit-msg", "#!/bin/sh\ngrep -q works \"$1\" || { echo 'say that it works' >&2; exit 1; }\nprintf '\\nChecked-in: %s\\n' \"$(pwd)\" >>\"$1\"\n")
			r := open(t, g)
			found, err := r.Hooks().Names(t.Context())
			if !slices.Equal(found, []string{"commit-msg"}) || err != nil {
				t.Errorf("hooks = %v, %v", found, err)
			}
			commit(t, g, operation()...)
			if got := g.Git("log", "-1", "--format=%B"); !strings.Contains(got, "Checked-in: "+g.Dir) {
				t.Errorf("message: %s", got)
			}
			file := change.File{Path: "x.md", After: []byte("x")}
			_, err = r.Prepare(t.Context(), []change.File{file}, "wip", noon)
			if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "say that it works") {
				t.Errorf("err = %v", err)
			}
			g.Git("config", "ckpt.hooks", "none")
			if _, err = open(t, g).Prepare(t.Context(), []change.File{file}, "wip", noon); err != nil {
				t.Errorf("without hooks: %v", err)
			}
		})
	}
}

func line(text, prefix string) string {
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, prefix) {
			return strings.TrimSpace(l)
		}
	}
	return ""
}
