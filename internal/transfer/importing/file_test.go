package importing

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
)

// FuzzNothingIsLost checks that a file is refused because it is not text, or every line of it is in the
// checkpoint, which can be read again with every section in its place.
func FuzzNothingIsLost(f *testing.F) {
	for _, seed := range []string{
		"# HANDOFF\n\nIntro\n\n## Goal\nx\n\n## Next Steps ##\n1. a\n\n---\n\n## Delta: 2025\n\n### Problem\ny\n",
		"---\na: b: c\n---\n## State\nx\n\n### Decisions\n- a\n",
		"---\ncheckpoint: chk-a\ncreated: never\n---\n## Problem\nx\n",
		"Next\n===\n* a\n\n    ## code\n\n<!--\n## Done\n",
		"## Done\n```\nx\n## Next\r\n- b\rc\n",
		"## A\n### Next\n- a\n## B\n### Next\n- b\n# C\n",
		"---\n---\n---\n\n## X -- y\n## Next --> z\n",
		"# Current State\n## Current State\n### Current State\n",
		"- ## Next\n> ## Done\n\n####### x\n# \n",
		"# # #",
		"====\nSession: A\nDate: 2026-01-02\n====\nNext:\n- a\n",
		"- State:\n  - Done:\n    - a\n    - ⏳ b\n  - Next:\n    - c\n",
		"Status: red\nA1: DONE\n**Next:** (soon) a\nStatus: green\n",
		"## Session 1\n## Date: 2026-01-01\n## Next\n- a\n## Session 2\n## Done\n- [x] a\n  - [ ] b\n- ⏳ c\n",
		"## Later\nNot now. Recommended order:\n- a\n\n## Overview\n> **Goal:** x\n",
		"Copy this prompt:\n```\n## Next\nUse the old one. Not:\n- a\n```\n\n# Next\n```\nb\n```\n",
	} {
		f.Add("NOTES.md", seed, "")
		f.Add("techContext.md", seed, "## Decisions\n- x\n")
	}
	f.Fuzz(func(t *testing.T, name, text, more string) {
		s := Source{Name: "x/" + name, Files: []File{{Text: []byte(text)}}}
		if more != "" {
			s.Files = []File{{Name: "progress.md", Text: []byte(more)}, {Name: "techContext.md", Text: []byte(text)}}
		}
		d, err := Read(s, now)
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				t.Fatalf("%v\n%q", err, text)
			}
			return
		}
		if d.Form == Learnings {
			if _, err := d.Ledger([]byte("# Learnings\n")); err != nil && fault.KindOf(err) != fault.Invalid {
				t.Fatalf("%v\n%q", err, text)
			}
			return
		}
		made, err := d.Checkpoint("chk-made", checkpoint.Active)
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				t.Fatalf("%v\n%q %q\n%s", err, text, more, d.text)
			}
			return
		}
		everyWord(t, s, string(made.Doc.Bytes()))
		if d.Form == Checkpoint {
			return
		}
		for _, step := range made.Steps() {
			if _, status := itemStatus(step.Text); status == checkpoint.Open || status == checkpoint.Underway {
				t.Fatalf("%q counts as done in\n%s\nof %q", step.Text, made.Doc.Bytes(), text)
			}
		}
		seen := map[checkpoint.Kind]bool{}
		for _, p := range made.Sections() {
			if seen[p.Kind] {
				t.Fatalf("%s stands twice in\n%s\nof %q %q", p.Kind, made.Doc.Bytes(), text, more)
			}
			seen[p.Kind] = true
		}
		for _, share := range d.Shares {
			if k, ok := checkpoint.KindNamed(share.Section); ok && !seen[k] {
				t.Fatalf("no %s in\n%s", k, made.Doc.Bytes())
			}
		}
	})
}

// everyWord looks for the words of a source, whatever their order and markup: it knows
// nothing of how Lost counts.
func everyWord(t *testing.T, s Source, made string) {
	t.Helper()
	for _, f := range s.Files {
		text := strings.NewReplacer("\r", "\n", "\xef\xbb\xbf", "").Replace(string(f.Text))
		for line := range strings.Lines(text) {
			for word := range strings.FieldsSeq(line) {
				if word = strings.Trim(word, "#=-_*"); !strings.Contains(made, word) {
					t.Fatalf("%q is not in\n%s\nof\n%q", word, made, f.Text)
				}
			}
		}
	}
}

// TestLongParagraph reads a paragraph as long as a file may be: it reads each line once.
func TestLongParagraph(t *testing.T) {
	made, draft := imported(t, "NOTES.md", "## Notes\n\n"+strings.Repeat("a b\n", 200_000)+"\n## Next\n\n- c\n")
	if made.FirstAction() != "c" || draft.Lines != 200_003 {
		t.Errorf("next is %q of %d lines", made.FirstAction(), draft.Lines)
	}
}
