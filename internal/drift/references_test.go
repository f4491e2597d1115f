package drift

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
)

const named = `---
checkpoint: chk-auth
created: 2026-01-02T10:00:00Z
---

## Problem

In |problem.go| is a mistake.

### Breadcrumbs

| Type | Reference | Hint |
|------|-----------|------|
| file | |sso/check.go:12| | calls |verify()|, see |docs/sso.md| |
| function | |sso.Check()| | |
| function | sso/retry.go:backoff | |
| decision | Phase 2, schedule | measured in |bench/queue.md| |
| external | https://example.com/a.go | |
| external | RFC 2104 | |
| file | ~~|gone.go|~~ → |here.go| | |
| folder | testdata | |

### Artifact Trail

| File | Status | Key Change |
|------|--------|------------|
| |sso/check.go| | modified | |allow()| |
| |old.go| | deleted | |
| |a.go| → |b.go| | renamed | |
| x.go, y.go | modified | |
| |Makefile| | created | |
| the API | modified | |
| github.com/a/b | modified | |
| None | | |

### Next Actions

1. ~~Read |done.go|~~
2. [ ] Fix |queue()| in sso/queue.go, e.g. v1.2 of client/server, see [the guide](docs/guide.md)
3. Run |go test ./sso/queue_test.go| and *release.sh*

## Delta: 2026-01-03T10:00:00Z

### Artifacts

| File | Action | Description |
|------|--------|-------------|
| |old.go| | created | again |
| |sso/check.go| | deleted | |
`

func TestReferences(t *testing.T) {
	got := []string{}
	for _, r := range References(parse(t, named), "/r") {
		s := r.Path
		for what, is := range map[string]bool{"sure": r.Sure, "absent": r.Absent, "bare": r.Bare} {
			if is {
				s += " " + what
			}
		}
		for _, p := range r.Places {
			s += fmt.Sprintf(" %c%d", p.Source[0], p.Number)
		}
		words := strings.Fields(s)
		slices.Sort(words[1:])
		got = append(got, strings.Join(words, " "))
	}
	want := []string{
		"sso/check.go a0 absent b1 sure", "docs/sso.md b1", "sso/retry.go b3",
		"bench/queue.md b4", "here.go b7 sure", "testdata b8", "old.go a0 sure",
		"a.go a0 absent sure", "b.go a0 sure", "x.go a0 sure", "y.go a0 sure", "Makefile a0 sure", "the API a0", "github.com/a/b a0",
		"docs/guide.md bare n1", "sso/queue.go bare n1",
		"release.sh bare n2", "sso/queue_test.go bare n2",
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%q is missing", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) && !strings.HasPrefix(g, "go ") {
			t.Errorf("%q is too much", g)
		}
	}
}

func TestTrailMentions(t *testing.T) {
	trail := TrailOf(parse(t, named+"| |gen/| | created | 200 new files |\n| |docs/*.md| | modified | |\n"), "/r")
	for file, want := range map[string]bool{"sso/check.go": true, "b.go": true, "gen/a/b.go": true, "docs/a.md": true, "docs/a/b.md": false, "gen": true, "c.go": false} {
		if got := trail.Mentions(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}

func TestMatcher(t *testing.T) {
	for _, test := range []struct {
		glob, file string
		want       bool
	}{
		{"a/*.go", "a/b.go", true}, {"a/*.go", "a/b/c.go", false}, {"**/c.go", "a/b/c.go", true}, {"**/c.go", "c.go", true},
		{"a/**", "a/b/c.go", true}, {"{a,b}/x.go", "b/x.go", true}, {"{a,b}/x.go", "c/x.go", false}, {"[", "[", false}, {"[^a].go", "b.go", true}, {"a?.{go,md}", "ab.md", true}, {"a,b*", "a", false},
		{strings.Repeat("**/", 30) + "x", strings.Repeat("a/", 60) + "y", false},
	} {
		if got := matcher(test.glob)(test.file); got != test.want {
			t.Errorf("%q %q: %v", test.glob, test.file, got)
		}
	}
}

// FuzzReferences checks that References returns clean paths for any file, each once.
func FuzzReferences(f *testing.F) {
	f.Add(strings.ReplaceAll(named, "|", "`"))
	f.Add(backticks(named))
	f.Fuzz(func(t *testing.T, src string) {
		c, err := checkpoint.Parse("active/x.md", []byte(src))
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, r := range References(c, "/r") {
			key := r.Path
			if key == "" || seen[key] || len(r.Places) == 0 || strings.ContainsAny(key, "\n\x1b") {
				t.Errorf("%q", key)
			}
			seen[key] = true
		}
		TrailOf(c, "/r").Mentions("a/b.go")
	})
}

// backticks replaces each bar that has no space on one side by a backtick.
func backticks(src string) string {
	out := []byte(src)
	for i := 1; i+1 < len(out); i++ {
		if out[i] == '|' && out[i-1] != '\n' && out[i+1] != '\n' && (out[i-1] != ' ' || out[i+1] != ' ') && out[i-1] != '-' {
			out[i] = '`'
		}
	}
	return string(out)
}

func parse(t *testing.T, src string) *checkpoint.Checkpoint {
	t.Helper()
	c, err := checkpoint.Parse("active/chk-auth.md", []byte(backticks(src)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}
