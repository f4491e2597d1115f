package migrate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, g *gittest.Repo) *Migrator {
	t.Helper()
	w, err := workspace.Open(t.Context(), workspace.Settings{Dir: g.Dir, Now: func() time.Time { return noon }})
	gittest.Must(t, err)
	return New(w)
}

func move(t *testing.T, g *gittest.Repo, req Request) *result.Migration {
	t.Helper()
	answer, err := open(t, g).Migrate(t.Context(), req)
	gittest.Must(t, err)
	return answer
}

// read returns the checkpoints and the learnings that ckpt reads in a worktree, by path.
func read(t *testing.T, g *gittest.Repo) map[string]string {
	t.Helper()
	v, err := open(t, g).Read(t.Context(), store.All)
	gittest.Must(t, err)
	paths, err := v.Store.Files(store.All)
	gittest.Must(t, err)
	all := map[string]string{}
	for _, rel := range paths {
		if !checkout.Written(rel) {
			continue
		}
		src, err := v.Store.Read(rel)
		gittest.Must(t, err)
		all[rel] = string(src)
	}
	return all
}

// text is a checkpoint with a list of decisions.
func text(id, status string, decisions ...string) string {
	s := "---\ncheckpoint: " + id + "\ncreated: 2026-01-02T10:00:00Z\nanchor: x\nlast_delta: 2026-01-02T10:00:00Z\n"
	if status != "" {
		s += "status: " + status + "\n"
	}
	s += "---\n\n## Problem\n\np\n\n## Session Intent\n\ni\n\n## Decisions\n\n"
	for _, d := range decisions {
		s += "- **" + d + "**: why\n"
	}
	return s + "\n## Current State\n\ns\n\n## Next Actions\n\n1. go on\n"
}

// random is a repository with a random history in own mode.
type random struct {
	*gittest.Repo
	t         *testing.T
	r         *rand.Rand
	step      int
	decisions map[string]map[string]bool // those ever made, by id
}

func newRandom(t *testing.T, seed uint64) *random {
	g := gittest.New(t)
	x := &random{Repo: g, t: t, r: rand.New(rand.NewPCG(seed, 1)), decisions: map[string]map[string]bool{}}
	g.Commit("code", "main.go", "package main\n")
	g.Write("checkpoints/config.yaml", policy.Starter())
	g.Write("checkpoints/.gitattributes", store.AttributesText)
	g.Write("checkpoints/active/.gitkeep", "")
	g.Write("checkpoints/archive/.gitkeep", "")
	g.Write("checkpoints/LEARNINGS.md", "# Learnings\n")
	x.commit("ckpt: init")
	return x
}

func (x *random) commit(message string) {
	x.step++
	at := time.Unix(1767400000+int64(x.step)*60, 0).UTC().Format(time.RFC3339)
	x.t.Setenv("GIT_AUTHOR_DATE", at)
	x.t.Setenv("GIT_COMMITTER_DATE", at)
	x.Git("add", "-A")
	x.Git("commit", "-q", "--allow-empty", "-m", message)
}

// checkpoints returns the paths of the active checkpoints of the branch.
func (x *random) checkpoints() []string {
	out := x.Git("ls-files", "checkpoints/active/*.md")
	return strings.Fields(out)
}

func (x *random) branches() []string {
	return strings.Fields(x.Git("branch", "--format=%(refname:short)"))
}

