package importing

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

var now = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

func TestWhatGoesWhere(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want map[string]string // the text that a section must have
	}{
		"a section takes what is below it": {
			"## Decisions\n\n### Use Go\n\n#### Next Steps\n\nIt is fast.\n\n## Other\n\nx\n",
			map[string]string{"Decisions": "#### Use Go\n\n##### Next Steps (NOTES.md)\n\nIt is fast.", "Imported": "### Other\n\nx"},
		},
		"a heading without text goes with those below it": {
			"## This week\n\n### Done\n\n- a\n\n### Next\n\n- b\n",
			map[string]string{"Play-By-Play": "#### This week\n\n##### Done\n\n- a", "Next Actions": "#### This week\n\n##### Next\n\n- b", "Imported": ""},
		},
		"the newest session of a log counts": {
			"# Log\n## 2026-01-01\n### Next\n- old\n## 2026-01-02\n### Next\n- new\n",
			map[string]string{"Next Actions": "#### 2026-01-02\n\n##### Next\n\n- new", "Imported": "### 2026-01-01\n\n#### Next\n\n- old"},
		},
		"what is next of several parts": {
			"## Desk\n### Next\n- a\n## Chair\n### Next\n- b\n",
			map[string]string{"Next Actions": "#### Desk\n\n##### Next\n\n- a\n\n#### Chair\n\n##### Next\n\n- b"},
		},
		"what stands above the sessions counts before them": {
			"# Work\n## Next\n- new\n## 2026-01-01\n### Next\n- old\n",
			map[string]string{"Next Actions": "#### Next\n\n- new\n\n#### 2026-01-01\n\n##### Next\n\n- old"},
		},
		"headings stay, so that none turns the text below another around": {
			"## Do not\n\n- push to main\n\n## Rules\n\n- ask\n",
			map[string]string{"User Rules": "### Do not\n\n- push to main\n\n### Rules\n\n- ask"},
		},
		"a file that is one section": {
			"# TODO\n- a\n## Later\n- b\n",
			map[string]string{"Next Actions": "#### TODO\n\n- a\n\n#### Later\n\n- b", "Imported": ""},
		},
		"headings below a state that say what is next, or done": {
			"## State\n\n- red\n\n### Done\n\n- a\n\n### Remaining\n\n- b\n\n### Tests\n\n- c\n",
			map[string]string{"Current State": "#### State\n\n- red\n\n##### Tests\n\n- c", "Play-By-Play": "#### Done\n\n- a", "Next Actions": "#### Remaining\n\n- b"},
		},
		"a label in a section has the list below it, and what follows stays": {
			"## Release\n\nIt is close.\n\nNot yet done:\n\n- a\n\nThe rest can wait.\n",
			map[string]string{"Next Actions": "#### Not yet done:\n\n- a", "Imported": "### Release\n\nIt is close.\n\nThe rest can wait."},
		},
		"a label does not count where a heading says what is next": {
			"## Release\n\nNot yet done:\n- a\n\n## Next steps\n\n- b\n",
			map[string]string{"Next Actions": "#### Next steps (NOTES.md)\n\n- b", "Imported": "### Release\n\nNot yet done:\n- a"},
		},
		"a label in the middle of a sentence is none": {
			"## Notes\n\nWe do what comes\nnext: the parser.\n",
			map[string]string{"Next Actions": "", "Imported": "### Notes\n\nWe do what comes\nnext: the parser."},
		},
		"a label of the writer's own ends the one before it": {
			"Done:\n- **Parser:** a\nOpen questions:\n- b\n",
			map[string]string{"Play-By-Play": "#### Done:\n\n- **Parser:** a", "Imported": "Open questions:\n- b"},
		},
		"a label directly below a list is not part of it": {
			"## Notes\n\n- a\n  goes on\nNext:\n- b\n**Now:** c\n",
			map[string]string{"Next Actions": "#### Next:\n\n- b", "Imported": "### Notes\n\n- a\n  goes on\n\n**Now:** c"},
		},
		"labels in the list of a label": {
			"- Goal:\n  - g\n- State:\n  - Done:\n    - a\n  - Now:\n    - b\n  - Next:\n    - c\n  - Open questions:\n    - d\n- Working set:\n  - e\n",
			map[string]string{"Session Intent": "### Goal:\n\n- g", "Play-By-Play": "#### Done:\n\n- a", "Current State": "#### State:\n\n#### Now:\n\n- b", "Next Actions": "#### Next:\n\n- c", "Imported": "  - Open questions:\n    - d"},
		},
		"empty sections, also those that the format does not require": {
			"# Goal\nShip it\n\n## User Rules\n\n## Decisions\n\n## Next Actions\n1. fix a.go\n\n## Breadcrumbs\n",
			map[string]string{"User Rules": "", "Decisions": "", "Next Actions": "1. fix a.go", "Breadcrumbs": ""},
		},
		"headings with a checkbox": {
			"## [x] 1. Till\n\nBy hand.\n\n## [ ] 2. Paint\n\nBlue.\n",
			map[string]string{"Play-By-Play": "#### [x] 1. Till\n\nBy hand.", "Next Actions": "#### [ ] 2. Paint\n\nBlue."},
		},
		"checkboxes count where nothing says what is next": {
			"## Till\n- [x] a\n- [ ] b\n## Paint\n- [x] c\n## Skipped\n- [ ] d (deferred)\n",
			map[string]string{"Next Actions": "#### Till\n\n- [ ] b", "Play-By-Play": "#### Till\n\n- [x] a\n\n#### Paint\n\n- [x] c", "Imported": "### Skipped\n\n- [ ] d (deferred)"},
		},
		"and else stay where they are": {
			"## Ready when\n- [ ] a\n## Next\n- b\n",
			map[string]string{"Next Actions": "#### Next\n\n- b", "Imported": "### Ready when\n\n- [ ] a"},
		},
		"a table of tasks that are not all done": {
			"## Progress\n\n| Task | Status |\n|---|---|\n| a | DONE |\n| b | Pending |\n",
			map[string]string{"Play-By-Play": "", "Next Actions": "#### Progress\n\n| Task | Status |\n|---|---|\n| a | DONE |\n| b | Pending |"},
		},
		"with what to go on before what is open": {
			"## Not started\n- a\n## Next steps\n- b\n",
			map[string]string{"Next Actions": "#### Next steps (NOTES.md)\n\n- b\n\n#### Not started\n\n- a"},
		},
		"below Progress as a title nothing is done that does not say so": {
			"# Progress\n\n## Phase 1\n- a\n## Phase 2 (done)\n- b\n",
			map[string]string{"Play-By-Play": "#### Phase 2 (done)\n\n- b", "Imported": "### Phase 1\n\n- a"},
		},
		"a session that says nothing of what is next is the newest all the same": {
			"## Session 1\nNext:\n- a\n## Session 2\nCompleted:\n- b\n",
			map[string]string{"Next Actions": "", "Play-By-Play": "#### Session 2\n\n##### Completed:\n\n- b", "Imported": "### Session 1\n\nNext:\n- a"},
		},
		"other languages stay whole": {
			"# Stan\n\n## Następne kroki\n\n- a\n\n## Lépések\n\n- b\n",
			map[string]string{"Next Actions": "", "Imported": "### Następne kroki\n\n- a\n\n### Lépések\n\n- b"},
		},
		"headings in a fence are text": {
			"## Done\n```\n## Next\n```\n",
			map[string]string{"Play-By-Play": "#### Done\n\n```\n## Next\n```", "Next Actions": ""},
		},
		"a fence that never closes stays in its section": {
			"## Notes\n```\n## Next\nx\n",
			map[string]string{"Imported": "### Notes\n\n```\n## Next\nx\n```"},
		},
		"frontmatter of somebody else's": {
			"---\nstatus: Phase 3: done\n---\n## Next\n- b\n",
			map[string]string{"Imported": "```yaml\n---\nstatus: Phase 3: done\n---\n```", "Next Actions": "#### Next\n\n- b"},
		},
		"a rule that opens the file and is no frontmatter": {
			"---\n\n## Next\n- b\n\nWhatever: it is\n",
			map[string]string{"Next Actions": "#### Next\n\n- b\n\nWhatever: it is"},
		},
		"no heading at all": {
			"Call the bank.\n",
			map[string]string{"Imported": "Call the bank."},
		},
		"a heading with a line below it": {
			"Next\n----\n\n- b\n\nWhatever\n--------\n\nx\n",
			map[string]string{"Next Actions": "#### Next\n\n- b", "Imported": "### Whatever\n\nx"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			made, _ := imported(t, "NOTES.md", c.text)
			for title, want := range c.want {
				if got := sectionText(made, title); got != want {
					t.Errorf("%s:\n%s\nwant:\n%s\nin:\n%s", title, got, want, made.Doc.Bytes())
				}
			}
		})
	}
}

