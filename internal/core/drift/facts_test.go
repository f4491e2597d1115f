package drift

import (
	"fmt"
	"strings"
	"testing"
)

func TestSentence(t *testing.T) {
	next := func(n int) []Place { return []Place{{Source: NextAction, Number: n}} }
	crumb := []Place{{Source: Breadcrumb, Number: 1}}
	moved := Finding{Reference: Reference{Path: "auth.go", Places: crumb}, Verdict: Moved, To: "x/auth.go"}
	gone := func(path string, places []Place) Finding {
		return Finding{Reference: Reference{Path: path, Places: places}, Verdict: Deleted}
	}
	for _, test := range []struct {
		facts Facts
		want  string
	}{
		{Facts{}, ""},
		{Facts{Branch: "main"}, ""},
		{Facts{Mine: 1}, "1 commit by you"},
		{Facts{Mine: 2, Others: 3}, "2 commits by you, 3 by others"},
		{Facts{Others: 3, Strangers: true}, "3 commits"},
		{Facts{Mine: 10, Others: 990, Many: true}, "more than 1000 commits"},
		{Facts{Findings: []Finding{moved}}, "`auth.go` moved to `x/auth.go`"},
		{Facts{Findings: []Finding{gone("a.go", crumb), gone("b.go", crumb)}}, "`a.go` and `b.go` are gone"},
		{Facts{Findings: []Finding{gone("a.go", crumb), gone("b.go", crumb), gone("c.go", crumb), gone("d.go", crumb)}}, "`a.go`, `b.go`, `c.go` and 1 more are gone"},
		{Facts{Findings: []Finding{gone("a.go", next(1))}}, "the first next action names a file that is gone: `a.go`"},
		{Facts{Findings: []Finding{gone("a.go", next(4))}}, "next action 4 names a file that is gone: `a.go`"},
		{Facts{Findings: []Finding{gone("a.go", next(3)), gone("b.go", next(1))}}, "next actions 1 and 3 name 2 files that are gone: `a.go` and `b.go`"},
		{Facts{Edited: 1, Decided: 2}, "1 edited file that no delta mentions; the parent has 2 newer decisions"},
		{Facts{Branch: "main", Written: "sso"}, "HEAD is on `main`, no longer on `sso`"},
		{Facts{Written: "sso"}, "HEAD is on another branch"},
		{Facts{Lost: "0123456789"}, "HEAD has not grown from 0123456, which it describes"},
		{Facts{Missing: "0123456789"}, "the commit that it describes, 0123456, is not in this repository"},
		{Facts{Findings: []Finding{gone("a\x1b[31m\n`b", crumb)}}, "`` \"a\\x1b[31m\\n`b\" `` is gone"},
	} {
		want := test.want
		if want != "" {
			want = "Since this was written: " + want + "."
		}
		if got := test.facts.Sentence(400); got != want {
			t.Errorf("%+v\n got %s\nwant %s", test.facts, got, want)
		}
	}
}

// TestSentenceFits: whatever there is to say, it says something within the limit.
func TestSentenceFits(t *testing.T) {
	for _, long := range []int{1, 40, 300} {
		f := Facts{Mine: 999, Others: 999, Edited: 99999, Decided: 999, Lost: strings.Repeat("a", 40), Holder: strings.Repeat("b", long)}
		for i := range 40 {
			name := fmt.Sprintf("%s%d.go", strings.Repeat("x", long), i)
			f.Findings = append(f.Findings,
				Finding{Reference: Reference{Path: name, Places: []Place{{Source: Breadcrumb, Number: i}}}, Verdict: Moved, To: "y" + name},
				Finding{Reference: Reference{Path: name, Places: []Place{{Source: Breadcrumb, Number: i}}}, Verdict: Deleted},
				Finding{Reference: Reference{Path: name, Places: []Place{{Source: NextAction, Number: i + 1}}}, Verdict: Deleted})
			if s := f.Sentence(400); len(s) > 400 || !strings.HasSuffix(s, ".") || !strings.Contains(s, "999 by others") {
				t.Fatalf("%d bytes: %s", len(s), s)
			}
		}
	}
}
