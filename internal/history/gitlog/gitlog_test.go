package gitlog_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/history/revisions"
)

const (
	here  = "active/chk-a.md"
	moved = "active/login.md"
	other = "active/chk-ab.md"
	old   = "archive/chk-a.md"
)

// a returns a checkpoint with the id chk-a.
func a(state string) string { return checkpointOf("chk-a", state) }

func checkpointOf(id, state string) string {
	return "---\ncheckpoint: " + id + "\nstatus: active\n---\n\n# Login\n\n## Current state\n\n" + state + "\n"
}

// unreadable is a file whose frontmatter is not closed properly.
const unreadable = "---\ncheckpoint: [\n---\n\n# Login\n"

// commit writes files of the checkpoints folder, removes those without text, and commits them,
// an hour after the commit before.
func commit(g *gittest.Repo, subject string, files ...string) {
	g.T.Helper()
	for i := 0; i < len(files); i += 2 {
		path := "checkpoints/" + files[i]
		if files[i+1] == "" {
			g.Git("rm", "-q", path)
			continue
		}
		g.Write(path, files[i+1])
		g.Git("add", path)
	}
	hours := strings.Count(g.Git("rev-list", "--all"), "\n")
	if _, err := g.TryGit("rev-parse", "-q", "--verify", "HEAD"); err == nil {
		hours++
	}
	at := time.Date(2026, 1, 2, 10+hours, 0, 0, 0, time.UTC).Format(time.RFC3339)
	gittest.Must(g.T, os.Setenv("GIT_COMMITTER_DATE", at)) // gittest restores it
	g.Git("commit", "-q", "-m", subject)
}

// follow finds versions in the history of HEAD.
func follow(t *testing.T, g *gittest.Repo, from gitlog.Start) *gitlog.Versions {
	t.Helper()
	from.Dir = "checkpoints"
	vs, err := gitlog.Follow(t.Context(), g.Open(), from)
	gittest.Must(t, err)
	return vs
}

// told returns versions as text: the subject of the commit, the path, and what it came from.
func told(vs *gitlog.Versions) []string {
	var all []string
	for _, v := range vs.List {
		line := v.Subject + ": " + v.Path
		if v.Gone() {
			line += " is gone"
		}
		for _, side := range v.Before {
			line += " < " + side.Path
		}
		all = append(all, line)
	}
	return all
}

