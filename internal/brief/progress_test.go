package brief_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
)

// build returns the brief of a checkpoint with these frontmatter lines and this body.
func build(t *testing.T, front, body string) *brief.Brief {
	t.Helper()
	c, err := checkpoint.Parse("active/chk-a.md", []byte("---\ncheckpoint: chk-a\ncreated: 2026-01-02\n"+front+"---\n\n"+body))
	if err != nil {
		t.Fatal(err)
	}
	return brief.Build(c, nil, nil)
}

// said returns the text of a part of a brief on one line.
func said(b *brief.Brief, name string) string {
	for _, p := range b.Parts {
		if p.Name == name {
			return strings.ReplaceAll(p.Text, "\n", "|")
		}
	}
	return ""
}

func TestProgress(t *testing.T) {
	const moves = "## Delta: 2026-01-03\n\n### What Changed\n\nMore.\n\n### Status Transitions\n\n| Item | Before | After |\n|--|--|--|\n" +
		"| Phase 1 | - | done |\n| Phase 2 | - | done |\n| Phase 3 | - | in_progress |\n| Phase 4 | new | pending |\n| Idea | - | skipped |\n"
	for name, tc := range map[string]struct {
		front, body     string
		open, completed string
	}{
		"nothing keeps track":   {body: "## Play-By-Play\n\n- Read\n\n## Next Actions\n\n1. Write\n"},
		"a run":                 {front: "workflow: ship\nstep: Phase 3 - Build\nprogress: 45%\n", open: "ship, Phase 3 - Build, 45%"},
		"a workflow alone":      {front: "workflow: ship\n", open: "ship"},
		"progress alone":        {front: "progress: 3/4\n", open: "75%"},
		"odd progress":          {front: "progress: nearly\n"},
		"todos":                 {body: "## Next Actions\n\n1. [x] Read\n2. [~] Write\n3. Test\n", open: "33%: 1 completed, 1 in progress, 1 pending", completed: "- [x] Read"},
		"phases that are shown": {front: "phase: 2\n", body: "## Current State\n\n- [x] Phase 1\n- [~] Phase 2\n- [ ] Phase 3\n", open: "phase 2, 33%: 1 completed, 1 in progress, 1 pending"},
		"transitions":           {body: moves, open: "50%: 2 completed, 1 in progress, 1 pending||- [~] Phase 3|- [ ] Phase 4", completed: "- [x] Phase 2|- [x] Phase 1"},
		"a long place":          {front: "workflow: " + strings.Repeat("w ", 400) + "\n", open: strings.TrimSpace(strings.Repeat("w ", 149)) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			b := build(t, tc.front, tc.body)
			if open, completed := said(b, "progress"), said(b, "completed"); open != tc.open || completed != tc.completed {
				t.Errorf("progress\n got %q\nwant %q\ncompleted\n got %q\nwant %q", open, tc.open, completed, tc.completed)
			}
		})
	}
}

func TestFolders(t *testing.T) {
	for files, want := range map[string]string{
		"src/a.ts src/b.ts": "",
		"src/a.ts src/b.ts src/c.ts lib/d.ts lib/e.ts Makefile":                               "6 files: `src/*.ts` (3), `lib/*.ts` (2), `Makefile` (1)",
		"a/a.ts b/b.ts c/c.ts d/d.ts e/e.ts e/f.ts":                                           "",
		"0/a 0/b 0/c 1/a 1/b 2/a 2/b 3/a 3/b 4/a 4/b 5/a 5/b 6/a 6/b 7/a 7/b 8/a 8/b 9/a 9/b": "21 files: `0/*` (3), `1/*` (2), `2/*` (2), `3/*` (2), `4/*` (2), `5/*` (2), `6/*` (2), `7/*` (2) and 2 more",
	} {
		body := "## Artifact Trail\n\n| File | Status | Key Change |\n|--|--|--|\n"
		for _, f := range strings.Fields(files) {
			body += fmt.Sprintf("| `%s` | modified | |\n", f)
		}
		first, _, _ := strings.Cut(said(build(t, "", body), "artifact-trail"), "|")
		if first != want {
			t.Errorf("%s:\n got %s\nwant %s", files, first, want)
		}
	}
}
