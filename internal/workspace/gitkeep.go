package workspace

import (
	"slices"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/workspace/store"
)

// Git detects renamed folders: where one side of a merge has moved everything out of a
// folder, git moves there what the other side has put into it. For active/ and archive/
// that is never meant, and a checkpoint that crosses such a move can vanish in a merge
// without conflicts. A file that stays in each folder keeps git from it.

// addKeepFiles adds the missing ones of [store.KeepFiles] to an operation that adds a file
// to active/ or archive/, or removes one. Other operations do not look for them.
func addKeepFiles(v *View, o *Tx) error {
	changesFolder := func(f change.File) bool { return f.Before == nil || f.Gone() }
	if !o.Mode.indexesFollow() || !slices.ContainsFunc(o.Files.Files, func(f change.File) bool {
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
