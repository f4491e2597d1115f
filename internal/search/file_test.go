package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint"
)

const sample = `---
checkpoint: chk-a
created: 2026-01-01
---

## Problem

Logins fail for SSO
users since the upgrade.

## Essential Information

### Decisions

- **Tokens**: an hour
- **Refresh**: by cookie
  and never by token

### Current State

SSO works. The upgrade does not.

### Open Questions

Who asks?

---

## Delta: 2026-01-02T09:00:00Z

### What Changed

The first cookie.

## Delta: 2026-01-03T09:00:00Z

### What Changed

The second cookie.

### Artifacts

| File | Action | Description |
|------|--------|-------------|
| ` + "`cookie.go`" + ` | created | reads it |
`

// TestCheckpoint checks the hits in a checkpoint, their order and their closeness.
func TestCheckpoint(t *testing.T) {
	for _, test := range []struct {
		name, query string
		request     Request
		want        string
	}{
		{"one word", "sso", Request{}, "passage 8 Problem, 21 Current State"},
		{"in one bullet, on two lines", "refresh token", Request{}, "passage 16 Decisions, 17 Decisions"},
		{"in one paragraph", "logins users", Request{}, "passage 8 Problem, 9 Problem"},
		{"in one section", "hour cookie", Request{}, "section 15 Decisions, 16 Decisions"},
		{"anywhere in the file", "logins asks", Request{}, "file 8 Problem, 25 Open Questions"},
		{"in no file", "logins zeppelin", Request{}, ""},
		{"deltas: the newest first", "cookie", Request{Kinds: []Kind{Delta}},
			"passage 45 Delta: 2026-01-03T09:00:00Z, Artifacts, 39 Delta: 2026-01-03T09:00:00Z, What Changed, 33 Delta: 2026-01-02T09:00:00Z, What Changed"},
		{"an artifact of a delta", "cookie", Request{Kinds: []Kind{Artifact}}, "passage 45 Delta: 2026-01-03T09:00:00Z, Artifacts"},
		{"a section of the format", "upgrade", Request{Kinds: []Kind{State}}, "passage 21 Current State"},
		{"words nearest to each other in what is searched", "sso upgrade", Request{Kinds: []Kind{Problem}}, "passage 8 Problem, 9 Problem"},
		{"terms that overlap", "cook okie", Request{Kinds: []Kind{Decision}}, "passage 16 Decisions"},
		{"the frontmatter", "chk-a", Request{}, "passage 2 frontmatter"},
		{"too old", "sso", Request{Since: day("2026-01-02")}, ""},
		{"not too old", "sso", Request{Since: day("2026-01-01")}, "passage 8 Problem, 21 Current State"},
		{"elsewhere", "sso", Request{Archived: true}, ""},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			c, err := checkpoint.Parse("active/a.md", []byte(strings.ReplaceAll(sample, "\n", eol)))
			if err != nil {
				t.Fatal(err)
			}
			r := test.request
			if r.Query, err = Parse(test.query); err != nil {
				t.Fatal(err)
			}
			if got := told(r.Checkpoint(c)); got != test.want {
				t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
			}
		}
	}
}

func told(f *File) string {
	if f == nil {
		return ""
	}
	var all []string
	for _, h := range f.Hits {
		all = append(all, fmt.Sprint(h.Line, " ", h.Section))
	}
	return f.Closeness.String() + " " + strings.Join(all, ", ")
}

func day(s string) time.Time {
	t, _ := checkpoint.ParseTime(s)
	return t
}

// TestAnswer checks the order of files: active/, LEARNINGS.md, the archive, and within these
// the closest terms, then the last changed. A limit keeps the first.
func TestAnswer(t *testing.T) {
	file := func(name string, g Group, near Closeness, changed string, hits int) *File {
		return &File{Path: name, Group: g, Closeness: near, Changed: day(changed), Hits: make([]Hit, hits)}
	}
	all := func() []*File {
		return []*File{
			file("old", Active, Together, "2026-01-01", 1), file("archived", Archived, Together, "2026-01-09", 1),
			file("far", Active, InFile, "2026-01-08", 2), file("LEARNINGS.md", Learnings, InSection, "2026-01-01", 1),
			file("new", Active, Together, "2026-01-02", 2), file("timeless", Active, Together, "", 1), file("broken", Active, Together, "", 0),
		}
	}
	for limit, want := range map[int]string{
		0: "new 2, old 1, timeless 1, far 2, LEARNINGS.md 1, archived 1",
		1: "new 1", 3: "new 2, old 1", 5: "new 2, old 1, timeless 1, far 1",
	} {
		a := (&Request{Limit: limit}).Answer(all())
		var got []string
		for _, f := range a.Files {
			got = append(got, fmt.Sprint(f.Path, " ", len(f.Hits)))
		}
		if strings.Join(got, ", ") != want || a.Hits != 8 || a.In != 6 {
			t.Errorf("at most %d: %q, %d in %d", limit, got, a.Hits, a.In)
		}
	}
}

