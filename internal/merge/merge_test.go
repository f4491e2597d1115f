package merge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/merge"
)

// start is the base of the merges in the cases.
const start = `---
checkpoint: chk-auth
created: 2026-01-02T10:00:00Z
status: current
---

## Problem

Logins fail.

### Decisions

- **Keep sessions**: ops know them
- **No cookies**: policy

### Play-By-Play

- Looked

### Current State

Nothing works.

### Next Actions

1. Reproduce it
2. Fix it
3. Ship it

## Delta: 2026-01-02T10:00:00Z

### What Changed

Began
`

// remains is what a fold leaves of a delta.
const remains = `
## From the delta of 2026-01-02T11:00:00Z

### Decisions

- Measured
`

// replaced returns start with some texts replaced by others, in pairs.
func replaced(pairs ...string) string {
	s := start
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(s, pairs[i]) != 1 {
			panic("not once: " + pairs[i])
		}
		s = strings.Replace(s, pairs[i], pairs[i+1], 1)
	}
	return s
}

const (
	early = "\n## Delta: 2026-01-02T11:00:00Z\n\n### What Changed\n\nEarly\n"
	late  = "\n## Delta: 2026-01-02T12:00:00Z\n\n### What Changed\n\nLate\n"
)

// untilDelta is start without its delta.
var untilDelta = start[:strings.Index(start, "\n## Delta")]

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		name                 string
		base                 string // start where it is ""
		ours, theirs, merged string
		found                []string
	}{
		{
			name:   "different sections",
			ours:   replaced("Logins fail.", "Logins fail often."),
			theirs: replaced("Nothing works.", "All works."),
			merged: replaced("Logins fail.", "Logins fail often.", "Nothing works.", "All works."),
		},
		{
			name: "the same on both sides",
			ours: replaced("Nothing works.", "All works.", "- Looked", "- Looked\n- Ours"), theirs: replaced("Nothing works.", "All works."),
			merged: replaced("Nothing works.", "All works.", "- Looked", "- Looked\n- Ours"),
		},
		{
			name: "deltas in the order of time",
			ours: start + late, theirs: start + early,
			merged: start + early + late,
		},
		{
			name: "deltas in the order of time, the later from theirs",
			ours: start + early, theirs: start + late,
			merged: start + early + late,
		},
		{
			name:   "the rule before a delta stays where it is",
			base:   untilDelta,
			ours:   untilDelta + "\n---\n" + early,
			theirs: strings.Replace(untilDelta, "1. Reproduce it\n2. Fix it\n3. Ship it", "1. Theirs", 1) + "\n---\n" + late,
			merged: strings.Replace(untilDelta, "1. Reproduce it\n2. Fix it\n3. Ship it", "1. Theirs", 1) + "\n---\n" + early + "\n---\n" + late,
		},
		{
			name:   "one side folded, the other went on",
			base:   untilDelta + "\n---\n" + early,
			ours:   strings.Replace(untilDelta, "- Looked", "- Looked\n- Early", 1),
			theirs: strings.Replace(untilDelta, "3. Ship it", "3. Ship it\n4. Theirs", 1) + "\n---\n" + early + "\n---\n" + late + "\n---\n" + strings.ReplaceAll(late, "12:00", "13:00"),
			merged: strings.NewReplacer("- Looked", "- Looked\n- Early", "3. Ship it", "3. Ship it\n4. Theirs").Replace(untilDelta) + "\n---\n" + late + "\n---\n" + strings.ReplaceAll(late, "12:00", "13:00"),
		},
		{
			name: "the same delta on both sides",
			ours: start + early, theirs: start + early + late,
			merged: start + early + late,
		},
		{
			name: "a delta that one side folded",
			ours: replaced("\n## Delta: 2026-01-02T10:00:00Z\n\n### What Changed\n\nBegan\n", ""), theirs: replaced("- Looked", "- Looked\n- Theirs"),
			merged: replaced("\n## Delta: 2026-01-02T10:00:00Z\n\n### What Changed\n\nBegan\n", "", "- Looked", "- Looked\n- Theirs"),
		},
		{
			name:   "what a fold left of a delta is no section of the file's",
			base:   start + remains,
			ours:   start + strings.Replace(remains, "- Measured", "- Measured twice", 1),
			theirs: replaced("- **No cookies**: policy", "- **No cookies**: policy\n- **Theirs**: new") + remains,
			merged: replaced("- **No cookies**: policy", "- **No cookies**: policy\n- **Theirs**: new") + strings.Replace(remains, "- Measured", "- Measured twice", 1),
		},
		{
			name: "both append to a list",
			ours: replaced("- Looked", "- Looked\n- Ours"), theirs: replaced("- Looked", "- Looked\n- Theirs"),
			merged: replaced("- Looked", "- Looked\n- Ours\n- Theirs"),
		},
		{
			name: "one does the first action, the other adds one",
			ours: replaced("1. Reproduce it\n2. Fix it\n3. Ship it", "1. Fix it\n2. Ship it"), theirs: replaced("3. Ship it", "3. Ship it\n4. Tell them"),
			merged: replaced("1. Reproduce it\n2. Fix it\n3. Ship it", "1. Fix it\n2. Ship it\n3. Tell them"),
		},
		{
			name: "both replace a text",
			ours: replaced("Nothing works.", "Half works."), theirs: replaced("Nothing works.", "All works."),
			merged: replaced("Nothing works.", "Half works.", "\n## Delta", "\n## Current State then\n\nAll works.\n\n## Delta"),
			found:  []string{"both sides changed Current State: the text of the later side stands, the other is in \"Current State then\""},
		},
		{
			name:   "both replace a text, each with a delta",
			ours:   replaced("created: 2026-01-02T10:00:00Z", "created: 2026-01-02T10:00:00Z\nlast_delta: 2026-01-02T11:00:00Z", "Nothing works.", "Half works.") + early,
			theirs: replaced("created: 2026-01-02T10:00:00Z", "created: 2026-01-02T10:00:00Z\nlast_delta: 2026-01-02T12:00:00Z", "Nothing works.", "All works.") + late,
			merged: replaced("created: 2026-01-02T10:00:00Z", "created: 2026-01-02T10:00:00Z\nlast_delta: 2026-01-02T12:00:00Z", "Nothing works.", "All works.") + early + "\n### Current State then\n\nHalf works.\n" + late,
			found:  []string{"both sides changed Current State: the text of the later side stands, the other is below the delta of 2026-01-02T11:00:00Z"},
		},
		{
			name: "both replace the next actions",
			ours: replaced("1. Reproduce it\n2. Fix it\n3. Ship it", "1. Ours"), theirs: replaced("1. Reproduce it\n2. Fix it\n3. Ship it", "1. Theirs"),
			merged: replaced("1. Reproduce it\n2. Fix it\n3. Ship it", "1. Theirs", "\n## Delta", "\n## Next Actions then\n\n1. Ours\n\n## Delta"),
			found:  []string{"both sides changed Next Actions: the text of the later side stands, the other is in \"Next Actions then\""},
		},
		{
			name:   "both tick next actions",
			base:   replaced("1. Reproduce it\n2. Fix it\n3. Ship it", "1. [ ] Reproduce it\n2. [ ] Fix it\n3. [~] Ship it"),
			ours:   replaced("1. Reproduce it\n2. Fix it\n3. Ship it", "1. [x] Reproduce it\n2. [ ] Fix it\n3. [ ] Ship it"),
			theirs: replaced("1. Reproduce it\n2. Fix it\n3. Ship it", "1. [~] Reproduce it\n2. [x] Fix it\n3. [x] Ship it\n4. [ ] Tell"),
			merged: replaced("1. Reproduce it\n2. Fix it\n3. Ship it", "1. [x] Reproduce it\n2. [x] Fix it\n3. [x] Ship it\n4. [ ] Tell"),
		},
		{
			name:   "one supersedes a decision, the other adds one",
			ours:   replaced("- **No cookies**: policy", "- **No cookies**: policy\n- **Log refusals**: to see why"),
			theirs: replaced("- **No cookies**: policy", "- ~~**No cookies**: policy~~ → **Cookies**\n- **Cookies**: policy changed"),
			merged: replaced("- **No cookies**: policy", "- ~~**No cookies**: policy~~ → **Cookies**\n- **Cookies**: policy changed\n- **Log refusals**: to see why"),
		},
		{
			name:   "a decision that one side took out stays where both worked on them",
			ours:   replaced("- **No cookies**: policy", "- **Log refusals**: to see why"),
			theirs: replaced("- **No cookies**: policy", "- **No cookies**: policy\n- **Rotate keys**: they leaked"),
			merged: replaced("- **No cookies**: policy", "- **Log refusals**: to see why\n- **No cookies**: policy\n- **Rotate keys**: they leaked"),
		},
		{
			name: "new sections of both, known and unknown",
			ours: replaced("### Current State", "### Ours\n\nText\n\n### Current State"), theirs: replaced("### Next Actions", "### Theirs\n\nText\n\n### Next Actions") + "\n## User Rules\n\n- Ask\n",
			merged: replaced("### Current State", "### Ours\n\nText\n\n### Current State", "### Next Actions", "### Theirs\n\nText\n\n### Next Actions") + "\n## User Rules\n\n- Ask\n",
		},
		{
			name: "a list that one removed and the other changed",
			ours: replaced("### Play-By-Play\n\n- Looked\n\n", ""), theirs: replaced("- Looked", "- Looked\n- Theirs"),
			merged: replaced("- Looked", "- Theirs"),
		},
		{
			name: "a text that one removed and the other changed",
			ours: replaced("### Current State\n\nNothing works.\n\n", ""), theirs: replaced("Nothing works.", "All works."),
			merged: replaced("Nothing works.", "All works."),
			found:  []string{"Current State was removed on one side and changed on the other: it stays"},
		},
		{
			name: "a section that one removed",
			ours: replaced("Logins fail.", "Logins fail often."), theirs: replaced("### Play-By-Play\n\n- Looked\n\n", ""),
			merged: replaced("Logins fail.", "Logins fail often.", "### Play-By-Play\n\n- Looked\n\n", ""),
		},
		{
			name: "the only rule, which one removed",
			base: replaced("### Next Actions", "### User Rules\n\n- Ask\n\n### Next Actions"),
			ours: start, theirs: replaced("- Looked", "- Looked\n- Theirs", "### Next Actions", "### User Rules\n\n- Ask\n\n### Next Actions"),
			merged: replaced("- Looked", "- Looked\n- Theirs"),
		},
		{
			name:   "frontmatter key by key",
			ours:   replaced("status: current", "status: active\nowner: ours\nlast_delta: 2026-01-02T12:00:00Z"),
			theirs: replaced("status: current", "last_delta: 2026-01-02T11:00:00Z\nstatus: current\nphase: two"),
			merged: replaced("status: current", "last_delta: 2026-01-02T12:00:00Z\nstatus: active\nphase: two\nowner: ours"),
		},
		{
			name:   "a key that both changed",
			ours:   replaced("status: current", "status: current\nphase: one"),
			theirs: replaced("status: current", "status: current\nphase: two"),
			merged: replaced("status: current", "status: current\nphase: two"),
			found:  []string{"both sides changed `phase`: it is two, and was one"},
		},
		{
			name:   "line endings are those of ours",
			ours:   strings.ReplaceAll(replaced("Logins fail.", "Logins fail often."), "\n", "\r\n"),
			theirs: replaced("- Looked", "- Looked\n- Theirs") + late,
			merged: strings.ReplaceAll(replaced("Logins fail.", "Logins fail often.", "- Looked", "- Looked\n- Theirs")+late, "\n", "\r\n"),
		},
		{
			name:   "rows of a table",
			base:   "## Artifact Trail\n\n| File | Status |\n|---|---|\n| a | new |\n",
			ours:   "## Artifact Trail\n\n| File | Status |\n|---|---|\n| a | new |\n| b | new |\n\nText\n",
			theirs: "## Artifact Trail\n\n| File | Status |\n|---|---|\n| a | new |\n| c | new |\n",
			merged: "## Artifact Trail\n\n| File | Status |\n|---|---|\n| a | new |\n| b | new |\n| c | new |\n\nText\n",
		},
		{
			name:   "learnings, newest first",
			base:   "# Learnings\n\n## 2026-01-01 — chk-a\n\n- A\n",
			ours:   "# Learnings\n\n## 2026-01-02 — chk-b\n\n- B\n\n## 2026-01-01 — chk-a\n\n- A\n",
			theirs: "# Learnings\n\n## 2026-01-03 — chk-c\n\n- C\n\n## 2026-01-01 — chk-a\n\n- A\n",
			merged: "# Learnings\n\n## 2026-01-03 — chk-c\n\n- C\n\n## 2026-01-02 — chk-b\n\n- B\n\n## 2026-01-01 — chk-a\n\n- A\n",
		},
		{
			name:   "a guide is replaced by what both wrote",
			base:   "## Problem\n\n<!-- What is wrong -->\n",
			ours:   "## Problem\n\nOurs\n",
			theirs: "## Problem\n\n<!-- What is wrong -->\n\n## Session Intent\n\nTheirs\n",
			merged: "## Problem\n\nOurs\n\n## Session Intent\n\nTheirs\n",
		},
		{
			name:   "both supersede the same decision",
			ours:   replaced("- **No cookies**: policy", "- ~~**No cookies**: policy~~ → **Ours**\n- **Ours**: x"),
			theirs: replaced("- **No cookies**: policy", "- ~~**No cookies**: policy~~ → **Theirs**\n- **Theirs**: y"),
			merged: replaced("- **No cookies**: policy", "- ~~**No cookies**: policy~~ → **Ours**, → **Theirs**\n- **Ours**: x\n- **Theirs**: y"),
			found:  []string{"both sides superseded the same decision: both successors stand"},
		},
		{
			name:   "one supersedes a decision, the other says it in other words",
			ours:   replaced("- **No cookies**: policy", "- ~~**No cookies**: policy~~ → **Ours**\n- **Ours**: x"),
			theirs: replaced("- **No cookies**: policy", "- **No cookies**: the law"),
			merged: replaced("- **No cookies**: policy", "- ~~**No cookies**: the law~~ → **Ours**\n- **Ours**: x"),
		},
		{
			name:   "both archive",
			ours:   start + "\n---\n\n## Completion\n\n- **Status**: Archived\n- **Outcome**: Done\n- **Learnings**: Ask\n- **Date**: 2026-01-03T10:00:00Z\n",
			theirs: start + "\n---\n\n## Completion\n\n- **Status**: Archived\n- **Outcome**: Dropped\n- **Learnings**:\n  - Measure\n  - Ask\n- **Date**: 2026-01-04T10:00:00Z\n",
			merged: start + "\n---\n\n## Completion\n\n- **Status**: Archived\n- **Outcome**:\n  - 2026-01-03T10:00:00Z: Done\n  - 2026-01-04T10:00:00Z: Dropped\n- **Learnings**:\n  - Measure\n  - Ask\n- **Date**: 2026-01-04T10:00:00Z\n",
			found:  []string{"both sides wrote an outcome: both stand"},
		},
		{
			name:   "a rule before the Completion, and a decision",
			ours:   replaced("- **No cookies**: policy", "- **No cookies**: policy\n- **Ours**: x"),
			theirs: start + "\n---\n\n## Completion\n\n- **Outcome**: Done\n",
			merged: replaced("- **No cookies**: policy", "- **No cookies**: policy\n- **Ours**: x") + "\n---\n\n## Completion\n\n- **Outcome**: Done\n",
		},
		{
			name:   "further fields of two imports",
			ours:   replaced("created: 2026-01-02T10:00:00Z", "created: 2026-01-02T10:00:00Z\nlast_delta: 2026-01-02T12:00:00Z") + "\n## Further Fields\n\n```yaml\na: 1\n```\n",
			theirs: start + "\n## Further Fields\n\n```yaml\na: 2\n```\n",
			merged: replaced("created: 2026-01-02T10:00:00Z", "created: 2026-01-02T10:00:00Z\nlast_delta: 2026-01-02T12:00:00Z") + "\n## Further Fields\n\n```yaml\na: 1\n```\n",
			found:  []string{"both sides changed Further Fields: the newer one stands"},
		},
		{
			name:   "two files of nothing",
			base:   "",
			ours:   "---\ncheckpoint: chk-a\n---\n\n## Problem\n\nOurs\n",
			theirs: "---\ncheckpoint: chk-a\n---\n\n## Problem\n\nTheirs\n",
			merged: "---\ncheckpoint: chk-a\n---\n\n## Problem\n\nTheirs\n\n## Problem then\n\nOurs\n", found: []string{`both sides changed Problem: the text of the later side stands, the other is in "Problem then"`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := c.base
			if base == "" && !strings.Contains(c.name, "of nothing") {
				base = start
			}
			got, err := merge.Markdown([]byte(base), []byte(c.ours), []byte(c.theirs))
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Bytes) != c.merged {
				t.Errorf("%s", diff.Diff("want", []byte(c.merged), "got", got.Bytes))
			}
			var found []string
			for _, f := range got.Notes {
				found = append(found, f.Text)
			}
			if !slices.Equal(found, c.found) {
				t.Errorf("findings %q, want %q", found, c.found)
			}
			for name, sides := range map[string][2]string{"the other way round": {c.theirs, c.ours}, "again": {string(got.Bytes), c.theirs}, "again, ours": {c.ours, string(got.Bytes)}} {
				again, err := merge.Markdown([]byte(base), []byte(sides[0]), []byte(sides[1]))
				if err != nil || string(again.Bytes) != string(got.Bytes) {
					t.Errorf("%s: %v\n%s", name, err, diff.Diff("once", got.Bytes, "twice", again.Bytes))
				}
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	broken := []byte("---\n<<<<<<< HEAD\nstatus: current\n=======\n")
	for _, c := range [][3][]byte{
		{[]byte(start), broken, []byte(start + late)},
		{[]byte(start), []byte(start + late), broken},
		{broken, []byte(start), []byte(start + late)},
	} {
		if _, err := merge.Markdown(c[0], c[1], c[2]); err == nil || fault.KindOf(err) != fault.Invalid {
			t.Errorf("error %v", err)
		}
	}
	same, err := merge.Markdown([]byte(start), broken, broken)
	if err != nil || string(same.Bytes) != string(broken) {
		t.Errorf("what need not be read is not read: %v", err)
	}
}
