package learnings

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestAddThenWithdraw checks that Remove takes out what Add has added, and changes nothing else.
func TestAddThenWithdraw(t *testing.T) {
	r := rand.New(rand.NewPCG(70, 71))
	for range 4_000 {
		src := randomLearnings(r)
		learnings := []string{"alpha", "beta gamma", "`delta` | *x*", "# eta"}[:1+r.IntN(4)]
		checkRoundTrip(t, src, learnings, !bytes.Contains(src, []byte("alpha")))
	}
}

func FuzzAdd(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		f.Add(randomLearnings(r), "alpha\nbeta gamma")
	}
	f.Add([]byte("---\n- a\n---\n<!-- \n"), "- - - x\n> y\n```")
	f.Fuzz(func(t *testing.T, src []byte, text string) {
		checkRoundTrip(t, src, strings.Split(text, "\n"), false)
		Pick(Parse(src), text, 10)
	})
}

// checkRoundTrip adds and removes learnings. Must means that the file has to accept learnings.
func checkRoundTrip(t *testing.T, src []byte, learnings []string, must bool) {
	t.Helper()
	const id = "chk-mine"
	before := bytes.Clone(src)
	out := Add(src, id, day, learnings)
	if !bytes.Equal(src, before) {
		t.Fatalf("the argument changed: %q", before)
	}
	if bytes.Equal(out, src) {
		if must {
			t.Fatalf("nothing was added to\n%q", src)
		}
		return
	}
	if prefix, suffix := alike(src, out); prefix+suffix < len(src) && len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(bom)))) > 0 {
		t.Fatalf("more than an insertion:\n%q\n%q", src, out)
	}
	for _, l := range cleaned(learnings) {
		if !slices.ContainsFunc(Parse(out), func(have Learning) bool { return have.Text == l && have.ID == id }) {
			t.Fatalf("%q is not there:\n%q", l, out)
		}
	}
	if again := Add(out, id, day.AddDate(0, 1, 0), learnings); !bytes.Equal(again, out) {
		t.Fatalf("twice:\n%q\n%q", out, again)
	}
	if bytes.Contains(src, []byte(id)) || len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(bom)))) == 0 || !takesMore(src) {
		return
	}
	if back, _, kept := Remove(out, id, learnings); !bytes.Equal(back, src) || len(kept) > 0 {
		t.Fatalf("there and back:\n%q\n%q\n%q %q", src, out, back, kept)
	}
}

// takesMore reports whether a heading added at the end of a file is parsed as one: no fence,
// comment or line break is incomplete there.
func takesMore(src []byte) bool {
	if bytes.HasSuffix(src, []byte("\r")) {
		return false
	}
	p, _ := open(append(bytes.Clone(src), "\n\n# end\n"...))
	sections := p.Sections()
	return len(sections) > 0 && sections[len(sections)-1].Title == "end"
}

// alike returns how many bytes two texts have in common at their start, and at their end.
func alike(a, b []byte) (prefix, suffix int) {
	n := min(len(a), len(b))
	for prefix < n && a[prefix] == b[prefix] {
		prefix++
	}
	for suffix < n-prefix && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	return prefix, suffix
}

// randomLearnings returns a file as people and ckpt may have written it.
func randomLearnings(r *rand.Rand) []byte {
	pieces := []string{
		"# Learnings\n", "## 2025-12-27 — chk-a\n", "## 2026-01-02 — chk-b\n", "## 2026-02-01 — chk-c\n", "### chk-d (2025-01-01)\n",
		"## Tools\n", "### 2024-05-05\n", "Old\n---\n", "- one\n", "* two\n  wrapped\n", "1. three\n", "- four\n  - five\n", "Text.\n",
		"\n", "\n", "\n\n", "---\n", "```\n## 2030-01-01 — chk-x\n```\n", "<!-- a\n- b\n-->\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "> quote\n",
		"    code\n", "<div>\n", "  \n", "## 2026-01-02 — chk-mine\n- mine\n", "## 2025-11-11 - chk-mine\n* alpha\n",
	}
	var b strings.Builder
	for range r.IntN(12) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	text := b.String()
	if r.IntN(4) == 0 {
		text = strings.TrimSuffix(text, "\n")
	}
	if r.IntN(4) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if r.IntN(8) == 0 {
		text = bom + text
	}
	return []byte(text)
}

const bom = "\xef\xbb\xbf"
