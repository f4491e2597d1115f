package merge_test

import (
	"slices"
	"testing"

	"example.com/ckpt/internal/core/merge"
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
	want := []merge.Conflict{{Section: "frontmatter", Line: 3}, {Line: 9}, {Section: "State", Line: 15}}
	if got := merge.Conflicts([]byte(src)); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// TestClashes says what both sides may have and a person is not asked about.
func TestClashes(t *testing.T) {
	for _, c := range []struct {
		name         string
		ours, theirs string
		clashes      []string
	}{
		{"a decision each", replaced("policy\n", "policy\n- **Ours**: x\n"), replaced("policy\n", "policy\n- **Theirs**: x\n"), nil},
		{"one decision, reworded twice", replaced("policy\n", "ours\n"), replaced("policy\n", "theirs\n"), nil},
		{"a step each", replaced("- Looked\n", "- Looked\n- Ours\n"), replaced("- Looked\n", "- Looked\n- Theirs\n"), nil},
		{"one step, reworded twice", replaced("- Looked\n", "- Ours\n"), replaced("- Looked\n", "- Theirs\n"), []string{"Play-By-Play"}},
		{"the state", replaced("Nothing works.", "Ours."), replaced("Nothing works.", "Theirs."), []string{"Current State"}},
		{"the next actions", replaced("1. Reproduce it\n", "1. Ours\n"), replaced("1. Reproduce it\n", "1. Theirs\n"), []string{"Next Actions"}},
		{"a delta each, of one state", start + early, start + late, nil},
		{"a key", replaced("status: current", "status: current\nowner: a"), replaced("status: current", "status: current\nowner: b"), []string{"owner"}},
		{"where the work stands", replaced("status: current", "status: current\nphase: a"), replaced("status: current", "status: current\nphase: b"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := merge.Files([]byte(start), []byte(c.ours), []byte(c.theirs))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, clash := range r.Clashes {
				got = append(got, clash.Section)
			}
			if !slices.Equal(got, c.clashes) {
				t.Errorf("clashes: %q\n%s", got, r.Bytes)
			}
		})
	}
}

// TestBaseGoesWithLastDelta keeps what the later delta says it describes.
func TestBaseGoesWithLastDelta(t *testing.T) {
	side := func(at, base string) []byte {
		return []byte(replaced("status: current", "status: current\nlast_delta: "+at+"\nbase: "+base))
	}
	ours, theirs := side("2026-01-02T12:00:00Z", "aaa"), side("2026-01-02T11:00:00Z", "bbb")
	for _, c := range [][2][]byte{{ours, theirs}, {theirs, ours}} {
		r, err := merge.Files([]byte(start), c[0], c[1])
		if err != nil {
			t.Fatal(err)
		}
		if string(r.Bytes) != string(ours) {
			t.Errorf("%s", r.Bytes)
		}
	}
}