// grow makes some commits on some branches.
func (x *random) grow(steps int) {
	for range steps {
		all := x.checkpoints()
		kind := x.r.IntN(8)
		if len(all) == 0 {
			kind = 0
		}
		switch kind {
		case 0:
			id := fmt.Sprintf("chk-%d", x.step)
			x.decisions[id] = map[string]bool{}
			status := []string{"active", "current"}[x.r.IntN(2)]
			x.Write("checkpoints/active/"+id+".md", text(id, status))
			x.commit("ckpt: new " + id)
		case 1, 2:
			path := all[x.r.IntN(len(all))]
			line := fmt.Sprintf("d%d", x.step)
			src := x.Read(path)
			x.Write(path, strings.Replace(src, "\n## Current State", "- **"+line+"**: why\n\n## Current State", 1))
			x.decisions[strings.TrimSuffix(filepath.Base(path), ".md")][line] = true
			x.commit("ckpt: note\n\nCheckpoint-Op: note")
		case 3:
			path := all[x.r.IntN(len(all))]
			src := strings.NewReplacer("status: active\n", "", "status: current\n", "").Replace(x.Read(path))
			x.Write(strings.Replace(path, "/active/", "/archive/2026/", 1), src+"\n## Completion\n\nDone.\n")
			gittest.Must(x.t, os.Remove(filepath.Join(x.Dir, path)))
			x.commit("ckpt: archive")
		case 4:
			x.Write(fmt.Sprintf("f%d.go", x.step), "package main\n")
			x.commit("code")
		case 5:
			x.Git("switch", "-q", "-c", fmt.Sprintf("b%d", x.step))
			x.Write(fmt.Sprintf("f%d.go", x.step), "package main\n")
			x.commit("code on a branch")
		case 6:
			all := x.branches()
			x.Git("switch", "-q", all[x.r.IntN(len(all))])
		case 7:
			all := x.branches()
			if _, err := x.TryGit("merge", "-q", "--no-edit", "-X", "ours", all[x.r.IntN(len(all))]); err != nil {
				x.Git("merge", "--abort")
			}
		}
	}
}

// shared returns files of a worktree as the ref has them.
func shared(files map[string]string) map[string]string {
	all := map[string]string{}
	for rel, src := range files {
		all[rel] = string(checkout.Shared(rel, []byte(src)))
	}
	return all
}

// inTree returns the checkpoints and the learnings of a commit.
func inTree(t *testing.T, g *gittest.Repo, commit string) map[string]string {
	t.Helper()
	repo := g.Open()
	if len(commit) != 40 {
		commit = g.Git("rev-parse", commit)
	}
	files, err := repo.Objects().FolderAt(t.Context(), commit, "checkpoints")
	gittest.Must(t, err)
	contents, err := newObjects(repo, "checkpoints").contents(t.Context(), written(files))
	gittest.Must(t, err)
	all := map[string]string{}
	for rel, src := range contents {
		all[rel] = string(src)
	}
	return all
}

// Whatever the history: every commit is repeated with its files, nothing of any branch is lost,
// the code and what the user has staged and edited stay, and the way back gives the same bytes.
func TestThereAndBack(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			x := newRandom(t, seed)
			x.grow(25)
			heads := map[string]map[string]string{}
			for _, b := range x.branches() {
				heads[b] = inTree(t, x.Repo, b)
			}
			single := len(heads) == 1
			before := read(t, x.Repo)
			x.Write("main.go", "package main // edited\n")
			x.Write("staged.go", "package main\n")
			x.Git("add", "staged.go")
			status := x.Git("status", "--porcelain")

			answer := move(t, x.Repo, Request{To: policy.Ref})
			checkReplay(t, x)
			if got := x.Git("status", "--porcelain"); got != status {
				t.Errorf("git status was\n%s\nand is\n%s", status, got)
			}
			tip := inTree(t, x.Repo, answer.Tip)
			if single && !maps.Equal(tip, shared(before)) {
				t.Errorf("the ref has\n%q\nnot\n%q", tip, shared(before))
			}
			for name, files := range heads {
				checkHas(t, name, files, tip)
			}
			for _, src := range tip {
				if strings.Contains(src, "status: current") {
					t.Errorf("a checkpoint of the ref is current:\n%s", src)
				}
			}
			there := read(t, x.Repo)
			if !maps.Equal(shared(there), tip) {
				t.Errorf("ckpt reads\n%q\nnot\n%q", there, tip)
			}
			if again := move(t, x.Repo, Request{To: policy.Ref}); !again.Unchanged {
				t.Errorf("again: %+v", again)
			}
			if out, err := x.TryGit("fsck", "--strict"); err != nil {
				t.Errorf("git fsck: %s", out)
			}

			back := move(t, x.Repo, Request{To: policy.Own, WithHistory: seed%2 == 0})
			if got := read(t, x.Repo); !maps.Equal(got, there) {
				t.Errorf("back there are\n%q\nnot\n%q", got, there)
			}
			if got := inTree(t, x.Repo, "HEAD"); !maps.Equal(got, there) {
				t.Errorf("back the commit has\n%q\nnot\n%q", got, there)
			}
			if got := x.Git("status", "--porcelain"); got != status {
				t.Errorf("back, git status was\n%s\nand is\n%s", status, got)
			}
			if got := x.Git("rev-parse", back.OldRef); got != answer.Tip {
				t.Errorf("%s is %s", back.OldRef, got)
			}
			if _, err := x.TryGit("merge-base", "--is-ancestor", answer.Tip, "HEAD"); (err == nil) != (seed%2 == 0) {
				t.Errorf("the history of the ref: %v", err)
			}
			move(t, x.Repo, Request{To: policy.Ref})
			if got := read(t, x.Repo); !maps.Equal(got, there) {
				t.Errorf("there again: %q, not %q", got, there)
			}
		})
	}
}

