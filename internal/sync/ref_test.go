package sync_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/sync"
	"example.com/ckpt/internal/workspace"
)

const ref = "refs/ckpt/checkpoints"

// clone is a repository in ref mode with a remote.
type clone struct {
	*gittest.Repo
	now time.Time
}

// newClone makes a repository that follows the bare repository hub.
func newClone(t *testing.T, hub string) *clone {
	t.Helper()
	r := gittest.New(t)
	r.Git("config", "ckpt.commit", "ref")
	r.Git("remote", "add", "origin", hub)
	return &clone{Repo: r, now: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)}
}

func newHub(t *testing.T) string {
	t.Helper()
	r := gittest.New(t)
	r.Git("init", "-q", "--bare", "hub.git")
	return filepath.Join(r.Dir, "hub.git")
}

func (c *clone) open() *workspace.Workspace {
	c.T.Helper()
	settings := workspace.Settings{Dir: c.Dir, Now: func() time.Time { return c.now }}
	w, err := workspace.Open(c.T.Context(), settings)
	gittest.Must(c.T, err)
	return w
}

func (c *clone) sync() *result.Sync {
	c.T.Helper()
	report, err := sync.New(c.open()).Sync(c.T.Context(), sync.Request{Timeout: time.Minute})
	gittest.Must(c.T, err)
	return report
}

// tip returns the commit of the ref, or "".
func (c *clone) tip() string {
	out, err := c.TryGit("rev-parse", "-q", "--verify", ref)
	if err != nil {
		return ""
	}
	return out
}

// files returns the files of the ref.
func (c *clone) files() map[string]string {
	c.T.Helper()
	found := map[string]string{}
	if c.tip() == "" {
		return found
	}
	for path := range strings.FieldsSeq(c.Git("ls-tree", "-r", "--name-only", ref)) {
		found[strings.TrimPrefix(path, "checkpoints/")] = c.Git("show", ref+":"+path) + "\n"
	}
	return found
}

// commit sets files of the ref; an empty content removes one.
func (c *clone) commit(op string, files map[string]string) {
	c.T.Helper()
	at := c.open().Files().Ref
	tip, parent := c.tip(), c.tip()
	if parent == "" {
		root, err := at.Root(c.T.Context())
		gittest.Must(c.T, err)
		parent = root
	}
	spec := commit.Spec{Parents: []string{parent}, Files: map[string]git.Entry{}, Contents: map[string][]byte{},
		Message: "ckpt: " + op + "\n\nCheckpoint-Op: " + op + "\n", Time: c.now}
	for rel, content := range files {
		path := "checkpoints/" + rel
		if content == "" {
			spec.Files[path] = git.Entry{}
			continue
		}
		spec.Files[path], spec.Contents[path] = git.FileEntry(""), []byte(content)
	}
	c.T.Setenv("GIT_COMMITTER_DATE", c.now.Format(time.RFC3339))
	made, err := at.Store(c.T.Context(), spec, true)
	gittest.Must(c.T, err)
	gittest.Must(c.T, c.open().MoveRef(c.T.Context(), tip, made, op))
}

func text(id, state string, decisions ...string) string {
	s := "---\ncheckpoint: " + id + "\ncreated: 2026-01-02T10:00:00Z\nanchor: x\nlast_delta: 2026-01-02T10:00:00Z\n" +
		"status: active\n---\n\n## Problem\n\np\n\n## Session Intent\n\ni\n\n## Decisions\n\n"
	for _, d := range decisions {
		s += "- **" + d + "**: why\n"
	}
	return s + "\n## Current State\n\n" + state + "\n\n## Next Actions\n\n1. go on\n"
}

