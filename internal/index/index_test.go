package index

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
)

const (
	title = "# Active Checkpoints\n\n"
	head  = "| Checkpoint | Description | Last Updated |\n|------------|-------------|--------------|\n"
	rowA  = "| chk-a | The a is missing. | 2026-01-01 |\n"
	rowB  = "| chk-b | The b is missing. | 2026-01-02 |\n"
	sumA  = "## chk-a\n\n**Problem**: The a is missing.\n\n**Scope**: Write a.\n\n**Status**: Working on a\n"
	sumB  = "## chk-b\n\n**Problem**: The b is missing.\n\n**Scope**: Write b.\n\n**Status**: Working on b\n"
	both  = title + head + rowB + rowA + "\n---\n\n" + sumB + "\n---\n\n" + sumA
	onlyA = title + head + rowA + "\n---\n\n" + sumA
	onlyB = title + head + rowB + "\n---\n\n" + sumB
	none  = title + head + "\n---\n\n*No active checkpoints.*\n"
)

func TestNew(t *testing.T) {
	for _, tc := range []struct{ name, set, want string }{
		{"none", "", none},
		{"one", "a", onlyA},
		{"the last changed first", "a b", both},
	} {
		if got := string(New(folder(t, tc.set), false)); got != tc.want {
			t.Errorf("%s:\n%s\nwant:\n%s", tc.name, got, tc.want)
		}
	}
	want := "# Archived Checkpoints\n\n" + head + "| chk-z | The z is missing. | 2026-01-26 |\n\n---\n\n" +
		"## chk-z\n\n**Problem**: The z is missing.\n\n**Scope**: Write z.\n\n**Outcome**: z is done\n"
	if got := string(New(folder(t, "a Z"), true)); got != want {
		t.Errorf("archived:\n%s", got)
	}
}

