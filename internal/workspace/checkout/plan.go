package checkout

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace/store"
)

// Update is what brings the files of a worktree to another commit.
type Update struct {
	Files []change.File // paths below the folder; Before is what is on disk, After what shall be
	state State         // once the files are written
	moved bool          // the state file has to change
}

// Empty reports whether the files and the state file are as they should be.
func (u *Update) Empty() bool { return len(u.Files) == 0 && !u.moved }

// State returns the state that the update leads to.
func (u *Update) State() State { return u.state }

// Plan returns what has to change in the worktree so that its files are those of a commit of
// the ref, as a worktree with that branch ("" for a detached HEAD) shows them. It writes nothing.
func (c *Checkout) Plan(ctx context.Context, tip, branch string) (*Update, error) {
	s, err := c.Load()
	if err != nil {
		return nil, err
	}
	if s.Tip != tip {
		c.forgetGone(ctx, &s)
	}
	return c.plan(ctx, s, tip, branch)
}

func (c *Checkout) plan(ctx context.Context, s State, tip, branch string) (*Update, error) {
	announced := s.announced != ""
	if announced {
		c.complete(ctx, &s, tip)
	}
	found, err := c.look(ctx, s, tip)
	if err != nil {
		return nil, err
	}
	p := planner{c: c, ctx: ctx, was: found.was, now: found.now, present: found.present, shown: s.Shown,
		left: map[string]string{}}
	if len(s.left) > 0 {
		p.was = maps.Clone(p.was) // it may be the map of now
		maps.Copy(p.was, s.left)
	}
	next := s
	next.Tip, next.Branch, next.settled = tip, branch, found.settled
	named := s.Worktree != ""
	next.name()
	same := named && tip == s.Tip && branch == s.Branch && s.shows() && !announced
	if !same {
		next.Shown, err = p.currentOn(&next, s.Tip == "")
		if err != nil {
			return nil, err
		}
	}
	p.current = next.Shown
	look, err := p.paths()
	if err != nil {
		return nil, err
	}
	for _, rel := range look {
		if err := p.visit(rel); err != nil {
			return nil, err
		}
	}
	if err := p.mergeEdits(); err != nil {
		return nil, err
	}
	next.left = p.left
	return &Update{Files: p.files, state: next, moved: !same || !maps.Equal(s.left, p.left)}, nil
}

// currentOn returns the id of the checkpoint that is current on the branch of a state. If it is the
// worktree's first one with a commit, the files may be from before the checkpoints were moved to the
// ref: then the one that they mark as current stays it.
func (p *planner) currentOn(s *State, first bool) (string, error) {
	paths, err := p.activeIDs()
	if err != nil {
		return "", err
	}
	active := slices.Collect(maps.Keys(paths))
	s.forget(active)
	shared := ""
	if s.Branch != "" {
		shared, err = p.c.SharedCurrent(p.ctx, s.Tip, s.Branch)
	}
	if first && shared == "" && err == nil {
		err = p.chooseMarked(s, paths)
	}
	return s.show(shared, active, first), err
}

