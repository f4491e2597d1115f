package brief_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/token"
)

// briefs returns the briefs of the examples and of generated checkpoints.
func briefs(t *testing.T, generated int) map[string]*brief.Brief {
	t.Helper()
	all := map[string]*brief.Brief{}
	learned, err := os.ReadFile("../../examples/LEARNINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"active/*.md", "archive/*.md", "archive/*/*/*.md"} {
		files, err := filepath.Glob("../../examples/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := checkpoint.Parse(filepath.ToSlash(strings.TrimPrefix(file, "../../examples/")), src)
			if err == nil {
				all[filepath.Base(file)] = brief.Build(c, learnings.Parse(learned), nil)
			}
		}
	}
	if len(all) < 5 {
		t.Fatalf("%d examples", len(all))
	}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range generated {
		src := generate(r)
		c, err := checkpoint.Parse("active/chk-a.md", []byte(src))
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		b := brief.Build(c, learnings.Parse([]byte(list(r, "# Learnings\n\n## 2026-01-01 — chk-b\n", 12))), nil)
		if b.Name = "@"; r.IntN(2) == 0 {
			b.Facts = lengths(r, "Since this was written: 2 commits by you")
			b.Work = lengths(r, "Session 1 left no delta")
		}
		all[fmt.Sprintf("generated %d", i)] = b
	}
	return all
}

// lengths returns up to four texts. Each continues the text before it.
func lengths(r *rand.Rand, text string) brief.Lengths {
	var all brief.Lengths
	for range r.IntN(5) {
		if text += "; " + sentence(r); len(text) <= brief.MaxFacts {
			all = append(all, text+".")
		}
	}
	return all
}

var words = strings.Fields("the check allows drift of `a.go` **SSO** → 検査 Вход ✅ because it's | there http://x.y/z 2026-01-02 done")

func sentence(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(14) {
		b.WriteString(words[r.IntN(len(words))] + " ")
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "|", "/")
}

// list returns a section of at most most entries.
func list(r *rand.Rand, heading string, most int) string {
	var b strings.Builder
	b.WriteString(heading + "\n")
	for i := range r.IntN(most + 1) {
		switch r.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "%d. %s\n   - nested %s\n", i+1, sentence(r), sentence(r))
		case 1:
			fmt.Fprintf(&b, "- **%s**: %s\n\n", words[r.IntN(5)], sentence(r))
		case 2:
			fmt.Fprintf(&b, "\n%s\nof two lines.\n\n", sentence(r))
		default:
			fmt.Fprintf(&b, "- %s\n", sentence(r))
		}
	}
	return b.String() + "\n"
}

func rows(r *rand.Rand, most int) string {
	b := "| File | Status | Key Change |\n|---|---|---|\n"
	for range r.IntN(most + 1) {
		b += fmt.Sprintf("| `x/f%d.go` | modified | %s |\n", r.IntN(30), sentence(r))
	}
	return b + "\n"
}

// transitions returns the Status Transitions of a delta for at most most items.
func transitions(r *rand.Rand, most int) string {
	b := "### Status Transitions\n\n| Item | Before | After |\n|---|---|---|\n"
	for range r.IntN(most + 1) {
		b += fmt.Sprintf("| Phase %d %s | - | %s |\n", r.IntN(9), words[r.IntN(len(words))], []string{"done", "in_progress", "pending", "skipped", "odd"}[r.IntN(5)])
	}
	return b + "\n"
}

// generate returns a random checkpoint.
func generate(r *rand.Rand) string {
	run := []string{"", "workflow: ship\nstep: Phase 2\n", "progress: 40%\n"}[r.IntN(3)]
	b := "---\ncheckpoint: chk-a\ncreated: 2026-01-01T00:00:00Z\nstatus: current\n" + run + "---\n## Problem\n\n" + sentence(r) + "\n\n" +
		list(r, "## Session Intent\n\n"+sentence(r)+"\n", 2) + list(r, "### Decisions\n", 9) + list(r, "### Technical Context\n", 5) +
		"### Breadcrumbs\n\n" + rows(r, 6) + list(r, "### Play-By-Play\n", 14) + "### Artifact Trail\n\n" + rows(r, 25) +
		list(r, "### Current State\n", 3) + list(r, "### Next Actions\n", 5) + list(r, "## User Rules\n", 4)
	for i := range r.IntN(4) {
		b += fmt.Sprintf("\n---\n\n## Delta: 2026-01-0%dT10:00:00Z\n\n### What Changed\n\n%s\n\n### Artifacts\n\n", i+2, sentence(r)) + rows(r, 4)
		if r.IntN(2) == 0 {
			b += transitions(r, 6)
		}
	}
	if r.IntN(3) == 0 {
		b = strings.ReplaceAll(b, "\n", "\r\n")
	}
	return b
}

// measures are the two ways to bound a brief.
var measures = map[string]struct {
	limit func(int) brief.Limit
	of    func(string) int
	need  func(brief.Limit) int
}{
	"tokens": {func(n int) brief.Limit { return brief.Limit{Tokens: n} }, token.Estimate, func(l brief.Limit) int { return l.Tokens }},
	"bytes":  {func(n int) brief.Limit { return brief.Limit{Bytes: n} }, func(s string) int { return len(s) }, func(l brief.Limit) int { return l.Bytes }},
}

var budgetAll = flag.Bool("budget.all", false, "try briefs of every size, not one in five")

// TestEveryBudget checks limits from 1 to more than the whole brief: all of them with -budget.all, otherwise every
// fifth.
func TestEveryBudget(t *testing.T) {
	formats := map[string]func(*brief.Brief, brief.Limit) *brief.Rendering{"md": (*brief.Brief).Within, "protocol": asProtocol}
	for name, b := range briefs(t, 6) {
		for measure, m := range measures {
			for format, render := range formats {
				whole := m.of(render(b, brief.Limit{}).Text)
				step := 5
				if *budgetAll {
					step = 1
				}
				if measure == "bytes" {
					step *= 11
				}
				need, before := 0, (*brief.Rendering)(nil)
				for n := 1; n <= whole+whole/7+200; n += step {
					if need > 0 && n > need+200 {
						step = 97
					}
					got := render(b, m.limit(n))
					at := fmt.Sprintf("%s, %s, %d %s", name, format, n, measure)
					if size := m.of(got.Text); size > n {
						t.Fatalf("%s: it takes %d\n%s", at, size, got.Text)
					}
					if need == 0 && !got.Complete {
						need = m.need(got.Needs)
					}
					checkComplete(t, at, b, got, need, n, m.need(got.Needs))
					if before != nil {
						checkMore(t, at, before, got)
					}
					before = got
				}
				if before != nil && before.Text != render(b, brief.Limit{}).Text && format == "protocol" {
					t.Fatalf("%s, %s: a large limit gives another text:\n%s", name, format, before.Text)
				}
				if need > 0 {
					if got := render(b, m.limit(need)); !got.Complete {
						t.Fatalf("%s, %s: %d %s are said to be enough\n%s", name, format, need, measure, got.Text)
					}
					if got := render(b, m.limit(need-1)); got.Complete {
						t.Fatalf("%s, %s: %d %s are enough, not %d", name, format, need-1, measure, need)
					}
				}
			}
		}
	}
}

// checkComplete checks that a brief has what must be kept word for word, or that its first
// line is about what is left out.
func checkComplete(t *testing.T, at string, b *brief.Brief, got *brief.Rendering, need, n, said int) {
	t.Helper()
	if got.Complete {
		for _, s := range got.Shown {
			if s.Tier == brief.MustKeep && (s.State != brief.Kept || !strings.Contains(got.Text, s.Part.Text+"\n")) {
				t.Fatalf("%s: %s is not verbatim:\n%s", at, s.Name, got.Text)
			}
		}
		if strings.Contains(got.Text, "INCOMPLETE") || need > n {
			t.Fatalf("%s: complete, but it needs %d:\n%s", at, need, got.Text)
		}
		first, _, _ := strings.Cut(got.Text, "\n")
		lines := strings.Split(strings.TrimSpace(got.Text), "\n")
		if b.Next != "" && !strings.HasPrefix(first, "## Resuming from") && (!strings.Contains(first, b.Next) || !strings.Contains(lines[len(lines)-1], b.Next)) {
			t.Fatalf("%s: the first and the last line do not name the next action:\n%s", at, got.Text)
		}
		return
	}
	if said != need {
		t.Fatalf("%s: needs %d, at another limit %d", at, said, need)
	}
	if want := fmt.Sprintf("INCOMPLETE: needs %d ", need); got.Text != "" && !strings.HasPrefix(got.Text, want) {
		t.Fatalf("%s: it does not begin with %q:\n%s", at, want, got.Text)
	}
	for _, s := range got.Shown {
		if s.Items > 0 && !strings.HasPrefix(s.Part.Text, s.Text) {
			t.Fatalf("%s: %s is not shown from its start:\n%s", at, s.Name, s.Text)
		}
	}
}

// checkMore checks that a larger limit shows the same and more.
func checkMore(t *testing.T, at string, before, now *brief.Rendering) {
	t.Helper()
	for i, s := range now.Shown {
		if s.Items < before.Shown[i].Items {
			t.Fatalf("%s: %s has %d pieces, before %d", at, s.Name, s.Items, before.Shown[i].Items)
		}
	}
	for name, text := range map[string]brief.Lengths{"facts": now.Brief.Facts, "work": now.Brief.Work} {
		was, is := longest(text, before.Text), longest(text, now.Text)
		if is < was {
			t.Fatalf("%s: the %s are shorter than before:\n%s", at, name, now.Text)
		}
		if is > was && is > 0 && !isShare(text[is-1], now.Limit) && !isWhole(now) {
			t.Fatalf("%s: the %s take more than their share, and something is left out:\n%s", at, name, now.Text)
		}
	}
	if now.Complete && strings.Count(now.Text, "EOF") < strings.Count(before.Text, "EOF") {
		t.Fatalf("%s: fewer commands than before:\n%s", at, now.Text)
	}
	if before.Complete && !now.Complete {
		t.Fatalf("%s: complete before", at)
	}
}

// longest returns the number of the longest text that a brief shows, from 1, or 0.
func longest(l brief.Lengths, brief string) int {
	for n := len(l); n > 0; n-- {
		if strings.Contains(brief, "\n"+l[n-1]+"\n") {
			return n
		}
	}
	return 0
}

// isWhole reports whether every part but the learnings is shown whole.
func isWhole(r *brief.Rendering) bool {
	return !slices.ContainsFunc(r.Shown, func(s brief.Shown) bool { return s.Name != "learnings" && s.State != brief.Kept })
}

// TestFactsHaveTheRoomThatIsLeft checks that the share bounds the facts and the work only if
// the limit has no room for the whole brief.
func TestFactsHaveTheRoomThatIsLeft(t *testing.T) {
	b := build(t, "", "## Problem\n\nIt is slow.\n\n### Next Actions\n\n- Fix it\n")
	long := strings.Repeat("; `a.go` (edited)", 30)
	b.Facts = brief.Lengths{"Since this was written: 30 edited files.", "Since this was written: 30 edited files" + long + "."}
	b.Work = brief.Lengths{"Session s left no delta.", "Session s left no delta" + long + "."}
	for measure, m := range measures {
		whole := b.Within(m.limit(9999)).Text
		if got := b.Within(m.limit(m.of(whole))).Text; got != whole || strings.Count(got, long) != 2 {
			t.Errorf("%d %s have room for the whole, and show\n%s", m.of(whole), measure, got)
		}
	}
}

// isShare reports whether a paragraph is at most 15 % of a limit.
func isShare(text string, l brief.Limit) bool {
	text = "\n" + text + "\n"
	return (l.Tokens == 0 || token.Estimate(text)*100 <= (l.Tokens+1)*15) && (l.Bytes == 0 || len(text)*100 <= l.Bytes*15)
}

// TestDropsFromTheBottom checks that nothing of a tier is shown while something of a more
// important tier is left out, and that learnings take at most 15 %.
func TestDropsFromTheBottom(t *testing.T) {
	for name, b := range briefs(t, 30) {
		for n := 100; n < 4000; n += 150 {
			got := b.Within(brief.Limit{Tokens: n})
			lacking := brief.CanSummarise // the most important tier of which something is left out
			for _, s := range got.Shown {
				if s.Name != "learnings" && s.State != brief.Kept {
					lacking = min(lacking, s.Tier)
				}
			}
			for _, s := range got.Shown {
				if s.Items > 0 && s.Name != "learnings" && s.Tier > lacking {
					t.Errorf("%s, %d tokens: %s is shown, something dearer is not:\n%s", name, n, s.Name, got.Text)
				}
				if taught := token.Estimate("\n## Learnings\n\n" + s.Text + "\n"); s.Name == "learnings" && s.Items > 0 && (s.Items > brief.MaxLearnings || taught*100 > n*15) {
					t.Errorf("%s: learnings take %d of %d", name, taught, n)
				}
			}
			if got.Text != b.Within(brief.Limit{Tokens: n}).Text {
				t.Errorf("%s, %d tokens: another text the second time", name, n)
			}
		}
	}
}

// TestNextActionsOutlastLongerProse checks limits that leave out all next actions. No other must-keep
// part may then show more than 512 bytes, or than the first next action has.
func TestNextActionsOutlastLongerProse(t *testing.T) {
	for name, b := range briefs(t, 20) {
		for n := 20; n < 1500; n += 30 {
			got := b.Within(brief.Limit{Tokens: n})
			first, longest := 0, 0
			for _, s := range got.Shown {
				switch {
				case s.Name == "next-actions" && s.Items == 0:
					line, _, _ := strings.Cut(s.Part.Text, "\n- ")
					first = len(line)
				case s.Tier == brief.MustKeep && s.Items > 0:
					longest = max(longest, len(s.Text))
				}
			}
			if first > 0 && longest > max(first, 512) {
				t.Errorf("%s, %d tokens: %d bytes of prose and no next action:\n%s", name, n, longest, got.Text)
			}
		}
	}
	long := "## Problem\n\n" + strings.Repeat("It is long and has many lines.\n\n", 200) +
		"### Next Actions\n\n" + strings.Repeat("- Do `this` now, and then that\n", 17)
	for _, s := range build(t, "", long).Within(brief.Limit{Bytes: 3000}).Shown {
		if s.Name == "next-actions" && s.Items != 17 {
			t.Errorf("%d of 17 next actions beside the Problem", s.Items)
		}
		if s.Name == "problem" && s.Items < 30 {
			t.Errorf("%d paragraphs of the Problem", s.Items)
		}
	}
}

// TestLeftOutNamesOnce checks that sections with equal titles are named once.
func TestLeftOutNamesOnce(t *testing.T) {
	log := "## Session Work\n\n" + strings.Repeat("Much was done, and all of it is told here.\n", 9) + "\n"
	got := build(t, "", "## Problem\n\nP.\n\n"+strings.Repeat(log, 6)).Within(brief.Limit{Bytes: 600}).Text
	if want := "\nLeft out: the session work (ckpt resume chk-a)\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}
