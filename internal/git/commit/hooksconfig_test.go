package commit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
)

// Hooks of the configuration run like those in the folder, whoever makes the commit:
// commit-msg by default, all or none with that value of ckpt.hooks.
func TestConfigHooks(t *testing.T) {
	withEveryGit(t, func(t *testing.T) {
		needsGit(t, 2, 54)
		for _, init := range [][]string{nil, {"--ref-format=reftable"}} {
			g := gittest.New(t, init...)
			g.Commit("base", gittest.Base()...)
			log := filepath.Join(t.TempDir(), "log")
			ran := func() string {
				data, _ := os.ReadFile(log)
				_ = os.Remove(log)
				return string(data)
			}
			for _, event := range []string{"pre-commit", "post-commit", "post-index-change", "commit-msg"} {
				g.Git("config", "hook.a."+event+".event", event)
				g.Git("config", "hook.a."+event+".command", "echo "+event+" >>"+log+";:")
			}
			g.Git("config", "hook.policy.event", "pre-push")
			g.Git("config", "--add", "hook.policy.event", "commit-msg")
			g.Git("config", "hook.policy.command", `sh -c 'grep -q works "$1" || { echo say that it works >&2; exit 1; }' --`)
			g.Script(".git/hooks/commit-msg", "#!/bin/sh\necho folder >>"+log+"\nprintf '\\nChecked-in: %s\\n' \"$(pwd)\" >>\"$1\"\n")
			ran()

			found, err := g.Open().Hooks().Names(t.Context())
			want := []string{"pre-commit (git config hook.a.pre-commit)", "commit-msg", "commit-msg (git config hook.a.commit-msg)",
				"commit-msg (git config hook.policy)", "post-commit (git config hook.a.post-commit)", "post-index-change (git config hook.a.post-index-change)"}
			if err != nil || !slices.Equal(found, want) {
				t.Errorf("hooks = %q, %v", found, err)
			}

			record(t, g, gittest.Operation()...)
			if got := ran(); got != "commit-msg\nfolder\n" {
				t.Errorf("%v: by default these ran:\n%s", init, got)
			}
			if got := g.Git("log", "-1", "--format=%B"); !strings.Contains(got, "Checked-in: "+g.Dir) {
				t.Errorf("message: %s", got)
			}

			file := change.File{Path: "x.md", After: []byte("x")}
			_, err = prepare(t.Context(), g.Open(), []change.File{file}, "wip", noon)
			if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "say that it works") {
				t.Errorf("err = %v", err)
			}
			ran()
			g.Git("config", "hook.policy.enabled", "false")
			if _, err = prepare(t.Context(), g.Open(), []change.File{file}, "wip", noon); err != nil {
				t.Errorf("disabled: %v", err)
			}

			ran()
			g.Git("config", "ckpt.hooks", "none")
			record(t, g, file)
			if got := ran(); got != "" {
				t.Errorf("%v: with none these ran:\n%s", init, got)
			}

			g.Git("config", "ckpt.hooks", "all")
			record(t, g, change.File{Path: "y.md", After: []byte("y")})
			got := ran()
			for _, event := range []string{"pre-commit", "commit-msg", "folder", "post-commit", "post-index-change"} {
				if !strings.Contains("\n"+got, "\n"+event+"\n") {
					t.Errorf("%v: with all %s did not run:\n%s", init, event, got)
				}
			}
		}
	})
}

// All events of a hook count, except those before an empty one. A disabled hook does not
// count. A git before 2.54 runs none of them.
func TestConfigHooksAreNamed(t *testing.T) {
	g := gittest.New(t)
	for _, setting := range [][2]string{
		{"several.event", "pre-commit"}, {"several.event", "commit-msg"},
		{"reset.event", "pre-commit"}, {"reset.event", ""}, {"reset.event", "post-commit"},
		{"off.event", "pre-commit"}, {"off.enabled", "false"},
		{"on.event", "commit-msg"}, {"on.enabled", "false"}, {"on.enabled", "true"},
		{"dots.in.Name.event", "pre-commit"},
		{"else.event", "pre-push"},
	} {
		g.Git("config", "--add", "hook."+setting[0], setting[1])
	}
	for version, want := range map[string][]string{
		"2.53.9": nil,
		"2.54.0": {"pre-commit (git config hook.dots.in.Name)", "pre-commit (git config hook.several)", "commit-msg (git config hook.on)",
			"commit-msg (git config hook.several)", "post-commit (git config hook.reset)"},
	} {
		t.Run(version, func(t *testing.T) {
			if _, err := exec.LookPath("sh"); err != nil {
				t.Skip("sh is missing")
			}
			real, err := exec.LookPath("git")
			gittest.Must(t, err)
			bin := g.At(t.TempDir())
			bin.Script("git", "#!/bin/sh\n[ \"$1\" = version ] && echo git version "+version+" && exit\nexec "+real+" \"$@\"\n")
			t.Setenv("PATH", bin.Dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
			if found, err := g.Open().Hooks().Names(t.Context()); err != nil || !slices.Equal(found, want) {
				t.Errorf("hooks = %q, %v", found, err)
			}
		})
	}
}
