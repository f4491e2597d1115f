package revise_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
)

func TestNew(t *testing.T) {
	c, err := revise.Create(revise.Spec{ID: "chk-a"}, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, string(c.Doc.Bytes()), `---
checkpoint: chk-a
created: 2026-01-02T10:00:00Z
---

## Problem

<!-- What is wrong or missing, for whom, and why it matters. It rarely changes. -->

## Session Intent

<!-- What the user wants: the goal, the requirements, the ideal outcome. -->

## Essential Information

### Decisions

<!-- What is locked in and must not be asked again: - **What**: why -->

### Technical Context

<!-- Facts that the work builds on: stack, configuration, environment. -->

### Play-By-Play

<!-- What was done: - Step → Action → Outcome -->

### Artifact Trail

<!-- Files created, modified or deleted, with the change that matters. -->

### Current State

<!-- What exists now: what works, what does not yet. -->

### Next Actions

<!-- What to do next, the first one first: a verb, a file, no context needed. -->
`)
	for _, k := range checkpoint.Kinds() {
		equal(t, c.Text(k), "")
	}
}

func TestNewWithEverything(t *testing.T) {
	c, err := revise.Create(revise.Spec{
		ID:        "chk-b",
		Fields:    map[string]string{"status": "current", "anchor": "phase: 2", "own": "x", "parent": "chk-a", "created": "ignored"},
		Problem:   "P\n# no heading",
		Intent:    "I",
		LiveText:  "### Phase 1\n\n- **A**: a\n\n#### Part\n\n- **B**: b",
		Decisions: []string{"**C**: c"},
		Copied:    "```\nopen",
		Context:   []string{"x"},
		Steps:     []string{"s"},
		State:     "S",
		Next:      []string{"one", "two"},
		RulesText: "- r1",
		Rules:     []string{"r2"},
	}, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(c.Doc.Bytes()), "---\ncheckpoint: chk-b\ncreated: 2026-01-02T10:00:00Z\nanchor: \"phase: 2\"\nparent: chk-a\nstatus: current\nown: x\n---\n\n## Problem\n\nP\n\\# no heading\n\n## Session Intent\n") {
		t.Errorf("%s", c.Doc.Bytes())
	}
	equal(t, c.Text(checkpoint.Decisions), "#### Phase 1\n\n- **A**: a\n\n##### Part\n\n- **B**: b\n- **C**: c")
	equal(t, c.Text(checkpoint.Context), "```\nopen\n```\n\n- x")
	equal(t, c.Text(checkpoint.Next), "1. one\n2. two")
	equal(t, c.Text(checkpoint.Rules), "- r1\n- r2")
	equal(t, c.Path, "active/chk-b.md")
	if _, err := revise.Create(revise.Spec{ID: "a/b"}, nil, now); fault.KindOf(err) != fault.Usage {
		t.Error(err)
	}
}

func TestDraft(t *testing.T) {
	for name, tc := range map[string]struct{ file, id, want string }{
		"a text is the problem":    {"It is slow.\n", "chk-a", "---\ncheckpoint: chk-a\ncreated: 2026-01-02T10:00:00Z\n---\n\n## Problem\n\nIt is slow.\n"},
		"a body keeps its bytes":   {"## Problem\r\n\r\nx  \r\n", "chk-a", "---\r\ncheckpoint: chk-a\r\ncreated: 2026-01-02T10:00:00Z\r\n---\r\n\r\n## Problem\r\n\r\nx  \r\n"},
		"a whole file":             {"---\ncheckpoint: own\ncreated: 2025-01-01 # then\n---\n## Problem\nx\n", "", "---\ncheckpoint: own\ncreated: 2025-01-01 # then\n---\n## Problem\nx\n"},
		"a whole file, another id": {"---\ncheckpoint: own\n---\n## Problem\nx\n", "chk-a", "---\ncheckpoint: chk-a\ncreated: 2026-01-02T10:00:00Z\n---\n## Problem\nx\n"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := revise.Create(revise.Spec{ID: tc.id, Next: []string{"go"}, LiveText: "### X\n\n- **A**: a"}, []byte(tc.file), now)
			if err != nil {
				t.Fatal(err)
			}
			got := string(c.Doc.Bytes())
			if !strings.HasPrefix(got, tc.want) {
				t.Errorf("%q", got)
			}
			for _, k := range checkpoint.Kinds() {
				if _, ok := c.Find(k); !ok && k.Template().Required {
					t.Errorf("%s is missing: %q", k, got)
				}
			}
			equal(t, c.FirstAction(), "go")
			equal(t, c.LiveText(checkpoint.Decisions), "#### X\n\n- **A**: a")
			if n := strings.Count(got, "## Essential Information"); n != 1 {
				t.Errorf("%d times Essential Information: %q", n, got)
			}
		})
	}
}

