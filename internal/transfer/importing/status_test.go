package importing

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
)

func TestItemStatus(t *testing.T) {
	for text, want := range map[string]checkpoint.ItemStatus{
		"[ ] a": checkpoint.Open, "[x] a": checkpoint.Finished, "[X] a (pending)": checkpoint.Finished, "[~] a": checkpoint.Underway, "[-] a": checkpoint.Rejected,
		"[ ] Tax feature - **Skipped per user request**": checkpoint.Rejected, "[ ] a (deferred)": checkpoint.Rejected,
		"✅ a": checkpoint.Finished, "a ✅": checkpoint.Finished, "⏳ a": checkpoint.Open, "🔄 a": checkpoint.Underway, "⬜ a": checkpoint.Open, "❌ a": checkpoint.Open,
		"✅ parser, lexer ⏳": checkpoint.Open, "**✔️ a**": checkpoint.Finished, "~~a~~": checkpoint.Finished, "~~a~~ done in b": checkpoint.Finished,
		"a — ✅ DONE (abc)": checkpoint.Finished, "a — in progress (50%)": checkpoint.Underway, "~~a~~ b instead": checkpoint.Unstated,
		"[ ] a ✅ DONE (2026-01-02)": checkpoint.Finished, "[ ] a (done)": checkpoint.Finished, "[ ] ~~a~~": checkpoint.Finished, "[ ] a DONE": checkpoint.Finished,
		"[ ] a — see b": checkpoint.Open, "Phase 1 — ✅ 구현 완료 (2026-07-25)": checkpoint.Finished, "a (erledigt)": checkpoint.Finished, "a：未完成": checkpoint.Unstated,
		"TODO: a": checkpoint.Open, "[TODO] a": checkpoint.Open, "WIP - a": checkpoint.Underway, "[DONE] a": checkpoint.Finished,
		"a (pending)": checkpoint.Open, "a — in progress": checkpoint.Underway, "a - done": checkpoint.Finished, "Phase 1: the parser - done.": checkpoint.Finished,
		"Phase 3: tests: not started": checkpoint.Open, "**Phase 2**: API → completed": checkpoint.Finished,

		"~~a~~ → **完了（2026-01-02）**: b": checkpoint.Finished, "**Till complete**: it prints": checkpoint.Finished, "a b: dropped for good": checkpoint.Rejected,
		"Till (COMPLETED with care)": checkpoint.Finished, "All tests fixed": checkpoint.Finished, "The till is done": checkpoint.Finished, "a: TBD": checkpoint.Rejected,

		"Drawer merged: it opens": checkpoint.Finished, "Desk. Done.": checkpoint.Finished, "a ← done": checkpoint.Finished,

		"a": checkpoint.Unstated, "": checkpoint.Unstated, "done": checkpoint.Unstated, "Wrote the parser (done by ann)": checkpoint.Unstated, "See [todo](x)": checkpoint.Unstated,
		"Next.js - pending orders page": checkpoint.Unstated, "a (1)": checkpoint.Unstated, "NOTE: a": checkpoint.Unstated, "the state: opened": checkpoint.Unstated, "All tests must pass": checkpoint.Unstated,
	} {
		if _, got := itemStatus(text); got != want {
			t.Errorf("%q states %d, want %d", text, got, want)
		}
	}
}

// TestEntryWords checks that each word and sign states its status before and after an entry, and is listed once.
func TestEntryWords(t *testing.T) {
	seen := map[string]bool{}
	check := func(word string, want checkpoint.ItemStatus, entries ...string) {
		if seen[word] {
			t.Errorf("%q is there twice", word)
		}
		seen[word] = true
		for _, text := range entries {
			if _, got := itemStatus(text); got != want {
				t.Errorf("%q states %d, want %d", text, got, want)
			}
		}
	}
	for status, words := range entryWords() {
		for word := range strings.SplitSeq(words, "|") {
			check(word, status, "the parser ("+word+")", "the parser - "+word, "the parser: "+word, "["+strings.ToUpper(word)+"] the parser")
		}
	}
	for _, s := range signs {
		for sign := range strings.SplitSeq(s.any, "|") {
			check(sign, s.status, sign+" the parser", "the parser "+sign)
		}
	}
}

func TestLabel(t *testing.T) {
	for line, want := range map[string][2]string{
		"Next:": {"Next", ""}, "Goal (incl. success criteria):": {"Goal (incl. success criteria)", ""}, "Next: the parser": {"Next", "the parser"},
		"**Goal:** It works": {"Goal", "It works"}, "**Goal**: It works": {"Goal", "It works"}, "**Next Steps**": {"Next Steps", ""}, "**Next** (by priority):": {"Next", ""},
		"下一步：修复": {"下一步", "修复"}, "**次のステップ：** 検証": {"次のステップ", "検証"}, "修复日志": {},
		"NEXT STEPS": {}, "  NEXT STEP: x": {"NEXT STEP", "x"},

		"Next the parser": {}, "http://a.example": {}, "Next": {}, "**Bold** words": {}, "`code`: x": {}, "| a: b |": {}, "12:30": {}, "**open": {}, "/files: 200": {}, "(next): x": {},
	} {
		name, rest, _, ok := label(line)
		if ok != (want[0] != "") || ok && (name != want[0] || rest != want[1]) {
			t.Errorf("%q: %q, %q, %v; want %q", line, name, rest, ok, want)
		}
	}
}

func TestReshaped(t *testing.T) {
	for text, want := range map[string]string{
		"=====\nSession 2\n=====\nx\n":                   "=====\nSession 2\n=====\nx\n",
		"Two lines\nof text\n---\nmore\n":                "Two lines\nof text\n\n---\nmore\n",
		"It is done.\n---\n":                             "It is done.\n\n---\n",
		"Title\n-----\nx\n":                              "Title\n-----\nx\n",
		"- an item\n---\n":                               "- an item\n\n---\n",
		"```\na\nb\n---\n=== x ===\n```\n":               "```\na\nb\n---\n=== x ===\n```\n",
		"````\n```\n=== x ===\n````\n=== y ===\n":        "````\n```\n=== x ===\n````\n\n# y\n\n",
		"===== Session 2 =====\n## Done\n- a\n":          "\n# Session 2\n\n## Done\n- a\n",
		"# Log\n\n=== 2026-01-02 ===\nx\n":               "# Log\n\n\n## 2026-01-02\n\nx\n",
		"~~~\n```\n=== x ===\n~~~ ~\n=== y ===\n~~~\n":   "~~~\n```\n=== x ===\n~~~ ~\n=== y ===\n~~~\n",
		"| a | b |\n|---|---|\n":                         "| a | b |\n|---|---|\n",
		"<!--\na\nb\n---\n-->\n":                         "<!--\na\nb\n---\n-->\n",
		"<details>\nx\n</details>\n":                     "<details>\nx\n</details>\n",
		"a == b\n":                                       "a == b\n",
		"---\n\ntext\n\n---\n":                           "---\n\ntext\n\n---\n",
		"A line that is a title\n======================": "A line that is a title\n======================",
	} {
		var f file
		if err := f.parse(text); err != nil {
			t.Fatal(err)
		}
		if err := f.reshape(); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimPrefix(string(f.doc.Bytes()), "\n"); got != strings.TrimPrefix(want, "\n") {
			t.Errorf("%q\nbecomes %q\nwant    %q", text, got, want)
		}
	}
}
