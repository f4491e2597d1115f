package query

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortRuns sorts slices of a few runs, and of many, as a stable sort does.
func TestSortRuns(t *testing.T) {
	type element struct{ key, at int }
	byKey := func(a, b element) int { return cmp.Compare(a.key, b.key) }
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		all := make([]element, n)
		for i := range all {
			all[i] = element{random.IntN(1 + n/2), i}
		}
		for from := range n {
			if runs := n % 7; runs > 0 && from%(n/runs+1) == 0 {
				slices.SortStableFunc(all[from:min(n, from+n/runs+1)], byKey)
			}
		}
		want := slices.Clone(all)
		slices.SortStableFunc(want, byKey)
		sortRuns(all, byKey)
		if !slices.Equal(all, want) {
			t.Fatalf("%v, want %v", all, want)
		}
	}
}
