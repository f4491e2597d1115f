package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/term"
)

// evil has escape sequences and control characters, of seven and of eight bits. They clear
// the screen, hide text, set the title and reverse the reading direction.
const evil = "\x1b[2J\x1b[8m\x1b[45m\x1b]0;owned\x07\x9b2J\u009b2J\r\b\u202e"

// TestNoEscapeSequenceReachesTheTerminal checks that no command passes on an escape
// sequence of a file or an argument, not even a colour: in an answer, a remark or an
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
		"show chk-a", "show chk-a --raw", "show chk-a --section decisions", "show broken", "show no" + evil, "show --details no" + evil, "show chk-a --details", "show chk-c --details", "prune --older-than 1d", "status --incomplete", "delete no" + evil, "undelete no" + evil,
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

// TestSearchMarks checks that the terms of a search are bold on a terminal.
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

// TestScreens compares the screens of 60, 80 and 120 columns with testdata/screens. What is between « and » is
// in the colour of the current checkpoint. No line is wider than the screen, and no word is broken.
func TestScreens(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "internal/authentication/sessions/clock_skew.go", "package sessions\n")
	now := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	run := func(columns string, in io.Reader, args ...string) string {
		var out bytes.Buffer
		s := term.Streams{In: in, Out: term.Screen(&out), Err: term.Screen(&out),
			Env: append(envtest.Env(), "TERM=xterm", "COLUMNS="+columns, "PAGER=cat")}
		cli.Main(t.Context(), args, cli.World{Streams: s, Dir: g.Dir, Now: func() time.Time { return now }})
		text := strings.ReplaceAll(strings.ReplaceAll(out.String(), "\x1b[32m\x1b[1m", "«"), "\x1b[22m\x1b[39m", "»")
		return hash.ReplaceAllStringFunc(ours.ReplaceAllString(text, ""), func(h string) string {
			return strings.Repeat("f", len(h))
		})
	}
	for _, args := range [][]string{
		{"new", "login", "-m", "Logins fail for whoever has a clock that runs ahead of ours by more than the minute that we allow for.",
			"--decision", "Use **OIDC**: it is there already", "--next", "Mend `internal/authentication/sessions/clock_skew.go` and allow 90 s",
			"--next", "Describe it"},
		{"note", "breadcrumb", "file", "internal/authentication/sessions/clock_skew.go", "where the time is compared"},
		{"delta", "-m", "The **token check** accepts a skew of ninety seconds, which covers all the bots that we know of",
			"--decision", "Reject older tokens: `iat` is a promise and not a hint that clients may follow"},
		{"new", "login-cache", "--parent", "login", "--problem", "The cache of tokens is shared between tenants"},
		{"new", "reconciliation-of-the-third-quarter", "--parent", "login-cache", "--problem", "Numbers do not agree with the ledger"},
		{"new", "billing", "-m", "Invoices are sent twice where the queue is slow"},
		{"archive", "billing", "--outcome", "Invoices are sent once", "--learning", "Give each message a key of its own, since **queues repeat** what they did not see acknowledged"},
		{"use", "login"},
	} {
		now = now.Add(time.Hour)
		run("80", strings.NewReader(""), args...)
	}
	now = now.Add(time.Hour)
	for _, columns := range []string{"60", "80", "120"} {
		var screens strings.Builder
		for _, line := range []string{
			"status", "list --all", "tree", "log", "decisions", "decisions --blame", "search token", "drift", "validate", "learnings",
			"undo --list", "prune --older-than 1h", "diff @{1}", "next", "use", "undo", "done 1 -c login", "undo",
			"done 9 -c reconciliation-of-the-third-quarter",
		} {
			screen := run(columns, typing{strings.NewReader("2\n")}, strings.Fields(line)...)
			fmt.Fprintf(&screens, "$ ckpt %s\n%s\n", line, screen)
			for row := range strings.Lines(screen) {
				row = strings.TrimRight(row, "\n")
				bare := strings.NewReplacer("«", "", "»", "").Replace(row)
				typed := strings.HasPrefix(row, "hint: ") || strings.HasPrefix(row, "Use which one?") // one line each
				if width, _ := strconv.Atoi(columns); term.Columns(bare) > width && len(strings.Fields(bare)) > 1 && !typed {
					t.Errorf("%s columns: a line of %d: %q", columns, term.Columns(bare), row)
				}
			}
		}
		file := filepath.Join("testdata", "screens", columns+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(screens.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || screens.String() != string(want) {
			t.Errorf("%s: %v; go test ./internal/cli -update writes it; got\n%s", file, err, screens.String())
		}
	}
}

// typing is an input that counts as a terminal.
type typing struct{ io.Reader }

func (typing) IsTerminal() bool { return true }

// hash matches the hash of a commit.
var hash = regexp.MustCompile(`\b[0-9a-f]{40}\b|\b[0-9a-f]{7}\b`)

// ours matches the colours that ckpt itself writes.
var ours = regexp.MustCompile("\x1b\\[(1|2|22|31|32|33|39)m")
