package branches_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/others/branches"
)

func file(id, changed string) string {
	return "---\ncheckpoint: " + id + "\ncreated: 2026-01-01T10:00:00Z\nlast_delta: " + changed + "\n---\n\n## Problem\n\nx\n"
}

func learned(bullets ...string) string {
	return "# Learnings\n\n## 2026-01-02 — chk-a\n\n- " + strings.Join(bullets, "\n- ") + "\n"
}

// contents are blobs by name; one that is not there is missing from the clone.
var contents = map[string]string{
	"old":      file("chk-a", "2026-01-02T10:00:00Z"),
	"new":      file("chk-a", "2026-01-03T10:00:00Z"),
	"b":        file("chk-b", "2026-01-02T10:00:00Z"),
	"conflict": "<<<<<<< ours\n---\ncheckpoint: chk-c\n=======\n>>>>>>> theirs\n",
	"prose":    "# Notes\n",
	"forked":   learned("Known"),
	"grown":    learned("Known", "New"),
	"same":     learned("New", "Newer"),
}

func text(blob string) []byte {
	if src, ok := contents[blob]; ok {
		return []byte(src)
	}
	return nil
}

var (
	local    = branches.Branch{Name: "local"}
	remote   = branches.Branch{Name: "origin/local", Remote: true}
	worktree = branches.Branch{Name: "agent", Worktree: "/w/agent"}
)

func tip(on branches.Branch, learnings string, files ...string) branches.Tip {
	t := branches.Tip{Branches: []branches.Branch{on}, Learnings: learnings, Checkpoints: map[string]string{}}
	for i := 0; i < len(files); i += 2 {
		t.Checkpoints[files[i]] = files[i+1]
	}
	return t
}

func TestCollect(t *testing.T) {
	for _, test := range []struct {
		name string
		tips []branches.Tip
		old  []string
		want string
	}{
		{"none", nil, nil, ""},
		{"one", []branches.Tip{tip(local, "", "active/chk-a.md", "old")}, nil, "chk-a old local"},
		{"the newest version", []branches.Tip{
			tip(local, "", "active/chk-a.md", "new"), tip(remote, "", "active/chk-a.md", "old"),
		}, nil, "chk-a new local"},
		{"one version on several branches, those of worktrees first", []branches.Tip{
			tip(remote, "", "active/chk-a.md", "new"), tip(local, "", "active/chk-a.md", "new"), tip(worktree, "", "active/chk-a.md", "new"),
		}, nil, "chk-a new agent local origin/local"},
		{"by id, not by path", []branches.Tip{
			tip(local, "", "active/renamed.md", "old"), tip(remote, "", "active/chk-a.md", "new"),
		}, nil, "chk-a new origin/local"},
		{"equally new: the archived one", []branches.Tip{
			tip(local, "", "active/chk-a.md", "old"), tip(remote, "", "archive/chk-a.md", "old"),
		}, nil, "chk-a old origin/local"},
		{"several, by id", []branches.Tip{tip(local, "", "active/chk-b.md", "b", "active/chk-a.md", "old")}, nil, "chk-a old local; chk-b b local"},
		{"no checkpoint", []branches.Tip{tip(local, "", "active/notes.md", "prose")}, nil, ""},
		{"unreadable: named by its file", []branches.Tip{tip(local, "", "active/chk-c.md", "conflict")}, nil, "chk-c conflict! local"},
		{"not in this clone", []branches.Tip{tip(local, "", "active/chk-d.md", "gone")}, nil, "chk-d gone! local"},
		{"learnings, but for those that were there before", []branches.Tip{tip(local, "grown")}, []string{"forked"}, "New: local"},
		{"the same learning on two branches", []branches.Tip{
			tip(remote, "same"), tip(local, "grown"),
		}, []string{"forked"}, "New: local origin/local; Newer: origin/local"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := show(branches.Collect(test.tips, test.old, text)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestBeyond(t *testing.T) {
	all := branches.Collect([]branches.Tip{tip(local, "same", "active/chk-a.md", "new", "active/chk-b.md", "b")}, nil, text)
	beyond := all.Beyond(func(v branches.Version) bool { return v.ID == "chk-a" }, func(text string) bool { return text == "New" })
	if got, want := show(beyond), "chk-b b local; Newer: local"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSole(t *testing.T) {
	all := branches.Collect([]branches.Tip{
		tip(local, "grown", "active/chk-a.md", "new"), tip(worktree, "", "active/chk-b.md", "b"),
		tip(remote, "same", "active/chk-d.md", "gone"),
	}, []string{"forked"}, text)
	nowhere := func(branches.Version) bool { return false }
	unknown := func(string) bool { return false }
	for _, test := range []struct {
		name      string
		has, same func(branches.Version) bool
		want      []branches.Holding
	}{
		{"none is here", nowhere, nowhere, []branches.Holding{
			{Branch: worktree, Checkpoints: 1}, {Branch: local, Checkpoints: 1},
		}},
		{"another version of one is here", func(v branches.Version) bool { return v.ID == "chk-a" }, nowhere, []branches.Holding{
			{Branch: worktree, Checkpoints: 1}, {Branch: local, Versions: 1},
		}},
		{"one is here", func(v branches.Version) bool { return v.ID == "chk-a" }, func(v branches.Version) bool { return v.ID == "chk-a" }, []branches.Holding{
			{Branch: worktree, Checkpoints: 1},
		}},
	} {
		if got := all.Sole(test.has, test.same, unknown); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
	if got := show(&branches.Found{Learnings: branches.Local(all.Learnings)}); got != "New: local" {
		t.Errorf("of local branches: %s", got) // "Newer" is on the remote's branch alone
	}
	learned := branches.Collect([]branches.Tip{tip(local, "same"), tip(remote, "grown")}, []string{"forked"}, text)
	if got, want := learned.Sole(nowhere, nowhere, unknown), []branches.Holding{{Branch: local, Learnings: 1}}; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want) // "New" is on the remote's branch, too
	}
}

func TestLearningsAsLines(t *testing.T) {
	all := []learnings.Learning{
		{Date: "2026-01-02", ID: "chk-a", Text: "a\ttab, `code` and -- dashes", On: []string{"feat/a", "b"}},
		{Text: "nothing but text", On: []string{"main"}},
	}
	if got := branches.ParseLearnings(branches.FormatLearnings(all)); !reflect.DeepEqual(got, all) {
		t.Errorf("got %+v, want %+v", got, all)
	}
	if got := branches.ParseLearnings(""); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestGet(t *testing.T) {
	all := branches.Collect([]branches.Tip{tip(local, "", "active/chk-a.md", "new")}, nil, text)
	for name, want := range map[string]bool{"chk-a": true, "a": true, "chk": false, "": false} {
		if v, ok := all.Get(name); ok != want || ok && v.ID != "chk-a" {
			t.Errorf("Get(%q) = %q, %v", name, v.ID, ok)
		}
	}
}

func show(f *branches.Found) string {
	var all []string
	for _, v := range f.Checkpoints {
		broken := ""
		if v.Unreadable != "" {
			broken = "!"
		}
		all = append(all, v.ID+" "+v.Blob+broken+" "+strings.Join(branches.Names(v.On), " "))
	}
	for _, l := range f.Learnings {
		all = append(all, l.Text+": "+strings.Join(branches.Names(l.On), " "))
	}
	return strings.Join(all, "; ")
}
