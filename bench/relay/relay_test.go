package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain lets the player run this program as ckpt.
func TestMain(m *testing.M) {
	if os.Getenv(clock) != "" {
		os.Exit(asCkpt())
	}
	os.Exit(m.Run())
}

// TestPlay plays two sessions, of which the first dies.
func TestPlay(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("needs symbolic links")
	}
	script, err := parse("small", `about Small
problem It is not there
intent It is there
rule Be brief
point Write it
point Show it
session
new small
decide Plain text: it is read everywhere
note
edit a.txt 3
finish 1
commit Write the text
test 1 make test
edit b.txt 3
unseen c.txt 3
kill
session
`)
	if err != nil {
		t.Fatal(err)
	}
	moments, err := play(script, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(moments) != 1 || len(moments[0].media) != len(media) || moments[0].after != "killed before the hook of an edit" {
		t.Fatalf("moments: %+v", moments)
	}
	for i, r := range moments[0].media {
		if !strings.Contains(r.text, "It is not there") {
			t.Errorf("%s: %s", media[i], r.text)
		}
		if one := (score{1, 1}); r.rules != one || r.next != one || r.stale != 1 || r.files.of != 3 || r.newFiles.of != 3 || r.commands.of != 1 {
			t.Errorf("%s: %+v", media[i], r)
		}
	}
	if ours, byHand := moments[0].media[0].decisions, moments[0].media[2].decisions; ours != (score{1, 1}) || byHand != (score{0, 1}) {
		t.Errorf("decisions: %v in the brief, %v by hand", ours, byHand)
	}
}

func TestTranscriptsParse(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) < 3 {
		t.Fatalf("%d transcripts, %v", len(paths), err)
	}
	for _, path := range paths {
		script, err := readTranscript("x", path)
		if err != nil {
			t.Error(err)
			continue
		}
		sessions := 0
		for _, e := range script.events {
			if e.verb == "session" || e.verb == "compact" {
				sessions++
			}
		}
		if sessions < 2 && script.cut == 0 {
			t.Errorf("%s: nothing to count in %d sessions", path, sessions)
		}
	}
}

func TestParse(t *testing.T) {
	got, err := parse("x", "# comment\nabout One\n two\ncut 7\npoint P\n\nsession\nedit a/b.go 40\ntest 1 go test ./...\nkill\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []event{
		{2, "about", "One\ntwo", 0}, {4, "cut", "", 7}, {5, "point", "P", 0}, {7, "session", "", 0},
		{8, "edit", "a/b.go", 40}, {9, "test", "go test ./...", 1}, {10, "kill", "", 0},
	}
	if !slices.Equal(got.events, want) || got.about != "One\ntwo" || got.cut != 7 {
		t.Errorf("got %+v", got)
	}
}

func TestParseRefuses(t *testing.T) {
	const head = "about A\npoint P\nsession\n"
	for _, tt := range []struct{ src, want string }{
		{" x", "1: no text to go on with"},
		{"session\n x", "2: no text to go on with"},
		{"dance", `1: unknown event "dance"`},
		{head + "edit a.go", `4: edit needs a number, not ""`},
		{head + "edit", "4: edit needs a text"},
		{head + "kill now", `4: kill takes nothing, not "now"`},
		{head + "run -1 x", `4: run needs a number, not "-1"`},
		{head + "session", "4: session: the session before it did not end"},
		{head + "kill\nedit a 1", "5: edit: no session is running"},
		{head + "have a 1", "4: have: only before the first session"},
		{head + "decide X", "4: decide: want WHAT: WHY"},
		{head + "finish 2", "4: finish: point 2 has not been given yet"},
		{head + "delta X", "4: delta: a state must come before it"},
		{head + "rule Be brief\nrule Be brief and kind", `0: rule "Be brief" cannot be told from "Be brief and kind"`},
		{head + "point Pair", `0: point "P" cannot be told from "Pair"`},
		{head + "commit X\ncommit X", `0: commit "X" cannot be told from "X"`},
		{"point P\nsession", "0: no about"},
		{"about A\nsession", "0: no point or no session"},
	} {
		if _, err := parse("x", tt.src); err == nil || err.Error() != tt.want {
			t.Errorf("%q: got %v, want %s", tt.src, err, tt.want)
		}
	}
}

