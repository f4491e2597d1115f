package revise_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
)

// FuzzCheckpoint parses and revises any file: nothing panics, and text that was accepted is found
// again.
func FuzzCheckpoint(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		f.Add([]byte(generate(r)), "text\n# x", byte(r.IntN(256)))
	}
	f.Fuzz(func(t *testing.T, src []byte, text string, what byte) {
		c, err := checkpoint.Parse("active/chk-a.md", bytes.Clone(src))
		if err != nil {
			return
		}
		readAll(c)
		k := checkpoint.Kinds()[int(what)%len(checkpoint.Kinds())]
		n := len(c.Deltas())
		for _, r := range []*revise.Revision{
			revise.Begin(c).Bullet(k, text),
			revise.Begin(c).Text(k, text),
			revise.Begin(c).Row(checkpoint.Artifacts, text, text),
			revise.Begin(c).Decide(text, text, "a"),
			revise.Begin(c).List(checkpoint.Next, []string{text, "b"}).AppendDelta(checkpoint.Delta{At: now, Changed: text}, text),
			done(c, "#1"),
		} {
			if got, err := r.Apply(); err == nil {
				readAll(got)
				if len(got.Deltas()) < n {
					t.Fatalf("deltas are lost: %q", got.Doc.Bytes())
				}
			}
		}
		if got, err := revise.Begin(c).AppendDelta(checkpoint.Delta{At: now, Changed: text}, "").Apply(); err == nil {
			if all := got.Deltas(); len(all) != n+1 {
				t.Fatalf("%d deltas, %d before: %q", len(all), n, got.Doc.Bytes())
			}
		}
		if _, written := c.Find(checkpoint.Completion); written {
			return
		}
		archived, err := revise.Archive(c, "It works.", []string{"x"}, now)
		if err != nil {
			return
		}
		open, _, err := revise.Reopen(archived, c.Text(checkpoint.Completion) != "")
		if err != nil {
			return
		}
		body := func(c *checkpoint.Checkpoint) string { return c.Doc.Slice(c.Doc.Body()) }
		if body(open) != body(c) {
			t.Fatalf("reopened differs:\n%q\n%q\n%q", src, archived.Doc.Bytes(), open.Doc.Bytes())
		}
	})
}

// FuzzTexts checks that the parsers of single texts do not panic.
func FuzzTexts(f *testing.F) {
	for _, s := range []string{"", "2026-01-02T10:00:00Z", "~~a~~", "**a**: b", "- a", "a:created:b", "a: b -> c", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkpoint.ParseTime(s)
		checkpoint.IsNone(s)
		checkpoint.ParseArtifact(s)
		_, _ = checkpoint.ParseTransition(s)
		_, _ = revise.ParseProgress([]byte(s))
		_, _, _ = revise.ParseCompletion([]byte(s))
		revise.ParseEntries(s, checkpoint.Decisions)
		revise.ParseEntries(s, checkpoint.Next)
		if id, err := checkpoint.IDFor(s); err == nil && checkpoint.CheckID(id) != nil {
			t.Fatalf("IDFor(%q) is %q", s, id)
		}
		if c, err := revise.Create(revise.Spec{ID: "a", Problem: s, LiveText: s, Decisions: []string{s}, Copied: s, Next: []string{s, s}, State: s, RulesText: s}, nil, now); err == nil {
			for _, k := range checkpoint.Kinds() {
				if _, ok := c.Find(k); !ok && k.Template().Required {
					t.Fatalf("%q swallows %s: %s", s, k, c.Doc.Bytes())
				}
			}
		}
		if c, err := revise.Create(revise.Spec{ID: "a", Problem: s, Intent: s, Decisions: []string{s, s}, Steps: []string{s}, State: s, Next: []string{s}}, nil, now); err == nil {
			if n := len(c.Doc.Sections()); n != 9 {
				t.Fatalf("%q makes %d sections: %s", s, n, c.Doc.Bytes())
			}
			if s := strings.TrimSpace(s); s != "" && !checkpoint.IsNone(s) && len(c.Decisions()) != 2 {
				t.Fatalf("%q makes %d decisions: %s", s, len(c.Decisions()), c.Doc.Bytes())
			}
		}
	})
}

func done(c *checkpoint.Checkpoint, text string) *revise.Revision {
	r := revise.Begin(c)
	_, _ = r.Done(text)
	return r
}

func readAll(c *checkpoint.Checkpoint) {
	for _, k := range checkpoint.Kinds() {
		c.Text(k)
	}
	c.LiveText(checkpoint.Decisions)
	c.FirstAction()
	c.Artifacts()
	c.Breadcrumbs()
	c.Deltas()
	c.Learnings()
	c.Outcome()
}
