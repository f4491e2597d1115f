package checkout_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/workspace/checkout"
)

// fixture is a repository with a checkpoint ref and one worktree.
type fixture struct {
	t   *testing.T
	g   *gittest.Repo
	ref ckptref.Ref
	c   checkout.Branch
	tip string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	g := gittest.New(t)
	g.Git("config", "ckpt.fsync", "off")
	repo, err := git.Open(g.Dir)
	f := &fixture{t: t, g: g}
	f.must(err)
	f.ref, err = ckptref.Of(t.Context(), repo)
	f.must(err)
	unlock, err := repo.Lock(t.Context(), disk.Exclusive)
	f.must(err)
	t.Cleanup(unlock)
	f.tip, err = f.ref.Root(t.Context())
	f.must(err)
	f.c = checkout.Open(repo, "checkpoints", f.ref)
	return f
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// commit sets files of the ref; an empty content removes one.
func (f *fixture) commit(files map[string]string) {
	f.t.Helper()
	c := commit.Spec{Parents: []string{f.tip}, Files: map[string]git.Entry{}, Contents: map[string][]byte{},
		Message: "ckpt: change\n", Time: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)}
	for rel, content := range files {
		path := "checkpoints/" + rel
		if content == "" {
			c.Files[path] = git.Entry{}
			continue
		}
		c.Files[path], c.Contents[path] = git.FileEntry(""), []byte(content)
	}
	next, err := f.ref.Store(f.t.Context(), c, false)
	f.must(err)
	f.tip = next
}

// compare compares the worktree with the tip of the ref.
func (f *fixture) compare() *checkout.Found {
	f.t.Helper()
	found, err := f.c.Compare(f.t.Context(), f.tip, nil, nil)
	f.must(err)
	return found
}

// publish writes what differs.
func (f *fixture) publish(found *checkout.Found) {
	f.t.Helper()
	_, err := f.c.Publish(f.t.Context(), found, f.tip, checkout.Publishing{})
	f.must(err)
}

// update brings the worktree to the tip of the ref.
func (f *fixture) update() {
	f.t.Helper()
	f.c = checkout.Open(f.c.Repo, "checkpoints", f.ref) // as the next command does
	found := f.compare()
	f.publish(found)
	again := f.compare()
	if again.IsBehind() {
		for rel, src := range found.Laid {
			f.t.Logf("the first: %s\n%q", rel, src)
		}
		for rel, src := range again.Laid {
			f.t.Errorf("a second update changes %s\n%q", rel, src)
		}
		f.t.FailNow()
	}
}

// choose makes another checkpoint current.
func (f *fixture) choose(id string) {
	f.t.Helper()
	f.must(f.c.Announce(f.compare().State, f.tip, id, ""))
	f.update()
}

// files returns the worktree's checkpoint files.
func (f *fixture) files() map[string]string {
	f.t.Helper()
	found := map[string]string{}
	if !disk.Exists(f.c.Dir) {
		return found
	}
	f.must(fs.WalkDir(os.DirFS(f.c.Dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := os.ReadFile(filepath.Join(f.c.Dir, filepath.FromSlash(path)))
		found[path] = string(src)
		return err
	}))
	return found
}

func (f *fixture) write(rel, content string) { f.g.Write(f.c.Folder()+"/"+rel, content) }

// text is a checkpoint with a state and a list of decisions.
func text(id, status, state string, decisions ...string) string {
	s := "---\ncheckpoint: " + id + "\ncreated: 2026-01-02T10:00:00Z\nanchor: x\nlast_delta: 2026-01-02T10:00:00Z\nstatus: " +
		status + "\n---\n\n## Problem\n\np\n\n## Session Intent\n\ni\n\n## Decisions\n\n"
	for _, d := range decisions {
		s += "- **" + d + "**: why\n"
	}
	return s + "\n## Current State\n\n" + state + "\n\n## Next Actions\n\n1. go on\n"
}