func TestAppendDelta(t *testing.T) {
	d := checkpoint.Delta{
		At: now, Changed: "It works.\n\n## Really",
		Artifacts:   []checkpoint.Artifact{{File: "a|`b`.go", Action: "created", Change: "one\ntwo"}},
		Transitions: []checkpoint.Transition{{Item: "Phase 1", Before: "open", After: "done"}},
	}
	const text = "## Delta: 2026-01-02T10:00:00Z\n\n### What Changed\n\nIt works.\n\n\\## Really\n\n" +
		"### Artifacts\n\n| File | Action | Description |\n|------|--------|-------------|\n| `` a\\|`b`.go `` | created | one two |\n\n" +
		"### Status Transitions\n\n| Item | Before | After |\n|------|--------|-------|\n| Phase 1 | open | done |\n"
	const completion = "## Completion\n\n- **Outcome**: x\n"
	for name, tc := range map[string]struct{ before, after string }{
		"at the end":                     {"## Problem\n\np\n", "## Problem\n\np\n\n---\n\n" + text},
		"behind blank lines":             {"## Problem\n\np\n\n", "## Problem\n\np\n\n---\n\n" + text},
		"no last line break":             {"## Problem\n\np", "## Problem\n\np\n\n---\n\n" + strings.TrimSuffix(text, "\n")},
		"before a Completion":            {"## Problem\n\np\n\n" + completion, "## Problem\n\np\n\n---\n\n" + text + "\n" + completion},
		"before a Completion, tight":     {"## Problem\np\n" + completion, "## Problem\np\n\n---\n\n" + text + "\n" + completion},
		"before a Completion and a rule": {"## Problem\n\np\n\n---\n\n" + completion, "## Problem\n\np\n\n---\n\n" + text + "\n---\n\n" + completion},
		"behind frontmatter alone":       {"", "---\n\n" + text},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := revise.Begin(parse(t, head+tc.before)).AppendDelta(d, "").Apply()
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got.Doc.Slice(got.Doc.Body()), "\n"+tc.after)
			equal(t, got.Field("last_delta"), "2026-01-02T10:00:00Z")
			deltas := got.Deltas()
			if len(deltas) != 1 || deltas[0].Artifacts[0] != (checkpoint.Artifact{File: "a|`b`.go", Action: "created", Change: "one two"}) || deltas[0].Transitions[0] != d.Transitions[0] {
				t.Errorf("%+v", deltas)
			}
		})
	}
}

