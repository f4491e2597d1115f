package checkout

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/workspace/store"
)

// decideCurrent decides which checkpoint is current on a branch that has the files. It is the one that the branch
// marks, unless an operation chose another one since the branch was marked so.
func (c *comparing) decideCurrent() error {
	s := &c.State
	slices.Sort(c.marks)
	c.marks = slices.Compact(c.marks)
	_, known := s.Chosen[s.Branch]
	seen, recorded := s.marked[s.Branch]
	c.Marks = strings.Join(c.marks, ",")
	if c.away && (known || recorded) {
		c.marks, c.Marks = nil, seen // the branch's own
	}
	active, err := c.activeIDs()
	if err != nil {
		return err
	}
	if !c.stays(active) {
		if err := c.chooseNew(active); err != nil {
			return err
		}
	}
	several := len(c.marks) > 1 && seen != c.Marks // until an operation takes the mark from all but one
	if len(c.marks) < 2 {
		s.marked[s.Branch] = c.Marks
	}
	if err := c.want(strings.TrimPrefix(s.Last, None), active); err != nil {
		return err
	}
	if !several {
		return nil
	}
	for rel, f := range c.files {
		if id := markedID(rel, f.head); id != "" && f.ref != nil {
			f.want = Shown(rel, f.ref, id)
		}
	}
	return nil
}

// stays reports whether the checkpoint that is current stays it, which it makes the last one of the state.
func (c *comparing) stays(active map[string]string) bool {
	s := &c.State
	chosen, known := s.Chosen[s.Branch]
	seen, recorded := s.marked[s.Branch]
	is := func(id string) bool { return id == None || active[id] != "" }
	asSeen := c.away || recorded && seen == c.Marks
	switch {
	case known && asSeen && is(chosen):
		s.Last = chosen
	case known && c.unreadable && c.Marks == "":
		s.Last, c.Marks = chosen, seen
	case c.away && seen != "" && is(seen):
		s.Last = seen
	default:
		return false
	}
	return true
}

// chooseNew makes the checkpoint current that the branch marks by now.
func (c *comparing) chooseNew(active map[string]string) error {
	s := &c.State
	chosen, known := s.Chosen[s.Branch]
	switch {
	case len(c.marks) == 1 && active[c.marks[0]] != "":
		s.choose(c.marks[0])
	case len(c.marks) > 1:
		if !known || !slices.Contains(c.marks, chosen) {
			s.choose(c.latest(active))
		}
	case s.marked[s.Branch] != "" || c.hasFiles():
		s.choose(None)
	default:
		ids := slices.Collect(maps.Keys(active))
		s.forget(ids)
		shared, err := c.SharedCurrent(c.ctx, c.tip, s.Branch)
		if err != nil {
			return err
		}
		s.show(shared, ids, false)
	}
	return nil
}

// showCurrent decides which checkpoint files on no branch show as current. If it is the worktree's first commit
// of the ref, the files may be from before the checkpoints were moved to the ref: then the one that they mark as
// current stays it.
func (c *comparing) showCurrent() error {
	s, was := &c.State, c.was
	c.moved = was.Worktree == "" || s.Tip != was.Tip || s.Branch != was.Branch || was.announced != "" || !was.shows()
	shown := was.Shown
	if c.moved {
		active, err := c.activeIDs()
		if err != nil {
			return err
		}
		ids := slices.Collect(maps.Keys(active))
		s.forget(ids)
		shared := ""
		if s.Branch != "" {
			shared, err = c.SharedCurrent(c.ctx, c.tip, s.Branch)
		}
		if was.Tip == "" && shared == "" && err == nil {
			err = c.chooseMarked(active)
		}
		if err != nil {
			return err
		}
		shown = s.show(shared, ids, was.Tip == "")
	}
	c.moved = c.moved || !maps.Equal(s.left, was.left)
	if shown == was.Shown {
		return c.want(shown, nil)
	}
	active, err := c.activeIDs()
	if rel := active[was.Shown]; rel != "" && err == nil {
		err = c.addFrom(rel)
	}
	if err != nil {
		return err
	}
	return c.want(shown, active)
}

