package query

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/entrycache"
	"example.com/ckpt/internal/workspace/modified"
	"example.com/ckpt/internal/workspace/store"
)

// TestListFromCache: a listing takes the entries of archived files from the cache if the files are as
// they were and as the last commit has them, and else from the files. Deleting one removes the cache.
func TestListFromCache(t *testing.T) {
	r := gittest.New(t)
	files := []string{"checkpoints/active/chk-now.md", chk("chk-now", "Now.", "created: 2026-02-01", "status: current")}
	const archived = 250
	rel := func(i int) string { return fmt.Sprintf("archive/2026/02/chk-%03d.md", i) }
	text := func(i int, problem string) string {
		return chk(fmt.Sprintf("chk-%03d", i), problem, "created: 2026-02-01") + completion
	}
	for i := range archived {
		files = append(files, "checkpoints/"+rel(i), text(i, "It is old."))
	}
	r.Commit("Begin", files...)
	problems := func() map[string]string {
		t.Helper()
		o, err := New(open(t, r)).List(t.Context(), ListRequest{Active: true, Archived: true})
		gittest.Must(t, err)
		found := map[string]string{}
		for _, e := range o.Entries {
			found[e.ID] = e.Problem
		}
		if len(found) != archived+1 {
			t.Fatalf("%d checkpoints, want %d", len(found), archived+1)
		}
		return found
	}
	own := filepath.Join(r.Dir, ".git", "ckpt")
	cached := filepath.Join(own, "entries")
	problems()
	if disk.Exists(cached) {
		t.Error("files that were changed a moment ago are in the cache")
	}
	fill(t, r, own, archived, rel)
	all := problems()
	if got := all["chk-001"]; got != "From the cache." {
		t.Fatalf("%q is not from the cache", got)
	}
	r.Write("checkpoints/"+rel(1), text(1, "It is new."))
	r.Commit("Change", "checkpoints/"+rel(2), text(2, "It is two."))
	all = problems()
	for id, want := range map[string]string{"chk-001": "It is new.", "chk-002": "It is two.", "chk-003": "From the cache."} {
		if all[id] != want {
			t.Errorf("%s: %q, want %q", id, all[id], want)
		}
	}
	if !disk.Exists(cached) {
		t.Error("the cache is gone")
	}
	changed := func(id string) time.Time {
		t.Helper()
		o, err := New(open(t, r)).List(t.Context(), ListRequest{Archived: true})
		gittest.Must(t, err)
		for _, e := range o.Entries {
			if e.ID == id && e.Problem == "From the cache." {
				return e.Changed.Time
			}
		}
		t.Fatalf("%s is not from the cache", id)
		return time.Time{}
	}
	before := changed("chk-003")
	later := before.Add(time.Hour)
	t.Setenv("GIT_COMMITTER_DATE", later.Format(time.RFC3339))
	r.Git("rm", "-q", "--cached", "checkpoints/"+rel(3))
	r.Git("commit", "-q", "-m", "Remove")
	r.Git("add", "checkpoints/"+rel(3))
	r.Git("commit", "-q", "-m", "Add again")
	for _, how := range []string{"from history", "from the cache"} {
		if a, b := changed("chk-003"), changed("chk-004"); !a.Equal(later) || !b.Equal(before) {
			t.Errorf("%s: %v and %v, want %v and %v", how, a, b, later, before)
		}
	}
	r.Git("reset", "-q", "--soft", "HEAD~2")
	if got := changed("chk-003"); !got.Equal(before) {
		t.Errorf("after a reset: %v, want %v", got, before)
	}
	_, err := edit.New(open(t, r)).Delete(t.Context(), edit.DeleteRequest{ID: "chk-100"})
	gittest.Must(t, err)
	if disk.Exists(cached) {
		t.Error("the cache has the text of a deleted checkpoint")
	}
}

// fill caches entries of archived files that are not what the files say.
func fill(t *testing.T, r *gittest.Repo, own string, n int, rel func(int) string) {
	t.Helper()
	times, err := modified.Load(t.Context(), open(t, r).Base.Folder, time.Now, store.All)
	gittest.Must(t, err)
	cache := entrycache.Open(own, time.Now().Add(time.Hour), times.Archive(), func() entrycache.Commits { return times })
	folder, err := disk.OpenFolder(filepath.Join(r.Dir, "checkpoints", "archive", "2026", "02"))
	gittest.Must(t, err)
	defer folder.Close()
	for i := range n {
		src, err := os.ReadFile(filepath.Join(r.Dir, "checkpoints", rel(i)))
		gittest.Must(t, err)
		stamp, err := folder.Stamp(filepath.Base(rel(i)))
		if err != nil {
			t.Skip("files have no stamps here")
		}
		cache.Get(rel(i), stamp)
		cache.Add(rel(i), src, &result.Entry{ID: fmt.Sprintf("chk-%03d", i), Status: "archived", Problem: "From the cache."})
	}
	cache.Save()
}
