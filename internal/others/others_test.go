package others

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

const (
	active  = "checkpoints/active/"
	archive = "checkpoints/archive/"
	ledger  = "checkpoints/LEARNINGS.md"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// chk returns a checkpoint that was last changed on a day of February.
func chk(id, day string, fields ...string) string {
	return "---\ncheckpoint: " + id + "\ncreated: 2026-02-" + day + "\n" + strings.Join(fields, "\n") +
		"\n---\n\n## Problem\n\nProblem of " + id + ".\n"
}

func learned(day, id string, texts ...string) string {
	return "# Learnings\n\n## 2026-02-" + day + " — " + id + "\n- " + strings.Join(texts, "\n- ") + "\n"
}

// begin returns a repository on branch main with two checkpoints, an archived one and a
// learning.
func begin(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.New(t)
	r.Commit("Begin", "main.go", "package main\n", active+"chk-base.md", chk("chk-base", "02", "status: current"),
		active+"chk-other.md", chk("chk-other", "02"), archive+"chk-old.md", chk("chk-old", "01"),
		ledger, learned("01", "chk-old", "Known already"))
	return r
}

// onBranch runs do on a new branch, and goes back.
func onBranch(r *gittest.Repo, name string, do func()) {
	r.T.Helper()
	r.Git("switch", "-q", "-c", name, "main")
	do()
	r.Git("switch", "-q", "main")
}

func open(t *testing.T, r *gittest.Repo) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(t.Context(), workspace.Settings{Dir: r.Dir, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// entries returns the checkpoints of active/ as a listing has them.
func entries(t *testing.T, w *workspace.Workspace) (all []*result.Entry, unread []checkpoint.Broken) {
	t.Helper()
	set := load(t, w).Set
	for _, c := range set.All {
		all = append(all, progress.NewEntry(c, w.FromRoot(c.Path), c.Changed()))
	}
	return all, set.Broken
}

func load(t *testing.T, w *workspace.Workspace) *workspace.View {
	t.Helper()
	view, err := w.Read(t.Context(), store.Live)
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// TestOthers makes branches and looks for what they have and main lacks, by every way to ask.
func TestOthers(t *testing.T) {
	for _, c := range []struct {
		name      string
		change    func(*gittest.Repo)
		want      string // the checkpoints, with their branches
		newer     string // the checkpoints that are newer elsewhere, likewise
		learnings string
	}{
		{name: "no other branch", change: func(*gittest.Repo) {}},
		{name: "a branch with the same", change: func(r *gittest.Repo) { r.Git("branch", "same") }},
		{
			name: "a new checkpoint",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("New", active+"chk-new.md", chk("chk-new", "05")) })
			},
			want: "chk-new feat",
		},
		{
			name: "on two branches",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("New", active+"chk-new.md", chk("chk-new", "05")) })
				r.Git("branch", "again", "feat")
			},
			want: "chk-new again,feat",
		},
		{
			name: "a branch that was merged",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("New", active+"chk-new.md", chk("chk-new", "05")) })
				r.Git("merge", "-q", "feat")
			},
		},
		{
			name: "deleted here, and on an old branch",
			change: func(r *gittest.Repo) {
				r.Git("branch", "stale")
				r.Git("rm", "-q", active+"chk-other.md")
				r.Commit("Drop it")
			},
		},
		{
			name: "archived here",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("Older", active+"chk-old.md", chk("chk-old", "05")) })
			},
		},
		{
			name: "archived here, in a folder of the month",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("New", active+"chk-new.md", chk("chk-new", "05")) })
				r.Commit("Archived", archive+"2026/02/chk-new.md", chk("chk-new", "06"))
			},
		},
		{
			name: "an uncommitted file of the same id",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("New", active+"chk-new.md", chk("chk-new", "05")) })
				r.Write(active+"chk-new.md", chk("chk-new", "06"))
			},
		},
		{
			name: "another name of the file, the same id",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("New", active+"renamed.md", chk("chk-other", "02")) })
			},
		},
		{
			name: "a newer version",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("Later", active+"chk-base.md", chk("chk-base", "07")) })
			},
			newer: "chk-base feat",
		},
		{
			name: "an older version",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("Earlier", active+"chk-base.md", chk("chk-base", "01", "phase: x")) })
			},
		},
		{
			name: "the newest of two versions",
			change: func(r *gittest.Repo) {
				onBranch(r, "late", func() { r.Commit("Late", active+"chk-new.md", chk("chk-new", "07")) })
				onBranch(r, "early", func() { r.Commit("Early", active+"chk-new.md", chk("chk-new", "05")) })
			},
			want: "chk-new late",
		},
		{
			name: "one that cannot be read there",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("Bad", active+"chk-bad.md", "---\ncheckpoint: [\n---\n") })
			},
			want: "chk-bad feat unreadable",
		},
		{
			name: "one that cannot be read here",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("Good", active+"chk-bad.md", chk("chk-bad", "05")) })
				r.Write(active+"chk-bad.md", "---\ncheckpoint: [\n---\n")
			},
		},
		{
			name: "learnings, newest first",
			change: func(r *gittest.Repo) {
				onBranch(r, "one", func() { r.Commit("One", ledger, learned("03", "chk-x", "Earlier one", "Known already")) })
				onBranch(r, "two", func() { r.Commit("Two", ledger, learned("05", "chk-y", "Later one")) })
			},
			learnings: "Later one (two); Earlier one (one)",
		},
		{
			name: "a learning that is here, not yet committed",
			change: func(r *gittest.Repo) {
				onBranch(r, "one", func() { r.Commit("One", ledger, learned("03", "chk-x", "A new one")) })
				r.Write(ledger, learned("04", "chk-z", "A new one"))
			},
		},
		{
			name: "another worktree, on no branch",
			change: func(r *gittest.Repo) {
				dir := filepath.Join(filepath.Dir(r.Dir), "w1")
				r.Git("worktree", "add", "-q", "--detach", dir)
				r.At(dir).Commit("New", active+"chk-new.md", chk("chk-new", "05"))
			},
			want: "chk-new (commit) in ../w1",
		},
		{
			name: "a branch of a remote, as last fetched",
			change: func(r *gittest.Repo) {
				onBranch(r, "feat", func() { r.Commit("New", active+"chk-new.md", chk("chk-new", "05")) })
				r.Git("update-ref", "refs/remotes/origin/feat", "feat")
				r.Git("branch", "-q", "-D", "feat")
			},
			want: "chk-new origin/feat",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := begin(t)
			c.change(r)
			w := open(t, r)
			f := New(w)
			here, unread := entries(t, w)
			all, counts, err := f.AddOthers(t.Context(), here, unread, Everywhere{On: true})
			if err != nil {
				t.Fatal(err)
			}
			var found, newer []string
			for _, e := range all {
				if e.Newer != nil {
					newer = append(newer, e.ID+" "+place(e.Newer))
				}
				if e.On == nil {
					continue
				}
				text := e.ID + " " + place(e.On)
				if e.Unreadable != "" {
					text += " " + e.Status
				}
				found = append(found, text)
			}
			if got := strings.Join(found, "; "); got != c.want {
				t.Errorf("checkpoints: %q, want %q", got, c.want)
			}
			if got := strings.Join(newer, "; "); got != c.newer {
				t.Errorf("newer: %q, want %q", got, c.newer)
			}
			lessons, err := f.OtherLearnings(t.Context(), Everywhere{On: true})
			if got := listed(lessons); err != nil || got != c.learnings {
				t.Errorf("learnings: %q, %v, want %q", got, err, c.learnings)
			}
			want := result.Others{Checkpoints: len(found), Learnings: len(lessons)}
			overview := &result.Overview{Entries: here}
			for _, b := range unread {
				overview.Entries = append(overview.Entries, progress.UnreadableEntry(b, w.FromRoot(b.Path)))
			}
			for _, way := range []string{"first", "cached"} {
				if got := f.CountOthers(t.Context(), overview); counts != want || got != want {
					t.Errorf("%s count: %+v and %+v, want %+v", way, counts, got, want)
				}
			}
			set, on, err := f.WithOthers(t.Context(), load(t, w).Set, Everywhere{On: true})
			if err != nil || len(on)+len(set.Broken)-len(unread) != len(found) {
				t.Errorf("%d with others and %d unreadable, %v", len(on), len(set.Broken), err)
			}
		})
	}
}

