package revise_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
)

// TestRevision shows each kind of change as the lines that it removes and adds.
func TestRevision(t *testing.T) {
	const (
		k = checkpoint.Decisions
		n = checkpoint.Next
	)
	decide := func(what, why, old string) func(*revise.Revision) {
		return func(r *revise.Revision) { r.Decide(what, why, old) }
	}
	bullet := func(k checkpoint.Kind, texts ...string) func(*revise.Revision) {
		return func(r *revise.Revision) {
			for _, text := range texts {
				r.Bullet(k, text)
			}
		}
	}
	text := func(k checkpoint.Kind, text string) func(*revise.Revision) {
		return func(r *revise.Revision) { r.Text(k, text) }
	}
	row := func(k checkpoint.Kind, cells ...string) func(*revise.Revision) {
		return func(r *revise.Revision) { r.Row(k, cells...) }
	}
	list := func(entries ...string) func(*revise.Revision) {
		return func(r *revise.Revision) { r.List(n, entries) }
	}
	done := func(texts ...string) func(*revise.Revision) {
		return func(r *revise.Revision) {
			for _, text := range texts {
				if _, err := r.Done(text); err != nil {
					t.Error(err)
				}
			}
		}
	}
	for name, tc := range map[string]struct {
		body   string
		change func(*revise.Revision)
		want   string
	}{
		"a section behind replaced text": {"### Next Actions\n\n1. a\n", func(r *revise.Revision) { r.List(n, []string{"b"}).AddSection("## X\n") },
			"### Next Actions\n\n1. b\n\n## X\n"},
		"a section behind filled text": {"### Next Actions\n", func(r *revise.Revision) { r.List(n, []string{"b"}).AddSection("## X\n") },
			"### Next Actions\n\n1. b\n\n## X\n"},
		"a bullet behind the last":       {"### Decisions\n\n- a\n\n### X\n", bullet(k, "b"), "### Decisions\n\n- a\n- b\n\n### X\n"},
		"two bullets, one twice":         {"### Decisions\n\n- a\n", bullet(k, "b", "c", "b"), "### Decisions\n\n- a\n- b\n- c\n- b\n"},
		"its marker":                     {"### Decisions\n\n* a\n", bullet(k, "b"), "### Decisions\n\n* a\n* b\n"},
		"its number":                     {"### Next Actions\n\n1) a\n9) b\n", bullet(n, "c", "d"), "### Next Actions\n\n1) a\n9) b\n10) c\n11) d\n"},
		"the next number":                {"### Next Actions\n\na\n\nb\n", bullet(n, "c"), "### Next Actions\n\n- a\n\n- b\n\n3. c\n"},
		"its checkbox":                   {"### Next Actions\n\n- [x] a\n", bullet(n, "b"), "### Next Actions\n\n- [x] a\n- [ ] b\n"},
		"behind nested entries":          {"### Decisions\n\n- a\n  - x\n\n    y\n\n### X\n", bullet(k, "b"), "### Decisions\n\n- a\n  - x\n\n    y\n- b\n\n### X\n"},
		"several lines":                  {"### Decisions\n\n- a\n", bullet(k, "b\nc\n\n- d"), "### Decisions\n\n- a\n- b\n  c\n\n  - d\n"},
		"a heading is text":              {"### Decisions\n\n- a\n", bullet(k, "# b\n## c"), "### Decisions\n\n- a\n- \\# b\n  \\## c\n"},
		"an open fence is closed":        {"### Decisions\n\n- a\n\n## X\n", bullet(k, "b\n```\nc"), "### Decisions\n\n- a\n- b\n  ```\n  c\n  ```\n\n## X\n"},
		"into an empty section":          {"### Decisions\n\n### X\n", bullet(k, "a"), "### Decisions\n\n- a\n\n### X\n"},
		"into an empty section, tight":   {"### Decisions\n### X\n", bullet(k, "a"), "### Decisions\n\n- a\n\n### X\n"},
		"into an empty last section":     {"### Decisions", bullet(k, "a"), "### Decisions\n\n- a"},
		"in place of the guide":          {"### Decisions\n\n<!-- What is locked in and must not be asked again: - **What**: why -->\n", bullet(k, "a"), "### Decisions\n\n- a\n"},
		"behind another comment":         {"### Decisions\n\n<!-- mine -->\n", bullet(k, "a"), "### Decisions\n\n<!-- mine -->\n\n- a\n"},
		"in place of none":               {"### Decisions\n\nNone yet.\n\n## X\n", bullet(k, "a"), "### Decisions\n\n- a\n\n## X\n"},
		"in place of a none bullet":      {"### Decisions\n\n- None\n", bullet(k, "a"), "### Decisions\n\n- a\n"},
		"behind none with a remark":      {"### Decisions\n\nNone - we wait.\n", bullet(k, "a"), "### Decisions\n\nNone - we wait.\n\n- a\n"},
		"behind a paragraph":             {"### Decisions\n\n- a\n\nNote.\n", bullet(k, "b"), "### Decisions\n\n- a\n\nNote.\n\n- b\n"},
		"before subsections":             {"### Decisions\n\n- a\n\n#### X\n\n- x\n", bullet(k, "b"), "### Decisions\n\n- a\n- b\n\n#### X\n\n- x\n"},
		"into the last subsection":       {"### Decisions\n\n#### X\n\n- x\n\n## Y\n", bullet(k, "b"), "### Decisions\n\n#### X\n\n- x\n- b\n\n## Y\n"},
		"above empty subsections":        {"### Decisions\n\n#### X\n", bullet(k, "b"), "### Decisions\n\n- b\n\n#### X\n"},
		"no last line break":             {"### Decisions\n\n- a", bullet(k, "b"), "### Decisions\n\n- a\n- b"},
		"into a decision table":          {"### Decisions\n\n| Decision | Rationale | Not |\n|---|---|---|\n| A | a | x |\n", decide("B|C", "b", ""), "### Decisions\n\n| Decision | Rationale | Not |\n|---|---|---|\n| A | a | x |\n| **B\\|C** | b |  |\n"},
		"into a table of one column":     {"### Decisions\n\n| Decision |\n|---|\n", decide("B", "b", ""), "### Decisions\n\n| Decision |\n|---|\n| **B**: b |\n"},
		"a decision without why":         {"### Decisions\n\n- a\n", decide("B", "", ""), "### Decisions\n\n- a\n- **B**\n"},
		"supersede":                      {"### Decisions\n\n- **A**: a\n- **B**: b\n", decide("C", "c", "a"), "### Decisions\n\n- ~~**A**: a~~ → **C**\n- **B**: b\n- **C**: c\n"},
		"supersede what is wrapped":      {"### Decisions\n\n- **A**: a\n  goes on\n  - nested\n", decide("C", "c", "A"), "### Decisions\n\n- ~~**A**: a\n  goes on~~ → **C**\n  - nested\n- **C**: c\n"},
		"supersede by its whole name":    {"### Decisions\n\n1. **Ab**: a\n2. **A**: b\n", decide("C", "c", "a"), "### Decisions\n\n1. **Ab**: a\n2. ~~**A**: b~~ → **C**\n3. **C**: c\n"},
		"supersede a row":                {"### Decisions\n\n| # | Decision | Why |\n|---|---|---|\n| 1 | **A** | a |\n", decide("C|D", "c", "A"), "### Decisions\n\n| # | Decision | Why |\n|---|---|---|\n| 1 | ~~**A**~~ → **C\\|D** | a |\n|  | **C\\|D** | c |\n"},
		"supersede the last, at the end": {"### Decisions\n\n- A", decide("C", "c", "A"), "### Decisions\n\n- ~~A~~ → **C**\n- **C**: c"},
		"a text":                         {"### Current State\n\nOld.\n\n- x\n\n#### Deep\n\ny\n\n## X\n", text(checkpoint.State, "New.\n"), "### Current State\n\nNew.\n\n## X\n"},
		"a text in a tight file":         {"### Current State\nOld.\n### X\n", text(checkpoint.State, "New."), "### Current State\nNew.\n### X\n"},
		"HTML in a tight file":           {"### Current State\nOld.\n### X\n", text(checkpoint.State, "<div>"), "### Current State\n<div>\n\n### X\n"},
		"behind it a setext heading":     {"### Decisions\n\n```\nx\n```\nX\n---\n", bullet(k, "a"), "### Decisions\n\n```\nx\n```\n\n- a\n\nX\n---\n"},
		"the guide, and such a heading":  {"### Decisions\n\n<!-- What is locked in and must not be asked again: - **What**: why -->\nX\n---\n", bullet(k, "a"), "### Decisions\n\n- a\n\nX\n---\n"},
		"before a setext heading":        {"### Current State\n- old\n\nX\n---\n", text(checkpoint.State, "New."), "### Current State\nNew.\n\nX\n---\n"},
		"a text keeps the rule":          {"### Current State\n\nOld.\n\n---\n\n## Delta: 2026-01-01\n", text(checkpoint.State, "New."), "### Current State\n\nNew.\n\n---\n\n## Delta: 2026-01-01\n"},
		"a text of headings":             {"### Current State\n\nOld.\n", text(checkpoint.State, "# A\nB\n==\n---\n***"), "### Current State\n\n\\# A\nB\n\\==\n\\---\n\\***\n"},
		"no text":                        {"### Current State\n\nOld.\n", text(checkpoint.State, ""), "### Current State\n\n<!-- What exists now: what works, what does not yet. -->\n"},
		"a list":                         {"### Next Actions\n\n- [ ] a\n- [x] b\n\n## X\n", list("c", "d"), "### Next Actions\n\n1. c\n2. d\n\n## X\n"},
		"a row":                          {"### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| a | b | c |\n\n## X\n", row(checkpoint.Artifacts, "`x`", "y"), "### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| a | b | c |\n| `x` | y |  |\n\n## X\n"},
		"a row wider than its table":     {"### Artifact Trail\n\n| File | Change |\n|---|---|\n", row(checkpoint.Artifacts, "x", "y", "z"), "### Artifact Trail\n\n| File | Change |\n|---|---|\n| x | y — z |\n"},
		"a row in a new table":           {"### Breadcrumbs\n\ntext\n", row(checkpoint.Breadcrumbs, "file", "a\nb", "c"), "### Breadcrumbs\n\ntext\n\n| Type | Reference | Hint |\n|------|-----------|------|\n| file | a b | c |\n"},
		"a row, no last line break":      {"### Breadcrumbs\n\n|a|b|c|\n|-|-|-|", row(checkpoint.Breadcrumbs, "x"), "### Breadcrumbs\n\n|a|b|c|\n|-|-|-|\n| x |  |  |"},
		"done":                           {"### Play-By-Play\n\n- p\n\n### Next Actions\n\n1. one\n2. two\n", done("ONE"), "### Play-By-Play\n\n- p\n- one → done\n\n### Next Actions\n\n1. two\n"},
		"done by place":                  {"### Play-By-Play\n\n- p\n\n### Next Actions\n\n- [x] a\n- [ ] b\n- [ ] c\n", done("#3", "#2"), "### Play-By-Play\n\n- p\n- c → done\n- b → done\n\n### Next Actions\n\n- [x] a\n"},
		"done by the number written":     {"### Play-By-Play\n\n- p\n\n### Next Actions\n\n3. c\n4. d\n5. e\n", done("#4"), "### Play-By-Play\n\n- p\n- d → done\n\n### Next Actions\n\n3. c\n4. e\n"},
		"done, two, numbers move up":     {"### Play-By-Play\n\n- p\n\n### Next Actions\n\n8) a\n9) b\n10) c\n    more\n11) d\n", done("#8", "#10"), "### Play-By-Play\n\n- p\n- a → done\n- c\n  more → done\n\n### Next Actions\n\n8) b\n9) d\n"},
		"done, numbered with ones":       {"### Play-By-Play\n\n- p\n\n### Next Actions\n\n1. a\n1. b\n1. c\n", done("#2"), "### Play-By-Play\n\n- p\n- b → done\n\n### Next Actions\n\n1. a\n1. c\n"},
		"done, in a loose list":          {"### Play-By-Play\n\n- p\n\n### Next Actions\n\n1. one\n   - part\n\n2. two\n", done("one"), "### Play-By-Play\n\n- p\n- one → done\n  - part\n\n### Next Actions\n\n1. two\n"},
		"done, with its other cells": {"### Play-By-Play\n\n- p\n\n### Next Actions\n\n| # | Task | File | Status |\n|---|---|---|---|\n| 1 | a | `a.go` | open |\n| 2 | b | | b \\| c |\n| 3 | c |\n", done("#1", "#2"),
			"### Play-By-Play\n\n- p\n- a → done\n  - File: `a.go`\n- b → done\n  - Status: b | c\n\n### Next Actions\n\n| # | Task | File | Status |\n|---|---|---|---|\n| 3 | c |\n"},
		"done, in a table above a list": {"### Play-By-Play\n\n- p\n\n### Next Actions\n\n| Action |\n|---|\n| one |\n| two |\n\n3. c\n", done("two"), "### Play-By-Play\n\n- p\n- two → done\n\n### Next Actions\n\n| Action |\n|---|\n| one |\n\n3. c\n"},
		"done, in a table":              {"### Play-By-Play\n\n- p\n\n### Next Actions\n\n| Action |\n|---|\n| one |\n| two |\n", done("one"), "### Play-By-Play\n\n- p\n- one → done\n\n### Next Actions\n\n| Action |\n|---|\n| two |\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n"} {
				c := parse(t, strings.ReplaceAll(head+tc.body, "\n", eol))
				r := revise.Begin(c)
				tc.change(r)
				got, err := r.Apply()
				if err != nil {
					t.Fatal(err)
				}
				equal(t, string(got.Doc.Bytes()), strings.ReplaceAll(head+tc.want, "\n", eol))
			}
		})
	}
}