func TestArchive(t *testing.T) {
	for name, tc := range map[string]struct {
		body      string
		outcome   string
		learnings []string
		want      string
	}{
		"plain":            {"", "It works.", nil, "\n---\n\n## Completion\n\n- **Status**: Archived\n- **Outcome**: It works.\n- **Date**: 2026-01-02T10:00:00Z\n"},
		"one learning":     {"", "It\nworks.", []string{"one\ntwo"}, "\n---\n\n## Completion\n\n- **Status**: Archived\n- **Outcome**: It works.\n- **Learnings**: one two\n- **Date**: 2026-01-02T10:00:00Z\n"},
		"two, one twice":   {"", "It works.", []string{"one", "two", "one", " "}, "\n---\n\n## Completion\n\n- **Status**: Archived\n- **Outcome**: It works.\n- **Learnings**:\n  - one\n  - two\n- **Date**: 2026-01-02T10:00:00Z\n"},
		"written already":  {"## Completion\n\n- **Status**: Archived\n- **Outcome**: Mine.\n- **Date**: x\n", "", nil, "## Completion\n\n- **Status**: Archived\n- **Outcome**: Mine.\n- **Date**: x\n"},
		"what it lacks":    {"## Completion\n\n- **Outcome**: Mine.\n", "Mine.", []string{"l"}, "## Completion\n\n- **Outcome**: Mine.\n- **Status**: Archived\n- **Learnings**: l\n- **Date**: 2026-01-02T10:00:00Z\n"},
		"before its parts": {"## Completion\n\nDone.\n\n### Learnings\n\n- a\n", "", []string{"a", "b"}, "## Completion\n\nDone.\n\n- **Status**: Archived\n- **Learnings**: b\n- **Date**: 2026-01-02T10:00:00Z\n\n### Learnings\n\n- a\n"},
		"an empty one":     {"## Completion\n", "X", nil, "## Completion\n\n- **Status**: Archived\n- **Outcome**: X\n- **Date**: 2026-01-02T10:00:00Z\n"},
	} {
		t.Run(name, func(t *testing.T) {
			c := parse(t, head+tc.body)
			before := string(c.Doc.Bytes())
			got, err := revise.Archive(c, tc.outcome, tc.learnings, now)
			if err != nil {
				t.Fatal(err)
			}
			want := head + tc.want
			if tc.body == "" {
				want = head[:len(head)-1] + "\n" + tc.want
			}
			equal(t, string(got.Doc.Bytes()), want)
			equal(t, got.Path, "archive/chk-a.md")
			equal(t, c.Path+string(c.Doc.Bytes()), "active/chk-a.md"+before)
			again, err := revise.Archive(got, "", nil, now)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, string(again.Doc.Bytes()), want)
		})
	}
	if _, err := revise.Archive(parse(t, head), " ", nil, now); fault.KindOf(err) != fault.Usage || fault.HintOf(err) == "" {
		t.Error(err)
	}
	if _, err := revise.Archive(parse(t, head+"## Completion\n\n- **Outcome**: a\n"), "b", nil, now); fault.KindOf(err) != fault.Usage {
		t.Error(err)
	}
	if _, err := revise.Archive(parse(t, head+"## Notes\n\n```\nopen\n"), "b", nil, now); fault.KindOf(err) != fault.Invalid {
		t.Error(err)
	}
}

func TestReopen(t *testing.T) {
	c, err := checkpoint.Parse("archive/2026/01/chk-a.md", []byte(head+"## Problem\n\np\n\n## Completion\n\n- **Outcome**: x\n\n## Notes\n\nn\n"))
	if err != nil {
		t.Fatal(err)
	}
	open, kept, err := revise.Reopen(c, true)
	if err != nil || kept {
		t.Fatal(kept, err)
	}
	equal(t, open.Path, "active/chk-a.md")
	equal(t, string(open.Doc.Bytes()), strings.Replace(head, "\n---\n\n", "\nstatus: active\n---\n\n", 1)+"## Problem\n\np\n\n## Notes\n\nn\n")
	equal(t, c.Path, "archive/2026/01/chk-a.md")
}

