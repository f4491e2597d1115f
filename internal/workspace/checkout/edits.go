package checkout

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
)

// IsSteady reports whether git has changed nothing since the files were read. If the index has other versions
// of some files than HEAD, it waits a moment first: git writes the index before it moves HEAD.
func (f *Found) IsSteady(ctx context.Context, files []change.File) (bool, error) {
	c := f.in
	paths := change.Paths(files)
	for i := range paths {
		paths[i] = c.Prefix + "/" + paths[i]
	}
	staged, failed := c.Repo.Index().Entries(ctx, paths)
	head, err := c.Repo.Objects().EntriesIn(ctx, f.Head.Hash, paths)
	if err := cmp.Or(failed, err); err != nil {
		return false, err
	}
	for _, path := range paths {
		if staged[path].Hash != head[path].Hash {
			time.Sleep(headDelay)
			break
		}
	}
	moved, err := f.hasMoved()
	return !moved, err
}

// hasMoved reports whether git may have changed files since they were read.
func (f *Found) hasMoved() (bool, error) {
	repo := f.in.Repo
	on, err := repo.Checkout()
	if err != nil {
		return false, err
	}
	now, err := repo.Still(on)
	if errors.Is(err, git.ErrLeft) {
		err = nil
	}
	return !now.Same(on) || f.Unsure() || repo.Index().Stamp() != f.At, err
}

// headDelay is how long git may take between writing the index and moving HEAD.
const headDelay = 30 * time.Millisecond

// findEdits decides which of the files were edited by hand. It leaves out a file in conflict, and one that git has
// written without moving HEAD yet.
func (c *comparing) findEdits(paths []string) error {
	if c.apart {
		for _, rel := range paths {
			c.files[rel].byHand, c.files[rel].base = true, c.files[rel].head
		}
		return nil
	}
	inTree, names := make([]string, len(paths)), make([]string, len(paths))
	for i, rel := range paths {
		inTree[i], names[i] = c.Prefix+"/"+rel, path.Base(rel)
	}
	entries, err := c.Repo.Index().Entries(c.ctx, inTree)
	if err != nil {
		return err
	}
	busy := c.Repo.InProgress() != ""
	had, err := log.Of(c.Repo).Blobs(c.ctx, c.tip, c.Prefix, names)
	if err != nil {
		return err
	}
	for i, rel := range paths {
		f, e := c.files[rel], entries[inTree[i]]
		staged, err := c.isStaged(rel, f, e.Hash)
		if err != nil {
			return err
		}
		f.unsettled = e.Conflict
		isElsewhere := func(v log.Version) bool { return v.Path != rel }
		versions := slices.DeleteFunc(slices.Clone(had[path.Base(rel)]), isElsewhere)
		isBack := f.disk != nil && f.ref == nil && f.head == nil && c.hasLost(c.ctx, c.from, rel, had[path.Base(rel)])
		switch {
		case e.Conflict, f.disk == nil && e.Skipped, busy && (staged || f.disk == nil && e.IsZero()),
			!isBack && c.isByGit(rel, staged, versions):
			continue
		case staged: // git may have written the index and be about to move HEAD
			time.Sleep(headDelay)
			now, err := c.onDisk(rel)
			if changed := err == nil && !change.Same(now, f.disk); changed || err != nil {
				return cmp.Or(err, git.ErrMoved)
			}
		}
		if isBack && staged {
			e = git.IndexEntry{} // the file counts as new
		}
		f.byHand, f.base = true, c.edited(rel, e, versions)
	}
	if moved, err := c.hasMoved(); moved || err != nil {
		return cmp.Or(err, git.ErrMoved)
	}
	return nil
}

// isByGit reports whether git may have written a file: it is an older version of the ref, which had lists, and git
// may have been at work since ckpt wrote files. Besides, it is staged, or HEAD had it recently and lacks it, as after
// git reset --mixed, or ckpt has never written files.
func (c *comparing) isByGit(rel string, staged bool, had log.Blobs) bool {
	f := c.files[rel]
	isOlder := f.disk != nil && had.Index(c.Repo.Objects().BlobHash(Shared(rel, f.disk))) >= 0
	if !isOlder || c.idle {
		return false
	}
	heads, _ := c.Repo.Refs().Log(c.ctx, "HEAD") // without a reflog the file counts as edited
	isLeft := f.head == nil && slices.ContainsFunc(heads[:min(len(heads), 10)], func(commit string) bool {
		return change.Same(Shared(rel, f.disk), Shared(rel, c.fileAt(c.ctx, commit, rel)))
	})
	return isLeft || staged || c.State.written == ""
}

// hasLost reports whether an ancestor of head had a file that head and the ref lack now, so that a person has
// restored the file on disk. It reports false if the ref has moved the file and the moved file is on disk. Had lists
// the versions of the ref.
func (b Branch) hasLost(ctx context.Context, head, rel string, had log.Blobs) bool {
	if len(had) > 0 && had[0].Blob != "" && disk.Exists(b.file(had[0].Path)) {
		return false
	}
	_, was, err := log.Of(b.Repo).Last(ctx, log.Files{Dir: b.Prefix, Names: []string{rel}}, head)
	return was && err == nil
}

// fetched returns the version that git last wrote to a file: the staged one if it is an older one of the ref, as
// after git checkout BRANCH -- FILE, otherwise that of HEAD. Had lists the versions of the ref.
func (c *comparing) fetched(rel, staged string, had log.Blobs) []byte {
	f := c.files[rel]
	src, err := c.Repo.Objects().Blob(staged)
	if err != nil || src == nil || had.Index(c.Repo.Objects().BlobHash(Shared(rel, src))) < 0 {
		return f.head
	}
	if stored, _ := Stored(c.Repo, c.Prefix+"/"+rel, f.disk); !change.Same(stored, f.disk) {
		return withCR(src)
	}
	return src
}