// TestLearnings checks that all words must be in one entry, whose date counts.
func TestLearnings(t *testing.T) {
	src := []byte("# Learnings\n\n## 2026-01-02 — chk-a\n- Cookies expire\n- Tokens do not\n\n## 2025-12-01 — chk-b\n- Tokens may\n  expire, too\n")
	for query, want := range map[string]string{
		"tokens expire": "passage 8 2025-12-01 — chk-b, 9 2025-12-01 — chk-b", "cookies do": "section 4 2026-01-02 — chk-a, 5 2026-01-02 — chk-a", "cookies may": "",
	} {
		q, _ := Parse(query)
		if got := told((&Request{Query: q}).Learnings("LEARNINGS.md", src)); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
	q, _ := Parse("tokens")
	f := (&Request{Query: q, Since: day("2026-01-01")}).Learnings("LEARNINGS.md", src)
	if told(f) != "passage 5 2026-01-02 — chk-a" || f.Hits[0].ID != "chk-a" || f.Hits[0].Kind != Learning {
		t.Errorf("since: %s", told(f))
	}
}

// TestLongLine checks that a line of megabytes is one hit, cut around the first mark.
func TestLongLine(t *testing.T) {
	q, _ := Parse("ipsum")
	f := (&Request{Query: q}).Text("active/a.md", []byte(strings.Repeat("lorem ", 100)+strings.Repeat("ipsum ", 1<<19)), errors.New("odd"))
	if len(f.Hits) != 1 || len(f.Hits[0].Text) > longest+2*len(cutOff) || !strings.HasPrefix(f.Hits[0].Text[f.Hits[0].Marks[0].Start:], "ipsum") {
		t.Errorf("%d hits, %+v", len(f.Hits), f.Hits[0])
	}
}

// FuzzHits checks for any text that hits have their line, that marks cover the terms, and
// that the text of a hit is short.
func FuzzHits(f *testing.F) {
	f.Add("a b", "x a\r\ny b\n")
	f.Add(`"a b"`, "a\n  b "+strings.Repeat("日本語 ", 200)+" a b")
	f.Add("\xff x", strings.Repeat("\xff", 500)+"x")
	f.Fuzz(func(t *testing.T, text, src string) {
		q, err := Parse(text)
		if err != nil {
			return
		}
		r := Request{Query: q}
		lines := strings.Split(src, "\n")
		found := r.Text("active/a.md", []byte(src), errors.New("odd"))
		if found == nil {
			if q.Holds([]byte(src)) {
				t.Fatalf("%q holds %q and has no hit", src, text)
			}
			return
		}
		if !slices.IsSortedFunc(found.Hits, func(a, b Hit) int { return a.Line - b.Line }) {
			t.Fatalf("%v", found.Hits)
		}
		for _, h := range found.Hits {
			if len(h.Text) > 4*longest || !utf8.ValidString(h.Text) || len(h.Marks) == 0 {
				t.Fatalf("%+v", h)
			}
			line := strings.TrimSuffix(lines[h.Line-1], "\r")
			if len(line) <= longest && utf8.ValidString(line) && line != h.Text {
				t.Fatalf("line %d of %q is not %q", h.Line, src, h.Text)
			}
			at := 0
			for _, m := range h.Marks {
				if m.Start < at || m.End < m.Start || m.End > len(h.Text) || strings.TrimSpace(h.Text[m.Start:m.End]) == "" {
					t.Fatalf("mark %v of %q", m, h.Text)
				}
				at = m.End
			}
		}
	})
}

// TestSavedJSON searches words that both saved JSON and a section have, and words that only the JSON has.
func TestSavedJSON(t *testing.T) {
	c, err := checkpoint.Parse("active/chk-a.md", []byte("---\ncheckpoint: chk-a\ncreated: 2026-01-01\n---\n## Problem\n\nSell.\n\n"+
		"## Further Fields\n\n```json\n{\"goal\": \"Sell.\", \"own\": \"Call\"}\n```\n"))
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"sell": "Problem", "call": "Further Fields"} {
		query, err := Parse(word)
		if err != nil {
			t.Fatal(err)
		}
		f := (&Request{Query: query}).Checkpoint(c)
		if f == nil || len(f.Hits) != 1 || f.Hits[0].Section != want {
			t.Errorf("%s: %+v, want one hit in %s", word, f, want)
		}
	}
}