// place returns a location without the name of a commit.
func place(l *result.Location) string {
	name := strings.Join(l.Branches, ",")
	if l.Folder == "" {
		return name
	}
	return "(commit) in " + l.Folder
}

func listed(all []learnings.Learning) string {
	var texts []string
	for _, l := range all {
		texts = append(texts, l.Text+" ("+strings.Join(l.On, ",")+")")
	}
	return strings.Join(texts, "; ")
}

// TestCountFollows checks that no cached count outlives a change of what it counts.
func TestCountFollows(t *testing.T) {
	r := begin(t)
	for _, step := range []struct {
		name string
		do   func()
		want result.Others
	}{
		{"nothing", func() {}, result.Others{}},
		{"a new branch", func() {
			onBranch(r, "feat", func() {
				r.Commit("New", active+"chk-new.md", chk("chk-new", "05"), ledger, learned("05", "chk-new", "New one"))
			})
		}, result.Others{Checkpoints: 1, Learnings: 1}},
		{"taken over by hand", func() { r.Write(active+"chk-new.md", chk("chk-new", "05")) }, result.Others{Learnings: 1}},
		{"learned here, too", func() { r.Write(ledger, learned("06", "chk-z", "New one")) }, result.Others{}},
		{"dropped", func() { r.Git("checkout", "-q", "--", ledger); r.Git("clean", "-fdq") },
			result.Others{Checkpoints: 1, Learnings: 1}},
		{"the branch is gone", func() { r.Git("branch", "-q", "-D", "feat") }, result.Others{}},
	} {
		step.do()
		w := open(t, r)
		here, _ := entries(t, w)
		if got := New(w).CountOthers(t.Context(), &result.Overview{Entries: here}); got != step.want {
			t.Errorf("%s: %+v, want %+v", step.name, got, step.want)
		}
	}
}

