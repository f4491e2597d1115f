package resolve

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// This file finds checkpoints that commits have lost. A merge without our driver can lose one
// without a conflict: git pairs files by path and may detect a folder as renamed. A rebase or
// cherry-pick of an operation's commit can do the same.

// Lost is a checkpoint that a commit has lost, or has put into the wrong folder: active/ or
// archive/.
type Lost struct {
	ID     string
	Result string        // the commit that lost it
	Sides  []lostVersion // the versions of the sides that have it, the newer first
	Base   lostVersion   // the version of the merge base; empty if it has none
	At     string        // its path if it is in the wrong folder; empty if it is missing
}

// lostVersion is a version of a checkpoint in a commit.
type lostVersion struct{ Commit, path, blob string }

// LostInMerge returns the checkpoints that a merge has lost or misplaced: those that ours or theirs
// has, result lacks, and neither side removed on purpose. All four arguments are commits; an empty
// base is looked up.
func (p *Resolver) LostInMerge(ctx context.Context, base, ours, theirs, result string) ([]Lost, error) {
	f := lostFinder{Resolver: p, ids: map[string]string{}}
	return f.inMerge(ctx, log.Merge{Base: base, Ours: ours, Theirs: theirs}, result)
}

// lostFinder compares commits. It reads each blob once.
type lostFinder struct {
	*Resolver
	ids map[string]string // the ids by blob; empty for a file that is not a checkpoint
}

// unknownID is recorded for a file that cannot be read: its id is taken from the file name.
const unknownID = "?"

func (f lostFinder) inMerge(ctx context.Context, m log.Merge, made string) ([]Lost, error) {
	if m.Base == "" {
		base, err := log.Of(f.repo).MergeBase(ctx, m.Ours, m.Theirs)
		if err != nil {
			return nil, err
		}
		m.Base = base
	}
	all, err := f.checkpoints(ctx, m.Ours, m.Theirs, made, m.Base)
	if err != nil {
		return nil, err
	}
	ours, theirs, result, base := all[0], all[1], all[2], all[3]
	missing := merge.Missing(ours.places(), theirs.places(), result.places(), func(id string) bool {
		removed, removedErr := f.removed(ctx, ours, theirs, id)
		err = errors.Join(err, removedErr)
		return removed
	})
	misplaced := merge.Misplaced(base.places(), ours.places(), theirs.places(), result.places())
	var lost []Lost
	for _, id := range append(missing, misplaced...) {
		l := Lost{ID: id, Result: made, Base: base.byID[id], At: result.byID[id].path}
		var sidesErr error
		l.Sides, sidesErr = f.sides(ctx, l.Base, ours.byID[id], theirs.byID[id])
		err = errors.Join(err, sidesErr)
		lost = append(lost, l)
	}
	return lost, err
}

// checkpointsAt is the checkpoints folder in one commit.
type checkpointsAt struct {
	commit string
	blobs  map[string]string      // the blobs of all files that may be checkpoints, by path
	byID   map[string]lostVersion // by id, the checkpoints that are not the same in every commit
}

func (c checkpointsAt) places() merge.Places {
	places := merge.Places{}
	for id, v := range c.byID {
		places[id] = checkpoint.InArchive(v.path)
	}
	return places
}

// checkpoints returns the checkpoints of several commits. It reads only the files that differ
// between the first three. An empty commit has no files.
func (f lostFinder) checkpoints(ctx context.Context, commits ...string) ([]checkpointsAt, error) {
	all := make([]checkpointsAt, len(commits))
	for i, commit := range commits {
		all[i] = checkpointsAt{commit: commit, blobs: map[string]string{}, byID: map[string]lostVersion{}}
		if commit == "" {
			continue
		}
		tree, err := f.repo.Objects().TreeAt(ctx, commit, f.prefix)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(tree, func(rel, _ string) bool { return !store.Listed(rel) })
		all[i].blobs = tree
	}
	unread := map[string]bool{}
	differing := make([][]string, len(all)) // the differing paths of each commit
	for i, at := range all {
		for rel, blob := range at.blobs {
			if all[0].blobs[rel] == blob && all[1].blobs[rel] == blob && all[2].blobs[rel] == blob {
				continue
			}
			differing[i] = append(differing[i], rel)
			if _, known := f.ids[blob]; !known {
				unread[blob] = true
			}
		}
	}
	if err := f.readIDs(ctx, slices.Sorted(maps.Keys(unread))); err != nil {
		return nil, err
	}
	for i, paths := range differing {
		slices.Sort(paths)
		for _, rel := range slices.Backward(paths) { // of two files with one id, the one in active/ counts
			blob := all[i].blobs[rel]
			id := f.ids[blob]
			if id == unknownID {
				id = workspace.Stem(rel)
			}
			if id != "" {
				all[i].byID[id] = lostVersion{Commit: commits[i], path: rel, blob: blob}
			}
		}
	}
	return all, nil
}

