package git

import (
	"context"

	"example.com/ckpt/internal/core/change"
)

// Holds says whether HEAD has every file as it is After (gone where that is
// nil), content converted as git converts it.
func (r *Repo) Holds(ctx context.Context, files []change.File) (bool, error) {
	d := &Draft{repo: r, files: files, blobs: map[string]hash{}}
	b := &batch{db: r.objectsDB()}
	for _, f := range files {
		if f.After == nil {
			continue
		}
		name, err := r.hashContent(ctx, f.Path, f.After, b)
		if err != nil {
			return false, err
		}
		d.blobs[f.Path] = name
	}
	base, err := r.tip()
	if err != nil {
		return false, err
	}
	root, err := d.plan(b, base)
	return root.isZero(), err
}
