package brief_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/brief"
)

// TestAsOfNow checks the parts of the brief of a file.
func TestAsOfNow(t *testing.T) {
	const delta = "\n## Delta: 2026-01-05T10:00:00Z\n\n### What Changed\n\nLater.\n\n### Artifacts\n\n| File | Action | Description |\n|---|---|---|\n| `a.go` | deleted | |\n\n### Status Transitions\n\n| Item | Before | After |\n|---|---|---|\n| Phase | active | done |\n"
	for _, c := range []struct{ name, body, part, want string }{
		{"struck decisions are left out", "### Decisions\n\n- **A**: a\n- ~~**B**: b~~ → **A**\n", "decisions", "- **A**: a"},
		{"a section that stands twice is told twice", "### Decisions\n\n- **A**: a\n\n### Decisions\n\n- **B**: b\n", "decisions", "- **A**: a\n\n- **B**: b"},
		{"done actions are left out", "### Next Actions\n\n1. [x] one\n2. two\n3. ~~three~~\n", "next-actions", "2. two"},
		{"later mentions win, transitions are applied", "### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| `b.go` | created | B |\n| `a.go` | created | A |\n" + delta, "artifact-trail",
			"| File | Status | Key Change |\n|------|--------|------------|\n| `a.go` | deleted | A |\n| `b.go` | created | B |"},
		{"words beside the files stay", "### Artifact Trail\n\n- `a.go` (created): A\n- All of the docs\n", "artifact-trail",
			"| File | Status | Key Change |\n|------|--------|------------|\n| `a.go` | created | A |\n\n- All of the docs"},
		{"references to deleted files are stale", "### Breadcrumbs\n\n| Type | Reference | Hint |\n|---|---|---|\n| file | `a.go` | x |\n| file | `b.go` | y |\n" + delta, "stale-breadcrumbs",
			"| Type | Reference | Hint |\n|---|---|---|\n| file | `a.go` | x |"},
		{"references that were struck as stale", "### Breadcrumbs\n\n| Type | Reference | Hint |\n|---|---|---|\n| file | ~~`a.go`~~ (gone) | x |\n| file | ~~`b.go`~~ → `c.go` | y |\n| file | ~~`d.go`~~ `e.go` | z |\n", "stale-breadcrumbs",
			"| Type | Reference | Hint |\n|---|---|---|\n| file | ~~`a.go`~~ (gone) | x |"},
		{"breadcrumbs newest first", "### Breadcrumbs\n\n| Type | Reference | Hint |\n|---|---|---|\n| file | `x.go` | x |\n| file | `y.go` | y |\n", "breadcrumbs",
			"| Type | Reference | Hint |\n|---|---|---|\n| file | `y.go` | y |\n| file | `x.go` | x |"},
		{"steps with a day stand among the deltas", "### Play-By-Play\n\n- began\n- **2026-01-04**: earlier\n- 2026-01-06 → after it\n" + delta, "play-by-play",
			"- 2026-01-06 → after it\n- 2026-01-05T10:00:00Z → Later. → Phase: done\n- **2026-01-04**: earlier\n- began"},
		{"steps that were done since stand among the deltas", "### Play-By-Play\n\n- began\n- one → done\n- two → done\n" + delta, "play-by-play",
			"- 2026-01-05T10:00:00Z → Later. → Phase: done\n- two → done\n- one → done\n- began"},
		{"words of a delta below no heading are told", delta + "\n## Delta: 2026-01-06T10:00:00Z\n\nBy hand.\n\n- twice\n", "own", "By hand.\n\n- twice"},
		{"words beside a delta's table are told", "## Delta: 2026-01-06\n\n### Artifacts\n\nMost of the docs.\n", "own", "Most of the docs."},
		{"a decision that stands in a delta only is told", "### Decisions\n\n- **A**: a\n\n## Delta: 2026-01-06\n\n### What Changed\n\nIt.\n\n### Decisions\n\n- **B**: b\n", "own", "- **B**: b"},
		{"what a fold left of a delta is told", "## From the delta of 2026-01-06\n\n### Decisions\n\n- **B**: b\n", "own", "- **B**: b"},
		{"breadcrumbs of a delta are told", "## Delta: 2026-01-06\n\n### Breadcrumbs\n\n| Type | Reference | Hint |\n|---|---|---|\n| file | `a.go` | x |\n", "own", "| Type | Reference | Hint |\n|---|---|---|\n| file | `a.go` | x |"},
		{"what a delta says elsewhere is told once", delta, "own", ""},
		{"nothing is not told", "### Technical Context\n\nNone yet.\n", "technical-context", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			for _, p := range build(t, "", c.body).Parts {
				if p.Name == c.part {
					got = p.Text
				}
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestOlderCanBeSummarised checks that the latest files and steps should be kept, and that
// earlier ones can be summarised (S003-57, S003-58).
func TestOlderCanBeSummarised(t *testing.T) {
	var files, steps strings.Builder
	for i := range 20 {
		fmt.Fprintf(&files, "| `f%02d.go` | modified | |\n", i)
		fmt.Fprintf(&steps, "- step %02d\n", i)
	}
	parts := build(t, "", "### Play-By-Play\n\n"+steps.String()+
		"\n### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n"+files.String()).Parts
	for _, want := range []struct {
		part, entry, first, last string
		entries                  int
		tier                     brief.Tier
	}{
		{"artifact-trail", "| `f", "f19.go", "f05.go", 15, brief.ShouldKeep},
		{"earlier-artifacts", "| `f", "f04.go", "f00.go", 5, brief.CanSummarise},
		{"play-by-play", "- step", "step 19", "step 10", 10, brief.ShouldKeep},
		{"earlier-play-by-play", "- step", "step 09", "step 00", 10, brief.CanSummarise},
	} {
		i := slices.IndexFunc(parts, func(p brief.Part) bool { return p.Name == want.part })
		if i < 0 {
			t.Errorf("there is no %s", want.part)
			continue
		}
		p := parts[i]
		first, last := strings.Index(p.Text, want.first), strings.Index(p.Text, want.last)
		if p.Tier != want.tier || strings.Count(p.Text, want.entry) != want.entries || first < 0 || last < first {
			t.Errorf("%s of tier %v:\n%s", p.Name, p.Tier, p.Text)
		}
	}
}

// TestFirstScreen checks that the first 2 KB have what must be kept, if there is room for it.
func TestFirstScreen(t *testing.T) {
	for name, b := range briefs(t, 20) {
		text := b.Within(brief.Limit{}).Text
		size, last := 0, 0
		for _, p := range b.Parts {
			if p.Tier == brief.MustKeep {
				size += len(p.Text) + len(p.Title) + 6
				last = max(last, strings.Index(text, p.Text)+len(p.Text))
			}
		}
		if head := strings.Index(text, "\n## "); head+size <= 2048 && last > 2048 {
			t.Errorf("%s: must-keep is %d bytes and ends at %d", name, size, last)
		}
	}
}