func TestSync(t *testing.T) {
	hand := "# My index\r\n\r\nIntro.\r\n\r\n| Who | Checkpoint | Last Updated | Description |\r\n|---|:--|---|---|\r\n" +
		"| me  | [chk-a](chk-a.md) |  2025-12-30  | by \\| hand |\r\n\r\n## Notes\r\n\r\nnotes\r\n\r\n### `chk-a` — the first\r\n\r\n**Status**: mine"
	for _, tc := range []struct {
		name, src, set string
		want           string // "": as src
		why            string
	}{
		{"in step", both, "a b", "", ""},
		{"in step, nothing there", none, "", "", ""},
		{"nothing there, said otherwise", title + head + "\n*No active checkpoints. Create one with \"checkpoint\" command.*\n", "", "", ""},
		{"nothing there, nothing said", title + head, "", "", ""},
		{"an empty file", " \n", "a b", both, "is empty"},
		{"the first", none, "a", onlyA, "does not list chk-a; says that there are no checkpoints; has no summary of chk-a"},
		{"the first, no rule", title + head + "\nNo active checkpoints.", "a", strings.TrimSuffix(onlyA, "\n"), "does not list chk-a; says that there are no checkpoints; has no summary of chk-a"},
		{"two at once", none, "a b", both, "does not list chk-b; does not list chk-a; says that there are no checkpoints; has no summary of chk-b; has no summary of chk-a"},
		{"a newer one", onlyA, "a b", both, "does not list chk-b; has no summary of chk-b"},
		{"an older one", onlyB, "a b", both, "does not list chk-a; has no summary of chk-a"},
		{"the first goes", both, "a", onlyA, "lists chk-b, which is not in active/; tells of chk-b, which is not in active/"},
		{"the last goes", both, "b", onlyB, "lists chk-a, which is not in active/; tells of chk-a, which is not in active/"},
		{"all go", both, "", none, "lists chk-b, which is not in active/; lists chk-a, which is not in active/; tells of chk-b, which is not in active/; tells of chk-a, which is not in active/"},
		{"all change", onlyA, "b", onlyB, "lists chk-a, which is not in active/; does not list chk-b; tells of chk-a, which is not in active/; has no summary of chk-b"},
		{"archived is gone", both, "a B", onlyA, "lists chk-b, which is not in active/; tells of chk-b, which is not in active/"},
		{"a date", strings.Replace(both, "2026-01-02", "2025-12-31T10:00:00Z", 1), "a b", both, `dates chk-b "2025-12-31T10:00:00Z", and it changed on 2026-01-02`},
		{"a date of another form", strings.Replace(both, "2026-01-02", "2026-01-02 (delta 3)", 1), "a b", "", ""},
		{"no date", strings.Replace(both, " 2026-01-02 ", " ", 1), "a b", both, `dates chk-b "", and it changed on 2026-01-02`},
		{"a word for a date", strings.Replace(both, "2026-01-02", "today", 1), "a b", both, `dates chk-b "today", and it changed on 2026-01-02`},
		{"words by hand", strings.ReplaceAll(both, "The b is missing.", "My words"), "a b", "", ""},
		{"an unreadable file", both, "a !b", "", ""},
		{"a row twice", strings.Replace(both, rowA, rowA+rowA, 1), "a b", both, "lists chk-a twice"},
		{"no row", strings.Replace(both, rowA, "", 1), "a b", both, "does not list chk-a"},
		{"no summary", strings.Replace(both, sumB+"\n---\n\n", "", 1), "a b", both, "has no summary of chk-b"},
		{"only a table", title + head + rowB, "a b", title + head + rowB + rowA, "does not list chk-a"},
		{"only summaries", title + sumB, "a b", title + sumB + "\n" + sumA, "has no summary of chk-a"},
		{"no table, no summary", title + "Intro.\n\n## Notes\n", "a", title + "Intro.\n\n" + head + rowA + "\n---\n\n" + sumA + "\n## Notes\n",
			"has no table of checkpoints; does not list chk-a; has no summary of chk-a"},
		{"text and sections of others", title + head + rowB + rowA + "\nText.\n\n" + sumB + "\nMore.\n\n" + sumA + "\n## Notes\n\nNotes.\n", "a",
			title + head + rowA + "\nText.\n\n" + sumA + "\n## Notes\n\nNotes.\n", "lists chk-b, which is not in active/; tells of chk-b, which is not in active/"},
		{"before a section of others", onlyB + "\n---\n\n## Notes\n", "a b", both + "\n---\n\n## Notes\n", "does not list chk-a; has no summary of chk-a"},
		{"headings that are not ours", both + "\n## a note\n\n## Auth\n\n## chk-\n", "a b", "", ""},
		{"a placeholder row", title + head + "| none | | |\n", "", "", ""},
		{"by hand, in step but for the date", hand, "a", strings.Replace(hand, "2025-12-30", "2026-01-01", 1), `dates chk-a "2025-12-30", and it changed on 2026-01-01`},
		{"by hand, one more", strings.Replace(hand, "2025-12-30", "2026-01-01", 1), "a b",
			strings.NewReplacer("2025-12-30", "2026-01-01", "| me ", "|  | chk-b | 2026-01-02 | The b is missing. |\r\n| me ",
				"### `chk-a`", strings.ReplaceAll("#"+sumB+"\n", "\n", "\r\n")+"### `chk-a`").Replace(hand), "does not list chk-b; has no summary of chk-b"},
		{"a table in a fence", "# I\n\n```\n" + head + rowB + "```\n", "", "", ""},
		{"a fence that never closes", title + head + rowA + "\n```\n", "a b", title + head + rowB + rowA + "\n```\n", "does not list chk-b"},
		{"a comment that never closes", title + "<!--\n", "a", "", "has no table of checkpoints"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set := folder(t, tc.set)
			want := tc.want
			if want == "" {
				want = tc.src
			}
			got := string(Sync([]byte(tc.src), set, false))
			if got != want {
				t.Fatalf("got:\n%q\nwant:\n%q", got, want)
			}
			if why := strings.Join(Check([]byte(tc.src), set, false), "; "); !strings.HasPrefix(why, tc.why) || (tc.why == "") != (why == "") {
				t.Errorf("why: %q, want %q", why, tc.why)
			}
		})
	}
}

// What ckpt wrote follows the checkpoint; what somebody wrote does not.
func TestFollowIndex(t *testing.T) {
	before, after := folder(t, "a b"), folder(t, "a b+")
	want := strings.NewReplacer("2026-01-02", "2026-02-02", "Working on b", "b works").Replace(both)
	if got := string(Follow([]byte(both), before, after, false)); got != want {
		t.Errorf("got:\n%s", got)
	}
	mine := strings.ReplaceAll(both, "Working on b", "My words")
	if got := string(Follow([]byte(mine), before, after, false)); got != strings.Replace(mine, "2026-01-02", "2026-02-02", 1) {
		t.Errorf("by hand:\n%s", got)
	}
	open := strings.ReplaceAll(both, "Working on b", "—")
	if got := string(Sync([]byte(open), before, false)); got != both {
		t.Errorf("not said yet:\n%s", got)
	}
}

