package lineage

import (
	"slices"

	"example.com/ckpt/internal/checkpoint"
)

// Active keeps the checkpoints that are not archived.
func Active(c *checkpoint.Checkpoint) bool { return c.Status() != checkpoint.Archived }

// Archived keeps the checkpoints that are archived.
func Archived(c *checkpoint.Checkpoint) bool { return c.Status() == checkpoint.Archived }

// Filter is the forest of what keep wants. An ancestor of such a checkpoint stays
// in its place, marked as Skipped, so that a filter never makes a root of what is
// none. Files that cannot be read are all kept: nobody knows what they are.
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

// Below is the forest whose one root is an id, of the whole set: filter
// afterwards. An id that is part of a cycle becomes the entry to it. ok is false
// where nothing has the id.
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

// narrow copies the part of a forest that can be reached from roots. What is
// found by id is still the whole set.
func (f *Forest) narrow(roots []*Node, children func(*Node) []*Node, keep, skipped func(*Node) bool) *Forest {
	part := &Forest{Broken: f.Broken, whole: f.whole, byID: f.byID}
	type step struct{ from, to *Node }
	var todo []step
	place := func(n, parent *Node) *Node {
		placed := *n
		placed.Parent, placed.Children, placed.Skipped = parent, nil, skipped(n)
		todo = append(todo, step{n, &placed})
		return &placed
	}
	for _, n := range roots {
		if keep(n) {
			part.Roots = append(part.Roots, place(n, nil))
		}
	}
	arrange(part.Roots)
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, n := range children(at.from) {
			at.to.Children = append(at.to.Children, place(n, at.to))
		}
		arrange(at.to.Children)
	}
	return part
}
