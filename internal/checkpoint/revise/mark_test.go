package revise_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
)

// goals has goals of explorations. Each is read back unchanged.
var goals = []string{
	"Why do retries double?", "  indented, and behind it  ", "# no heading\n\n## Problem\n\n```\nopen", "> quoted\n>> twice", "- a\n- b\n---\n<div>\n<!--", "Ünïcode → 漢字", "a\n\n\n    b",
}

var notes = []string{"Read the log", "two\nlines", "# no heading", "```\nan open fence", "- a list\n- of two\n\nand a paragraph", "<!-- open", "1. x", "---"}

// TestMarkLeavesAllElse opens a mark in generated files, adds notes and closes it. Everything
// outside of the mark keeps its meaning, and dropping the mark restores every byte.
func TestMarkLeavesAllElse(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	tried := 0
	for range 3_000 {
		src := generate(r)
		c, err := checkpoint.Parse("active/chk-a.md", []byte(src))
		if err != nil {
			continue
		}
		goal := pickOne(r, goals)
		marked, err := revise.Begin(c).OpenMark(checkpoint.Mark{At: now, Goal: goal, Head: "0123abc", Dirty: "`a.go`"}).Apply()
		if err != nil {
			continue // an open fence at the end: a delta is refused, too
		}
		tried++
		for range r.IntN(4) {
			note := pickOne(r, notes)
			marked = jot(t, marked, note)
		}
		m, ok := marked.Mark()
		if !ok || m.Goal != goal || !m.At.Equal(now) || m.Head != "0123abc" || m.Dirty != "`a.go`" || len(marked.Marks()) != 1 {
			t.Fatalf("read again: %+v, not %q\n%q", m, goal, marked.Doc.Bytes())
		}
		sameSections(t, c, marked)
		dropped, err := revise.Begin(marked).DropMark(m).Apply()
		if err != nil {
			t.Fatalf("%v\n%q", err, marked.Doc.Bytes())
		}
		if got := string(dropped.Doc.Bytes()); got != src {
			t.Fatalf("dropped:\n%q\n%q\n%q", src, marked.Doc.Bytes(), got)
		}
		rewound, err := revise.Begin(marked).DropMark(m).Report(goal, "It is the proxy.", now.Add(time.Hour)).Apply()
		if err != nil {
			t.Fatalf("%v\n%q", err, marked.Doc.Bytes())
		}
		direct, err := revise.Begin(c).Report(goal, "It is the proxy.", now.Add(time.Hour)).Apply()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(rewound.Doc.Bytes()), string(direct.Doc.Bytes()); got != want {
			t.Fatalf("not as a delta in its place:\n%q\n%q", want, got)
		}
	}
	if tried < 1_000 {
		t.Errorf("only %d files had a mark", tried)
	}
}

func jot(t *testing.T, c *checkpoint.Checkpoint, note string) *checkpoint.Checkpoint {
	t.Helper()
	m, _ := c.Mark()
	next, err := revise.Begin(c).Jot(m, "step", note).Apply()
	if err != nil {
		t.Fatalf("%v\n%q", err, c.Doc.Bytes())
	}
	return next
}

func sameSections(t *testing.T, before, after *checkpoint.Checkpoint) {
	t.Helper()
	for _, k := range checkpoint.Kinds() {
		if before.Text(k) != after.Text(k) {
			t.Fatalf("the section %s changed:\n%q\n%q", k, before.Doc.Bytes(), after.Doc.Bytes())
		}
	}
	if len(before.Deltas()) != len(after.Deltas()) {
		t.Fatalf("%d deltas, not %d", len(after.Deltas()), len(before.Deltas()))
	}
}

// TestMarkAmongDeltas closes a mark after deltas and other edits were added below it.
func TestMarkAmongDeltas(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 1_000 {
		src := generate(r)
		c, err := checkpoint.Parse("active/chk-a.md", []byte(src))
		if err != nil {
			continue
		}
		work := func(c *checkpoint.Checkpoint) *checkpoint.Checkpoint {
			next, err := revise.Begin(c).Bullet(checkpoint.Context, "Go 1.26").Text(checkpoint.State, "New.").
				AppendDelta(checkpoint.Delta{At: now, Changed: "Meanwhile."}, "").Apply()
			if err != nil {
				t.Fatalf("%v\n%q", err, c.Doc.Bytes())
			}
			return next
		}
		marked, err := revise.Begin(c).OpenMark(checkpoint.Mark{At: now, Goal: "Why?"}).Apply()
		if err != nil {
			continue
		}
		marked = jot(t, work(jot(t, marked, "one")), "two")
		m, _ := marked.Mark()
		if m.Scratch != "- step: one\n- step: two" {
			t.Fatalf("the scratch is %q\n%q", m.Scratch, marked.Doc.Bytes())
		}
		dropped, err := revise.Begin(marked).DropMark(m).Apply()
		if err != nil {
			t.Fatalf("%v\n%q", err, marked.Doc.Bytes())
		}
		if got, want := string(dropped.Doc.Bytes()), string(work(c).Doc.Bytes()); withoutBlank(got) != withoutBlank(want) {
			t.Fatalf("not as if there had been no mark:\n%q\n%q", want, got)
		}
		before, after := string(marked.Doc.Bytes()), string(dropped.Doc.Bytes())
		if shared(before, after) < len(after)-len("\r\n") {
			t.Fatalf("more was changed than taken out:\n%q\n%q", before, after)
		}
	}
}

// withoutBlank returns a text without its blank lines: where a new section gets one depends on the
// text after it.
func withoutBlank(text string) string { return strings.Join(strings.Fields(text), " ") }

// shared returns how many bytes two texts have in common at their start and end.
func shared(long, short string) int {
	head := 0
	for head < len(short) && long[head] == short[head] {
		head++
	}
	tail := 0
	for tail < len(short)-head && long[len(long)-1-tail] == short[len(short)-1-tail] {
		tail++
	}
	return head + tail
}

func TestScratchIsBounded(t *testing.T) {
	c, err := revise.Begin(parse(t, fronts[0])).OpenMark(checkpoint.Mark{At: now, Goal: "Why?"}).Apply()
	if err != nil {
		t.Fatal(err)
	}
	c = jot(t, c, strings.Repeat("ä ", 249_900))
	m, _ := c.Mark()
	_, err = revise.Begin(c).Jot(m, "step", strings.Repeat("x", 300)).Apply()
	if fault.KindOf(err) != fault.Usage || err == nil || !strings.Contains(err.Error(), "at most 500000") {
		t.Errorf("%v", err)
	}
}

func TestSectionOfOnesOwnIsNoMark(t *testing.T) {
	for _, title := range []string{"## Mark: Twain", "### Mark: 2026-01-02T10:00:00Z", "## Marks", "## Mark"} {
		if _, ok := parse(t, fronts[0]+"\n"+title+"\n\n> x\n").Mark(); ok {
			t.Errorf("%q is taken for a mark", title)
		}
	}
}