func TestReopenKeepsWhatArchiveDidNotWrite(t *testing.T) {
	const ours = "- **Status**: Archived\n- **Outcome**: x\n- **Learnings**:\n  - a\n  - b\n- **Date**: 2026-01-02T10:00:00Z\n"
	for name, tc := range map[string]struct {
		heading, text string
		kept          bool
	}{
		"archive's own":       {"## Completion", ours, false},
		"without learnings":   {"## Completion", "- **Status**: Archived\n- **Outcome**: x\n- **Date**: 2026-01-02T10:00:00Z\n", false},
		"in another order":    {"## Completion", "- **Outcome**: x\n- **Status**: Archived\n- **Date**: 2026-01-02T10:00:00Z\n", true},
		"prose before it":     {"## Completion", "It works.\n\n" + ours, true},
		"a comment in it":     {"## Completion", ours + "<!-- mine -->\n", true},
		"a subsection":        {"## **Completion** ##", ours + "\n### Commits\n\n- abc\n", true},
		"nothing but a prose": {"Completion\n----------", "All goals achieved: 1, 2.\n", true},
		"two that a merge joined": {"## Completion",
			"- **Status**: Archived\n- **Outcome**:\n  - 2026-01-02T10:00:00Z: x\n  - 2026-01-02T11:00:00Z: y\n- **Date**: 2026-01-02T11:00:00Z\n", false},
		"two, one without a date": {"## Completion",
			"- **Status**: Archived\n- **Outcome**:\n  - 2026-01-02T10:00:00Z: x\n  - y\n- **Date**: 2026-01-02T11:00:00Z\n", true},
		"a date without hours": {"## Completion", "- **Status**: Archived\n- **Outcome**: x\n- **Date**: 2026-01-02\n", true},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			src := strings.ReplaceAll(head+"## Problem\n\np\n\n"+tc.heading+"\n\n"+tc.text+"\n## Notes\n\nn\n", "\n", eol)
			c, err := checkpoint.Parse("archive/chk-a.md", []byte(src))
			if err != nil {
				t.Fatal(name, err)
			}
			open, kept, err := revise.Reopen(c, false)
			if err != nil || kept != tc.kept {
				t.Fatalf("%s: kept is %v, %v", name, kept, err)
			}
			if text := strings.TrimSpace(strings.ReplaceAll(tc.text, "\n", eol)); kept != strings.Contains(string(open.Doc.Bytes()), text) {
				t.Errorf("%s:\n%s", name, open.Doc.Bytes())
			}
			if _, has := open.Find(checkpoint.Completion); has || kept != strings.Contains(string(open.Doc.Bytes()), revise.FormerCompletion) {
				t.Errorf("%s:\n%s", name, open.Doc.Bytes())
			}
		}
	}
}

func TestLost(t *testing.T) {
	before := parse(t, head+"### Play-By-Play\n\n- Read it\n\n### Current State\n\nHalf of it works.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n### Next Actions\n\n- [x] Measure\n- [ ] Fix it\n  all of it\n- [ ] Tell support\n")
	rows := parse(t, head+"### Next Actions\n\n| Task | Status |\n|---|---|\n| Fix it | open |\n| Tell support | open |\n")
	for name, tc := range map[string]struct {
		change func(*revise.Revision)
		want   string
		before *checkpoint.Checkpoint
	}{
		"nothing":            {func(r *revise.Revision) { r.Bullet(checkpoint.Context, "x") }, "[]", before},
		"the state":          {func(r *revise.Revision) { r.Text(checkpoint.State, "All of it works.") }, "[{Current State 4 0}]", before},
		"a part of it":       {func(r *revise.Revision) { r.Text(checkpoint.State, "Half of it works.\n\nReally.") }, "[{Current State 3 0}]", before},
		"one that is done":   {func(r *revise.Revision) { r.Done("support") }, "[]", before},
		"actions":            {func(r *revise.Revision) { r.Renew([]string{"Write it up"}) }, "[{Next Actions 3 2}]", before},
		"one that is named":  {func(r *revise.Revision) { r.Renew([]string{"Tell support", "Write it up"}) }, "[{Next Actions 2 1}]", before},
		"a row that is done": {func(r *revise.Revision) { r.Done("Tell support") }, "[]", rows},
		"rows":               {func(r *revise.Revision) { r.Renew([]string{"Tell support"}) }, "[{Next Actions 3 1}]", rows},
	} {
		r := revise.Begin(tc.before)
		tc.change(r)
		after, err := r.Apply()
		if err != nil {
			t.Fatal(name, err)
		}
		if got := fmt.Sprint(checkpoint.Lost(tc.before, after)); got != tc.want {
			t.Errorf("%s: %s, not %s", name, got, tc.want)
		}
	}
}

