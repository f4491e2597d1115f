package workspace

import (
	"slices"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/workspace/store"
)

// Git detects renamed folders: if one side of a merge has moved all files out of a folder, git also
// moves the files that the other side has added there. For active/ and archive/ that is always
// wrong, and a checkpoint that is archived on one side can vanish in a merge without conflicts. A
// file that stays in each folder prevents this.

// addKeepFiles adds missing files of [store.KeepFiles] to an operation that adds a file to active/
// or archive/ of the branch, or removes one. Other operations do not check for them.
func addKeepFiles(v *View, o *Tx) error {
	changesFolder := func(f change.File) bool { return f.Before == nil || f.Gone() || !v.found.IsCommitted(f.Path) }
	if v.found == nil || o.Mode == Save || o.Mode == Merge { // on the ref git merges nothing
		return nil
	}
	if !slices.ContainsFunc(o.Files.Files, func(f change.File) bool {
		return store.IsCheckpoint(f.Path) && changesFolder(f)
	}) {
		return nil
	}
	missing, err := v.MissingKeepFiles()
	for _, rel := range missing {
		o.Put(rel, nil, []byte{})
	}
	return err
}
