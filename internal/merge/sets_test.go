package merge_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/merge"
)

// chk returns a small checkpoint with a state.
func chk(id, created, state string) string {
	return "---\ncheckpoint: " + id + "\ncreated: " + created + "\n---\n\n## Problem\n\nP\n\n### Current State\n\n" + state + "\n"
}

// completed returns chk with a Completion.
func completed(id, created, state, learning string) string {
	return chk(id, created, state) + "\n---\n\n## Completion\n\n- **Status**: Archived\n- **Outcome**: Done\n- **Learnings**: " + learning + "\n- **Date**: 2026-01-05T10:00:00Z\n"
}

func TestSets(t *testing.T) {
	const day, other = "2026-01-01T10:00:00Z", "2026-01-02T10:00:00Z"
	type files map[string]string
	a, b, c := chk("chk-a", day, "One."), chk("chk-b", day, "One."), chk("chk-c", day, "One.")
	later := chk("chk-a", day, "Two.")
	done := completed("chk-a", day, "One.", "Ask.")
	for _, c := range []struct {
		name                       string
		base, ours, theirs, merged files
		found                      []merge.NoteKind
		conflicts                  int
	}{
		{
			name:   "new on each side",
			ours:   files{"active/chk-a.md": a},
			theirs: files{"active/chk-b.md": b},
			merged: files{"active/chk-a.md": a, "active/chk-b.md": b},
		},
		{
			name:   "archived on one side and changed on the other",
			base:   files{"active/chk-a.md": a, "LEARNINGS.md": "# Learnings\n"},
			ours:   files{"archive/chk-a.md": done, "LEARNINGS.md": "# Learnings\n"},
			theirs: files{"active/chk-a.md": later, "LEARNINGS.md": "# Learnings\n"},
			merged: files{"archive/chk-a.md": completed("chk-a", day, "Two.", "Ask."), "LEARNINGS.md": "# Learnings\n\n## 2026-01-05 — chk-a\n- Ask.\n"},
			found:  []merge.NoteKind{merge.Archived},
		},
		{
			name:   "archived on one side and made current on the other",
			base:   files{"active/chk-a.md": a},
			ours:   files{"archive/chk-a.md": done},
			theirs: files{"active/chk-a.md": "---\nstatus: current\n" + a[4:]},
			merged: files{"archive/chk-a.md": done},
			found:  []merge.NoteKind{merge.Archived},
		},
		{
			name:   "reopened on one side and changed in the archive on the other",
			base:   files{"archive/chk-a.md": a},
			ours:   files{"active/chk-a.md": a},
			theirs: files{"archive/chk-a.md": later},
			merged: files{"active/chk-a.md": later},
		},
		{
			name:   "reopened on one side, with another outcome on the other",
			base:   files{"archive/chk-a.md": done},
			ours:   files{"active/chk-a.md": a},
			theirs: files{"archive/chk-a.md": completed("chk-a", day, "One.", "Look.")},
			merged: files{"active/chk-a.md": strings.Replace(
				completed("chk-a", day, "One.", "Look."), "## Completion", "## Former Completion", 1)},
			found: []merge.NoteKind{merge.Kept},
		},
		{
			name:   "the same in a merge driver, which is told one path",
			base:   files{"active/chk-a.md": done},
			ours:   files{"active/chk-a.md": a},
			theirs: files{"active/chk-a.md": completed("chk-a", day, "One.", "Look.")},
			merged: files{"active/chk-a.md": strings.Replace(
				completed("chk-a", day, "One.", "Look."), "## Completion", "## Former Completion", 1)},
			found: []merge.NoteKind{merge.Kept},
		},
		{
			name:   "reopened on both sides, and changed on one",
			base:   files{"active/chk-a.md": done},
			ours:   files{"active/chk-a.md": a},
			theirs: files{"active/chk-a.md": later},
			merged: files{"active/chk-a.md": later},
		},
		{
			name:   "reopened on one side and moved within the archive on the other",
			base:   files{"archive/chk-a.md": a},
			ours:   files{"active/chk-a.md": a},
			theirs: files{"archive/2026/01/chk-a.md": a},
			merged: files{"active/chk-a.md": a},
		},
		{
			name:   "the only archived one is reopened, and the only active one is archived",
			base:   files{"active/chk-a.md": a, "archive/chk-b.md": b},
			ours:   files{"archive/chk-a.md": done, "archive/chk-b.md": b},
			theirs: files{"active/chk-a.md": a, "active/chk-b.md": b},
			merged: files{"archive/chk-a.md": done, "active/chk-b.md": b},
		},
		{
			name:   "deleted on one side",
			base:   files{"active/chk-a.md": a},
			theirs: files{"active/chk-a.md": a},
			merged: files{},
		},
		{
			name:   "deleted on one side and archived on the other",
			base:   files{"active/chk-a.md": a},
			theirs: files{"archive/chk-a.md": done},
			merged: files{"archive/chk-a.md": done},
			found:  []merge.NoteKind{merge.Kept},
		},
		{
			name:   "deleted on one side and moved on the other",
			base:   files{"active/chk-a.md": a},
			theirs: files{"active/a.md": a},
			merged: files{"active/a.md": a},
			found:  []merge.NoteKind{merge.Kept},
		},
		{
			name:   "two checkpoints with one id",
			base:   files{"active/chk-a.md": a},
			ours:   files{"archive/chk-a.md": done, "active/chk-a.md": chk("chk-a", other, "New.")},
			theirs: files{"active/chk-a.md": later},
			merged: files{"archive/chk-a.md": completed("chk-a", day, "Two.", "Ask."), "active/chk-a.md": chk("chk-a", other, "New.")},
			found:  []merge.NoteKind{merge.Twice, merge.Archived},
		},
		{
			name:   "one checkpoint twice, as a merge by path leaves it",
			base:   files{"active/chk-a.md": a},
			ours:   files{"archive/chk-a.md": done, "active/chk-a.md": later},
			theirs: files{"active/chk-a.md": a},
			merged: files{"archive/chk-a.md": completed("chk-a", day, "Two.", "Ask.")},
		},
		{
			name:   "one archived checkpoint twice, with an older copy in active/",
			base:   files{"archive/chk-a.md": done},
			ours:   files{"active/chk-a.md": a, "archive/chk-a.md": done},
			theirs: files{"archive/chk-a.md": done + "More.\n"},
			merged: files{"archive/chk-a.md": done + "More.\n"},
		},
		{
			name:   "two checkpoints in one path",
			ours:   files{"active/chk-a.md": a},
			theirs: files{"active/chk-a.md": b},
			merged: files{"active/chk-a.md": a, "active/chk-a-2.md": b},
		},
		{
			name:   "the same, where the next name is taken",
			base:   files{"active/chk-a.md": a, "active/chk-a-2.md": c},
			ours:   files{"active/chk-a.md": later, "active/chk-a-2.md": c},
			theirs: files{"active/chk-a.md": b, "active/chk-a-2.md": c},
			merged: files{"active/chk-a.md": later, "active/chk-a-2.md": c, "active/chk-a-3.md": b},
			found:  []merge.NoteKind{merge.Kept},
		},
		{
			name:   "a file that is not Markdown",
			base:   files{"config.yaml": "1", "active/.gitkeep": ""},
			ours:   files{"config.yaml": "2", "active/.gitkeep": ""},
			theirs: files{"config.yaml": "3", "active/.gitkeep": ""},
			merged: files{"config.yaml": "2|3", "active/.gitkeep": ""}, conflicts: 1,
		},
		{
			name:   "a checkpoint that one side cannot read",
			base:   files{"active/chk-a.md": a},
			ours:   files{"active/chk-a.md": "---\nx: [\n---\n"},
			theirs: files{"active/chk-a.md": later},
			merged: files{"active/chk-a.md": "---\nx: [\n---\n|" + later}, found: []merge.NoteKind{merge.Unreadable}, conflicts: 1,
		},
		{
			name:   "one that cannot be read, and nothing else changed it",
			base:   files{"active/chk-a.md": a},
			ours:   files{"active/chk-a.md": "---\nx: [\n---\n"},
			theirs: files{"active/chk-a.md": a},
			merged: files{"active/chk-a.md": "---\nx: [\n---\n"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := func(f files) merge.Set {
				s := merge.Set{}
				for p, text := range f {
					s[p] = []byte(text)
				}
				return s
			}
			got, err := merge.Sets(set(c.base), set(c.ours), set(c.theirs), bothLines)
			if err != nil {
				t.Fatal(err)
			}
			if !maps.EqualFunc(got.Files, set(c.merged), bytes.Equal) {
				for p, src := range got.Files {
					t.Errorf("%s:\n%s", p, src)
				}
			}
			var found []merge.NoteKind
			conflicts := 0
			for _, it := range got.Items {
				for _, n := range it.Notes {
					found = append(found, n.Kind)
				}
				if it.Conflict {
					conflicts++
				}
			}
			if !slices.Equal(found, c.found) || conflicts != c.conflicts {
				t.Errorf("notes %q, %d conflicts", found, conflicts)
			}
			for _, sides := range [][2]merge.Set{{got.Files, set(c.theirs)}, {set(c.ours), got.Files}} {
				again, err := merge.Sets(set(c.base), sides[0], sides[1], bothLines)
				if err != nil || c.conflicts == 0 && !maps.EqualFunc(again.Files, got.Files, bytes.Equal) {
					t.Errorf("merged once more: %v\n%q\n%q", err, again.Files, got.Files)
				}
			}
		})
	}
}

// bothLines merges texts of one line. It keeps both lines if both sides changed it.
func bothLines(base, ours, theirs []byte) ([]byte, bool, error) {
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(theirs, base):
		return ours, false, nil
	case bytes.Equal(ours, base):
		return theirs, false, nil
	}
	return slices.Concat(ours, []byte("|"), theirs), true, nil
}