// readIDs reads the ids of the checkpoints in some blobs.
func (f lostFinder) readIDs(ctx context.Context, blobs []string) error {
	if len(blobs) == 0 {
		return nil
	}
	return f.repo.Objects().Blobs(ctx, blobs, func(blob string, src []byte) {
		c, err := checkpoint.Parse("", src)
		switch {
		case src != nil && err == nil:
			f.ids[blob] = c.ID
		case src != nil && errors.Is(err, checkpoint.ErrOther):
			f.ids[blob] = ""
		default: // the file is invalid, or this clone lacks it
			f.ids[blob] = unknownID
		}
	})
}

// removed reports whether the side that lacks a checkpoint removed it on purpose, or gave it
// another id.
func (f lostFinder) removed(ctx context.Context, ours, theirs checkpointsAt, id string) (bool, error) {
	has, inOurs := ours.byID[id]
	lacks := theirs
	if !inOurs {
		has, lacks = theirs.byID[id], ours
	} else if _, inTheirs := theirs.byID[id]; inTheirs {
		return false, nil
	}
	name := path.Base(has.path)
	for rel := range lacks.blobs {
		if path.Base(rel) == name {
			return true, nil
		}
	}
	commits, err := log.Of(f.repo).Between(ctx, f.prefix, has.Commit, lacks.commit)
	for _, c := range commits {
		if err != nil || !slices.Contains(removedBy(c), name) {
			continue
		}
		var onPurpose bool
		onPurpose, err = f.onPurpose(ctx, c)
		if onPurpose {
			return true, nil
		}
	}
	return false, err
}

// sides returns the versions of the two sides, the newer first. It leaves out a missing version,
// and one that the other side has developed further.
func (f lostFinder) sides(ctx context.Context, base, ours, theirs lostVersion) ([]lostVersion, error) {
	switch {
	case theirs.blob == "", ours.blob == theirs.blob, ours.blob != "" && theirs.blob == base.blob:
		return []lostVersion{ours}, nil
	case ours.blob == "", ours.blob == base.blob:
		return []lostVersion{theirs}, nil
	}
	our, err := log.Of(f.repo).LastTouched(ctx, ours.Commit, f.prefix+"/"+ours.path)
	if err != nil {
		return nil, err
	}
	their, err := log.Of(f.repo).LastTouched(ctx, theirs.Commit, f.prefix+"/"+theirs.path)
	if their.After(our) || their.Equal(our) && theirs.Commit > ours.Commit {
		ours, theirs = theirs, ours
	}
	return []lostVersion{ours, theirs}, err
}

// maxSteps limits the commits of the checkpoints folder that are searched for losses, and
// maxMerges the merges among them that are compared in full.
const (
	maxSteps  = 500
	maxMerges = 50
)

// lostFromHistory returns the checkpoints that the newest commits have lost or misplaced and
// that are still missing.
func (p *Resolver) lostFromHistory(ctx context.Context) ([]Lost, error) {
	all, err := p.lostInHistorySince(ctx, "")
	if len(all) == 0 || err != nil {
		return nil, err
	}
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return nil, err
	}
	return stillLost(all, view.Set), nil
}

// stillLost returns those checkpoints that the set still lacks, or still has in the wrong folder.
func stillLost(all []Lost, set *checkpoint.Set) []Lost {
	return slices.DeleteFunc(all, func(l Lost) bool {
		c, found := set.Get(l.ID)
		switch {
		case !found:
			name := workspace.Stem(l.Sides[0].path)
			hasName := func(b checkpoint.Broken) bool { return workspace.Stem(b.Path) == name }
			unreadable := slices.ContainsFunc(set.Broken, hasName)
			return l.At != "" || unreadable
		case l.At == "":
			return true
		}
		_, completed := c.Find(checkpoint.Completion)
		archived := checkpoint.InArchive(c.Path)
		return archived != checkpoint.InArchive(l.At) || archived == completed
	})
}