func TestNewSections(t *testing.T) {
	for name, tc := range map[string]struct {
		body   string
		change func(*revise.Revision)
		want   string
	}{
		"behind the one before it": {"## Problem\n\np\n\n## Essential Information\n\n### Decisions\n\n- d\n\n### Current State\n\ns\n",
			func(r *revise.Revision) { r.Bullet(checkpoint.PlayByPlay, "x") },
			"## Problem\n\np\n\n## Essential Information\n\n### Decisions\n\n- d\n\n### Play-By-Play\n\n- x\n\n### Current State\n\ns\n"},
		"before the one behind it": {"## Essential Information\n\n### Next Actions\n\n1. n\n",
			func(r *revise.Revision) { r.Text(checkpoint.Problem, "p") },
			"## Problem\n\np\n\n## Essential Information\n\n### Next Actions\n\n1. n\n"},
		"two, and their heading once": {"## Problem\n\np\n",
			func(r *revise.Revision) {
				r.Bullet(checkpoint.Decisions, "d").Bullet(checkpoint.Next, "n").Bullet(checkpoint.Rules, "r")
			},
			"## Problem\n\np\n\n## Essential Information\n\n### Decisions\n\n- d\n\n### Next Actions\n\n1. n\n\n## User Rules\n\n- r\n"},
		"flat files stay flat": {"## Problem\n\np\n\n## Current State\n\ns\n\n## Notes\n",
			func(r *revise.Revision) { r.Bullet(checkpoint.Next, "n").Bullet(checkpoint.Decisions, "d") },
			"## Problem\n\np\n\n## Decisions\n\n- d\n\n## Current State\n\ns\n\n## Next Actions\n\n1. n\n\n## Notes\n"},
		"into an empty body": {"", func(r *revise.Revision) { r.Bullet(checkpoint.Next, "n") }, "## Essential Information\n\n### Next Actions\n\n1. n\n"},
		"before the deltas": {"## Problem\n\np\n\n---\n\n## Delta: 2026-01-01\n\nx\n",
			func(r *revise.Revision) { r.Bullet(checkpoint.Rules, "r") },
			"## Problem\n\np\n\n## User Rules\n\n- r\n\n---\n\n## Delta: 2026-01-01\n\nx\n"},
		"before the only delta": {"---\n\n## Delta: 2026-01-01\n\nx\n",
			func(r *revise.Revision) { r.Bullet(checkpoint.Rules, "r") },
			"## User Rules\n\n- r\n\n---\n\n## Delta: 2026-01-01\n\nx\n"},
		"no heading below it is taken": {"## Problem\n\np\n\n### Own\n\no\n",
			func(r *revise.Revision) { r.Text(checkpoint.Intent, "i") },
			"## Problem\n\np\n\n### Own\n\no\n\n## Session Intent\n\ni\n"},
		"with a delta, no last line break": {"## Essential Information\n\n### Current State\n\ns",
			func(r *revise.Revision) {
				r.AppendDelta(checkpoint.Delta{At: now, Changed: "c"}, "### Own\n\no").Text(checkpoint.State, "t").Bullet(checkpoint.Next, "n").Drop("created")
			},
			"## Essential Information\n\n### Current State\n\nt\n\n### Next Actions\n\n1. n\n\n---\n\n## Delta: 2026-01-02T10:00:00Z\n\n### What Changed\n\nc\n\n### Artifacts\n\n| File | Action | Description |\n|------|--------|-------------|\n\n### Own\n\no"},
	} {
		t.Run(name, func(t *testing.T) {
			c := parse(t, head+tc.body)
			r := revise.Begin(c)
			tc.change(r)
			got, err := r.Apply()
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got.Doc.Slice(got.Doc.Body()), "\n"+tc.want)
		})
	}
}