func TestFollow(t *testing.T) {
	tests := []struct {
		name    string
		arrange func(g *gittest.Repo)
		from    gitlog.Start
		id      string // of the result, if it is not chk-a
		want    []string
	}{
		{
			name: "edits, the newest first",
			arrange: func(g *gittest.Repo) {
				commit(g, "new", here, a("1"))
				commit(g, "code", "../main.go", "package main\n")
				commit(g, "edit", here, a("2"))
			},
			from: gitlog.Start{ID: "chk-a", Path: here},
			want: []string{"edit: " + here + " < " + here, "new: " + here},
		},
		{
			name: "a move with an edit is one version",
			arrange: func(g *gittest.Repo) {
				commit(g, "new", here, a("1"))
				commit(g, "move", here, "", moved, a("2"))
				commit(g, "archive", moved, "", old, a("3"))
			},
			from: gitlog.Start{ID: "chk-a", Path: old},
			want: []string{"archive: " + old + " < " + moved, "move: " + moved + " < " + here, "new: " + here},
		},
		{
			name: "deleted, and back under another name",
			arrange: func(g *gittest.Repo) {
				commit(g, "new", here, a("1"))
				commit(g, "delete", here, "")
				commit(g, "back", old, a("2"))
			},
			from: gitlog.Start{ID: "chk-a", Path: old},
			want: []string{"back: " + old, "delete: " + here + " is gone < " + here, "new: " + here},
		},
		{
			name: "a file that cannot be read belongs to the id that its path had before",
			arrange: func(g *gittest.Repo) {
				commit(g, "new", here, a("1"))
				commit(g, "break", here, unreadable)
				commit(g, "repair", here, a("2"))
			},
			from: gitlog.Start{ID: "chk-a", Path: here},
			want: []string{"repair: " + here + " < " + here, "break: " + here + " < " + here, "new: " + here},
		},
		{
			name: "the last readable id counts if the file cannot be read now",
			arrange: func(g *gittest.Repo) {
				commit(g, "new", moved, a("1"))
				commit(g, "break", moved, unreadable)
			},
			from: gitlog.Start{Path: moved},
			want: []string{"break: " + moved + " < " + moved, "new: " + moved},
		},
		{
			name: "an id that begins with this one is another checkpoint",
			arrange: func(g *gittest.Repo) {
				commit(g, "both", here, a("1"), other, checkpointOf("chk-ab", "1"))
				commit(g, "edit the other", other, checkpointOf("chk-ab", "2"))
			},
			from: gitlog.Start{ID: "chk-a", Path: here},
			want: []string{"both: " + here},
		},
		{
			name: "a copy that got another id is another checkpoint, under any name",
			arrange: func(g *gittest.Repo) {
				commit(g, "new", here, a("1"))
				commit(g, "archive", here, "", old, a("2"))
				commit(g, "copy", here, checkpointOf("chk-ab", "1"))
				commit(g, "break the copy", here, unreadable)
				commit(g, "repair the copy", here, checkpointOf("chk-ab", "2"))
			},
			from: gitlog.Start{ID: "chk-a", Path: old},
			want: []string{"archive: " + old + " < " + here, "new: " + here},
		},
		{
			name: "it begins where a file got the id",
			arrange: func(g *gittest.Repo) {
				commit(g, "other", here, checkpointOf("chk-ab", "1"))
				commit(g, "get the id", here, a("1"))
				commit(g, "edit", here, a("2"))
			},
			from: gitlog.Start{ID: "chk-a", Path: here},
			want: []string{"edit: " + here + " < " + here, "get the id: " + here},
		},
		{
			name: "it is gone where its file got another id",
			arrange: func(g *gittest.Repo) {
				commit(g, "new", here, a("1"))
				commit(g, "get another", here, checkpointOf("chk-ab", "1"))
				commit(g, "edit", here, checkpointOf("chk-ab", "2"))
			},
			from: gitlog.Start{ID: "chk-a"},
			want: []string{"get another: " + here + " is gone < " + here, "new: " + here},
		},
		{
			name: "a file that was deleted, by its path",
			arrange: func(g *gittest.Repo) {
				commit(g, "new", moved, a("1"))
				commit(g, "delete", moved, "")
			},
			from: gitlog.Start{ID: "chk-a", Path: moved},
			want: []string{"delete: " + moved + " is gone < " + moved, "new: " + moved},
		},
		{
			name:    "an id that no commit has",
			arrange: func(g *gittest.Repo) { commit(g, "other", other, checkpointOf("chk-ab", "1")) },
			from:    gitlog.Start{ID: "chk-none"}, id: "chk-none",
		},
		{
			name: "a merge that takes one side is no version, and one that differs from both is",
			arrange: func(g *gittest.Repo) {
				commit(g, "new", here, a("1"))
				g.Git("branch", "one")
				g.Git("checkout", "-q", "-b", "two")
				commit(g, "two", here, a("2"))
				g.Git("checkout", "-q", "one")
				commit(g, "code", "../main.go", "package main\n")
				g.Git("merge", "-q", "-m", "take two", "two")
				g.Git("branch", "three", "HEAD~1")
				g.Git("checkout", "-q", "three")
				commit(g, "three", here, a("3"))
				g.TryGit("merge", "-q", "one")
				commit(g, "merge", here, a("4"))
			},
			from: gitlog.Start{ID: "chk-a", Path: here},
			want: []string{"merge: " + here + " < " + here + " < " + here, "three: " + here + " < " + here,
				"two: " + here + " < " + here, "new: " + here},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := gittest.New(t)
			tt.arrange(g)
			vs := follow(t, g, tt.from)
			if got := told(vs); !slices.Equal(got, tt.want) {
				t.Errorf("versions:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
			if want := cmp.Or(tt.id, "chk-a"); vs.ID != want {
				t.Errorf("id %q, want %q", vs.ID, want)
			}
		})
	}
}

func TestIsCommit(t *testing.T) {
	for rev, want := range map[string]bool{
		"-0": false, "-2": false, "@{0}": false, "@{12}": false, "2026-01": false, "2026-01-02": false,
		"2026-01-02T10:00Z": false, "main": true, "HEAD~1": true, "@{u}": true, "@{-1}": true, "-x": true,
		"2026": true, "2026-13-40": true, "": true,
	} {
		if got := gitlog.IsCommit(rev); got != want {
			t.Errorf("IsCommit(%q) = %v, want %v", rev, got, want)
		}
	}
}

// TestAt finds versions by number, time and commit, and explains why one cannot be shown.
func TestAt(t *testing.T) {
	g := gittest.New(t)
	commit(g, "before", "../main.go", "package main\n") // 10:00
	g.Git("tag", "before")
	commit(g, "new", here, a("1")) // 11:00
	g.Git("tag", "new")
	commit(g, "edit", here, a("2")) // 12:00
	commit(g, "code", "../main.go", "package code\n")
	g.Git("tag", "code")
	commit(g, "delete", here, "") // 14:00
	commit(g, "back", old, a("3"))
	vs := follow(t, g, gitlog.Start{ID: "chk-a", Path: old})
	tests := []struct {
		rev  string
		want string // the subject, or a part of the error
		hint string // of the error
	}{
		{rev: "-0", want: "back"},
		{rev: "@{0}", want: "back"},
		{rev: "@{2}", want: "edit"},
		{rev: "-3", want: "new"},
		{rev: "2026-01-02", want: "back"},
		{rev: "2026-01", want: "back"},
		{rev: "2026-01-02T11:59Z", want: "new"},
		{rev: "2026-01-02T12:00Z", want: "edit"},
		{rev: "new", want: "new"},
		{rev: "code", want: "edit"},
		{rev: "HEAD", want: "back"},
		{rev: "-1", want: `at "-1" chk-a was gone`, hint: "ckpt show chk-a --at "},
		{rev: "HEAD~1", want: `at "HEAD~1" chk-a was gone`, hint: "ckpt show chk-a --at "},
		{rev: "-4", want: `chk-a has 4 versions, and "-4" is before the first`, hint: "ckpt log chk-a"},
		{rev: "2026-01-02T10:59Z", want: `chk-a is not at "2026-01-02T10:59Z"`, hint: "ckpt log chk-a"},
	}
	for _, tt := range tests {
		t.Run(tt.rev, func(t *testing.T) {
			v, err := at(t, g, vs, tt.rev)
			switch {
			case tt.hint == "" && (err != nil || v.Subject != tt.want):
				t.Errorf("version %q, %v, want %q", v.Subject, err, tt.want)
			case tt.hint == "":
			case fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), tt.want):
				t.Errorf("error %v, want not-found with %q", err, tt.want)
			case !strings.HasPrefix(fault.HintOf(err), tt.hint):
				t.Errorf("hint %q, want %q", fault.HintOf(err), tt.hint)
			}
		})
	}
	if err := (&gitlog.Versions{ID: "chk-b"}).NotYet("main"); fault.HintOf(err) != "ckpt save" {
		t.Errorf("without versions: %v, hint %q", err, fault.HintOf(err))
	}
}

