package survey_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/others/branches"
	"example.com/ckpt/internal/others/survey"
)

func checkpoint(id string) string {
	return "---\ncheckpoint: " + id + "\ncreated: 2026-01-01T10:00:00Z\n---\n\n## Problem\n\nx\n"
}

// TestRead tells the story of a repository; the answer that is kept is to be the same as one
// that is found anew.
func TestRead(t *testing.T) {
	r := gittest.New(t)
	r.Commit("base", "c/active/chk-a.md", checkpoint("chk-a"), "c/LEARNINGS.md", "# Learnings\n\n- Old\n")
	cache := filepath.Join(t.TempDir(), "branches")
	is := func(want string) {
		t.Helper()
		kept, anew := read(t, r, cache), read(t, r, filepath.Join(t.TempDir(), "none"))
		if kept != want || anew != want {
			t.Errorf("kept: %s\nanew: %s\nwant: %s", kept, anew, want)
		}
	}
	is("")
	r.Git("switch", "-q", "-c", "feat")
	is("")
	r.Commit("b", "c/active/chk-b.md", checkpoint("chk-b"), "c/LEARNINGS.md", "# Learnings\n\n- Old\n- New\n", "c/active/INDEX.md", "x")
	is("")
	r.Git("switch", "-q", "main")
	is("chk-b feat; New feat")
	r.Commit("code", "code", "1")
	is("chk-b feat; New feat")
	r.Git("branch", "same", "feat")
	is("chk-b feat,same; New feat,same")
	r.Commit("withdraw", "c/LEARNINGS.md", "# Learnings\n")
	is("chk-b feat,same; New feat,same")
	r.Commit("archive", "c/archive/chk-b.md", checkpoint("chk-b"))
	is("chk-b(archived) feat,same; New feat,same")
	r.Git("branch", "-D", "-q", "same")
	is("chk-b(archived) feat; New feat")
	r.Git("merge", "-q", "-s", "ours", "-m", "merge", "feat")
	is("")
}

func read(t *testing.T, r *gittest.Repo, cache string) string {
	t.Helper()
	repo, err := git.Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	found, err := survey.Read(context.Background(), repo, survey.Request{Folder: "c", Cache: cache, Archive: func() ([]string, error) {
		all, err := filepath.Glob(filepath.Join(r.Dir, "c", "archive", "*.md"))
		return all, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, v := range found.Checkpoints {
		name := v.ID
		if v.Archived {
			name += "(archived)"
		}
		all = append(all, name+" "+strings.Join(branches.Names(v.On), ","))
	}
	for _, l := range found.Learnings {
		all = append(all, l.Text+" "+strings.Join(branches.Names(l.On), ","))
	}
	return strings.Join(all, "; ")
}

// TestManyBranches reads more branches than git is asked for at once.
func TestManyBranches(t *testing.T) {
	r := gittest.New(t)
	r.Commit("base", "c/active/chk-a.md", checkpoint("chk-a"), "c/LEARNINGS.md", "# Learnings\n\n- Old\n")
	base := r.Git("rev-parse", "HEAD")
	const n = 230
	var in strings.Builder
	for i := range n {
		text := checkpoint(fmt.Sprintf("chk-%d", i))
		fmt.Fprintf(&in, "commit refs/heads/b%d\ncommitter T <t@example.com> 1770000000 +0000\ndata 1\nx\nfrom %s\n", i, base)
		fmt.Fprintf(&in, "M 100644 inline c/active/chk-%d.md\ndata %d\n%s\n", i, len(text), text)
	}
	cmd := r.Command("git", "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(in.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	repo, err := git.Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	last, of := -1, 0
	found, err := survey.Read(context.Background(), repo, survey.Request{
		Folder: "c", Cache: filepath.Join(t.TempDir(), "none"), Archive: func() ([]string, error) { return nil, nil },
		Step: func(n, all int) {
			if n <= last {
				t.Errorf("step %d after %d", n, last)
			}
			last, of = n, all
		},
	})
	if err != nil || len(found.Checkpoints) != n || last != of || of != 2*n {
		t.Errorf("%d checkpoints, last step %d of %d, %v", len(found.Checkpoints), last, of, err)
	}
}

func TestMost(t *testing.T) {
	r := gittest.New(t)
	r.Commit("base", "c/active/chk-a.md", checkpoint("chk-a"))
	for _, name := range []string{"one", "two", "merged"} {
		r.Git("branch", name)
	}
	for _, name := range []string{"one", "two"} {
		r.Git("switch", "-q", name)
		r.Commit(name, "c/active/chk-"+name+".md", checkpoint("chk-"+name))
	}
	r.Git("switch", "-q", "main")
	repo, err := git.Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for most, unread := range map[int]int{1: 2, 2: 0, 0: 0} {
		req := survey.Request{Folder: "c", Cache: filepath.Join(t.TempDir(), "none"), Most: most, Archive: func() ([]string, error) { return nil, nil }}
		s, err := survey.Read(context.Background(), repo, req)
		if err != nil || s.Unread != unread || (s.Found == nil) != (unread > 0) {
			t.Errorf("at most %d: %+v, %v", most, s, err)
		}
	}
}
