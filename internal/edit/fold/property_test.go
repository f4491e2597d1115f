package fold_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/validate"
)

var now = time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC)

// pieces has the parts of generated files.
var (
	fronts = []string{
		"---\ncheckpoint: chk-a\ncreated: 2026-01-01T00:00:00Z\nstatus: current\n---\n",
		"\xef\xbb\xbf---\ncheckpoint: 'chk-a'\n# who\nlast_delta: 2026-01-02\n---\n",
	}
	heads = []string{
		"## Problem", "## Session Intent", "## Essential Information", "### Decisions", "### Technical Context", "### Breadcrumbs", "### Play-By-Play",
		"### Artifact Trail", "### Current State", "### Next Actions", "## User Rules", "### Notes", "## Ours", "Setext\n---", "#### Deep", "# Next Actions",
	}
	bodies = []string{
		"", "\n", "Text.\n", "\nText\nof two lines.\n", "\n- a\n  - nested\n- b\n", "\n1. one\n\n2. two\n", "\n<!-- guide -->\n", "\nNone yet.\n", "\n```\n## Delta: 2026-01-01\n```\n",
		"\n| File | Status | Key Change |\n|---|---|---|\n| `a.go` | created | x |\n| `b.go` | modified | y |\n", "\n- `a.go` (created): by hand\n- `c.go`\n",
		"\n- **A**: a\n- ~~**B**: b~~ → **A**\n", "\n---\n", "\n    code\n", "\nA | B | C | D\n--- | --- | --- | ---\n`a.go` | x | y | z\n",
	}
	deltaHeads = []string{"\n---\n\n## Delta: 2026-01-02T10:00:00Z\n", "\n---\n\n## Delta: 2026-01-03\n", "## Delta: odd\n", "\n## Delta:\n", "\n---\n\n## Delta: 2026-01-02T10:00:00Z\nText of its own.\n"}
	deltaParts = []string{
		"\n### What Changed\n\nIt works.\n", "\n### What Changed\n\n- one\n- two\n", "\n### What Changed\nAll of it\nworks.\n\n```\nopen\n", "### What Changed\n\nTwo.\n\nParagraphs.\n",
		"\n### Artifacts\n\n| File | Action | Description |\n|------|--------|-------------|\n| `a.go` | modified | z |\n| `d\\|e.go` | created | |\n",
		"\n### Artifacts\n\n| File | Action | Description |\n|---|---|---|\n| `x/a.go` | modified | renamed from `a.go` |\n| `n.go`, `m.go` | created | both | more |\n",
		"\n### Artifacts\n\nNone.\n", "\n### Artifacts\n\nSee git.\n\n| File | Action | Description |\n|---|---|---|\n| `a.go` | deleted | |\n", "\n### Artifacts\n- `c.go` (deleted)\n",
		"\n### Status Transitions\n\n| Item | Before | After |\n|---|---|---|\n| P1 | a | b |\n| P2 | b | a |\n", "\n### Own\n\n- text\n", "\n#### Deep\nown\n", "\n### Next Actions\n\n- of the delta\n",
		"\n### Breadcrumbs\n\n| Type | Reference | Hint |\n|---|---|---|\n| file | `z.go` | Z |\n",
	}
	ends = []string{"", "", "\n", "\n\n", "\n---\n", "\n## Completion\n\n- **Outcome**: x\n", "\n---\n\n## Ours\ntext", "tail"}
)

func pickOne(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// generate returns a file that a person may have written.
func generate(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(pickOne(r, fronts))
	for range r.IntN(9) {
		b.WriteString("\n" + pickOne(r, heads) + "\n" + pickOne(r, bodies))
	}
	for range 1 + r.IntN(4) {
		b.WriteString(pickOne(r, deltaHeads))
		for range r.IntN(5) {
			b.WriteString(pickOne(r, deltaParts))
		}
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

func TestFoldOfGeneratedFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	refused, done, left := 0, 0, 0
	for range 4_000 {
		src := generate(r)
		c, err := checkpoint.Parse("active/chk-a.md", []byte(src))
		if err != nil {
			continue
		}
		got, res, err := fold.Fold(c)
		if err != nil {
			refused++
			continue
		}
		if res.Deltas > 0 {
			done++
		}
		left += res.Left
		holds(t, c, got, res)
		if before, after := sorted(fold.Artifacts(c)), sorted(fold.Artifacts(got)); !slices.Equal(before, after) {
			t.Errorf("artifacts as of now\n%q\nwere\n%q", after, before)
		}
		if t.Failed() {
			t.Fatalf("%q\n%s", src, got.Doc.Bytes())
		}
	}
	t.Logf("%d folded, %d refused, %d deltas with sections of their own", done, refused, left)
	if done < 2_000 || refused > done/50 {
		t.Errorf("%d folded, %d refused", done, refused)
	}
}

func FuzzFold(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		f.Add([]byte(generate(r)))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, err := checkpoint.Parse("active/chk-a.md", bytes.Clone(src))
		if err != nil {
			return
		}
		if got, res, err := fold.Fold(c); err == nil {
			holds(t, c, got, res)
		}
	})
}

