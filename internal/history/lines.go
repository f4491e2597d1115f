package history

import (
	"context"
	"maps"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// lines lists the versions of a checkpoint on all lines of its history, in the order in which package decisions
// reads them. A copy on a branch of what the ref has is not another version.
type lines struct {
	graph    *log.Graph
	past     *gitlog.Versions
	of       map[string][]revisions.Version // by commit
	list     []decisions.Version
	same     map[string][]int // by content as the ref has it, the versions in list
	states   map[string]state // by commit
	warnings []string
}

// state has, by path, the newest versions that a commit knows. After a deletion it has the version before.
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

// read lists the versions, and returns which is the present one.
func (h *lines) read(ctx context.Context, p *History) (int, error) {
	var blobs []string
	for _, v := range h.past.List {
		h.of[v.Commit] = append(h.of[v.Commit], v)
		blobs = append(blobs, v.Blob)
	}
	if err := h.past.Load(ctx, blobs...); err != nil {
		return 0, err
	}
	tip, err := h.at(ctx, h.graph.Tip)
	if err != nil {
		return 0, err
	}
	head, err := h.at(ctx, h.graph.Head)
	if err != nil {
		return 0, err
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return 0, err
	}
	now := maps.Clone(tip)
	if h.graph.Unseen {
		now.add(head)
	}
	c, err := view.Target(h.past.ID)
	switch {
	case err == nil:
		v := revisions.Version{Path: c.Path}
		return h.add(v, c, now.before(v), nil), nil
	case fault.KindOf(err) != fault.NotFound:
		return 0, err
	}
	return slices.Max(append(tip.versions(), 0)), nil // the last one before the checkpoint was deleted
}

// at returns the state at a commit, and lists the versions up to it. It skips deletions, and versions that this
// clone lacks or that cannot be read: the next version is then compared with the one before.
func (h *lines) at(ctx context.Context, commit string) (state, error) {
	c, ok, err := h.graph.Nearest(ctx, commit)
	if !ok || err != nil {
		return state{}, err
	}
	if s, done := h.states[c.Hash]; done {
		return s, nil
	}
	now, took := state{}, state{}
	for _, parent := range c.Parents {
		s, err := h.at(ctx, parent)
		if err != nil {
			return nil, err
		}
		now.add(s)
	}
	for _, commit := range c.TookIn() {
		s, err := h.at(ctx, commit)
		if err != nil {
			return nil, err
		}
		took.add(s)
	}
	if len(h.of[c.Hash]) > 0 {
		now.add(took)
	}
	for path := range now {
		now[path] = h.newest(now[path])
	}
	copied := state{}
	for _, commit := range c.Publishes() {
		s, err := h.at(ctx, commit)
		if err != nil {
			return nil, err
		}
		copied.add(s)
	}
	for _, v := range h.of[c.Hash] {
		if !v.Gone() {
			h.change(ctx, now, v, copied.versions())
		}
	}
	h.states[c.Hash] = now
	return now, nil
}

// change adds the version of a commit to what is known.
func (h *lines) change(ctx context.Context, now state, v revisions.Version, copied []int) {
	if v.Cut {
		h.warnings = append(h.warnings, "history before "+v.Short()+" is not in this clone, which is shallow")
	}
	c, err := h.past.Checkpoint(ctx, v)
	if err != nil {
		h.warnings = append(h.warnings, v.Short()+" was left out: "+err.Error())
		return
	}
	from := now.before(v)
	for _, side := range v.Before {
		delete(now, side.Path)
	}
	now[v.Path] = []int{h.add(v, c, from, copied)}
}

// add returns the index of a version. It is one that is listed already if it changes nothing, or is a copy.
func (h *lines) add(v revisions.Version, c *checkpoint.Checkpoint, from, copied []int) int {
	content := git.BlobHash(checkout.Shared(c.Path, c.Doc.Bytes()))
	from = h.newest(from)
	for _, i := range slices.Backward(h.same[content]) {
		if slices.Equal(from, []int{i}) || slices.Contains(copied, i) || h.isCopy(v, from, i) {
			return i
		}
	}
	i := len(h.list)
	h.list = append(h.list, decisions.Version{Version: v, Parents: from, Checkpoint: c})
	h.same[content] = append(h.same[content], i)
	return i
}

// isCopy reports whether a version is that of the same operation as one with the same content: a copy of it on a
// branch, or what a rebase made of the copy.
func (h *lines) isCopy(v revisions.Version, from []int, of int) bool {
	other := h.list[of]
	if v.Subject != other.Subject || v.Email != other.Email {
		return false
	}
	return v.Time.Equal(other.Time) || !slices.ContainsFunc(from, func(i int) bool { return !h.reaches(of, i) })
}

// newest returns those of the versions that no other one of them was made from.
func (h *lines) newest(versions []int) []int {
	slices.Sort(versions)
	versions = slices.Compact(versions)
	return slices.DeleteFunc(slices.Clone(versions), func(v int) bool {
		return slices.ContainsFunc(versions, func(other int) bool { return other != v && h.reaches(other, v) })
	})
}

// reaches reports whether a version is another one or was made from it, directly or not.
func (h *lines) reaches(version, from int) bool {
	return h.any(version, from, func(i int) bool { return i == from })
}

// upTo returns the commits that a commit knows: its ancestors, and those of the versions of which it has copies.
func (h *lines) upTo(ctx context.Context, commit string) (map[string]bool, error) {
	now, err := h.at(ctx, commit)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, i := range now.versions() {
		h.any(i, 0, func(i int) bool {
			known[h.list[i].Commit] = true
			return false
		})
	}
	seen := map[string]bool{}
	for todo := []string{commit}; len(todo) > 0; {
		c, ok, err := h.graph.Nearest(ctx, todo[0])
		if err != nil {
			return nil, err
		}
		todo = todo[1:]
		if ok && !seen[c.Hash] {
			seen[c.Hash], known[c.Hash] = true, true
			todo = slices.Concat(todo, c.Parents, c.TookIn())
		}
	}
	return known, nil
}

// any reports whether a version, or one from which it was made, down to a lowest index, is as asked.
func (h *lines) any(version, lowest int, is func(int) bool) bool {
	seen := map[int]bool{}
	for todo := []int{version}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i < lowest || seen[i] {
			continue
		}
		if is(i) {
			return true
		}
		seen[i] = true
		todo = append(todo, h.list[i].Parents...)
	}
	return false
}
