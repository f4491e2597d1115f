package setup

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
)

// clone is a repository in a folder, without git.
type clone string

func (c clone) Root() string          { return string(c) }
func (c clone) CommonDir() string     { return filepath.Join(string(c), ".git") }
func (c clone) Sharing() disk.Sharing { return disk.Sharing{} }

func (c clone) Lock(context.Context, disk.Mode) (func(), error) { return func() {}, nil }

// at returns a place in a new folder with files.
func at(t *testing.T, files map[string]string) Place {
	t.Helper()
	root, home := disk.Real(t.TempDir()), disk.Real(t.TempDir())
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"HOME": home}
	return Place{Repo: clone(root), Folder: "checkpoints", Files: "checkpoints", Getenv: func(name string) string { return env[name] }}
}

// tree returns the files and folders below a folder, but only the files of a git folder.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == filepath.Join(root, ".git") {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() {
			if !strings.HasPrefix(rel, ".git"+string(filepath.Separator)) {
				files[rel] = "folder"
			}
			return nil
		}
		src, err := os.ReadFile(path)
		files[rel] = string(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var permissions = "{\n\t\"permissions\": {\"allow\": [\"Bash(ls:*)\"], \"deny\": [\"Bash(ckpt delta:*)\"]}\n}\n"

func TestSetupAndBack(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"empty":        {},
		"instructions": {"AGENTS.md": "# Rules\r\n\r\nBe kind.", "CLAUDE.md": "@AGENTS.md\n"},
		"settings":     {".claude/settings.json": permissions, ".codex/config.toml": "model = \"o3\"", "opencode.json": `{"theme":"dark"}`, ".cursor/hooks.json": `{"version":1,"hooks":{"stop":[{"command":"mine"}]}}`},
	} {
		for _, scope := range []settings.Scope{settings.Project, settings.Local, settings.User} {
			for _, a := range settings.All() {
				t.Run(name+"/"+string(scope)+"/"+a.Name, func(t *testing.T) {
					place := at(t, files)
					before, home := tree(t, place.Repo.Root()), tree(t, place.Getenv("HOME"))
					req := Request{Agents: []string{a.Name}, Scope: scope, Server: true}
					first, err := place.perform(t.Context(), req, "setup", (*Plan).add)
					if scope == settings.Local && a.Name != "claude" {
						if fault.KindOf(err) != fault.Usage {
							t.Errorf("an agent without local settings: %v", err)
						}
						return
					}
					if err != nil || first.Unchanged || first.Summary != a.Name {
						t.Fatalf("setup: %v, %+v", err, first)
					}
					if again, err := place.perform(t.Context(), req, "setup", (*Plan).add); err != nil || !again.Unchanged {
						t.Errorf("the second setup: %v, %+v", err, again)
					}
					found, err := place.Check(Request{Scope: scope})
					if err != nil || len(found.Entries) != 1 {
						t.Fatalf("check: %v, %+v", err, found)
					}
					for _, piece := range found.Entries[0].Pieces {
						if piece.State != "present" {
							t.Errorf("check: %+v", piece)
						}
					}
					if _, err := place.perform(t.Context(), req, "unsetup", (*Plan).drop); err != nil {
						t.Fatal(err)
					}
					if after := tree(t, place.Repo.Root()); !maps.Equal(after, before) {
						t.Errorf("after unsetup: %q\nbefore setup: %q", after, before)
					}
					if after := tree(t, place.Getenv("HOME")); !maps.Equal(after, home) {
						t.Errorf("at home after unsetup: %q\nbefore setup: %q", after, home)
					}
				})
			}
		}
	}
}

func TestDryRun(t *testing.T) {
	place := at(t, nil)
	place.DryRun = true
	receipt, err := place.perform(t.Context(), Request{Agents: []string{"claude", "codex"}, Scope: settings.Project}, "setup", (*Plan).add)
	if err != nil || !receipt.DryRun || !strings.Contains(receipt.Diff, "+++ b/.claude/settings.json") || receipt.Summary != "claude, codex" {
		t.Errorf("%v, %+v", err, receipt)
	}
	if files := tree(t, place.Repo.Root()); len(files) != 1 {
		t.Errorf("a dry run wrote %q", files)
	}
}

// TestUnsetupOfOne checks that unsetup keeps what another agent needs.
func TestUnsetupOfOne(t *testing.T) {
	place := at(t, nil)
	both := Request{Agents: []string{"codex", "cursor"}, Scope: settings.Project}
	if _, err := place.perform(t.Context(), both, "setup", (*Plan).add); err != nil {
		t.Fatal(err)
	}
	if _, err := place.perform(t.Context(), Request{Agents: []string{"codex"}, Scope: settings.Project}, "unsetup", (*Plan).drop); err != nil {
		t.Fatal(err)
	}
	files := tree(t, place.Repo.Root())
	for name, want := range map[string]bool{"AGENTS.md": true, ".agents/skills/checkpoint/SKILL.md": true, ".cursor/hooks.json": true, ".codex": false} {
		if _, ok := files[name]; ok != want {
			t.Errorf("%s exists: %t", name, ok)
		}
	}
}

