package checkpoint_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
)

func TestNewDecision(t *testing.T) {
	for s, want := range map[string]string{
		"what: why":              "**what**: why",
		"what: why\nmore: of it": "**what**: why\nmore: of it",
		"two\nlines: why":        "**two lines**: why",
		"two\nlines":             "**two lines**",
		"**two\nlines: 2**: why": "**two lines: 2**: why",
		"**one: line**":          "**one: line**",
	} {
		if got := checkpoint.NewDecision(s); got != want {
			t.Errorf("NewDecision(%q) is %q, want %q", s, got, want)
		}
	}
}

func TestDecisions(t *testing.T) {
	for name, tc := range map[string]struct {
		body string
		want string // What|Why; a tilde marks a struck decision
		live string
	}{
		"bullets":                     {"- **Use Go**: it is fast\n- **Log to stderr**\n", "Use Go|it is fast; Log to stderr|", "- **Use Go**: it is fast\n- **Log to stderr**"},
		"colon within the bold":       {"- **Use Go:** it is fast\n", "Use Go|it is fast", ""},
		"dash instead of colon":       {"* **Use Go** — it is fast\n* **B** - b\n", "Use Go|it is fast; B|b", ""},
		"no bold":                     {"- Use Go: it is fast\n- Plain text\n- see http://x.y: z\n", "Use Go|it is fast; Plain text|; see http://x.y|z", ""},
		"numbered and wrapped":        {"1. **A**: one\n   two\n2. **B**: b\n   - nested\n", "A|one\ntwo; B|b\n- nested", ""},
		"struck":                      {"- ~~**A**: a~~ → **B**\n- **B**: b\n", "~A|a; B|b", "- **B**: b"},
		"struck without successor":    {"- ~~A~~\n- ~~B~~ (superseded by C)\n- ~~C~~ - replaced by D\n", "~A|; ~B|; ~C|", ""},
		"struck above nested lines":   {"- ~~**A**: a~~\n  - b\n- ~~C~~\n\n  d\n", "~A|a; ~C|", ""},
		"corrected on the next line":  {"- ~~10~~\n  20 retries\n", "~~10~~\n20 retries|", ""},
		"corrected, still live":       {"- ~~Use A~~ Use B: why\n- ~~10~~ 20 retries\n", "~~Use A~~ Use B|why; ~~10~~ 20 retries|", "- ~~Use A~~ Use B: why\n- ~~10~~ 20 retries"},
		"table":                       {"| Decision | Rationale | Rejected |\n|---|---|---|\n| **A** | a | x |\n| ~~**B**~~ → **A** | b | |\n", "A|a; ~B|b", "| Decision | Rationale | Rejected |\n|---|---|---|\n| **A** | a | x |"},
		"numbered table":              {"| # | Decision | Why |\n|---|---|---|\n| 1 | A | a |\n", "A|a", ""},
		"dated table":                 {"| Date | What we chose | Notes |\n|---|---|---|\n| 2026-01-01 | A | a |\n", "A|a", ""},
		"list, then table, then list": {"- A\n\n| What |\n|---|\n| B |\n\n- C\n", "A|; B|; C|", ""},
		"below a subheading":          {"#### Phase 1\n\n- A: a\n\n#### Phase 2\n\n- B: b\n", "A|a; B|b", "#### Phase 1\n\n- A: a\n\n#### Phase 2\n\n- B: b"},
		"none":                        {"None yet.\n", "", "None yet."},
		"none as a bullet":            {"- None\n", "", "- None"},
		"text is no decision":         {"We decided things.\n", "", "We decided things."},
		"code is no decision":         {"```\n- A\n```\n", "", "```\n- A\n```"},
	} {
		t.Run(name, func(t *testing.T) {
			c := parse(t, head+"### Decisions\n\n"+tc.body+"\n### Next Actions\n\n- x\n")
			var got []string
			for _, d := range c.Decisions() {
				s := d.What + "|" + d.Why
				if d.Struck {
					s = "~" + s
				}
				got = append(got, s)
			}
			equal(t, strings.Join(got, "; "), tc.want)
			if tc.live != "" {
				equal(t, c.LiveText(checkpoint.Decisions), tc.live)
			}
		})
	}
}

