package merge_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/merge"
)

// TestRevertProperties reverts one operation of a checkpoint that others changed after it and on
// another branch. Their changes stay, its own are gone, and nothing else is lost.
func TestRevertProperties(t *testing.T) {
	refused, total := 0, 0
	for seed := range uint64(600) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 2))
			before := work(t, r, parse(t, begin(t, r)), "base", r.IntN(4))
			was := work(t, r, before, "mine", 1)
			var now []byte
			if r.IntN(2) == 0 {
				now = work(t, r, was, "theirs", 1+r.IntN(4)).Doc.Bytes()
			} else {
				now = united(t, before.Doc.Bytes(), was.Doc.Bytes(), work(t, r, before, "theirs", 1+r.IntN(4)).Doc.Bytes())
			}
			total++
			got, changed, err := merge.Revert(was.Doc.Bytes(), now, before.Doc.Bytes())
			if err != nil {
				t.Fatalf("%v\nbefore\n%s\nwas\n%s\nnow\n%s", err, before.Doc.Bytes(), was.Doc.Bytes(), now)
			}
			if len(changed) > 0 {
				refused++
				return
			}
			reverts := func(after []byte) bool {
				const at = "active/chk-a.md"
				set := func(src []byte) merge.Set { return merge.Set{at: src} }
				return merge.Reverts(set(was.Doc.Bytes()), set(now), set(before.Doc.Bytes()), set(after), nil)
			}
			c := parse(t, got)
			if !bytes.Equal(got, now) && !reverts(got) || reverts(slices.Concat(got, []byte("\nmore\n"))) {
				t.Error("Reverts does not tell a revert from another change")
			}
			have := textLines(got)
			for _, line := range textLines(now) {
				if strings.Contains(line, "theirs") && !strings.Contains(line, "mine") && !slices.Contains(have, line) {
					t.Errorf("theirs is gone: %q", line)
				}
			}
			if strings.Contains(string(got), "mine") {
				t.Errorf("mine is still there")
			}
			for _, d := range before.Decisions() {
				if !slices.ContainsFunc(decisions(c), func(have string) bool { return strings.Contains(have, d.What) }) {
					t.Errorf("decision %q is lost", d.What)
				}
			}
			if all := c.Deltas(); len(all) > 0 && all[len(all)-1].At.After(c.Changed()) {
				t.Errorf("last_delta %s is older than the newest delta", c.Field("last_delta"))
			}
			all(t, "no error but", errors(c), append(errors(before), errors(parse(t, now))...))
			if t.Failed() {
				t.Logf("before\n%s\nwas\n%s\nnow\n%s\ngot\n%s", before.Doc.Bytes(), was.Doc.Bytes(), now, got)
			}
		})
	}
	if refused > total/4 {
		t.Errorf("refused %d of %d", refused, total)
	}
	t.Logf("refused %d of %d", refused, total)
}

// TestRevertOfARevert undoes an operation on one branch, merges another branch that has the operation, and then redoes it.
// No line of the other branch is lost.
func TestRevertOfARevert(t *testing.T) {
	for seed := range uint64(600) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 4))
			begun := work(t, r, parse(t, begin(t, r)), "base", r.IntN(4))
			before := work(t, r, begun, "before", 1+r.IntN(2))
			did := work(t, r, before, "mine", 1)
			bs, ds := before.Doc.Bytes(), did.Doc.Bytes()
			merged := united(t, begun.Doc.Bytes(), bs, work(t, r, did, "theirs", r.IntN(3)).Doc.Bytes())
			now := united(t, ds, merged, bs) // as the store takes the merge in
			got, changed, err := merge.Revert(bs, now, ds)
			if err != nil {
				t.Fatalf("%v\nbefore\n%s\ndid\n%s\nnow\n%s", err, bs, ds, now)
			}
			theirs := slices.DeleteFunc(textLines(now), func(line string) bool { return !strings.Contains(line, "theirs") })
			if len(changed) == 0 {
				all(t, "line", theirs, textLines(got))
			}
		})
	}
}

