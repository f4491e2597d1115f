package base

import (
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

const alpha = "active/chk-alpha.md"

// TestFinder finds the commit that a checkpoint counts from.
func TestFinder(t *testing.T) {
	// Each case has the commits first (2026-02-01), second (02-03), which adds the file, and third (02-05).
	for _, tt := range []struct {
		name           string
		fields         string // of the frontmatter; FIRST and so on stand for commits
		created        string
		since          string // the name of a commit
		named, anchors bool   // whether Named and Anchor find a commit
	}{
		{name: "both", fields: "base: SECOND\nanchor: main@FIRST", created: "2026-02-02", since: "second",
			named: true, anchors: true},
		{name: "in capitals", fields: "base: UPPER", created: "2026-02-02", since: "second", named: true},
		{name: "neither", created: "2026-02-02", since: "second"},
		{name: "an anchor that is too short", fields: "anchor: main@abc", created: "2026-02-02", since: "second"},
		{name: "an anchor that is gone", fields: "anchor: main@0123456789", created: "2026-02-02", since: "second", anchors: true},
		{name: "what is no commit", fields: "base: --all\nanchor: main@--output=x", created: "2026-02-02", since: "second"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := gittest.New(t)
			hashes := map[string]string{}
			commit := func(name, day string, files ...string) {
				t.Setenv("GIT_COMMITTER_DATE", "2026-02-"+day+"T12:00:00Z")
				r.Commit(name, files...)
				hashes[name] = strings.TrimSpace(r.Git("rev-parse", "HEAD"))
			}
			commit("first", "01", "main.go", "package main\n")
			commit("second", "03", "checkpoints/"+alpha, "a file\n")
			commit("third", "05", "main.go", "package main // more\n")
			fields := strings.NewReplacer("FIRST", hashes["first"], "SECOND", hashes["second"],
				"UPPER", strings.ToUpper(hashes["second"])).Replace(tt.fields)
			src := "---\ncheckpoint: chk-alpha\ncreated: " + tt.created + "\n" + fields + "\n---\n\n## Problem\n\nP.\n"
			c, err := checkpoint.Parse(alpha, []byte(src))
			gittest.Must(t, err)
			at := &store.Store{Dir: filepath.Join(r.Dir, "checkpoints")}
			repo := r.Open()
			f := Finder{Folder: &folder.Folder{Repo: repo, Store: at, Prefix: "checkpoints", FilesDir: "checkpoints", Commits: repo}}
			named := f.Named(c)
			if (named.Commit != "") != tt.named {
				t.Errorf("named: %+v", named)
			}
			if tt.named && (named.File != "checkpoints/"+alpha || !strings.HasPrefix(named.Line, "base: ")) {
				t.Errorf("named: %+v", named)
			}
			if anchor := f.Anchor(c); (anchor.Commit != "") != tt.anchors {
				t.Errorf("anchor: %+v", anchor)
			}
			if since := f.Since(t.Context(), c); since.Commit != hashes[tt.since] {
				t.Errorf("since %s, want %s", since.Commit, hashes[tt.since])
			}
		})
	}
}

// TestWithoutCommits finds nothing before the first commit.
func TestWithoutCommits(t *testing.T) {
	r := gittest.New(t)
	c, err := checkpoint.Parse(alpha, []byte("---\ncheckpoint: chk-alpha\ncreated: 2026-02-01\n---\n"))
	gittest.Must(t, err)
	repo, at := r.Open(), &store.Store{Dir: r.Dir}
	f := Finder{Folder: &folder.Folder{Repo: repo, Store: at, Prefix: "checkpoints", FilesDir: "checkpoints", Commits: repo}}
	if since := f.Since(t.Context(), c); since.Commit+f.AnchorCommit(t.Context(), c) != "" {
		t.Errorf("since %+v", since)
	}
}
