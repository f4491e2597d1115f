package brief_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/brief"
)

// TestReadOnce checks that a session that reads repeatedly, with any limits, gets every piece
// once, and then the line that there is nothing new.
func TestReadOnce(t *testing.T) {
	for name, b := range briefs(t, 20) {
		var read []brief.Mark
		told := map[string]int{}
		for _, limit := range []int{200, 900, 100, 700, 400, 0} {
			r := b.Since(read).Within(brief.Limit{Tokens: limit})
			for _, s := range r.Shown {
				for line := range strings.Lines(s.Text) {
					told[strings.TrimSuffix(line, "\n")]++
				}
			}
			read = brief.ReadMarks(brief.WriteMarks(r.Read(b, read)))
		}
		news := b.Since(read)
		if len(news.Parts) > 0 || !strings.Contains(news.Within(brief.Limit{}).Text, "Nothing new since") {
			t.Errorf("%s: there is news after all was read:\n%s", name, news.Within(brief.Limit{}).Text)
		}
		for _, p := range b.Parts {
			for line := range strings.Lines(p.Text) {
				if told[strings.TrimSuffix(line, "\n")] == 0 && strings.TrimSpace(line) != "" {
					t.Errorf("%s: %s was never told: %q", name, p.Name, line)
				}
			}
		}
	}
}

// TestSinceNamesWhatIsGone checks that Since names a decision that was struck and an action
// that is done, and ignores a new number.
func TestSinceNamesWhatIsGone(t *testing.T) {
	built := func(decisions, next string) *brief.Brief {
		return build(t, "", "## Decisions\n\n"+decisions+"\n## Next Actions\n\n"+next)
	}
	before := built("- **A**: a\n- **B**: b\n", "1. one\n2. two\n")
	read := before.Within(brief.Limit{}).Read(before, nil)
	after := built("- ~~**A**: a~~ → **C**\n- **B**: b\n- **C**: c\n", "1. two\n")
	read = after.Since(read).Within(brief.Limit{Bytes: 100}).Read(after, read) // has no room for it
	r := after.Since(read).Within(brief.Limit{})
	want := "\n## Decisions\n\n- **C**: c\n\n## No Longer\n\n- decision: **A**: a\n- next action: one\n\n**Next:** two\n"
	if !strings.HasSuffix(r.Text, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", r.Text, want)
	}
	if again := after.Since(r.Read(after, read)).Within(brief.Limit{}).Text; strings.Contains(again, "No Longer") {
		t.Errorf("told again:\n%s", again)
	}
}

// TestSinceNamesAnEmptiedState checks that Since names a state if nothing has replaced it.
func TestSinceNamesAnEmptiedState(t *testing.T) {
	built := func(state string) *brief.Brief {
		return build(t, "", "## Problem\n\nx\n\n## Current State\n\n"+state)
	}
	before := built("It runs.\n\nNo tests yet.\n")
	read := before.Within(brief.Limit{}).Read(before, nil)
	for state, want := range map[string]string{
		"":          "\n## No Longer\n\n- current state: It runs.\n- current state: No tests yet.\n",
		"It stops.": "\n## Current State\n\nIt stops.\n",
	} {
		got := built(state).Since(read).Within(brief.Limit{}).Text
		if !strings.Contains(got, want) || strings.Contains(got, "No Longer") != (state == "") {
			t.Errorf("state %q: got\n%s\nwant\n%s", state, got, want)
		}
	}
}
