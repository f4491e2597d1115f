package project

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// conflicted is one checkpoint, or another file, that a merge has left in conflict,
// wherever both sides have it.
type conflicted struct {
	id                 string   // of the checkpoint; "" where the file is none
	paths              []string // in the folder: where the conflict is
	base, ours, theirs []byte   // nil: there is none
	oursAt, theirsAt   string
	elsewhere          bool // one side has it at another path
}

// called says whether a person who types name means this one.
func (c *conflicted) called(name string) bool {
	name = strings.ReplaceAll(name, `\`, "/")
	if c.id != "" && (c.id == name || c.id == "chk-"+name) {
		return true
	}
	return slices.ContainsFunc(c.paths, func(rel string) bool { return name == rel || strings.HasSuffix(name, "/"+rel) })
}

// collect finds the conflicts: what the index says is unmerged, and files in which
// markers were left.
func (r *resolving) collect(ctx context.Context) error {
	unmerged, err := r.Repo.Unmerged(ctx, r.prefix)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, u := range unmerged {
		rel := strings.TrimPrefix(u.Path, r.prefix+"/")
		if !store.Keeps(rel) {
			continue // somebody else's file
		}
		seen[rel], r.o.merging = true, true
		r.add(rel, u)
	}
	var left []string
	for _, b := range r.set.Broken {
		if errors.Is(b.Err, checkpoint.ErrConflict) {
			left = append(left, b.Path)
		}
	}
	for _, rel := range append(left, store.Learnings, store.ActiveIndex, store.ArchiveIndex) {
		if seen[rel] {
			continue
		}
		if err := r.addMarked(ctx, rel); err != nil {
			return err
		}
	}
	for _, c := range r.all {
		r.complete(c)
	}
	return nil
}

// addMarked adds a file that has markers and is no conflict of the index: what was
// merged is in the history of the merge that left them, else in the file itself.
func (r *resolving) addMarked(ctx context.Context, rel string) error {
	src, err := r.Store.OnDisk(rel)
	if err != nil || src == nil || !inConflict(rel, src) {
		return err
	}
	u := git.Unmerged{}
	u.Base, u.Ours, u.Theirs, _ = merge.Sides(src)
	m, ok, err := r.Repo.MergeOf(ctx, r.fromRoot(rel))
	if err != nil {
		return err
	}
	if ok {
		was, err := m.At(ctx, r.Repo, r.fromRoot(rel))
		if err != nil {
			return err
		}
		if was.Ours != nil && was.Theirs != nil {
			u = was
		}
	}
	r.add(rel, u)
	return nil
}

// add adds what a conflict holds. Two checkpoints that git has taken for one are two.
func (r *resolving) add(rel string, u git.Unmerged) {
	u.Ours, u.Theirs = unmixed(rel, u.Ours), unmixed(rel, u.Theirs)
	ours, theirs, was := idIn(u.Ours), idIn(u.Theirs), idIn(u.Base)
	if ours == "" || theirs == "" || ours == theirs || !isCheckpointPath(rel) {
		r.strand(rel, cmp.Or(ours, theirs, was), u)
		return
	}
	base := func(id string) []byte {
		if id == was {
			return u.Base
		}
		return nil
	}
	owner, stray := git.Unmerged{Base: base(ours), Ours: u.Ours}, git.Unmerged{Base: base(theirs), Theirs: u.Theirs}
	if stem(rel) == theirs {
		owner, stray = git.Unmerged{Base: base(theirs), Theirs: u.Theirs}, git.Unmerged{Base: base(ours), Ours: u.Ours}
		ours, theirs = theirs, ours
	}
	r.strand(rel, ours, owner).elsewhere = true
	r.strand("", theirs, stray).elsewhere = true
}

// strand adds what a path holds of a checkpoint, or of another file; "" for no path of
// its own.
func (r *resolving) strand(rel, id string, u git.Unmerged) *conflicted {
	i := slices.IndexFunc(r.all, func(c *conflicted) bool { return id != "" && c.id == id })
	if i < 0 {
		i = len(r.all)
		r.all = append(r.all, &conflicted{id: id})
	}
	c := r.all[i]
	if rel != "" {
		c.paths = append(c.paths, rel)
	}
	if c.base == nil {
		c.base = u.Base
	}
	if u.Ours != nil {
		c.ours, c.oursAt = u.Ours, rel
	}
	if u.Theirs != nil {
		c.theirs, c.theirsAt = u.Theirs, rel
	}
	return c
}

// complete finds the side that has moved the checkpoint to where it is no conflict.
func (r *resolving) complete(c *conflicted) {
	if c.id == "" || c.ours != nil && c.theirs != nil {
		return
	}
	for _, other := range r.set.All {
		if other.ID != c.id || slices.Contains(c.paths, other.Path) {
			continue
		}
		if c.elsewhere = true; c.ours == nil {
			c.ours, c.oursAt = other.Doc.Bytes(), other.Path
		} else {
			c.theirs, c.theirsAt = other.Doc.Bytes(), other.Path
		}
		return
	}
}

// place is where the one file is to be: archived if one side has archived it.
func (c *conflicted) place() string {
	to := cmp.Or(c.oursAt, c.theirsAt)
	if to == "" && len(c.paths) > 0 {
		to = c.paths[0]
	} else if to == "" {
		to = store.Active + "/" + c.id + ".md"
	}
	if checkpoint.InArchive(c.theirsAt) && !checkpoint.InArchive(to) {
		to = c.theirsAt
	}
	return to
}

// settleOne merges one conflict anew, unless somebody has resolved it by hand.
func (r *resolving) settleOne(ctx context.Context, c *conflicted) error {
	to := c.place()
	src, err := r.shown(c)
	if err != nil {
		return err
	}
	if c.ours == nil || c.theirs == nil {
		return r.keep(c, to, src)
	}
	if len(c.paths) == 1 && !c.elsewhere && src != nil && !inConflict(to, src) && !c.oneSided(src) {
		return r.byHand(c, to, src)
	}
	m, err := r.anew(ctx, c, to, src)
	if err != nil {
		return err
	}
	if path.Base(to) == indexName && len(m.Conflicts) > 0 {
		m = Merged{Bytes: c.ours} // it follows from the rest
	}
	how := ofBoth(c.base, c.ours, c.theirs)
	if checkpoint.InArchive(to) && (!checkpoint.InArchive(c.oursAt) || !checkpoint.InArchive(c.theirsAt)) {
		how += "; it is archived"
	}
	for _, said := range m.Remarks {
		how += "; " + said
	}
	then := "ckpt resolve"
	if !r.o.merging {
		then = "ckpt save"
	}
	var left []report.Spot
	for _, clash := range m.Conflicts {
		left = append(left, report.Spot{Line: clash.Line, Section: clash.Section, What: "both sides have written it: choose, then " + then})
	}
	r.say(to, c.id, how, left...)
	if len(left) > 0 && !slices.Contains(c.paths, to) { // where the index knows of no conflict
		r.o.unmerged = append(r.o.unmerged, git.Unmerged{Path: r.fromRoot(to), Base: c.base, Ours: c.ours, Theirs: c.theirs})
	}
	return r.move(c, to, m.Bytes)
}

// shown returns the file as it is on disk, at the first path of the conflict that has one;
// a checkpoint that git took for another one is as its side has it.
func (r *resolving) shown(c *conflicted) ([]byte, error) {
	for _, rel := range c.paths {
		if src, err := r.Store.OnDisk(rel); err != nil || src != nil {
			return src, err
		}
	}
	switch {
	case len(c.paths) > 0:
		return nil, nil
	case c.ours != nil:
		return c.ours, nil
	}
	return c.theirs, nil
}

// move makes the one file contain src (nil: removes it), and removes the other files of the
// conflict. Every path of it is settled, also one that neither side has any more.
func (r *resolving) move(c *conflicted, to string, src []byte) error {
	if err := r.want(to, src); err != nil {
		return err
	}
	for _, rel := range append(slices.Clone(c.paths), c.oursAt, c.theirsAt) {
		if rel == "" || rel == to {
			continue
		}
		if err := r.want(rel, nil); err != nil {
			return err
		}
	}
	if c.id == "" || src == nil || !checkpoint.InArchive(to) {
		return nil
	}
	return r.harvested(to, src)
}

// anew merges the two sides. Where somebody has begun to resolve the file by hand they
// are those between which its markers leave the choice.
func (r *resolving) anew(ctx context.Context, c *conflicted, to string, src []byte) (Merged, error) {
	req := MergeRequest{Path: to, Base: c.base, Ours: c.ours, Theirs: c.theirs}
	m, err := MergeFile(ctx, r.Repo.Root(), req)
	if err != nil || len(c.paths) > 1 || c.elsewhere || !inConflict(to, src) {
		return m, err
	}
	gits, _, err := git.MergeFile(ctx, r.Repo.Root(), req.lines(c.base, c.ours, c.theirs))
	if err != nil {
		return m, err
	}
	_, ours, theirs, _ := merge.Sides(src)
	for _, left := range [][]byte{m.Bytes, gits} {
		_, a, b, ok := merge.Sides(left)
		if ok && bytes.Equal(a, ours) && bytes.Equal(b, theirs) {
			return m, nil // as git or ckpt has left it
		}
	}
	req.Ours, req.Theirs = ours, theirs
	return MergeFile(ctx, r.Repo.Root(), req)
}
