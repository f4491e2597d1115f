package merge_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/core/validate"
)

var now = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// TestProperties works on one checkpoint on two sides, as ckpt does, and merges.
func TestProperties(t *testing.T) {
	for seed := range uint64(400) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			base := work(t, r, parse(t, begin(t, r)), "base", r.IntN(5))
			ours := work(t, r, base, "ours", 1+r.IntN(6))
			theirs := work(t, r, base, "theirs", 1+r.IntN(6))
			bs, os, ts := base.Doc.Bytes(), ours.Doc.Bytes(), theirs.Doc.Bytes()

			sameBytes(t, "ours unchanged", united(t, bs, bs, ts), ts)
			sameBytes(t, "theirs unchanged", united(t, bs, os, bs), os)
			sameBytes(t, "both the same", united(t, bs, os, os), os)
			got := united(t, bs, os, ts)
			sameBytes(t, "merged twice", united(t, bs, got, ts), got)

			marked(t, bs, os, ts)

			c := parse(t, got)
			for _, side := range []*checkpoint.Checkpoint{ours, theirs} {
				all(t, "delta", deltas(side), deltas(c))
				all(t, "decision", decisions(side), decisions(c))
				all(t, "rule", lines(side, checkpoint.Rules), lines(c, checkpoint.Rules))
				all(t, "step", fresh(base, side, checkpoint.PlayByPlay), lines(c, checkpoint.PlayByPlay))
				all(t, "state", fresh(base, side, checkpoint.State), lines(c, checkpoint.State))
				all(t, "action", fresh(base, side, checkpoint.Next), lines(c, checkpoint.Next))
				all(t, "breadcrumb", fresh(base, side, checkpoint.Breadcrumbs), lines(c, checkpoint.Breadcrumbs))
			}
			if !slices.IsSortedFunc(c.Deltas(), func(a, b checkpoint.Delta) int { return a.At.Compare(b.At) }) {
				t.Errorf("deltas out of order:\n%s", got)
			}
			if bytes.Contains(got, []byte("<<<<<<<")) {
				t.Errorf("conflict markers:\n%s", got)
			}
			known := append(errors(ours), errors(theirs)...)
			all(t, "no error but", errors(c), known)
			if t.Failed() {
				t.Logf("base\n%s\nours\n%s\ntheirs\n%s\nmerged\n%s", bs, os, ts, got)
			}
		})
	}
}

// marked puts git's markers around both texts of every clash: the sides that they show
// can be read, and whichever is chosen has both sides' decisions, rules and deltas.
func marked(t *testing.T, base, ours, theirs []byte) {
	t.Helper()
	r, err := merge.Files(base, ours, theirs)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, c := range r.Clashes {
		texts = append(texts, "<<<<<<< ours\n"+c.Ours+"=======\n"+c.Theirs+">>>>>>> theirs\n")
	}
	settled := r.Settled(texts)
	found := merge.Conflicts(settled)
	if len(found) != len(r.Clashes) {
		t.Errorf("%d conflicts, and %d clashes", len(found), len(r.Clashes))
	}
	_, a, b, ok := merge.Sides(settled)
	if ok != (len(r.Clashes) > 0) {
		t.Errorf("sides: %v\n%s", ok, settled)
	}
	for _, chosen := range [][]byte{a, b} {
		c := parse(t, chosen)
		for _, side := range [][]byte{ours, theirs} {
			whole := parse(t, side)
			all(t, "delta", deltas(whole), deltas(c))
			all(t, "decision", decisions(whole), decisions(c))
			all(t, "rule", lines(whole, checkpoint.Rules), lines(c, checkpoint.Rules))
		}
	}
	if t.Failed() {
		t.Logf("marked\n%s", settled)
	}
}

// begin is a new checkpoint, now and then as another system writes its lines.
func begin(t *testing.T, r *rand.Rand) []byte {
	t.Helper()
	spec := checkpoint.Spec{ID: "chk-a", Problem: "Logins fail"}
	if r.IntN(2) == 0 {
		spec.Intent, spec.State, spec.Next = "Make them work", "Nothing known", []string{"Reproduce it", "Fix it"}
		spec.Decisions = []string{"**Keep sessions**: ops know them", "**No cookies**: policy"}
	}
	c, err := checkpoint.New(spec, now)
	if err != nil {
		t.Fatal(err)
	}
	src := c.Doc.Bytes()
	switch r.IntN(6) {
	case 0:
		src = bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
	case 1:
		src = bytes.TrimRight(src, "\n")
	}
	return src
}