func TestOtherTexts(t *testing.T) {
	r := begin(t)
	text := chk("chk-new", "05")
	onBranch(r, "feat", func() { r.Commit("New", active+"chk-new.md", text, active+"chk-base.md", chk("chk-base", "09")) })
	w := open(t, r)
	set := load(t, w).Set
	for _, c := range []struct {
		name string
		here map[string]bool
		want string
	}{
		{"what is here is left out", IdsOf(set), "chk-new"},
		{"what the caller has is left out", map[string]bool{"chk-new": true, "chk-base": true}, ""},
	} {
		found, texts, err := New(w).OtherTexts(t.Context(), c.here, Everywhere{On: true})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, v := range found.Checkpoints {
			ids = append(ids, v.ID)
			if string(texts[v.Blob]) != text {
				t.Errorf("%s: %q", v.ID, texts[v.Blob])
			}
		}
		if got := strings.Join(ids, " "); got != c.want || len(texts) != len(ids) {
			t.Errorf("%s: %q and %d texts, want %q", c.name, got, len(texts), c.want)
		}
	}
}

func TestOrOnOther(t *testing.T) {
	r := begin(t)
	onBranch(r, "feat", func() { r.Commit("New", active+"chk-new.md", chk("chk-new", "05")) })
	missing := fault.New(fault.NotFound, "no checkpoint is called so")
	other := fault.New(fault.Usage, "two of them")
	for _, c := range []struct {
		name  string
		err   error
		want  string
		hints string
	}{
		{"chk-new", missing, `no checkpoint of this branch is called "chk-new"; chk-new is on feat`, "ckpt restore chk-new --at feat"},
		{"new", missing, `no checkpoint of this branch is called "new"; chk-new is on feat`, "ckpt show chk-new --at feat"},
		{"chk-nowhere", missing, missing.Error(), ""},
		{"chk-new", other, other.Error(), ""},
		{"@", missing, missing.Error(), ""},
		{"", missing, missing.Error(), ""},
	} {
		got := New(open(t, r)).OrOnOther(t.Context(), c.name, c.err)
		if got.Error() != c.want || !strings.Contains(fault.HintOf(got), c.hints) || fault.KindOf(got) != fault.KindOf(c.err) {
			t.Errorf("%q: %v (%s), want %s (%s)", c.name, got, fault.HintOf(got), c.want, c.hints)
		}
	}
	if err := New(open(t, r)).OrOnOther(t.Context(), "chk-new", nil); err != nil {
		t.Errorf("without an error: %v", err)
	}
}

