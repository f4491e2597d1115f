package workspace

import (
	"context"

	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/workspace/dropped"
	"example.com/ckpt/internal/workspace/uncommitted"
)

// GoneRemarks returns remarks on operations that are no longer on the branch, or in the index and
// the files, because git removed them.
func (v *View) GoneRemarks(ctx context.Context) ([]string, error) {
	if v.OnRef() {
		return v.movedRemarks(), nil // git moves the branch, and the checkpoints are not on it
	}
	said, err := dropped.Finder{Folder: v.Folder}.Remarks(ctx, []dropped.Reader{v.Store.Read})
	if err != nil {
		return nil, err
	}
	left, err := ckptref.Left(ctx, v.Repo)
	if err != nil {
		return nil, err
	}
	if left != "" {
		said = append(said, left+" ("+ckptref.LeftFix+")")
	}
	log := uncommitted.Log{Folder: v.Folder}
	lost, err := log.Lost(ctx)
	return append(said, log.Remarks(lost)...), err
}

// movedRemarks returns a remark if another program had moved the checkpoint ref.
func (v *View) movedRemarks() []string {
	if v.moved == "" {
		return nil
	}
	return []string{v.moved}
}

// addLosses adds remarks on dropped operations to the receipt of a change. It leaves out the
// change's own commit and those that landed before it. An operation is not lost if its text was in
// the files before the change, which may have replaced it, or is there now. The change is made
// already, so an error is ignored.
func (a *applying) addLosses(ctx context.Context, landed ...string) {
	if a.view.OnRef() {
		a.receipt.Remarks = append(a.view.movedRemarks(), a.receipt.Remarks...)
		return
	}
	reads := []dropped.Reader{a.found, a.view.Store.Read}
	said, err := dropped.Finder{Folder: a.view.Folder}.Remarks(ctx, reads, append(landed, a.receipt.Commit)...)
	if err == nil {
		a.receipt.Remarks = append(said, a.receipt.Remarks...)
	}
}

// found reads a file as the transaction found it.
func (a *applying) found(rel string) ([]byte, error) {
	for _, f := range a.tx.Files.Files {
		if f.Path == rel {
			return f.Before, nil
		}
	}
	return a.view.Store.Read(rel)
}
