package merge_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/validate"
)

var now = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// TestProperties changes one checkpoint on two sides, as ckpt does, and merges them.
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
			sameBytes(t, "the other way round", united(t, bs, ts, os), got)
			sameBytes(t, "theirs once more", united(t, bs, got, ts), got)
			sameBytes(t, "ours once more", united(t, bs, got, os), got)
			sameBytes(t, "the result and ours, since ours", united(t, os, got, os), got)
			nothingLost(t, bs, os, ts, got)

			c := parse(t, got)
			for _, side := range []*checkpoint.Checkpoint{ours, theirs} {
				fresh := slices.DeleteFunc(deltas(side), func(d string) bool { return slices.Contains(deltas(base), d) })
				all(t, "delta", fresh, deltas(c))
				all(t, "decision", decisions(side), decisions(c))
			}
			if !slices.IsSortedFunc(c.Deltas(), func(a, b checkpoint.Delta) int { return a.At.Compare(b.At) }) {
				t.Errorf("deltas out of order:\n%s", got)
			}
			known := append(errors(ours), errors(theirs)...)
			all(t, "no error but", errors(c), known)
			if t.Failed() {
				t.Logf("base\n%s\nours\n%s\ntheirs\n%s\nmerged\n%s", bs, os, ts, got)
			}
		})
	}
}

// TestThreeSides merges three sides, two of them first. The result does not depend on which two,
// except for the choice of a replaced text if the newest delta is of a side that did not change it.
func TestThreeSides(t *testing.T) {
	exact := 0
	for seed := range uint64(400) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 3))
			base := work(t, r, parse(t, begin(t, r)), "base", r.IntN(5))
			bs := base.Doc.Bytes()
			var sides []*checkpoint.Checkpoint
			var srcs [][]byte
			for _, who := range []string{"a", "b", "c"} {
				c := work(t, r, base, who, 1+r.IntN(5))
				sides, srcs = append(sides, c), append(srcs, c.Doc.Bytes())
			}
			left := united(t, bs, united(t, bs, srcs[0], srcs[1]), srcs[2])
			right := united(t, bs, srcs[0], united(t, bs, srcs[1], srcs[2]))
			if depends(base, sides) {
				if a, b := sorted(body(t, left)), sorted(body(t, right)); !slices.Equal(a, b) {
					t.Errorf("other lines:\n%q\n%q", a, b)
				}
			} else {
				exact++
				sameBytes(t, "(a + b) + c and a + (b + c)", left, right)
			}
			for i, src := range srcs {
				nothingLost(t, bs, src, src, left)
				sameBytes(t, "once more", united(t, bs, left, srcs[i]), left)
			}
			if t.Failed() {
				t.Logf("base\n%s\na\n%s\nb\n%s\nc\n%s", bs, srcs[0], srcs[1], srcs[2])
			}
		})
	}
	if exact < 100 {
		t.Errorf("only %d of the cases compare bytes", exact)
	}
}

// TestWithoutBase merges three checkpoints of one id that were made independently. Of each text that is replaced as a
// whole one stands, and the others are kept, whichever two are merged first.
func TestWithoutBase(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 300 {
		made := func() []byte {
			text := func(what string) string { return fmt.Sprint(what, " ", r.IntN(4)) }
			spec := revise.Spec{ID: "chk-a", Problem: text("Problem"), Intent: text("Intent"), State: text("State")}
			n := r.IntN(4)
			for i := range 1 + n%3 {
				spec.Next = append(spec.Next, fmt.Sprint("Action ", n, i))
			}
			c, err := revise.Create(spec, nil, now)
			if err != nil {
				t.Fatal(err)
			}
			return c.Doc.Bytes()
		}
		x, y, z := made(), made(), made()
		got := united(t, nil, x, y)
		sameBytes(t, "the other way round", united(t, nil, y, x), got)
		sameBytes(t, "once more", united(t, nil, got, y), got)
		sameBytes(t, "(x + y) + z and x + (y + z)", united(t, nil, got, z), united(t, nil, x, united(t, nil, y, z)))
		nothingLost(t, nil, x, y, got)
		for _, kind := range []checkpoint.Kind{checkpoint.Problem, checkpoint.Intent, checkpoint.State, checkpoint.Next} {
			text := parse(t, got).Text(kind)
			if text != parse(t, x).Text(kind) && text != parse(t, y).Text(kind) {
				t.Errorf("%s is of neither side: %q", kind.Template().Title, text)
			}
		}
		if t.Failed() {
			t.Fatalf("x\n%s\ny\n%s\nz\n%s", x, y, z)
		}
	}
}