// work does n things to a checkpoint, each an operation of its own.
func work(t *testing.T, r *rand.Rand, c *checkpoint.Checkpoint, who string, n int) *checkpoint.Checkpoint {
	t.Helper()
	for i := range n {
		what := fmt.Sprintf("%s %d", who, i)
		v := c.Revise()
		var err error
		switch r.IntN(9) {
		case 0:
			v.Bullet(checkpoint.PlayByPlay, what+" step")
		case 1:
			v.Decide(what, "because", "")
		case 2:
			if live := slices.DeleteFunc(c.Decisions(), func(d checkpoint.Decision) bool { return d.Struck }); len(live) > 0 {
				v.Decide(what, "better", live[r.IntN(len(live))].What)
			}
		case 3:
			v.Text(checkpoint.State, what+" state\n\nand more of "+what)
		case 4:
			v.List(checkpoint.Next, []string{what + " action", what + " other action\nof two lines"})
		case 5:
			v.Bullet(checkpoint.Rules, what+" rule")
		case 6:
			v.Row(checkpoint.Breadcrumbs, "file", "`"+what+".go`", "hint | of "+who)
		case 7:
			v.Set("phase", who).Bullet(checkpoint.Next, what+" appended action")
		default:
			p := checkpoint.Progress{Changed: what + " changed", Artifacts: []checkpoint.Artifact{{File: what + ".go", Action: "modified"}}}
			if r.IntN(2) == 0 {
				p.State, p.Next = what+" new state", []string{what + " next"}
			}
			err = v.Record(p, now.Add(time.Duration(len(c.Deltas())*60+r.IntN(59))*time.Minute))
		}
		if err != nil {
			t.Fatal(err)
		}
		revised, err := v.Apply()
		if err != nil {
			t.Fatal(err)
		}
		c = revised
	}
	return c
}

func united(t *testing.T, base, ours, theirs []byte) []byte {
	t.Helper()
	got, err := merge.Files(base, ours, theirs)
	if err != nil {
		t.Fatalf("%v\nbase\n%s\nours\n%s\ntheirs\n%s", err, base, ours, theirs)
	}
	return got.Bytes
}

func parse(t *testing.T, src []byte) *checkpoint.Checkpoint {
	t.Helper()
	c, err := checkpoint.Parse("active/chk-a.md", src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return c
}

func sameBytes(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s: not the same:\n%s\n--- but\n%s", what, got, want)
	}
}

// all says which of want are not in have.
func all(t *testing.T, what string, want, have []string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(have, w) {
			t.Errorf("%s %q is lost", what, w)
		}
	}
}

func deltas(c *checkpoint.Checkpoint) (all []string) {
	for _, d := range c.Deltas() {
		all = append(all, d.Stamp+" "+d.Changed)
	}
	return all
}

func decisions(c *checkpoint.Checkpoint) (all []string) {
	for _, d := range c.Decisions() {
		all = append(all, d.What)
	}
	return all
}

// lines are the lines of a section, without list markers.
func lines(c *checkpoint.Checkpoint, k checkpoint.Kind) (all []string) {
	for line := range strings.Lines(c.Text(k)) {
		all = append(all, strings.TrimLeft(strings.TrimSpace(line), "-0123456789. "))
	}
	return all
}

// fresh are the lines of a section that base does not have.
func fresh(base, c *checkpoint.Checkpoint, k checkpoint.Kind) []string {
	old := lines(base, k)
	return slices.DeleteFunc(lines(c, k), func(line string) bool { return slices.Contains(old, line) })
}

func errors(c *checkpoint.Checkpoint) (all []string) {
	for _, f := range validate.Checkpoint(c, now.Add(1000*time.Hour)) {
		if f.Severity == report.Error {
			all = append(all, f.Code)
		}
	}
	return all
}

// repeats says whether two headings of a text are the same: which one is which is
// then a guess.
func repeats(src string) bool {
	d, err := doc.Parse([]byte(src))
	if err != nil {
		return true
	}
	seen := map[string]bool{}
	for _, s := range d.Sections() {
		if title := strings.ToLower(s.Title); seen[title] {
			return true
		} else {
			seen[title] = true
		}
	}
	return false
}

// FuzzFiles merges whatever there is: no panic, an unchanged side gives the other,
// and merging again changes nothing.
func FuzzFiles(f *testing.F) {
	f.Add(start, start+late, start+early)
	f.Add("", "---\na: 1\n---\n# x\n", "---\na: 2\nb: [1,\n 2]\n---\ny\n# x\n")
	f.Add("- a\n- b\n", "- a\n\n1. c\n", "- b\n  - d\n```\n")
	f.Add("| a | b |\n|---|---|\n| 1 | 2 |\n", "| a | b |\n|---|---|\n", "| a | b |\n|---|---|\n| 1 | 3 |\n")
	f.Add("x\n===\n", "# x\r\n\r\ny", "x\n---\n<!-- y\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		got, err := merge.Files([]byte(base), []byte(ours), []byte(theirs))
		if err != nil {
			return
		}
		if base == ours && string(got.Bytes) != theirs || base == theirs && string(got.Bytes) != ours {
			t.Fatalf("one side was as before, and the other is not the result: %q", got.Bytes)
		}
		if repeats(ours) || repeats(theirs) {
			return
		}
		again, err := merge.Files([]byte(base), got.Bytes, []byte(theirs))
		if err != nil {
			t.Fatalf("again: %v\nonce  %q", err, got.Bytes)
		}
		if string(again.Bytes) != string(got.Bytes) {
			t.Fatalf("once  %q\ntwice %q", got.Bytes, again.Bytes)
		}
	})
}
