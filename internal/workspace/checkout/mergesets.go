package checkout

import (
	"context"
	"maps"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/mergefile"
	"example.com/ckpt/internal/merge"
)

// MergeSets merges two versions of files with their base by id. It never asks: if both sides changed the same lines
// of an unreadable file, it keeps both, because a person has to repair the file anyway. If the merge would lose a
// checkpoint that no side has removed, it returns an error that names it.
func MergeSets(ctx context.Context, repo *git.Repo, base, ours, theirs merge.Set) (merge.Result, error) {
	text := func(base, ours, theirs []byte) ([]byte, bool, error) {
		both, err := mergefile.KeepBoth(ctx, repo.Root(), base, ours, theirs)
		return both, false, err
	}
	merged, err := merge.Sets(base, ours, theirs, text)
	if err != nil {
		return merged, err
	}
	if id := lost(base, ours, theirs, merged.Files); id != "" {
		return merged, fault.New(fault.Failed, "a merge would lose %s", id).WithHint("ckpt show %s", id)
	}
	return merged, nil
}

// lost returns the id of a checkpoint that a side has and merged lacks, though no side has removed it, or "".
func lost(base, ours, theirs, merged merge.Set) string {
	inBase, inOurs, inTheirs, after := idsIn(base), idsIn(ours), idsIn(theirs), idsIn(merged, ours, theirs)
	for _, side := range []map[string]bool{inOurs, inTheirs} {
		for _, id := range slices.Sorted(maps.Keys(side)) {
			removed := inBase[id] && !(inOurs[id] && inTheirs[id])
			if !after[id] && !removed {
				return id
			}
		}
	}
	return ""
}

// idsIn returns the ids of the checkpoints in files. For an unreadable file it takes the ids at its path in others.
func idsIn(files merge.Set, others ...merge.Set) map[string]bool {
	ids := map[string]bool{}
	for rel, src := range files {
		id := checkpoint.IDIn(src)
		ids[id] = true
		for i := 0; id == "" && i < len(others); i++ {
			ids[checkpoint.IDIn(others[i][rel])] = true
		}
	}
	delete(ids, "")
	return ids
}

// unreadable returns a remark on the first of the files that cannot be read, or "".
func (c *Checkout) unreadable(files merge.Set) string {
	for _, rel := range slices.Sorted(maps.Keys(files)) {
		if err := merge.Readable(rel, files[rel]); err != nil {
			return "; " + c.Folder() + "/" + rel + " cannot be read: " + checkpoint.Broken{Err: err}.Why()
		}
	}
	return ""
}