// checkReplay compares every commit with the one that repeats it.
func checkReplay(t *testing.T, x *random) {
	t.Helper()
	m := open(t, x.Repo)
	begun := &migration{Migrator: m, req: Request{To: policy.Ref}}
	gittest.Must(t, begun.begin(t.Context()))
	r, err := replayAll(t.Context(), m.Repo, begun.ref, m.Prefix)
	gittest.Must(t, err)
	for _, hash := range r.order {
		made, of := r.becomes[hash], open(t, x.Repo).Repo.Objects()
		was, err := of.Commit(t.Context(), hash)
		gittest.Must(t, err)
		if _, config, err := r.folderOf(t.Context(), hash, was); err != nil || r.isPolicy[config] {
			continue // the commit that took the files off the branch
		}
		if len(made) != 1 {
			t.Fatalf("%s becomes %v", hash, made)
		}
		if got, want := inTree(t, x.Repo, made[0]), inTree(t, x.Repo, hash); !maps.Equal(got, want) {
			t.Errorf("%s has %q, not %q", made[0], got, want)
		}
		origin, err := of.Commit(t.Context(), r.origin[made[0]])
		gittest.Must(t, err)
		is, err := of.Commit(t.Context(), made[0])
		gittest.Must(t, err)
		if is.Author != origin.Author || is.Committer != origin.Committer || is.Message != origin.Message {
			t.Errorf("%s is %+v, not %+v", made[0], is, origin)
		}
	}
}

// checkHas checks that every checkpoint of a branch is on the ref, with every decision.
func checkHas(t *testing.T, branch string, files, tip map[string]string) {
	t.Helper()
	byID := map[string]string{}
	for rel, src := range tip {
		if c, err := checkpoint.Parse(rel, []byte(src)); err == nil {
			byID[c.ID] = src
		}
	}
	for rel, src := range files {
		c, err := checkpoint.Parse(rel, []byte(src))
		if err != nil {
			continue // the learnings
		}
		for line := range strings.Lines(src) {
			if strings.HasPrefix(line, "- **") && !strings.Contains(byID[c.ID], line) {
				t.Errorf("%s of %s has lost %s", c.ID, branch, line)
			}
		}
		if byID[c.ID] == "" {
			t.Errorf("%s of %s is not on the ref", c.ID, branch)
		}
	}
}

// Two people who migrate the same history get the same commit, whatever they have checked out and
// however their branches are called.
func TestSameEverywhere(t *testing.T) {
	for seed := range uint64(4) {
		x := newRandom(t, seed)
		x.grow(30)
		dir := filepath.Join(t.TempDir(), "clone")
		x.Git("clone", "-q", "--no-local", x.Dir, dir)
		y := x.At(dir)
		all := x.branches()
		y.Git("switch", "-q", "--detach", "origin/"+all[len(all)-1])
		a := move(t, x.Repo, Request{To: policy.Ref})
		b := move(t, y, Request{To: policy.Ref})
		if a.Tip != b.Tip || a.Commits != b.Commits {
			t.Errorf("seed %d: %+v and %+v", seed, a, b)
		}
	}
}

