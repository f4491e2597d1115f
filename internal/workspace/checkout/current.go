package checkout

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/store"
)

// decideCurrent decides which checkpoint is current in the commit modes own and off. It is the one that the branch
// marks, unless an operation has chosen another one since.
func (c *comparing) decideCurrent() error {
	s := &c.State
	slices.Sort(c.marks)
	c.marks = slices.Compact(c.marks)
	_, known := s.Chosen[s.Branch]
	seen, recorded := s.marked[s.Branch]
	c.Marks = strings.Join(c.marks, ",")
	if c.away && (known || recorded) {
		c.marks, c.Marks = nil, seen // seen has the marks of the branch itself
	}
	if !c.stays() {
		c.chooseNew()
	}
	several := len(c.marks) > 1 && seen != c.Marks // all marks stay until an operation removes some
	if len(c.marks) < 2 {
		s.marked[s.Branch] = c.Marks
	}
	c.addActive(s.Current())
	c.want()
	for rel, f := range c.files {
		if several && f.ref != nil {
			f.want = Shown(rel, f.ref, cmp.Or(MarkedID(rel, f.head), s.Current()))
		}
	}
	return nil
}

// stays reports whether the current checkpoint stays current, also on a new branch if only the files on disk mark it.
// If so, it sets [State].Last to the id.
func (c *comparing) stays() bool {
	s := &c.State
	chosen, known := s.Chosen[s.Branch]
	seen, recorded := s.marked[s.Branch]
	is := func(id string) bool { return id == None || c.isActive(id) }
	asSeen := c.away || recorded && seen == c.Marks
	isOff := c.Marks == "" && c.ModeAt(c.ctx, c.Head.Hash) == policy.Ref
	switch {
	case known && (asSeen || isOff) && is(chosen), c.showsAlone(cmp.Or(chosen, s.Last)):
		s.choose(cmp.Or(chosen, s.Last))
	case known && c.unreadable && c.Marks == "":
		s.Last, c.Marks = chosen, seen
	case c.away && seen != "" && is(seen):
		s.Last = seen
	default:
		return false
	}
	return true
}

// showsAlone reports whether the files on disk mark this checkpoint and no other one. For [None] they must mark none
// although the branch marks some, as after git reset --soft.
func (c *comparing) showsAlone(id string) bool {
	c.addActive(id)
	shows := id == None && len(c.marks) > 0
	for rel, f := range c.files {
		marked := MarkedID(rel, f.disk)
		if marked != "" && marked != id {
			return false
		}
		shows = shows || marked != "" && f.ref != nil
	}
	return shows
}

// chooseNew chooses the current checkpoint anew: usually the one that the branch marks.
func (c *comparing) chooseNew() {
	s := &c.State
	chosen := s.Chosen[s.Branch]
	switch {
	case len(c.marks) == 1 && c.isActive(c.marks[0]):
		s.choose(c.marks[0])
	case len(c.marks) == 1 && chosen == c.marks[0]:
		s.Last = None // it is not active now; Chosen keeps it, since an undo elsewhere may make it active again
	case len(c.marks) > 1:
		if !slices.Contains(c.marks, chosen) {
			s.choose(c.latest())
		}
	case s.marked[s.Branch] != "" || c.hasFiles():
		s.choose(None)
	default:
		s.show(c.shared(s.Branch), c.isActive)
	}
}

// shared returns the id that the ref records as current on a branch. It first drops recorded ids that are not active.
func (c *comparing) shared(branch string) string {
	c.State.forget(c.isActive)
	id, err := c.SharedCurrent(c.ctx, c.tip, branch)
	c.fail(err)
	return id
}

// showCurrent decides which checkpoint the files in the folder Apart show as current. If the worktree had no commit
// of the ref yet, chooseFirst makes the choice.
func (c *comparing) showCurrent() error {
	s, was := &c.State, c.was
	c.moved = was.Worktree == "" || s.apart != was.apart || s.Branch != was.Branch || was.announced != "" || !was.shows()
	if c.moved {
		shared := c.shared(s.Branch)
		if was.apart == "" {
			c.chooseFirst(shared)
		}
		if _, known := s.Began[s.Branch]; !known && shared == "" {
			from := c.Repo.Refs().BegunFrom(c.ctx, s.Branch)
			s.Last = cmp.Or(s.Chosen[from], c.shared(from), s.Began[from], s.Last)
		}
		s.shown = s.show(shared, c.isActive)
	}
	c.moved = c.moved || !maps.Equal(s.left, was.left) || was.landing != "" || c.Repo.Index().LockedByUs()
	if s.shown != was.shown {
		c.addActive(was.shown)
		c.addActive(s.shown)
	}
	c.want()
	return nil
}