// TestCheckboxes ticks next actions on three sides at random. No action is there twice, one that a side ticked and another
// changed is ticked, and the result depends on neither side nor order.
func TestCheckboxes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		version := func(was []byte) []byte {
			b := "---\ncheckpoint: chk-a\ncreated: 2026-01-02T10:00:00Z\n---\n\n## Problem\n\nP\n\n## Next Actions\n\n"
			for i := range 4 {
				at := strings.Index(string(was), fmt.Sprintf("] Action %d", i))
				mark := []byte{' ', '~', '/', 'x', 'X'}[r.IntN(5)]
				if at > 0 && r.IntN(2) == 0 {
					mark = was[at-1]
				}
				b += fmt.Sprintf("%d. [%c] Action %d\n", i+1, mark, i)
			}
			return []byte(b)
		}
		base := version(nil)
		x, y, z := version(base), version(base), version(base)
		got := united(t, base, x, y)
		sameBytes(t, "the other way round", united(t, base, y, x), got)
		sameBytes(t, "once more", united(t, base, got, y), got)
		sameBytes(t, "(x + y) + z and x + (y + z)", united(t, base, got, z), united(t, base, x, united(t, base, y, z)))
		for i := range 4 {
			name := fmt.Sprintf("] Action %d\n", i)
			mark := func(src []byte) string {
				at := bytes.Index(src, []byte(name))
				return strings.ToLower(string(src[at-1 : at]))
			}
			changed := mark(x) != mark(base) && mark(y) != mark(base)
			if bytes.Count(got, []byte(name)) != 1 || changed && (mark(x) == "x" || mark(y) == "x") && mark(got) != "x" {
				t.Fatalf("%s\nand\n%s\nare merged to\n%s", x, y, got)
			}
		}
	}
}

// depends reports whether the result of merging three sides may depend on the order. It may if two
// sides changed a text that is replaced as a whole, and the third has a newer delta or one of the
// two only edited it. It may also if sides folded the same deltas, or a side folded its own.
func depends(base *checkpoint.Checkpoint, sides []*checkpoint.Checkpoint) bool {
	edited := func(before, after string) bool {
		for line := range strings.Lines(before) {
			if strings.IndexAny(line, "123456789-") == 0 && strings.Contains(after, strings.TrimSpace(line[2:])) {
				return true
			}
		}
		return false
	}
	folded := 0
	for _, c := range sides {
		gone := slices.ContainsFunc(deltas(base), func(d string) bool { return !slices.Contains(deltas(c), d) })
		fresh := slices.ContainsFunc(deltas(c), func(d string) bool { return !slices.Contains(deltas(base), d) })
		if gone {
			folded++
		}
		if !fresh && c.Field("last_delta") != base.Field("last_delta") {
			return true // the side folded its own delta
		}
	}
	if folded > 1 {
		return true
	}
	for _, text := range []func(c *checkpoint.Checkpoint) string{
		func(c *checkpoint.Checkpoint) string { return c.Text(checkpoint.State) },
		func(c *checkpoint.Checkpoint) string { return c.Text(checkpoint.Next) },
		func(c *checkpoint.Checkpoint) string { return c.Text(checkpoint.Problem) },
		func(c *checkpoint.Checkpoint) string { return c.Field("phase") },
		func(c *checkpoint.Checkpoint) string { return c.Field("status") },
		func(c *checkpoint.Checkpoint) string { return c.Field("agent") },
	} {
		var changed, others []*checkpoint.Checkpoint
		replaced := 0
		for _, c := range sides {
			if text(c) == text(base) {
				others = append(others, c)
				continue
			}
			if changed = append(changed, c); !edited(text(base), text(c)) {
				replaced++
			}
		}
		if len(changed) < 2 || replaced == 0 {
			continue
		}
		if replaced < len(changed) {
			return true
		}
		for _, c := range changed {
			if slices.ContainsFunc(others, func(o *checkpoint.Checkpoint) bool {
				return o.Field("last_delta") > base.Field("last_delta") && o.Field("last_delta") >= c.Field("last_delta")
			}) {
				return true
			}
		}
	}
	return false
}

