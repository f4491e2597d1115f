// Package lineage arranges the checkpoints of a set as a forest of parents and children.
//
// Every checkpoint of the set is in the forest exactly once, with a [Problem] if its parent is
// missing or is itself, if it is in a cycle, or if another file has the same id.
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
	byID  map[string]*Node // by id, the node that has the children
}

// Node is one checkpoint in the forest. It must not be changed.
type Node struct {
	Checkpoint *checkpoint.Checkpoint
	Parent     *Node   // the node above it; nil for a root
	Children   []*Node // oldest first, then by id
	Problems   []Problem
	Skipped    bool // filtered out, and kept only because some of its descendants are not
	Last       bool // no sibling comes after it

	up   *Node    // the node that `parent:` names, even if that closes a cycle
	loop *Node    // set on the node that closes a cycle: the entry of the cycle
	ring *Problem // the cycle that this node is part of
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

// markDuplicates assigns each id to the first file that has it, by path, and marks the others.
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

// cut turns the cycle of member into a line.
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

// ringFrom returns the cycle of a member, beginning with it.
func ringFrom(member *Node) Problem {
	names := []string{member.Checkpoint.ID}
	for n := member.up; n != member; n = n.up {
		names = append(names, n.Checkpoint.ID)
	}
	names = append(names, member.Checkpoint.ID)
	slices.Reverse(names) // they were found from child to parent
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

// Active reports whether a checkpoint is not archived.
func Active(c *checkpoint.Checkpoint) bool { return c.Status() != checkpoint.Archived }

// Archived reports whether a checkpoint is archived.
func Archived(c *checkpoint.Checkpoint) bool { return c.Status() == checkpoint.Archived }

// Filter returns the forest of the checkpoints for which keep reports true. Their
// ancestors stay in their places, marked as Skipped, so that a filter makes no new
// roots. Files that cannot be read stay.
func (f *Forest) Filter(keep func(*checkpoint.Checkpoint) bool) *Forest {
	needed := map[*Node]bool{}
	for _, n := range f.Walk() {
		if n.Skipped || !keep(n.Checkpoint) {
			continue
		}
		for up := n; up != nil && !needed[up]; up = up.Parent {
			needed[up] = true
		}
	}
	return f.narrow(f.Roots, func(n *Node) []*Node {
		return slices.DeleteFunc(slices.Clone(n.Children), func(child *Node) bool { return !needed[child] })
	}, func(n *Node) bool { return needed[n] }, func(n *Node) bool { return n.Skipped || !keep(n.Checkpoint) })
}

// Below returns the part of the whole forest below one checkpoint; filter it afterwards if
// necessary. If the id is in a cycle, it becomes the entry. Below reports whether the id exists.
func (f *Forest) Below(id string) (below *Forest, ok bool) {
	root, ok := f.byID[id]
	if !ok {
		return &Forest{Broken: f.Broken, whole: f.whole, byID: f.byID}, false
	}
	children := func(n *Node) []*Node {
		all := slices.Clone(n.Children)
		if n.loop != nil {
			all = append(all, n.loop)
		}
		return slices.DeleteFunc(all, func(child *Node) bool { return child == root })
	}
	every := func(*Node) bool { return true }
	below = f.narrow([]*Node{root}, children, every, func(n *Node) bool { return n.Skipped })
	if root.ring != nil {
		for _, n := range below.Walk() {
			n.Problems = slices.DeleteFunc(slices.Clone(n.Problems), func(p Problem) bool { return p.Kind == Cycle })
		}
		below.Roots[0].Problems = append(below.Roots[0].Problems, ringFrom(root))
	}
	return below, true
}

// narrow copies the part of a forest that can be reached from roots. Lookups by id still
// find the whole set.
func (f *Forest) narrow(roots []*Node, children func(*Node) []*Node, keep, skipped func(*Node) bool) *Forest {
	part := &Forest{Broken: f.Broken, whole: f.whole, byID: f.byID}
	var place func(n, parent *Node) *Node
	place = func(n, parent *Node) *Node {
		placed := *n
		placed.Parent, placed.Children, placed.Skipped = parent, nil, skipped(n)
		for _, child := range children(n) {
			placed.Children = append(placed.Children, place(child, &placed))
		}
		arrange(placed.Children)
		return &placed
	}
	for _, n := range roots {
		if keep(n) {
			part.Roots = append(part.Roots, place(n, nil))
		}
	}
	arrange(part.Roots)
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

// Find returns the node of an id, also if it is filtered out. Of several files with one
// id it is the first by path.
func (f *Forest) Find(id string) (*Node, bool) {
	n, ok := f.byID[id]
	return n, ok
}

// Ancestors returns the nodes above an id, nearest first, also if they are filtered out. Stop is
// the problem that ends the line before a root, or nil: the parent is missing or is the checkpoint
// itself, or there is a cycle, whose members are returned once.
func (f *Forest) Ancestors(id string) (ancestors []*Node, stop *Problem) {
	n, ok := f.byID[id]
	if !ok {
		return nil, nil
	}
	seen := map[*Node]bool{}
	for ; n.up != nil; n = n.up {
		seen[n] = true
		if seen[n.up] {
			return ancestors, n.ring
		}
		ancestors = append(ancestors, n.up)
	}
	for _, p := range n.Problems {
		if p.Kind == MissingParent || p.Kind == SelfParent {
			return ancestors, &p
		}
	}
	return ancestors, nil
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

// Problem is an error in the lineage of one checkpoint. Every node is shown in spite of
// it.
type Problem struct {
	Kind Kind

	// Names has the ids or paths that the problem is about. MissingParent: the parent's id, and the
	// path of an unreadable file that may be it. SelfParent: the id. Cycle: the ids from the entry
	// down, each the parent of the next, with the entry again at the end. Duplicate: the paths of
	// all files with the id; the first has the children.
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
