package gitlog

import (
	"context"
	"maps"
	"slices"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace/checkout"
)

// Line is a version on one of the lines of history.
type Line struct {
	revisions.Version
	Parents []int // the versions from which it was made, as indices in [Versions.Lines]

	copied bool // its commit publishes an operation of the checkpoint ref, or takes in what a branch has
	merged bool // it is as one of its parents is
}

// state has, by path, the newest versions that a commit knows.
type state map[string][]int

func (s state) versions() []int { return slices.Concat(slices.Collect(maps.Values(s))...) }

// add adds what another parent of a commit knows.
func (s state) add(other state) {
	for path, versions := range other {
		s[path] = slices.Concat(s[path], versions)
	}
}

// before returns the versions from which one was made.
func (s state) before(v revisions.Version) []int {
	from := slices.Clone(s[v.Path])
	for _, side := range v.Before {
		from = append(from, s[side.Path]...)
	}
	if len(from) == 0 {
		from = s.versions()
	}
	return from
}

// read lists the versions.
func (vs *Versions) read(ctx context.Context) error {
	now, err := vs.at(ctx, vs.graph.Tip)
	if err != nil {
		return err
	}
	unseen, err := vs.at(ctx, vs.graph.Unseen)
	if err != nil {
		return err
	}
	now = maps.Clone(now)
	now.add(unseen)
	vs.Newest = vs.newest(now.versions())
	vs.List = vs.newestFirst()
	_, err = vs.known(ctx, vs.graph.Others)
	return err
}

// at returns the state at a commit, and lists the versions up to it.
func (vs *Versions) at(ctx context.Context, commit string) (state, error) {
	c, ok, err := vs.graph.Nearest(ctx, commit)
	if !ok || err != nil {
		return state{}, err
	}
	if s, done := vs.states[c.Hash]; done {
		return s, nil
	}
	now, err := vs.known(ctx, c.Parents)
	if err != nil {
		return nil, err
	}
	took, err := vs.known(ctx, c.TookIn())
	if err != nil {
		return nil, err
	}
	if len(vs.of[c.Hash]) > 0 {
		now.add(took)
	}
	for path := range now {
		now[path] = vs.newest(now[path])
	}
	for _, v := range vs.of[c.Hash] {
		from := vs.newest(now.before(v))
		for _, side := range v.Before {
			delete(now, side.Path)
		}
		now[v.Path] = []int{vs.add(Line{Version: v, Parents: from, copied: c.Copy || len(c.TookIn()) > 0})}
	}
	vs.states[c.Hash] = now
	return now, nil
}

// known returns what some commits know together.
func (vs *Versions) known(ctx context.Context, commits []string) (state, error) {
	all := state{}
	for _, commit := range commits {
		s, err := vs.at(ctx, commit)
		if err != nil {
			return nil, err
		}
		all.add(s)
	}
	return all, nil
}

// Known returns the commits that a commit of the history knows: its ancestors, and those of the versions of which it
// has copies.
func (vs *Versions) Known(ctx context.Context, commit string) (map[string]bool, error) {
	if _, err := vs.at(ctx, commit); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	var versions []int
	for todo := []string{commit}; len(todo) > 0; todo = todo[1:] {
		c, ok, err := vs.graph.Nearest(ctx, todo[0])
		if err != nil {
			return nil, err
		}
		if ok && !known[c.Hash] {
			known[c.Hash] = true
			todo = slices.Concat(todo, c.Parents, c.TookIn())
			versions = append(versions, vs.states[c.Hash].versions()...)
		}
	}
	seen := map[int]bool{}
	for ; len(versions) > 0; versions = versions[1:] {
		if i := versions[0]; !seen[i] {
			seen[i], known[vs.Lines[i].Commit] = true, true
			versions = append(versions, vs.Lines[i].Parents...)
		}
	}
	return known, nil
}

// add returns the index of a version. It is one that is listed already if that has the same content, and was made
// from the same ones, directly or not, or by the same operation.
func (vs *Versions) add(v Line) int {
	content := vs.content(v.Path, v.Blob)
	moved := len(v.Before) > 0 && v.Before[0].Path != v.Path
	for _, i := range vs.same[content] {
		if moved && slices.Contains(v.Parents, i) {
			continue // the file was a copy of the one that is gone now
		}
		listed := &vs.Lines[i]
		isOwn := v.Subject == listed.Subject && v.Email == listed.Email && v.Time.Equal(listed.Time)
		lacks := func(from int) bool { return !vs.reaches(i, from) }
		switch {
		case isOwn && v.copied != listed.copied:
		case listed.Time.After(v.Time), slices.ContainsFunc(v.Parents, lacks):
			continue
		}
		if listed.copied && !v.copied {
			listed.Version, listed.copied = v.Version, false
		}
		return i
	}
	isParent := func(i int) bool { return slices.Contains(v.Parents, i) }
	v.merged = !moved && slices.ContainsFunc(vs.same[content], isParent)
	i := len(vs.Lines)
	vs.Lines = append(vs.Lines, v)
	vs.same[content] = append(vs.same[content], i)
	return i
}

// content identifies a version by its path and what is in the file, but for the mark of the current checkpoint. A
// checkpoint that is gone is so at every path.
func (vs *Versions) content(rel, blob string) string {
	if blob == "" {
		return "gone"
	}
	if src := vs.bytes[blob]; src != nil {
		blob = git.BlobHash(checkout.Shared(rel, src))
	}
	return rel + "\x00" + blob
}

// newest returns those of the versions that no other one of them was made from.
func (vs *Versions) newest(versions []int) []int {
	slices.Sort(versions)
	versions = slices.Compact(versions)
	return slices.DeleteFunc(slices.Clone(versions), func(v int) bool {
		return slices.ContainsFunc(versions, func(other int) bool { return other != v && vs.reaches(other, v) })
	})
}

// reaches reports whether a version is another one or was made from it, directly or not.
func (vs *Versions) reaches(version, from int) bool {
	seen := map[int]bool{}
	for todo := []int{version}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i == from {
			return true
		}
		if i > from && !seen[i] {
			seen[i] = true
			todo = append(todo, vs.Lines[i].Parents...)
		}
	}
	return false
}

// newestFirst returns the versions so far that differ from those they were made from, the newest first. None comes
// before one that was made from it.
func (vs *Versions) newestFirst() []revisions.Version {
	next := make([]int, len(vs.Lines)) // how many versions made from each are not in the list yet
	for _, v := range vs.Lines {
		for _, from := range v.Parents {
			next[from]++
		}
	}
	var all []revisions.Version
	var ready []int
	for i := range slices.Backward(vs.Lines) {
		if next[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		i := slices.MaxFunc(ready, func(a, b int) int {
			if order := vs.Lines[a].Time.Compare(vs.Lines[b].Time); order != 0 {
				return order
			}
			return a - b
		})
		ready = slices.DeleteFunc(ready, func(other int) bool { return other == i })
		v := vs.Lines[i]
		if !v.copied && !v.merged {
			all = append(all, v.Version)
		}
		for _, from := range v.Parents {
			next[from]--
			if next[from] == 0 {
				ready = append(ready, from)
			}
		}
	}
	return all
}