// chooseMarked makes the checkpoint the current one that the files of the worktree mark as such, or those of
// its branch.
func (c *comparing) chooseMarked(active map[string]string) error {
	for _, id := range slices.Sorted(maps.Keys(active)) {
		src, err := c.onDisk(active[id])
		if src == nil && err == nil {
			src, err = disk.ReadFile(c.Repo.PathOf(c.Prefix + "/" + active[id]))
		}
		if err != nil {
			return err
		}
		if marked(active[id], src) != nil {
			c.State.choose(id)
		}
	}
	return nil
}

// want sets what the files are to be if they show a checkpoint as current. Active has its path, if its mark may
// have to change.
func (c *comparing) want(shown string, active map[string]string) error {
	c.State.Shown = shown
	if rel := active[shown]; rel != "" {
		if err := c.addFrom(rel); err != nil {
			return err
		}
	}
	for rel, f := range c.files {
		f.want = Shown(rel, f.ref, shown)
	}
	return nil
}

// SharedCurrent returns the id that a commit of the ref has for a branch, or "".
func (c *Checkout) SharedCurrent(ctx context.Context, tip, branch string) (string, error) {
	if tip == "" {
		return "", nil
	}
	at := c.Prefix + "/" + CurrentFolder + "/" + branch
	entries, err := c.Repo.Objects().EntriesIn(ctx, tip, []string{at})
	if err != nil || !entries[at].Regular() {
		return "", err
	}
	src, err := c.Repo.Objects().Blob(entries[at].Hash)
	return FirstLine(src), err
}

// FirstLine returns the id in a file of [CurrentFolder].
func FirstLine(src []byte) string {
	first, _, _ := strings.Cut(string(src), "\n")
	return first
}

// hasFiles reports whether the branch has active checkpoints.
func (c *comparing) hasFiles() bool {
	at := c.Prefix + "/" + store.Active
	tree, err := c.Repo.Objects().EntriesIn(c.ctx, c.Head.Hash, []string{at})
	if err != nil || tree[at].Hash == "" {
		return false
	}
	files, err := c.Repo.Objects().TreeAt(c.ctx, c.Head.Hash, at)
	return err == nil && slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(rel string) bool {
		return store.IsCheckpoint(store.Active + "/" + rel)
	})
}

// latest returns the marked checkpoint that was changed last.
func (c *comparing) latest(active map[string]string) string {
	var all []*checkpoint.Checkpoint
	for _, id := range c.marks {
		if f := c.files[active[id]]; f != nil && f.ref != nil {
			if parsed, err := checkpoint.Parse(active[id], f.ref); err == nil {
				all = append(all, parsed)
			}
		}
	}
	if len(all) == 0 {
		return None
	}
	return slices.MinFunc(all, checkpoint.LatestFirst).ID
}

// activeIDs returns the paths of the active checkpoints of the ref, by their ids. Files that are named
// after their ids need not be read.
func (c *comparing) activeIDs() (map[string]string, error) {
	if c.paths != nil {
		return c.paths, nil
	}
	c.paths = map[string]string{}
	tree, err := c.Repo.Objects().TreeAt(c.ctx, c.tip, c.Prefix+"/"+store.Active)
	for name, blob := range tree {
		rel := store.Active + "/" + name
		if !store.IsCheckpoint(rel) {
			continue
		}
		src, err := c.Repo.Objects().Blob(blob)
		if err != nil {
			return nil, err
		}
		if parsed, err := checkpoint.Parse(rel, src); err == nil {
			c.paths[parsed.ID] = rel
		}
	}
	for rel, src := range c.brought {
		maps.DeleteFunc(c.paths, func(_, at string) bool { return at == rel })
		if id := idOf(rel, src); id != "" && strings.HasPrefix(rel, store.Active+"/") {
			c.paths[id] = rel
		}
	}
	return c.paths, err
}
