package plan

import (
	"slices"
	"strings"
)

// graph refuses ids that stand twice, dependencies that are no step and steps that
// wait for each other.
func (r *reader) graph(p *Plan, nodes []*stepNode) error {
	number := map[string]int{}
	for i, s := range nodes {
		if first, twice := number[s.step.ID]; twice {
			return r.at(s.id, "the id %q stands twice: line %d has it, too", s.step.ID, nodes[first].id.Line)
		}
		number[s.step.ID] = i
	}
	for _, s := range nodes {
		for i, need := range s.step.Needs {
			if _, known := number[need]; !known {
				return r.at(s.needs[i], "step %q depends on %q, which is no step: %s", s.step.ID, need, shortList(p))
			}
			if slices.Contains(s.step.Needs[:i], need) {
				return r.at(s.needs[i], "step %q depends on %q twice", s.step.ID, need)
			}
		}
	}
	if circle := cycle(p, number); circle != nil {
		return r.at(nodes[number[circle[0]]].id, "steps wait for each other: %s", strings.Join(circle, " → "))
	}
	return nil
}

// cycle is the ids of a circle of dependencies, the first one again at the end; nil
// where there is none.
func cycle(p *Plan, number map[string]int) []string {
	const open, closed = 1, 2
	mark := make([]int, len(p.Steps))
	type place struct{ step, need int } // a walk without recursion: a plan may be long
	for start := range p.Steps {
		if mark[start] == closed {
			continue
		}
		path := []place{{start, 0}}
		mark[start] = open
		for len(path) > 0 {
			at := &path[len(path)-1]
			if at.need == len(p.Steps[at.step].Needs) {
				mark[at.step] = closed
				path = path[:len(path)-1]
				continue
			}
			next := number[p.Steps[at.step].Needs[at.need]]
			at.need++
			switch mark[next] {
			case open:
				from := slices.IndexFunc(path, func(q place) bool { return q.step == next })
				var circle []string
				for _, q := range path[from:] {
					circle = append(circle, p.Steps[q.step].ID)
				}
				return append(circle, p.Steps[next].ID)
			case 0:
				mark[next] = open
				path = append(path, place{next, 0})
			}
		}
	}
	return nil
}

// shortList names the steps there are, the first of many.
func shortList(p *Plan) string {
	var ids []string
	for _, s := range p.Steps {
		if len(ids) == 12 {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, s.ID)
	}
	return strings.Join(ids, ", ")
}
