package plan

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/term"
)

var now = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// started returns a checkpoint with a run.
func started(t *testing.T, run *Run, file string) *checkpoint.Checkpoint {
	t.Helper()
	c, err := checkpoint.Parse("active/chk-any.md", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if c, err = revise.Begin(c).AddSection(run.Section()).Apply(); err != nil {
		t.Fatal(err)
	}
	return c
}

const file = "---\ncheckpoint: chk-any\ncreated: 2026-01-02\nworkflow: any\n---\n\n## Problem\n\nNone.\n"

// TestAnyBoard: a run is read as it was written, whatever happens to the run and whatever
// else is in the file.
func TestAnyBoard(t *testing.T) {
	odd := []string{"", "a | b", "`code`", "<!-- open", "\\", "---", "| x |", "## Delta: now", "two\nlines", "Größe…"}
	files := []string{
		file,
		strings.ReplaceAll(file, "\n", "\r\n"),
		strings.TrimSuffix(file, "\n"),
		file + "\n---\n\n## Delta: 2026-01-02T09:00:00Z\n\n### What Changed\n\nMuch.\n",
		file + "\n## Completion\n\n- **Outcome**: none\n",
		file + "\n## Plan\n\nBy hand: first this, then that.\n",
	}
	for seed := range uint64(400) {
		dice := rand.New(rand.NewPCG(seed, 2))
		p := randomPlan(dice)
		p.File = []string{"any.yaml", "a b/plan.yaml", "x`y.yaml", "größe.yaml"}[dice.IntN(4)]
		for i := range p.Steps {
			p.Steps[i].Description = odd[dice.IntN(len(odd))]
		}
		run := Begin(p, now)
		run.ID = "chk-any"
		c := started(t, run, files[dice.IntN(len(files))])
		for range 12 {
			outputs := map[string]string{}
			if ready := run.Ready(); len(ready) > 0 {
				row := &run.Steps[ready[dice.IntN(len(ready))]-1]
				res := Result{Status: []Status{Completed, Failed, Skipped}[dice.IntN(3)], At: now, Took: time.Duration(dice.IntN(1e9)), Tokens: dice.IntN(9), Message: odd[dice.IntN(len(odd))]}
				if err := run.End(row.ID, res); err != nil {
					t.Fatal(err)
				}
				text := odd[dice.IntN(len(odd))]
				outputs[row.ID] = Output(text, int64(len(text)), 0)
			}
			r := revise.Begin(c)
			if err := run.Revise(r, c, outputs); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			next, err := r.Apply()
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, c.Doc.Bytes())
			}
			got, err := Read(next)
			if err != nil || got == nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, next.Doc.Bytes())
			}
			if !got.Same(run) || got.Name != "any" {
				t.Fatalf("seed %d: read\n%s\nwritten\n%s", seed, got.Section(), run.Section())
			}
			if next.Text(checkpoint.Problem) != "None." || len(next.Deltas()) != len(c.Deltas()) {
				t.Fatalf("seed %d: the rest reads differently:\n%s", seed, next.Doc.Bytes())
			}
			c = next
		}
	}
}

// TestOutputIsCut keeps the last lines and bytes of a long output.
func TestOutputIsCut(t *testing.T) {
	lines, long := strings.Repeat("a\n", 31), strings.Repeat("é", 1001)
	for _, tt := range []struct {
		text      string
		size, cut int64
		want      string
	}{
		{"fine\n", 5, 0, "```text\nfine\n```\n"},
		{"", 0, 0, ""},
		{"", 7, 0, "7 bytes that are no text.\n"},
		{"end", 9, 6, "The end of 9 bytes.\n\n```text\nend\n```\n"},
		{lines, 62, 0, "The end of 62 bytes.\n\n```text\n" + lines[2:] + "```\n"},
		{long, 2002, 0, "The end of 2002 bytes.\n\n```text\n" + long[2:] + "\n```\n"},
	} {
		if got := Output(tt.text, tt.size, tt.cut); got != tt.want {
			t.Errorf("Output of %.10q is\n%s\nwant\n%s", tt.text, got, tt.want)
		}
	}
}

// FuzzOutput: any output of a step stays text in the file.
func FuzzOutput(f *testing.F) {
	for _, text := range []string{"", "fine", "```\n# x\n````", "<!--", "\x1b[31mred\x00", "---\n## Delta: 2026", "~~~\n", strings.Repeat("long ", 900), "\r\n\r", "<<<<<<< HEAD\n=======\n>>>>>>> x"} {
		f.Add(text, int64(0))
	}
	run := Begin(&Plan{File: "p.yaml", Steps: []Step{{ID: "a", Status: Pending}}}, now)
	f.Fuzz(func(t *testing.T, text string, cut int64) {
		c := started(t, run, file+"\n## Ours\n\nStays.\n")
		plain := term.Plain(text)
		r := revise.Begin(c)
		if err := run.Revise(r, c, map[string]string{"a": Output(plain, int64(len(text)), max(cut, 0))}); err != nil {
			t.Fatal(err)
		}
		next, err := r.Apply()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := checkpoint.Parse(next.Path, next.Doc.Bytes()); err != nil {
			t.Fatal(err)
		}
		if got, err := Read(next); err != nil || !got.Same(run) {
			t.Fatalf("%v: %v", err, got)
		}
		if more := len(next.Doc.Sections()) - len(c.Doc.Sections()); more > 1 {
			t.Fatalf("it brings %d sections", more)
		}
	})
}

func TestAdopt(t *testing.T) {
	parse := func(src string) *Plan {
		p, err := Parse("p.yaml", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	run := Begin(parse("steps:\n  - {id: a, action: x}\n  - {id: b, action: x}\n  - {id: c, action: x}\n"), now)
	for id, status := range map[string]Status{"a": Completed, "b": Failed} {
		if err := run.End(id, Result{Status: status, At: now}); err != nil {
			t.Fatal(err)
		}
	}
	next, said := run.Adopt(parse("steps:\n  - {id: d, action: x}\n  - {id: b, action: y}\n  - {id: a, action: y, description: Now}\n"))
	want := []string{
		"step d is new",
		"step b has changed: it is run as it is now",
		"step a has changed since it was completed; it is not run again (--restart begins anew)",
		"step c (pending) is gone",
	}
	if strings.Join(said, "\n") != strings.Join(want, "\n") {
		t.Errorf("said %q", said)
	}
	if a, n := next.Find("a"); n != 3 || a.Status != Completed || a.Title != "Now" || a.Definition != run.Steps[0].Definition {
		t.Errorf("got %+v", a)
	}
	if again, said := next.Adopt(parse("steps:\n  - {id: d, action: x}\n  - {id: b, action: y}\n  - {id: a, action: y, description: Now}\n")); !again.Same(next) || len(said) != 1 {
		t.Errorf("the second time: %q", said)
	}
}

// randomPlan returns a plan with steps in random order: a step may depend on a later one.
func randomPlan(dice *rand.Rand) *Plan {
	p := &Plan{Name: "any"}
	n := 1 + dice.IntN(12)
	order := dice.Perm(n)
	p.Steps = make([]Step, n)
	for at, i := range order {
		s := Step{ID: fmt.Sprint(i), Status: Pending, Retries: dice.IntN(3), Shell: "x"}
		if dice.IntN(8) == 0 {
			s.Shell = "" // for a person
		}
		if dice.IntN(10) == 0 {
			s.Status = Skipped
		}
		for _, before := range order[:at] {
			if dice.IntN(3) == 0 {
				s.Needs = append(s.Needs, fmt.Sprint(before))
			}
		}
		p.Steps[i] = s
	}
	return p
}
