package learnings

import (
	"fmt"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"nothing", "", ""},
		{"as the format has it", "# Learnings\n\n## 2025-12-27 — chk-auth-system\n- JWT\n- Always\n\n## 2025-12-26 — chk-pay\n- Stripe\n",
			"2025-12-27 chk-auth-system: 4 JWT | 5 Always; 2025-12-26 chk-pay: 8 Stripe"},
		{"newest first, whatever the order", "## 2025-01-01 — chk-a\n- a\n## 2025-03-01 — chk-c\n- c\n## 2025-02-01 — chk-b\n- b\n",
			"2025-03-01 chk-c: 4 c; 2025-02-01 chk-b: 6 b; 2025-01-01 chk-a: 2 a"},
		{"one day, newest first", "## 2025-02-01 — chk-b\n- b\n## 2025-02-01 — chk-a\n- a\n", "2025-02-01 chk-b: 2 b; 2025-02-01 chk-a: 4 a"},
		{"one day, oldest first", "## 2025-01-01 — chk-a\n- a\n## 2025-02-01 — chk-b\n- b\n## 2025-02-01 — chk-c\n- c\n",
			"2025-02-01 chk-c: 6 c; 2025-02-01 chk-b: 4 b; 2025-01-01 chk-a: 2 a"},
		{"separators", "## 2025-01-01 - chk-a\n- a\n## 2025-01-01 – chk-b\n- b\n## 2025-01-01: chk-c\n- c\n## 2025-01-01 | `chk-d`\n- d\n## 2025-01-01—chk-e\n- e\n",
			"2025-01-01 chk-a: 2 a; 2025-01-01 chk-b: 4 b; 2025-01-01 chk-c: 6 c; 2025-01-01 chk-d: 8 d; 2025-01-01 chk-e: 10 e"},
		{"headings", "# [2025-01-02] chk-a\n- a\n### chk-b (2025-01-01)\n- b\n\nchk-c\n-----\n- c\n**x**\n## **2024-05-06** session-abc-003\n- d\n",
			"2025-01-02 chk-a: 2 a; 2025-01-01 chk-b: 4 b; 2024-05-06 session-abc-003: 11 d;  chk-c: 8 c **x**"},
		{"a time", "## 2025-01-02T10:00:00Z — chk-a\n- a\n", "2025-01-02 chk-a: 2 a"},
		{"more words", "## 2025-01-02 — chk-a: the login\n- a\n## 2025-01-01 The login\n- b\n", "2025-01-02 chk-a: 2 a; 2025-01-01 : 4 b"},
		{"no such day", "## 2025-13-02 — chk-a\n- a\n", " : 2 a"},
		{"markers", "## 2025-01-02 — chk-a\n* a\n+ b\n1. c\n2) d\n-\te\n    - f\n",
			"2025-01-02 chk-a: 2 a | 3 b | 4 c | 5 d | 6 e - f"},
		{"wrapped", "## 2025-01-02 — chk-a\n- one\n  two\nthree\n\n  four\n- five\n", "2025-01-02 chk-a: 2 one two three four | 7 five"},
		{"a subsection is part of it", "## 2025-01-02 — chk-a\n- a\n### Testing\n- b\n## Tools\n- c\n", "2025-01-02 chk-a: 2 a | 4 b;  : 6 c"},
		{"an entry inside an entry", "## 2025-01-02 — chk-a\n### 2025-01-03 — chk-b\n- b\n### More\n- c\n", "2025-01-03 chk-b: 3 b; 2025-01-02 chk-a: 5 c"},
		{"loose bullets", "- a\n\n# Learnings\n\nText.\n- b\n\n## Tools\n- c\n", " : 1 a | 6 b | 9 c"},
		{"text is not read", "# Learnings\n\nText.\n\n## 2025-01-02 — chk-a\n\nMore.\n\n- a\n\nText.\n", "2025-01-02 chk-a: 9 a"},
		{"fences and comments", "```\n## 2025-01-02 — chk-a\n- a\n```\n<!--\n- b\n-->\n- c\n", " : 8 c"},
		{"CRLF and BOM", "\xef\xbb\xbf## 2025-01-02 — chk-a\r\n- a\r\n  b\r\n", "2025-01-02 chk-a: 2 a b"},
		{"frontmatter", "---\ntitle: x\n---\n- a\n", " : 4 a"},
		{"a rule at the top", "---\n## 2025-01-02 — chk-a\n- a: b: c\n", "2025-01-02 chk-a: 3 a: b: c"},
		{"two rules at the top", "---\n## 2025-01-02 — chk-a\n- a\n\n---\n", "2025-01-02 chk-a: 3 a"},
		{"absurd depth", "## 2025-01-02 — chk-a\n- " + strings.Repeat("> ", 600) + "a\n- b\n", "2025-01-02 chk-a: 2 " + strings.Repeat("> ", 600) + "a | 3 b"},
		{"another project's", "# Project Learnings\n\n> Append-only.\n\n---\n\n### L-001: [architecture] Account-based (2026-07-15)\n- **Issue**: Planning.\n- **Action**: Do not.\n",
			"2026-07-15 : 8 **Issue**: Planning. | 9 **Action**: Do not."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := told(Parse([]byte(tc.src))); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

// told returns learnings as text, grouped by entry.
func told(all []Learning) string {
	var b strings.Builder
	entry := ""
	for i, l := range all {
		switch head := l.Date + " " + l.ID + ": "; {
		case i > 0 && head == entry:
			b.WriteString(" | ")
		case i > 0:
			b.WriteString("; " + head)
		default:
			b.WriteString(head)
		}
		entry = l.Date + " " + l.ID + ": "
		fmt.Fprintf(&b, "%d %s", l.Line, l.Text)
	}
	return b.String()
}
