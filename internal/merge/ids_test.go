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
