package resume

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/changes"
)

var written = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// memory is a small repository in memory.
type memory struct {
	files  map[string]time.Duration // of the working tree, with the time since the last delta
	gone   map[string]string        // files that were deleted since a commit, by path
	since  changes.Count
	branch string
}

func (m memory) Root() string { return "/r" }
func (m memory) Head() (git.Head, error) {
	return git.Head{Ref: "refs/heads/" + m.branch, Hash: strings.Repeat("f", 40)}, nil
}
func (m memory) HasCommit(string) bool { return true }
func (m memory) Since(context.Context, changes.Base, string) (changes.Count, error) {
	return m.since, nil
}
func (m memory) ModTime(path string) time.Time {
	after, ok := m.files[path]
	if !ok {
		return time.Time{}
	}
	return written.Add(after)
}
func (m memory) There(path string) bool                                     { _, ok := m.files[path]; return ok }
func (m memory) Index(context.Context) (drift.Index, error)                 { return m, nil }
func (m memory) HasCommits() (bool, error)                                  { return true, nil }
func (m memory) CompleteHistory() (bool, error)                             { return true, nil }
func (m memory) Ignored(context.Context, []string) (map[string]bool, error) { return nil, nil }
func (m memory) History(_ context.Context, span string, _, gone []string) (map[string]drift.PathHistory, error) {
	all := map[string]drift.PathHistory{}
	for _, p := range gone {
		if from := m.gone[p]; from != "" && strings.HasPrefix(span, from) {
			all[p] = drift.PathHistory{Path: p, Commit: strings.Repeat("d", 40)}
		}
	}
	return all, nil
}
func (m memory) Has(path string) bool             { return m.There(path) }
func (m memory) HasFolder(string) bool            { return false }
func (m memory) Hidden(string) bool               { return false }
func (m memory) Module(string) string             { return "" }
func (m memory) Where(func(string) bool) []string { return nil }

const file = `---
checkpoint: chk-a
created: 2026-01-01
last_delta: 2026-01-02T10:00:00Z
anchor: main@aaaaaaa
---

### Breadcrumbs

| Type | Reference | Hint |
|------|-----------|------|
| file | gone.go | |

### Artifact Trail

| File | Status | Key Change |
|------|--------|------------|
| told.go | modified | |
| later.go | modified | |

### Next Actions

1. [x] Read done.go
2. Fix next.go
3. Fix old.go
4. Fix other.go
`

func parse(t *testing.T) *checkpoint.Checkpoint {
	t.Helper()
	c, err := checkpoint.Parse("active/chk-a.md", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFacts(t *testing.T) {
	base, anchor := strings.Repeat("a", 40), strings.Repeat("b", 40)
	repo := memory{
		files:  map[string]time.Duration{"told.go": -time.Hour, "later.go": time.Hour, "new.go": 2 * time.Hour, "next.go": 0, "other.go": 0},
		gone:   map[string]string{"gone.go": base, "old.go": anchor},
		since:  changes.Count{Mine: 2, Others: 1, Commits: []drift.Commit{{Hash: "c1", Subject: "password = 'hunter2hunter2'"}, {Hash: "c2", Subject: "Fix it"}}},
		branch: "sso",
	}
	f := facts{repo: repo, folder: "checkpoints", base: changes.Base{Commit: base}, anchor: func(context.Context) string { return anchor }}
	c := parse(t)
	got, err := f.history(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if got.Mine != 2 || got.Others != 1 || got.Quiet || got.Written != "main" || got.Branch != "sso" || got.From != base {
		t.Errorf("commits: %+v", got)
	}
	var gone []string
	for _, x := range got.Findings {
		gone = append(gone, x.Path)
	}
	if !slices.Equal(gone, []string{"gone.go", "old.go"}) {
		t.Errorf("gone since base or since the work began: %q", gone)
	}
	if got.Commits[1].Subject != "Fix it" || strings.Contains(got.Commits[0].Subject, "hunter2") {
		t.Errorf("subjects: %+v", got.Commits)
	}
	f.edits(&got, c, []changes.Edit{
		{Path: "told.go", Edited: true}, {Path: "later.go", Staged: true, Edited: true}, {Path: "next.go", Edited: true},
		{Path: "new.go", New: true}, {Path: "gone.go", Deleted: true},
	})
	for name, want := range map[string]struct{ got, want []drift.File }{
		"untold": {got.Untold, []drift.File{{Path: "new.go", State: "new"}, {Path: "next.go", State: "edited"}}},
		"later":  {got.Later, []drift.File{{Path: "later.go", State: "staged, edited"}}},
		"told":   {got.Told, []drift.File{{Path: "told.go", State: "edited"}}},
	} {
		if !slices.Equal(want.got, want.want) {
			t.Errorf("%s: %+v, want %+v", name, want.got, want.want)
		}
	}
}

func TestFactsElsewhere(t *testing.T) {
	base := strings.Repeat("a", 40)
	for _, test := range []struct {
		name  string
		since changes.Count
		check func(drift.Facts) bool
	}{
		{"nothing happened", changes.Count{}, func(f drift.Facts) bool { return f.Quiet && f.From == base }},
		{"base is missing", changes.Count{Missing: true}, func(f drift.Facts) bool { return f.Missing == base && f.From == "" && !f.Quiet }},
		{"base is lost", changes.Count{Lost: true, Holder: "old"}, func(f drift.Facts) bool { return f.Lost == base && f.Holder == "old" && !f.Quiet }},
		{"base was squashed", changes.Count{Arrived: "bbb"}, func(f drift.Facts) bool { return f.Written == "" && f.From == base }},
	} {
		f := facts{repo: memory{since: test.since}, base: changes.Base{Commit: base}, anchor: func(context.Context) string { return "" }}
		if got, err := f.history(t.Context(), parse(t)); err != nil || !test.check(got) {
			t.Errorf("%s: %+v, %v", test.name, got, err)
		}
	}
}

func TestStateOf(t *testing.T) {
	for want, e := range map[string]changes.Edit{
		"new":                         {New: true},
		"new, staged":                 {New: true, Staged: true},
		"new, staged, edited":         {New: true, Staged: true, Edited: true},
		"edited":                      {Edited: true},
		"staged":                      {Staged: true},
		"deleted":                     {Deleted: true, Edited: true},
		"deleted, staged":             {Deleted: true, Staged: true},
		"renamed from `a.go`, staged": {From: "a.go", Staged: true},
		"in conflict":                 {Conflict: true, Edited: true},
	} {
		if got := stateOf(e); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
}