// The index files of the project that the format comes from, in step and not.
func TestRealIndex(t *testing.T) {
	real := title + head + "| chk-stop | Stop hook for auto-checkpointing | 2026-01-06 |\n| chk-cli | init, doctor, prime commands + v1.7.0 release | 2026-01-03 |\n\n---\n\n" +
		"## chk-stop\n\n**Problem**: Users forget to checkpoint before ending sessions\n\n**Scope**: Stop hook that detects meaningful work\n\n**Status**: Working - hook blocks on Write/Edit detection\n\n---\n\n" +
		"## chk-cli\n\n**Problem**: CLI onboarding friction - manual setup\n\n**Scope**: Add init, doctor (with --fix)\n\n**Status**: Complete - v1.7.0 released and merged to main\n"
	set := &checkpoint.Set{All: []*checkpoint.Checkpoint{
		parse(t, "active/chk-stop.md", "chk-stop", "2026-01-06T03:25:50Z", "Users forget.", "Implement.", "- Stop hook fully working"),
		parse(t, "active/chk-cli.md", "chk-cli", "2026-01-03T14:53:01Z", "CLI onboarding friction: x.", "Add three commands:\n- init", "- v1.7.0 released"),
	}}
	if got := string(Sync([]byte(real), set, false)); got != real {
		t.Errorf("in step, and changed:\n%s", got)
	}
	archived := parse(t, "archive/chk-cli.md", "chk-cli", "2026-01-03T14:53:01Z", "CLI onboarding friction: x.", "Add.", "- v1.7.0 released")
	set.All[1] = archived
	want := real[:strings.Index(real, "| chk-cli")] + real[strings.Index(real, "\n---"):strings.LastIndex(real, "\n---")]
	if got := string(Sync([]byte(real), set, false)); got != want {
		t.Errorf("archived:\n%s\nwant:\n%s", got, want)
	}
}

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "",
		"One. Two.":                          "One.",
		"One\nline\n\nTwo.":                  "One line",
		"Do this, e.g. that. Then.":          "Do this, e.g. that.",
		"v1.2.3 is out":                      "v1.2.3 is out",
		"Three things:\n- a\n- b":            "Three things…",
		"- first point\n- second":            "first point",
		"- [x] done. More":                   "done.",
		"```go\ncode\n```\n\nText":           "code",
		"**Bold claim.** And more.":          "**Bold claim.**",
		"Did it (really)? Yes!":              "Did it (really)?",
		"> quoted text. more":                "quoted text.",
		"### Sub\ntext":                      "Sub text",
		"línea única. otra":                  "línea única.",
		"Ends in a table\n| a | b |\n|--|--": "Ends in a table",
	} {
		if got := sentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := clip(strings.Repeat("word ", 50), 20); got != "word word word…" || clip("", 9) != "—" {
		t.Errorf("clip: %q", got)
	}
}

// folder makes a set out of names: "a" is active, "Z" archived, "!b" a file that
// cannot be read, "b+" has moved on.
func folder(t testing.TB, names string) *checkpoint.Set {
	t.Helper()
	s := &checkpoint.Set{}
	for _, name := range strings.Fields(names) {
		if id, unreadable := strings.CutPrefix(name, "!"); unreadable {
			s.Broken = append(s.Broken, checkpoint.Broken{Path: "active/chk-" + id + ".md", Err: errors.New("torn")})
			continue
		}
		name, moved := strings.CutSuffix(name, "+")
		id := strings.ToLower(name)
		path, month, state := "active/chk-"+id+".md", 1, "Working on "+id
		if id != name {
			path = "archive/chk-" + id + ".md"
		}
		if moved {
			month, state = 2, id+" works"
		}
		created := fmt.Sprintf("2026-%02d-%02d", month, id[0]-'a'+1)
		s.All = append(s.All, parse(t, path, "chk-"+id, created, "The "+id+" is missing. Why?", "Write "+id+".", state+"\nmore"))
	}
	slices.SortFunc(s.All, func(a, b *checkpoint.Checkpoint) int { return strings.Compare(a.Path, b.Path) })
	return s
}

func parse(t testing.TB, path, id, created, problem, intent, state string) *checkpoint.Checkpoint {
	t.Helper()
	text := fmt.Sprintf("---\ncheckpoint: %s\ncreated: %s\n---\n\n## Problem\n%s\n\n## Session Intent\n%s\n\n### Current State\n%s\n", id, created, problem, intent, state)
	if checkpoint.InArchive(path) {
		text += "\n## Completion\n- **Outcome**: " + strings.TrimPrefix(id, "chk-") + " is done\n"
	}
	c, err := checkpoint.Parse(path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}