func TestRemarks(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		req   Request
		want  string
	}{
		{"edited", map[string]string{".codex/rules/ckpt.rules": "mine\n"}, Request{Agents: []string{"codex"}}, ".codex/rules/ckpt.rules: it was edited by hand: left as it is"},
		{"a folder that is not trusted", nil, Request{Agents: []string{"gemini"}}, "Gemini CLI ignores .gemini until you have trusted the folder: start gemini here once and accept"},
		{"Gemini without AGENTS.md", nil, Request{Agents: []string{"gemini"}}, geminiAdvice},
		{"Claude's hooks do", nil, Request{Agents: []string{"claude", "copilot"}}, "Copilot CLI reads .claude/settings.json and what goes with it: it needs nothing of its own"},
	} {
		c.req.Scope = settings.Project
		receipt, err := at(t, c.files).perform(t.Context(), c.req, "setup", (*Plan).add)
		if err != nil || !slices.Contains(receipt.Remarks, c.want) {
			t.Errorf("%s: %v\n%s", c.name, err, strings.Join(receipt.Remarks, "\n"))
		}
	}
}

func TestRefused(t *testing.T) {
	place := at(t, map[string]string{".codex/hooks.json": "{}", ".claude/settings.json": "{\n  // mine\n}"})
	before := tree(t, place.Repo.Root())
	_, err := place.perform(t.Context(), Request{Agents: []string{"codex", "claude"}, Scope: settings.Project}, "setup", (*Plan).add)
	if fault.KindOf(err) != fault.Invalid || !strings.HasPrefix(err.Error(), ".claude/settings.json: it has a comment") {
		t.Errorf("a comment: %v", err)
	}
	if after := tree(t, place.Repo.Root()); !maps.Equal(after, before) {
		t.Errorf("written all the same: %q", after)
	}
	if _, err := place.perform(t.Context(), Request{Agents: []string{"emacs"}, Scope: settings.Project}, "setup", (*Plan).add); fault.KindOf(err) != fault.Usage {
		t.Errorf("an unknown agent: %v", err)
	}
	outside := t.TempDir()
	linked := at(t, nil)
	if err := os.Symlink(outside, filepath.Join(linked.Repo.Root(), ".claude")); err != nil {
		t.Skip(err)
	}
	_, err = linked.perform(t.Context(), Request{Agents: []string{"claude"}, Scope: settings.Project}, "setup", (*Plan).add)
	if fault.KindOf(err) != fault.Refused || len(tree(t, outside)) != 1 {
		t.Errorf("a link out of the repository: %v", err)
	}
}

// TestRestoredAfterFailure checks that a failed write restores the files that were written before it.
func TestRestoredAfterFailure(t *testing.T) {
	place := at(t, map[string]string{"AGENTS.md": "# Rules\n"})
	p := place.plan(Request{Scope: settings.Project})
	agents, err := Find([]string{"codex"})
	if err != nil {
		t.Fatal(err)
	}
	p.agents = agents
	if err := p.add(); err != nil {
		t.Fatal(err)
	}
	before := tree(t, place.Repo.Root())
	before["AGENTS.md"] = "# Rules of somebody else\n"
	if err := os.WriteFile(filepath.Join(place.Repo.Root(), "AGENTS.md"), []byte(before["AGENTS.md"]), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Apply("setup"); fault.KindOf(err) != fault.Busy {
		t.Errorf("a file that was changed since: %v", err)
	}
	if after := tree(t, place.Repo.Root()); !maps.Equal(after, before) {
		t.Errorf("%q\nwant %q", after, before)
	}
}

func TestDiagnose(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		scope settings.Scope
		want  string // the code of a problem; empty if only ckpt is missing
	}{
		{"sound", nil, settings.Project, ""},
		{"hooks off", map[string]string{".claude/settings.json": `{"disableAllHooks": true}`}, settings.Project, "agent-off"},
		{"a plugin beside them", map[string]string{".claude/settings.json": `{"enabledPlugins": {"ckpt@market": true}}`}, settings.Project, "agent-twice"},
		{"in two scopes", map[string]string{".claude/settings.local.json": `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "ckpt hook claude stop"}]}]}}`}, settings.Project, "agent-twice"},
	} {
		place := at(t, c.files)
		if _, err := place.perform(t.Context(), Request{Agents: []string{"claude"}, Scope: c.scope}, "setup", (*Plan).add); err != nil {
			t.Fatal(err)
		}
		d := &result.Diagnosis{}
		place.Diagnose(d)
		var codes []string
		for _, a := range d.Problems {
			codes = append(codes, a.Code)
		}
		if c.want == "" && !slices.Equal(codes, []string{"agent-path"}) || c.want != "" && !slices.Contains(codes, c.want) {
			t.Errorf("%s: %v", c.name, d.Problems)
		}
	}
}
