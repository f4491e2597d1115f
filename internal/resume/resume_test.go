package resume

import (
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

func TestWhyAstray(t *testing.T) {
	r := gittest.New(t)
	chk := func(id, parent string) string {
		return "---\ncheckpoint: " + id + "\nparent: " + parent + "\n---\n\n## Problem\n\nProblem of " + id + ".\n"
	}
	const active, archive = "checkpoints/active/", "checkpoints/archive/"
	r.Commit("Begin",
		active+"chk-root.md", chk("chk-root", ""), active+"chk-child.md", chk("chk-child", "chk-root"),
		active+"chk-lost.md", chk("chk-lost", "chk-gone"), active+"chk-below.md", chk("chk-below", "chk-lost"),
		active+"chk-self.md", chk("chk-self", "chk-self"),
		active+"chk-a.md", chk("chk-a", "chk-b"), active+"chk-b.md", chk("chk-b", "chk-a"),
		active+"chk-fork.md", chk("chk-fork", "chk-old"), archive+"chk-old.md", chk("chk-old", ""),
		active+"chk-odd.md", chk("chk-odd", "chk-named"), archive+"other-name.md", chk("chk-named", ""),
	)
	w, err := workspace.Open(t.Context(), workspace.Settings{Dir: r.Dir, Now: func() time.Time { return written }})
	if err != nil {
		t.Fatal(err)
	}
	view, err := w.Read(t.Context(), store.Live)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"chk-root":  "",
		"chk-child": "",
		"chk-lost":  "the parents of chk-lost: parent \"chk-gone\" does not exist",
		"chk-below": "the parents of chk-below: parent \"chk-gone\" does not exist",
		"chk-self":  "the parents of chk-self: names itself as its parent",
		"chk-a":     "the parents of chk-a: ",
		"chk-fork":  "", // its parent's file is in the archive
		"chk-odd":   "", // its parent is in the archive under another name
	} {
		c, ok := view.Set.Get(id)
		if !ok {
			t.Fatalf("no %s", id)
		}
		got, err := whyAstray(view, c)
		if err != nil || (want == "") != (got == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, %v, want %q", id, got, err, want)
		}
	}
}
