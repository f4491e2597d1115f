package cli_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/term"
)

// evil is what a terminal would obey: it clears the screen, hides text, sets the
// title, in seven and in eight bits, and turns the reading direction around.
const evil = "\x1b[2J\x1b[8m\x1b[45m\x1b]0;owned\x07\x9b2J\u009b2J\r\b\u202e"

// Whatever a checkpoint holds, the terminal sees text: no command passes an
// escape sequence on, colours included, be it in the answer, in a remark or in an
// error.
func TestNoEscapeSequenceReachesTheTerminal(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "README.md", "# A project\n")
	body := "\n## Problem" + evil + "\n\nLogins " + evil + " fail.\n\n### Decisions\n\n- **A" + evil + "**: b\n\n### Next Actions\n\n1. Go" + evil + " on\n"
	g.Write("checkpoints/active/a.md", "---\ncheckpoint: chk-a\ncreated: 2026-01-01\nstatus: current\nanchor: \"x\\e[45m\\e]0;owned\\ay\"\nparent: \"no\\e[45mbody\"\n---\n"+body)
	g.Write("checkpoints/active/b"+evil[:4]+".md", "---\ncheckpoint: chk-b\ncreated: 2026-01-01\nstatus: current\n---\n"+body)
	g.Write("checkpoints/active/broken"+evil[:4]+".md", "---\ncheckpoint: [\""+evil+"\n---\n")
	g.Write("checkpoints/archive/c.md", "---\ncheckpoint: chk-c\ncreated: 2026-01-01\n---\n"+body+"\n## Completion\n\n- **Outcome**: done"+evil+"\n- **Learnings**: l"+evil+"\n")
	g.Write("checkpoints/LEARNINGS.md", "# Learnings\n\n## 2026-01-01 — chk-c\n- l"+evil+"\n")

	for _, line := range []string{
		"show chk-a", "show chk-a --raw", "show chk-a --section decisions", "show broken", "show no" + evil, "show --details no" + evil, "show chk-a --details", "show chk-c --details", "prune --older-than 1d --daily 1", "status --incomplete", "delete no" + evil, "undelete no" + evil,
		"list --all", "tree", "tree chk-a", "tree --format mermaid", "tree --format svg", "status", "resume chk-a", "resume", "learnings", "learnings " + evil, "validate", "validate --format github",
		"list --since " + evil, "use no" + evil, "use a --dry-run", "next do" + evil + " -c chk-a --dry-run", "archive chk-a --outcome o" + evil + " --dry-run",
		"note decision w" + evil + " -c chk-a", "delta chk-a -m d" + evil, "done no" + evil + " -c chk-a", "archive chk-a --outcome o" + evil,
		"search logins", "search 45m --context 2", "search " + evil, "search done --kind k" + evil,
		"reopen chk-a", "save -m s" + evil, "new n" + evil, "--dir " + evil + " list", "-C " + evil + " list", "help " + evil,
	} {
		for _, env := range []string{"NO_COLOR=1", "TERM=xterm"} {
			var out, remarks bytes.Buffer
			s := term.Streams{In: strings.NewReader(""), Out: term.Screen(&out), Err: term.Screen(&remarks), Env: []string{env, "PAGER=cat"}}
			cli.Main(t.Context(), strings.Fields(line), cli.World{Streams: s, Dir: g.Dir, Now: func() time.Time { return time.Unix(1767348000, 0) }})
			for name, text := range map[string]string{"answer": out.String(), "remarks": remarks.String()} {
				if env == "TERM=xterm" {
					text = ours.ReplaceAllString(text, "")
				}
				if term.Plain(text) != text {
					t.Errorf("%s: the %s of %q: %q", env, name, line, text)
				}
			}
		}
	}
}

// TestSearchMarks: what was looked for is bold on a terminal.
func TestSearchMarks(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "README.md", "# A project\n")
	g.Write("checkpoints/active/a.md", "---\ncheckpoint: chk-a\n---\n\n## Problem\n\nLogins fail, all LOGINS.\n")
	var out bytes.Buffer
	s := term.Streams{In: strings.NewReader(""), Out: term.Screen(&out), Err: term.Screen(new(bytes.Buffer)), Env: []string{"TERM=xterm"}}
	cli.Main(t.Context(), []string{"search", "login"}, cli.World{Streams: s, Dir: g.Dir})
	want := "\x1b[2mcheckpoints/active/a.md:7: Problem:\x1b[22m \x1b[1mLogin\x1b[22ms fail, all \x1b[1mLOGIN\x1b[22mS.\n"
	if out.String() != want {
		t.Errorf("%q, not %q", out.String(), want)
	}
}

