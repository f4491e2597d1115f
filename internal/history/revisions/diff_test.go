package revisions_test

import (
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/history/revisions"
)

// TestCompare checks the words for a change.
func TestCompare(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing", "### Decisions\n\n- **A**: x\n", "### Decisions\n\n- **A**: x\n", ""},
		{"spacing", "### Decisions\n\n- **A**: x\n", "### Decisions\n- **A**: x  \n\n", "spacing only"},
		{"line ends", "### Decisions\n\n- **A**: x\n", "### Decisions\r\n\r\n- **A**: x\r\n", "spacing only"},
		{"a guide is no text", "### Current State\n\n<!-- What exists. -->\n", "### Current State\n\nIt works.\n", "+current state"},
		{"none is no text", "### Next Actions\n\n- None\n", "### Next Actions\n\n1. Go\n", "+1 next action"},
		{"decisions", "### Decisions\n\n- **A**: x\n- **B**: y\n", "### Decisions\n\n- **A**: x\n- **C**: z\n- **D**: z\n", "+2 decisions, -1 decision"},
		{"a decision struck", "### Decisions\n\n- **A**: x\n", "### Decisions\n\n- ~~**A**: x~~ → **B**\n- **B**: y\n", "+1 decision, 1 decision superseded"},
		{"another why", "### Decisions\n\n- **Keep it**: x\n", "### Decisions\n\n- **keep it**: all is different here\n", "1 decision reworded"},
		{"a table of decisions", "### Decisions\n\n| What | Why |\n|---|---|\n| A | x |\n", "### Decisions\n\n| What | Why |\n|---|---|\n| A | y |\n| B | z |\n", "+1 decision, 1 decision reworded"},
		{"other marks and numbers", "### Next Actions\n\n1. One\n2. Two\n", "### Next Actions\n\n- One\n- Two\n", "spacing only"},
		{"order", "### Next Actions\n\n1. One\n2. Two\n", "### Next Actions\n\n1. Two\n2. One\n", "next actions reordered"},
		{"one of two alike", "### Next Actions\n\n- Go\n- Go\n", "### Next Actions\n\n- Go\n", "-1 next action"},
		{"other words", "### Next Actions\n\n1. Write the test for auth\n", "### Next Actions\n\n1. Write a test for auth.go\n", "+1 next action, -1 next action"},
		{"something else", "### Next Actions\n\n1. Write the test\n", "### Next Actions\n\n1. Ask Ann about Redis\n", "+1 next action, -1 next action"},
		{"artifacts by file", "### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| `a.go` | created | x |\n", "### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| `a.go` | deleted | no use |\n", "1 artifact reworded"},
		{"state", "### Current State\n\nOne.\n\nTwo.\n", "### Current State\n\nOne.\n\nThree.\n", "current state rewritten"},
		{"a section comes and goes", "## Notes\n\n- One\n- Two\n", "## Ideas\n\nA thought.\n", "+ideas, -2 items of notes"},
		{"an old title", "## Next Steps\n\n- Go\n", "### Next Actions\n\n- Go\n", "spacing only"},
		{"a heading in a fence", "## Notes\n\n```\n## Decisions\n```\n", "## Notes\n\n```\n## Rules\n```\n", "notes rewritten"},
		{"deltas", "## Delta: 2026-01-01T10:00:00Z\n\n### What Changed\n\nX\n", "## Delta: 2026-01-01T10:00:00Z\n\n### What Changed\n\nX\n\n---\n\n## Delta: 2026-01-02T10:00:00Z\n\n### What Changed\n\nY\n", "+1 delta"},
		{"two deltas of one time", "## Delta: 2026-01-01\n\nX\n\n## Delta: 2026-01-01\n\nX\n", "## Delta: 2026-01-01\n\nX\n\n## Delta: 2026-01-01\n\nY\n", "1 delta reworded"},
		{"completed", "## Problem\n\np\n", "## Problem\n\np\n\n## Completion\n\n- **Outcome**: done\n", "+completion"},
		{"frontmatter", "---\ncheckpoint: a\nstatus: active\nbase: 1\n---\n", "---\ncheckpoint: a\nstatus: current\nbase: 2\nphase: two\n---\n", "status active → current, phase two"},
		{"from nothing", "", "## Problem\n\np\n", "+problem"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := compare(t, c.before, c.after).Words(); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if d := compare(t, c.after, c.after); !d.Empty() || d.Spacing {
				t.Errorf("it differs from itself: %q", d.Words())
			}
		})
	}
}

// FuzzCompare checks that any two texts can be compared, that a text does not differ from itself,
// and that the same comparison has the same result.
func FuzzCompare(f *testing.F) {
	f.Add("### Decisions\n\n- **A**: x\n", "### Decisions\n\n- ~~**A**: x~~ → **B**\n| a | b |\n|--|--|\n| c | d |\n")
	f.Add("---\na: b\n---\n## Delta: 2026-01-01\n\nx\n---\n", "## Delta: 2026-01-01\n```\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		before, err := doc.Parse([]byte(a))
		if err != nil {
			t.Skip()
		}
		after, err := doc.Parse([]byte(b))
		if err != nil {
			t.Skip()
		}
		d := revisions.Compare(revisions.Read(before), revisions.Read(after))
		if again := revisions.Compare(revisions.Read(before), revisions.Read(after)); d.Words() != again.Words() {
			t.Errorf("%q and then %q", d.Words(), again.Words())
		}
		if same := revisions.Compare(revisions.Read(before), revisions.Read(before)); !same.Empty() || same.Spacing {
			t.Errorf("%q differs from itself: %s", a, same.Words())
		}
	})
}

func compare(t *testing.T, before, after string) *revisions.Diff {
	t.Helper()
	return revisions.Compare(revisions.Read(parse(t, before).Doc), revisions.Read(parse(t, after).Doc))
}

func parse(t *testing.T, text string) *checkpoint.Checkpoint {
	t.Helper()
	d, err := doc.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &checkpoint.Checkpoint{Doc: d}
}