// holds checks what a fold promises.
func holds(t *testing.T, c, got *checkpoint.Checkpoint, res fold.Result) {
	t.Helper()
	src, out := c.Doc.Bytes(), got.Doc.Bytes()
	if res.Deltas == 0 && !bytes.Equal(src, out) {
		t.Error("nothing to fold, and the file changed")
	}
	for _, k := range []checkpoint.Kind{checkpoint.Problem, checkpoint.Intent, checkpoint.Decisions, checkpoint.State, checkpoint.Next, checkpoint.Rules, checkpoint.Context, checkpoint.Completion} {
		if got.Text(k) != c.Text(k) {
			t.Errorf("%s says %q, was %q", k, got.Text(k), c.Text(k))
		}
	}
	if got.LiveText(checkpoint.Decisions) != c.LiveText(checkpoint.Decisions) || len(got.Decisions()) != len(c.Decisions()) {
		t.Error("decisions differ")
	}
	if len(got.Deltas()) > 0 || res.Deltas != len(c.Deltas()) {
		t.Errorf("%d deltas are left, %d of %d folded", len(got.Deltas()), res.Deltas, len(c.Deltas()))
	}
	again, _, err := fold.Fold(got)
	if err != nil || !bytes.Equal(again.Doc.Bytes(), out) {
		t.Errorf("folded twice it differs (%v):\n%s", err, again.Doc.Bytes())
	}
	if c.Doc.Slice(c.Doc.Front.Span) != got.Doc.Slice(got.Doc.Front.Span) {
		t.Error("the frontmatter differs")
	}
	if eol := c.Doc.EOL(); eol == "\r\n" && bytes.Count(src, []byte("\n")) == bytes.Count(src, []byte("\r\n")) && bytes.Count(out, []byte("\n")) != bytes.Count(out, []byte("\r\n")) {
		t.Error("a line ending changed")
	}
	if len(c.Sections()) > 0 && bytes.HasSuffix(src, []byte("\n")) != bytes.HasSuffix(out, []byte("\n")) {
		t.Error("the last line break differs")
	}
	known := errorsOf(c)
	for _, e := range errorsOf(got) {
		if !slices.Contains(known, e) {
			t.Errorf("validate finds a new error: %s", e)
		}
	}
	if res.Deltas > 0 {
		ownSections(t, c, got)
	}
}

// ownSections checks that sections that the format does not define are still there. It skips those
// below the Artifact Trail and Play-By-Play, since they belong to these.
func ownSections(t *testing.T, c, got *checkpoint.Checkpoint) {
	t.Helper()
	out := got.Doc.Bytes()
	for _, s := range c.Doc.Sections() {
		if s.Title != "Own" && s.Title != "Ours" && s.Title != "Notes" && s.Title != "Deep" {
			continue
		}
		if inside(c, s, checkpoint.Artifacts) || inside(c, s, checkpoint.PlayByPlay) {
			continue
		}
		text := strings.TrimRight(c.Doc.Slice(doc.Span{Start: s.Heading.Start, End: s.Body.End}), "-\r\n")
		if !bytes.Contains(out, []byte(text)) {
			t.Errorf("%q is not there", text)
		}
	}
}

func sorted(all []checkpoint.Artifact) []checkpoint.Artifact {
	slices.SortFunc(all, func(a, b checkpoint.Artifact) int { return strings.Compare(a.File, b.File) })
	return all
}

func inside(c *checkpoint.Checkpoint, s doc.Section, k checkpoint.Kind) bool {
	p, ok := c.Find(k)
	return ok && p.Extent.Contains(s.Heading)
}

func errorsOf(c *checkpoint.Checkpoint) []string {
	var all []string
	for _, f := range validate.Checkpoint(c, now) {
		if f.Severity == result.Error {
			all = append(all, f.Code+" "+f.Message)
		}
	}
	return all
}