// TestAtCode finds the newest version that is known at a commit of the code.
func TestAtCode(t *testing.T) {
	when := func(hour int) time.Time { return time.Date(2026, 1, 2, hour, 0, 0, 0, time.UTC) }
	onRef := []revisions.Version{
		{Subject: "on a branch", Code: "side", Time: when(15)},
		{Subject: "a merge", Code: "side", Time: when(15)},
		{Subject: "again at b", Code: "b", Time: when(14)},
		{Subject: "at b", Code: "b", Time: when(13)},
		{Subject: "at a", Code: "a000000", Time: when(12)},
	}
	taken := []revisions.Version{ // from a branch
		{Subject: "own 2", Commit: "2", Time: when(11)},
		{Subject: "own 1", Commit: "1000000", Time: when(10)},
	}
	for _, test := range []struct {
		name string
		list []revisions.Version
		line string // the commits of the code up to the one that was asked for
		want string // the subject, or a part of the error
	}{
		{"the commit itself", onRef, "a000000", "at a"},
		{"the newest at it", onRef, "a000000 b", "again at b"},
		{"an ancestor", onRef, "a000000 b c", "again at b"},
		{"another branch", onRef, "a000000 side", "on a branch"},
		{"before the first", onRef, "0", `chk-a was not there yet when the code was at "rev": it begins at a000000 on`},
		{"from a branch", append(onRef, taken...), "0 1000000 2", "own 2"},
		{"an older one", append(onRef, taken...), "0 1000000", "own 1"},
		{"before all", taken, "0", "it begins at 1000000 on 2026-01-02T10:00:00Z"},
	} {
		vs := &gitlog.Versions{ID: "chk-a", List: slices.Clip(test.list)}
		for i := range vs.List {
			vs.List[i].Blob = "1"
		}
		v, err := vs.AtCode("rev", func(code string) bool { return slices.Contains(strings.Fields(test.line), code) })
		if got := v.Subject + fmt.Sprint(err); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	if got := (&gitlog.Versions{List: onRef}).Codes(); !slices.Equal(got, []string{"a000000", "b", "side"}) {
		t.Errorf("the commits of the code are %v", got)
	}
}

// at finds the version that rev means, as a caller does.
func at(t *testing.T, g *gittest.Repo, vs *gitlog.Versions, rev string) (revisions.Version, error) {
	t.Helper()
	if !gitlog.IsCommit(rev) {
		return vs.At(rev)
	}
	commit := g.Git("rev-parse", rev+"^{commit}")
	_, v, err := gitlog.In(t.Context(), g.Open(), gitlog.Start{ID: "chk-a", Dir: "checkpoints"}, commit)
	gittest.Must(t, err)
	return v, vs.Here(v, rev)
}

// TestChanges compares versions with what they came from.
func TestChanges(t *testing.T) {
	g := gittest.New(t)
	commit(g, "new", here, a("It fails."))
	commit(g, "edit", here, a("It works."))
	commit(g, "break", here, unreadable)
	commit(g, "repair", here, a("It works."))
	commit(g, "delete", here, "")
	vs := follow(t, g, gitlog.Start{ID: "chk-a"})
	found, err := vs.Changes(t.Context(), vs.List)
	gittest.Must(t, err)
	var got []string
	for _, c := range found {
		line := c.Version.Subject + ":"
		if c.Diff != nil {
			line += fmt.Sprintf(" %d sections", len(c.Diff.Sections))
		}
		if before, _, ok := strings.Cut(c.Why, " cannot be read"); ok {
			line += " " + before + " cannot be read"
		}
		got = append(got, line)
	}
	want := []string{"delete:", "repair: before it: chk-a.md cannot be read", "break: chk-a.md cannot be read",
		"edit: 1 sections", "new: 1 sections"}
	if !slices.Equal(got, want) {
		t.Errorf("changes %q, want %q", got, want)
	}
}

// TestVersionsLacking reads a version that the clone lacks.
func TestVersionsLacking(t *testing.T) {
	g := gittest.New(t)
	commit(g, "new", here, a("1"))
	vs := follow(t, g, gitlog.Start{ID: "chk-a", Path: here})
	lacking := strings.Repeat("1", 40)
	if _, err := vs.Bytes(t.Context(), lacking); fault.KindOf(err) != fault.NotFound || fault.HintOf(err) == "" {
		t.Errorf("a file that the clone lacks: %v", err)
	}
}