// sorted returns the lines of a file, sorted, without their numbers and heading marks.
func sorted(src []byte) (all []string) {
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimLeft(strings.TrimSpace(line), "#-0123456789. "); line != "" {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return all
}

// nothingLost checks that the result has every line that a side has and base lacks. A line that a
// side struck through or renumbered is the same line.
func nothingLost(t *testing.T, base, ours, theirs, got []byte) {
	t.Helper()
	was, have := sorted(base), sorted(got)
	for _, side := range [][]byte{ours, theirs} {
		for _, line := range sorted(body(t, side)) {
			if struck, by, ok := strings.Cut(line, "~~ → "); ok {
				if !slices.ContainsFunc(have, func(l string) bool { return strings.HasPrefix(l, struck) && strings.Contains(l, by) }) {
					t.Errorf("lost: %s", line)
				}
			} else if !slices.Contains(was, line) && !slices.Contains(have, line) {
				t.Errorf("lost: %s", line)
			}
		}
	}
}

// body returns a file without its frontmatter.
func body(t *testing.T, src []byte) []byte {
	t.Helper()
	d, err := doc.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	return src[d.Front.Span.End:]
}

// begin returns a new checkpoint, sometimes with CRLF or without a last line break.
func begin(t *testing.T, r *rand.Rand) []byte {
	t.Helper()
	spec := revise.Spec{ID: "chk-a", Problem: "Logins fail"}
	if r.IntN(2) == 0 {
		spec.Intent, spec.State, spec.Next = "Make them work", "Nothing known", []string{"Reproduce it", "Fix it"}
		spec.Decisions = []string{"**Keep sessions**: ops know them", "**No cookies**: policy"}
	}
	c, err := revise.Create(spec, nil, now)
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

// work makes n changes to a checkpoint, each as an operation of its own.
func work(t *testing.T, r *rand.Rand, c *checkpoint.Checkpoint, who string, n int) *checkpoint.Checkpoint {
	t.Helper()
	for i := range n {
		what := fmt.Sprintf("%s %d", who, i)
		v := revise.Begin(c)
		var err error
		switch r.IntN(13) {
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
		case 9:
			v.Bullet(checkpoint.Context, what+" fact")
		case 10:
			v.Set("status", []string{"current", "active"}[r.IntN(2)])
		case 11:
			folded, _, foldErr := fold.Fold(c)
			if foldErr != nil {
				t.Fatal(foldErr)
			}
			c = folded
			continue
		case 12:
			v.Set("agent", who).Text(checkpoint.Problem, what+" problem")
		case 7:
			v.Set("phase", who).Bullet(checkpoint.Next, what+" appended action")
		default:
			p := revise.Progress{Changed: what + " changed", Artifacts: []checkpoint.Artifact{{File: what + ".go", Action: "modified"}}}
			if r.IntN(2) == 0 {
				p.State, p.Next = what+" new state", []string{what + " next"}
			}
			err = v.Record(p, c.Changed().Add(time.Duration(1+r.IntN(59))*time.Minute))
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
	got, err := merge.Markdown(base, ours, theirs)
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

// all reports an error for each element of want that is not in have.
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

func errors(c *checkpoint.Checkpoint) (all []string) {
	for _, f := range validate.Checkpoint(c, now.Add(1000*time.Hour)) {
		if f.Severity == result.Error {
			all = append(all, f.Code)
		}
	}
	return all
}

// repeats reports whether a text has a line twice, so that a merge can only guess how to pair them.
func repeats(src string) bool {
	seen := map[string]bool{}
	for line := range strings.Lines(src) {
		line = strings.ToLower(strings.Trim(line, "#-*+=>|~_` \t\r\n"))
		if number, rest, ok := strings.Cut(line, " "); ok && strings.Trim(number, "0123456789.)") == "" {
			line = strings.TrimSpace(rest)
		}
		if seen[line] && line != "" {
			return true
		}
		seen[line] = true
	}
	return false
}

// FuzzFiles merges any files: nothing panics, an unchanged side results in the other side, and
// merging again changes nothing.
func FuzzFiles(f *testing.F) {
	f.Add(start, start+late, start+early)
	f.Add("", "---\na: 1\n---\n# x\n", "---\na: 2\nb: [1,\n 2]\n---\ny\n# x\n")
	f.Add("- a\n- b\n", "- a\n\n1. c\n", "- b\n  - d\n```\n")
	f.Add("| a | b |\n|---|---|\n| 1 | 2 |\n", "| a | b |\n|---|---|\n", "| a | b |\n|---|---|\n| 1 | 3 |\n")
	f.Add("0", "1", "# \r")
	f.Add("x\n===\n", "# x\r\n\r\ny", "x\n---\n<!-- y\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		got, err := merge.Markdown([]byte(base), []byte(ours), []byte(theirs))
		if err != nil {
			return
		}
		if base == ours && string(got.Bytes) != theirs || base == theirs && string(got.Bytes) != ours {
			t.Fatalf("one side was as before, and the other is not the result: %q", got.Bytes)
		}
		if repeats(ours) || repeats(theirs) {
			return
		}
		again, err := merge.Markdown([]byte(base), got.Bytes, []byte(theirs))
		if err != nil {
			t.Fatalf("again: %v\nonce  %q", err, got.Bytes)
		}
		if string(again.Bytes) != string(got.Bytes) {
			t.Fatalf("once  %q\ntwice %q", got.Bytes, again.Bytes)
		}
	})
}
