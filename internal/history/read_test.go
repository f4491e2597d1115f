package history_test

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
)

const brokenFile = "checkpoints/active/chk-broken.md"

// TestShow finds checkpoints, files and versions by name.
func TestShow(t *testing.T) {
	tests := []struct {
		asked string
		path  string // of the checkpoint, or its text
		show  failure
		raw   failure // of Raw; "" where it is the same file
	}{
		{asked: "", path: "active/chk-main.md"},
		{asked: "main", path: "active/chk-main.md"},
		{asked: "active/chk-main.md", path: "active/chk-main.md"},
		{asked: "chk-auth", path: "archive/login.md"},
		{asked: "chk-broken", path: "active/chk-broken.md", show: failure{fault.Invalid, "active/chk-broken.md cannot be read", ""}},
		{asked: "chk-gone", show: failure{fault.NotFound, `"chk-gone"`, ""}, raw: failure{fault.NotFound, `"chk-gone"`, ""}},
		{asked: "a", show: failure{fault.Usage, `"a"`, ""}, raw: failure{fault.Usage, `"a"`, ""}},
	}
	p := newStory(t)
	p.New("apple", "One.")
	p.New("apricot", "Two.")
	p.use("chk-main")
	for _, tt := range tests {
		t.Run(tt.asked, func(t *testing.T) {
			c, err := p.history().Show(context.Background(), tt.asked)
			if !tt.show.check(t, err) && c.Path != tt.path {
				t.Errorf("Show returns %s, want %s", c.Path, tt.path)
			}
			src, path, err := p.history().Raw(context.Background(), tt.asked)
			if tt.raw.check(t, err) {
				return
			}
			if path != tt.path || string(src) != p.Read("checkpoints/"+tt.path) {
				t.Errorf("Raw returns %s, want %s:\n%s", path, tt.path, src)
			}
		})
	}
	c, err := p.history().Show(context.Background(), "chk-auth@{3}")
	if err != nil || !strings.Contains(string(c.Doc.Bytes()), "Logins fail.\n") {
		t.Errorf("Show of a version: %v", err)
	}
}

// TestFileOf returns the file to edit.
func TestFileOf(t *testing.T) {
	tests := []struct {
		name, asked string
		do          func(*project)
		path        string
		want        failure
	}{
		{name: "the current one", path: "checkpoints/active/chk-main.md"},
		{name: "unreadable", asked: "chk-broken", path: brokenFile},
		{name: "archived", asked: "chk-auth", want: failure{fault.Usage, "chk-auth is archived", "ckpt reopen chk-auth"}},
		{name: "unknown", asked: "chk-pay", want: failure{fault.NotFound, `"chk-pay"`, ""}},
		{
			name: "with changes that the working tree lacks", asked: "chk-main", path: "checkpoints/active/chk-main.md",
			do: func(p *project) {
				p.Git("bisect", "start")
				p.Note("", "step", "Read the log.")
			},
		},
	}
	story := newStory(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := story
			if tt.do != nil {
				p = newStory(t)
				tt.do(p)
			}
			h := p.history()
			file, err := h.FileOf(context.Background(), tt.asked)
			if tt.want.check(t, err) {
				return
			}
			if got := h.FromRoot(file); got != tt.path {
				t.Errorf("the file is %s, want %s", got, tt.path)
			}
		})
	}
}

// TestStandIn replaces an unreadable file by its last good version, or else by its parent.
func TestStandIn(t *testing.T) {
	unreadable := errors.New("line 3: no value")
	tests := []struct {
		name string
		do   func(*project)
		path string // of the unreadable file; active/chk-broken.md, if it is empty
		id   string
		said string
		want failure
	}{
		{name: "the last good version", do: func(*project) {}, id: "chk-broken", said: "this is its version of 2026-01-02T13:00:00Z ("},
		{
			name: "the version before several bad ones", id: "chk-broken", said: "this is its version of 2026-01-02T13:00:00Z (",
			do: func(p *project) {
				p.replace(brokenFile, "It breaks.", "It breaks again.")
				p.commitAll("Oops again")
			},
		},
		{
			name: "the version before an orphan branch", id: "chk-broken", said: "this is its version of 2026-01-02T13:00:00Z (",
			do: func(p *project) {
				p.Git("checkout", "-q", "--orphan", "fresh")
				p.commitAll("Begin again")
			},
		},
		{
			name: "the parent", path: "active/chk-bad.md", id: "chk-main",
			said: "this is its parent, chk-main, for history has no version",
			do: func(p *project) {
				p.Write("checkpoints/active/chk-bad.md", "---\ncheckpoint: chk-bad\ncreated: [\nparent: chk-main\n---\n")
			},
		},
		{
			name: "neither", path: "active/chk-bad.md",
			do: func(p *project) {
				p.Write("checkpoints/active/chk-bad.md", "---\ncheckpoint: chk-bad\ncreated: [\n---\n")
			},
			want: failure{fault.Invalid, "neither history nor a parent can replace it", "ckpt edit chk-bad"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newStory(t)
			tt.do(p)
			path := cmp.Or(tt.path, "active/chk-broken.md")
			s, err := p.history().StandInFor(context.Background(), checkpoint.Broken{Path: path, Err: unreadable})
			if tt.want.check(t, err) {
				return
			}
			if s.ID != tt.id || !strings.Contains(s.Said, "checkpoints/"+path+" cannot be read (line 3: no value): "+tt.said) {
				t.Errorf("the stand-in is %s: %q\nwant %s: %q", s.ID, s.Said, tt.id, tt.said)
			}
		})
	}
}
