// Package lineage is parents and children: the checkpoints of a set as a forest.
//
// It drops nothing. A parent that is missing, a checkpoint that is its own
// parent, a cycle, an id that two files have: every checkpoint of the set is
// still in the forest exactly once, and carries the [Problem] in words.
package lineage

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
)

// Forest is all checkpoints of a set, each below its parent.
type Forest struct {
	Roots    []*Node             // oldest first
	Broken   []checkpoint.Broken // files that cannot be read: they have no place, and are no secret
	Warnings []string            // two currents

	whole []*Node          // every node of the set, by path, whatever is filtered out
	byID  map[string]*Node // the one that children hang below
}

// Node is one checkpoint in its place. It must not be changed.
type Node struct {
	Checkpoint *checkpoint.Checkpoint
	Parent     *Node   // the node that it hangs below; nil for a root
	Children   []*Node // oldest first, then by id
	Problems   []Problem
	Skipped    bool // filtered out, and here only because it has descendants that are not
	Last       bool // no sibling comes after it

	On *result.Location // the branches that have it, where the one checked out lacks it; nil for one that is here

	up   *Node    // what `parent:` names, even where that closes a cycle
	loop *Node    // the entry to the cycle that this node closes
	ring *Problem // the cycle that this node is part of
}

// Build finds the place of every checkpoint of set.
func Build(set *checkpoint.Set) *Forest {
	f := &Forest{Broken: slices.Clone(set.Broken), byID: map[string]*Node{}}
	for _, c := range set.All {
		f.whole = append(f.whole, &Node{Checkpoint: c})
	}
	slices.SortStableFunc(f.whole, func(a, b *Node) int { return cmp.Compare(a.Checkpoint.Path, b.Checkpoint.Path) })
	f.markDuplicates()
	for _, n := range f.whole {
		f.findParent(n)
	}
	f.cutCycles()
	for _, n := range f.whole {
		if n.Parent == nil {
			f.Roots = append(f.Roots, n)
		} else {
			n.Parent.Children = append(n.Parent.Children, n)
		}
	}
	arrange(f.Roots)
	for _, n := range f.whole {
		arrange(n.Children)
	}
	return f
}

// Locate sets where the checkpoints are that the branch checked out lacks.
func (f *Forest) Locate(on func(*checkpoint.Checkpoint) *result.Location) {
	for _, n := range f.whole {
		n.On = on(n.Checkpoint)
	}
}

// markDuplicates gives each id to the first file that has it, by path.
func (f *Forest) markDuplicates() {
	same := map[string][]*Node{}
	for _, n := range f.whole {
		same[n.Checkpoint.ID] = append(same[n.Checkpoint.ID], n)
	}
	for id, nodes := range same {
		f.byID[id] = nodes[0]
		if len(nodes) == 1 {
			continue
		}
		var paths []string
		for _, n := range nodes {
			paths = append(paths, n.Checkpoint.Path)
		}
		for _, n := range nodes {
			n.Problems = append(n.Problems, Problem{Duplicate, paths})
		}
	}
}

// findParent follows the `parent:` of a node.
func (f *Forest) findParent(n *Node) {
	id := n.Checkpoint.Parent()
	switch {
	case id == "":
	case id == n.Checkpoint.ID:
		n.Problems = append(n.Problems, Problem{SelfParent, []string{id}})
	case f.byID[id] == nil:
		names := []string{id}
		for _, b := range f.Broken {
			if strings.HasSuffix("/"+b.Path, "/"+id+".md") {
				names = append(names, b.Path)
				break
			}
		}
		n.Problems = append(n.Problems, Problem{MissingParent, names})
	default:
		n.up = f.byID[id]
		n.Parent = n.up
	}
}

// cutCycles makes the oldest member of each cycle a root: the entry, which names
// the cycle.
func (f *Forest) cutCycles() {
	const onPath, done = 1, 2
	state := make(map[*Node]int, len(f.whole))
	for _, start := range f.whole {
		n := start
		for ; n != nil && state[n] == 0; n = n.up {
			state[n] = onPath
		}
		if n != nil && state[n] == onPath {
			cut(n)
		}
		for n = start; n != nil && state[n] == onPath; n = n.up {
			state[n] = done
		}
	}
}

// cut opens the cycle that member is part of.
func cut(member *Node) {
	members := []*Node{member}
	for n := member.up; n != member; n = n.up {
		members = append(members, n)
	}
	entry := slices.MinFunc(members, byAge)
	ring := ringFrom(entry)
	for _, n := range members {
		n.ring = &ring
	}
	entry.Parent = nil
	entry.up.loop = entry
	entry.Problems = append(entry.Problems, ring)
}

// ringFrom names the cycle that member is part of, beginning with it.
func ringFrom(member *Node) Problem {
	names := []string{member.Checkpoint.ID}
	for n := member.up; n != member; n = n.up {
		names = append(names, n.Checkpoint.ID)
	}
	names = append(names, member.Checkpoint.ID)
	slices.Reverse(names) // from child to parent is how they were found
	return Problem{Cycle, names}
}

// arrange puts siblings in order and marks the last.
func arrange(siblings []*Node) {
	slices.SortStableFunc(siblings, byAge)
	for i, n := range siblings {
		n.Last = i == len(siblings)-1
	}
}

func byAge(a, b *Node) int {
	x, y := a.Checkpoint, b.Checkpoint
	return cmp.Or(x.Created().Compare(y.Created()), cmp.Compare(x.ID, y.ID), cmp.Compare(x.Path, y.Path))
}