// What a branch gets after the migration is taken over, and named before.
func TestTakeOver(t *testing.T) {
	x := newRandom(t, 1)
	x.Write("checkpoints/active/chk-a.md", text("chk-a", "current"))
	x.commit("ckpt: new chk-a")
	x.Git("branch", "old")
	first := move(t, x.Repo, Request{To: policy.Ref})
	if behind, err := open(t, x.Repo).Behind(t.Context()); err != nil || behind != nil {
		t.Errorf("behind: %v, %v", behind, err)
	}
	dir := filepath.Join(t.TempDir(), "clone")
	x.Git("clone", "-q", "-b", "old", x.Dir, dir)
	y := &random{Repo: x.At(dir), t: t, step: x.step}
	y.Write("checkpoints/active/chk-a.md", text("chk-a", "current", "use git"))
	y.commit("ckpt: note")
	y.Write("checkpoints/active/chk-b.md", text("chk-b", "active"))
	y.commit("ckpt: new chk-b")
	x.Git("fetch", "-q", dir, "old:old")

	if behind, err := open(t, x.Repo).Behind(t.Context()); err != nil || !slices.Equal(behind, []string{"old"}) {
		t.Errorf("behind: %v, %v", behind, err)
	}
	m := open(t, x.Repo)
	m.DryRun = true
	planned, err := m.Migrate(t.Context(), Request{To: policy.Ref})
	gittest.Must(t, err)
	again := move(t, x.Repo, Request{To: policy.Ref})
	if planned.Tip != again.Tip || again.Commits != 2 || again.Commit != "" || again.OldTip != first.Tip {
		t.Errorf("planned %+v, done %+v", planned, again)
	}
	if files := inTree(t, x.Repo, again.Tip); !strings.Contains(files["active/chk-a.md"], "use git") ||
		files["active/chk-b.md"] == "" {
		t.Errorf("the ref has %q", files)
	}
	if parents := x.Git("show", "-s", "--format=%P", again.Tip); !strings.Contains(parents, first.Tip) {
		t.Errorf("the parents are %s", parents)
	}
	if again := move(t, x.Repo, Request{To: policy.Ref}); !again.Unchanged {
		t.Errorf("again: %+v", again)
	}
}

// A branch that was squashed, and whose checkpoints were deleted or archived since, brings nothing
// back. What it got later is taken over.
func TestSquashed(t *testing.T) {
	x := newRandom(t, 1)
	x.Git("switch", "-q", "-c", "feature")
	for _, id := range []string{"chk-a", "chk-b", "chk-c"} {
		x.Write("checkpoints/active/"+id+".md", text(id, "active", "d1", "d2"))
		x.commit("ckpt: new " + id)
	}
	x.Git("switch", "-q", "main")
	x.Git("merge", "-q", "--squash", "feature")
	x.commit("Squashed")
	x.Git("rm", "-q", "checkpoints/active/chk-a.md")
	x.Write("checkpoints/active/chk-b.md", text("chk-b", "active", "d2"))
	x.commit("ckpt: delete chk-a, fold chk-b")
	x.Git("switch", "-q", "feature")
	x.Write("checkpoints/active/chk-c.md", text("chk-c", "active", "d1", "d2", "d3"))
	x.commit("ckpt: note")
	x.Git("switch", "-q", "main")

	files := inTree(t, x.Repo, move(t, x.Repo, Request{To: policy.Ref}).Tip)
	want := map[string]string{
		"LEARNINGS.md":    "# Learnings\n",
		"active/chk-b.md": text("chk-b", "active", "d2"),
		"active/chk-c.md": text("chk-c", "active", "d1", "d2", "d3"),
	}
	if !maps.Equal(files, want) {
		t.Errorf("the ref has %q", files)
	}
}

