package index

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// An index that ckpt keeps is at any time what ckpt would write anew.
func TestIndexFollowsTheFolder(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 38))
	before := folder(t, "")
	index := New(before, false)
	for range 2000 {
		after := folder(t, randomNames(r))
		index = Sync(index, after, false)
		if want := New(after, false); !bytes.Equal(index, want) {
			t.Fatalf("from %d to %d checkpoints:\n%s\nwant:\n%s", len(before.All), len(after.All), index, want)
		}
		before = after
	}
}

// Whatever people have made of it, an index can be brought in step, stays in step
// and keeps their lines.
func TestSyncKeepsWhatPeopleWrote(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 38))
	for range 4_000 {
		src := randomIndex(r)
		set := folder(t, randomNames(r))
		out := Sync(src, set, false)
		if why := Check(out, set, false); why != nil {
			t.Fatalf("still out of step: %q\n%s\nwas:\n%s", why, out, src)
		}
		if again := Sync(out, set, false); !bytes.Equal(again, out) {
			t.Fatalf("twice:\n%s\n%s", out, again)
		}
		if before, after := handLines(src), handLines(out); !slices.Equal(before, after) {
			t.Fatalf("lines lost: %q, %q\n%s\n%s", before, after, src, out)
		}
		if bytes.Contains(src, []byte("\r\n")) && bytes.Count(out, []byte("\n")) != bytes.Count(out, []byte("\r\n")) {
			t.Fatalf("line breaks: %q", out)
		}
	}
}

func FuzzSyncIndex(f *testing.F) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 50 {
		f.Add(randomIndex(r))
	}
	sets := []string{"", "a", "a b C", "!a b", "c d"}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, names := range sets {
			set := folder(t, names)
			before := bytes.Clone(src)
			out := Sync(src, set, false)
			if !bytes.Equal(src, before) {
				t.Fatalf("the argument changed: %q", before)
			}
			why := Check(src, set, false)
			if len(why) == 0 && !bytes.Equal(out, src) {
				t.Fatalf("in step, and changed:\n%q\n%q", src, out)
			}
			if !bytes.Equal(out, src) && len(Check(out, set, false)) > 0 {
				t.Fatalf("changed, and not in step:\n%q\n%q", src, out)
			}
			Follow(src, folder(t, "a b"), folder(t, "a b+"), false)
			Check(src, set, true)
		}
	})
}

// handLines are the lines that only people write.
func handLines(src []byte) []string {
	var lines []string
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); strings.Contains(line, "Hand") {
			lines = append(lines, line)
		}
	}
	return lines
}

func randomNames(r *rand.Rand) string {
	var names []string
	for _, c := range "abcdefgh" {
		switch r.IntN(4) {
		case 0, 1:
			names = append(names, string(c))
		case 2:
			names = append(names, strings.ToUpper(string(c)))
		}
	}
	return strings.Join(names, " ")
}

// randomIndex is an index as people, other tools and ckpt may have left it.
func randomIndex(r *rand.Rand) []byte {
	var b strings.Builder
	put := func(chance int, texts ...string) {
		if r.IntN(10) < chance {
			b.WriteString(texts[r.IntN(len(texts))])
		}
	}
	put(9, "# Active Checkpoints\n\n", "Hand title\n=====\n", "---\nkey: Hand\n---\n\n# Index\n\n")
	put(3, "Hand intro.\n\n", "> Hand quote\n\n", "- Hand list\n\n")
	if r.IntN(10) < 9 {
		heads := []string{head, "| ID | Last Updated | Owner |\n|---|---|---|\n", "Checkpoint | Description\n--- | ---\n"}
		b.WriteString(heads[r.IntN(3)])
		for range r.IntN(5) {
			id := "chk-" + string(rune('a'+r.IntN(12)))
			rows := []string{"| " + id + " | words | 2026-01-01 |\n", "| `" + id + "` | 2025-05-05 | x |\n", "| [" + id + "](" + id + ".md) |\n", id + " | y\n"}
			b.WriteString(rows[r.IntN(4)])
		}
		put(3, "| *Hand row* | not ours | |\n")
		b.WriteString("\n")
	}
	put(7, "---\n\n")
	put(3, "*No active checkpoints.*\n\n", "No checkpoints yet.\n\n", "Hand text.\n\n")
	ids := r.Perm(10)
	for i := range r.IntN(5) {
		level := "##"
		if r.IntN(6) == 0 {
			level = "###"
		}
		b.WriteString(level + " chk-" + string(rune('a'+ids[i])) + "\n\n")
		put(9, "**Problem**: p\n\n", "- **Status**: s\n\n", "words\n\n")
		put(5, "---\n\n")
	}
	put(3, "## Hand notes\n\nHand text.\n", "# Hand more\n", "\n\n")
	text := b.String()
	if r.IntN(4) == 0 {
		text = strings.TrimRight(text, "\n")
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
