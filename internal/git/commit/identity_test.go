package commit_test

import (
	"os"
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git/gittest"
)

// Author and committer are as git itself would have them.
func TestIdentityAgreesWithGit(t *testing.T) {
	for _, c := range []struct {
		name   string
		env    map[string]string // "" removes
		config map[string]string
	}{
		{name: "environment"},
		{name: "user.*", env: map[string]string{"GIT_AUTHOR_NAME": "", "GIT_AUTHOR_EMAIL": "", "GIT_COMMITTER_NAME": "", "GIT_COMMITTER_EMAIL": ""},
			config: map[string]string{"user.name": " Ann <O'Neil>.", "user.email": "<ann@example.com>"}},
		{name: "author.* and committer.*", env: map[string]string{"GIT_AUTHOR_NAME": "", "GIT_COMMITTER_EMAIL": ""},
			config: map[string]string{"user.name": "Ann", "author.name": "Au", "committer.email": "c@example.com", "author.email": "x@example.com"}},
		{name: "EMAIL", env: map[string]string{"GIT_AUTHOR_EMAIL": "", "EMAIL": "mail@example.com"}},
		{name: "dates", env: map[string]string{"GIT_AUTHOR_DATE": "Fri, 02 Jan 2026 03:04:05 +0200", "GIT_COMMITTER_DATE": "2026-05-06T07:08:09-03:00"}},
		{name: "a date in words", env: map[string]string{"GIT_AUTHOR_DATE": "2026.05.06 07:08:09 +0100", "GIT_COMMITTER_DATE": "May 6 07:08:09 2026 +0100"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gittest.New(t)
			for name, value := range c.env {
				t.Setenv(name, value)
				if value == "" {
					os.Unsetenv(name)
				}
			}
			for key, value := range c.config {
				g.Git("config", key, value)
			}
			record(t, g, change.File{Path: "x.md", After: []byte("x")})
			ours := g.Git("cat-file", "commit", "HEAD")
			g.Git("commit", "-q", "--allow-empty", "-m", "by git")
			theirs := g.Git("cat-file", "commit", "HEAD")
			for _, role := range []string{"author ", "committer "} {
				if a, b := line(ours, role), line(theirs, role); a != b {
					t.Errorf("ours   %s\ntheirs %s", a, b)
				}
			}
		})
	}
}

func TestTimeOfTheCommit(t *testing.T) {
	g := gittest.New(t)
	for _, name := range []string{"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
	record(t, g, change.File{Path: "x.md", After: []byte("x")})
	if got := g.Git("log", "-1", "--format=%ai, %ci"); got != "2026-03-04 12:00:00 +0000, 2026-03-04 12:00:00 +0000" {
		t.Error(got)
	}
}

func line(text, prefix string) string {
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, prefix) {
			return strings.TrimSpace(l)
		}
	}
	return ""
}
