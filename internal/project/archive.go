package project

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/learnings"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/store"
)

// ArchiveRequest ends a checkpoint.
type ArchiveRequest struct {
	ID        string
	Outcome   string // may be empty where a Completion is written already
	Learnings []string
	Back      bool // the outcome becomes a step of the parent, which becomes current
	Force     bool // even while children are active
}

// Archive writes the Completion, moves the file to archive/ and harvests its
// learnings: one operation.
func (p *Project) Archive(ctx context.Context, req ArchiveRequest) (*result.Receipt, error) {
	receipt, err := p.change(ctx, store.All, func(set *checkpoint.Set, now time.Time) (*operation, error) {
		c, err := p.open(live(set), req.ID)
		if err != nil {
			return nil, err
		}
		if err := archivable(set, c, req.Force); err != nil {
			return nil, err
		}
		done, err := c.Archive(req.Outcome, req.Learnings, now)
		if err != nil {
			return nil, err
		}
		done.Path = shelf(len(set.Archived()), done.Path, now)
		if err := p.vacant(set, done); err != nil {
			return nil, err
		}
		o := &operation{op: "archive", id: c.ID, summary: cmp.Or(text.FirstLine(done.Outcome()), "archived"), about: done.Path}
		o.revise(c, done)
		if err := p.harvest(o, done, now); err != nil {
			return nil, err
		}
		if req.Back {
			if err := o.back(set, c, done); err != nil {
				return nil, err
			}
		} else if c.Status() == checkpoint.Current {
			o.remarks = append(o.remarks, withoutCurrent(set, c))
		}
		return o, p.remindToPrune(ctx, set, o, now)
	})
	return p.pruneAfter(ctx, receipt, err)
}

// flatArchive is how many files archive/ holds side by side. Git writes the whole
// list of a folder's files anew with every commit, so a large archive is kept by
// month.
const flatArchive = 1000

// shelf is where a file goes in an archive that holds so many.
func shelf(archived int, flat string, now time.Time) string {
	if archived < flatArchive {
		return flat
	}
	return path.Join(path.Dir(flat), now.UTC().Format("2006/01"), path.Base(flat))
}

// live is the part of a whole set that is in active/.
func live(set *checkpoint.Set) *checkpoint.Set {
	return &checkpoint.Set{All: set.Active(), Broken: set.Broken}
}

func archivable(set *checkpoint.Set, c *checkpoint.Checkpoint, force bool) error {
	if m, ok := c.Mark(); ok {
		return fault.New(fault.Refused, "%s has an open mark: %s", c.ID, text.FirstLine(m.Goal)).WithHint("ckpt rewind REPORT, or ckpt rewind --abort")
	}
	if children := activeChildren(set, c); len(children) > 0 && !force {
		return fault.New(fault.Refused, "%s has active children: %s", c.ID, strings.Join(children, ", ")).
			WithHint("ckpt archive %s first, or --force", children[0])
	}
	return nil
}

// activeChildren returns the ids of the forks of c that are not archived.
func activeChildren(set *checkpoint.Set, c *checkpoint.Checkpoint) []string {
	var children []string
	for _, child := range set.Children(c.ID) {
		if child.Status() != checkpoint.Archived {
			children = append(children, child.ID)
		}
	}
	return children
}

// vacant says whether a checkpoint can move to its new path.
func (p *Project) vacant(set *checkpoint.Set, moved *checkpoint.Checkpoint) error {
	for _, other := range set.All {
		if checkpoint.InArchive(other.Path) == checkpoint.InArchive(moved.Path) && other.ID == moved.ID {
			return fault.New(fault.Refused, "%s holds the id %s already", p.fromRoot(other.Path), moved.ID).WithHint("ckpt validate")
		}
	}
	have, err := p.Store.Read(moved.Path)
	if err == nil && have != nil {
		return fault.New(fault.Refused, "%s exists already", p.fromRoot(moved.Path)).WithHint("ckpt show %s", moved.Path)
	}
	return err
}

