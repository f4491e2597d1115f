package merge

import (
	"maps"
	"slices"
)

// Places has the ids of the checkpoints in one version of a checkpoints folder, and whether each is
// archived.
type Places map[string]bool

// Missing returns the sorted ids that ours or theirs has and result lacks, except those that one
// side removed on purpose.
func Missing(ours, theirs, result Places, removed func(id string) bool) []string {
	return ids(ours, theirs, func(id string) bool {
		_, there := result[id]
		return !there && !removed(id)
	})
}

// Misplaced returns the sorted ids that are in the wrong folder of result: active/ or archive/. A
// checkpoint belongs where the sides have it. If they differ, it belongs in archive/, unless it was
// there in base: then one side has reopened it.
func Misplaced(base, ours, theirs, result Places) []string {
	return ids(ours, theirs, func(id string) bool {
		at, there := result[id]
		our, inOurs := ours[id]
		their, inTheirs := theirs[id]
		want := our
		switch {
		case !inOurs:
			want = their
		case inTheirs && our != their:
			want = !base[id]
		}
		return there && at != want
	})
}

// ids returns the ids of either side for which pass returns true, sorted.
func ids(ours, theirs Places, pass func(id string) bool) []string {
	found := map[string]bool{}
	for _, side := range []Places{ours, theirs} {
		for id := range side {
			if pass(id) {
				found[id] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}