func TestFields(t *testing.T) {
	c := parse(t, "---\ncheckpoint: chk-a # id\n\n# times\ncreated: 2026-01-01\nown: x\n---\n")
	got, err := revise.Begin(c).Set("base", "abc").Set("status", "active").Set("status", "current").Drop("none").Set("parent", "b: c").Set("zeta", "1").Set("own", "x").Apply()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, string(got.Doc.Bytes()), "---\ncheckpoint: chk-a # id\n\n# times\ncreated: 2026-01-01\nparent: \"b: c\"\nstatus: current\nbase: abc\nzeta: 1\nown: x\n---\n")
	again, err := revise.Begin(got).Drop("zeta").Drop("parent").Drop("status").Drop("base").Apply()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, string(again.Doc.Bytes()), string(c.Doc.Bytes()))
	same, err := revise.Begin(c).Set("own", "x").Apply()
	if err != nil || same != c {
		t.Error("a revision that changes nothing is the old checkpoint", err)
	}
	renamed, err := revise.Begin(c).Set("checkpoint", "chk-b").Apply()
	if err != nil || renamed.ID != "chk-b" {
		t.Error(renamed, err)
	}
}

func TestRefusals(t *testing.T) {
	src := head + "### Decisions\n\n- **Alpha**: x\n- **Beta**: x\n- **Beta**: xy\n- ~~**Gamma**: y~~ → **Alpha**\n\n### Next Actions\n\n1. write it\n2. write more\n\n## Notes\n\n```\nopen\n"
	for name, tc := range map[string]struct {
		change func(*revise.Revision) error
		want   string
	}{
		"superseding nothing":    {func(r *revise.Revision) error { r.Decide("A", "", "delta"); return nil }, `not-found: chk-a has no live decision that contains "delta"`},
		"superseding the past":   {func(r *revise.Revision) error { r.Decide("A", "", "gamma"); return nil }, `not-found: chk-a has no live decision that contains "gamma"`},
		"superseding several":    {func(r *revise.Revision) error { r.Decide("A", "", "x"); return nil }, `usage: "x" matches 3 decisions of chk-a: **Alpha**: x; **Beta**: x; **Beta**: xy`},
		"superseding one of two": {func(r *revise.Revision) error { r.Decide("A", "", "beta"); return nil }, `usage: "beta" matches 2 decisions of chk-a: **Beta**: x; **Beta**: xy`},
		"doing nothing":          {func(r *revise.Revision) error { _, err := r.Done("read"); return err }, `not-found: chk-a has no next action that contains "read"`},
		"doing several":          {func(r *revise.Revision) error { _, err := r.Done("write"); return err }, `usage: "write" matches 2 next actions of chk-a: 1 write it; 2 write more`},
		"doing the third of two": {func(r *revise.Revision) error { _, err := r.Done("#3"); return err }, `not-found: chk-a has no next action 3: its list has 2 items`},
		"doing one twice":        {func(r *revise.Revision) error { _, _ = r.Done("#1"); _, err := r.Done("e it"); return err }, `usage: "e it" names a next action that is named already`},
		"replacing and appending": {func(r *revise.Revision) error {
			r.Text(checkpoint.Next, "x").Bullet(checkpoint.Next, "y")
			return nil
		}, `usage: Next Actions is replaced and appended to in one command`},
		"behind a fence left open": {func(r *revise.Revision) error {
			r.AppendDelta(checkpoint.Delta{At: now, Changed: "x"}, "")
			return nil
		}, `invalid: active/chk-a.md: a code fence or a comment is left open (line 20): the text would be part of it`},
	} {
		t.Run(name, func(t *testing.T) {
			r := revise.Begin(parse(t, src))
			err := tc.change(r)
			if err == nil {
				_, err = r.Apply()
			}
			if err == nil {
				t.Fatal("it was done")
			}
			equal(t, fault.KindOf(err).String()+": "+err.Error(), tc.want)
		})
	}
}

