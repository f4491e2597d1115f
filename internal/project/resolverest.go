package project

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/index"
	"example.com/ckpt/internal/core/learnings"
	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/store"
)

// oneCurrent leaves one current checkpoint: the one that -c names, else that of our
// side of the merge, else the one that was worked on last.
func (r *resolving) oneCurrent(ctx context.Context) error {
	set := r.after()
	found := set.MarkedCurrent()
	switch {
	case len(r.names) > 0 || len(found) == 1:
		return nil
	case len(found) == 0:
		return r.currentAgain(ctx, set)
	}
	stays, why, err := r.stays(ctx, found)
	if err != nil {
		return err
	}
	for _, c := range found {
		if c == stays {
			continue
		}
		revised, err := c.Revise().SetStatus(checkpoint.Active).Apply()
		if err != nil {
			return err
		}
		if err := r.want(c.Path, revised.Doc.Bytes()); err != nil {
			return err
		}
		r.say(c.Path, c.ID, fmt.Sprintf("no longer current: %s stays, %s (ckpt use %s)", stays.ID, why, c.ID))
	}
	return nil
}

// currentAgain marks a checkpoint as current where a merge of two sides that each had one
// left none: each side has taken the mark from that of the other, or one has archived it.
func (r *resolving) currentAgain(ctx context.Context, set *checkpoint.Set) error {
	find := r.Repo.HeadMerge
	if r.o.merging {
		find = r.Repo.Merging
	}
	m, ok, err := find(ctx)
	if err != nil || !ok {
		return err
	}
	var stays *checkpoint.Checkpoint
	for _, side := range []string{m.Ours, m.Theirs} {
		marked, err := r.markedAt(ctx, side)
		if err != nil || len(marked) == 0 {
			return err
		}
		fit := slices.DeleteFunc(set.Active(), func(c *checkpoint.Checkpoint) bool { return !slices.Contains(marked, c.ID) })
		if stays == nil && len(fit) > 0 {
			stays = slices.MinFunc(fit, checkpoint.LatestFirst)
		}
	}
	if stays == nil {
		return nil
	}
	revised, err := stays.Revise().SetStatus(checkpoint.Current).Apply()
	if err != nil {
		return err
	}
	r.say(stays.Path, stays.ID, "current again: the merge left none (ckpt use ID)")
	return r.want(stays.Path, revised.Doc.Bytes())
}

// markedAt returns the ids of the checkpoints that a commit marks as current.
func (r *resolving) markedAt(ctx context.Context, commit string) ([]string, error) {
	tree, err := r.Repo.TreeAt(ctx, commit, r.prefix)
	if err != nil {
		return nil, err
	}
	var marked []string
	for rel, blob := range tree {
		if store.Listed(rel) && r.markedIn(rel, blob) {
			src, err := r.blob(blob)
			if err != nil {
				return nil, err
			}
			marked = append(marked, idIn(src))
		}
	}
	return marked, nil
}

// stays is the one of several currents that stays, and why.
func (r *resolving) stays(ctx context.Context, found []*checkpoint.Checkpoint) (*checkpoint.Checkpoint, string, error) {
	if r.Pinned != "" && !r.Shared {
		c, err := (&checkpoint.Set{All: found}).Resolve(r.Pinned)
		if err != nil {
			return nil, "", fault.New(fault.Usage, "%s is none of those that are current: %s", r.Pinned, strings.Join(ids(found), ", ")).WithHint("ckpt resolve -c %s", found[0].ID)
		}
		return c, "as you say", nil
	}
	c, why := r.chooseCurrent(ctx, found)
	return c, why, nil
}

// indexesFollow brings an INDEX.md in step: with what was settled, or, as two sides of a
// clean merge leave it, with the folder.
func (r *resolving) indexesFollow() error {
	after := r.after()
	for _, file := range []string{store.ActiveIndex, store.ArchiveIndex} {
		archived := file == store.ArchiveIndex
		src, err := r.wanted(file)
		if err != nil {
			return err
		}
		touched := slices.ContainsFunc(r.o.files.Files, func(f change.File) bool {
			return f.Path == file || isCheckpointPath(f.Path) && checkpoint.InArchive(f.Path) == archived
		})
		if src == nil || !touched && len(r.names) > 0 {
			continue
		}
		if out := index.Follow(src, r.set, after, archived); !change.Same(src, out) {
			if err := r.want(file, out); err != nil {
				return err
			}
			if !touched {
				r.say(file, "", "brought in step")
			}
		}
	}
	return nil
}

// holding is what a version must not lose: deltas, decisions, learnings, by kind.
type holding map[string][]string

// held is what a version holds; what cannot be read holds nothing.
func held(src []byte) holding {
	h := holding{}
	if c, err := checkpoint.Parse("", src); err == nil {
		for _, d := range c.Deltas() {
			h["delta"] = append(h["delta"], d.Stamp+" "+d.Changed)
		}
		for _, d := range c.Decisions() {
			h["decision"] = append(h["decision"], d.What)
		}
		return h
	}
	for _, e := range learnings.Parse(src) {
		for _, b := range e.Bullets {
			h["learning"] = append(h["learning"], b.Text)
		}
	}
	return h
}

// fresh counts what a side holds that base does not, in words.
func (h holding) fresh(base holding) string {
	var words []string
	for _, kind := range []string{"delta", "decision", "learning"} {
		n := 0
		for _, text := range h[kind] {
			if !slices.Contains(base[kind], text) {
				n++
			}
		}
		if n > 0 {
			words = append(words, text.Count(n, kind))
		}
	}
	return strings.Join(words, " and ")
}

// ofBoth says what a merge has of both sides.
func ofBoth(base, ours, theirs []byte) string {
	was := held(base)
	var words []string
	if said := held(ours).fresh(was); said != "" {
		words = append(words, said+" of ours")
	}
	if said := held(theirs).fresh(was); said != "" {
		words = append(words, said+" of theirs")
	}
	if len(words) == 0 {
		return "merged by section"
	}
	return strings.Join(words, ", ")
}

// how tells what the result of an item is made of.
func (r *resolving) how(it *item) string {
	base, ours, theirs := it.versions[0].src, it.versions[1].src, it.versions[2].src
	to := it.merged[0].path
	words := []string{ofBoth(base, ours, theirs)}
	if base == nil && (ours == nil || theirs == nil) {
		words[0] = "new on one side"
		if _, here := it.disk[to]; !here && len(it.disk) > 0 {
			words[0] += ": moved back to " + path.Dir(to) + "/, where that side has it"
		}
	}
	if checkpoint.InArchive(to) && !(checkpoint.InArchive(it.versions[1].path) && checkpoint.InArchive(it.versions[2].path)) && ours != nil && theirs != nil {
		words = append(words, "it is archived")
	}
	for _, f := range it.found {
		switch {
		case f.Kind == merge.Kept:
			words[0] = f.Text
		case f.Kind == merge.Archived, f.Kind == merge.Replaced && r.pick != merge.Later:
		default:
			words = append(words, f.Text)
		}
	}
	return strings.Join(words, "; ")
}

// missing names the deltas, decisions and learnings that want has and src lacks.
func missing(src, want []byte) []string {
	have := held(src)
	var lost []string
	for kind, texts := range held(want) {
		for _, s := range texts {
			if name := "the " + kind + " " + text.FirstLine(s); !slices.Contains(have[kind], s) && !slices.Contains(lost, name) {
				lost = append(lost, name)
			}
		}
	}
	slices.Sort(lost)
	return lost
}
