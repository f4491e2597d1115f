package checkpoint_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
)

func TestLearnings(t *testing.T) {
	for name, tc := range map[string]struct{ completion, want string }{
		"inline":                {"- **Learnings**: one\n", "one"},
		"wrapped":               {"- **Learnings**: one\n  goes on\n- **Date**: x\n", "one goes on"},
		"lazily wrapped":        {"- **Learnings**: one\ngoes on\n", "one goes on"},
		"nested":                {"- **Learnings**:\n  - one\n  - two\n    goes on\n- **Date**: x\n", "one; two goes on"},
		"nested and numbered":   {"- **Learnings**:\n  1. one\n  2) two\n", "one; two"},
		"inline and nested":     {"- **Learnings**: zero\n  - one\n", "zero; one"},
		"flat list below":       {"**Learnings**:\n\n- one\n- two\n", "one; two"},
		"flat list with bold":   {"**Learnings**:\n- **Always**: check\n- **Never**: guess\n", "**Always**: check; **Never**: guess"},
		"bullets on one level":  {"- **Learnings**:\n- one\n- two\n- **Date**: x\n", "one; two"},
		"a field behind them":   {"- **Learnings**:\n- one\n- **Notes**: x\n- two\n", "one"},
		"bold on one level":     {"- **Learnings**:\n- **Always**: check\n- **Never**: guess\n", "**Always**: check; **Never**: guess"},
		"bold bullets nested":   {"- **Learnings**:\n  - **Always**: check\n- **Date**: x\n", "**Always**: check"},
		"paragraph":             {"**Learnings**: one\ngoes on\n\n**Date**: x\n", "one goes on"},
		"two paragraphs":        {"**Learnings**:\n\none\n\ntwo\n", "one; two"},
		"colon within the bold": {"- **Learnings:** one\n", "one"},
		"not bold":              {"- Learnings: one\n- Date: x\n", "one"},
		"subsection":            {"- **Status**: Archived\n\n### Learnings\n\n- one\n- two\n", "one; two"},
		"subsection, then one":  {"### Learnings\n\n- one\n\n### Notes\n\n- two\n", "one"},
		"a hash is no heading":  {"- **Learnings**: see\n  #12 and #13\n", "see #12 and #13"},
		"code in a bullet":      {"**Learnings**:\n- use this:\n  ```sh\n  # comment\n\n  - x\n  ```\n- two\n", "use this: ```sh # comment - x ```; two"},
		"code below a bullet":   {"- **Learnings**:\n  - one\n\n    ~~~\n    # x\n    **Date**: x\n    ~~~\n  - two\n", "one; ~~~ # x **Date**: x ~~~; two"},
		"code on the margin":    {"**Learnings**:\n- one\n\n````\n# x\n```\n````\n\n- two\n", "one; ```` # x ``` ````; two"},
		"open code in a bullet": {"**Learnings**:\n- ```\n  # x\n- two\n", "``` # x; two"},
		"code on one line":      {"**Learnings**:\n- ```make```\n- two\n", "```make```; two"},
		"a hash in a bullet":    {"**Learnings**:\n- one\n  # 42 is wrong\n- two\n\n# Notes\n- three\n", "one # 42 is wrong; two"},
		"a field of one's own":  {"- **Outcome**: ok\n- **Learnings**:\n  - one\n- **Follow-up**: tell Bob\n", "one"},
		"it, without bullets":   {"**Learnings**:\n- one\n**Related**: other\n", "one"},
		"it, below a text":      {"**Learnings**: one\n\n**Related**: other\n", "one"},
		"bold, wrapped":         {"**Learnings**:\n- we must\n**never** guess\n", "we must **never** guess"},
		"twice":                 {"- **Learnings**: one\n- **Date**: x\n- **Learnings**: two\n", "one; two"},
		"none":                  {"- **Learnings**: None\n", ""},
		"none noted":            {"- **Learnings**: None noted.\n", ""},
		"none, in bold":         {"- **Learnings**: **None noted**\n", ""},
		"n/a":                   {"- **Learnings**: n/a\n", ""},
		"a dash":                {"- **Learnings**: -\n", ""},
		"none with a remark":    {"- **Learnings**: None so far, but tokens expire.\n", "None so far, but tokens expire."},
		"nested none":           {"- **Learnings**:\n  - None\n", ""},
		"no learnings":          {"- **Learnings**: No new learnings to report.\n", ""},
		"none of something":     {"- **Learnings**: None of the tests ran in CI.\n", "None of the tests ran in CI."},
		"empty":                 {"- **Learnings**:\n- **Date**: x\n", ""},
		"missing":               {"- **Status**: Archived\n", ""},
		"commented out":         {"<!--\n- **Learnings**: one\n-->\n\n- **Status**: Archived\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n"} {
				src := head + "## Completion\n\n" + tc.completion
				c := parse(t, strings.ReplaceAll(src, "\n", eol))
				equal(t, strings.Join(c.Learnings(), "; "), tc.want)
			}
		})
	}
}