// harvest carries the learnings over into LEARNINGS.md.
func (p *Project) harvest(o *operation, done *checkpoint.Checkpoint, now time.Time) error {
	bullets := done.Learnings()
	if len(bullets) == 0 {
		return nil
	}
	src, err := p.Store.Read(store.Learnings)
	if err != nil {
		return err
	}
	out := learnings.Add(src, done.ID, now, bullets)
	o.put(store.Learnings, src, out)
	if !change.Same(src, out) {
		o.remarks = append(o.remarks, fmt.Sprintf("%s in %s", text.Count(len(bullets), "learning"), p.fromRoot(store.Learnings)))
	}
	return nil
}

// back makes the outcome a step of the parent and the parent current.
func (o *operation) back(set *checkpoint.Set, c, done *checkpoint.Checkpoint) error {
	parent, ok := live(set).Get(c.Parent())
	switch {
	case c.Parent() == "":
		return fault.New(fault.Usage, "%s has no parent to go back to", c.ID).WithHint("ckpt archive %s without --back", c.ID)
	case !ok:
		return fault.New(fault.Usage, "the parent of %s, %s, is not active", c.ID, c.Parent()).WithHint("ckpt archive %s without --back", c.ID)
	}
	if err := o.clearCurrents(set, parent.ID); err != nil {
		return err
	}
	// The archived file has lost its status: what clearCurrents says of it is void.
	o.put(c.Path, c.Doc.Bytes(), nil)
	step := done.ID + " → archived"
	if outcome := done.Outcome(); outcome != "" {
		step += " → " + outcome
	}
	revised, err := parent.Revise().Bullet(checkpoint.PlayByPlay, step).SetStatus(checkpoint.Current).Apply()
	if err != nil {
		return err
	}
	o.revise(parent, revised)
	o.remarks = append(o.remarks, parent.ID+" is current again")
	if own := ownDecisions(done, parent); len(own) > 0 {
		o.remarks = append(o.remarks, fmt.Sprintf("%s of %s are not in %s: %s (ckpt note decision TEXT --why TEXT takes one over)",
			text.Count(len(own), "decision"), done.ID, parent.ID, strings.Join(own, "; ")))
	}
	return nil
}

// ownDecisions are the live decisions of a child that its parent does not have.
func ownDecisions(child, parent *checkpoint.Checkpoint) []string {
	known := map[string]bool{}
	for _, d := range parent.Decisions() {
		known[d.What] = true
	}
	var own []string
	for _, d := range child.Decisions() {
		if d.Live() && !known[d.What] {
			own = append(own, d.What)
		}
	}
	return own
}

// Reopen makes an archived checkpoint active again: without the Completion that archive
// wrote, its learnings taken out again unless somebody edited them. A Completion that
// somebody else wrote stays, and so do its learnings, unless force is set.
func (p *Project) Reopen(ctx context.Context, id string, force bool) (*result.Receipt, error) {
	return p.change(ctx, store.All, func(set *checkpoint.Set, now time.Time) (*operation, error) {
		archived := &checkpoint.Set{All: set.Archived(), Broken: set.Broken}
		c, err := archived.Resolve(id)
		if fault.KindOf(err) == fault.NotFound {
			if active, activeErr := live(set).Resolve(id); activeErr == nil {
				return nil, fault.New(fault.Usage, "%s is not archived", active.ID).WithHint("ckpt use %s", active.ID)
			}
		}
		if err != nil {
			return nil, err
		}
		open, kept, err := c.Reopen(force)
		if err != nil {
			return nil, err
		}
		if err := p.vacant(set, open); err != nil {
			return nil, err
		}
		o := &operation{op: "reopen", id: c.ID, summary: "active again, from " + path.Dir(c.Path) + "/", about: open.Path}
		o.revise(c, open)
		o.replaces(c, open, "")
		o.remarks = append(o.remarks, "ckpt use "+c.ID+" makes it current")
		if kept {
			o.remarks = append(o.remarks, "the Completion is not as ckpt archive writes it: it stays, as \""+checkpoint.FormerCompletion+"\" (--force removes it)")
			return o, nil
		}
		src, err := p.Store.Read(store.Learnings)
		if err != nil || src == nil {
			return o, err
		}
		out, edited := learnings.Remove(src, c.ID, c.Learnings())
		o.put(store.Learnings, src, out)
		if len(edited) > 0 {
			o.remarks = append(o.remarks, fmt.Sprintf("%s edited since: left in %s", text.Count(len(edited), "learning"), p.fromRoot(store.Learnings)))
		}
		return o, nil
	})
}
