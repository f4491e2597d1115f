package migrate

import (
	"maps"
	"slices"
)

// graph has the commits of the checkpoint ref, those that are only planned included.
type graph struct {
	parents map[string][]string
	depth   map[string]int // the length of the longest way to a commit without parents
}

func newGraph() *graph { return &graph{parents: map[string][]string{}, depth: map[string]int{}} }

// add adds a commit whose parents were added before it.
func (g *graph) add(commit string, parents []string) {
	depth := 0
	for _, p := range parents {
		depth = max(depth, g.depth[p]+1)
	}
	g.parents[commit], g.depth[commit] = parents, depth
}

// contains reports whether a commit is another one or an ancestor of it.
func (g *graph) contains(commit, ancestor string) bool {
	seen, todo := map[string]bool{}, []string{commit}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == ancestor {
			return true
		}
		if seen[at] || g.depth[at] <= g.depth[ancestor] {
			continue
		}
		seen[at] = true
		todo = append(todo, g.parents[at]...)
	}
	return false
}

// newest returns those of some commits that no other one of them contains, without repetitions
// and in their order.
func (g *graph) newest(commits []string) []string {
	var all []string
	for _, c := range commits {
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	if len(all) < 2 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(c string) bool {
		return slices.ContainsFunc(all, func(other string) bool { return other != c && g.contains(other, c) })
	})
}

// base returns the newest commit that two others contain. If there are several, it is the one with
// the smallest hash, so that everybody takes the same. It is "" if they have none in common.
func (g *graph) base(a, b string) string {
	of := g.ancestors(a)
	common := g.ancestors(b)
	maps.DeleteFunc(common, func(c string, _ bool) bool { return !of[c] })
	covered := map[string]bool{}
	for c := range common {
		for _, p := range g.parents[c] {
			covered[p] = true
		}
	}
	best := ""
	for c := range common {
		if !covered[c] && (best == "" || c < best) {
			best = c
		}
	}
	return best
}

// ancestors returns a commit and all its ancestors.
func (g *graph) ancestors(commit string) map[string]bool {
	seen, todo := map[string]bool{}, []string{commit}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[at] {
			seen[at] = true
			todo = append(todo, g.parents[at]...)
		}
	}
	return seen
}
