package revise_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/text"
)

var now = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// pieces has the parts of generated files.
var (
	fronts = []string{
		"---\ncheckpoint: chk-a\ncreated: 2026-01-01T00:00:00Z\nstatus: current\n---\n",
		"---\ncheckpoint: chk-a\nstatus: \"active\" # x\nlast_delta: 2026-01-01\nextra: [1, 2]\n---\n",
		"---\ncheckpoint: chk-a\nstatus:\ncreated: 2026-01-01\n---",
		"\xef\xbb\xbf---\nstatus: current\n# who\ncheckpoint: 'chk-a'\n---\n",
	}
	heads = []string{
		"## Problem", "## Session Intent", "## Essential Information", "### Decisions", "### Technical Context", "### Breadcrumbs", "### Play-By-Play",
		"### Artifact Trail", "### Current State", "### Next Actions", "## User Rules", "## Decisions", "## Next Actions", "### Notes", "# Title", "Setext\n---", "#### Deep",
	}
	bodies = []string{
		"", "\n", "\n\n", "Text.\n", "\nText\nof two lines.\n", "\n- a\n- b\n", "\n1. one\n\n2. two\n   - nested\n", "\n| File | Status | Key Change |\n|---|---|---|\n| `a` | created | x |\n",
		"\n<!-- guide -->\n", "\nNone yet.\n", "\n```\n## code\n```\n", "\n- [ ] one\n- [x] two\n", "\n---\n", "\nText\n\n---\n", "\n> quote\n", "\n- **A**: a\n- ~~**B**: b~~ → **A**\n", "\n<div>\n", "\n    code\n",
	}
	deltas = []string{"", "", "\n---\n\n## Delta: 2026-01-01T10:00:00Z\n\n### What Changed\n\nX.\n\n### Next Actions\n\n- of the delta\n", "## Delta: odd\n\n### Own\ntext\n"}
	// decided has decisions as they are typed, all with the same reason.
	decided = []string{"Use X: it works", "**Use X** - it works", "~~Use X~~: it works", "~~Use~~ X: it works"}
	ends    = []string{"", "", "\n", "\n\n", "  ", "\n---\n", "\n---", "\n\n---\n\n", "\n   \n\n", "tail"}
)

func pickOne(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// generate returns a file that a person may have written.
func generate(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(pickOne(r, fronts))
	for range r.IntN(8) {
		b.WriteString("\n" + pickOne(r, heads) + "\n" + pickOne(r, bodies))
	}
	for range r.IntN(3) {
		b.WriteString(pickOne(r, deltas))
	}
	text := b.String() + pickOne(r, ends)
	if r.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if r.IntN(4) == 0 {
		text = strings.TrimRight(text, "\r\n")
	}
	return text
}

func withoutStatus(src []byte) string {
	var b strings.Builder
	for line := range bytes.Lines(src) {
		if !bytes.HasPrefix(line, []byte("status:")) {
			b.Write(line)
		}
	}
	return b.String()
}

func TestArchiveThenReopenGivesTheSameBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		src := generate(r)
		c, err := checkpoint.Parse("active/chk-a.md", []byte(src))
		if err != nil {
			continue
		}
		archived, err := revise.Archive(c, "It works.", []string{"one", "two"}[:r.IntN(3)], now)
		if err != nil {
			t.Fatalf("%v\n%q", err, src)
		}
		if archived.Status() != checkpoint.Archived || archived.Outcome() != "It works." || archived.Field("status") != "" {
			t.Fatalf("archived: %s %q\n%q", archived.Status(), archived.Outcome(), archived.Doc.Bytes())
		}
		open, _, err := revise.Reopen(archived, false)
		if err != nil {
			t.Fatalf("%v\n%q", err, archived.Doc.Bytes())
		}
		if got, want := withoutStatus(open.Doc.Bytes()), withoutStatus([]byte(src)); got != want || open.Status() != checkpoint.Active {
			t.Fatalf("reopened differs:\n%q\n%q\n%q", want, archived.Doc.Bytes(), got)
		}
	}
}

// TestRevisionSaysWhatItWasTold makes every kind of change to generated files. Each change is found
// again, and all other sections and deltas have the same text.
func TestRevisionSaysWhatItWasTold(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2_000 {
		src := generate(r)
		c, err := checkpoint.Parse("active/chk-a.md", []byte(src))
		if err != nil {
			continue
		}
		what, why := checkpoint.ParseDecision(pickOne(r, decided))
		rev := revise.Begin(c).Decide(what, why, "").Text(checkpoint.State, "New state.\n\n# no heading").Set("base", "abc")
		changed := map[checkpoint.Kind]bool{checkpoint.Decisions: true, checkpoint.State: true, checkpoint.Essential: true}
		if r.IntN(2) == 0 {
			rev.Row(checkpoint.Breadcrumbs, "file", "`a|b.go`", "hint")
			changed[checkpoint.Breadcrumbs] = true
		}
		if r.IntN(2) == 0 {
			rev.List(checkpoint.Next, []string{"first", "second"})
			changed[checkpoint.Next] = true
		}
		delta := r.IntN(2) == 0
		if delta {
			rev.AppendDelta(checkpoint.Delta{At: now, Changed: "More.", Artifacts: []checkpoint.Artifact{{File: "a|b.go", Action: "modified", Change: "x"}}}, "")
		}
		got, err := rev.Apply()
		if err != nil {
			t.Fatalf("%v\n%q", err, src)
		}
		told := func(ok bool, what string) {
			t.Helper()
			if !ok {
				t.Fatalf("%s\n%q\n%q", what, src, got.Doc.Bytes())
			}
		}
		decisions := got.Decisions()
		told(len(decisions) == len(c.Decisions())+1 && slices.ContainsFunc(decisions, func(d checkpoint.Decision) bool {
			return d.Live() && strings.TrimPrefix(d.What, `\`) == text.OneLine(what) && d.Why == "it works"
		}), "the decision is not there")
		told(got.Text(checkpoint.State) == "New state.\n\n\\# no heading", "the state is not the new one: "+got.Text(checkpoint.State))
		told(got.Field("base") == "abc", "no base")
		if changed[checkpoint.Breadcrumbs] {
			crumbs := got.Breadcrumbs()
			told(len(crumbs) > 0 && crumbs[len(crumbs)-1].Reference == "a|b.go", "no breadcrumb")
		}
		if changed[checkpoint.Next] {
			told(got.FirstAction() == "first" && len(got.Actions()) == 2, "wrong next actions")
		}
		before, after := c.Deltas(), got.Deltas()
		if delta {
			told(len(after) == len(before)+1 && after[len(before)].Changed == "More." && after[len(before)].Artifacts[0].File == "a|b.go", "no delta")
			told(got.Field("last_delta") == "2026-01-02T10:00:00Z", "no last_delta")
			after = after[:len(before)]
		}
		told(len(before) == len(after), "deltas are lost")
		for i := range before {
			told(got.Doc.Text(after[i].Section.Whole) == c.Doc.Text(before[i].Section.Whole), "a delta changed")
		}
		for _, k := range checkpoint.Kinds() {
			told(changed[k] || got.Text(k) == c.Text(k), "the section "+k.String()+" changed")
		}
		told(len(bytes.ReplaceAll(got.Doc.Bytes(), []byte("\r\n"), nil)) == len(got.Doc.Bytes()) || strings.Contains(src, "\r\n"), "a line ending changed")
	}
}
