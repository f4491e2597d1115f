package learnings

import (
	"strings"
	"testing"
	"time"
)

var day = time.Date(2026, 1, 2, 23, 30, 0, 0, time.FixedZone("", 3600))

func TestAdd(t *testing.T) {
	for _, tc := range []struct{ name, src, learnings, want string }{
		{"an empty file", "", "one|two", "# Learnings\n\n## 2026-01-02 — chk-a\n- one\n- two\n"},
		{"blank lines", "\r\n\r\n", "one", "# Learnings\r\n\r\n## 2026-01-02 — chk-a\r\n- one\r\n"},
		{"a byte order mark", "\xef\xbb\xbf", "one", "\xef\xbb\xbf# Learnings\n\n## 2026-01-02 — chk-a\n- one\n"},
		{"wrapped, twice, none", "", " one\n  two |one two|None noted.| ", "# Learnings\n\n## 2026-01-02 — chk-a\n- one two\n"},
		{"a title only", "# Learnings\n", "one", "# Learnings\n\n## 2026-01-02 — chk-a\n- one\n"},
		{"newest first", "# Learnings\n\n## 2025-12-27 — chk-o\n- old\n", "one", "# Learnings\n\n## 2026-01-02 — chk-a\n- one\n\n## 2025-12-27 — chk-o\n- old\n"},
		{"the same day", "## 2026-01-02 — chk-o\n- old\n", "one", "## 2026-01-02 — chk-a\n- one\n\n## 2026-01-02 — chk-o\n- old\n"},
		{"below a newer one", "## 2026-01-03 — chk-n\n- new\n\n## 2026-01-01 — chk-o\n- old\n", "one",
			"## 2026-01-03 — chk-n\n- new\n\n## 2026-01-02 — chk-a\n- one\n\n## 2026-01-01 — chk-o\n- old\n"},
		{"oldest first", "# L\n## 2025-12-27 — chk-o\n- old\n## 2025-12-28 — chk-p\n- new\n", "one",
			"# L\n## 2025-12-27 — chk-o\n- old\n## 2025-12-28 — chk-p\n- new\n\n## 2026-01-02 — chk-a\n- one\n"},
		{"oldest first, a section behind", "## 2025-12-27 — chk-o\n- old\n## 2025-12-28 — chk-p\n- new\n\n## Notes\nText\n", "one",
			"## 2025-12-27 — chk-o\n- old\n## 2025-12-28 — chk-p\n- new\n\n## 2026-01-02 — chk-a\n- one\n\n## Notes\nText\n"},
		{"no entry yet", "# Learnings\n\nIntro.\n\n- loose\n\n### Tools\n- tool\n", "one",
			"# Learnings\n\nIntro.\n\n- loose\n\n### 2026-01-02 — chk-a\n- one\n\n### Tools\n- tool\n"},
		{"no heading", "- loose\n", "one", "- loose\n\n## 2026-01-02 — chk-a\n- one\n"},
		{"frontmatter only", "---\na: b\n---\n", "one", "---\na: b\n---\n\n## 2026-01-02 — chk-a\n- one\n"},
		{"CRLF, no last newline", "# L\r\n\r\n- x", "one", "# L\r\n\r\n- x\r\n\r\n## 2026-01-02 — chk-a\r\n- one"},
		{"blank lines at the end", "# L\n\n\n", "one", "# L\n\n## 2026-01-02 — chk-a\n- one\n\n\n"},
		{"the level of the others", "# L\n### 2025-12-27 — chk-o\n- old\n", "one", "# L\n### 2026-01-02 — chk-a\n- one\n\n### 2025-12-27 — chk-o\n- old\n"},
		{"extended", "## 2026-01-02 — chk-a\n* one\n  more\n\nText.\n\n## Notes\n", "two", "## 2026-01-02 — chk-a\n* one\n  more\n- two\n\nText.\n\n## Notes\n"},
		{"extended behind numbers", "## 2026-01-02 – chk-a\n 8) one\n 9) two", "two|three|four", "## 2026-01-02 – chk-a\n 8) one\n 9) two\n- three\n- four"},
		{"extended, text only", "## 2026-01-02 — chk-a\nText.\n## Notes\n", "two", "## 2026-01-02 — chk-a\nText.\n\n- two\n## Notes\n"},
		{"extended, heading only", "## 2026-01-02 — chk-a", "two", "## 2026-01-02 — chk-a\n- two"},
		{"another day", "## 2026-01-01 — chk-a\n- one\n", "one|two", "## 2026-01-02 — chk-a\n- two\n\n## 2026-01-01 — chk-a\n- one\n"},
		{"all there", "## 2020-01-01 - chk-a\n1. one\n   two\n", "one two", "## 2020-01-01 - chk-a\n1. one\n   two\n"},
		{"nothing, but a remark", "", "None: nil is null", "# Learnings\n\n## 2026-01-02 — chk-a\n- None: nil is null\n"},
		{"nothing learned", "text", "None noted.|n/a|n.a.|-|No learnings were noted.|None noted this time| ", "text"},
		{"the same text of another", "## 2026-01-01 — chk-b\n- one\n", "one", "## 2026-01-02 — chk-a\n- one\n\n## 2026-01-01 — chk-b\n- one\n"},
		{"a fence that never closes", "# L\n\n## Notes\n```\ncode\n", "one", "# L\n\n## 2026-01-02 — chk-a\n- one\n\n## Notes\n```\ncode\n"},
		{"a comment that never closes", "# L\n<!-- todo\n", "one", "# L\n<!-- todo\n-->\n\n## 2026-01-02 — chk-a\n- one\n"},
		{"a rule at the top", "---\n# L: x: y\n", "one", "---\n# L: x: y\n\n## 2026-01-02 — chk-a\n- one\n"},
		{"markup in a learning", "", "# not a heading|```go|<!-- x|- y|> z|1. n", "# Learnings\n\n## 2026-01-02 — chk-a\n- # not a heading\n- ```go\n- <!-- x\n- - y\n- > z\n- 1. n\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			learnings := strings.Split(tc.learnings, "|")
			got := string(Add([]byte(tc.src), "chk-a", day, learnings))
			if got != tc.want {
				t.Fatalf("got:\n%q\nwant:\n%q", got, tc.want)
			}
			if again := string(Add([]byte(got), "chk-a", day.AddDate(0, 0, 9), learnings)); again != got {
				t.Errorf("a second time adds:\n%q", again)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	for _, tc := range []struct{ name, src, want, kept string }{
		{"the only entry", "# Learnings\n\n## 2026-01-02 — chk-a\n- one\n- two\n", "# Learnings\n", ""},
		{"the first", "# L\n\n## 2026-01-02 — chk-a\n- one\n\n## 2026-01-01 — chk-b\n- one\n", "# L\n\n## 2026-01-01 — chk-b\n- one\n", ""},
		{"the last", "## 2026-01-02 — chk-b\n- one\n\n## 2026-01-01 — chk-a\n- one", "## 2026-01-02 — chk-b\n- one", ""},
		{"edited", "## 2026-01-02 — chk-a\n- one, but only on Mondays\n- two\n", "## 2026-01-02 — chk-a\n- one, but only on Mondays\n", "one, but only on Mondays"},
		{"wrapped anew", "# L\n\n## 2026-01-02 — chk-a\n- o\n  p\n", "# L\n", ""},
		{"text below", "## 2026-01-02 — chk-a\n- one\n\nText.\n", "## 2026-01-02 — chk-a\n\nText.\n", ""},
		{"text above", "## 2026-01-02 — chk-a\n\nText.\n\n- one\n- two\n\n## Notes\n", "## 2026-01-02 — chk-a\n\nText.\n\n## Notes\n", ""},
		{"the last one was edited", "## 2026-01-02 — chk-a\n- one\n- x\n", "## 2026-01-02 — chk-a\n- x\n", "x"},
		{"a loose list", "## 2026-01-02 — chk-a\n- x\n\n- one\n\n- y\n", "## 2026-01-02 — chk-a\n- x\n\n- y\n", "x|y"},
		{"a rule below stays", "# L\n\n## 2026-01-02 — chk-a\n- one\n\n---\n\n## 2026-01-01 — chk-b\n- b\n", "# L\n\n---\n\n## 2026-01-01 — chk-b\n- b\n", ""},
		{"two entries", "# L\n\n## 2026-01-02 — chk-a\n- one\n\n## 2026-01-01 — chk-b\n- b\n\n## 2025-12-01 — chk-a\n- two\n", "# L\n\n## 2026-01-01 — chk-b\n- b\n", ""},
		{"two entries in a row", "# L\n\n## 2026-01-02 — chk-a\n- one\n\n## 2026-01-01 — chk-a\n- one\n- two\n", "# L\n", ""},
		{"and another below", "## 2026-01-02 — chk-a\n- one\n## 2026-01-01 — chk-a\n- two\n\n## 2025-01-01 — chk-b\n- one\n", "## 2025-01-01 — chk-b\n- one\n", ""},
		{"and one of two before", "# L\n\n## 2026-01-02 — chk-a\n- x\n\n- one\n## 2026-01-01 — chk-a\n- two\n", "# L\n\n## 2026-01-02 — chk-a\n- x\n", "x"},
		{"a subsection", "## 2026-01-02 — chk-a\n- one\n### More\n- two\n", "## 2026-01-02 — chk-a\n### More\n", ""},
		{"another's", "## 2026-01-02 — chk-b\n- one\n", "## 2026-01-02 — chk-b\n- one\n", ""},
		{"none there", "text\n- one\n", "text\n- one\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, _, kept := Remove([]byte(tc.src), "chk-a", []string{"one", "two", "o p"})
			if string(got) != tc.want || strings.Join(kept, "|") != tc.kept {
				t.Errorf("got:\n%q %q\nwant:\n%q %q", got, kept, tc.want, tc.kept)
			}
		})
	}
}

// TestRemoveAboveComment: the comment of an import is about the file, any other one is about the entry.
func TestRemoveAboveComment(t *testing.T) {
	const entry = "## 2026-01-02 — chk-a\n- one\n\n"
	for comment, want := range map[string]string{
		"<!-- imported: x sha256:1 -->\n": "# L\n\n<!-- imported: x sha256:1 -->\n",
		"<!-- mine -->\n":                 "# L\n\n## 2026-01-02 — chk-a\n\n<!-- mine -->\n",
	} {
		if got, _, _ := Remove([]byte("# L\n\n"+entry+comment), "chk-a", []string{"one"}); string(got) != want {
			t.Errorf("%q: got %q, want %q", comment, got, want)
		}
	}
}

func TestPick(t *testing.T) {
	all := Parse([]byte("# L\n" +
		"## 2026-01-05 — chk-e\n- Run the tests with -race\n- Docker needs buildx\n" +
		"## 2026-01-04 — chk-d\n- `internal/auth/token.go` caches the JWT\n" +
		"## 2026-01-03 — chk-c\n- Stripe webhooks retry, so handlers must be idempotent\n- Stripe webhooks retry, so handlers must be idempotent\n" +
		"## 2026-01-02 — chk-b\n- Look at store.go before you write\n" +
		"## 2026-01-01 — chk-a\n- Use either and/or for everything\n"))
	about := "Webhooks of Stripe arrive twice, and/or late\nstore/store.go\nauth/token.go\nand"
	var got []string
	for _, l := range Pick(all, about, 5) {
		got = append(got, l.ID)
	}
	if want := "chk-d chk-b chk-c chk-e chk-e"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	for limit := -1; limit < 9; limit++ {
		if picked := Pick(all, about, limit); len(picked) != max(0, min(limit, 6)) {
			t.Errorf("limit %d: %d picked", limit, len(picked))
		}
	}
	if picked := Pick(all, "", 1); picked[0].Text != "Run the tests with -race" {
		t.Errorf("nothing in common: %+v", picked)
	}
}