// edited returns the version that a person edited: the one that ckpt or git wrote last, or nil for a new file.
func (c *comparing) edited(rel string, e git.IndexEntry, had log.Blobs) []byte {
	f, written := c.files[rel], c.writtenAt(c.ctx, c.State, rel)
	fetched := c.fetched(rel, e.Hash, had)
	isSame := written != nil && change.Same(c.fileAt(c.ctx, c.from, rel), c.fileAt(c.ctx, c.State.headThen(), rel))
	isLeft := !e.Modified.IsZero() && e.Modified.Before(disk.Changed(c.stateFile())) // ckpt wrote files after git did
	switch {
	case !isSame:
	case fetched == nil, isLeft, c.idle, lacks(Shared(rel, fetched), written, Shared(rel, f.disk)):
		return written
	}
	return fetched
}

// isStaged reports whether a file on disk has the content of blob, its entry in the index.
func (c *comparing) isStaged(rel string, f *file, blob string) (bool, error) {
	if f.disk == nil || blob == "" {
		return false, nil
	}
	src, err := c.Repo.Objects().Blob(blob)
	if err != nil {
		return false, err
	}
	stored, err := Stored(c.Repo, c.Prefix+"/"+rel, f.disk)
	return change.Same(f.disk, src) || change.Same(stored, src), err
}

// patience is how long git may take between writing the index and moving HEAD when it checks out another commit.
const patience = time.Second

// mergeEdits merges each file that was edited by hand with the version of the ref, if the ref has changed the file,
// and makes readers get the result.
func (c *comparing) mergeEdits() error {
	m := edits{base: merge.Set{}, ours: merge.Set{}, theirs: merge.Set{}}
	edited, renamed := map[string]bool{}, map[string]bool{} // by path; by id of a file removed by hand
	for rel, f := range c.files {
		if f.byHand && f.disk == nil && !change.Same(Shared(rel, f.base), f.ref) {
			renamed[checkpoint.IDIn(f.ref)] = f.ref != nil
		}
	}
	for rel, f := range c.files {
		if opened := c.Opened[rel]; opened != nil {
			f.base = opened
		}
		switch {
		case !f.byHand || f.disk == nil:
		case renamed[checkpoint.IDIn(f.disk)], !change.Same(Shared(rel, f.base), f.ref):
			edited[rel] = true
			m.add(rel, f.base, f.ref, f.disk)
		default: // the ref has nothing new
			c.Edited[rel] = true
			if c.apart { // the file may mark a checkpoint that is not current any more
				c.layOver(rel, Shared(rel, f.disk))
			}
		}
	}
	if len(edited) == 0 {
		return nil
	}
	if err := c.addMoved(m); err != nil {
		return err
	}
	merged, err := MergeSets(c.ctx, c.Repo, m.base, m.ours, m.theirs)
	if err != nil {
		return err
	}
	for rel := range edited {
		c.layOver(rel, merged.Files[rel])
	}
	lacks := map[string]bool{} // the ids of the checkpoints with edits that the ref lacks
	for rel, src := range merged.Files {
		if change.Same(src, m.ours[rel]) {
			continue
		}
		c.Edited[rel], lacks[checkpoint.IDIn(src)] = true, true
		if edited[rel] {
			continue
		}
		if err := c.addFrom(rel); err != nil {
			return err
		}
		c.files[rel].want = Shown(rel, c.files[rel].ref, c.State.Current())
		c.layOver(rel, src)
	}
	for rel := range edited {
		c.files[rel].byHand = lacks[checkpoint.IDIn(c.files[rel].disk)]
	}
	return nil
}

// layOver makes readers get src, with the mark of the current checkpoint, in place of the file on disk.
func (c *comparing) layOver(rel string, src []byte) {
	delete(c.Laid, rel)
	if after := Shown(rel, src, c.State.Current()); !change.Same(after, c.files[rel].disk) {
		c.Laid[rel] = after
	}
}

// edits has the three versions of edited files for a merge.
type edits struct{ base, ours, theirs merge.Set }

func (m edits) add(rel string, base, ours, theirs []byte) {
	for i, src := range [...][]byte{base, ours, theirs} {
		if src != nil {
			[...]merge.Set{m.base, m.ours, m.theirs}[i][rel] = Shared(rel, src)
		}
	}
}

// addMoved adds the files of the ref to which edited files were moved, for example in the archive.
func (c *comparing) addMoved(m edits) error {
	ids, moved := map[string]bool{}, map[string]bool{}
	for rel, src := range m.theirs {
		for _, src := range [][]byte{m.base[rel], src} {
			if id := checkpoint.IDIn(src); id != "" {
				ids[id] = true
			}
		}
		moved[path.Base(rel)] = m.ours[rel] == nil
	}
	for rel, f := range c.files {
		_, edited := m.theirs[rel]
		switch {
		case edited || f.ref == nil || !ids[checkpoint.IDIn(f.ref)]:
		case f.byHand: // a person has moved it
			m.add(rel, f.base, f.ref, f.disk)
		default:
			m.add(rel, f.head, f.ref, f.head)
		}
	}
	files, err := c.filesAt(c.ctx, c.tip, moved) // the branch may have moved the file, too
	maps.Copy(files, m.ours)
	maps.Copy(m.ours, files)
	return err
}