func TestForms(t *testing.T) {
	const body = "## Problem\n\nx\n\n## Session Intent\n\ny\n\n## Essential Information\n\n### Decisions\n\n- z\n"
	for _, c := range []struct {
		name, text string
		form       string
		id         string
	}{
		{"HANDOFF.md", "## Next\n- a\n", Notes, "chk-handoff"},
		{"docs/auth/HANDOFF.md", "## Next\n- a\n", Notes, "chk-handoff"},
		{"activeContext.md", "x\n", Notes, "chk-activecontext"},
		{".claude/handoffs/HANDOFF-2025-01-02-1630.md", "x\n", Notes, "chk-handoff-2025-01-02-1630"},
		{"計画.md", "x\n", Notes, "chk-imported"},
		{"chk-Old.md", body, Checkpoint, "chk-Old"},
		{"any.md", body, Checkpoint, "chk-any"},
		{"any.md", "---\ncheckpoint: session-1\ncreated: 2025-01-01\n---\n" + body, Checkpoint, "session-1"},
		{"LEARNINGS.md", "- a\n", Learnings, ""},
		{"lessons-learned.md", "- a\n", Learnings, ""},
	} {
		d := read(t, c.name, c.text)
		if d.Form != c.form {
			t.Errorf("%s is %s, want %s", c.name, d.Form, c.form)
		}
		if c.id == "" {
			continue
		}
		if id := d.Name(c.name, func(string) bool { return false }); id != c.id {
			t.Errorf("%s becomes %s, want %s", c.name, id, c.id)
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	used := map[string]bool{}
	var got []string
	for range 4 {
		id := (&Draft{}).Name("docs/auth/HANDOFF.md", func(id string) bool { return used[id] })
		used[id] = true
		got = append(got, id)
	}
	if want := "chk-handoff chk-auth-handoff chk-handoff-2 chk-handoff-3"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestNameAmongMany checks that Name finds a free number for one of many rows with one id without trying each number.
func TestNameAmongMany(t *testing.T) {
	used, asked := map[string]bool{}, 0
	for i := range 5000 {
		id := (&Draft{ID: "chk-run"}).Name("runs.jsonl", func(id string) bool { asked++; return used[id] })
		want := "chk-run"
		if i > 0 {
			want += fmt.Sprintf("-%d", i+1)
		}
		if id != want {
			t.Fatalf("got %s, want %s", id, want)
		}
		used[id] = true
	}
	if asked > 200_000 {
		t.Errorf("looked for %d names", asked)
	}
}

func TestDates(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"frontmatter":             {"a-2025-02-02.md", "---\nupdated: 2025-04-04\ndate: 2025-03-03T04:05:06+02:00\n---\nx\n", "2025-03-03T02:05:06Z"},
		"the name":                {"HANDOFF-2025-02-02-1630.md", "# On 2025-03-03\n", "2025-02-02T16:30:00Z"},
		"the title":               {"a.md", "# HANDOFF - 2025-01-02 16:30\n\nDate: 2025-05-05\n", "2025-01-02T16:30:00Z"},
		"a line":                  {"a.md", "# A\n\n- **Last updated:** 2025-05-05\n", "2025-05-05T00:00:00Z"},
		"not in a sentence":       {"a.md", "# A\n\nWe saw it on 2025-05-05 first.\n", ""},
		"not in an example":       {"a.md", "```\nDate: 2025-05-05\n```\n", ""},
		"a zone":                  {"a.md", "Date: 2025-05-05 22:23 UTC\n", "2025-05-05T22:23:00Z"},
		"an offset":               {"a.md", "Date: 2025-05-05T22:23:07+02:00\n", "2025-05-05T20:23:07Z"},
		"a zone of several":       {"a.md", "Date: 2025-05-05 22:23 CST\n", "2025-05-05T00:00:00Z"},
		"a word behind the time":  {"a.md", "Date: 2025-05-05 22:23 by Ann\n", "2025-05-05T22:23:00Z"},
		"nothing that is to come": {"a.md", "Date: 2027-05-05\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := read(t, c.file, c.text)
			want, _ := checkpoint.ParseTime(c.want) // zero for ""
			if !d.Made.Equal(want) {
				t.Errorf("made %s, want %q", d.Made, c.want)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"zero byte":       {"a\n\x00", "a.md: line 2: a zero byte: this is not text; Markdown in UTF-8 is expected"},
		"Latin-1":         {"a\nb\ncaf\xe9\n", "a.md: line 3: the byte 0xe9 is not UTF-8; Markdown in UTF-8 is expected"},
		"UTF-16":          {"\xff\xfea\x00", "a.md: line 1: this is UTF-16; Markdown in UTF-8 is expected"},
		"nothing":         {" \n\n", "a.md: it is empty"},
		"a merge's marks": {"a\n\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", "a.md: line 3: a merge conflict is left in the file"},
		"a bad header":    {"---\ncheckpoint: chk-a\nparent: [\n---\nx\n", "a.md: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(Source{Name: "a.md", Files: []File{{Text: []byte(c.text)}}}, now)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || fault.KindOf(err) != fault.Invalid {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestCheckpointsStayAsTheyAre(t *testing.T) {
	const text = "---\ncheckpoint: chk-a # mine\ncreated: 2025-01-01\nowner: [ana]\nstatus: done\n---\n## Problem\n\nx\n\n## Mine\n\n* y\n"
	made, d := imported(t, "a.md", text)
	got := string(made.Doc.Bytes())
	for _, want := range []string{"checkpoint: chk-a # mine\n", "owner: [ana]\n", "status: active\n", "\n## Mine\n\n* y\n", "imported_status: done\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if d.ID != "chk-a" || d.Finished {
		t.Errorf("got %+v", d)
	}
}

func TestFinishedGoesToTheArchive(t *testing.T) {
	made, _ := imported(t, "a.md", "---\ncheckpoint: chk-a\ncreated: 2025-01-01\nstatus: current\n---\n## Problem\n\nx\n\n## Completion\n\n- **Outcome**: y\n")
	if made.Path != "archive/chk-a.md" || made.Field("status") != "" {
		t.Errorf("%s:\n%s", made.Path, made.Doc.Bytes())
	}
}

func TestMemoryBank(t *testing.T) {
	files := []File{
		{"progress.md", []byte("# Progress\n\n## What Works\n\n- login\n\n## Milestones\n\n- M1\n")},
		{"techContext.md", []byte("# Tech Context\n\n## Setup\n\n- Go 1.26\n\n## Constraints\n\n- No cgo\n")},
		{"notes/x.md", []byte("# X\n\ny\n")},
		{"projectbrief.md", []byte("# Brief\n\nBuild it.\n")},
	}
	if !IsBank([]string{"progress.md", "tech-context.md"}) || IsBank([]string{"progress.md", "a/activeContext.md"}) {
		t.Error("a memory bank is two of its files, side by side")
	}
	InOrder(files)
	s := Source{Name: "memory-bank", Files: files}
	d, err := Read(s, now)
	if err != nil {
		t.Fatal(err)
	}
	made, err := d.Checkpoint(d.Name(s.Name, func(string) bool { return false }), checkpoint.Active)
	if err != nil {
		t.Fatal(err)
	}
	for title, want := range map[string]string{
		"Session Intent":    "### Brief\n\nBuild it.",
		"Technical Context": "#### Tech Context (techContext.md)\n\n##### Setup\n\n- Go 1.26",
		"User Rules":        "### Constraints\n\n- No cgo",
		"Current State":     "#### Progress\n\n##### What Works\n\n- login",
		"Imported":          "### progress.md\n\n#### Progress\n\n##### Milestones\n\n- M1\n\n### notes/x.md\n\n#### X\n\ny",
	} {
		if got := sectionText(made, title); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", title, got, want)
		}
	}
}

func TestLedger(t *testing.T) {
	first, err := read(t, "LEARNINGS.md", "# Mine\n\n- a\n").Ledger(nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := read(t, "LEARNINGS.md", "# Theirs\n\n## 2025-01-01 — chk-b\n- b\n").Ledger(first)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(second), "# Mine\n\n- a\n\n<!-- imported: LEARNINGS.md sha256:") || len(Marked(second)) != 2 ||
		!strings.Contains(string(second), "\n## Imported from LEARNINGS.md\n\n### Theirs\n\n#### 2025-01-01 — chk-b\n- b\n") {
		t.Errorf("got\n%s", second)
	}
}

func read(t *testing.T, name, text string) *Draft {
	t.Helper()
	d, err := Read(Source{Name: name, Files: []File{{Text: []byte(text)}}}, now)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func imported(t *testing.T, name, text string) (*checkpoint.Checkpoint, *Draft) {
	t.Helper()
	d := read(t, name, text)
	id := d.Name(name, func(string) bool { return false })
	made, err := d.Checkpoint(id, checkpoint.Active)
	if err != nil {
		t.Fatal(err)
	}
	return made, d
}

// sectionText returns the text of the section with a title, or "" if there is none.
func sectionText(c *checkpoint.Checkpoint, title string) string {
	if k, ok := checkpoint.KindNamed(title); ok {
		return c.Text(k)
	}
	for _, s := range c.Doc.Sections() {
		if s.Title == title {
			return c.Doc.Text(doc.Span{Start: s.Heading.End, End: s.Whole.End})
		}
	}
	return ""
}