func TestParseProgress(t *testing.T) {
	for name, tc := range map[string]struct{ src, want string }{
		"everything": {"It moves.\n\n### Decisions\n\n- [x] **A**: a\n- B\n\n### Done\n\n- #1\n\n### Artifacts\n\n| File | Action | D |\n|---|---|---|\n| `a` | created | |\n\n### Next\n\n1. one\n2. two\n\n### State\n\nS\n\n### Status Transitions\n\n| I | B | A |\n|--|--|--|\n| x | y | z |\n",
			"changed=It moves. decisions=[x] **A**: a,B told=#1 artifacts=[{a created }] transitions=[{x y z}] state=S next=one,two"},
		"a whole delta":                {"---\n\n## Delta: 2026-01-01\n\n### What Changed\n\nIt moves.\n", "changed=It moves."},
		"a part between rules":         {"---\nResult: all 14 tests pass.\n---\n\nMigrated.\n### Next\n- n\n", "changed=Result: all 14 tests pass.\n\nMigrated. next=n"},
		"a heading between rules":      {"---\r\n\r\nWas: slow\r\n### Next\r\n- n\r\n\r\n---\r\n\r\n### State\r\nFast.\r\n", "changed=Was: slow state=Fast. next=n"},
		"a whole checkpoint":           {"---\ncheckpoint: chk-a\ncreated: 2026-01-01\n---\nc\n", "changed=c"},
		"bullets for tables":           {"### Artifacts\n\n- a.go:created:new\n- `b.go` (deleted)\n\n### Transitions\n\n- x: y -> z\n", "artifacts=[{b.go deleted } {a.go created new}] transitions=[{x y z}]"},
		"paragraphs for lists":         {"### Next Actions\n\nOne thing.\n\n### Decisions\n\nWe use X.\n", "decisions=We use X. next=One thing."},
		"rules and facts":              {"c\n## User Rules\n- No \"x\"\n- y\n### Rules\n- z\n### Tech Context\n- Go 1.26\n", "changed=c rules=No \"x\",y,z context=Go 1.26"},
		"words beside a list":          {"c\n### Next\nThe parser is left:\n\n1. one\n   - nested\n\nAsk first.\n### Rules\n- z\n", "changed=c\n\nThe parser is left:\n\n\nAsk first. rules=z next=one\n- nested"},
		"nothing":                      {"### Artifacts\n\nNone\n\n### Decisions\n\n- None\n", ""},
		"one's own, and a known below": {"## Notes\n\n### Part\n\nx\n\n### Next\n\n- n\n", "next=n extra=### Notes\n\n#### Part\n\nx"},
		"a title of level one":         {"# Delta\n\n## What Changed\n\nc\n\n### Artifacts\n\n- a.go\n", "changed=c artifacts=[{a.go modified }]"},
		"a title that tells":           {"# Fixed it\n\nIn a.go.\n\n## Own\n\nx\n\n### Next\n\n- n\n", "changed=Fixed it\n\nIn a.go. next=n extra=### Own\n\nx"},
		"text below Delta":             {"## Delta\nc\n### Next\n- n\n", "changed=c next=n"},
		"what cannot be read is kept":  {"### Artifacts\n\nSome files here.\n", "extra=### Artifacts\n\nSome files here."},
		"a path and a paragraph":       {"W\n### Artifacts\n* a.go\n\n  the parser, rewritten\n\n* b.go", "changed=W\n\n* a.go\n\n  the parser, rewritten artifacts=[{b.go modified }]"},
		"words beside artifacts":       {"W\n### Artifacts\nI rewrote `login.go`; the tests moved.\n\n- `c.go`\n", "changed=W\n\nI rewrote `login.go`; the tests moved. artifacts=[{c.go modified }]"},
		"words beside transitions":     {"W\n### Status Transitions\n| Item | Before | After |\n|---|---|---|\n| a | b | c |\n\nLogin went from broken to fixed.", "changed=W\n\nLogin went from broken to fixed. transitions=[{a b c}]"},
		"a table with more columns":    {"### Artifacts\n\n| File | Action | Why | By |\n|--|--|--|--|\n| a.go | created | new | Eve |\n", "changed=| File | Action | Why | By |\n|--|--|--|--|\n| a.go | created | new | Eve | artifacts=[{a.go created }]"},
		"a transition of a path":       {"### Transitions\n\n- `a.go`: b -> c\n", "transitions=[{`a.go` b c}]"},
		"bullets with an action":       {"W\n### Artifacts\n- v.go: created\n- `x.go` created: new\n- y.go (modified)\n- `w.go` - deleted\n- tests for it\n- :created\n- `u.go` rewritten\n- t-created.go\n", "changed=W\n\n- tests for it\n- :created artifacts=[{x.go created new} {w.go deleted } {u.go modified rewritten} {v.go created } {y.go modified } {t-created.go modified }]"},
		"rows of decisions":            {"c\n### Decisions\n| # | Decision | Why |\n|--|--|--|\n| | Use A | a \\| b |\n| | **B** | |\n", "changed=c decisions=**Use A**: a | b,**B**"},
		"rows of next actions":         {"c\n### Next\n| Action | Done |\n|--|--|\n| one | ✅ |\n| two | |\n\nAsk.\n", "changed=c\n\n| Action | Done |\n|--|--|\n| one | ✅ |\n| two | |\n\nAsk. next=[x] one,two"},
		"rows told completely":         {"c\n### Next\n- zero\n\n| Action | Done |\n|--|--|\n| one | |\n", "changed=c next=zero,one"},
		"a table in a list of rules":   {"c\n### Rules\n| Rule | Why |\n|--|--|\n| r | w |\n", "changed=c rules=| Rule | Why |\n|--|--|\n| r | w |"},
		"a superseded row":             {"c\n### Decisions\n| Decision | Why |\n|--|--|\n| ~~A~~ | a |\n| None | |\n", "changed=c\n\n| Decision | Why |\n|--|--|\n| ~~A~~ | a |\n| None | | decisions=~~**A**: a~~"},
		"a cell twice":                 {"c\n### Decisions\n| Decision | Why | By |\n|--|--|--|\n| Use A | me | me |\n", "changed=c\n\n| Decision | Why | By |\n|--|--|--|\n| Use A | me | me | decisions=**Use A**: me"},
		"boxes elsewhere":              {"c\n### Done\n- [x] one\n- two\n### User Rules\n- [ ] r\n### Technical Context\n- [~] f\n", "changed=c rules=[ ] r context=[~] f told=[x] one,two"},
		"boxes of next actions":        {"### Next\n- [x] one\n- [ ] two\n- [~] three\n- [ ] None\n", "next=[x] one,two,[~] three"},
		"next actions without any":     {"c\n### Next Actions\n- None\n", "changed=c no next=true"},
		"no next actions, in words":    {"c\n### Next\n\nNone.\n", "changed=c no next=true"},
		"next actions left empty":      {"c\n### Next\n", "changed=c"},
		"a fence":                      {"c\n\n```\n### Next\n```\n", "changed=c\n\n```\n### Next\n```"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := revise.ParseProgress([]byte(tc.src))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			say := func(name, text string) {
				if text != "" && text != "[]" {
					got = append(got, name+"="+text)
				}
			}
			say("changed", p.Changed)
			say("decisions", strings.Join(p.Decisions, ","))
			say("rules", strings.Join(p.Rules, ","))
			say("context", strings.Join(p.Context, ","))
			say("told", strings.Join(p.Told, ","))
			say("artifacts", fmt.Sprint(p.Artifacts))
			say("transitions", fmt.Sprint(p.Transitions))
			say("state", p.State)
			say("next", strings.Join(p.Next, ","))
			say("no next", map[bool]string{true: "true"}[p.NoNext])
			say("extra", p.Extra)
			equal(t, strings.Join(got, " "), tc.want)
		})
	}
}

