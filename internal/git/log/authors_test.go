package log

import (
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// TestLastAuthor finds who changed a file last, on a line, after merges, and in the first commit.
func TestLastAuthor(t *testing.T) {
	repo := gittest.New(t)
	by := func(name string) { t.Setenv("GIT_AUTHOR_EMAIL", name+"@example.com") }
	by("ana")
	repo.Commit("First", "c/a.md", "1", "c/b.md", "1", "x.txt", "1")
	by("bob")
	repo.Commit("Both", "c/a.md", "2")
	repo.Git("switch", "-q", "-c", "side", "HEAD~1")
	by("cy")
	repo.Commit("Side", "c/b.md", "2", "c/c.md", "1")
	repo.Git("switch", "-q", "main")
	by("dan")
	repo.Commit("Main", "x.txt", "2")
	repo.Git("merge", "-q", "--no-edit", "side")
	repo.Commit("Later", "x.txt", "3")
	by("me")

	for path, want := range map[string]string{"c/a.md": "bob@example.com", "c/b.md": "cy@example.com", "c/c.md": "cy@example.com", "x.txt": "dan@example.com", "none.md": ""} {
		if a, err := Of(repo.Open()).LastAuthor(t.Context(), path); err != nil || a.Email != want {
			t.Errorf("%s: %+v, %v, want %q", path, a, err, want)
		}
	}
	by("BOB")
	r := repo.Open()
	if a, err := Of(r).LastAuthor(t.Context(), "c/a.md"); err != nil || a != (Author{}) {
		t.Errorf("the user's own change: %+v, %v", a, err)
	}
	all, err := Of(r).Authors(t.Context(), "c", 10)
	if err != nil || len(all) != 4 { // who merged both counts as well
		t.Errorf("%v, %v", all, err)
	}
}

// TestAuthorsShallow ranks authors without the commit at which a shallow clone ends.
func TestAuthorsShallow(t *testing.T) {
	repo := gittest.New(t)
	for i, name := range []string{"zoe", "ana", "ana", "bob"} {
		t.Setenv("GIT_AUTHOR_EMAIL", name)
		repo.Commit("Next", "c/a.md", string(rune('0'+i)))
	}
	repo.Git("clone", "-q", "--depth", "3", "file://"+repo.Dir, "shallow")
	for dir, want := range map[string]string{".": "ana bob zoe", "shallow": "bob ana"} {
		all, err := Of(repo.At(filepath.Join(repo.Dir, dir)).Open()).Authors(t.Context(), "c", 10)
		gittest.Must(t, err)
		var emails []string
		for _, a := range all {
			emails = append(emails, a.Email)
		}
		if got := strings.Join(emails, " "); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
