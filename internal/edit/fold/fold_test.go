package fold_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit/fold"
)

// head is a checkpoint up to the sections that a fold changes.
const head = `---
checkpoint: chk-a
created: 2026-01-01
---
## Problem

Logins fail.

## Session Intent

They work.

## Essential Information

### Decisions

- **Redis**: ops know it

### Technical Context

Go
`

const tail = `
### Current State

Broken.

### Next Actions

1. Fix it

## User Rules

- No force push
`

func TestFold(t *testing.T) {
	for _, c := range []struct {
		name          string
		steps, trail  string // Play-By-Play and Artifact Trail
		behind        string // the User Rules
		wantSteps     string
		wantTrail     string
		wantBehind    string
		deltas, moved int
	}{
		{
			name:       "no delta",
			steps:      "- one\n",
			trail:      "None.\n",
			wantSteps:  "- one\n",
			wantTrail:  "None.\n",
			wantBehind: "",
		},
		{
			name:  "later mentions win, and stand behind",
			steps: "* one → done\n",
			trail: table("File | Status | Key Change", "`a.go` | created | first", "`b.go` | modified | B"),
			behind: delta("2026-01-02T10:00:00Z", "A is better.", "`a.go` | modified | better", "`c.go` | created | C") +
				delta("2026-01-03T10:00:00Z", "C is\ngone.", "`c.go` | deleted | "),
			wantSteps: "* one → done\n* 2026-01-02T10:00:00Z → A is better.\n* 2026-01-03T10:00:00Z → C is gone.\n",
			wantTrail: table("File | Status | Key Change", "`b.go` | modified | B", "`a.go` | modified | better", "`c.go` | deleted | C"),
			deltas:    2,
		},
		{
			name:      "backticks stay around a name with one",
			steps:     "None yet.\n",
			trail:     "None.\n",
			behind:    delta("2026-01-02T10:00:00Z", "Made.", "`` tick`s.txt `` | created | x"),
			wantSteps: "- 2026-01-02T10:00:00Z → Made.\n",
			wantTrail: table("File | Status | Key Change", "`` tick`s.txt `` | created | x"),
			deltas:    1,
		},
		{
			name:      "a renamed file has one row",
			steps:     "None yet.\n",
			trail:     table("File | Status | Key Change", "`a.go` | created | first"),
			behind:    delta("2026-01-02T10:00:00Z", "Moved.", "`x/b.go` | modified | renamed from `a.go`; Move it"),
			wantSteps: "- 2026-01-02T10:00:00Z → Moved.\n",
			wantTrail: table("File | Status | Key Change", "`x/b.go` | modified | renamed from `a.go`; Move it"),
			deltas:    1,
		},
		{
			name:  "columns of one's own stay",
			steps: "None.\n",
			trail: table("File | Status | Key Change | Owner", "`a.go` | created | first | Ana"),
			behind: "\n---\n\n## Delta: 2026-01-02\n\n### What Changed\n\nMore.\n\n### Artifacts\n\n" +
				table("File | Action | Description", "`a.go` | modified | more", "`p\\|q.go` | created | x"),
			wantSteps: "- 2026-01-02 → More.\n",
			wantTrail: table("File | Status | Key Change | Owner", "`a.go` | modified | more | Ana", "`p\\|q.go` | created | x | "),
			deltas:    1,
		},
		{
			name:  "transitions are applied",
			steps: "None.\n",
			trail: "None.\n",
			behind: delta("2026-01-02", "Began.") + "\n### Status Transitions\n\n" + table("Item | Before | After", "Phase 1 | open | active", "Docs | open | done") +
				delta("2026-01-03", "Ended.") + "\n### Status Transitions\n\n" + table("Item | Before | After", "Phase 1 | active | done", "Tests | red | red"),
			wantSteps: "- 2026-01-02 → Began. → Docs: done\n- 2026-01-03 → Ended. → Phase 1: done\n",
			wantTrail: "None.\n",
			deltas:    2,
		},
		{
			name:   "sections of one's own stay where they are",
			steps:  "None.\n",
			trail:  "None.\n",
			behind: "\n---\n\n## Delta: 2026-01-02\n\n### What Changed\n\nMeasured.\n\nTwice, and\n- once more\n\n### Measured\n\n  odd  spacing\n\n#### Deeper\n\n```\n## Delta: no\n```\n\n### Artifacts\n\n" + table("File | Action | Description", "`a.go` | modified | x") + delta("2026-01-03", "Then."),
			wantSteps: "- 2026-01-02 → Measured.\n\n  Twice, and\n  - once more\n" +
				"- 2026-01-03 → Then.\n",
			wantTrail:  table("File | Status | Key Change", "`a.go` | modified | x"),
			wantBehind: "\n---\n\n## From the delta of 2026-01-02\n\n### Measured\n\n  odd  spacing\n\n#### Deeper\n\n```\n## Delta: no\n```\n",
			deltas:     2, moved: 1,
		},
		{
			name:       "words beside a table stay",
			steps:      "None.\n",
			trail:      "None.\n",
			behind:     "\n---\n\n## Delta: 2026-01-02\n\nIn a hurry.\n\n### What Changed\n\nFixed.\n\n### Artifacts\n\nAll by hand:\n\n" + table("File | Action | Description", "`a.go` | modified | x"),
			wantSteps:  "- 2026-01-02 → Fixed.\n",
			wantTrail:  table("File | Status | Key Change", "`a.go` | modified | x"),
			wantBehind: "\n---\n\n## From the delta of 2026-01-02\n\nIn a hurry.\n\n### Artifacts\n\nAll by hand:\n\n" + table("File | Action | Description", "`a.go` | modified | x"),
			deltas:     1, moved: 1,
		},
		{
			name:       "a section that is called as one of the file stays the delta's",
			steps:      "None.\n",
			trail:      "None.\n",
			behind:     delta("2026-01-02", "One.") + delta("2026-01-03", "Two.") + "\n### Decisions\n\n- **X**: y\n" + delta("2026-01-04", "Three."),
			wantSteps:  "- 2026-01-02 → One.\n- 2026-01-03 → Two.\n- 2026-01-04 → Three.\n",
			wantTrail:  "None.\n",
			wantBehind: "\n---\n\n## From the delta of 2026-01-03\n\n### Decisions\n\n- **X**: y\n",
			deltas:     3, moved: 1,
		},
		{
			name:       "what stands between and behind stays",
			steps:      "None.\n",
			trail:      "None.\n",
			behind:     "\n## Ours\nx\n\n---\n\n## Delta: 2026-01-02\n\n### What Changed\n\nOne.\n\n### Artifacts\n\n## Theirs\ny\n" + delta("2026-01-03", "Two.") + "\n---\n\n## Completion\n\n- **Status**: Archived\n",
			wantSteps:  "- 2026-01-02 → One.\n- 2026-01-03 → Two.\n",
			wantTrail:  "None.\n",
			wantBehind: "\n## Ours\nx\n\n## Theirs\ny\n\n---\n\n## Completion\n\n- **Status**: Archived\n",
			deltas:     2,
		},
		{
			name:       "breadcrumbs of a delta join the others",
			steps:      "None.\n",
			trail:      "None.\n\n### Breadcrumbs\n\n" + table("Type | Reference | Hint", "file | `a.go` | A"),
			behind:     delta("2026-01-02", "One.") + "\n### Breadcrumbs\n\n" + table("Type | Reference | Hint", "file | `a.go` | again", "file | `b.go` | B"),
			wantSteps:  "- 2026-01-02 → One.\n",
			wantTrail:  "None.\n\n### Breadcrumbs\n\n" + table("Type | Reference | Hint", "file | `a.go` | A", "file | `b.go` | B"),
			wantBehind: "",
			deltas:     1,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := func(steps, trail, behind string) string {
				return head + "\n### Play-By-Play\n\n" + steps + "\n### Artifact Trail\n\n" + trail + tail + behind
			}
			for _, form := range []struct {
				name string
				of   func(string) string
			}{
				{"as it is", func(s string) string { return s }},
				{"CRLF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
				{"byte order mark", func(s string) string { return "\xef\xbb\xbf" + s }},
				{"no last line break", func(s string) string { return strings.TrimSuffix(s, "\n") }},
			} {
				src, want := form.of(file(c.steps, c.trail, c.behind)), form.of(file(c.wantSteps, c.wantTrail, c.wantBehind))
				got, res := folded(t, src)
				if got != want {
					t.Errorf("%s:\n%s\nwant\n%s", form.name, got, want)
				}
				if res.Deltas != c.deltas || res.Left != c.moved {
					t.Errorf("%s: %+v", form.name, res)
				}
				if again, _ := folded(t, got); again != got {
					t.Errorf("%s: folded twice:\n%s", form.name, again)
				}
			}
		})
	}
}

