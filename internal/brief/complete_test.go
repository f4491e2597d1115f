package brief_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
)

// TestComplete checks the line on what a brief with all its parts leaves out of the file.
func TestComplete(t *testing.T) {
	const delta = "\n## Delta: 2026-01-05T10:00:00Z\n\n### What Changed\n\nLater.\n"
	const complete = "Complete: nothing was left out, the file need not be read"
	for _, c := range []struct{ name, body, want string }{
		{"all of it", "## Problem\n\nIt breaks.\n\n## Ours\n\nText.\n" + delta, complete + "."},
		{"entries and cells in other words", "### Next Actions\n\n1. [ ] one\n\n### Artifact Trail\n\n- `a.go` (created): A\n\n<!-- a guide -->\n\n---\n", complete + "."},
		{"a delta of several paragraphs", delta + "\nMore.\n\n- and\n  more\n", complete + "."},
		{"superseded decisions, and finished actions, which are told", "### Decisions\n\n- **A**: a\n- ~~**B**: b~~ → **A**\n\n### Next Actions\n\n1. [x] one\n2. [x] two\n3. three\n",
			complete + "; other entries there are outdated."},
		{"later rows of the same file", "### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| `a.go` | created | first |\n" + delta +
			"\n### Artifacts\n\n| File | Action | Description |\n|---|---|---|\n| `a.go` | modified | then |\n",
			complete + "; other entries there are outdated."},
		{"states that are left", delta + "\n### Status Transitions\n\n| Item | Before | After |\n|---|---|---|\n| Phase 1 | half | done |\n",
			complete + "; other entries there are outdated."},
		{"JSON that the sections have, too", "## Problem\n\nSell more.\n\n### Next Actions\n\n1. Ask\n\n## Further Fields\n\n```json\n" +
			`{"protocol": {"summary": {"goal": "Sell more.", "completed": []}, "resumePointer": {"nextAction": "Ask"}, "own": [1]}}` +
			"\n```\n\n<!-- saved as protocol -->\n", complete + "."},
		{"text beside JSON", "## Further Fields\n\nBefore.\n\n```json\n" + `{"protocol": {"summary": {"goal": ""}, "own": [1]}}` +
			"\n```\n\n<!-- saved as protocol -->\n\nNever deploy on Friday.\n\n```json\n{\"theirs\": 1}\n```\n",
			"Before.\n\n\n\nNever deploy on Friday.\n\n```json\n{\"theirs\": 1}\n```\n\n```json\n{\n  \"protocol\": {\n    \"own\": ["},
		{"Further Fields without JSON", "## Further Fields\n\nText.\n", complete + "."},
		{"a Completion before its time", "## Completion\n\n- **Outcome**: soon\n\nReally.\n", "Left out: 2 lines of the file (ckpt show chk-a)"},
		{"a word within another is no such word", "## Problem\n\nIt is gone.\n\n## Completion\n\ngo\n", "Left out: 1 line of the file (ckpt show chk-a)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := build(t, "", c.body).Within(brief.Limit{}).Text; !strings.Contains(got, "\n"+c.want+"\n") {
				t.Errorf("no %q in\n%s", c.want, got)
			}
		})
	}
}

// TestCompleteArchived checks a brief of an archived checkpoint, which has no next actions.
func TestCompleteArchived(t *testing.T) {
	c, err := checkpoint.Parse("archive/chk-a.md", []byte("---\ncheckpoint: chk-a\ncreated: 2026-01-01\n---\n## Next Actions\n\n1. [x] one\n2. [x] two\n\n## Completion\n\n- **Outcome**: works\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want, got := "\nComplete: nothing was left out, the file need not be read; other entries there are outdated.\n", brief.Build(c, nil, nil).Within(brief.Limit{}).Text; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

// TestCompleteButForLearnings leaves out learnings, which are in another file.
func TestCompleteButForLearnings(t *testing.T) {
	c, err := checkpoint.Parse("active/chk-a.md", []byte("---\ncheckpoint: chk-a\ncreated: 2026-01-01\n---\n## Problem\n\nIt breaks.\n"))
	if err != nil {
		t.Fatal(err)
	}
	var many []learnings.Learning
	for n := range brief.MaxLearnings + 3 {
		many = append(many, learnings.Learning{Text: fmt.Sprintf("It is long: %d. %s", n, strings.Repeat("Very. ", 80))})
	}
	for _, test := range []struct {
		all     []learnings.Learning
		missing error
		limit   int
		want    string
	}{
		{many[:1], nil, 600, "1 learning (ckpt learnings)"},
		{many, nil, 600, "13 learnings (ckpt learnings)"},
		{many, nil, 0, "3 learnings (ckpt learnings)"},
		{nil, errors.New("a merge conflict"), 0, "learnings, which cannot be read (ckpt learnings)"},
	} {
		got := brief.Build(c, test.all, test.missing).Within(brief.Limit{Bytes: test.limit}).Text
		if want := "created 2026-01-01T00:00:00Z\n\nLeft out: " + test.want + "; the file need not be read.\n"; !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestCompleteIsTrue checks that a brief with the line "Complete" has every word of the file,
// except for the entries that it counts as outdated. A brief that leaves out a piece does not
// have that line.
func TestCompleteIsTrue(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	complete, over := 0, 0
	for range 120 {
		src := generate(r)
		if r.IntN(2) == 0 {
			src = strings.Replace(src, "- ", "- [x] ", r.IntN(9))
		}
		if r.IntN(2) == 0 {
			src += fmt.Sprintf("\n## Completion\n\nword%d\n", r.IntN(9))
		}
		c, err := checkpoint.Parse("active/chk-a.md", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		b := brief.Build(c, nil, nil)
		for _, limit := range []int{0, 300, 1000, 3000, 20000} {
			got := b.Within(brief.Limit{Bytes: limit})
			whole := !slices.ContainsFunc(got.Shown, func(s brief.Shown) bool { return s.State != brief.Kept })
			switch at := strings.Index(got.Text, "\nComplete: "); {
			case at >= 0 && !whole:
				t.Fatalf("%d bytes, and it says that it is complete:\n%s", limit, got.Text)
			case at >= 0 && strings.Contains(got.Text[:at], "\n## "):
				t.Fatalf("%d bytes, and it does not say in its first lines that it is complete:\n%s", limit, got.Text)
			case at >= 0 && strings.Contains(got.Text[at:], "are outdated."):
				over++
			case at >= 0:
				complete++
				checkWords(t, src, got.Text)
			case whole && !strings.Contains(got.Text, " of the file (ckpt show chk-a)"):
				t.Fatalf("%d bytes, and it does not say whether it is complete:\n%s", limit, got.Text)
			}
		}
	}
	if complete < 10 || over < 10 {
		t.Errorf("%d complete, %d but for outdated entries", complete, over)
	}
}

// checkWords looks in a brief for the words of a file, except for frontmatter and headings.
func checkWords(t *testing.T, src, brief string) {
	t.Helper()
	all := strings.Fields(brief)
	_, body, _ := strings.Cut(strings.ReplaceAll(src, "\r\n", "\n"), "\n---\n")
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "| File") || strings.HasPrefix(line, "| Item") || strings.HasPrefix(line, "|---") {
			continue
		}
		for _, word := range strings.Fields(line) {
			if len(word) > 2 && strings.Trim(word, "0123456789") != "." && !slices.ContainsFunc(all, func(w string) bool { return strings.Contains(w, strings.Trim(word, "`*[]")) }) && word != "[x]" {
				t.Fatalf("no %q of %q in\n%s\nof\n%s", word, line, brief, src)
			}
		}
	}
}
