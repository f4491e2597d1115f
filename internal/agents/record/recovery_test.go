package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/agents/record"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func code(n int) *int { return &n }

// died returns the work of a session that edited files after its tests had failed.
func died() record.Work {
	return record.Work{
		Agent: "claude", Session: "4f2a9c1e-77", Last: noon, Wrote: noon,
		Files: []string{"a.go", "b_test.go", "c.go"},
		Commands: []record.Run{
			{Command: "go test ./...", At: noon.Add(-time.Minute), Exit: code(1), Test: true},
			{Command: "go vet ./...", At: noon.Add(-2 * time.Minute), Exit: code(0)},
		},
	}
}

func TestBrief(t *testing.T) {
	other := record.Work{Agent: "codex", Session: "9c2e", Last: noon.Add(-time.Hour), Ended: true, Files: []string{"z.go"}}
	ended := died()
	ended.Ended = true
	for _, c := range []struct {
		name, reader, want string
		all                []record.Work
	}{
		{"a session that may be alive", "", "Session `4f2a9c1e…` (claude) last worked at 2026-01-02T12:00:00Z and left no delta. It wrote `a.go`, `b_test.go`, `c.go`. It ran `go test ./...` (exit 1, before the last edit), `go vet ./...` (exit 0). Unless it is still at work, record it, now or with your next delta: `ckpt delta chk-x --recovered`.", []record.Work{died()}},
		{"one that has ended", "", "Session `4f2a9c1e…` (claude) last worked at 2026-01-02T12:00:00Z and left no delta. It wrote `a.go`, `b_test.go`, `c.go`. It ran `go test ./...` (exit 1, before the last edit), `go vet ./...` (exit 0). Record it, now or with your next delta: `ckpt delta chk-x --recovered`.", []record.Work{ended}},
		{"the reader's own", "4f2a9c1e-77", "This session last worked at 2026-01-02T12:00:00Z and left no delta. It wrote `a.go`, `b_test.go`, `c.go`. It ran `go test ./...` (exit 1, before the last edit), `go vet ./...` (exit 0). Record it: `ckpt delta chk-x --recovered`.", []record.Work{died()}},
		{"several", "", "Session `4f2a9c1e…` (claude) last worked at 2026-01-02T12:00:00Z and left no delta. It wrote `a.go`, `b_test.go`, `c.go`. It ran `go test ./...` (exit 1, before the last edit), `go vet ./...` (exit 0). Also without a delta: 1 other session. Record it, now or with your next delta: `ckpt delta chk-x --recovered`.", []record.Work{ended, other}},
		{"a test whose end nobody saw", "", "Session `9c2e` (codex) last worked at 2026-01-02T11:00:00Z and left no delta. It ran `make check` (exit unknown), `go test | tail` (exit 0 of `tail`), `npm ci`. Record it, now or with your next delta: `ckpt delta chk-x --recovered`.",
			[]record.Work{{Agent: "codex", Session: "9c2e", Last: other.Last, Ended: true, Commands: []record.Run{{Command: "make check", Test: true}, {Command: "go test | tail", Test: true, Exit: code(0), ExitOf: "tail"}, {Command: "npm ci"}}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lengths := record.Brief(c.all, c.reader, "chk-x", 800)
			if got := lengths[len(lengths)-1]; got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestLengths checks that each text is longer than the text before it, within the limit,
// and one line, and has the command that records the work.
func TestLengths(t *testing.T) {
	w := died()
	for i := range 100 {
		w.Files = append(w.Files, fmt.Sprintf("some/long folder/file%d\n.go", i))
		w.Commands = append(w.Commands, record.Run{Command: fmt.Sprintf("./step%d.sh `x`", i)})
	}
	all := slices.Repeat([]record.Work{w}, 30)
	for most := range 1000 {
		for _, n := range []int{1, 2, 30} {
			before := ""
			for _, text := range record.Brief(all[:n], "", "chk-x", most) {
				if len(text) <= len(before) || len(text) > most || strings.Contains(text, "\n") || !strings.HasSuffix(text, "`ckpt delta chk-x --recovered`.") {
					t.Fatalf("at most %d bytes: %q after %q", most, text, before)
				}
				before = text
			}
			if before == "" && most > 150 {
				t.Fatalf("at most %d bytes: nothing is said", most)
			}
		}
	}
}

func TestDelta(t *testing.T) {
	git := record.Git{Files: 3, Uncommitted: []string{"a.go", "b_test.go"}, Commits: []record.Commit{{"0123456789", "Parse\nit"}}}
	for _, c := range []struct {
		name           string
		all            []record.Work
		git            record.Git
		changed, state string
	}{
		{
			"a session", []record.Work{died()}, git,
			"Recovered: 3 files changed, 1 commit; session `4f2a9c1e…` (claude) worked until 2026-01-02T12:00:00Z without a delta\n\n" +
				"- Session `4f2a9c1e…` (claude) wrote `a.go`, `b_test.go`, `c.go`\n" +
				"- Session `4f2a9c1e…` (claude) ran `go test ./...` at 2026-01-02T11:59:00Z: exit 1, before the last edit; `go vet ./...` at 2026-01-02T11:58:00Z: exit 0\n" +
				"- Commit 0123456: Parse it",
			"Recovered: session `4f2a9c1e…` (claude) worked until 2026-01-02T12:00:00Z without a delta; `go test ./...` at 2026-01-02T11:59:00Z: exit 1, before the last edit; not committed: `a.go`, `b_test.go`",
		},
		{
			"no record", nil, git,
			"Recovered from git: 3 files changed, 1 commit\n\n- Commit 0123456: Parse it",
			"Recovered from git: 3 files changed, 1 commit; not committed: `a.go`, `b_test.go`",
		},
		{"nothing of git's", []record.Work{died()}, record.Git{},
			"Recovered: session `4f2a9c1e…` (claude) worked until 2026-01-02T12:00:00Z without a delta\n\n" +
				"- Session `4f2a9c1e…` (claude) wrote `a.go`, `b_test.go`, `c.go`\n" +
				"- Session `4f2a9c1e…` (claude) ran `go test ./...` at 2026-01-02T11:59:00Z: exit 1, before the last edit; `go vet ./...` at 2026-01-02T11:58:00Z: exit 0",
			"Recovered: session `4f2a9c1e…` (claude) worked until 2026-01-02T12:00:00Z without a delta; `go test ./...` at 2026-01-02T11:59:00Z: exit 1, before the last edit",
		},
		{"nothing but a file", nil, record.Git{Files: 1}, "Recovered from git: 1 file changed", "Recovered from git: 1 file changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed, state := record.Delta(c.all, c.git)
			if changed != c.changed || state != c.state {
				t.Errorf("got\n%s\n%s\nwant\n%s\n%s", changed, state, c.changed, c.state)
			}
		})
	}
}