// An undo on one branch is no version that the other branch once had.
func TestUndone(t *testing.T) {
	x := newRandom(t, 1)
	version := func(state string, decisions ...string) string {
		return strings.Replace(text("chk-a", "active", decisions...), "\ns\n", "\n"+state+"\n", 1)
	}
	put := func(content string) {
		x.Write("checkpoints/active/chk-a.md", content)
		x.commit("ckpt: delta")
	}
	put(version("begun"))
	put(version("wrong"))
	x.Git("branch", "other")
	put(version("begun"))
	x.Git("switch", "-q", "other")
	put(version("wrong", "d1"))
	files := inTree(t, x.Repo, move(t, x.Repo, Request{To: policy.Ref}).Tip)
	if got, want := files["active/chk-a.md"], version("begun", "d1"); got != want {
		t.Errorf("the ref has %s", got)
	}
}

// A hand edit stays one, there and back.
func TestHandEdits(t *testing.T) {
	x := newRandom(t, 1)
	x.Write("checkpoints/active/chk-a.md", text("chk-a", "current"))
	x.Write("checkpoints/active/chk-b.md", text("chk-b", "active"))
	x.commit("ckpt: new")
	x.Write("checkpoints/active/chk-a.md", text("chk-a", "current", "by hand"))
	x.Write("checkpoints/active/chk-new.md", text("chk-new", "active"))
	x.Git("add", "checkpoints/active/chk-new.md")
	edits := func() []string {
		v, err := open(t, x.Repo).Read(t.Context(), store.All)
		gittest.Must(t, err)
		all, err := v.Edits(t.Context(), store.All)
		gittest.Must(t, err)
		var paths []string
		for _, f := range all {
			paths = append(paths, f.Path)
		}
		return paths
	}
	want := []string{"active/chk-a.md", "active/chk-new.md"}
	for _, to := range []policy.Commit{policy.Ref, policy.Own, policy.Ref} {
		move(t, x.Repo, Request{To: to})
		if got := edits(); !slices.Equal(got, want) {
			t.Errorf("in mode %s the edits are %v", to, got)
		}
		files := read(t, x.Repo)
		if files["active/chk-a.md"] != text("chk-a", "current", "by hand") || files["active/chk-new.md"] == "" {
			t.Errorf("in mode %s the files are %q", to, files)
		}
	}
}

// A migration that was killed is completed by the next one. Until then every checkpoint can be
// read, and the hand edit stays.
func TestKilledHalfWay(t *testing.T) {
	for killed := range 8 {
		x := newRandom(t, 1)
		x.Write("checkpoints/active/chk-a.md", text("chk-a", "current"))
		x.commit("ckpt: new chk-a")
		x.Write("checkpoints/active/chk-a.md", text("chk-a", "current", "by hand"))
		before := read(t, x.Repo)
		to := policy.Ref
		if killed > 3 {
			to = policy.Own
			move(t, x.Repo, Request{To: policy.Ref})
		}
		p := open(t, x.Repo)
		unlock, err := p.Repo.Lock(t.Context(), disk.Exclusive)
		gittest.Must(t, err)
		m := &migration{Migrator: p, req: Request{To: to}}
		gittest.Must(t, m.begin(t.Context()))
		steps := killedThere(t, m)
		if to == policy.Own {
			steps = killedBack(t, m)
		}
		for _, step := range steps[:1+killed%4] {
			gittest.Must(t, step())
		}
		unlock()
		if got := read(t, x.Repo); !maps.Equal(got, before) {
			t.Errorf("killed after step %d to %s: %q, not %q", killed%4, to, got, before)
		}
		move(t, x.Repo, Request{To: to})
		if got := read(t, x.Repo); !maps.Equal(got, before) {
			t.Errorf("killed after step %d to %s, and completed: %q, not %q", killed%4, to, got, before)
		}
		if got := x.Git("ls-files", "checkpoints/active/chk-a.md"); (got == "") != (to == policy.Ref) {
			t.Errorf("killed after step %d to %s: git has %q", killed%4, to, got)
		}
		if again := move(t, x.Repo, Request{To: to}); !again.Unchanged {
			t.Errorf("again: %+v", again)
		}
	}
}

