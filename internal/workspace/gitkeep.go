package workspace

import (
	"context"
	"slices"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/store"
)

// Git detects renamed folders: where one side of a merge has moved everything out of a
// folder, git moves there what the other side has put into it. For active/ and archive/
// that is never meant, and a checkpoint that crosses such a move can vanish in a merge
// without conflicts. A file that stays in each folder keeps git from it.

// addKeepFiles adds the missing ones of [store.KeepFiles] to an operation that adds a file
// to active/ or archive/, or removes one. Other operations do not look for them.
func (p *Workspace) addKeepFiles(o *Tx) error {
	if !o.Mode.indexesFollow() || !slices.ContainsFunc(o.Files.Files, func(f change.File) bool {
		return store.IsCheckpoint(f.Path) && (f.Before == nil || f.Gone())
	}) {
		return nil
	}
	missing, err := p.missingKeepFiles()
	for _, rel := range missing {
		o.Put(rel, nil, []byte{})
	}
	return err
}

// missingKeepFiles returns those of [store.KeepFiles] that neither the folder nor the last
// commit has.
func (p *Workspace) missingKeepFiles() ([]string, error) {
	var missing []string
	for _, rel := range store.KeepFiles {
		if have, err := p.Store.Read(rel); err != nil {
			return nil, err
		} else if have == nil {
			missing = append(missing, rel)
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	tree, err := p.Committed(store.All)
	return slices.DeleteFunc(missing, func(rel string) bool { return tree[rel] != "" }), err
}

// keepFiles finds missing ones of [store.KeepFiles]; with fix it adds them.
func (p *Workspace) KeepFiles(ctx context.Context, d *result.Diagnosis, fix bool) error {
	if !p.Store.Exists() {
		return nil
	}
	missing, err := p.missingKeepFiles()
	if len(missing) == 0 || err != nil {
		return err
	}
	if fix {
		_, err = p.Change(ctx, store.Live, func(*checkpoint.Set, time.Time) (*Tx, error) {
			o := &Tx{Op: "doctor", Summary: "add .gitkeep files"}
			missing, err := p.missingKeepFiles()
			for _, rel := range missing {
				o.Put(rel, nil, []byte{})
			}
			return o, err
		})
		if err != nil {
			return err
		}
	}
	for _, rel := range missing {
		d.Ailments = append(d.Ailments, result.Ailment{Code: "gitkeep", Fix: "ckpt doctor --fix", Mended: fix,
			What: p.FromRoot(rel) + " is missing: without it git may take the folder for renamed, and lose a checkpoint in a merge"})
	}
	return nil
}
