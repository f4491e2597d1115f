package checkpoint_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
)

var now = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// withDeltas returns a checkpoint with n deltas like those that ckpt writes.
func withDeltas(n int) []byte {
	var b strings.Builder
	b.WriteString("---\ncheckpoint: chk-a\ncreated: 2026-01-01T00:00:00Z\nlast_delta: 2026-01-02T00:00:00Z\n---\n\n" +
		"## Problem\n\nP.\n\n## Session Intent\n\nI.\n\n## Essential Information\n\n### Decisions\n\n- **A**: a\n- **B**: b\n\n" +
		"### Technical Context\n\n- Go\n\n### Play-By-Play\n\n- a → b\n\n### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| `a.go` | created | x |\n\n" +
		"### Current State\n\nS.\n\n### Next Actions\n\n1. one\n2. two\n")
	for i := range n {
		fmt.Fprintf(&b, "\n---\n\n## Delta: %s\n\n### What Changed\n\nStep %d: the parser reads one more kind of line, and the tests say so.\n\n"+
			"### Artifacts\n\n| File | Action | Description |\n|------|--------|-------------|\n"+
			"| `internal/a%d.go` | modified | one more case |\n| `internal/b%d.go` | created | its test |\n"+
			"\n### Status Transitions\n\n| Item | Before | After |\n|------|--------|-------|\n| Phase %d | open | done |\n",
			checkpoint.FormatTime(time.Unix(1767225600+int64(i)*60, 0)), i, i, i, i)
	}
	return []byte(b.String())
}

func parse(tb testing.TB, src string) *checkpoint.Checkpoint {
	tb.Helper()
	c, err := checkpoint.Parse("active/chk-a.md", []byte(src))
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func BenchmarkTenThousandDeltas(b *testing.B) { benchmark(b, withDeltas(10_000)) }

// BenchmarkTenMegabytes reads a file with few but long sections.
func BenchmarkTenMegabytes(b *testing.B) {
	src := withDeltas(100)
	at := bytes.Index(src, []byte("- Go\n"))
	benchmark(b, slices.Concat(src[:at], bytes.Repeat([]byte("- a fact about the project, `with code` and a [link](x)\n"), 180_000), src[at:]))
}

// BenchmarkTypical reads a typical checkpoint: six deltas, 3 KB.
func BenchmarkTypical(b *testing.B) { benchmark(b, withDeltas(6)) }

func benchmark(b *testing.B, src []byte) {
	run := func(name string, f func(b *testing.B)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				f(b)
			}
		})
	}
	run("Parse", func(b *testing.B) { parse(b, string(src)) })
	run("Sections", func(b *testing.B) { parse(b, string(src)).Doc.Sections() })
	run("Deltas", func(b *testing.B) { parse(b, string(src)).Deltas() })
	c := parse(b, string(src))
	run("Text of every section", func(b *testing.B) {
		for _, k := range checkpoint.Kinds() {
			c.Text(k)
		}
	})
	run("Revision", func(b *testing.B) {
		r := revise.Begin(parse(b, string(src))).Decide("Use X", "it works", "").List(checkpoint.Next, []string{"go on"}).Text(checkpoint.State, "New state.").Set("base", "abc")
		r.AppendDelta(checkpoint.Delta{At: now, Changed: "More.", Artifacts: []checkpoint.Artifact{{File: "a.go", Action: "modified", Change: "x"}}}, "")
		if _, err := r.Apply(); err != nil {
			b.Fatal(err)
		}
	})
	run("ArchiveAndReopen", func(b *testing.B) {
		done, err := revise.Archive(c, "It works.", nil, now)
		if err == nil {
			_, _, err = revise.Reopen(done, false)
		}
		if err != nil {
			b.Fatal(err)
		}
	})
}
