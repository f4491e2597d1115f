package project

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/core/result"
)

// What the user resolved or edited by hand.

// touched reports whether the user changed a file on disk since git wrote it, as far as git
// tells.
func (r *resolving) touched(rel string, src []byte) bool {
	if r.auto[rel] == "" {
		return true
	}
	wrote, err := r.Repo.Blob(r.auto[rel])
	lf := func(src []byte) []byte { return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")) }
	return err != nil || !bytes.Equal(lf(wrote), lf(src))
}

// removed reports whether the user removed the file of an item that is not on disk: not if
// git did, or wrote another checkpoint in its place. One that both sides have is not taken
// for removed while it is unmerged.
func (r *resolving) removed(it *item) bool {
	wrote := r.auto == nil
	for _, rel := range it.paths {
		if r.onDisk[rel] {
			return false
		}
		wrote = wrote || r.auto[rel] != ""
	}
	return wrote && (!it.unmerged || it.versions[1].src == nil || it.versions[2].src == nil)
}

// byHand keeps a file without markers that the user resolved or edited. If git could not
// merge it, it must be readable, and have the decisions, deltas and learnings of both sides;
// a mere copy of one side that lacks some is merged again.
func (r *resolving) byHand(it *item, to string, src []byte) error {
	want := it.merged[0].src
	lost := missing(src, want)
	switch {
	case !it.unmerged:
		return nil
	case bytes.Equal(src, want), len(lost) > 0 && it.isVersion(src):
		r.say(to, it.id, r.how(it))
		return r.move(it, to, want)
	}
	how, left := "resolved by hand", result.Spot{}
	switch err := merge.Readable(to, src); {
	case err != nil:
		left.What = "it cannot be read: " + err.Error()
	case len(lost) > 0:
		left.What = "it lacks " + strings.Join(lost, ", ") + ": put it in, or git add " + r.fromRoot(to)
	default:
		r.say(to, it.id, "as you have resolved it")
		return r.move(it, to, src)
	}
	r.say(to, it.id, how, left)
	return nil
}

// begun merges a file in which the user has begun to choose between markers: its sides are
// those that the markers leave.
func (r *resolving) begun(ctx context.Context, it *item, to string, src []byte) ([]byte, error) {
	_, ours, theirs, _ := merge.Sides(src)
	if it.id != idIn(ours) || it.id != idIn(theirs) {
		return it.merged[0].src, nil
	}
	m, err := merge.Sets(merge.Set{to: it.versions[0].src}, merge.Set{to: ours}, merge.Set{to: theirs}, merge.Options{Text: r.lines(ctx)})
	it.found = m.Notes
	return m.Files[to], err
}

// left reports a file that git merges line by line, and that has a conflict: it stays as it
// is until the user resolves it.
func (r *resolving) left(it *item) error {
	var spots []result.Spot
	for _, rel := range slices.Sorted(maps.Keys(it.disk)) {
		src := it.disk[rel]
		for _, c := range merge.Markers(src) {
			spots = append(spots, result.Spot{Line: c.Line, Section: c.Section, What: "both sides changed it: choose, then " + r.then()})
		}
		if len(spots) == 0 && len(it.disk) == 1 && merge.Readable(rel, src) == nil {
			r.say(rel, it.id, "as you have resolved it")
			return r.move(it, rel, src)
		}
	}
	if len(spots) == 0 {
		spots = []result.Spot{{What: "both sides changed it, and it cannot be read: mend it, then " + r.then()}}
	}
	r.say(it.merged[0].path, it.id, "merged line by line", spots...)
	return nil
}

// then returns the command that goes on once the user has chosen.
func (r *resolving) then() string {
	if r.o.merging {
		return "ckpt resolve"
	}
	return "ckpt save"
}
