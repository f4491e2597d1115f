package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/token"
)

// TestMain runs the tests. A run starts the same program as ckpt.
func TestMain(m *testing.M) {
	if isCkpt() {
		os.Exit(asCkpt())
	}
	os.Exit(m.Run())
}

// TestStreams reads the output of each agent from sessions of two or three calls, with a fake model. After a hyphen,
// a name tells how the benchmark ended or began the session.
func TestStreams(t *testing.T) {
	for name, want := range map[string]struct {
		id            string
		calls         int
		start, tokens int
	}{
		"claude":   {"f94cb775-9d7e-445d-a7cc-07ef6f3624b2", 3, 1103, 4418},
		"codex":    {"01a22367-b9ac-75d0-85c8-127ecebf8c2d", 2, 0, 3024},
		"gemini":   {"774723b6-3f46-4b1b-bb5a-9b23eba30ea3", 2, 0, 3003},
		"opencode": {"ses_ddc97e909ffeqeX145rZWyD6UR", 2, 1002, 3006},
		"copilot":  {"50b443cb-2b76-48bd-80d3-f68bf3793aba", 2, 10709, 21443},

		"opencode-resumed": {"ses_ddc288708ffekSoXGfI6mc4JsD", 3, 1002, 2004},
		"copilot-cut":      {"", 3, 11002, 33080}, // the last line of a session names it
	} {
		src, err := os.ReadFile(filepath.Join("testdata", "streams", name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		var s session
		ended := 0
		agent, _, _ := strings.Cut(name, "-")
		read := streams[slices.Index(streamNames(), agent)].read
		for line := range bytes.Lines(src) {
			var o object
			if err := json.Unmarshal(line, &o); err != nil {
				t.Fatal(err)
			}
			ended += read(o, &s)
		}
		if s.ID != want.id || s.Start != want.start || s.Tokens != want.tokens {
			t.Errorf("%s: session %s, %d tokens at the start, %d in all", name, s.ID, s.Start, s.Tokens)
		}
		if ended != want.calls || len(s.Calls) != want.calls || !strings.Contains(s.Calls[0].Command, "echo hello") {
			t.Errorf("%s: %d calls ended of %+v", name, ended, s.Calls)
		}
	}
}

func TestCommandLines(t *testing.T) {
	for _, tt := range []struct{ agent, as, id, want string }{
		{"claude -p --output-format json", "", "", "claude -p --output-format stream-json --verbose go on"},
		{"x/claude -p --output-format=json", "", "A", "x/claude -p --output-format stream-json --verbose --resume A go on"},
		{"codex exec", "", "A", "codex exec --json --dangerously-bypass-hook-trust " +
			`-c projects={"/code"={trust_level="trusted"}} resume A go on`},
		{"gemini -p --yolo", "", "A", "gemini --yolo --skip-trust --output-format stream-json --resume latest -p go on"},
		{"opencode run", "", "A", "opencode run --format json --session A go on"},
		{"copilot --allow-all-tools", "", "A", "copilot --allow-all-tools --output-format json --session-id A -p go on"},
		{"wrapper.sh", "claude", "", "wrapper.sh --output-format stream-json --verbose go on"},
		{"my-agent -q", "", "A", "my-agent -q --resume A go on"},
		{"claude", "plain", "", "claude go on"},
	} {
		c, err := newCommand(tt.agent, tt.as, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(c.line("/code", "go on", tt.id), " "); got != tt.want {
			t.Errorf("%s: got %s", tt.agent, got)
		}
	}
	if _, err := newCommand("x", "clod", io.Discard); err == nil {
		t.Error("an unknown -as was accepted")
	}
}

func TestParseCut(t *testing.T) {
	for src, want := range map[string]cut{
		"7": {calls: 7}, "40000t": {tokens: 40000}, "5m": {after: 5 * time.Minute}, "write": {inside: stepWrite},
		"0": {}, "-1": {}, "t": {}, "": {}, "edit": {},
	} {
		if got, err := parseCut(src); got != want || (err == nil) != (want != cut{}) {
			t.Errorf("%q: %+v, %v", src, got, err)
		}
	}
}

func TestPurpose(t *testing.T) {
	for line, want := range map[string]string{
		"Bash git log --oneline -5; git status": "git", "Bash git -C /x diff": "git", "Read /code/main.go": "sources",
		"Bash sed -n 1,80p main.go": "sources", "Bash cat HANDOFF.md": "state", "Bash ckpt resume": "state",
		"Bash go test ./... 2>&1 | tail": "tests", "Bash git add -A && git commit -m x && ckpt delta": "commit",
		"Bash cat checkpoints/active/chk-x.md": "state", "WebFetch https://example.com": "other",
	} {
		tool, command, _ := strings.Cut(line, " ")
		if got := (call{Tool: tool, Command: command}).purpose(); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// needsUnix skips a test that starts scripts, or this program as ckpt by a symbolic link.
func needsUnix(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("needs symbolic links and sh")
	}
	t.Parallel()
}

func testPlace(t *testing.T, arm string, now time.Time) *place {
	t.Helper()
	o, err := readOrder("orders", "bill")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlace(context.Background(), t.TempDir(), "", o, arm, "claude", now)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCommandIsCut runs a program that speaks the plain protocol, and cuts it after two calls.
func TestCommandIsCut(t *testing.T) {
	needsUnix(t)
	p := testPlace(t, armNone, time.Time{})
	script := `#!/bin/sh
echo starting; echo '{"session":"S1"}'; echo '{"tokens":100}'
echo '{"call":{"tool":"bash","command":"export TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ456789"}}'
echo "// $1" >>"$PWD/main.go"; echo '{"call":{"tool":"edit","path":"main.go"}}'; echo '{"tokens":50}'
sleep 60; echo late >>main.go
`
	path := filepath.Join(p.bin, "agent")
	if err := os.WriteFile(path, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	var kept bytes.Buffer
	c, err := newCommand(path, "", &kept)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.session(context.Background(), p, "go on", "", cut{calls: 2})
	if err != nil || !s.Cut || s.ID != "S1" || s.Start != 100 || len(s.Calls) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	if before, wrote := s.before(); !wrote || len(before) > 1 {
		t.Errorf("the first new line comes after %+v", before)
	}
	if text := kept.String(); !strings.Contains(text, "starting") || strings.Contains(text, "ghp_0123") {
		t.Errorf("transcript:\n%s", text)
	}
	if src, err := os.ReadFile(filepath.Join(p.dir, "main.go")); err != nil || !strings.Contains(string(src), "// go on") {
		t.Errorf("the prompt is not in the file: %v", err)
	}
}

// TestNamesSessions: a session of Copilot has a name even if it is cut before it prints one, and the next session
// resumes it by that name.
func TestNamesSessions(t *testing.T) {
	needsUnix(t)
	p := testPlace(t, armResume, time.Time{})
	stream, err := filepath.Abs(filepath.Join("testdata", "streams", "copilot-cut.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(p.bin, "copilot")
	script := "#!/bin/sh\necho \"$@\" >>'" + path + ".log'\ncat '" + stream + "'\nsleep 60\n"
	if err := os.WriteFile(path, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	c, err := newCommand(path, "", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	id, want := "", ""
	for range 2 {
		s, err := c.session(context.Background(), p, "go on", id, cut{calls: 3})
		if err != nil || !s.Cut || s.ID == "" {
			t.Fatalf("%+v, %v", s, err)
		}
		id = s.ID
		want += "--output-format json --session-id " + id + " -p go on\n"
	}
	if got, err := os.ReadFile(path + ".log"); err != nil || string(got) != want {
		t.Errorf("started with %q, want %q, %v", got, want, err)
	}
}

// TestAsksForBudget: without a budget no real agent is started.
func TestAsksForBudget(t *testing.T) {
	var out strings.Builder
	b := bench{agent: "claude -p", sessions: 10, out: t.TempDir()}
	err := b.prepare(3, strings.NewReader("\n"), &out)
	if err == nil || !strings.Contains(out.String(), "3 runs of at most 10 sessions") {
		t.Errorf("%v: %s", err, out.String())
	}
	if err := b.prepare(3, strings.NewReader("5000\n"), io.Discard); err != nil || b.budget != 5000 {
		t.Errorf("%v, budget %d", err, b.budget)
	}
}

// start is the time at which the scripted agent begins.
var start = time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)

// TestScripted: if sessions are killed after seven calls, the order is finished with ckpt, and lost in the arm none.
func TestScripted(t *testing.T) {
	needsUnix(t)
	for arm, want := range map[string]struct {
		sessions, parts int
		calls           float64
	}{
		armCkpt: {6, 7, 3},
		armNone: {3, 2, -1},
	} {
		b := bench{
			agent: scriptedName, orders: "orders", cut: cut{calls: 7}, sessions: want.sessions, transcripts: io.Discard,
		}
		o, err := readOrder(b.orders, "bill")
		if err != nil {
			t.Fatal(err)
		}
		r, err := b.run(context.Background(), o, arm, 1)
		if err != nil {
			t.Fatal(err)
		}
		if r.finished() != want.parts || len(r.Broken) > 0 || median(r.calls()) > want.calls {
			t.Errorf("%s: %d parts in %d sessions, rules %v broken, calls %v",
				arm, r.finished(), len(r.Sessions), r.Broken, r.calls())
		}
		if arm == armCkpt && r.Passed != r.Checks {
			t.Errorf("%d of %d checks passed", r.Passed, r.Checks)
		}
	}
}

// TestCutInside kills a session in the middle of a step: the next one knows all points and rules of the order,
// and finishes it.
func TestCutInside(t *testing.T) {
	for _, inside := range []string{stepWrite, stepCommit, stepDelta} {
		t.Run(inside, func(t *testing.T) {
			needsUnix(t)
			p, a := testPlace(t, armCkpt, start), &scripted{}
			s, err := a.session(context.Background(), p, p.order.text, "", cut{inside: inside})
			if err != nil || !s.Cut {
				t.Fatalf("cut %v, %v", s.Cut, err)
			}
			s, err = a.session(context.Background(), p, "go on", "", cut{})
			if err != nil || s.Cut {
				t.Fatalf("cut %v, %v", s.Cut, err)
			}
			g, err := p.grade(context.Background())
			if err != nil || g.passed() != len(g) {
				t.Errorf("%d of %d checks passed, %v", g.passed(), len(g), err)
			}
		})
	}
}

// TestCutAnywhere: wherever the first session is killed, even before its first call, the next one is told what
// the user said, word for word.
func TestCutAnywhere(t *testing.T) {
	needsUnix(t)
	for calls := range 5 {
		p, a := testPlace(t, armCkpt, start.Add(time.Duration(calls)*time.Minute)), &scripted{}
		at := cut{calls: calls}
		if calls == 0 {
			at = cut{tokens: 1}
		}
		if _, err := a.session(context.Background(), p, p.order.text, "", at); err != nil {
			t.Fatal(err)
		}
		if _, err := a.session(context.Background(), p, "go on", "", cut{tokens: 1}); err != nil {
			t.Fatal(err)
		}
		for _, point := range p.order.points {
			if !strings.Contains(a.context, point) {
				t.Errorf("killed after %d calls: the next session is not told %s", calls, point)
			}
		}
	}
}

// TestOwnTexts: ckpt's own texts at the start of a session have less than 700 tokens. They are its lines in
// CLAUDE.md, the description of its skill, and the commands at the end of the brief. The descriptions of skills
// that only the user calls are not there.
func TestOwnTexts(t *testing.T) {
	needsUnix(t)
	p, a := testPlace(t, armCkpt, start), &scripted{}
	if _, err := a.session(context.Background(), p, p.order.text, "", cut{calls: 5}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.session(context.Background(), p, "go on", "", cut{tokens: 1}); err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile(filepath.Join(p.dir, "CLAUDE.md"))
	if err != nil {
		t.Fatal(err)
	}
	skill, err := os.ReadFile(filepath.Join(p.dir, ".claude", "skills", "checkpoint", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, description, _ := strings.Cut(string(skill), "description: ")
	description, _, _ = strings.Cut(description, "\n")
	brief := a.context[strings.LastIndex(a.context, "\nBefore the final answer"):]
	tokens := token.Estimate(string(lines)) + token.Estimate(description) + token.Estimate(brief)
	t.Logf("%d tokens", tokens)
	if len(brief) < 300 || tokens >= 700 {
		t.Errorf("%d tokens, with this end of the brief:\n%s", tokens, brief)
	}
}

// TestReport prints medians, each followed by the values of all runs.
func TestReport(t *testing.T) {
	sessions := func(finished ...[]int) (all []session) {
		for i, f := range finished {
			read, edit := call{Tool: "Read"}, call{Tool: "Edit", Wrote: true}
			all = append(all, session{Start: 100 * i, Cut: true, Finished: f, Calls: []call{read, edit}})
		}
		return all
	}
	all := []*result{
		{
			Order: "bill", Arm: "ckpt", Parts: 7, Checks: 36, Passed: 36, Ours: 8, Code: 7,
			Sessions: sessions([]int{1, 2}, []int{1, 2, 3}),
		},
		{
			Order: "bill", Arm: "ckpt", Parts: 7, Checks: 36, Passed: 30, Ours: 4, Code: 3, Broken: []int{8},
			Sessions: sessions([]int{1}),
		},
		{Order: "bill", Arm: "none", Parts: 7, Checks: 36, Passed: 2, Sessions: sessions(nil, nil)},
	}
	const want = tableHead +
		"| bill | ckpt | 1.5 (2, 1) | 2 (3, 1) of 7 | 1.25 (1.5, 1) | 33 (36, 30) of 36 | 0.5 (0, 1) | 1 | " +
		"sources 1 | 100 | 6 (8, 4) | 5 (7, 3) |\n" +
		"| bill | none | 2 | 0 of 7 | 0 | 2 of 36 | 0 | 1 | sources 1 | 100 | 0 | 0 |\n"
	if got := table(all); got != want {
		t.Errorf("got\n%s", got)
	}
	b, out := bench{out: t.TempDir()}, strings.Builder{}
	if err := b.report(all, &out); err != nil || !strings.HasPrefix(out.String(), want) {
		t.Errorf("%v: %s", err, out.String())
	}
}
