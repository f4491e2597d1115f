package project

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// maxSteps is how many commits that touch the checkpoints folder are looked at for losses,
// and maxMerges how many of the merges among them are checked in full.
const (
	maxSteps  = 500
	maxMerges = 50
)

// lostFromHistory returns the checkpoints that the newest commits of history have lost, or put
// into the wrong folder, where that is still so. Merges may have lost any; so may an
// operation's commit that a rebase or a cherry-pick has made anew.
func (p *Project) lostFromHistory(ctx context.Context) ([]Lost, error) {
	all, err := p.lostBySteps(ctx, "")
	if len(all) == 0 || err != nil {
		return nil, err
	}
	set, err := p.read(ctx, store.All)
	if err != nil {
		return nil, err
	}
	return stillLost(all, set), nil
}

// stillLost returns those that the set lacks, or has in the wrong folder.
func stillLost(all []Lost, set *checkpoint.Set) []Lost {
	return slices.DeleteFunc(all, func(l Lost) bool {
		c, there := set.Get(l.ID)
		switch {
		case !there:
			return l.At != "" || slices.ContainsFunc(set.Broken, func(b checkpoint.Broken) bool { return stem(b.Path) == stem(l.Sides[0].path) })
		case l.At == "":
			return true
		}
		_, completed := c.Find(checkpoint.Completion)
		archived := checkpoint.InArchive(c.Path)
		return archived != checkpoint.InArchive(l.At) || archived == completed
	})
}