// chooseFirst chooses the current checkpoint in a worktree that had no commit of the ref. Shared, the id on the ref for
// the branch, takes precedence. If it is empty, chooseFirst takes the checkpoint that the files mark, here or on the
// branch, or else the only active one.
func (c *comparing) chooseFirst(shared string) {
	active := c.activeIDs()
	if _, known := c.State.Began[c.State.Branch]; !known && len(active) == 1 {
		c.State.Last = slices.Collect(maps.Keys(active))[0]
	}
	if shared != "" {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(active)) {
		src, err := c.onDisk(active[id])
		if src == nil && err == nil {
			src, err = disk.ReadFile(c.Repo.PathOf(c.Prefix + "/" + active[id]))
		}
		c.fail(err)
		if marked(active[id], src) != nil {
			c.State.choose(id)
		}
	}
}

// addActive adds the file of an active checkpoint, whose mark may have to change.
func (c *comparing) addActive(id string) {
	if rel := c.pathOf(id); rel != "" {
		c.fail(c.addFrom(rel))
	}
}

// want sets the contents that the files should have: those of the ref, with the mark of the current checkpoint.
func (c *comparing) want() {
	for rel, f := range c.files {
		f.want = Shown(rel, f.ref, c.State.Current())
	}
}

// SharedCurrent returns the id that a commit of the ref records as current on a branch, or "".
func (c *Checkout) SharedCurrent(ctx context.Context, tip, branch string) (string, error) {
	src, err := c.Repo.Objects().FileAt(ctx, tip, c.Prefix+"/"+CurrentFile(branch))
	return FirstLine(src), err
}

// CurrentFile returns the file of [CurrentFolder] for a branch. In its name %2F replaces a slash, so that the branches
// x and x/y can both have a file.
func CurrentFile(branch string) string {
	return CurrentFolder + "/" + strings.NewReplacer("%", "%25", "/", "%2F").Replace(branch)
}

// BranchOf returns the branch of a file of [CurrentFolder].
func BranchOf(name string) string { return strings.NewReplacer("%2F", "/", "%25", "%").Replace(name) }

// FirstLine returns the id in a file of [CurrentFolder].
func FirstLine(src []byte) string {
	first, _, _ := strings.Cut(string(src), "\n")
	return first
}

// hasFiles reports whether the branch has active checkpoints.
func (c *comparing) hasFiles() bool {
	files, err := c.Repo.Objects().TreeAt(c.ctx, c.Head.Hash, c.Prefix+"/"+store.Active)
	return err == nil && slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(rel string) bool {
		return checkpoint.IsFile(store.Active + "/" + rel)
	})
}

// latest returns the id of the marked checkpoint that was changed last, or [None].
func (c *comparing) latest() string {
	var all []*checkpoint.Checkpoint
	for _, id := range c.marks {
		rel := c.pathOf(id)
		if f := c.files[rel]; f != nil && f.ref != nil {
			if parsed, err := checkpoint.Parse(rel, f.ref); err == nil {
				all = append(all, parsed)
			}
		}
	}
	if len(all) == 0 {
		return None
	}
	return slices.MinFunc(all, checkpoint.LatestFirst).ID
}

// fail records an error of a step, which read returns after all steps.
func (c *comparing) fail(err error) { c.failed = cmp.Or(c.failed, err) }

// isActive reports whether a checkpoint is active on the ref.
func (c *comparing) isActive(id string) bool { return c.pathOf(id) != "" }

// pathOf returns the path of an active checkpoint of the ref, or "". It tries the file that is named after the id
// first, so that it usually reads no other file.
func (c *comparing) pathOf(id string) string {
	if id == "" || id == None {
		return ""
	}
	rel := store.Active + "/" + id + ".md"
	src, brought := c.brought[rel]
	if !brought {
		var err error
		src, err = c.Repo.Objects().FileAt(c.ctx, c.tip, c.Prefix+"/"+rel)
		c.fail(err)
	}
	if checkpoint.IDIn(src) == id {
		return rel
	}
	return c.activeIDs()[id]
}

// activeIDs returns the paths of the active checkpoints of the ref, by their ids.
func (c *comparing) activeIDs() map[string]string {
	if c.paths != nil {
		return c.paths
	}
	c.paths = map[string]string{}
	tree, err := c.Repo.Objects().TreeAt(c.ctx, c.tip, c.Prefix+"/"+store.Active)
	c.fail(err)
	for name, blob := range tree {
		rel := store.Active + "/" + name
		if !checkpoint.IsFile(rel) {
			continue
		}
		src, err := c.Repo.Objects().Blob(blob)
		c.fail(err)
		if parsed, err := checkpoint.Parse(rel, src); err == nil {
			c.paths[parsed.ID] = rel
		}
	}
	for rel, src := range c.brought {
		maps.DeleteFunc(c.paths, func(_, at string) bool { return at == rel })
		if id := checkpoint.IDIn(src); id != "" && strings.HasPrefix(rel, store.Active+"/") {
			c.paths[id] = rel
		}
	}
	return c.paths
}