func TestContains(t *testing.T) {
	for _, tt := range []struct {
		text, fact string
		want       bool
	}{
		{"- Never use float64.", "Never use float64.", true},
		{"- Never use floats.", "Never use float64.", false},
		{"wrote `a.go`, `b.go`", "a.go", true},
		{"It wrote a.go.", "a.go", true},
		{"wrote `data.go`", "a.go", false},
		{"wrote `x/a.go`", "a.go", false},
		{"wrote `a.go.orig`", "a.go", false},
		{"wrote `a.gold`", "a.go", false},
		{"wrote `x-a.go` and `a.go`", "a.go", true},
		{"wrote `../a.go`", "a.go", false},
		{"ran `go test` (exit 1)", command{"go test", 1}.String(), true},
		{"ran `go test` (exit 1, before the last edit)", command{"go test", 1}.String(), true},
		{"ran `go test` (exit 12)", command{"go test", 1}.String(), false},
		{"ran `go test` (exit 0)", command{"go test", 1}.String(), false},
		{"ran `go test ./...` (exit 1)", command{"go test", 1}.String(), false},
		{"Überprüfe die Länge", "prüfe die Länge", false},
		{"", "x", false},
		{"x", "", false},
	} {
		if got := contains(tt.text, tt.fact); got != tt.want {
			t.Errorf("contains(%q, %q) = %v", tt.text, tt.fact, got)
		}
	}
}

func TestPresentsAsOpen(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"## Next Actions\n\n2. Write it\n", true},
		{"- Write it → done\n", false},
		{"- [x] Write it\n", false},
		{"- Write it → done\n\n**Next:** Write it\n", true},
		{"Write items", false},
	} {
		if got := presentsAsOpen(tt.text, "Write it"); got != tt.want {
			t.Errorf("presentsAsOpen(%q) = %v", tt.text, got)
		}
	}
}

// TestRead counts texts that lack one thing more each time.
func TestRead(t *testing.T) {
	life := &truth{
		rules:     []string{"Be brief"},
		decisions: []decision{{what: "SQLite", why: "it is there", recorded: true}},
		points:    []point{{text: "Write it", done: true, commit: "Write the thing"}, {text: "Test b.go"}},
		files:     []string{"a.go", "b.go"},
		dirty:     []string{"b.go"},
		lastTest:  &command{"go test", 1},
		unrecorded: unrecorded{
			files: []string{"a.go", "b.go"}, commits: []string{"Write the thing"}, commands: []command{{"go test", 1}, {"go vet", 0}},
		},
	}
	const whole = "Be brief. SQLite. a.go, b.go. Test b.go. `go test` (exit 1), `go vet` (exit 0). Commit: Write the thing\nWrite it\nComplete: all.\nckpt delta -F -\n"
	const rest = "Be brief. SQLite. Write it. Test b.go."
	cost := costs{status: 1, log: 10, skill: 1000, tests: 10000, sources: 100000}
	for _, tt := range []struct {
		name, drop, rest string
		looks            []string
		bytes            int
		lost             int
	}{
		{"whole", "", rest, nil, 0, 0},
		{"a command is not worth a look", "`go vet` (exit 0)", rest, nil, 0, 0},
		{"uncommitted file that only a point names", "b.go", rest, []string{lookStatus}, 1, 0},
		{"a committed file is not looked for", "a.go", rest, nil, 0, 0},
		{"commit", "Commit: Write the thing", rest, []string{lookLog, lookSources}, 100010, 0},
		{"rule", "Be brief", rest, []string{"rest"}, len(rest), 0},
		{"rule that is nowhere", "Be brief", "x", nil, 0, 1},
		{"decision that is nowhere", "SQLite", "x", nil, 0, 1},
		{"point", "Test b.go", rest, []string{"rest"}, len(rest), 0},
		{"tests", "`go test` (exit 1)", rest, []string{lookTests}, 10000, 0},
		{"tests, which a look at the rest shows anyway", "Complete: all.\n", "`go test` (exit 1)", []string{"rest"}, 18, 0},
		{"whether it is whole", "Complete: ", rest, []string{"rest"}, len(rest), 0},
		{"how to write", "-F -", rest, []string{lookSkill}, 1000, 0},
	} {
		text := strings.Replace(whole, tt.drop, "", 1)
		if strings.HasPrefix(tt.name, "tests, which") {
			text = strings.Replace(text, "`go test` (exit 1)", "", 1)
		}
		got := read(medium{text, tt.rest, "rest", true}, life, cost)
		if !slices.Equal(got.looks, tt.looks) || got.bytes != len(text)+tt.bytes || len(got.lost) != tt.lost {
			t.Errorf("%s: looks %q, %d bytes, lost %q", tt.name, got.looks, got.bytes-len(text), got.lost)
		}
	}

	got := read(medium{text: "SQLite, a.go\n2. Write it\n`go vet` (exit 0)"}, life, cost)
	for _, tt := range []struct {
		name      string
		got, want score
	}{
		{"rules", got.rules, score{0, 1}},
		{"decisions", got.decisions, score{1, 1}},
		{"next", got.next, score{0, 1}},
		{"files", got.files, score{1, 2}},
		{"unrecorded files", got.newFiles, score{1, 2}},
		{"unrecorded commands", got.commands, score{1, 2}},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, tt.got, tt.want)
		}
	}
	if got.stale != 1 || !slices.Equal(got.looks, []string{lookStatus, lookLog, lookTests, lookSources}) {
		t.Errorf("by hand: %d stale, looks %q", got.stale, got.looks)
	}
}

