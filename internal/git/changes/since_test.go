package changes

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// TestSinceCountsALine: commits in a line count, except those that touch only files in the folder.
func TestSinceCountsALine(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit("First", "a.txt", "1", "notes/ckpt/x.md", "1", "notes/y.txt", "1")
	base := repo.Git("rev-parse", "HEAD")
	repo.Commit("Mine", "a.txt", "2")
	repo.Commit("Only a checkpoint", "notes/ckpt/x.md", "2")
	repo.Commit("Nothing")
	repo.Commit("Beside the checkpoints", "notes/y.txt", "2")
	t.Setenv("GIT_AUTHOR_EMAIL", "TEST@example.com")
	repo.Commit("Mine, in capitals", "a.txt", "3")
	repo.Commit("A subject \nof two lines  \n \nand a body", "a.txt", "4")
	t.Setenv("GIT_AUTHOR_EMAIL", "ana@example.com")
	repo.Commit("Hers", "notes/ckpt.txt", "1", "notes/ckpt/x.md", "3")
	t.Setenv("GIT_AUTHOR_EMAIL", "test@example.com")
	repo.Git("rm", "-q", "-r", "notes/ckpt")
	repo.Commit("No checkpoints any more")
	repo.Write("notes/ckpt", "a file in their place")
	repo.Git("add", ".")
	repo.Commit("A file called so")

	own, err := Of(repo.Open()).Count(context.Background(), Base{Commit: base}, "notes/ckpt")
	gittest.Must(t, err)
	if own.Mine != 5 || own.Others != 1 {
		t.Errorf("got %+v", own)
	}
	var subjects []string
	for _, c := range own.Commits {
		subjects = append(subjects, c.Subject)
	}
	if want := "Hers, A subject of two lines, Mine, in capitals, Beside the checkpoints, Nothing, Mine"; strings.Join(subjects, ", ") != want {
		t.Errorf("got  %q\nwant %s", subjects, want)
	}
}

func TestSinceCountsWhatAMergeBrought(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit("First", "a.txt", "1")
	base := repo.Git("rev-parse", "HEAD")
	repo.Git("switch", "-q", "-c", "side")
	t.Setenv("GIT_AUTHOR_EMAIL", "ana@example.com")
	repo.Commit("Hers", "b.txt", "1")
	repo.Commit("Hers, too", "b.txt", "2")
	t.Setenv("GIT_AUTHOR_EMAIL", "test@example.com")
	repo.Git("switch", "-q", "main")
	repo.Commit("Mine", "a.txt", "2")
	repo.Git("merge", "-q", "--no-edit", "side")
	r := repo.Open()
	got, err := Of(r).Count(context.Background(), Base{Commit: base}, "checkpoints")
	if err != nil || got.Mine != 1 || got.Others != 2 || len(got.Commits) != 3 || got.Commits[0].Subject != "Mine" || got.Commits[1].Author == "" {
		t.Errorf("got %+v, %v", got, err)
	}
	repo.Git("switch", "-q", "--detach", base)
	got, err = Of(r).Count(context.Background(), Base{Commit: repo.Git("rev-parse", "main")}, "checkpoints")
	if want := (Count{Lost: true, Holder: "main"}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("from behind: got %+v, %v", got, err)
	}
	got, err = Of(r).Count(context.Background(), Base{Commit: "1234567890123456789012345678901234567890"}, "checkpoints")
	if want := (Count{Missing: true}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("from nowhere: got %+v, %v", got, err)
	}
}