// lostBySteps is lostFromHistory without a look at what is there now. It goes back to
// since; empty means no limit but those above.
func (p *Project) lostBySteps(ctx context.Context, since string) ([]Lost, error) {
	steps, err := p.Repo.Steps(ctx, p.prefix, since, maxSteps)
	if err != nil {
		return nil, err
	}
	m := p.newMergeCheck(ctx)
	var all []Lost
	known := map[string]bool{}   // ids
	removed := map[string]bool{} // names of files that a newer commit has removed on purpose
	merges := 0
	for _, c := range steps {
		var of []git.Merge
		names := removedBy(c)
		switch {
		case len(c.Parents) > 1:
			if !mayHaveLost(c) || merges == maxMerges {
				continue
			}
			merges++
			for _, theirs := range c.Parents[1:] {
				of = append(of, git.Merge{Ours: c.Parents[0], Theirs: theirs})
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
			of = []git.Merge{{Base: c.Parents[0], Ours: c.Parents[0], Theirs: c.Parents[0]}}
		}
		for _, one := range of {
			lost, err := m.run(one, c.Hash)
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

// mayHaveLost reports whether a merge, judged by the names of its files, may have lost a
// checkpoint or put one into the wrong folder: where one that a side has is not in the
// result, or is in active/ while a side has it in archive/, or is in archive/ and no side
// has it there.
func mayHaveLost(c git.Commit) bool {
	if len(removedBy(c)) > 0 {
		return true
	}
	inArchive := map[string]bool{}
	for _, f := range c.Files {
		if f.After == "" && checkpoint.InArchive(f.Path) {
			inArchive[path.Base(f.Path)] = true
		}
	}
	return slices.ContainsFunc(c.Files, func(f git.FileChange) bool {
		if f.After == "" || !store.Listed(f.Path) {
			return false
		}
		if !checkpoint.InArchive(f.Path) {
			return inArchive[path.Base(f.Path)]
		}
		return f.Before == "" && !slices.ContainsFunc(f.Also, func(blob string) bool { return blob != "" })
	})
}

// removedBy returns what the files are called that a commit has removed, without those that
// it has moved.
func removedBy(c git.Commit) []string {
	var gone, come []string
	for _, f := range c.Files {
		switch {
		case !store.Listed(f.Path):
		case f.After == "":
			gone = append(gone, path.Base(f.Path))
		default:
			come = append(come, path.Base(f.Path))
		}
	}
	return slices.DeleteFunc(gone, func(name string) bool { return slices.Contains(come, name) })
}

// removers are the operations that remove checkpoints, or may.
var removers = []string{"delete", "prune", opUndo, opLand, opSync, "save", "import", "rewind", "resolve", "doctor"}

// onPurpose reports whether a commit that removes a checkpoint was made to: by a person, or
// by an operation that does so. One that holds several operations is a squash of them.
func (p *Project) onPurpose(ctx context.Context, c git.Commit) (bool, error) {
	ops := c.Trailers[trailerOp]
	if len(ops) != 1 || slices.Contains(removers, ops[0]) {
		return true, nil
	}
	message, err := p.Repo.Message(ctx, c.Hash)
	return strings.Count(message, trailerOp+": ") > 1, err
}

// removed reports whether one side has removed on purpose a checkpoint that the other has,
// or given it another id.
func (m *mergeCheck) removed(ours, theirs *folderAt, id string) (bool, error) {
	from, by := ours, theirs
	if _, there := ours.files[id]; !there {
		from, by = theirs, ours
	} else if _, there := theirs.files[id]; there {
		return false, nil
	}
	name := path.Base(from.files[id])
	if len(by.named[name]) > 0 {
		return true, nil
	}
	commits, err := m.p.Repo.Between(m.ctx, m.p.prefix, from.commit, by.commit)
	for _, c := range commits {
		if err == nil && slices.Contains(removedBy(c), name) {
			var onPurpose bool
			if onPurpose, err = m.p.onPurpose(m.ctx, c); onPurpose {
				return true, nil
			}
		}
	}
	return false, err
}

// lostCheckpoints names checkpoints that merges have lost.
func (p *Project) lostCheckpoints(ctx context.Context, d *result.Diagnosis, _ bool) error {
	lost, err := p.lostFromHistory(ctx)
	if errors.Is(err, git.ErrElsewhere) {
		return nil
	}
	for _, l := range lost {
		code := "lost"
		if l.At != "" {
			code = "misplaced"
		}
		d.Ailments = append(d.Ailments, result.Ailment{Code: code, What: p.howLost(l), Fix: l.cure()})
	}
	return err
}

// howLost says what has become of a checkpoint.
func (p *Project) howLost(l Lost) string {
	if l.At != "" {
		folder := store.Archive
		if checkpoint.InArchive(l.At) {
			folder = store.Active
		}
		return p.fromRoot(l.At) + " belongs in " + p.fromRoot(folder) + "/: git put it there in " + l.Result[:7]
	}
	if len(l.Sides) > 1 {
		return l.ID + " was lost in the merge " + l.Result[:7] + ", both versions of it: " + l.Sides[0].commit[:7] + " has the newer, " + l.Sides[1].commit[:7] + " the other"
	}
	return l.ID + " was lost in " + l.Result[:7]
}

// cure returns the command that puts it right.
func (l Lost) cure() string {
	switch {
	case checkpoint.InArchive(l.At):
		return "ckpt reopen " + l.ID
	case l.At != "":
		return "ckpt archive " + l.ID
	}
	restore := "ckpt restore " + l.ID + " --at " + l.Sides[0].commit[:7]
	if len(l.Sides) > 1 {
		return "ckpt undelete " + l.ID + " (merges both), or " + restore + " (the newer alone)"
	}
	return restore
}

// AfterMerge returns a sentence for each checkpoint that the merge or rebase that has just
// ended has lost, with the command that puts it right. It returns none in a clone that is
// not trusted: ids are text from others.
func (p *Project) AfterMerge(ctx context.Context) ([]string, error) {
	if !p.Store.Exists() {
		return nil, nil
	}
	if trusted, err := p.trusted(ctx); !trusted || err != nil {
		return nil, err
	}
	before, err := p.Repo.Resolve(ctx, "ORIG_HEAD")
	if err != nil {
		return nil, err
	}
	lost, err := p.lostBySteps(ctx, before)
	if errors.Is(err, git.ErrElsewhere) {
		return nil, nil
	}
	if len(lost) == 0 || err != nil {
		return nil, err
	}
	set, err := p.Store.Load(store.All) // as it is: git may not have ended the rebase yet
	if err != nil {
		return nil, err
	}
	var all []string
	for _, l := range stillLost(lost, set) {
		all = append(all, p.howLost(l)+"; to put it right: "+l.cure())
	}
	return all, err
}