// TestReverts tells whether a change has removed the entry "- mine".
func TestReverts(t *testing.T) {
	const (
		guide  = "\n## Play-By-Play\n\n<!-- What was done -->\n"
		mine   = "\n## Play-By-Play\n\n- mine\n"
		theirs = "\n## Play-By-Play\n\n- theirs\n"
	)
	set := func(path, text string) merge.Set {
		return merge.Set{path: []byte("---\ncheckpoint: chk-a\n---\n" + text)}
	}
	active := func(text string) merge.Set { return set("active/chk-a.md", text) }
	was, before := active(mine), active(guide)
	for _, c := range []struct {
		name        string
		then, after merge.Set
		want        bool
	}{
		{"as it was", was, before, true},
		{"without the guide", was, active("\n## Play-By-Play\n\n"), true},
		{"beside another entry", active(mine + "- theirs\n"), active(theirs), true},
		{"in a file that has moved", set("active/b.md", mine), set("active/b.md", guide), true},
		{"with a status", was, merge.Set{"active/chk-a.md": []byte("---\ncheckpoint: chk-a\nstatus: active\n---\n" + guide)}, true},
		{"reworded", was, active("\n## Play-By-Play\n\n- mine, and theirs\n"), false},
		{"replaced", was, active(theirs), false},
		{"and added to", was, active(guide + "\n## Problem\n\nX\n"), false},
		{"not removed", was, active(mine + "- theirs\n"), false},
		{"not there", before, active(theirs), false},
		{"the file", was, merge.Set{}, false},
		{"another file", set("active/chk-a.md", mine), merge.Set{"LEARNINGS.md": []byte("# Learnings\n")}, false},
	} {
		if got := merge.Reverts(was, c.then, before, c.after, nil); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// textLines returns the lines of a version without their markers.
func textLines(src []byte) (all []string) {
	for line := range strings.Lines(string(src)) {
		all = append(all, strings.TrimLeft(strings.TrimSpace(line), "-0123456789. "))
	}
	return all
}

// TestRevert removes a change from short files.
func TestRevert(t *testing.T) {
	file := func(state, steps, rest string) string {
		return "---\ncheckpoint: chk-a\n---\n\n## Current State\n\n" + state + "\n\n## Play-By-Play\n\n" + steps + "\n" + rest
	}
	delta := func(at, text string) string {
		return "\n---\n\n## Delta: 2026-01-02T" + at + ":00:00Z\n\n### What Changed\n\n" + text + "\n"
	}
	for _, c := range []struct {
		name             string
		before, was, now string
		want             string
		changed          string
	}{
		{"as it was left", file("A", "- one", ""), file("B", "- one", ""), file("B", "- one", ""), file("A", "- one", ""), ""},
		{"taken back already", file("A", "- one", ""), file("B", "- one", ""), file("A", "- one", ""), file("A", "- one", ""), ""},
		{"a text and an entry", file("A", "- one", ""), file("B", "- one\n- mine", ""), file("B", "- one\n- mine\n- theirs", ""), file("A", "- one\n- theirs", ""), ""},
		{"an entry that was removed comes back", file("A", "- one\n- two", ""), file("A", "- two", ""), file("A", "- two\n- theirs", ""), file("A", "- one\n- two\n- theirs", ""), ""},
		{"none, and then some", file("A", "None yet", ""), file("A", "- mine", ""), file("A", "- mine\n- theirs", ""), file("A", "- theirs", ""), ""},
		{"a text that was replaced since", file("A", "- one", ""), file("B", "- one\n- mine", ""), file("C", "- one\n- mine", ""), file("C", "- one", ""), ""},
		{"only a text that was replaced since", file("A", "- one", ""), file("B", "- one", ""), file("C", "- one\n- theirs", ""), file("C", "- one\n- theirs", ""), "Current State"},
		{"only the first text, which was replaced since", file("", "- one", ""), file("B", "- one", ""), file("C", "- one", ""), file("C", "- one", ""), "Current State"},
		{"the same in a file with mixed line ends", file("A", "- one", ""), file("B", "- one", ""), file("C", "- one\r\n", ""), file("C", "- one\r\n", ""), "Current State"},
		{"only a text, which is as it was before", file("A", "- one", ""), file("B", "- one", ""), file("A", "- one\n- theirs", ""), file("A", "- one\n- theirs", ""), ""},
		{"a text that was changed since", file("A", "- one", ""), file("B\n\nBB", "- one", ""), file("B\n\nCC", "- one", ""), "", "Current State"},
		{"an entry that was changed since", file("A", "- one", ""), file("A", "- one\n- mine", ""), file("A", "- one\n- mine, and theirs", ""), "", "Play-By-Play"},
		{"two sections that were changed since", file("A", "- one", ""), file("B\n\nBB", "- mine", ""), file("B\n\nCC", "- theirs", ""), "", "Current State Play-By-Play"},
		{"the last delta", file("A", "- one", delta("10", "old")), file("A", "- one", delta("10", "old")+delta("12", "mine")), file("A", "- one\n- theirs", delta("10", "old")+delta("12", "mine")), file("A", "- one\n- theirs", delta("10", "old")), ""},
		{"a delta between others", file("A", "- one", delta("10", "old")), file("A", "- one", delta("10", "old")+delta("12", "mine")), file("A", "- one", delta("10", "old")+delta("12", "mine")+delta("13", "theirs")), file("A", "- one", delta("10", "old")+delta("13", "theirs")), ""},
		{"the only delta before another", file("A", "- one", ""), file("A", "- one", delta("12", "mine")), file("A", "- one", delta("12", "mine")+delta("13", "theirs")), file("A", "- one", delta("13", "theirs")), ""},
		{"a delta with what a merge kept below it", file("A", "- one", ""), file("B", "- one", delta("12", "mine")), file("C", "- one", delta("12", "mine\n\n### Current State then\n\nB")+delta("13", "theirs")), file("C", "- one", delta("13", "theirs")), ""},
		{"a text that a merge put below the delta of others", file("A", "- one", ""), file("B", "- one", delta("12", "mine")), file("B", "- one", delta("11", "theirs\n\n### Current State then\n\nC")+delta("12", "mine")), file("C", "- one", delta("11", "theirs")), ""},
		{"a text that a merge put into a section", file("A", "- one", ""), file("B", "- one", ""), file("B", "- one\n- theirs", "\n## Current State then\n\nC\n"), file("C", "- one\n- theirs", ""), ""},
		{"a delta that was folded since", file("A", "- one", ""), file("A", "- one", delta("12", "mine")), file("A", "- one\n- mine", ""), "", "Delta: 2026-01-02T12:00:00Z"},
		{
			"learnings",
			"# Learnings\n\n## 2026-01-01 — chk-a\n\n- one\n", "# Learnings\n\n## 2026-01-02 — chk-b\n\n- mine\n\n## 2026-01-01 — chk-a\n\n- one\n",
			"# Learnings\n\n## 2026-01-03 — chk-c\n\n- theirs\n\n## 2026-01-02 — chk-b\n\n- mine\n\n## 2026-01-01 — chk-a\n\n- one\n",
			"# Learnings\n\n## 2026-01-03 — chk-c\n\n- theirs\n\n## 2026-01-01 — chk-a\n\n- one\n", "",
		},
		{
			"the first learnings",
			"", "# Learnings\n\n## 2026-01-02 — chk-b\n\n- mine\n", "# Learnings\n\n## 2026-01-03 — chk-c\n\n- theirs\n\n## 2026-01-02 — chk-b\n\n- mine\n",
			"# Learnings\n\n## 2026-01-03 — chk-c\n\n- theirs\n", "",
		},
		{"a key", "---\nname: a\n---\nx\n", "---\nname: b\n---\nx\n", "---\nname: b\nproject: c\n---\nx\n", "---\nname: a\nproject: c\n---\nx\n", ""},
		{"a key that was changed since", "---\nname: a\n---\nx\n", "---\nname: b\n---\nx\n", "---\nname: c\n---\nx\n", "", "name"},
		{"only a key that goes with each delta", "---\nphase: a\n---\nx\n", "---\nphase: b\n---\nx\n", "---\nphase: c\n---\nx\n", "---\nphase: c\n---\nx\n", "phase"},
		{"a key that goes with each delta", "---\nphase: a\n---\nx\n", "---\nphase: b\n---\nx\n\nmine\n", "---\nphase: c\n---\nx\n\nmine\n", "---\nphase: c\n---\nx\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, changed, err := merge.Revert([]byte(c.was), []byte(c.now), []byte(c.before))
			if err != nil {
				t.Fatal(err)
			}
			if names := strings.Join(changed, " "); string(got) != c.want || names != c.changed {
				t.Errorf("changed %q, want %q; got\n%s\nwant\n%s", names, c.changed, got, c.want)
			}
		})
	}
}
