package merge_test

import (
	"slices"
	"testing"

	"example.com/ckpt/internal/merge"
)

// TestMissing checks the rule that no merge may break: ids(ours) + ids(theirs) - removed
// = ids(result).
func TestMissing(t *testing.T) {
	const active, archived = false, true
	ours := merge.Places{"both": active, "moved": archived, "mine": active, "deleted": active}
	theirs := merge.Places{"both": active, "moved": active, "yours": archived}
	removed := func(id string) bool { return id == "deleted" }
	for _, c := range []struct {
		name   string
		result merge.Places
		want   []string
	}{
		{"all there", merge.Places{"both": active, "moved": archived, "mine": active, "yours": archived}, nil},
		{"kept though deleted", merge.Places{"both": active, "moved": active, "mine": active, "yours": active, "deleted": active}, nil},
		{"one lost", merge.Places{"both": active, "mine": active, "yours": archived}, []string{"moved"}},
		{"nothing left", nil, []string{"both", "mine", "moved", "yours"}},
	} {
		if got := merge.Missing(ours, theirs, c.result, removed); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := merge.Missing(theirs, ours, c.result, removed); !slices.Equal(got, c.want) {
			t.Errorf("%s, sides exchanged: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMisplaced(t *testing.T) {
	const active, archived = false, true
	at := func(places ...bool) merge.Places { // none: it is not there
		if len(places) == 0 {
			return nil
		}
		return merge.Places{"x": places[0]}
	}
	for _, c := range []struct {
		name                       string
		base, ours, theirs, result merge.Places
		misplaced                  bool
	}{
		{"archived on one side", at(active), at(archived), at(active), at(archived), false},
		{"archived on one side and put back", at(active), at(archived), at(active), at(active), true},
		{"reopened on one side", at(archived), at(active), at(archived), at(active), false},
		{"reopened on one side and archived again", at(archived), at(active), at(archived), at(archived), true},
		{"new on both sides and archived on one", at(), at(archived), at(active), at(active), true},
		{"new on one side", at(), at(active), at(), at(active), false},
		{"new on one side and taken for archived", at(), at(active), at(), at(archived), true},
		{"archived on one side and deleted on the other", at(active), at(archived), at(), at(active), true},
		{"lost", at(active), at(archived), at(active), at(), false},
	} {
		for _, sides := range [][2]merge.Places{{c.ours, c.theirs}, {c.theirs, c.ours}} {
			if got := merge.Misplaced(c.base, sides[0], sides[1], c.result); (len(got) > 0) != c.misplaced {
				t.Errorf("%s: %q", c.name, got)
			}
		}
	}
}