// chooseMarked makes the checkpoint the current one that the files of the worktree mark as such, or those of
// its branch.
func (p *planner) chooseMarked(s *State, paths map[string]string) error {
	for _, id := range slices.Sorted(maps.Keys(paths)) {
		read := p.c.onDisk
		if !p.present[paths[id]] {
			read = func(rel string) ([]byte, error) { return disk.ReadFile(p.c.Repo.PathOf(p.c.Prefix + "/" + rel)) }
		}
		src, err := read(paths[id])
		if err != nil {
			return err
		}
		if src != nil && markedCurrent(paths[id], src) {
			s.choose(id)
		}
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

// activeIDs returns the paths of the active checkpoints of the new tree that can be read, by
// their ids.
func (p *planner) activeIDs() (map[string]string, error) {
	if p.ids != nil {
		return p.ids, nil
	}
	p.ids = map[string]string{}
	for rel, blob := range p.now {
		if !strings.HasPrefix(rel, store.Active+"/") || !store.IsCheckpoint(rel) {
			continue
		}
		src, err := p.content(blob)
		if err != nil {
			return nil, err
		}
		if c, err := checkpoint.Parse(rel, src); err == nil {
			p.ids[c.ID] = rel
		}
	}
	return p.ids, nil
}

// paths returns the files that the update has to look at, sorted: those that differ between the
// two trees, those that are missing on disk, and those whose mark of the current checkpoint has
// to change.
func (p *planner) paths() ([]string, error) {
	look := map[string]bool{}
	for rel, blob := range p.now {
		if p.was[rel] != blob || !p.present[rel] {
			look[rel] = true
		}
	}
	for rel := range p.was {
		if p.now[rel] == "" {
			look[rel] = true
		}
	}
	if p.current != p.shown {
		ids, err := p.activeIDs()
		if err != nil {
			return nil, err
		}
		for _, id := range []string{p.current, p.shown} {
			if rel := ids[id]; rel != "" {
				look[rel] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(look)), nil
}

func (c *Checkout) file(rel string) string { return filepath.Join(c.Dir, filepath.FromSlash(rel)) }

// onDisk returns the content of a file, or nil if there is none.
func (c *Checkout) onDisk(rel string) ([]byte, error) {
	src, err := disk.ReadFile(c.file(rel))
	if err == nil {
		return src, nil
	}
	for at := path.Dir(rel); at != "."; at = path.Dir(at) {
		if info, failed := os.Stat(c.file(at)); failed == nil && !info.IsDir() {
			return nil, inTheWay(c.Folder()+"/"+at, "not a folder")
		}
	}
	if info, failed := os.Stat(c.file(rel)); failed == nil && !info.Mode().IsRegular() {
		return nil, inTheWay(c.Folder()+"/"+rel, "not a regular file")
	}
	return nil, fault.New(fault.Failed, "read %s: %w", c.file(rel), disk.Pathless(err))
}

// isUnreadable reports whether an error of onDisk is that of a file which readers list as unreadable.
func isUnreadable(err error) bool {
	return errors.Is(err, disk.ErrTooLarge) || errors.Is(err, fs.ErrPermission)
}

// inTheWay returns the error for something that is where ckpt has a file or a folder.
func inTheWay(path, what string) error {
	return fault.New(fault.Failed, "%s is %s", path, what).
		WithHint("move it away: the next command writes what belongs there")
}

// planner computes an update.
type planner struct {
	c       *Checkout
	ctx     context.Context
	was     map[string]string // blobs by path, in the tree that the files are from
	now     map[string]string // in the new tree
	present map[string]bool   // see folders
	shown   string            // the id that the files show as current
	current string            // the one that they shall show
	ids     map[string]string // see activeIDs
	left    map[string]string // see State

	files  []change.File
	edited []edit
}

// edit is a file that was edited by hand and is different in the new tree.
type edit struct {
	path string
	disk []byte
}

// visit plans what happens to one file.
func (p *planner) visit(rel string) error {
	src, err := p.c.onDisk(rel)
	if isUnreadable(err) {
		if p.was[rel] != p.now[rel] {
			p.left[rel] = p.was[rel]
		}
		return nil
	}
	if err != nil {
		return err
	}
	clean, err := Same(p.c.Repo, rel, src, p.now[rel])
	if err == nil && !clean && src != nil {
		clean, err = Same(p.c.Repo, rel, src, p.was[rel])
		if err == nil && !clean && p.was[rel] != p.now[rel] {
			p.edited = append(p.edited, edit{rel, src})
			return nil
		}
		if err == nil && !clean { // edited, and the ref has nothing new
			after := Shown(rel, Shared(rel, src), p.current)
			if !bytes.Equal(after, src) {
				p.files = append(p.files, change.File{Path: rel, Before: src, After: after})
			}
			return nil
		}
	}
	if err != nil {
		return err
	}
	after, err := p.content(p.now[rel])
	if err != nil {
		return err
	}
	after = Shown(rel, after, p.current)
	if !change.Same(src, after) {
		p.files = append(p.files, change.File{Path: rel, Before: src, After: after})
	}
	return nil
}

func (p *planner) content(blob string) ([]byte, error) { return p.c.content(blob) }

// mergeEdits merges the edited files with the new tree.
func (p *planner) mergeEdits() error {
	if len(p.edited) == 0 {
		return nil
	}
	base, ours, theirs := merge.Set{}, merge.Set{}, merge.Set{}
	if err := p.fill(base, p.was, p.now); err != nil {
		return err
	}
	if err := p.fill(ours, p.now, p.was); err != nil {
		return err
	}
	maps.Copy(theirs, base)
	onDisk := map[string][]byte{}
	for _, e := range p.edited {
		theirs[e.path] = Shared(e.path, e.disk)
		onDisk[e.path] = e.disk
	}
	merged, err := MergeSets(p.ctx, p.c.Repo, base, ours, theirs)
	if err != nil {
		return err
	}
	planned := map[string]bool{}
	for _, rel := range slices.Sorted(maps.Keys(merged.Files)) {
		after := Shown(rel, merged.Files[rel], p.current)
		before, isEdit := onDisk[rel]
		if bytes.Equal(merged.Files[rel], ours[rel]) && !isEdit {
			continue // planned already
		}
		planned[rel] = true
		p.files = slices.DeleteFunc(p.files, func(f change.File) bool { return f.Path == rel })
		if !isEdit {
			before, err = p.c.onDisk(rel)
			if err != nil {
				return err
			}
		}
		p.files = append(p.files, change.File{Path: rel, Before: before, After: after})
	}
	for _, e := range p.edited { // remove files that the merge has moved
		if !planned[e.path] && merged.Files[e.path] == nil {
			p.files = append(p.files, change.File{Path: e.path, Before: e.disk})
		}
	}
	return nil
}

// fill sets the content of the files of a tree that differ from the other tree, and of the
// edited ones.
func (p *planner) fill(set merge.Set, tree, other map[string]string) error {
	take := func(rel, blob string) error {
		src, err := p.content(blob)
		if err == nil && src != nil {
			set[rel] = src
		}
		return err
	}
	for rel, blob := range tree {
		if other[rel] != blob {
			if err := take(rel, blob); err != nil {
				return err
			}
		}
	}
	for _, e := range p.edited {
		if err := take(e.path, tree[e.path]); err != nil {
			return err
		}
	}
	return nil
}
