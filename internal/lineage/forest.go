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

// Forest is all checkpoints of a set, each below its parent.
type Forest struct {
	Roots    []*Node             // the checkpoints without a parent, oldest first
	Broken   []checkpoint.Broken // files that cannot be read: they have no place in a tree
	Warnings []string            // remarks, such as on two current checkpoints

	whole []*Node          // every node of the set, sorted by path, without filters
	byID  map[string]*Node // of several nodes with one id, the first by path, which has the children
}

// Node is one checkpoint in the forest. It must not be changed.
type Node struct {
	Checkpoint *checkpoint.Checkpoint
	Parent     *Node   // the node above it; nil for a root
	Children   []*Node // oldest first, then by id
	Problems   []Problem
	Skipped    bool // filtered out, and kept only because some of its descendants are not
	Last       bool // no sibling comes after it

	up   *Node   // the node that `parent:` names, even if that closes a cycle
	ring []*Node // the cycle that the node is part of, from child to parent, starting at the oldest
}

// Build arranges every checkpoint of set in the forest.
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

// markDuplicates assigns each id to the first file that has it, by path, and marks all files that share an id.
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

// findParent sets the parent of a node from its `parent:`.
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

// cutCycles makes the oldest member of each cycle a root. It is the entry of the cycle, and its
// problem names the members.
func (f *Forest) cutCycles() {
	met := make(map[*Node]*Node, len(f.whole)) // by node: the start of the walk that reached it first
	for _, start := range f.whole {
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
		ring[0].Parent = nil
		names := []string{ring[0].Checkpoint.ID}
		for _, n := range slices.Backward(ring) {
			names = append(names, n.Checkpoint.ID)
		}
		ring[0].Problems = append(ring[0].Problems, Problem{Cycle, names})
	}
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

// Active reports whether a checkpoint is not archived.
func Active(c *checkpoint.Checkpoint) bool { return c.Status() != checkpoint.Archived }

// Archived reports whether a checkpoint is archived.
func Archived(c *checkpoint.Checkpoint) bool { return c.Status() == checkpoint.Archived }

// Filter returns the forest of the checkpoints for which keep reports true. Their ancestors stay in their places,
// marked as Skipped, so that a filter makes no new roots. Files that cannot be read stay.
func (f *Forest) Filter(keep func(*checkpoint.Checkpoint) bool) *Forest { return f.with(f.Roots, keep) }

// Below returns the part of the whole forest below one checkpoint; filter it afterwards if necessary. For
// an id in a cycle it begins at the entry of the cycle. Below reports whether the id exists.
func (f *Forest) Below(id string) (below *Forest, ok bool) {
	root, ok := f.byID[id]
	if !ok {
		return f.with(nil, nil), false
	}
	if root.ring != nil {
		root = root.ring[0]
	}
	return f.with([]*Node{root}, func(*checkpoint.Checkpoint) bool { return true }), true
}

// with returns a forest with copies of the roots and of the nodes below them. It leaves out nodes
// that are not kept and have no kept descendants. Lookups by id still find the whole set.
func (f *Forest) with(roots []*Node, keep func(*checkpoint.Checkpoint) bool) *Forest {
	part := &Forest{Broken: f.Broken, whole: f.whole, byID: f.byID}
	var place func(nodes []*Node, parent *Node) []*Node
	place = func(nodes []*Node, parent *Node) []*Node {
		var placed []*Node
		for _, n := range nodes {
			copied := *n
			copied.Parent, copied.Skipped = parent, n.Skipped || !keep(n.Checkpoint)
			copied.Children = place(n.Children, &copied)
			if !copied.Skipped || len(copied.Children) > 0 {
				placed = append(placed, &copied)
			}
		}
		arrange(placed)
		return placed
	}
	part.Roots = place(roots, nil)
	return part
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

// Trail returns, for each level from the root down to the node itself, whether no sibling follows.
// A drawing needs it for the lines to the left of the node.
func (n *Node) Trail() []bool {
	var trail []bool
	for ; n != nil; n = n.Parent {
		trail = append(trail, n.Last)
	}
	slices.Reverse(trail)
	return trail
}

// Find returns the node of an id, also if it is filtered out. Of several files with one id it is the first by path.
func (f *Forest) Find(id string) (*Node, bool) {
	n, ok := f.byID[id]
	return n, ok
}

// Problems yields every problem with its node, in the order of a tree.
func (f *Forest) Problems() iter.Seq2[*Node, Problem] {
	return func(yield func(*Node, Problem) bool) {
		for _, n := range f.Walk() {
			for _, p := range n.Problems {
				if !yield(n, p) {
					return
				}
			}
		}
	}
}

// Kind is the kind of a problem in the lineage.
type Kind int

// The kinds of problems.
const (
	MissingParent Kind = iota // no file has the parent's id; shown as a root
	SelfParent                // the checkpoint is its own parent; shown as a root
	Cycle                     // its ancestors lead back to it; the entry of the cycle is shown as a root
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
	// of the cycle; for Duplicate the paths of all files with the id, first that of the one with the children.
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
