package lineage

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"example.com/ckpt/internal/checkpoint"
)

// TestEveryCheckpointAppearsOnce checks that every file is in the forest exactly once, and at its
// place in every part of it, for any parents.
func TestEveryCheckpointAppearsOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 55))
	for round := range 2000 {
		s := randomSet(t, r)
		f := Build(s)
		if why := unsound(f, len(s.All)); why != "" {
			t.Fatalf("round %d: %s\n%s", round, why, draw(f))
		}
		for _, c := range s.All {
			checkLine(t, f, c.ID)
		}
		checkFilter(t, f)
	}
}

// TestDeepLine builds a line of 100,000 checkpoints in time linear in its length.
func TestDeepLine(t *testing.T) {
	lines := []string{"0"}
	for i := range 99_999 {
		lines = append(lines, fmt.Sprintf("%d<%d", i+1, i))
	}
	f := Build(set(t, lines...))
	n := 0
	for range f.Filter(isActive).Walk() {
		n++
	}
	if n != 100_000 {
		t.Errorf("%d nodes", n)
	}
}

// unsound returns what is wrong with a forest that should have n nodes, or "".
func unsound(f *Forest, n int) string {
	seen := map[*checkpoint.Checkpoint]int{}
	above := parents(f)
	for _, node := range f.Walk() {
		seen[node.Checkpoint]++
		parent := above[node]
		if id := node.Checkpoint.Parent(); parent != nil && parent.Checkpoint.ID != id {
			return fmt.Sprintf("%s hangs below %s", node.Checkpoint.Path, parent.Checkpoint.ID)
		} else if parent == nil && id != "" && len(node.Problems) == 0 {
			return fmt.Sprintf("%s is a root and does not say why", node.Checkpoint.Path)
		}
	}
	for c, times := range seen {
		if times != 1 {
			return fmt.Sprintf("%s appears %d times", c.Path, times)
		}
	}
	if len(seen) != n {
		return fmt.Sprintf("%d of %d appear", len(seen), n)
	}
	return ""
}

// checkLine checks that a checkpoint is below each of its ancestors.
func checkLine(t *testing.T, f *Forest, id string) {
	t.Helper()
	self := f.Find(id)
	above := parents(f)
	for a := above[self]; a != nil; a = above[a] {
		found := false
		for _, d := range f.Below(a.Checkpoint.ID).Walk() {
			found = found || d.Checkpoint == self.Checkpoint
		}
		if !found {
			t.Fatalf("%s is above %s, which is not below it\n%s", a.Checkpoint.ID, id, draw(f))
		}
	}
}

// parents returns the node above each node that is not a root.
func parents(f *Forest) map[*Node]*Node {
	above := map[*Node]*Node{}
	for _, n := range f.Walk() {
		for _, child := range n.Children {
			above[child] = n
		}
	}
	return above
}

func checkFilter(t *testing.T, f *Forest) {
	t.Helper()
	for _, keep := range []func(*checkpoint.Checkpoint) bool{isActive, isArchived} {
		want, got := 0, 0
		for _, n := range f.Walk() {
			if keep(n.Checkpoint) {
				want++
			}
		}
		for _, n := range f.Filter(keep).Walk() {
			switch {
			case !n.Skipped && keep(n.Checkpoint):
				got++
			case !n.Skipped || keep(n.Checkpoint) || len(n.Children) == 0:
				t.Fatalf("%s should not be here\n%s", n.Checkpoint.Path, draw(f))
			}
		}
		if got != want {
			t.Fatalf("%d of %d kept\n%s", got, want, draw(f))
		}
	}
}

// randomSet returns up to 12 files with few ids, so that there are cycles, duplicates, and parents
// that are missing or the file itself.
func randomSet(t *testing.T, r *rand.Rand) *checkpoint.Set {
	var lines []string
	for i := range r.IntN(13) {
		line := []string{"", "archive/", fmt.Sprintf("archive/%d/", i)}[r.IntN(3)]
		line += string(rune('a' + r.IntN(10)))
		if r.IntN(5) > 0 {
			line += "<" + string(rune('a'+r.IntN(11)))
		}
		lines = append(lines, line+fmt.Sprintf(" 2026-01-%02d", 1+r.IntN(5)))
	}
	return set(t, lines...)
}