func TestActions(t *testing.T) {
	for name, tc := range map[string]struct{ body, want, first string }{
		"numbered":        {"1. one\n2. two\n", "one; two", "one"},
		"checkboxes":      {"- [x] one\n- [ ] two\n- [X] three\n", "x one; two; x three", "two"},
		"all ticked":      {"- [x] one\n", "x one", ""},
		"other ticks":     {"- ✅ one\n- ~~two~~\n- three\n", "x one; x ~~two~~; three", "three"},
		"nested":          {"- [ ] one\n  - [x] part\n- two\n", "one\n- [x] part; two", "one"},
		"a table":         {"| # | Action | Owner |\n|---|---|---|\n| 1 | do it | me |\n| 2 | do more | |\n", "do it; do more", "do it"},
		"a counted table": {"| Phase | Title |\n|---|---|\n| 1 | do it |\n| 2 | do more |\n", "do it; do more", "do it"},
		"a status column": {"| Task | Status |\n|---|---|\n| one | DONE |\n| two | ✅ |\n| three | open |\n", "x one; x two; three", "three"},
		"numbered steps":  {"#### 1. Fix it\n\n- read it\n\n#### 2. Test it\n\n- run\n", "read it; run", "Fix it"},
		"boxed headings":  {"#### [x] 1. Fix it\n\nDone.\n\n#### [ ] 2. Test it\n\n- run\n", "run", "2. Test it"},
		"a boxed text":    {"#### [ ] 1. Fix it\n\nBy hand.\n", "By hand.", "1. Fix it"},
		"a step behind":   {"- read it\n\n#### 1. Fix it\n\n- run\n", "read it; run", "read it"},
		"a paragraph":     {"Run the tests.\nThen stop.\n", "Run the tests.\nThen stop.", "Run the tests. Then stop."},
		"under a heading": {"#### Now\n\nRun it.\n", "Run it.", "Run it."},
		"paragraphs":      {"Run it.\n\n> slowly\n\nStop.\n", "Run it.; Stop.", "Run it."},
		"an introduction": {"In this order:\n\n- run\n", "run", "run"},
		"nothing":         {"None - all done.\n", "", ""},
		"none in a list":  {"- None\n", "", ""},
		"a comment":       {"<!-- what next -->\n", "", ""},
		"empty":           {"", "", ""},
		"wide markers":    {"-   one\n    more\n-\ttwo\n", "one\nmore; two", "one more"},
	} {
		t.Run(name, func(t *testing.T) {
			c := parse(t, head+"### Next Actions\n\n"+tc.body+"\n## User Rules\n\n- rule\n")
			var got []string
			for _, a := range c.Actions() {
				s := a.Text
				if a.Done {
					s = "x " + s
				}
				got = append(got, s)
			}
			equal(t, strings.Join(got, "; "), tc.want)
			equal(t, c.FirstAction(), tc.first)
		})
	}
}

func TestSections(t *testing.T) {
	for name, tc := range map[string]struct{ src, want string }{
		"case and markup":              {"## **PROBLEM**:\n\np\n", "p"},
		"closing hashes":               {"## Problem ##\n\np\n", "p"},
		"setext":                       {"Problem\n-------\n\np\n", "p"},
		"another level":                {"### Problem\n\np\n", "p"},
		"another language":             {"## Problema\n\np\n", "p"},
		"with a subsection of its own": {"## Problem\n\np\n\n### Why\n\nw\n\n## Other\n\no\n", "p\n\n### Why\n\nw"},
		"up to the next known one":     {"## Problem\n\np\n\n### Decisions\n\n- d\n", "p"},
		"twice: the first":             {"## Problem\n\np\n\n## Problem\n\nq\n", "p"},
		"in a fence":                   {"```\n## Problem\n\nno\n```\n\n## Problem\n\np\n", "p"},
		"in a comment":                 {"<!--\n## Problem\n\nno\n-->\n\n## Problem\n\np\n", "p"},
		"in a quote, a list, code":     {"> ## Problem\n\n- ## Problem\n\n      no\n\npara\n\n    ## Problem\n\n## Problem\n\np\n", "p"},
		"in a delta":                   {"## Delta: 2026-01-01\n\n### Problem\n\nno\n", ""},
		"without its comments":         {"## Problem\n\n<!-- what -->\np\n\n<!-- more -->\n", "p"},
		"text behind a comment stays":  {"## Problem\n\n<!-- x --> p\n", "<!-- x --> p"},
		"without the rule behind it":   {"## Problem\n\np\n\n---\n\n## Other\n", "p"},
		"CRLF":                         {"## Problem\r\n\r\np\r\nq\r\n", "p\nq"},
		"empty, last, no line break":   {"## Problem", ""},
	} {
		t.Run(name, func(t *testing.T) { equal(t, parse(t, head+tc.src).Text(checkpoint.Problem), tc.want) })
	}
}