// TestOldStepsGetShorter keeps the newest entries and the first part of the others.
func TestOldStepsGetShorter(t *testing.T) {
	var steps, behind strings.Builder
	for range 8 {
		steps.WriteString("- step, wrapped\n  here\n  - detail\n\n    more\n")
	}
	for range 4 {
		behind.WriteString(delta("2026-01-02", "One.\n\nIn detail."))
	}
	src := head + "\n### Play-By-Play\n\n" + steps.String() + "\n### Artifact Trail\n\nNone.\n" + tail + behind.String()
	got, res := folded(t, src)
	if n := strings.Count(got, "- detail"); n != 6 || res.Shortened != 2 {
		t.Errorf("%d steps have their details, %+v:\n%s", n, res, got)
	}
	if strings.Count(got, "- step, wrapped\n  here\n") != 8 || strings.Count(got, "  In detail.") != 4 {
		t.Errorf("steps are lost:\n%s", got)
	}
	for range 12 {
		behind.WriteString(delta("2026-01-03", "Two.\n\nIn detail."))
	}
	got, _ = folded(t, head+"\n### Play-By-Play\n\nNone.\n\n### Artifact Trail\n\nNone.\n"+tail+behind.String())
	if strings.Count(got, "In detail.") != fold.Detailed || strings.Count(got, "→ One.") != 4 || strings.Count(got, "→ Two.") != 12 {
		t.Errorf("of the deltas:\n%s", got)
	}
}

func folded(t *testing.T, src string) (string, fold.Result) {
	t.Helper()
	c, err := checkpoint.Parse("active/chk-a.md", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	got, res, err := fold.Fold(c)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return string(got.Doc.Bytes()), res
}

// delta returns a delta as ckpt writes it.
func delta(stamp, changed string, rows ...string) string {
	return "\n---\n\n## Delta: " + stamp + "\n\n### What Changed\n\n" + changed + "\n\n### Artifacts\n\n" + table("File | Action | Description", rows...)
}

// table returns a table as ckpt writes it.
func table(header string, rows ...string) string {
	var b strings.Builder
	b.WriteString("| " + header + " |\n")
	for _, title := range strings.Split(header, " | ") {
		b.WriteString("|" + strings.Repeat("-", len(title)+2))
	}
	b.WriteString("|\n")
	for _, row := range rows {
		b.WriteString("| " + row + " |\n")
	}
	return b.String()
}
