package workspace

import (
	"errors"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// CurrentBroken is the error where the current checkpoint cannot be read; the hint is
// for what is no conflict.
func (p *Workspace) CurrentBroken(b checkpoint.Broken, hint string) *fault.Error {
	if errors.Is(b.Err, checkpoint.ErrConflict) {
		hint = "ckpt resolve"
	}
	return fault.New(fault.Invalid, "the current checkpoint, %s, cannot be read: %w", p.FromRoot(b.Path), b.Err).
		WithHint("%s", hint)
}

// BrokenOne is the unreadable file that a name means; without a name the one that
// was current.
func (p *Workspace) BrokenOne(set *checkpoint.Set, name string) (checkpoint.Broken, bool) {
	if name == "" || name == "@" {
		name = p.Pinned
	}
	rel := ""
	if name != "" {
		rel, _ = p.PathOf(set, name) // "" for one that is readable, or not there
	}
	for _, b := range set.Broken {
		if rel == b.Path || name == "" && p.wasCurrent(b.Path) {
			return b, true
		}
	}
	return checkpoint.Broken{}, false
}

var saysCurrent = text.Regexp(`(?m)^status:\s*["']?current\b`)

// wasCurrent reports whether an unreadable file is the current checkpoint: by what
// it says itself, or said in the last commit.
func (p *Workspace) wasCurrent(rel string) bool {
	src, err := p.Store.Read(rel)
	if err == nil && saysCurrent.Match(src[:min(len(src), 4096)]) {
		return true
	}
	tree, err := p.Repo.Objects().Tree(p.Prefix)
	if err != nil {
		return false
	}
	old, err := p.Repo.Objects().Blob(tree[rel])
	if err != nil {
		return false
	}
	c, err := checkpoint.Parse(rel, old)
	return err == nil && c.Status() == checkpoint.Current
}