func TestParseEntries(t *testing.T) {
	for name, tc := range map[string]struct {
		kind      checkpoint.Kind
		src, want string
	}{
		"a list":                 {checkpoint.PlayByPlay, "- a\n- b\n  c", `["a" "b\nc"]`},
		"boxes":                  {checkpoint.PlayByPlay, "- [x] a\n- [ ] b", `["[x] a" "[ ] b"]`},
		"boxes of next actions":  {checkpoint.Next, "- [x] a\n- [ ] b", `["[x] a" "b"]`},
		"text beside a list":     {checkpoint.Rules, "In short.\n\n- a\n\nNone\n\nAsk.", `["In short." "a" "Ask."]`},
		"text without a list":    {checkpoint.Rules, "In short.\n\nAsk.", `["In short.\n\nAsk."]`},
		"a fact with its list":   {checkpoint.Context, "We use:\n\n- a\n- b", `["We use:\n\n- a\n- b"]`},
		"another heading":        {checkpoint.Rules, "### Backend\n- a\n- b", `["### Backend\n- a\n- b"]`},
		"its heading":            {checkpoint.Next, "### Next Steps\n1. a\n2. b", `["a" "b"]`},
		"its heading alone":      {checkpoint.Next, "## Next Actions\n", `[]`},
		"no list, its heading":   {checkpoint.Decisions, "## Decisions\n\nUse A.\n\n---\n\nUse B.", `["Use A." "Use B."]`},
		"code below an entry":    {checkpoint.Decisions, "```\nx\n```\n- a\n\n```go\ny\n\nz\n```\n- b\n\n> q", strings.ReplaceAll(`["~~~\nx\n~~~" "a\n\n~~~go\ny\n\nz\n~~~" "b\n\n> q"]`, "~~~", "```")},
		"code without a list":    {checkpoint.Rules, "Run:\n```\nx\n```", "[\"Run:\\n```\\nx\\n```\"]"},
		"a row":                  {checkpoint.Decisions, "| Decision | Why |\n|-|-|\n| A | a |", `["**A**: a"]`},
		"a row with more cells":  {checkpoint.Next, "- a\n\n| Action | By |\n|-|-|\n| b | me |", `["a" "| Action | By |\n|-|-|\n| b | me |"]`},
		"a row of rules":         {checkpoint.Rules, "| Rule | Why |\n|-|-|\n| A | a |", `["| Rule | Why |\n|-|-|\n| A | a |"]`},
		"nothing but two dashes": {checkpoint.Rules, "-\n-", `["-\n-"]`},
	} {
		equal(t, name+fmt.Sprintf(" %q", revise.ParseEntries(tc.src, tc.kind)), name+" "+tc.want)
	}
}

