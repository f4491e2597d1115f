package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// stageIndex writes the index with edits made beside the old one. The caller
// holds index.lock. The stat data of each path is taken from the working tree,
// where it holds what was committed.
func (r *Repo) stageIndex(edits []edit, files []change.File) (*disk.Staged, error) {
	path := r.indexFile()
	x, second, err := r.readIndex()
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		if f.Gone() {
			continue
		}
		if edits[i].stat, err = r.statData(f); err != nil {
			return nil, err
		}
	}
	pieces, err := newIndex(x, edits, second)
	if err != nil {
		return nil, indexFault(path, err)
	}
	return r.shared(disk.Stage(path, func(f *os.File) error { return writeIndex(f, pieces, x.zero) }))
}

// readIndex is the index and the second it was written in. No index is an
// empty one.
func (r *Repo) readIndex() (*index, uint32, error) {
	path := r.indexFile()
	info, err := os.Stat(path)
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fault.New(fault.Failed, "read the index: %w", err)
	}
	x, err := openIndex(data)
	if err != nil {
		return nil, 0, indexFault(path, err)
	}
	var second uint32
	if info != nil {
		second = uint32(info.ModTime().Unix())
	}
	return x, second, nil
}

func indexFault(path string, err error) error {
	if errors.Is(err, errIndex) {
		return fault.New(fault.Failed, "read %q: %w", path, err).WithHint("git fsck")
	}
	if u, ok := errors.AsType[unsupportedIndex](err); ok {
		return fault.New(fault.Unsupported, "%w", u)
	}
	return err
}

// Settle ends what a death interrupted between the branch and the index: where
// the index still holds a file as it was before, the entry is made to agree with
// HEAD. Entries that hold anything else were staged by the user and stay.
func (r *Repo) Settle(ctx context.Context, files []change.File) error {
	unlock, err := r.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	if r.foreign() != "" {
		return r.settleByGit(ctx, files)
	}
	err = r.settle(ctx, files)
	_, unsupported := errors.AsType[unsupportedIndex](err)
	if unsupported || errors.Is(err, errMissing) {
		return r.settleByGit(ctx, files)
	}
	return err
}

func (r *Repo) settle(ctx context.Context, files []change.File) error {
	locks := &lockFiles{repo: r}
	defer locks.close()
	if err := locks.take(ctx, r.indexFile(), time.Now().Add(lockWait)); err != nil {
		return err
	}
	edits, stale, err := r.staleEntries(ctx, files)
	if err != nil || len(edits) == 0 {
		return err
	}
	index, err := r.stageIndex(edits, stale)
	if err != nil {
		return err
	}
	return index.Commit()
}

// staleEntries is what the index should hold for those of the files that it
// holds as they were before, if HEAD differs from that.
func (r *Repo) staleEntries(ctx context.Context, files []change.File) (edits []edit, stale []change.File, err error) {
	root, err := r.rootTree()
	if err != nil {
		return nil, nil, err
	}
	staged, err := r.staged(files)
	if err != nil {
		return nil, nil, err
	}
	at, blobs := lookups{db: r.objectsDB(), root: root}, namer{repo: r}
	for _, f := range files {
		head, err := at.place(f.Path)
		if err != nil {
			return nil, nil, err
		}
		var was plumbing.Hash
		if f.Before != nil {
			if was, err = blobs.blob(ctx, f.Path, f.Before); err != nil {
				return nil, nil, err
			}
		}
		if staged[f.Path] == was && was != head.hash {
			if now, err := blobs.file(ctx, f); err != nil || now != head.hash {
				f.After = nil // HEAD has something else again: no stat data for that
			}
			edits = append(edits, edit{path: f.Path, to: head})
			stale = append(stale, f)
		}
	}
	return edits, stale, nil
}

// staged is what the index holds for the files: zero for none, and for a name
// that was only announced with intent-to-add. A conflict counts as none of them.
func (r *Repo) staged(files []change.File) (map[string]plumbing.Hash, error) {
	x, _, err := r.readIndex()
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, f := range files {
		wanted[f.Path] = true
	}
	staged := map[string]plumbing.Hash{}
	_, err = x.scan(func(e entry) error {
		if wanted[string(e.name)] && e.extended&extIntentToAdd == 0 {
			staged[string(e.name)] = plumbing.Hash(x.data[e.start+entryHash : e.start+entryHash+20])
		}
		return nil
	})
	if err != nil {
		return nil, indexFault(r.indexFile(), err)
	}
	return staged, nil
}
