package brief_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
)

const sample = `---
checkpoint: chk-a
created: 2026-01-01
---

## Problem

Logins fail for SSO users.

It began with 2.3.

## Session Intent

Nobody is locked out.

## Essential Information

### Decisions

- **Tokens expire after 15 minutes**: an hour was too long after a leak
- ~~**Cookies**: simple~~ → **Tokens expire**
- **Redis**
- Use JWT for the API

### Technical Context

- Language: Go
- Nobody knows the old schema

### Play-By-Play

- Phase 1 → wrote ` + "`auth.go`" + ` → login works

### Artifact Trail

| File | Status | Key Change |
|------|--------|------------|
| ` + "`auth.go`" + ` | created | reads the token |
| ` + "`old.go`" + ` | deleted | |
| ` + "`x/auth.go`" + ` | modified | see x/auth.go |

### Current State

Half of it works.

### Next Actions

1. Continue working
2. Test ` + "`auth.go`" + ` with SSO
3. [x] Write it

## User Rules

- Never log a token

## Glossary

SSO is single sign-on.

---

## Delta: 2026-01-02T09:00:00Z

### What Changed

The refresh works.

- and the logout

### Status Transitions

| Item | Before | After |
|------|--------|-------|
| Phase 2 | open | done |
`

// TestQuestions: the questions and answers of a checkpoint, in order.
func TestQuestions(t *testing.T) {
	want := []string{
		"What is to be done first? Continue working",
		"What is the problem? (1 of 2) Logins fail for SSO users.",
		"What is the problem? (2 of 2) It began with 2.3.",
		"What is wanted? Nobody is locked out.",
		"What was decided of “Tokens expire …”? after 15 minutes",
		"Why was it decided: “Tokens expire after 15 minutes”? an hour was too long after a leak",
		"What is decision 2? Redis",
		"What was decided of “Use JWT …”? for the API",
		"What is the state? Half of it works.",
		"What is next action 2? Test `auth.go` with SSO",
		"What must always or never be done? Never log a token",
		"Which file is it: reads the token? auth.go",
		"What became of old.go? deleted",
		"What became of x/auth.go? modified see x/auth.go",
		"What came of this: Phase 1? wrote `auth.go` → login works",
		"What was done by 2026-01-02T09:00:00Z? The refresh works.",
		"Where does this stand: Phase 2? done",
		"What else was done by 2026-01-02T09:00:00Z? and the logout",
		"What does the technical context say of Language? Go",
		"What is fact 2 of the technical context? Nobody knows the old schema",
	}
	var got []string
	for _, q := range brief.Questions(parse(t, "active/a.md", sample)) {
		got = append(got, q.Ask+" "+q.Answer)
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("question %d:\n got %q\nwant %q", i, got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
}

// TestOf: what the brief does not say is not answered, what nobody could use is named.
func TestOf(t *testing.T) {
	c := parse(t, "active/a.md", sample)
	r := brief.Rehearse(c, brief.Build(c, nil).Within(brief.Limit{}))
	var missed, weak []string
	for _, q := range r.Questions {
		if !q.Answered {
			missed = append(missed, q.Ask)
		}
	}
	for _, f := range r.Weak {
		weak = append(weak, f.Code)
	}
	if len(missed) != 1 || !strings.HasPrefix(missed[0], "What else was done by 2026-01-02") {
		t.Errorf("not answered: %q", missed)
	}
	if got := strings.Join(weak, " "); got != "CK206 CK206 CK801" {
		t.Errorf("weak: %s", got)
	}
	if got := strings.Join(r.NotAsked, " "); got != "Glossary" {
		t.Errorf("not asked: %s", got)
	}
}

// TestSaysNothing: what a checkpoint has to say and does not is missed.
func TestSaysNothing(t *testing.T) {
	c := parse(t, "active/a.md", "---\ncheckpoint: chk-a\n---\n\n## Problem\n\nLogins fail.\n\n### Next Actions\n\nNone.\n")
	r := brief.Rehearse(c, brief.Build(c, nil).Within(brief.Limit{}))
	if got := r.Score(); got != (brief.Score{Answered: 1, Asked: 4}) {
		t.Errorf("%v: %+v", got, r.Questions)
	}
}

// TestHonest: an answer of which a word is wrong is none, nor is one that is only a
// part of a word, stands in another section, or beside something else.
func TestHonest(t *testing.T) {
	c := parse(t, "active/a.md", sample)
	built := brief.Build(c, nil)
	for _, damage := range []struct{ name, old, new, question string }{
		{"a wrong word", "15 minutes", "50 minutes", "What was decided of “Tokens expire …”?"},
		{"a part of a word", "**Redis**", "**Redistribution**", "What is decision 2?"},
		{"a longer path", "`auth.go` | created", "`y/auth.go` | created", "Which file is it: reads the token?"},
		{"beside something else", "| created | reads the token |", "| created | reads nothing |", "Which file is it: reads the token?"},
		{"a passage cut in two", "Half of it works.", "Half of it\n\nworks.", "What is the state?"},
	} {
		whole := *built
		whole.Parts = slices.Clone(built.Parts)
		for i := range whole.Parts {
			whole.Parts[i].Text = strings.ReplaceAll(whole.Parts[i].Text, damage.old, damage.new)
		}
		for _, q := range brief.Rehearse(c, whole.Within(brief.Limit{})).Questions {
			if q.Ask == damage.question && q.Answered {
				t.Errorf("%s: %s is answered", damage.name, q.Ask)
			}
		}
	}
}

// TestExamples: a whole brief answers everything that must be kept, a larger one never
// less, one of 100 tokens less than all, the brief of another checkpoint hardly
// anything, and no question holds its answer.
func TestExamples(t *testing.T) {
	all := []*checkpoint.Checkpoint{parse(t, "active/a.md", sample)}
	for _, dir := range []string{"active", "archive"} {
		files, err := filepath.Glob("../../examples/" + dir + "/*.md")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if c, err := checkpoint.Parse(dir+"/"+filepath.Base(file), src); err == nil {
				all = append(all, c)
			}
		}
	}
	if len(all) < 5 {
		t.Fatalf("%d checkpoints", len(all))
	}
	for i, c := range all {
		built := brief.Build(c, nil)
		whole := brief.Rehearse(c, built.Within(brief.Limit{}))
		if s := whole.ScoreOf(brief.MustKeep); s.Answered != s.Asked {
			for _, q := range whole.Questions {
				if !q.Answered && q.Tier == brief.MustKeep {
					t.Errorf("%s: %s %s", c.ID, q.Ask, q.Answer)
				}
			}
		}
		for _, q := range whole.Questions {
			if strings.Contains(strings.ToLower(" "+q.Ask+" "), strings.ToLower(" "+q.Answer+" ")) {
				t.Errorf("%s: %q holds %q", c.ID, q.Ask, q.Answer)
			}
		}
		before := brief.Score{}
		for _, tokens := range []int{20, 100, 200, 500, 1000, 2500, 10_000} {
			r := brief.Rehearse(c, built.Within(brief.Limit{Tokens: tokens}))
			now := r.Score()
			if now.Asked != whole.Score().Asked || now.Answered < before.Answered || now.Answered > whole.Score().Answered {
				t.Errorf("%s at %d tokens: %v after %v, of %v", c.ID, tokens, now, before, whole.Score())
			}
			if tokens == 100 && now.Answered >= whole.Score().Answered && now.Asked > 3 {
				t.Errorf("%s at 100 tokens: %v", c.ID, now)
			}
			before = now
		}
		if other := all[(i+1)%len(all)]; other.ID != c.ID && other.Parent() != c.ID && c.Parent() != other.ID { // a fork repeats much
			r := brief.Rehearse(c, brief.Build(other, nil).Within(brief.Limit{}))
			if s := r.Score(); s.Percent() > 10 && s.Answered > 2 {
				t.Errorf("the brief of %s answers %v about %s", other.ID, s, c.ID)
			}
		}
	}
}

func parse(t *testing.T, path, src string) *checkpoint.Checkpoint {
	t.Helper()
	c, err := checkpoint.Parse(path, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return c
}