// killedThere returns the steps of a migration to the ref before the last one.
func killedThere(t *testing.T, m *migration) []func() error {
	r, err := replayAll(t.Context(), m.Repo, m.ref, m.Prefix)
	gittest.Must(t, err)
	to, err := r.join(t.Context())
	gittest.Must(t, err)
	return []func() error{
		func() error { return r.flush(t.Context()) },
		func() error {
			from, err := r.at(t.Context(), m.head.Hash)
			gittest.Must(t, err)
			return m.files.Adopt(from, m.on.Branch(), m.current())
		},
		func() error { return m.ref.Move(t.Context(), to, "", "test") },
		func() error { return m.SetMode(t.Context(), policy.Ref) },
	}
}

// killedBack returns the steps of a migration to the branch before the last one.
func killedBack(t *testing.T, m *migration) []func() error {
	tip, err := m.ref.Tip(t.Context())
	gittest.Must(t, err)
	return []func() error{
		func() error {
			_, err := m.ref.Keep(t.Context(), tip, noon)
			return err
		},
		func() error {
			b, err := m.onBranch(t.Context(), tip)
			gittest.Must(t, err)
			landed, err := m.make(t.Context(), b, "test")
			gittest.Must(t, err)
			return m.land(t.Context(), b, landed, "test")
		},
		func() error {
			_, err := m.Repo.Run(t.Context(), "config", "--unset", "ckpt.commit")
			return err
		},
		func() error {
			_, err := m.files.Leave()
			return err
		},
	}
}

// A branch that still has the files can be migrated, too, in a worktree of its own: the edits there
// are on top of the ref by then.
func TestOtherWorktree(t *testing.T) {
	x := newRandom(t, 1)
	x.Write("checkpoints/active/chk-a.md", text("chk-a", "current"))
	x.commit("ckpt: new chk-a")
	dir := filepath.Join(t.TempDir(), "other")
	x.Git("worktree", "add", "-q", "-b", "other", dir)
	x.Write("checkpoints/active/chk-a.md", text("chk-a", "current", "here"))
	x.commit("ckpt: note")
	y := &random{Repo: x.At(dir), t: t, step: x.step}
	y.Write("checkpoints/active/chk-a.md", text("chk-a", "current", "there"))
	y.commit("ckpt: note")
	answer := move(t, x.Repo, Request{To: policy.Ref})
	if len(answer.Remarks) != 1 || !strings.Contains(answer.Remarks[0], "still have the files: other (") {
		t.Errorf("remarks: %q", answer.Remarks)
	}
	want := text("chk-a", "current", "here", "there")
	if got := read(t, x.Repo)["active/chk-a.md"]; got != want {
		t.Errorf("here: %s", got)
	}
	if got := read(t, y.Repo)["active/chk-a.md"]; got != want {
		t.Errorf("there: %s", got)
	}
	y.Git("switch", "-q", "--detach")
	move(t, y.Repo, Request{To: policy.Ref})
	if got := y.Git("status", "--porcelain"); got != "" {
		t.Errorf("git status: %s", got)
	}
	if got := y.Git("ls-files", "checkpoints"); got != "checkpoints/config.yaml" {
		t.Errorf("git has %s", got)
	}
	if got := read(t, y.Repo)["active/chk-a.md"]; got != want {
		t.Errorf("there, migrated: %s", got)
	}
}

func TestGraph(t *testing.T) {
	g := newGraph()
	for _, c := range []struct {
		commit  string
		parents []string
	}{{"r", nil}, {"a", []string{"r"}}, {"b", []string{"a"}}, {"c", []string{"a"}}, {"m", []string{"b", "c"}}, {"o", nil}} {
		g.add(c.commit, c.parents)
	}
	if got := g.newest([]string{"a", "b", "c", "b"}); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("newest: %v", got)
	}
	for _, c := range [][3]string{{"b", "c", "a"}, {"m", "b", "b"}, {"a", "a", "a"}, {"a", "o", ""}} {
		if got := g.base(c[0], c[1]); got != c[2] {
			t.Errorf("the base of %s and %s is %q", c[0], c[1], got)
		}
	}
	if g.contains("b", "c") || !g.contains("m", "r") || g.contains("r", "a") {
		t.Error("contains is wrong")
	}
}
