package checkout

import (
	"context"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/mergefile"
	"example.com/ckpt/internal/merge"
)

// MergeSets merges two versions of files with their base by id. Of a file that cannot be read, and that both
// sides changed in the same lines, the merge has both: a person has to mend it anyway. Nobody is asked. It
// returns an error that names the checkpoint if the merge would lose one that no side has removed.
func MergeSets(ctx context.Context, repo *git.Repo, base, ours, theirs merge.Set) (merge.Result, error) {
	text := func(base, ours, theirs []byte) ([]byte, bool, error) {
		both, err := mergefile.KeepBoth(ctx, repo.Root(), base, ours, theirs)
		return both, false, err
	}
	merged, err := merge.Sets(base, ours, theirs, text)
	if err != nil {
		return merged, err
	}
	inBase, inOurs, inTheirs := places(base), places(ours), places(theirs)
	removed := func(id string) bool {
		_, was := inBase[id]
		_, our := inOurs[id]
		_, their := inTheirs[id]
		return was && !(our && their)
	}
	after := places(merged.Files)
	for _, side := range []merge.Set{ours, theirs} {
		for rel, src := range side {
			if both := merged.Files[rel]; both != nil && idOf(rel, both) == "" {
				after[idOf(rel, src)] = checkpoint.InArchive(rel) // the file cannot be read, and has it
			}
		}
	}
	if lost := merge.Missing(inOurs, inTheirs, after, removed); len(lost) > 0 {
		return merged, fault.New(fault.Failed, "a merge would lose %s", lost[0]).WithHint("ckpt show %s", lost[0])
	}
	return merged, nil
}

// places returns the ids of the checkpoints in a set of files.
func places(set merge.Set) merge.Places {
	all := merge.Places{}
	for rel, src := range set {
		if id := idOf(rel, src); id != "" {
			all[id] = checkpoint.InArchive(rel)
		}
	}
	return all
}
