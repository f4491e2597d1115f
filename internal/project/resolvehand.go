package project

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/store"
)

// What a merge of two texts does not settle: one side has none, or somebody has been at
// it by hand.

// keep is for what one side has deleted and the other changed: nothing is lost, unless
// somebody has deleted it by hand.
func (r *resolving) keep(c *conflicted, to string, src []byte) error {
	changed := c.ours
	if changed == nil {
		changed = c.theirs
	}
	switch {
	case changed == nil || src == nil:
		r.say(to, c.id, "deleted")
		return r.move(c, to, nil)
	case !bytes.Equal(src, changed) && !inConflict(to, src):
		changed = src // edited since
	}
	if c.base == nil {
		return r.added(c, to, changed)
	}
	how := "deleted on one side and changed on the other: it stays"
	if c.id != "" {
		how += " (ckpt delete " + c.id + ")"
	}
	r.say(to, c.id, how)
	return r.move(c, to, changed)
}

// added is for what one side alone has. Where the other has archived all that was active
// git takes the folder for one that has moved, and puts a new checkpoint into archive/.
func (r *resolving) added(c *conflicted, to string, src []byte) error {
	how := "new on one side"
	if one, err := checkpoint.Parse(to, src); err == nil && checkpoint.InArchive(to) {
		if _, done := one.Find(checkpoint.Completion); !done {
			to, how = store.Active+"/"+path.Base(to), how+": back to "+store.Active+"/, for git took it for archived"
		}
	}
	r.say(to, c.id, how)
	return r.move(c, to, src)
}

// oneSided says whether a file is as one side has it and lacks what the other has added:
// a merge has gone wrong, or somebody has taken a side without looking.
func (c *conflicted) oneSided(src []byte) bool {
	return (change.Same(src, c.ours) || change.Same(src, c.theirs)) && len(missing(src, c.base, c.ours, c.theirs)) > 0
}

// byHand takes a file that somebody has resolved, if it can be read and has the
// decisions and the deltas of both sides.
func (r *resolving) byHand(c *conflicted, to string, src []byte) error {
	if err := readable(to, src); err != nil {
		r.say(to, c.id, "resolved by hand", report.Spot{What: fmt.Sprintf("it cannot be read: %v", err)})
		return nil
	}
	if lost := missing(src, c.base, c.ours, c.theirs); len(lost) > 0 {
		what := fmt.Sprintf("it lacks %s: put it in, or git add %s", strings.Join(lost, ", "), r.fromRoot(to))
		r.say(to, c.id, "resolved by hand", report.Spot{What: what})
		return nil
	}
	r.say(to, c.id, "as you have resolved it")
	return r.move(c, to, src)
}