func TestUpdate(t *testing.T) {
	plain := text("chk-a", "active", "begun")
	current := text("chk-a", "current", "begun")
	more := text("chk-a", "active", "begun", "use git")
	tests := []struct {
		name   string
		before map[string]string // the ref at the first update
		hand   func(f *fixture)
		after  map[string]string // what the ref changes; none if nil
		want   map[string]string
	}{
		{"the only active one is current", map[string]string{"active/chk-a.md": plain}, nil, nil,
			map[string]string{"active/chk-a.md": current}},
		{"a new version", map[string]string{"active/chk-a.md": plain}, nil, map[string]string{"active/chk-a.md": more},
			map[string]string{"active/chk-a.md": text("chk-a", "current", "begun", "use git")}},
		{"archived elsewhere", map[string]string{"active/chk-a.md": plain}, nil,
			map[string]string{"active/chk-a.md": "", "archive/2026/01/chk-a.md": plain},
			map[string]string{"archive/2026/01/chk-a.md": plain}},
		{"a file that was removed comes back", map[string]string{"active/chk-a.md": plain},
			func(f *fixture) { f.must(os.RemoveAll(f.c.Dir)) }, nil, map[string]string{"active/chk-a.md": current}},
		{"an edit stays", map[string]string{"active/chk-a.md": plain},
			func(f *fixture) { f.write("active/chk-a.md", text("chk-a", "current", "edited")) }, nil,
			map[string]string{"active/chk-a.md": text("chk-a", "current", "edited")}},
		{"an edit is merged", map[string]string{"active/chk-a.md": plain},
			func(f *fixture) { f.write("active/chk-a.md", text("chk-a", "current", "edited")) },
			map[string]string{"active/chk-a.md": more},
			map[string]string{"active/chk-a.md": text("chk-a", "current", "edited", "use git")}},
		{"an edit follows to the archive", map[string]string{"active/chk-a.md": plain},
			func(f *fixture) { f.write("active/chk-a.md", text("chk-a", "current", "edited")) },
			map[string]string{"active/chk-a.md": "", "archive/chk-a.md": plain},
			map[string]string{"archive/chk-a.md": strings.Replace(text("chk-a", "active", "edited"), "status: active\n", "", 1)}},
		{"a file of the user's own stays", map[string]string{"active/chk-a.md": plain},
			func(f *fixture) { f.write("active/todo.txt", "mine\n") }, map[string]string{"active/chk-a.md": ""},
			map[string]string{"active/todo.txt": "mine\n"}},
		{"what only git needs is not written", map[string]string{"active/.gitkeep": "x\n", "config.yaml": "commit: ref\n",
			".current/main": "chk-a\n"}, nil, nil, map[string]string{}},
		{"LEARNINGS.md", map[string]string{"LEARNINGS.md": "# Learnings\n"}, nil, nil,
			map[string]string{"LEARNINGS.md": "# Learnings\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.commit(tt.before)
			f.update()
			if tt.hand != nil {
				tt.hand(f)
			}
			if tt.after != nil {
				f.commit(tt.after)
			}
			f.update()
			if got := f.files(); !maps.Equal(got, tt.want) {
				t.Errorf("the files are\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
}

// TestTooLarge updates a worktree with a file that is too large to be read. It stays as it is; once it can be
// read, it is merged with what the ref got meanwhile.
func TestTooLarge(t *testing.T) {
	f := newFixture(t)
	file, other := "active/chk-a.md", "active/chk-b.md"
	f.commit(map[string]string{file: text("chk-a", "active", "begun"), other: text("chk-b", "active", "begun")})
	f.update()
	f.must(os.Truncate(filepath.Join(f.c.Dir, file), disk.MaxFile+1))
	for _, decision := range []string{"one", "two"} { // elsewhere
		f.commit(map[string]string{file: text("chk-a", "active", "begun", decision), other: text("chk-b", "active", decision)})
		f.update()
		if src, err := disk.ReadFile(filepath.Join(f.c.Dir, other)); !strings.Contains(string(src), decision) {
			t.Errorf("the other file is %q, %v", src, err)
		}
	}
	info, err := os.Stat(filepath.Join(f.c.Dir, file))
	f.must(err)
	if info.Size() != disk.MaxFile+1 {
		t.Errorf("the large file has %d bytes now", info.Size())
	}
	f.write(file, text("chk-a", "active", "edited"))
	f.update()
	src, err := disk.ReadFile(filepath.Join(f.c.Dir, file))
	if !strings.Contains(string(src), "two") || !strings.Contains(string(src), "edited") {
		t.Errorf("the file is %q, %v: not merged with what the ref has", src, err)
	}
}

// TestCurrent finds the current checkpoint; see State.show.
func TestCurrent(t *testing.T) {
	f := newFixture(t)
	f.commit(map[string]string{"active/chk-a.md": text("chk-a", "active", "s"), "active/chk-b.md": text("chk-b", "active", "s")})
	shows := func(branch, want string) {
		t.Helper()
		f.g.Git("symbolic-ref", "HEAD", "refs/heads/"+branch)
		f.update()
		var got []string
		for rel, src := range f.files() {
			if strings.Contains(src, "status: current") {
				got = append(got, rel)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("on %q %v are current, want %q", branch, got, want)
		}
	}
	shows("main", "") // two active ones, and none was chosen
	f.commit(map[string]string{".current/feature%2Fx": "chk-b\n"})
	shows("main", "")
	shows("feature/x", "active/chk-b.md")
	shows("main", "")
	f.choose("chk-a")
	shows("main", "active/chk-a.md")
	shows("feature/x", "active/chk-b.md")
	shows("new", "active/chk-b.md") // a branch without a choice keeps what was shown
	shows("main", "active/chk-a.md")
	shows("new", "active/chk-b.md")
	shows("newer", "active/chk-b.md")
	f.commit(map[string]string{"active/chk-a.md": "", "archive/chk-a.md": text("chk-a", "active", "s")})
	shows("main", "") // the only active one was not chosen here
}

// FuzzUpdate changes the ref, and files by hand, in any order: no line of either is lost. Once the edits are
// committed, the worktree is as the ref has it.
func FuzzUpdate(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		x := newFixture(t)
		r := rand.New(rand.NewPCG(seed, 1))
		lines := map[string]map[string]bool{"chk-0": {}, "chk-1": {}, "chk-2": {}} // decisions by id
		shared, own := map[string][]string{}, map[string][]string{}
		ids := slices.Sorted(maps.Keys(lines))
		for step := range 12 {
			id := ids[r.IntN(len(ids))]
			rel, line := "active/"+id+".md", fmt.Sprintf("d%d", step)
			switch r.IntN(4) {
			case 0, 1:
				shared[id] = append(shared[id], line)
				x.commit(map[string]string{rel: text(id, "active", "s", shared[id]...)})
				lines[id][line] = true
			case 2:
				src, err := os.ReadFile(x.c.Dir + "/" + rel)
				if err != nil {
					continue // the worktree does not have it yet
				}
				own[id] = append(own[id], line)
				x.write(rel, strings.Replace(string(src), "\n## Current State", "- **"+line+"**: why\n\n## Current State", 1))
				lines[id][line] = true
			case 3:
				x.update()
			}
		}
		x.update()
		files := x.files()
		for id, decisions := range lines {
			for line := range decisions {
				if n := strings.Count(files["active/"+id+".md"], "**"+line+"**"); n != 1 {
					t.Fatalf("%s has %s %d times:\n%s", id, line, n, files["active/"+id+".md"])
				}
			}
		}
	})
}

func TestApart(t *testing.T) {
	for prefix, want := range map[string]string{
		"checkpoints": ".ckpt", "docs/checkpoints": "docs/.ckpt", "state": ".ckpt-state", ".ckpt": ".ckpt-ckpt", "a/b": "a/.ckpt-b",
	} {
		if got := checkout.Apart(prefix); got != want {
			t.Errorf("%s: %s, want %s", prefix, got, want)
		}
	}
}
