package merge

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestMergeOrder(t *testing.T) {
	for _, c := range []struct{ base, x, y, want string }{
		{"", "b d", "a c", "a b c d"},
		{"", "z a", "m b", "m b z a"}, // each keeps its own order
		{"1 2", "1 b 2", "1 a 2", "1 a b 2"},
		{"1 2", "1 2 b", "0 1 2", "0 1 2 b"},
		{"1 2 3", "1 3 a", "1 2", "1 a"},
		{"1 2 3", "3 2 1", "1 2 3 a", "3 a 2 1"},
		{"", "c b a", "b", "c b a"},
		{"", "a b", "b a", "a b"},
		{"1 2", "a 1 2", "1 2 a", "a 1 2"},
	} {
		base, x, y := strings.Fields(c.base), strings.Fields(c.x), strings.Fields(c.y)
		if got := mergedOrder(base, x, y); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%q, %q, %q: %q", c.base, c.x, c.y, got)
		}
		if got := mergedOrder(base, y, x); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%q, %q, %q: %q", c.base, c.y, c.x, got)
		}
	}
}

// TestMergeOrderAssociates merges three sides in every order.
func TestMergeOrderAssociates(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 2))
		base := strings.Fields("1 2 3")
		side := func(names string) []string {
			out := slices.Clone(base)
			for _, i := range r.Perm(len(names))[:r.IntN(len(names)+1)] {
				out = slices.Insert(out, r.IntN(len(out)+1), names[i:i+1])
			}
			return out
		}
		a, b, c := side("adgj"), side("behk"), side("cfil")
		left, right, last := mergedOrder(base, mergedOrder(base, a, b), c), mergedOrder(base, a, mergedOrder(base, b, c)), mergedOrder(base, b, mergedOrder(base, a, c))
		if !slices.Equal(left, right) || !slices.Equal(left, last) {
			t.Fatalf("%q, %q, %q: %q, %q, %q", a, b, c, left, right, last)
		}
		if again := mergedOrder(base, left, b); !slices.Equal(again, left) {
			t.Fatalf("%q and %q: %q", left, b, again)
		}
	}
}

// mergedOrder merges sequences, without the keys that one side removed.
func mergedOrder(base, x, y []string) []string {
	stays := func(key string) bool { return slices.Contains(x, key) && slices.Contains(y, key) }
	return mergeOrder(base, x, y, stays, func(a, b string) bool { return a < b })
}
