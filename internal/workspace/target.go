package workspace

import (
	"errors"
	"path"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/store"
)

// Target finds a checkpoint by its name. The names "" and "@" mean the pinned checkpoint or, if none is pinned, the
// current one. The result may be in archive/; the caller decides whether that is allowed.
func (v *View) Target(name string) (*checkpoint.Checkpoint, error) {
	if name == "" || name == "@" {
		if v.settings.Pinned == "" {
			c, err := Current(v.Set)
			if err == nil {
				return v.Set.Whole(c.ID) // an error if a copy of the file has the same id
			}
			if fault.KindOf(err) == fault.NotFound {
				if b, ok := v.BrokenOne(""); ok {
					return nil, v.CurrentBroken(b,
						"ckpt doctor --fix restores its last good version; ckpt edit "+Stem(b.Path)+" opens it")
				}
			}
			return c, err
		}
		name = v.settings.Pinned
	}
	c, err := v.Set.Whole(name)
	inArchive := c != nil && c.ID != name && v.Store.Archived(name) != ""
	if inArchive || fault.KindOf(err) == fault.NotFound {
		all, loadErr := v.Store.Load(store.All)
		if loadErr != nil {
			return nil, loadErr
		}
		c, err = all.Resolve(name)
	}
	if fault.KindOf(err) == fault.NotFound && name == v.settings.Env("CKPT_ID") {
		err = fault.New(fault.NotFound, "%w, which $CKPT_ID names", err).WithHint("unset CKPT_ID; %s", fault.HintOf(err))
	}
	return c, err
}

// Open is like Target, for an operation that changes the checkpoint: it returns an archived one with an error.
func (v *View) Open(name string) (*checkpoint.Checkpoint, error) {
	c, err := v.Target(name)
	if err == nil && c.Status() == checkpoint.Archived {
		err = fault.New(fault.Usage, "%s is archived", c.ID).WithHint("ckpt reopen %s", c.ID)
	}
	return c, err
}

// PathOf returns the path of the checkpoint that a name means, which may be archived or unreadable.
func (v *View) PathOf(name string) (string, error) {
	c, err := v.Target(name)
	if err == nil {
		return c.Path, nil
	}
	all, loadErr := v.Load(store.All)
	if loadErr != nil {
		return "", loadErr
	}
	if b, ok := all.BrokenOne(name); ok {
		return b.Path, nil
	}
	return "", err
}

// BrokenOne returns the unreadable file that a name means. Without a name it returns that of the pinned checkpoint
// or, if none is pinned, the one that was current.
func (v *View) BrokenOne(name string) (checkpoint.Broken, bool) {
	if name == "" || name == "@" {
		name = v.settings.Pinned
	}
	if name != "" {
		return v.Set.Unreadable(name)
	}
	for _, b := range v.Set.Broken {
		if v.wasCurrent(b.Path) {
			return b, true
		}
	}
	return checkpoint.Broken{}, false
}

var marksCurrent = text.Regexp(`(?m)^status:\s*["']?current\b`)

// wasCurrent reports whether the checkpoint in an unreadable file was current: the file or its version in the last
// commit has the mark. On the checkpoint ref no file has it, so there the state of the worktree decides.
func (v *View) wasCurrent(rel string) bool {
	src, err := v.Store.Read(rel)
	if err == nil && marksCurrent.Get().Match(src[:min(len(src), 4096)]) {
		return true
	}
	c := v.Store.Committed(rel)
	return c != nil && (c.Status() == checkpoint.Current || v.OnRef() && c.ID == v.state.Current())
}

// CurrentBroken returns the error for a current checkpoint that cannot be read. The hint is
// for a file that is not in conflict.
func (v *View) CurrentBroken(b checkpoint.Broken, hint string) *fault.Error {
	if errors.Is(b.Err, checkpoint.ErrConflict) {
		hint = "ckpt resolve"
	}
	return fault.New(fault.Invalid, "the current checkpoint, %s, cannot be read: %w", v.FromRoot(b.Path), b.Err).
		WithHint("%s", hint)
}

// Stem returns the name of a file without its folder and its ending.
func Stem(rel string) string { return strings.TrimSuffix(path.Base(rel), ".md") }