// TestAppendedToItsOwn adds decisions and steps. They do not go below a subheading such as "Open".
func TestAppendedToItsOwn(t *testing.T) {
	for name, c := range map[string]struct{ before, want string }{
		"behind the entries above":  {"### Decisions\n\n- a\n\n#### Rejected\n\n- b\n", "### Decisions\n\n- a\n- new\n\n#### Rejected\n\n- b\n"},
		"behind the last that fits": {"### Decisions\n\n#### Made\n\n- a\n\n#### Rejected\n\n- b\n", "### Decisions\n\n#### Made\n\n- a\n- new\n\n#### Rejected\n\n- b\n"},
		"behind a later one":        {"### Decisions\n\n#### Rejected\n\n- b\n\n#### Made\n\n- a\n", "### Decisions\n\n#### Rejected\n\n- b\n\n#### Made\n\n- a\n- new\n"},
		"above all where none fits": {"### Decisions\n\n#### Rejected\n\n- b\n", "### Decisions\n\n- new\n\n#### Rejected\n\n- b\n"},
		"a deeper one is its own":   {"### Decisions\n\n#### Open\n\n##### Storage\n\n- b\n", "### Decisions\n\n- new\n\n#### Open\n\n##### Storage\n\n- b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			const head = "---\ncheckpoint: chk-a\ncreated: 2026-01-01\n---\n\n"
			c0, err := checkpoint.Parse("active/chk-a.md", []byte(head+c.before))
			if err != nil {
				t.Fatal(err)
			}
			got, err := revise.Begin(c0).Bullet(checkpoint.Decisions, "new").Apply()
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Doc.Bytes()) != head+c.want {
				t.Errorf("got\n%s\nwant\n%s", got.Doc.Bytes(), head+c.want)
			}
			live := 0
			for _, d := range got.Decisions() {
				if d.Live() {
					live++
				}
			}
			if want := len(c0.Decisions()) - len(asideEntries(c0)) + 1; live != want {
				t.Errorf("%d live decisions, want %d", live, want)
			}
		})
	}
}

