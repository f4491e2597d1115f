package merge_test

import (
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/merge"
)

// TestMarkOnTwoSides merges a checkpoint with an open mark that both sides changed. The notes of
// both stay. If one side rewound the mark and the other did not change it, it is gone.
func TestMarkOnTwoSides(t *testing.T) {
	step := func(c *checkpoint.Checkpoint, do func(r *revise.Revision, m checkpoint.Mark)) *checkpoint.Checkpoint {
		t.Helper()
		m, _ := c.Mark()
		r := revise.Begin(c)
		do(r, m)
		next, err := r.Apply()
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	open := func(r *revise.Revision, _ checkpoint.Mark) {
		r.OpenMark(checkpoint.Mark{At: now, Goal: "Why?", Head: "0123abc"})
	}
	note := func(text string) func(*revise.Revision, checkpoint.Mark) {
		return func(r *revise.Revision, m checkpoint.Mark) { r.Jot(m, "step", text) }
	}
	rewind := func(r *revise.Revision, m checkpoint.Mark) {
		r.DropMark(m).Report(m.Goal, "It is the proxy.", now.Add(time.Hour))
	}
	delta := func(r *revise.Revision, _ checkpoint.Mark) {
		r.AppendDelta(checkpoint.Delta{At: now.Add(time.Minute), Changed: "Other work."}, "")
	}
	start, err := revise.Create(revise.Spec{ID: "chk-a", Problem: "P"}, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	base := step(step(start, open), note("one"))
	for _, c := range []struct {
		name         string
		ours, theirs *checkpoint.Checkpoint
		want         string // the scratch; "" for no mark
		findings     int
	}{
		{"notes on both sides", step(base, note("two")), step(base, note("three")), "- step: one\n- step: three\n- step: two", 0},
		{"rewound by us, a delta of theirs", step(base, rewind), step(base, delta), "", 0},
		{"rewound by them, a delta of ours", step(base, delta), step(base, rewind), "", 0},
		{"rewound by us, a note of theirs", step(base, rewind), step(base, note("two")), "- step: one\n- step: two", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := merge.Markdown(base.Doc.Bytes(), c.ours.Doc.Bytes(), c.theirs.Doc.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if m, _ := parse(t, got.Bytes).Mark(); m.Scratch != c.want || len(got.Notes) != c.findings {
				t.Errorf("the scratch is %q, the findings are %q\n%s", m.Scratch, got.Notes, got.Bytes)
			}
			if n := strings.Count(string(got.Bytes), "\n---\n\n---\n"); n > 0 {
				t.Errorf("a rule without a section\n%s", got.Bytes)
			}
		})
	}
}

// TestMarkBesideADelta merges a mark that one side opened with a delta of the other side. Each
// comes after a rule of its own, also when the mark is dropped.
func TestMarkBesideADelta(t *testing.T) {
	start, err := revise.Create(revise.Spec{ID: "chk-a", Problem: "P"}, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	marked, err := revise.Begin(start).OpenMark(checkpoint.Mark{At: now, Goal: "Why?", Head: "0123abc"}).Apply()
	if err != nil {
		t.Fatal(err)
	}
	told, err := revise.Begin(start).AppendDelta(checkpoint.Delta{At: now.Add(time.Minute), Changed: "Other work."}, "").Apply()
	if err != nil {
		t.Fatal(err)
	}
	for name, sides := range map[string][2]*checkpoint.Checkpoint{"a mark of theirs": {told, marked}, "a mark of ours": {marked, told}} {
		got := united(t, start.Doc.Bytes(), sides[0].Doc.Bytes(), sides[1].Doc.Bytes())
		merged := parse(t, got)
		if text := string(got); !strings.Contains(text, "\n\n---\n\n## Mark: ") || !strings.Contains(text, "\n\n---\n\n## Delta: ") {
			t.Errorf("%s:\n%s", name, text)
		}
		m, _ := merged.Mark()
		alone, err := revise.Begin(merged).DropMark(m).Apply()
		if err != nil {
			t.Fatal(err)
		}
		if string(alone.Doc.Bytes()) != string(told.Doc.Bytes()) {
			t.Errorf("%s, without it:\n%s", name, alone.Doc.Bytes())
		}
	}
}
