package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/fault"
)

var noon = At(time.Date(2026, 1, 2, 13, 0, 0, 999, time.FixedZone("CET", 3600)))

// TestEncode checks what every answer promises: its head, lists that are never null, times
// in UTC without fractions, text without escapes for HTML, and members that follow from others.
func TestEncode(t *testing.T) {
	for name, tt := range map[string]struct {
		answer any
		want   string // in the line
	}{
		"a time":              {answer: Mark{At: noon}, want: `"startedAt":"2026-01-02T12:00:00Z"`},
		"no time":             {answer: Mark{}, want: `"startedAt":""`},
		"text as it is":       {answer: Fact{Name: "<&>"}, want: `"name":"<&>"`},
		"a severity":          {answer: Finding{Severity: Advice}, want: `"severity":"advice"`},
		"a receipt":           {answer: &Receipt{Op: "note", Commit: "c"}, want: `"op":"note","summary":"","files":[],"unchanged":false,"dry_run":false,"committed":true`},
		"a pending receipt":   {answer: &Receipt{Op: "note", Pending: "off"}, want: `"committed":false,"pending":"off"`},
		"counts of a report":  {answer: &Report{Findings: []Finding{{}, {Severity: Advice}, {}}}, want: `"errors":2,"warnings":0,"advice":1`},
		"a healthy diagnosis": {answer: &Diagnosis{Problems: []Problem{{Code: "a", Fixed: true}}}, want: `"healthy":true`},
		"an unhealthy one":    {answer: &Diagnosis{Problems: []Problem{{Code: "a"}}}, want: `"healthy":false`},
		"an import": {answer: &Import{Receipt: &Receipt{Commit: "c"}, Sources: []Imported{{File: "a.md",
			Shares: []Share{{Lines: 2}, {Lines: 3, Imported: true}}}}}, want: `"lines":0,"imported":3,"sections":[{"section":"","lines":2}`},
		"an agent that is complete": {answer: &Agents{Entries: []Agent{{Scope: "user", Pieces: []Piece{{State: "edited"}}}}},
			want: `"kind":"k","complete":true,"agents":[{"name":"","title":"","scope":"user","complete":true`},
		"an agent that lacks a piece": {answer: &Agents{Entries: []Agent{{Scope: "user", Pieces: []Piece{{State: "stale"}}}}},
			want: `"kind":"k","complete":false`},
		"an agent that is not set up": {answer: &Agents{Entries: []Agent{{}}}, want: `"kind":"k","complete":false`},
		"no agent":                    {answer: &Agents{}, want: `"kind":"k","complete":false`},
		"a failure": {answer: FailureOf(fault.New(fault.NotFound, "no %s", "chk-a").WithHint("ckpt list")),
			want: `"kind":"k","code":"not-found","message":"no chk-a","hint":"ckpt list","exit":3}`},
	} {
		var text, line, compact bytes.Buffer
		err := errors.Join(Encode(&text, "k", tt.answer), EncodeLine(&line, "k", tt.answer), json.Compact(&compact, text.Bytes()))
		if err != nil || line.String() != compact.String()+"\n" {
			t.Errorf("%s: as a line %s, else %s, error %v", name, line.String(), text.String(), err)
		}
		if got := line.String(); !strings.Contains(got, tt.want) || !strings.HasPrefix(got, `{"ckpt":1,"kind":"k",`) {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestWords(t *testing.T) {
	for want, got := range map[string]string{
		"rows.jsonl:2":          Place{Line: 2}.In("rows.jsonl"),
		"rows.json:1 (row 3)":   Place{Line: 1, Row: 3}.In("rows.json"),
		"notes.md":              Place{}.In("notes.md"),
		"ship, phase 3, 45%":    Run{Workflow: "ship", Phase: "3", Progress: "45%"}.Where(),
		"ship, Phase 3 - Build": Run{Workflow: "ship", Phase: "Phase 3 -  Build"}.Where(),
		"ship, pack":            Run{Workflow: "ship", Phase: "3", Step: "pack"}.Where(),
		"":                      Run{Agent: "claude"}.Where(),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestNumber checks that a row in a list has its own number, and any other row the number of its line.
func TestNumber(t *testing.T) {
	if (Place{Line: 1, Row: 3}).Number() != 3 || (Place{Line: 2}).Number() != 2 {
		t.Error("a row in a list has its own number, else that of its line")
	}
}
