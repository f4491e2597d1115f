package git

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/disk"
)

// Stage puts files into the index without a commit, as `git add` and `git rm` of
// exactly these paths do: they ride with the user's next commit. The caller has
// written the files.
func (r *Repo) Stage(ctx context.Context, files []change.File) error {
	unlock, err := r.beginStaging(ctx, files)
	if err != nil {
		return err
	}
	defer unlock()
	if r.foreign() != "" {
		return r.stageByGit(ctx, files)
	}
	err = r.stage(ctx, files)
	if _, unsupported := errors.AsType[unsupportedIndex](err); unsupported {
		r.Release()
		return r.stageByGit(ctx, files)
	}
	return err
}

// beginStaging takes the lock for files that can be staged.
func (r *Repo) beginStaging(ctx context.Context, files []change.File) (unlock func(), err error) {
	if err := r.checkPaths(files); err != nil {
		return nil, err
	}
	return r.Lock(ctx, disk.Exclusive)
}

func (r *Repo) stage(ctx context.Context, files []change.File) error {
	b := &batch{db: r.objectsDB()}
	stored := namer{repo: r, batch: b}
	edits := make([]edit, len(files))
	for i, f := range files {
		edits[i].path = f.Path
		if f.Gone() {
			continue
		}
		name, err := stored.file(ctx, f)
		if err != nil {
			return err
		}
		edits[i].to = place{filemode.Regular, name}
	}
	sync, err := r.Sync(ctx)
	if err != nil {
		return err
	}
	if err := b.flush(sync); err != nil {
		return err
	}
	locks := &lockFiles{repo: r}
	defer locks.close()
	if err := locks.take(ctx, r.indexFile(), time.Now().Add(lockWait)); err != nil {
		return err
	}
	index, err := r.stageIndex(edits, files)
	if err != nil {
		return err
	}
	return index.Commit()
}

func (r *Repo) stageByGit(ctx context.Context, files []change.File) error {
	entries, err := r.storedByGit(ctx, files)
	if err != nil {
		return err
	}
	return r.editIndexByGit(ctx, entries)
}

// storedByGit stores files, and gives what the index is to hold of them.
func (r *Repo) storedByGit(ctx context.Context, files []change.File) (map[string]stored, error) {
	entries := map[string]stored{}
	for _, f := range files {
		if f.Gone() {
			entries[f.Path] = stored{}
			continue
		}
		out, err := r.git(ctx, f.After, "hash-object", "-w", "--stdin", "--path", f.Path)
		if err != nil {
			return nil, err
		}
		entries[f.Path] = stored{mode: filemode.Regular, hash: strings.TrimSpace(string(out))}
	}
	return entries, nil
}