// TestRef syncs two clones that both have something. Which one of them merges makes no difference.
func TestRef(t *testing.T) {
	file := "active/chk-a.md"
	base := map[string]string{file: text("chk-a", "begun"), ".current/main": "chk-a\n"}
	for _, tt := range []struct {
		name   string
		base   map[string]string // what both begin with; nil if they begin offline
		ours   map[string]string
		theirs map[string]string // an hour later
		want   map[string]string // files of the result, or parts of them
		gone   []string
		remark string
	}{
		{
			name: "both began offline",
			ours: map[string]string{file: text("chk-a", "a")}, theirs: map[string]string{"active/chk-b.md": text("chk-b", "b")},
			want: map[string]string{file: text("chk-a", "a"), "active/chk-b.md": text("chk-b", "b")},
		},
		{
			name: "decisions", base: base,
			ours:   map[string]string{file: text("chk-a", "begun", "use git")},
			theirs: map[string]string{file: text("chk-a", "begun", "use Go")},
			want:   map[string]string{file: text("chk-a", "begun", "use git", "use Go")},
		},
		{
			name: "archived and changed", base: base,
			ours:   map[string]string{file: "", "archive/chk-a.md": text("chk-a", "begun")},
			theirs: map[string]string{file: text("chk-a", "begun", "use Go")},
			want:   map[string]string{"archive/chk-a.md": "use Go"}, gone: []string{file}, remark: "it is archived",
		},
		{
			name: "deleted and changed", base: base,
			ours:   map[string]string{file: ""},
			theirs: map[string]string{file: text("chk-a", "begun", "use Go")},
			want:   map[string]string{file: "use Go"}, remark: "it stays",
		},
		{
			name: "current: the newer one", base: base,
			ours: map[string]string{".current/main": "chk-x\n"}, theirs: map[string]string{".current/main": "chk-y\n"},
			want: map[string]string{".current/main": "chk-y\n"},
		},
		{
			name: "current: only one side", base: base,
			ours: map[string]string{".current/main": "chk-x\n"}, theirs: map[string]string{file: text("chk-a", "done")},
			want: map[string]string{".current/main": "chk-x\n", file: text("chk-a", "done")},
		},
		{
			name: "current: branches that cannot exist at once", base: base,
			ours: map[string]string{".current/a": "chk-x\n"}, theirs: map[string]string{".current/a%2Fb": "chk-y\n"},
			want: map[string]string{".current/a": "chk-x\n", ".current/a%2Fb": "chk-y\n"},
		},
		{
			name: "a file that cannot be read", base: base,
			ours:   map[string]string{"active/x.md": "---\ncheckpoint: [\n---\none\n"},
			theirs: map[string]string{"active/x.md": "---\ncheckpoint: [\n---\ntwo\n"},
			want:   map[string]string{"active/x.md": "one\ntwo\n"}, remark: "merged line by line",
		},
		{
			name: "LEARNINGS.md", base: base,
			ours:   map[string]string{"LEARNINGS.md": "# Learnings\n\n## chk-x\n\n- one\n"},
			theirs: map[string]string{"LEARNINGS.md": "# Learnings\n\n## chk-y\n\n- two\n"},
			want:   map[string]string{"LEARNINGS.md": "- one\n"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var tips []string
			for _, oursMerges := range []bool{true, false} {
				hub := newHub(t)
				ours, theirs := newClone(t, hub), newClone(t, hub)
				if tt.base != nil {
					ours.commit("new", tt.base)
					ours.sync()
					theirs.sync()
				}
				ours.now, theirs.now = ours.now.Add(time.Hour), theirs.now.Add(2*time.Hour)
				ours.commit("note", tt.ours)
				theirs.commit("note", tt.theirs)
				first, second := theirs, ours
				if !oursMerges {
					first, second = ours, theirs
				}
				if r := first.sync(); r.Sent == 0 || r.Received > 0 {
					t.Errorf("the first sync: %+v", r)
				}
				r := second.sync()
				if !r.Merged || r.Sent != 2 || r.Received != 1 || !strings.Contains(strings.Join(r.Remarks, "\n"), tt.remark) {
					t.Errorf("the second sync: %+v", r)
				}
				first.sync()
				for _, c := range []*clone{first, second} {
					if r := c.sync(); r.Sent+r.Received > 0 || r.Rounds != 1 {
						t.Errorf("again: %+v", r)
					}
					tips = append(tips, c.tip())
				}
				checkFiles(t, second.files(), tt.want, tt.gone)
			}
			if slices.Sort(tips); len(slices.Compact(tips)) != 1 {
				t.Errorf("the commits differ: %v", tips)
			}
		})
	}
}

// checkFiles compares a folder with the wanted files, or parts of them.
func checkFiles(t *testing.T, files, want map[string]string, gone []string) {
	t.Helper()
	for rel, part := range want {
		if !strings.Contains(files[rel], part) {
			t.Errorf("%s is %q, want %q", rel, files[rel], part)
		}
	}
	for _, rel := range gone {
		if _, has := files[rel]; has {
			t.Errorf("%s is still there", rel)
		}
	}
}

// TestRefRandom lets three clones change checkpoints and sync in a random order. In the end all have
// the same commit, and every decision once; another sync changes nothing.
func TestRefRandom(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			hub := newHub(t)
			clones := []*clone{newClone(t, hub), newClone(t, hub), newClone(t, hub)}
			written := map[string]string{} // the id by decision
			for step := range 15 {
				c := clones[r.IntN(len(clones))]
				c.now = c.now.Add(time.Duration(r.IntN(100)) * time.Second)
				if r.IntN(3) == 0 {
					c.sync()
					continue
				}
				id, decision := fmt.Sprintf("chk-%d", r.IntN(3)), fmt.Sprintf("d%d", step)
				if c.change(r, id, decision) {
					written[decision] = id
				}
			}
			for range 2 {
				for _, c := range clones {
					c.sync()
				}
			}
			files := clones[0].files()
			for decision, id := range written {
				n := strings.Count(files["active/"+id+".md"], "**"+decision+"**") +
					strings.Count(files["archive/"+id+".md"], "**"+decision+"**")
				if n != 1 {
					t.Errorf("%s of %s is there %d times: %q", decision, id, n, slices.Sorted(maps.Keys(files)))
				}
			}
			for _, c := range clones {
				if report := c.sync(); report.Sent+report.Received > 0 || c.tip() != clones[0].tip() {
					t.Errorf("%+v, %s and %s", report, c.tip(), clones[0].tip())
				}
				if out := c.Git("fsck", "--strict", "--no-dangling"); out != "" {
					t.Error(out)
				}
			}
		})
	}
}

// change makes a random change of a checkpoint, and reports whether it added the decision.
func (c *clone) change(r *rand.Rand, id, decision string) bool {
	files := c.files()
	active, archived := "active/"+id+".md", "archive/"+id+".md"
	src := files[active]
	switch {
	case files[archived] != "":
		return false
	case src == "":
		c.commit("new", map[string]string{active: text(id, "begun", decision), ".current/main": id + "\n"})
		return true
	case r.IntN(6) == 0:
		c.commit("archive", map[string]string{active: "", archived: strings.Replace(src, "status: active\n", "", 1)})
		return false
	case r.IntN(3) == 0:
		src = strings.Replace(src, "begun", "state of "+decision, 1)
	}
	src = strings.Replace(src, "\n## Current State", "- **"+decision+"**: why\n\n## Current State", 1)
	c.commit("note", map[string]string{active: src, ".current/main": id + "\n"})
	return true
}
