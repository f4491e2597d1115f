package workspace

import (
	"context"

	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/dropped"
)

// GoneRemarks returns the remarks on what git has taken off the branch, or from the index and
// the files.
func (p *Workspace) GoneRemarks(ctx context.Context) ([]string, error) {
	said, err := p.Dropped.Remarks(ctx, []dropped.Reader{p.Store.Read})
	if err != nil {
		return nil, err
	}
	lost, err := p.Uncommitted.Lost(ctx)
	return append(said, p.Uncommitted.Remarks(lost)...), err
}

// addLosses adds the remarks on dropped operations to the receipt of a change, but for its own
// commit and those that landed before it. Text counts as carried along if it was in the files
// before the change, which may have replaced it, or is there now. The change is made, so
// failing here is not an error.
func (p *Workspace) addLosses(ctx context.Context, o *Tx, receipt *result.Receipt, landed ...string) {
	before := func(rel string) ([]byte, error) {
		for _, f := range o.Files.Files {
			if f.Path == rel {
				return f.Before, nil
			}
		}
		return p.Store.Read(rel)
	}
	said, err := p.Dropped.Remarks(ctx, []dropped.Reader{before, p.Store.Read}, append(landed, receipt.Commit)...)
	if err == nil {
		receipt.Remarks = append(said, receipt.Remarks...)
	}
}
