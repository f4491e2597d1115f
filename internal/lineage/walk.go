package lineage

import (
	"iter"
	"slices"
)

// Walk gives every node with its depth, parents before children: the order in
// which a tree is drawn. Roots have depth 0.
func (f *Forest) Walk() iter.Seq2[int, *Node] {
	return func(yield func(int, *Node) bool) {
		type step struct {
			depth int
			node  *Node
		}
		var todo []step // the next one last
		push := func(depth int, nodes []*Node) {
			for _, n := range slices.Backward(nodes) {
				todo = append(todo, step{depth, n})
			}
		}
		push(0, f.Roots)
		for len(todo) > 0 {
			next := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !yield(next.depth, next.node) {
				return
			}
			push(next.depth+1, next.node.Children)
		}
	}
}

// Trail is what a drawer needs for the lines before a node: for each level from
// its root down to the node itself, whether no sibling comes after.
func (n *Node) Trail() []bool {
	var trail []bool
	for ; n != nil; n = n.Parent {
		trail = append(trail, n.Last)
	}
	slices.Reverse(trail)
	return trail
}

// Find is the node of an id, filtered out or not. Of several files with one id it
// is the first by path.
func (f *Forest) Find(id string) (*Node, bool) {
	n, ok := f.byID[id]
	return n, ok
}

// Ancestors are the nodes above an id, nearest first, filtered out or not. Stop
// says why the line ends before a root: a parent that is missing or the
// checkpoint itself, or a cycle, of which each member is given once. It is nil
// where the line ends well, or nothing has the id.
func (f *Forest) Ancestors(id string) (ancestors []*Node, stop *Problem) {
	n, ok := f.byID[id]
	if !ok {
		return nil, nil
	}
	seen := map[*Node]bool{}
	for ; n.up != nil; n = n.up {
		if seen[n] = true; seen[n.up] {
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

// Descendants are the nodes below an id, in the order of a tree, filtered out or
// not. In a cycle everybody but the id itself is below everybody.
func (f *Forest) Descendants(id string) []*Node {
	below, ok := f.Below(id)
	if !ok {
		return nil
	}
	var all []*Node
	for depth, n := range below.Walk() {
		if depth > 0 {
			all = append(all, n)
		}
	}
	return all
}

// Problems gives every problem with the node that carries it, in the order of a tree.
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
