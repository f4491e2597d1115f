package merge_test

import (
	"slices"
	"testing"

	"example.com/ckpt/internal/merge"
)

func TestSides(t *testing.T) {
	for _, c := range []struct {
		name, src, base, ours, theirs string
		ok                            bool
	}{
		{"two places", "a\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\nd\n<<<<<<< x\n=======\ne\n>>>>>>> y\n", "a\nd\n", "a\nb\nd\n", "a\nc\nd\ne\n", true},
		{"with the base", "<<<<<<< x\nb\n||||||| z\nold\n=======\nc\n>>>>>>> y\n", "old\n", "b\n", "c\n", true},
		{"wide markers", "<<<<<<<<< x\r\nb\r\n=========\r\nc\r\n>>>>>>>>> y\r\n", "", "b\r\n", "c\r\n", true},
		{"none", "a\n=======\nb\n", "a\n=======\nb\n", "a\n=======\nb\n", "a\n=======\nb\n", false},
		{"no end", "<<<<<<< x\nb\n=======\nc\n", "", "b\n", "c\n", false},
		{"no middle", "<<<<<<< x\nb\n>>>>>>> y\n", "", "b\n>>>>>>> y\n", "", false},
		{"no marker, a quote", ">>>>>>>> deep\n<<<<<<<x\n", ">>>>>>>> deep\n<<<<<<<x\n", ">>>>>>>> deep\n<<<<<<<x\n", ">>>>>>>> deep\n<<<<<<<x\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, ours, theirs, ok := merge.Sides([]byte(c.src))
			if string(base) != c.base || string(ours) != c.ours || string(theirs) != c.theirs || ok != c.ok {
				t.Errorf("%q, %q, %q, %v", base, ours, theirs, ok)
			}
		})
	}
}

func TestConflicts(t *testing.T) {
	src := "---\na: 1\n<<<<<<< x\nb: 1\n=======\nb: 2\n>>>>>>> y\n---\n<<<<<<< x\n=======\n>>>>>>> y\n\n### State ###\n\n<<<<<<< x\n"
	want := []merge.Marker{{Section: "frontmatter", Line: 3}, {Line: 9}, {Section: "State", Line: 15}}
	if got := merge.Markers([]byte(src)); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// TestBaseGoesWithLastDelta keeps the base of the later delta.
func TestBaseGoesWithLastDelta(t *testing.T) {
	side := func(at, base string) []byte {
		return []byte(replaced("status: current", "status: current\nlast_delta: "+at+"\nbase: "+base))
	}
	ours, theirs := side("2026-01-02T12:00:00Z", "aaa"), side("2026-01-02T11:00:00Z", "bbb")
	for _, c := range [][2][]byte{{ours, theirs}, {theirs, ours}} {
		sameBytes(t, "the merge", united(t, []byte(start), c[0], c[1]), ours)
	}
}