// lostInHistorySince returns the checkpoints that the commits after since have lost or misplaced. An
// empty since means no limit other than maxSteps.
func (p *Resolver) lostInHistorySince(ctx context.Context, since string) ([]Lost, error) {
	steps, err := log.Of(p.repo).Recent(ctx, p.prefix, since, maxSteps)
	if err != nil {
		return nil, err
	}
	f := lostFinder{Resolver: p, ids: map[string]string{}}
	var all []Lost
	known := map[string]bool{}   // the ids that were reported
	removed := map[string]bool{} // the names of files that a newer commit removed on purpose
	merges := 0
	for _, c := range steps {
		var compare []log.Merge
		names := removedBy(c)
		switch {
		case len(c.Parents) > 1:
			if !mayHaveLost(c) || merges == maxMerges {
				continue
			}
			merges++
			for _, theirs := range c.Parents[1:] {
				compare = append(compare, log.Merge{Ours: c.Parents[0], Theirs: theirs})
			}
		case len(c.Parents) == 0 || len(names) == 0:
			continue
		default:
			onPurpose, err := p.onPurpose(ctx, c)
			if err != nil {
				return nil, err
			}
			if onPurpose {
				for _, name := range names {
					removed[name] = true
				}
				continue
			}
			compare = []log.Merge{{Base: c.Parents[0], Ours: c.Parents[0], Theirs: c.Parents[0]}}
		}
		for _, m := range compare {
			lost, err := f.inMerge(ctx, m, c.Hash)
			if errors.Is(err, git.ErrElsewhere) {
				continue
			}
			if err != nil {
				return nil, err
			}
			for _, l := range lost {
				if !known[l.ID] && !removed[path.Base(l.Sides[0].path)] {
					all = append(all, l)
				}
				known[l.ID] = true
			}
		}
	}
	return all, nil
}

// mayHaveLost reports whether a merge may have lost or misplaced a checkpoint, judged by the
// names of its files: it lacks one that a side has, has one in active/ that a side has in
// archive/, or has one in archive/ that neither side has there.
func mayHaveLost(c log.Commit) bool {
	if len(removedBy(c)) > 0 {
		return true
	}
	inArchive := map[string]bool{}
	for _, f := range c.Files {
		if f.After == "" && checkpoint.InArchive(f.Path) {
			inArchive[path.Base(f.Path)] = true
		}
	}
	return slices.ContainsFunc(c.Files, func(f log.FileChange) bool {
		switch {
		case f.After == "" || !store.Listed(f.Path):
			return false
		case !checkpoint.InArchive(f.Path):
			return inArchive[path.Base(f.Path)]
		}
		return f.Before == "" && !slices.ContainsFunc(f.Also, func(blob string) bool { return blob != "" })
	})
}

// removedBy returns the names of the files that a commit removed without moving them.
func removedBy(c log.Commit) []string {
	var removed, added []string
	for _, f := range c.Files {
		switch {
		case !store.Listed(f.Path):
		case f.After == "":
			removed = append(removed, path.Base(f.Path))
		default:
			added = append(added, path.Base(f.Path))
		}
	}
	return slices.DeleteFunc(removed, func(name string) bool { return slices.Contains(added, name) })
}

// removers are the operations that may remove checkpoints.
var removers = []string{
	workspace.OpUndo, workspace.OpRedo, workspace.OpLand, workspace.OpSync,
	"delete", "prune", "save", "import", "rewind", "resolve", "doctor",
}

// onPurpose reports whether a commit that removes a checkpoint was meant to do so: a commit of an
// operation that removes checkpoints, or of a person. Without an operation, or with several, which
// were squashed, it is of a person.
func (p *Resolver) onPurpose(ctx context.Context, c log.Commit) (bool, error) {
	ops := c.Trailers[workspace.TrailerOp]
	if len(ops) != 1 || slices.Contains(removers, ops[0]) {
		return true, nil
	}
	message, err := log.Of(p.repo).Message(ctx, c.Hash)
	return strings.Count(message, workspace.TrailerOp+": ") > 1, err
}

