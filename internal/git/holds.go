package git

import (
	"context"
	"errors"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
)

// Holds says whether HEAD has every file as it is After (gone where that is
// nil), content converted as git converts it.
func (r *Repo) Holds(ctx context.Context, files []change.File) (bool, error) {
	other, err := r.Lacks(ctx, files)
	return err == nil && len(other) == 0, err
}

// Lacks is those of the files that HEAD has otherwise than they are to be; see
// [Repo.Holds].
func (r *Repo) Lacks(ctx context.Context, files []change.File) ([]change.File, error) {
	if r.foreign() != "" {
		return r.lacksByGit(ctx, files)
	}
	root, err := r.rootTree()
	if errors.Is(err, errMissing) {
		return r.lacksByGit(ctx, files)
	}
	if err != nil {
		return nil, err
	}
	var other []change.File
	head, now := lookups{db: r.objectsDB(), root: root}, namer{repo: r}
	for _, f := range files {
		at, err := head.place(f.Path)
		switch {
		case errors.Is(err, errMissing):
			return r.lacksByGit(ctx, files)
		case err != nil:
			return nil, err
		case f.Gone() && at.mode == filemode.Empty:
			continue
		case f.Gone() || at.mode == filemode.Empty:
			other = append(other, f)
			continue
		}
		name, err := now.file(ctx, f)
		if err != nil {
			return nil, err
		}
		if name != at.hash {
			other = append(other, f)
		}
	}
	return other, nil
}

// lacksByGit is Lacks where git has to read the objects. A link, a submodule or
// a folder in a file's place is refused.
func (r *Repo) lacksByGit(ctx context.Context, files []change.File) ([]change.File, error) {
	head, err := r.atHead(ctx, paths(files))
	if err != nil {
		return nil, err
	}
	var other []change.File
	for _, f := range files {
		was := head[f.Path]
		if known := was.mode != filemode.Empty; f.Gone() || !known {
			if f.Gone() == known {
				other = append(other, f)
			}
			continue
		}
		if was.mode == filemode.Symlink || was.mode == filemode.Submodule || was.mode == filemode.Dir {
			return nil, fault.New(fault.Refused, "%q is a link, a submodule or a folder in the repository, not a file", f.Path)
		}
		name, err := r.hashByGit(ctx, f.Path, f.After)
		if err != nil {
			return nil, err
		}
		if was.hash != name {
			other = append(other, f)
		}
	}
	return other, nil
}
