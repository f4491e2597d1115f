package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

const (
	auth = "checkpoints/active/chk-auth.md"
	pay  = "checkpoints/active/chk-pay.md"
)

// claudeHook is the settings of Claude Code with one hook that calls ckpt.
const claudeHook = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "ckpt hook claude stop"}]}]}}`

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// shop is a repository that doctor finds healthy: with chk-auth, which is current, chk-pay,
// and an index of both.
type shop struct {
	*gittest.Repo
	env map[string]string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{Repo: gittest.New(t), env: map[string]string{}}
	s.Commit("Begin", "main.go", "package main\n")
	s.do(edit.Init(t.Context(), s.open().Settings, edit.InitRequest{}))
	for _, name := range []string{"pay", "auth"} {
		s.do(s.edit().New(t.Context(), edit.NewRequest{Name: name, Text: revise.Spec{Problem: "It fails in " + name + "."}}))
	}
	return s
}

func (s *shop) open(change ...func(*workspace.Settings)) *workspace.Workspace {
	s.T.Helper()
	settings := workspace.Settings{Dir: s.Dir, Now: func() time.Time { return now },
		Getenv: func(name string) string { return s.env[name] }}
	for _, c := range change {
		c(&settings)
	}
	w, err := workspace.Open(s.T.Context(), settings)
	if err != nil {
		s.T.Fatal(err)
	}
	return w
}

func (s *shop) edit() *edit.Editor { return edit.New(s.open()) }

func (s *shop) do(_ *result.Receipt, err error) {
	s.T.Helper()
	if err != nil {
		s.T.Fatal(err)
	}
}

// replace replaces text of a file.
func (s *shop) replace(path, old, new string) {
	s.T.Helper()
	src := s.Read(path)
	if !strings.Contains(src, old) {
		s.T.Fatalf("%s has no %q:\n%s", path, old, src)
	}
	s.Write(path, strings.Replace(src, old, new, 1))
}

// own returns the path of a file of ckpt in the git folder.
func (s *shop) own(name string) string { return ".git/ckpt/" + name }

// state returns what a check without fix must not change: the files, the index, the refs and
// the state of ckpt in the git folder.
func (s *shop) state() string {
	s.T.Helper()
	text := s.Git("for-each-ref") + s.Git("rev-parse", "HEAD") + s.Git("diff", "HEAD") + s.Git("diff", "--cached") +
		s.Git("status", "--porcelain", "-uall", "--ignored")
	for _, name := range []string{"hooks/errors", ".ckpt-123"} {
		src, err := os.ReadFile(filepath.Join(s.Dir, s.own(name)))
		if err == nil {
			text += name + string(src)
		}
	}
	return text
}

func (s *shop) check(fix bool, change ...func(*workspace.Settings)) *result.Diagnosis {
	s.T.Helper()
	d, err := New(s.open(change...)).Check(s.T.Context(), fix)
	if err != nil {
		s.T.Fatal(err)
	}
	return d
}

// codes returns the codes of the problems of a diagnosis. A problem that was fixed has a +.
func codes(d *result.Diagnosis) string {
	var all []string
	for _, p := range d.Problems {
		code := p.Code
		if p.Fixed {
			code += "+"
		}
		all = append(all, code)
	}
	return strings.Join(all, " ")
}

// TestCheck breaks a repository in many ways. A check reports that and changes nothing; with
// fix it fixes what needs no decision of the user.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		do    func(*shop)
		fixed string                  // what a check with fix reports: a + for what it fixed
		what  string                  // in the description of the first problem
		fix   string                  // in what to do about it
		after func(*testing.T, *shop) // after the fix; may be nil
		again string                  // what doctor finds after the fix; nothing if it is empty
	}{
		{name: "healthy", do: func(*shop) {}},
		{
			name: "a leftover in the folder", do: func(s *shop) { s.Write("checkpoints/active/.ckpt-123", "x") },
			fixed: "leftover+", what: "checkpoints/active/.ckpt-123 was left by a command that died", fix: "ckpt doctor --fix",
		},
		{
			name: "a leftover in the git folder", do: func(s *shop) { s.Write(s.own(".ckpt-123"), "x") },
			fixed: "leftover+", what: ".git/ckpt/.ckpt-123 was left",
		},
		{
			name: "a lock of the index that a git left", do: func(s *shop) {
				s.Write(".git/index.lock", "")
				_ = os.Chtimes(filepath.Join(s.Dir, ".git/index.lock"), now, now.Add(-3*time.Hour))
			},
			fixed: "index-lock", what: "index.lock exists: git is running, or was killed (3 hours ago)",
			fix: "remove the file if no git is running", again: "index-lock",
		},
		{
			name: "a lock of the index that is new", do: func(s *shop) {
				s.Write(".git/index.lock", "")
				_ = os.Chtimes(filepath.Join(s.Dir, ".git/index.lock"), now, now.Add(-time.Minute))
			},
		},
		{
			name: "two current ones", do: func(s *shop) {
				s.replace(pay, "status: active", "status: current")
				s.Git("commit", "-qam", "Two")
			},
			fixed: "two-currents+", what: "chk-auth, chk-pay; chk-auth counts here", fix: "ckpt use chk-auth",
			after: func(t *testing.T, s *shop) {
				if !strings.Contains(s.Read(pay), "status: active") || !strings.Contains(s.Read(auth), "status: current") {
					t.Errorf("after the fix:\n%s\n%s", s.Read(auth), s.Read(pay))
				}
			},
		},
		{
			name: "an error of the format", do: func(s *shop) {
				s.replace(auth, "### Next Actions", "### Next Plans")
				s.Git("commit", "-qam", "Bad")
			},
			fixed: "invalid", what: "1 error in the checkpoints", fix: "ckpt validate", again: "invalid",
		},
		{
			name: "one that cannot be read", do: func(s *shop) { s.replace(auth, "created: ", "created: [ ") },
			fixed: "unreadable+", what: auth + " cannot be read", fix: "ckpt edit active/chk-auth.md, or ckpt doctor --fix: its version",
			after: func(t *testing.T, s *shop) {
				if s.Git("diff", "HEAD", "--", auth) != "" || !strings.Contains(s.Read(auth+".broken"), "created: [ ") {
					t.Error("the file is not as it was, or the broken text is lost")
				}
			},
		},
		{
			name: "one that cannot be read, beside the broken text of another time", do: func(s *shop) {
				s.Commit("Keep", auth+".broken", "earlier")
				s.replace(auth, "created: ", "created: [ ")
			},
			fixed: "unreadable+",
			after: func(t *testing.T, s *shop) {
				if s.Read(auth+".broken") != "earlier" || !strings.Contains(s.Read(auth+".broken-2"), "created: [ ") {
					t.Error("the text of another time is lost")
				}
			},
		},
		{
			name: "one that could never be read", do: func(s *shop) { s.Write("checkpoints/active/chk-new.md", "---\ncheckpoint: [\n---\n") },
			fixed: "unreadable", fix: "ckpt edit active/chk-new.md", again: "unreadable",
		},
		{
			name: "markers of a merge", do: func(s *shop) {
				s.Commit("Markers", auth, "---\ncheckpoint: chk-auth\n---\n\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
			},
			fixed: "unreadable", fix: "ckpt resolve", again: "unreadable",
		},
		{
			name: "a conflict", do: func(s *shop) { s.conflict(auth) },
			fixed: "conflict", what: auth + " is in conflict", fix: "ckpt resolve", again: "conflict",
		},
		{
			name: "an error of a hook", do: func(s *shop) { s.Write(s.own("hooks/errors"), "2026-03-01T10:00:00Z claude stop: it fails\n") },
			fixed: "hook-error+", what: "claude stop: it fails",
		},
		{
			name: "an agent's hook that is not as setup writes it", do: func(s *shop) { s.Write(".claude/settings.json", claudeHook) },
			fixed: strings.Repeat("agent-stale ", 4) + "agent-path", again: strings.Repeat("agent-stale ", 4) + "agent-path",
			what: ".claude/settings.json", fix: "ckpt setup claude",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShop(t)
			c.do(s)
			before := s.state()
			d := s.check(false)
			if got, want := codes(d), strings.ReplaceAll(c.fixed, "+", ""); got != want {
				t.Errorf("it finds %q, want %q: %+v", got, want, d.Problems)
			}
			if len(d.Problems) > 0 {
				first := d.Problems[0]
				if !strings.Contains(first.What, c.what) || !strings.Contains(first.Fix, c.fix) {
					t.Errorf("it reports %q (%s), want %q (%s)", first.What, first.Fix, c.what, c.fix)
				}
			}
			if after := s.state(); after != before {
				t.Errorf("it changed something:\n%s\nwant\n%s", after, before)
			}
			if got := codes(s.check(true)); got != c.fixed {
				t.Errorf("it fixes %q, want %q", got, c.fixed)
			}
			if c.after != nil {
				c.after(t, s)
			}
			if got := codes(s.check(false)); got != c.again {
				t.Errorf("then it finds %q, want %q", got, c.again)
			}
		})
	}
}

// conflict leaves a merge that git could not complete.
func (s *shop) conflict(path string) {
	s.T.Helper()
	text := s.Read(path)
	s.Git("switch", "-q", "-c", "theirs")
	s.Commit("Theirs", path, text+"theirs\n")
	s.Git("switch", "-q", "main")
	s.Commit("Ours", path, text+"ours\n")
	if _, err := s.TryGit("merge", "-q", "theirs"); err == nil {
		s.T.Fatal("no conflict")
	}
}

// TestDryRun checks that a dry run of a fix changes nothing.
func TestDryRun(t *testing.T) {
	s := newShop(t)
	s.Write(s.own(".ckpt-123"), "x")
	s.replace(pay, "status: active", "status: current")
	s.replace(auth, "created: ", "created: [ ")
	s.Write(s.own("hooks/errors"), "it fails\n")
	before := s.state()
	d := s.check(true, func(s *workspace.Settings) { s.DryRun = true })
	if got := codes(d); got != "leftover unreadable hook-error" {
		t.Errorf("it reports %q", got)
	}
	if after := s.state(); after != before {
		t.Errorf("it changed something:\n%s\nwant\n%s", after, before)
	}
}

// TestFacts changes how ckpt works in a repository, and looks for a fact about the change.
func TestFacts(t *testing.T) {
	for _, c := range []struct {
		name   string
		do     func(*shop)
		fact   string // the name of the fact
		want   string // a part of its value
		lacked bool   // the fact is missing without the change
	}{
		{name: "the folder", do: func(*shop) {}, fact: "folder", want: "checkpoints/"},
		{name: "checkpoints", do: func(*shop) {}, fact: "checkpoints", want: "2 active ones, 0 archived ones"},
		{
			name: "an archived one", fact: "checkpoints", want: "1 active one, 1 archived one",
			do: func(s *shop) { s.do(s.edit().Archive(s.T.Context(), edit.ArchiveRequest{ID: "pay", Outcome: "Paid"})) },
		},
		{name: "commits", do: func(*shop) {}, fact: "commits made by", want: "ckpt"},
		{
			name: "commits by git", fact: "commits made by", want: "git: ckpt.hooks is all and there is a pre-commit hook",
			do: func(s *shop) {
				s.Git("config", "ckpt.hooks", "all")
				s.Script(".git/hooks/pre-commit", "#!/bin/sh\n")
			},
		},
		{
			name: "a list by hand", fact: "not written", want: "checkpoints/archive/INDEX.md: ckpt leaves it alone", lacked: true,
			do: func(s *shop) { s.Write("checkpoints/archive/INDEX.md", "# Ours\n") },
		},
		{
			name: "a list of all by hand", fact: "not written", want: "checkpoints/INDEX.md: ckpt leaves it alone", lacked: true,
			do: func(s *shop) { s.Write("checkpoints/INDEX.md", "# Ours\n") },
		},
		{name: "the policy", do: func(s *shop) { s.Git("config", "ckpt.commit", "off") }, fact: "commit", want: "off"},
		{
			name: "a key that is not known", fact: "config.yaml", want: "does not know the key comit", lacked: true,
			do: func(s *shop) { s.Commit("Config", "checkpoints/config.yaml", "comit: off\n") },
		},
		{
			name: "a key without effect", fact: "config.yaml", lacked: true,
			want: "agent.checkpoints.autoCheckpoint has no effect; nudge and due have",
			do: func(s *shop) {
				s.Commit("Config", "checkpoints/config.yaml", "agent: {checkpoints: {autoCheckpoint: true, pruneAfterDays: 30}}\n")
			},
		},
		{
			name: "a rule that is not known", fact: "config.yaml", want: `no rule is called "nothing"`, lacked: true,
			do: func(s *shop) { s.Commit("Config", "checkpoints/config.yaml", "secrets:\n  allow_rules: [nothing]\n") },
		},
		{
			name: "a hook", fact: "hooks found", want: "commit-msg", lacked: true,
			do: func(s *shop) { s.Script(".git/hooks/commit-msg", "#!/bin/sh\n") },
		},
		{name: "merges by git", do: func(*shop) {}, fact: "merges", want: "line by line"},
		{name: "a merge", do: func(s *shop) { s.conflict("main.go") }, fact: "in progress", want: "merge", lacked: true},
		{
			name: "an agent", fact: "agents", want: "claude (project)", lacked: true,
			do: func(s *shop) { s.Write(".claude/settings.json", claudeHook) },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShop(t)
			if c.lacked {
				if all := facts(s.check(false), c.fact); len(all) > 0 {
					t.Errorf("before the change: %q", all)
				}
			}
			c.do(s)
			if all := facts(s.check(false), c.fact); len(all) != 1 || !strings.Contains(all[0], c.want) {
				t.Errorf("%s: %q, want %q", c.fact, all, c.want)
			}
		})
	}
}

func facts(d *result.Diagnosis, name string) []string {
	var all []string
	for _, f := range d.Facts {
		if f.Name == name {
			all = append(all, f.Value)
		}
	}
	return all
}
