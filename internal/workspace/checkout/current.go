package checkout

import (
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/workspace/store"
)

// markedID returns the id of a checkpoint that its file marks as current, or "".
func markedID(rel string, src []byte) string {
	if !markedCurrent(rel, src) {
		return ""
	}
	c, err := checkpoint.Parse(rel, src)
	if err != nil {
		return ""
	}
	return c.ID
}

// decideCurrent decides which checkpoint is current. It is the one that the branch marks, unless an
// operation chose another one since the branch was marked so.
func (c *comparing) decideCurrent() error {
	s := &c.State
	slices.Sort(c.marks)
	marks := strings.Join(slices.Compact(c.marks), ",")
	chosen, known := s.Chosen[s.Branch]
	seen, recorded := s.marked[s.Branch]
	active, err := c.activeIDs()
	if err != nil {
		return err
	}
	ids := slices.Collect(maps.Keys(active))
	there := func(id string) bool { return id == None || slices.Contains(ids, id) }
	if c.away && (known || recorded) {
		c.marks, marks = nil, seen // the branch's own
	}
	switch {
	case known && recorded && seen == marks && there(chosen), c.away && known && there(chosen):
		s.Last = chosen
	case known && c.unreadable && marks == "":
		s.Last, marks = chosen, seen
	case c.away && seen != "" && there(seen):
		s.Last = seen
	case len(c.marks) == 1 && there(c.marks[0]):
		s.choose(c.marks[0])
	case len(c.marks) > 1:
		if !known || !slices.Contains(c.marks, chosen) {
			s.choose(c.latest(active))
		}
	case recorded && seen != "" || c.hasFiles():
		s.choose(None)
	default:
		s.forget(ids)
		shared, err := c.SharedCurrent(c.ctx, c.tip, s.Branch)
		if err != nil {
			return err
		}
		s.show(shared, ids, false)
	}
	several := len(c.marks) > 1 && seen != marks // until an operation takes the mark from all but one
	if len(c.marks) < 2 {
		s.marked[s.Branch] = marks
	}
	c.Marks = marks
	s.Shown = strings.TrimPrefix(s.Last, None)
	if rel := active[s.Shown]; rel != "" && c.files[rel] == nil { // HEAD does not mark it
		if err := c.addFrom(rel); err != nil {
			return err
		}
	}
	for rel, f := range c.files {
		f.want = Shown(rel, f.ref, s.Shown)
		if id := markedID(rel, f.head); several && id != "" && f.ref != nil {
			f.want = Shown(rel, f.ref, id)
		}
	}
	return nil
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
		src, err := c.content(blob)
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