func TestTellsWhatItLeftOut(t *testing.T) {
	for _, tt := range []struct {
		brief, command string
		tells          bool
	}{
		{"# Resuming\n\n**Next:** x\n", "", false},
		{"x\nComplete: nothing was left out, the file need not be read.\n", "", true},
		{"x\nLeft out: 2 files, the state (3 times) (ckpt resume)\nx", "ckpt resume", true},
		{"INCOMPLETE: needs 9 tokens; left out: 7 decisions (ckpt show @ --section decisions)\n", "ckpt show @ --section decisions", true},
		{"- Left out: this is a rule\n", "", false},
	} {
		got := tellsWhatItLeftOut.FindStringSubmatch(tt.brief)
		if (got != nil) != tt.tells || got != nil && got[1] != tt.command {
			t.Errorf("%q: %q", tt.brief, got)
		}
	}
}

// TestTruth follows a few events up to a record and beyond.
func TestTruth(t *testing.T) {
	life := &truth{points: []point{{text: "A"}, {text: "B"}}, decisions: []decision{{what: "X", why: "y"}}}
	life.changed("a.go")
	life.ran(command{"go test", 1}, true)
	life.ran(command{"go vet", 0}, false)
	life.ran(command{"go test", 0}, true)
	life.points[0].done = true
	life.committed("Do A")
	life.changed("b.go")
	if !slices.Equal(life.unrecorded.commands, []command{{"go vet", 0}, {"go test", 0}}) || *life.lastTest != (command{"go test", 0}) {
		t.Errorf("commands %v, tests %v", life.unrecorded.commands, life.lastTest)
	}
	if !slices.Equal(life.dirty, []string{"b.go"}) || !slices.Equal(life.files, []string{"a.go", "b.go"}) || !slices.Equal(life.unrecorded.files, life.files) {
		t.Errorf("dirty %q, all %q, unrecorded %q", life.dirty, life.files, life.unrecorded.files)
	}
	if stale := life.stale(); len(stale) != 1 || stale[0].commit != "Do A" || !slices.Equal(life.open(), []string{"B"}) {
		t.Errorf("stale %v, open %q", stale, life.open())
	}
	if got := life.delta("A is done", "It works."); got != "A is done\n\n### Decisions\n\n- **X**: y\n\n### Done\n\n- A\n\n### Current State\n\nIt works.\n" {
		t.Errorf("delta:\n%s", got)
	}
	life.recorded()
	if u := life.unrecorded; len(u.files)+len(u.commands)+len(u.commits)+len(life.stale()) != 0 || !slices.Equal(life.dirty, []string{"b.go"}) {
		t.Errorf("after a record: %+v", life)
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values []int
		want   string
	}{
		{nil, "–"}, {[]int{3}, "3"}, {[]int{5, 1, 3}, "3"}, {[]int{4, 1, 3, 2}, "2.5"}, {[]int{1, 5}, "3"},
	} {
		if got := median(tt.values); got != tt.want {
			t.Errorf("median(%v) = %s, want %s", tt.values, got, tt.want)
		}
	}
}

// TestCuts: what the user said is told word for word wherever the session is killed.
func TestCuts(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("needs symbolic links")
	}
	for _, cut := range []int{0, 5} {
		ckpt, handoff, err := playCut(t.TempDir(), cut)
		if err != nil {
			t.Fatal(err)
		}
		if all := (score{10, 10}); ckpt.points != all || ckpt.rules.found != ckpt.rules.of {
			t.Errorf("after %d calls ckpt tells %v points and %v rules", cut, ckpt.points, ckpt.rules)
		}
		if handoff.points.found == 10 != (cut > 1) {
			t.Errorf("after %d calls the handoff has %v points", cut, handoff.points)
		}
	}
}