func TestParseArtifactAndTransition(t *testing.T) {
	for s, want := range map[string]checkpoint.Artifact{
		"a.go":                        {File: "a.go", Action: "modified"},
		"a.go:created":                {File: "a.go", Action: "created"},
		"a.go:Modified":               {File: "a.go", Action: "modified"},
		"a.go:DELETED:by hand":        {File: "a.go", Action: "deleted", Change: "by hand"},
		"a.go:created:why: so":        {File: "a.go", Action: "created", Change: "why: so"},
		"C:/x:deleted":                {File: "C:/x", Action: "deleted"},
		"a.go:modified:was :created:": {File: "a.go", Action: "modified", Change: "was :created:"},
		"a:b":                         {File: "a:b", Action: "modified"},
		"a.go: created":               {File: "a.go", Action: "created"},
		"a.go (Deleted) by hand":      {File: "a.go", Action: "deleted", Change: "by hand"},
		"a.go - created: new":         {File: "a.go", Action: "created", Change: "new"},
		"a.go created":                {File: "a.go", Action: "created"},
		"my created notes":            {File: "my created notes", Action: "modified"},
		"a.go:":                       {File: "a.go", Action: "modified"},
		":created":                    {Action: "created"},
	} {
		if got := checkpoint.ParseArtifact(s); got != want {
			t.Errorf("ParseArtifact(%q) is %+v", s, got)
		}
	}
	for s, want := range map[string]checkpoint.Transition{
		"Phase 1: open -> done":   {Item: "Phase 1", Before: "open", After: "done"},
		"Phase 1: a: open → done": {Item: "Phase 1: a", Before: "open", After: "done"},
		"Phase 1:  -> done":       {Item: "Phase 1", After: "done"},
	} {
		if got, err := checkpoint.ParseTransition(s); err != nil || got != want {
			t.Errorf("ParseTransition(%q) is %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "a", "a -> b", "a: b", ": a -> b", "a: b -> "} {
		if _, err := checkpoint.ParseTransition(s); fault.KindOf(err) != fault.Usage {
			t.Errorf("ParseTransition(%q): %v", s, err)
		}
	}
}