// head is the frontmatter of the checkpoints in these tests.
const head = "---\ncheckpoint: chk-a\ncreated: 2026-01-01T00:00:00Z\n---\n\n"

func equal(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestOpenActions(t *testing.T) {
	for name, tc := range map[string]struct{ body, want string }{
		"bullets are counted":             {"- a\n- b\n", "1 a; 2 b"},
		"the numbers of the file":         {"3. a\n4. b\n", "3 a; 4 b"},
		"the same number twice":           {"1. a\n1. b\n", "1 a; 2 b"},
		"a list of both":                  {"1. a\n\n- b\n", "1 a; 2 b"},
		"the free numbers":                {"- a\n\n1. b\n\n- c\n", "2 a; 1 b; 3 c"},
		"the numbers of a table":          {"| # | Task |\n|---|---|\n| 2 | a |\n| 3. | b |\n| | c |\n", "2 a; 3 b; 1 c"},
		"what is done keeps its number":   {"1. [x] a\n2. ~~b~~\n3. [ ] c\n", "3 c"},
		"a table without rows":            {"| # | Action |\n|---|---|\n", ""},
		"an aside has no number":          {"#### Done\n\n- a\n\n#### Open\n\n- b\n", "1 b"},
		"a table":                         {"| # | Action | Status |\n|---|---|---|\n| 1 | a | done |\n| 2 | b | open |\n", "2 b"},
		"paragraphs":                      {"a\n\nb\nc\n\n✅ d\n", "1 a; 2 b\nc"},
		"a word for nothing is no action": {"- None\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, a := range parse(t, head+"### Next Actions\n\n"+tc.body).OpenActions() {
				got = append(got, fmt.Sprint(a.Number, " ", a.Text))
			}
			equal(t, strings.Join(got, "; "), tc.want)
		})
	}
}

func TestCutCheckbox(t *testing.T) {
	for text, want := range map[string]string{
		"[ ] a": "a", "[x]  a": "a", "[X]\ta": "a", "[~] a": "a", "[/] a": "a", "[-] a": "a", "[x]": "", "[x]\na": "a",
	} {
		if rest, ok := checkpoint.CutCheckbox(text); !ok || rest != want {
			t.Errorf("%q: %q, %v", text, rest, ok)
		}
	}
	for _, text := range []string{"", "[", "[x", "[x]a", "[y] a", "[link](x)", " [x] a", "a [x]"} {
		if rest, ok := checkpoint.CutCheckbox(text); ok || rest != text {
			t.Errorf("%q: %q, %v", text, rest, ok)
		}
	}
}

func TestHeadings(t *testing.T) {
	c := parse(t, head+`## Problem

### Why

## Plan

### Decisions

## Mark: 2026-01-02T10:00:00Z

### Next Actions

## Delta: 2026-01-03T10:00:00Z

### What Changed
`)
	var got []string
	for _, h := range c.Headings() {
		of := h.Delta
		switch {
		case h.Mark:
			of = "a mark"
		case h.Kind != checkpoint.Own:
			of = h.Kind.String()
		}
		got = append(got, h.Title+" of "+of)
	}
	equal(t, strings.Join(got, "\n"), `Problem of Problem
Why of Problem
Plan of 
Decisions of Decisions
Mark: 2026-01-02T10:00:00Z of a mark
Next Actions of a mark
Delta: 2026-01-03T10:00:00Z of Delta: 2026-01-03T10:00:00Z
What Changed of Delta: 2026-01-03T10:00:00Z`)
}

func TestLiveText(t *testing.T) {
	c := parse(t, head+`### Decisions

- **A**: a
- ~~**B**: b~~ → **A**

#### Rejected

- C

### Play-By-Play

- a → b

#### Remaining

- c

### Next Actions

1. [x] a
2. b
`)
	equal(t, c.LiveText(checkpoint.Decisions), "- **A**: a")
	equal(t, c.LiveText(checkpoint.PlayByPlay), "- a → b")
	equal(t, c.LiveText(checkpoint.Next), "2. b")
	equal(t, c.LiveText(checkpoint.State), "")
}