func TestBeginLearnings(t *testing.T) {
	r := begin(t)
	onBranch(r, "feat", func() { r.Commit("One", ledger, learned("03", "chk-x", "Local one")) })
	onBranch(r, "gone", func() { r.Commit("Two", ledger, learned("04", "chk-y", "Far one")) })
	r.Git("update-ref", "refs/remotes/origin/gone", "gone")
	r.Git("branch", "-q", "-D", "gone")
	for _, way := range []string{"first", "cached"} {
		answer := New(open(t, r)).BeginLearnings(t.Context())
		if got := listed(answer()); got != "Local one (feat)" {
			t.Errorf("%s: %q", way, got)
		}
	}
	r.Git("branch", "-q", "-D", "feat")
	if got := New(open(t, r)).BeginLearnings(t.Context())(); len(got) != 0 {
		t.Errorf("after the branch is gone: %q", listed(got))
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	onBranch(r, "more", func() { r.Commit("More", ledger, learned("05", "chk-z", "Late one")) })
	if got := New(open(t, r)).BeginLearnings(late)(); len(got) != 0 {
		t.Errorf("after the time is over: %q", listed(got))
	}
}

func TestAstray(t *testing.T) {
	r := gittest.New(t)
	r.Commit("Begin",
		active+"chk-root.md", chk("chk-root", "01"), active+"chk-child.md", chk("chk-child", "02", "parent: chk-root"),
		active+"chk-lost.md", chk("chk-lost", "02", "parent: chk-gone"),
		active+"chk-below.md", chk("chk-below", "02", "parent: chk-lost"),
		active+"chk-self.md", chk("chk-self", "02", "parent: chk-self"),
		active+"chk-a.md", chk("chk-a", "02", "parent: chk-b"), active+"chk-b.md", chk("chk-b", "02", "parent: chk-a"),
		active+"chk-fork.md", chk("chk-fork", "02", "parent: chk-old"), archive+"chk-old.md", chk("chk-old", "01"),
		active+"chk-odd.md", chk("chk-odd", "02", "parent: chk-named"), archive+"other-name.md", chk("chk-named", "01"),
	)
	w := open(t, r)
	view := load(t, w)
	for id, want := range map[string]string{
		"chk-root":  "",
		"chk-child": "",
		"chk-lost":  "the parents of chk-lost: parent \"chk-gone\" does not exist",
		"chk-below": "the parents of chk-below: parent \"chk-gone\" does not exist",
		"chk-self":  "the parents of chk-self: names itself as its parent",
		"chk-a":     "the parents of chk-a: ",
		"chk-fork":  "", // its parent's file is in the archive
		"chk-odd":   "", // its parent is in the archive under another name
	} {
		c, ok := view.Set.Get(id)
		if !ok {
			t.Fatalf("no %s", id)
		}
		got, err := New(w).Astray(view, c)
		if err != nil || (want == "") != (got == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, %v, want %q", id, got, err, want)
		}
	}
}