func TestCompletionInAFenceIsNone(t *testing.T) {
	c := parse(t, head+"## Problem\n\n```\n## Completion\n\n- **Outcome**: no\n- **Learnings**: no\n```\n")
	equal(t, c.Outcome()+strings.Join(c.Learnings(), ""), "")
	if _, err := revise.Archive(c, "", nil, now); err == nil {
		t.Error("archived without an outcome")
	}
}

func TestOutcome(t *testing.T) {
	for name, tc := range map[string]struct{ completion, want string }{
		"inline":                  {"- **Status**: Archived\n- **Outcome**: It works.\n", "It works."},
		"wrapped":                 {"- **Outcome**: It\n  works.\n", "It works."},
		"paragraph":               {"**Outcome**: It works.\n\n**Date**: x\n", "It works."},
		"own lines":               {"- **Outcome**:\n  - a\n  - b\n", "a b"},
		"prose":                   {"It works.\nAll of it.\n\nMore.\n", "It works. All of it."},
		"prose behind fields":     {"- **Status**: Archived\n- **Date**: 2026-01-01\n\nIt works.\n\n- and more\n", "It works."},
		"prose and its list":      {"All goals achieved:\n\n- a\n- b\n", "All goals achieved: a b"},
		"bullets on one level":    {"- **Outcome**:\n- a\n- b\n", "a b"},
		"a list":                  {"- **Status**: Archived\n- Built it\n- Shipped it\n", "Built it Shipped it"},
		"below a subheading":      {"- **Status**: Archived\n\n### Learnings\n\nMuch.\n\n### What was achieved\n\nIt works.\n", "It works."},
		"what remains is no goal": {"### Remaining\n\nThe docs.\n", ""},
		"learnings are no goal":   {"- **Learnings**:\n  - one\n", ""},
		"none":                    {"None.\n", ""},
		"the field counts first":  {"It was long.\n\n- **Outcome**: It works.\n", "It works."},
		"without a colon":         {"- **Outcome** It works.\n", "It works."},
		"it begins in bold":       {"**All** of it works.\n", "**All** of it works."},
		"missing":                 {"- **Status**: Archived\n", ""},
	} {
		t.Run(name, func(t *testing.T) { equal(t, parse(t, head+"## Completion\n\n"+tc.completion).Outcome(), tc.want) })
	}
}

func TestIsNone(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "None": true, "none.": true, "*None*": true, "(none)": true, "N/A": true, "n/a.": true, "-": true, "—": true, "Nothing noteworthy": true,
		"No lessons learned.": true, "None so far": true, "TBD": true, "None — implementation complete.": true, "Nothing to do; wait.": true, "None (yet)": true,
		"n.a.": true, "No learnings were noted.": true, "None noted this time": true, "None was found to be slow": false, "None pending": true,
		"None of these": false, "Nothing works without X": false, "No retries": false, "new": false, "Non-blocking I/O": false, "Nona": false, "0": false, "A": false,
	} {
		if got := checkpoint.IsNone(text); got != want {
			t.Errorf("IsNone(%q) is %t", text, got)
		}
	}
}
