package query

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/entrycache"
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
	_, err := edit.New(open(t, r)).Delete(t.Context(), edit.DeleteRequest{ID: "chk-100"})
	gittest.Must(t, err)
	if disk.Exists(cached) {
		t.Error("the cache has the text of a deleted checkpoint")
	}
}

// fill caches entries of archived files that are not what the files say.
func fill(t *testing.T, r *gittest.Repo, own string, n int, rel func(int) string) {
	t.Helper()
	cache := entrycache.Open(own, time.Now().Add(time.Hour))
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
		blob := git.BlobHash(src)
		cache.Get(rel(i), stamp, blob)
		cache.Add(rel(i), blob, &result.Entry{ID: fmt.Sprintf("chk-%03d", i), Status: "archived", Problem: "From the cache."})
	}
	cache.Save()
}
