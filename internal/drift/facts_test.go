package drift

import (
	"fmt"
	"slices"
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
		{Facts{Untold: []File{{"a.go", "edited"}}, Decided: 2}, "1 edited file that no delta mentions; the parent has 2 newer decisions"},
		{Facts{Later: []File{{"a.go", "edited"}}}, "1 file edited after the last delta"},
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
		got := ""
		if all := test.facts.Lengths(800); len(all) > 0 {
			got, _, _ = strings.Cut(all[len(all)-1], "\n")
		}
		if got != want {
			t.Errorf("%+v\n got %s\nwant %s", test.facts, got, want)
		}
	}
}

// TestLists checks the lists after the sentence, and the line with the negative facts.
func TestLists(t *testing.T) {
	commits := []Commit{{"2222222222", "Ann", "Test `a.go`\x1b[2J", false}, {"1111111111", "Me", "Add it", true}}
	for _, test := range []struct {
		name  string
		facts Facts
		want  []string // the last texts
	}{
		{"nothing is known", Facts{Folder: "checkpoints"}, nil},
		{"nothing has happened", Facts{Folder: "checkpoints", Clean: true, Quiet: true}, []string{"Outside checkpoints/: working tree clean, no commits since."}},
		{"commits are told apart", Facts{Folder: "checkpoints", Mine: 1, Others: 1, Commits: commits, From: "0123456789", Clean: true}, []string{
			"Since this was written: 1 commit by you, 1 by others.\n- 2222222 Test `a.go` [2J (Ann)\n- and 1 more (git log 0123456..)\n- Outside checkpoints/: working tree clean",
			"Since this was written: 1 commit by you, 1 by others.\n- 2222222 Test `a.go` [2J (Ann)\n- 1111111 Add it (you)\n- Outside checkpoints/: working tree clean"}},
		{"files have states", Facts{Folder: "notes/ckpt", Quiet: true, Untold: []File{{"b.go", "new"}, {"a.go", "deleted"}}, Told: []File{{"c.go", "staged"}}}, []string{
			"Since this was written: 2 edited files that no delta mentions.\n- In no delta: `b.go` (new) and 1 more (git status)\n- Not committed, in a delta: `c.go` (staged)\n- Outside notes/ckpt/: no commits since",
			"Since this was written: 2 edited files that no delta mentions.\n- In no delta: `b.go` (new), `a.go` (deleted)\n- Not committed, in a delta: `c.go` (staged)\n- Outside notes/ckpt/: no commits since"}},
		{"all is listed", Facts{Folder: "checkpoints", Quiet: true, Clean: true, From: "0123456789", Head: "7654321"}, []string{
			"Outside checkpoints/: working tree clean, no commits since.\nHEAD is 7654321; git status and git log show nothing else of the work."}},
		{"all commits and files are listed", Facts{Folder: "checkpoints", Mine: 1, Others: 1, Commits: commits, From: "0123456789", Told: []File{{"c.go", "staged"}}, Head: "7654321"}, []string{
			"Since this was written: 1 commit by you, 1 by others.\n- 2222222 Test `a.go` [2J (Ann)\n- 1111111 Add it (you)\n- Not committed, in a delta: `c.go` (staged)\n" +
				"- HEAD is 7654321; git status and git log show nothing else of the work."}},
		{"HEAD has another history", Facts{Folder: "checkpoints", Lost: "0123456789", From: "0123456789", Head: "7654321", Clean: true}, []string{
			"Since this was written: HEAD has not grown from 0123456, which it describes.\n- Outside checkpoints/: working tree clean"}},
		{"all is in a delta", Facts{Folder: "checkpoints", Told: []File{{"c.go", "staged"}}}, []string{"Not committed, in a delta: `c.go` (staged)."}},
		{"more commits than are named", Facts{Folder: "checkpoints", Others: 30, Strangers: true, Commits: commits[:1], From: "0123456789"}, []string{
			"Since this was written: 30 commits.\n- 2222222 Test `a.go` [2J (Ann)\n- and 29 more (git log 0123456..)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			all := test.facts.Lengths(800)
			if got := all[max(len(all)-len(test.want), 0):]; !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n\n"), strings.Join(test.want, "\n\n"))
			}
		})
	}
}

// TestLengthsFit checks that any facts give texts within the limit, each with all that the
// text before it has, and more.
func TestLengthsFit(t *testing.T) {
	for _, long := range []int{1, 40, 300} {
		f := Facts{Folder: "checkpoints", Mine: 999, Others: 999, Decided: 999, Lost: strings.Repeat("a", 40), Holder: strings.Repeat("b", long)}
		for i := range 40 {
			name := fmt.Sprintf("%s%d.go", strings.Repeat("x", long), i)
			f.Findings = append(f.Findings,
				Finding{Reference: Reference{Path: name, Places: []Place{{Source: Breadcrumb, Number: i}}}, Verdict: Moved, To: "y" + name},
				Finding{Reference: Reference{Path: name, Places: []Place{{Source: Breadcrumb, Number: i}}}, Verdict: Deleted},
				Finding{Reference: Reference{Path: name, Places: []Place{{Source: NextAction, Number: i + 1}}}, Verdict: Deleted})
			f.Untold = append(f.Untold, File{name, "new"})
			f.Commits = append(f.Commits, Commit{Hash: strings.Repeat("c", 40), Subject: strings.Repeat("s", long)})
			all := f.Lengths(800)
			if len(all) == 0 {
				t.Fatalf("nothing is said of %d names of %d bytes", i+1, long)
			}
			for n, s := range all {
				if len(s) > 800 || !strings.Contains(s, "999 by others") || !strings.HasSuffix(strings.SplitN(s, "\n", 2)[0], ".") {
					t.Fatalf("%d bytes: %s", len(s), s)
				}
				if n > 0 && !mentionsAll(s, all[n-1]) {
					t.Fatalf("this says less\n%s\nthan this\n%s", s, all[n-1])
				}
			}
		}
	}
}

// mentionsAll reports whether a text has all names in backticks that another text has.
func mentionsAll(text, other string) bool {
	for i, name := range strings.Split(other, "`") {
		if i%2 == 1 && !strings.Contains(text, "`"+name+"`") {
			return false
		}
	}
	return true
}
