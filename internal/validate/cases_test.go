package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/validate"
)

// TestCases has cases from real files, and cases that almost break a rule.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		name string
		text string
		want string // "CODE line", one each
	}{
		{"status in another case", change(good, "status: current", "status: Current"), ""},
		{"status without a value", change(good, "status: current", "status:"), ""},
		{"short names of files", section("### Next Actions\n\n1. Fix a.go\n2. Edit Makefile\n\n", "## User Rules"), ""},
		{"the problem of the README", section("## Problem\n\nLogins over SSO fail for one user in twenty\n\n", "## Session Intent"), ""},
		{"created without a value", change(good, "created: 2026-01-01T10:00:00Z", "created:"), "CK102 3"},
		{"times with offsets", change(good, "last_delta: 2026-01-02T10:00:00Z", "last_delta: 2026-01-02T11:00:00+01:00"), ""},
		{"delta without last_delta", change(good, "last_delta: 2026-01-02T10:00:00Z\n", ""), "CK105 1"},
		{"delta of a date alone", change(good, "Delta: 2026-01-02T10:00:00Z", "Delta: 2026-01-02"), ""},
		{"deltas of one date", good + delta("2026-01-02"), ""},
		{"deltas of one time", good + delta("2026-01-02T10:00:00Z"), ""},
		{"delta without a stamp", change(good, "## Delta: 2026-01-02T10:00:00Z", "## Delta"), "CK501 65"},
		{"delta with neither part", good[:strings.Index(good, "### What Changed")], "CK503 65; CK504 65"},
		{"delta with a list of artifacts after a table", good + "\n### Notes\n\n- one\n- two\n", ""},

		{"no section at all", "---\ncheckpoint: chk-auth\ncreated: 2026-01-02\n---\n\nhello\n",
			strings.TrimSuffix(strings.Repeat("CK201 1; ", 8), "; ")},
		{"a section in a fence is none", change(good, "### Technical Context\n", "```\n### Technical Context\n```\n"), "CK201 20"},
		{"Spanish headings", change(good, "## Problem", "## Problema", "### Decisions", "### Decisiones del Usuario"), ""},
		{"empty for a rule only", section("### Current State\n\n---\n\n", "### Next Actions"), "CK202 48"},
		{"several empty ones are one finding", section("### Current State\n\n### Next Actions\n\n", "## User Rules"), "CK202 48"},
		{"only the Problem has to move", swap(good, "## Problem", "## Session Intent", "## User Rules"), "CK204 54"},
		{"a section behind a delta", good + "\n## User Rules\n\n- No force push\n", "CK203 83"},
		{"conflict in a fence is an example", change(good, "known yet.\n", "known yet.\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n"), ""},
		{"decision with a because", change(good, "**No new dependency**: the vendor", "No new dependency because the vendor"), ""},
		{"decision struck through", change(good, "- **No new", "- ~~**Use Redis**~~ → **PostgreSQL**\n- **No new"), ""},
		{"decisions in a table", section("### Decisions\n\n| Decision | Why |\n|---|---|\n| Redis | fast |\n| Go | known |\n\n", "### Technical Context"), ""},
		{"decisions that are none", section("### Decisions\n\n- None yet.\n\n", "### Technical Context"), "CK702 20"},

		{"a bar in a cell", change(good, "Reads the table `session`", `a \| b`), ""},
		{"a cell too few", change(good, " | Reads the table `session` |", " |"), "CK211 45"},
		{"statuses in other dress", change(good, "| modified | Reads", "| **Modified** | Reads"), ""},
		{"statuses of a whole table", change(good, "| modified | Reads", "| moved | Reads", "| created | Fails", "| moved | Fails"), "CK213 45"},
		{"an artifact without a status", change(good, "| modified | Reads", "| | Reads"), "CK213 45"},
		{"a trail as a list", section("### Artifact Trail\n\n- `auth/refresh.go`: reads the table\n\n", "### Current State"), ""},
		{"a breadcrumb type in other dress", change(good, "| file |", "| `File` |"), ""},

		{"a placeholder is no id", change(good, "- Never commit", "- Files are called chk-*.md or chk-<name>, see chk-auth.md and chk-auth\n- Never commit"), ""},
		{"an id told once", change(good, "- Never commit", "- See chk-gone, chk-gone.md and checkpoints/archive/chk-gone.md.\n- Never commit"), "CK306 61"},

		{"steps under headings of their own", section("### Play-By-Play\n\n#### Phase 1\n\n- read `a.go`\n\n#### Phase 2\n\n- wrote `b.go`\n\n", "### Artifact Trail"), ""},
		{"steps as paragraphs", section("### Play-By-Play\n\nWe read `a.go`.\n\nWe wrote `b.go`.\n\n", "### Artifact Trail"), ""},
		{"all next actions ticked", change(good, "1. Find", "1. [x] Find", "2. Run", "2. [x] Run"), "CK705 54"},
		{"one next action ticked", change(good, "1. Find", "1. [x] Find"), ""},
		{"next action as a paragraph", section("### Next Actions\n\nKeep going!\n\n", "## User Rules"), "CK801 56"},
		{"vague in bold, ticked box", section("### Next Actions\n\n- [ ] **Continue working.**\n- [x] Continue\n\n", "## User Rules"), "CK801 56"},
		{"a blocker needs no file", section("### Next Actions\n\n1. Read `a.go`\n2. No blockers\n3. Blocked by the review\n\n", "## User Rules"), ""},
		{"exact objects", section("### Next Actions\n\n1. Close ISSUE-007\n2. Analyze source 3 (https://example.com)\n3. Rename parseToken\n4. Release 1.4\n5. Run the tests with -race\n6. Fix #12\n7. Read main.go\n\n", "## User Rules"), ""},
		{"abbreviations and versions in a sentence", change(good, "The lookup reads the table `session` instead of the dropped store.",
			"Reads the table, e.g. Session of v1.2, etc. Now in `auth.go`, not main.go"), ""},
		{"What Changed of two paragraphs", change(good, "instead of the dropped store.", "instead of the dropped store\n\nAnd more"), "CK505 67"},

		{"nothing done yet", section("### Play-By-Play\n\n[]\n\n", "### Artifact Trail"), "CK803 36"},
		{"completed: [] in the header", change(good, "status: current\n", "status: current\ncompleted: []\n"), "CK803 7"},
		{"completed work that is listed", change(good, "known yet.\n", "known yet.\n\n**Completed Work**:\n\n- login\n"), ""},
		{"six in an hour", often(5), ""},
		{"forty in an hour is one finding", often(29), "CK804 65"},
		{"no reference", change(good, "known yet.", "known yet. The alias above, the last messages, the chat and the conversation table work as before."), ""},
		{"two references", change(good, "known yet.\n", "known yet.\n\n- As discussed, no Redis\n- the tests as above\n"), "CK811 54; CK811 55"},
		{"forty lines of code", change(good, "known yet.\n", "known yet.\n\n```go\n"+strings.Repeat("x := 1\n", 40)+"```\n"), ""},
		{"long code in a list", change(good, "known yet.\n", "known yet.\n\n- this:\n  ```go\n"+strings.Repeat("  x := 1\n", 41)+"  ```\n"), "CK812 55"},
		{"long code in a quote", change(good, "known yet.\n", "known yet.\n\n> ~~~\n"+strings.Repeat("> x := 1\n", 41)+"> ~~~\n"), "CK812 54"},
		{"a user in a list", change(good, "known yet.\n", "known yet.\n\n- User: alice\n- Database: shop\n"), ""},
		{"a transcript in Markdown", change(good, "known yet.\n", "known yet.\n\n> **Human:** hello\n>\n> **Claude:** hi\n"), "CK813 54"},
		{"a transcript in JSON", change(good, "known yet.\n", "known yet.\n\n```\n{\"role\": \"user\", \"content\": 1}\n{\"role\": \"assistant\", \"content\": 2}\n```\n"), "CK813 55"},
		{"user talks, nobody answers", change(good, "known yet.\n", "known yet.\n\nUser: mend the login\n"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			for _, f := range validate.Set(read(t, map[string]string{"active/chk-auth.md": c.text}), now).Findings {
				got += fmt.Sprintf("; %s %d", f.Code, f.Line)
			}
			if got = strings.TrimPrefix(got, "; "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestLineage(t *testing.T) {
	fork := func(id, parent string) string {
		return change(good, "chk-auth", id, "status: current", "parent: "+parent)
	}
	files := map[string]string{
		"active/chk-a.md":  fork("chk-a", "chk-c"),
		"active/chk-b.md":  fork("chk-b", "chk-a"),
		"archive/chk-c.md": change(archived, "chk-auth", "chk-c", "anchor: end of phase 1", "parent: chk-b"),
		"active/chk-d.md":  fork("chk-d", "chk-a"),
		"active/chk-e.md":  fork("chk-e", "chk-lost"),
		"active/copy.md":   fork("chk-d", "chk-a"),

		"active/chk-lost.md": "---\ncheckpoint: chk-lost\ncreated: [\n---\n",
	}
	var got []string
	for _, f := range validate.Set(read(t, files), now).Findings {
		got = append(got, fmt.Sprintf("%s:%d %s %s", f.Path, f.Line, f.Code, f.Message))
	}
	want := []string{
		`active/chk-a.md:6 CK304 cycle: chk-a → chk-b → chk-c → chk-a`,
		`active/chk-b.md:6 CK304 cycle: chk-a → chk-b → chk-c → chk-a`,
		`active/chk-d.md:2 CK301 the same id in active/chk-d.md, active/copy.md`,
		`active/chk-e.md:6 CK302 parent "chk-lost" cannot be read (active/chk-lost.md)`,
		`active/chk-lost.md:3 CK101 cannot be read: frontmatter is not YAML: line 3: did not find expected node content`,
		`active/copy.md:2 CK301 the same id in active/chk-d.md, active/copy.md`,
		`active/copy.md:2 CK305 the file is called "copy.md", and its id is "chk-d"`,
		`archive/chk-c.md:4 CK304 cycle: chk-a → chk-b → chk-c → chk-a`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s", strings.Join(got, "\n"))
	}
}

func TestLongLists(t *testing.T) {
	files := map[string]string{}
	for i := range 9 {
		id := fmt.Sprintf("chk-%d", i)
		files["active/"+id+".md"] = change(good, "chk-auth", id, "status: current", fmt.Sprintf("status: current\nparent: chk-%d", (i+8)%9))
	}
	r := validate.Set(read(t, files), now)
	for _, f := range r.Findings[:2] {
		switch f.Code {
		case "CK402":
			if want := `"chk-0" is marked current, and so is active/chk-1.md, active/chk-2.md, active/chk-3.md, active/chk-4.md, active/chk-5.md and 3 more`; f.Message != want {
				t.Error(f.Message)
			}
		}
	}
	if len(r.Findings) != 18 {
		t.Errorf("%d findings", len(r.Findings))
	}
}

func TestWithoutATime(t *testing.T) {
	c, err := checkpoint.Parse("active/chk-auth.md", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if found := validate.Checkpoint(c, time.Time{}); len(found) > 0 {
		t.Error(found)
	}
	if found := validate.Checkpoint(c, now.AddDate(1, 0, 0)); len(found) != 1 || found[0].Code != "CK708" {
		t.Error(found)
	}
}

// TestNewFile: a file of `ckpt new` has no warning, and one advice for all its empty sections.
func TestNewFile(t *testing.T) {
	c, err := revise.Create(revise.Spec{ID: "chk-new", Problem: "Logins fail"}, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	empty := 0
	for _, f := range validate.Checkpoint(c, now) {
		if f.Severity != result.Advice {
			t.Error(show(f))
		}
		if f.Code == "CK202" {
			empty++
		}
	}
	if empty != 1 {
		t.Errorf("%d findings about empty sections", empty)
	}
}

// TestOurOwnChanges checks that a valid file stays valid after changes by ckpt.
func TestOurOwnChanges(t *testing.T) {
	c, err := checkpoint.Parse("active/chk-auth.md", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	c, err = revise.Begin(c).AppendDelta(checkpoint.Delta{At: now, Changed: "The test passes."}, "").Decide("No Redis", "one store less", "").Apply()
	if err != nil {
		t.Fatal(err)
	}
	done, err := revise.Archive(c, "Login survives", []string{"Read the schema first", "Test with old tokens"}, now)
	if err != nil {
		t.Fatal(err)
	}
	open, _, err := revise.Reopen(done, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*checkpoint.Checkpoint{c, done, open} {
		for _, f := range validate.Checkpoint(c, now) {
			t.Error(show(f))
		}
	}
}
