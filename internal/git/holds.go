package git

import (
	"context"
	"errors"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
)

// Holds says whether HEAD has every file as it is After (gone where that is
// nil), content converted as git converts it.
func (r *Repo) Holds(ctx context.Context, files []change.File) (bool, error) {
	if r.foreign() != "" {
		return r.holdsByGit(ctx, files)
	}
	root, err := r.rootTree()
	if errors.Is(err, errMissing) {
		return r.holdsByGit(ctx, files)
	}
	head, now := lookups{db: r.objectsDB(), root: root}, namer{repo: r}
	for i := 0; i < len(files) && err == nil; i++ {
		f := files[i]
		at, lookErr := head.place(f.Path)
		switch {
		case errors.Is(lookErr, errMissing):
			return r.holdsByGit(ctx, files)
		case lookErr != nil:
			return false, lookErr
		case f.Gone() && at.mode == "":
			continue
		case f.Gone() || at.mode == "":
			return false, nil
		}
		var name hash
		if name, err = now.file(ctx, f); err == nil && name != at.hash {
			return false, nil
		}
	}
	return err == nil, err
}

// holdsByGit is Holds where git has to read the objects. A link, a submodule or
// a folder in a file's place is refused.
func (r *Repo) holdsByGit(ctx context.Context, files []change.File) (bool, error) {
	head, err := r.atHead(ctx, paths(files))
	if err != nil {
		return false, err
	}
	all := true
	for _, f := range files {
		was := head[f.Path]
		if f.Gone() {
			all = all && was.mode == ""
			continue
		}
		if was.mode == modeLink || was.mode == modeModule || was.mode == "040000" {
			return false, fault.New(fault.Refused, "%q is a link, a submodule or a folder in the repository, not a file", f.Path)
		}
		after, err := f.Content()
		if err != nil {
			return false, err
		}
		name, err := r.hashByGit(ctx, f.Path, after)
		if err != nil {
			return false, err
		}
		all = all && was.hash == name
	}
	return all, nil
}