// TestLogOnNarrowScreens: words stay whole, and what a version says stands in one column.
func TestLogOnNarrowScreens(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "README.md", "# A project\n")
	g.Write("checkpoints/active/a.md", "---\ncheckpoint: chk-a\nstatus: current\n---\n\n## Problem\n\nLogins fail.\n")
	see := func(columns string, args ...string) string {
		var out bytes.Buffer
		s := term.Streams{In: strings.NewReader(""), Out: term.Screen(&out), Err: term.Screen(new(bytes.Buffer)), Env: append(envtest.Env(), "TERM=dumb", "COLUMNS="+columns)}
		cli.Main(t.Context(), args, cli.World{Streams: s, Dir: g.Dir})
		return out.String()
	}
	see("80", "note", "step", "asked the provider why its clock is ahead")
	for columns, want := range map[string]string{
		"140": "note     step: asked the provider why its clock is ahead  (+1 step)\n",
		"80": "note     step: asked the provider why its clock is\n" + strings.Repeat(" ", 36) + "ahead\n" +
			strings.Repeat(" ", 36) + "(+1 step)\n",
	} {
		if got := see(columns, "log", "a", "--limit", "1"); !strings.HasSuffix(got, want) {
			t.Errorf("%s columns: %q, want it to end in %q", columns, got, want)
		}
	}
}

// TestAnswersOnNarrowScreens: no line is wider than a screen of 80 columns, so words stay
// whole; what goes into a pipe stays a line.
func TestAnswersOnNarrowScreens(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "README.md", "# A project\n")
	long := "Logins fail for whoever has a clock that runs ahead of ours by more than the minute that we allow for, logins of bots too."
	g.Write("checkpoints/active/a.md", "---\ncheckpoint: chk-a\ncreated: 2026-01-01\nstatus: current\n---\n\n## Problem\n\n"+long+
		"\n\n### Breadcrumbs\n\n| Type | Reference | Hint |\n|---|---|---|\n| file | `internal/authentication/sessions/clock_skew.go` | where it fails |\n| file | `internal/authentication/clock.go` | the clock |\n\n### Next Actions\n\n1. Mend `internal/authentication/sessions/clock_skew.go`\n")
	see := func(screen bool, line string) string {
		var out bytes.Buffer
		s := term.Streams{In: strings.NewReader(""), Out: &out, Err: new(bytes.Buffer), Env: append(envtest.Env(), "TERM=xterm", "COLUMNS=80", "PAGER=cat")}
		if screen {
			s.Out = term.Screen(&out)
		}
		cli.Main(t.Context(), strings.Fields(line), cli.World{Streams: s, Dir: g.Dir})
		return ours.ReplaceAllString(out.String(), "")
	}
	for _, line := range []string{"search logins", "search logins --context 2", "drift", "validate", "status --due --list"} {
		answer, piped := see(true, line), strings.ReplaceAll(see(false, line), " 00:00Z", " 00:00") // local time
		for row := range strings.Lines(answer) {
			if n := utf8.RuneCountInString(strings.TrimRight(row, "\n")); n > 80 {
				t.Errorf("%s: %d columns: %q", line, n, row)
			}
		}
		if strings.Count(answer, "\n") <= strings.Count(piped, "\n") {
			t.Errorf("%s: nothing was broken, or all of it:\n%s\n%s", line, answer, piped)
		}
		if got, want := strings.Fields(answer), strings.Fields(piped); !slices.Equal(got, want) {
			t.Errorf("%s: other words: %q, not %q", line, got, want)
		}
	}
}

// TestTreeOnAScreen: a person sees beside each name what the work is for, cut to the width.
func TestTreeOnAScreen(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "README.md", "# A project\n")
	g.Write("checkpoints/active/chk-a.md", "---\ncheckpoint: chk-a\ncreated: 2026-01-01\nstatus: current\n---\n\n## Problem\n\nLogins fail for whoever has a clock ahead. Bots, too.\n")
	bare := "● chk-a (2026-01-01) [current]"
	for _, test := range []struct {
		columns string
		screen  bool
		want    string
	}{
		{"80", true, bare + "  Logins fail for whoever has a clock ahead."},
		{"60", true, bare + "  Logins fail for whoever has…"},
		{"40", true, bare},
		{"80", false, bare},
	} {
		var out bytes.Buffer
		s := term.Streams{In: strings.NewReader(""), Out: &out, Err: new(bytes.Buffer), Env: append(envtest.Env(), "TERM=dumb", "COLUMNS="+test.columns)}
		if test.screen {
			s.Out = term.Screen(&out)
		}
		cli.Main(t.Context(), []string{"tree"}, cli.World{Streams: s, Dir: g.Dir})
		if out.String() != test.want+"\n" {
			t.Errorf("%s columns, screen %t: %q, not %q", test.columns, test.screen, out.String(), test.want)
		}
	}
}

// ours are the colours that ckpt itself puts on.
var ours = regexp.MustCompile("\x1b\\[(1|2|22|31|32|33|39)m")
