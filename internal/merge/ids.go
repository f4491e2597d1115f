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