// LostCheckpoints reports checkpoints that commits have lost, for doctor.
func (p *Resolver) LostCheckpoints(ctx context.Context, d *result.Diagnosis) error {
	lost, err := p.lostFromHistory(ctx)
	if errors.Is(err, git.ErrElsewhere) {
		return nil
	}
	for _, l := range lost {
		code := "lost"
		if l.At != "" {
			code = "misplaced"
		}
		d.Problems = append(d.Problems, result.Problem{Code: code, What: p.describeLost(l), Fix: l.fix()})
	}
	return err
}

// describeLost describes what happened to a checkpoint.
func (p *Resolver) describeLost(l Lost) string {
	if l.At != "" {
		folder := store.Archive
		if checkpoint.InArchive(l.At) {
			folder = store.Active
		}
		return p.fromRoot(l.At) + " belongs in " + p.fromRoot(folder) + "/: git put it there in " + l.Result[:7]
	}
	if len(l.Sides) > 1 {
		return l.ID + " was lost in the merge " + l.Result[:7] + ", both versions of it: " +
			l.Sides[0].Commit[:7] + " has the newer, " + l.Sides[1].Commit[:7] + " the other"
	}
	return l.ID + " was lost in " + l.Result[:7]
}

// fix returns the command that restores the checkpoint, or that moves it to the right folder.
func (l Lost) fix() string {
	switch {
	case checkpoint.InArchive(l.At):
		return "ckpt reopen " + l.ID
	case l.At != "":
		return "ckpt archive " + l.ID
	}
	restore := "ckpt restore " + l.ID + " --at " + l.Sides[0].Commit[:7]
	if len(l.Sides) > 1 {
		return "ckpt undelete " + l.ID + " (merges both), or " + restore + " (the newer alone)"
	}
	return restore
}

// AfterMerge returns a sentence for each checkpoint that the merge or rebase which has just ended
// has lost, with the command that restores it. It returns nothing in a clone that is not trusted,
// because ids are text of other people.
func (p *Resolver) AfterMerge(ctx context.Context) ([]string, error) {
	if !p.disk.Exists() {
		return nil, nil
	}
	if trusted, err := p.trust.Given(ctx); !trusted || err != nil {
		return nil, err
	}
	before, err := log.Of(p.repo).Resolve(ctx, "ORIG_HEAD")
	if err != nil {
		return nil, err
	}
	lost, err := p.lostInHistorySince(ctx, before)
	if errors.Is(err, git.ErrElsewhere) {
		return nil, nil
	}
	if len(lost) == 0 || err != nil {
		return nil, err
	}
	set, err := p.disk.Load(store.All) // without recovery, since the rebase may not have ended
	if err != nil {
		return nil, err
	}
	var all []string
	for _, l := range stillLost(lost, set) {
		all = append(all, p.describeLost(l)+"; to put it right: "+l.fix())
	}
	return all, err
}

// RestoreLost returns a checkpoint that a merge has lost, with what both sides wrote, and
// describes where it comes from. It returns nil if no merge has lost it.
func (p *Resolver) RestoreLost(ctx context.Context, id string) (*checkpoint.Checkpoint, string, error) {
	lost, err := p.lostFromHistory(ctx)
	if errors.Is(err, git.ErrElsewhere) {
		return nil, "", nil
	}
	i := slices.IndexFunc(lost, func(l Lost) bool { return l.ID == id && l.At == "" })
	if i < 0 || err != nil {
		return nil, "", err
	}
	l := lost[i]
	var sets [3]merge.Set
	for i, v := range []lostVersion{l.Base, l.Sides[0], l.Sides[len(l.Sides)-1]} {
		sets[i] = merge.Set{}
		if v.blob == "" {
			continue
		}
		sets[i][v.path], err = folder.Blob(p.repo, v.blob)
		if err != nil {
			return nil, "", err
		}
	}
	merged, err := merge.Sets(sets[0], sets[1], sets[2], merge.Options{Text: workspace.TextMerge(ctx, p.repo)})
	if err != nil {
		return nil, "", err
	}
	for rel, src := range merged.Files {
		if c, err := checkpoint.Parse(rel, src); err == nil && c.ID == id && len(merged.Conflicts()) == 0 {
			return c, "as before it was lost in " + l.Result[:7], nil
		}
	}
	newer := l.Sides[0]
	c, err := checkpoint.Parse(newer.path, sets[1][newer.path])
	return c, "as " + newer.Commit[:7] + " has it, before it was lost in " + l.Result[:7], err
}