func asideEntries(c *checkpoint.Checkpoint) (all []checkpoint.Action) {
	for _, a := range c.Asides(checkpoint.Decisions) {
		all = append(all, checkpoint.Entries(c.Doc, a.Extent)...)
	}
	return all
}

const head = "---\ncheckpoint: chk-a\ncreated: 2026-01-01T00:00:00Z\n---\n\n"

func equal(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func parse(tb testing.TB, src string) *checkpoint.Checkpoint {
	tb.Helper()
	c, err := checkpoint.Parse("active/chk-a.md", []byte(src))
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// TestStruckDecisions adds decisions that are struck out: what they name is struck out where it is.
func TestStruckDecisions(t *testing.T) {
	for name, tc := range map[string]struct {
		have    string
		entries []string
		want    string
	}{
		"and the successor": {"- **A**: a\n- **B**: b\n", []string{"~~**A**: a~~ → **C**", "**C**: c"}, "- ~~**A**: a~~ → **C**\n- **B**: b\n- **C**: c\n"},
		"twice":             {"- **A**: a\n", []string{"**~~a~~** (dropped)", "~~A: b~~"}, "- ~~**A**: a~~ (dropped)\n"},
		"struck already":    {"- ~~**A**: a~~ → **C**\n", []string{"~~**A**~~ → **C**"}, "- ~~**A**: a~~ → **C**\n"},
		"unknown":           {"- **A**: a\n", []string{"~~**B**~~ → **A**"}, "- **A**: a\n- ~~**B**~~ → **A**\n"},
		"not struck":        {"- **A**: a\n", []string{"~~A~~ B: b"}, "- **A**: a\n- ~~A~~ B: b\n"},
		"of a table":        {"| Decision | Why |\n|---|---|\n| A | a |\n", []string{"~~A~~ → B|C"}, "| Decision | Why |\n|---|---|\n| ~~A~~ → B\\|C | a |\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := revise.Begin(parse(t, head+"### Decisions\n\n"+tc.have))
			r.AddNew(checkpoint.Decisions, tc.entries)
			got, err := r.Apply()
			if err != nil {
				t.Fatal(err)
			}
			equal(t, string(got.Doc.Bytes()), head+"### Decisions\n\n"+tc.want)
		})
	}
}
