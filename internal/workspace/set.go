package workspace

import "example.com/ckpt/internal/checkpoint"

// Live returns a set with the checkpoints of another set that are in active/, and all its unreadable files.
func Live(set *checkpoint.Set) *checkpoint.Set {
	return &checkpoint.Set{All: set.Active(), Broken: set.Broken}
}

// ActiveChildren returns the ids of the forks of c that are not archived.
func ActiveChildren(set *checkpoint.Set, c *checkpoint.Checkpoint) []string {
	var children []string
	for _, child := range set.Children(c.ID) {
		if child.Status() != checkpoint.Archived {
			children = append(children, child.ID)
		}
	}
	return children
}

// UnreadableIn returns a remark on each unreadable file of a set.
func UnreadableIn(set *checkpoint.Set) (all []string) {
	for _, b := range set.Broken {
		all = append(all, b.Path+" cannot be read: "+b.Why())
	}
	return all
}
