// Package lineage arranges the checkpoints of a set as a forest of parents and children.
//
// Every checkpoint of the set is in the forest exactly once, with a [Problem] if its parent is
// missing or is itself, if it is the entry of a cycle, or if another file has the same id.
package lineage

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// Forest has all checkpoints of a set, each below its parent.
type Forest struct {
	Roots    []*Node             // the checkpoints without a parent in the set, and entries of cycles, oldest first
	Broken   []checkpoint.Broken // files that cannot be read: they have no place in a tree
	Warnings []string            // remarks, such as on two current checkpoints

	byID map[string]*Node // if nodes share an id, the first by path, which has the children
}

// Node is one checkpoint in the forest. It must not be changed.
type Node struct {
	Checkpoint *checkpoint.Checkpoint
	Children   []*Node // oldest first, then by id
	Problems   []Problem
	Skipped    bool // filtered out, but still here because some of its descendants are not

	up   *Node   // the node that `parent:` names, even if that closes a cycle
	ring []*Node // the cycle that the node is part of, from child to parent, starting at the oldest
}

// Build arranges every checkpoint of set in the forest.
func Build(set *checkpoint.Set) *Forest {
	f := &Forest{Broken: slices.Clone(set.Broken), byID: map[string]*Node{}}
	var all []*Node
	for _, c := range set.All {
		all = append(all, &Node{Checkpoint: c})
	}
	slices.SortStableFunc(all, func(a, b *Node) int { return cmp.Compare(a.Checkpoint.Path, b.Checkpoint.Path) })
	f.markDuplicates(all)
	for _, n := range all {
		f.findParent(n)
	}
	cutCycles(all)
	slices.SortStableFunc(all, byAge)
	for _, n := range all {
		if n.up == nil || n.ring != nil && n.ring[0] == n {
			f.Roots = append(f.Roots, n)
		} else {
			n.up.Children = append(n.up.Children, n)
		}
	}
	return f
}

// markDuplicates assigns each id to the first file that has it, by path, and marks all files that share an id.
func (f *Forest) markDuplicates(all []*Node) {
	same := map[string][]*Node{}
	for _, n := range all {
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

// findParent finds the node that `parent:` of a node names.
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
	}
}

// cutCycles finds the cycles of parents. The oldest member of each becomes a root, and its problem names all members.
func cutCycles(all []*Node) {
	met := make(map[*Node]*Node, len(all)) // for each node, the start of the walk that reached it first
	for _, start := range all {
		n := start
		for ; n != nil && met[n] == nil; n = n.up {
			met[n] = start
		}
		if n == nil || met[n] != start {
			continue
		}
		ring := []*Node{n}
		for m := n.up; m != n; m = m.up {
			ring = append(ring, m)
		}
		oldest := slices.Index(ring, slices.MinFunc(ring, byAge))
		ring = slices.Concat(ring[oldest:], ring[:oldest])
		for _, n := range ring {
			n.ring = ring
		}
		names := []string{ring[0].Checkpoint.ID}
		for _, n := range slices.Backward(ring) {
			names = append(names, n.Checkpoint.ID)
		}
		ring[0].Problems = append(ring[0].Problems, Problem{Cycle, names})
	}
}

func byAge(a, b *Node) int {
	x, y := a.Checkpoint, b.Checkpoint
	return cmp.Or(x.Created().Compare(y.Created()), cmp.Compare(x.ID, y.ID), cmp.Compare(x.Path, y.Path))
}

// Filter returns the forest of the checkpoints for which keep reports true. Their ancestors stay in their places,
// marked as Skipped, so that a filter makes no new roots. Files that cannot be read stay.
func (f *Forest) Filter(keep func(*checkpoint.Checkpoint) bool) *Forest { return f.with(f.Roots, keep) }

// Below returns the checkpoint with an id, which must exist, and all its descendants. If the checkpoint is in a cycle,
// the root is the entry of the cycle. To filter the result, call Filter afterwards.
func (f *Forest) Below(id string) *Forest {
	root := f.byID[id]
	if root.ring != nil {
		root = root.ring[0]
	}
	return f.with([]*Node{root}, func(*checkpoint.Checkpoint) bool { return true })
}

// with returns a forest with copies of the roots and of the nodes below them. It leaves out nodes
// that are not kept and have no kept descendants. Lookups by id still find the whole set.
func (f *Forest) with(roots []*Node, keep func(*checkpoint.Checkpoint) bool) *Forest {
	var place func(nodes []*Node) []*Node
	place = func(nodes []*Node) []*Node {
		var placed []*Node
		for _, n := range nodes {
			copied := *n
			copied.Skipped, copied.Children = n.Skipped || !keep(n.Checkpoint), place(n.Children)
			if !copied.Skipped || len(copied.Children) > 0 {
				placed = append(placed, &copied)
			}
		}
		return placed
	}
	return &Forest{Roots: place(roots), Broken: f.Broken, byID: f.byID}
}

// Walk yields every node with its depth, parents before children, in the order in which a tree is
// drawn. Roots have depth 0.
func (f *Forest) Walk() iter.Seq2[int, *Node] {
	return func(yield func(int, *Node) bool) {
		var walk func(depth int, nodes []*Node) bool
		walk = func(depth int, nodes []*Node) bool {
			for _, n := range nodes {
				if !yield(depth, n) || !walk(depth+1, n.Children) {
					return false
				}
			}
			return true
		}
		walk(0, f.Roots)
	}
}

// Find returns the node with an id, or nil. It also finds filtered nodes. Of files with the same id, the first counts.
func (f *Forest) Find(id string) *Node { return f.byID[id] }

// Kind is the kind of a problem in the lineage.
type Kind int

// The kinds of problems.
const (
	MissingParent Kind = iota // no file has the parent's id; shown as a root
	SelfParent                // the checkpoint is its own parent; shown as a root
	Cycle                     // the checkpoint is its own ancestor; the entry of the cycle is shown as a root
	Duplicate                 // another file has the same id
)

// String returns the name for JSON and findings: "missing-parent".
func (k Kind) String() string {
	return [...]string{"missing-parent", "self-parent", "cycle", "duplicate-id"}[k]
}

// Problem is an error in the lineage of one checkpoint. Every node is shown in spite of it.
type Problem struct {
	Kind Kind

	// Names lists ids or paths. For MissingParent it has the parent's id, and the path of an unreadable file that may
	// be the parent; for SelfParent the id; for Cycle the ids from parent to child, which begin and end with the entry
	// of the cycle; for Duplicate the paths of all files with the id, sorted.
	Names []string
}

// String returns the problem as a remark that follows the name of the checkpoint.
func (p Problem) String() string {
	switch p.Kind {
	case MissingParent:
		if len(p.Names) > 1 {
			return fmt.Sprintf("parent %q cannot be read (%s)", p.Names[0], p.Names[1])
		}
		return fmt.Sprintf("parent %q does not exist", p.Names[0])
	case SelfParent:
		return "names itself as its parent"
	case Cycle:
		return "cycle: " + strings.Join(p.Names, " → ")
	}
	return "the same id in " + strings.Join(p.Names, ", ")
}
