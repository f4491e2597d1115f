package integrate

import (
	"cmp"
	"context"
	"time"

	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// SetupGit lets git call ckpt, with trailer also for every commit's message. Where init
// has made attributes for the checkpoints folder, hosts fold its files in a pull request
// from then on: that is an operation.
func SetupGit(ctx context.Context, s workspace.Settings, trailer bool) (*result.Receipt, error) {
	p, err := workspace.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	at := p.SetupPlace()
	receipt, err := setup.AddToGit(ctx, at, trailer)
	trustBySetup(s, at, receipt, err)
	if err != nil || setup.IsGenerated(ctx, at) {
		return receipt, err
	}
	return New(p).editAttributes(ctx, receipt, "let hosts fold checkpoints", setup.AddGenerated)
}

// UnsetupGit takes out what SetupGit put in, wherever it is.
func UnsetupGit(ctx context.Context, s workspace.Settings) (*result.Receipt, error) {
	p, err := workspace.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	receipt, err := setup.RemoveFromGit(ctx, p.SetupPlace())
	if err != nil {
		return nil, err
	}
	return New(p).editAttributes(ctx, receipt, "let hosts show checkpoints", setup.DropGenerated)
}

// editAttributes edits the attributes of the checkpoints folder, where there are any, as an
// operation of the name that the receipt has, and adds it to the receipt.
func (p *Integrator) editAttributes(ctx context.Context, receipt *result.Receipt, why string, edit func([]byte) ([]byte, error)) (*result.Receipt, error) {
	edited := func() (*workspace.Tx, error) {
		o := &workspace.Tx{Op: receipt.Op, Summary: why, Path: store.Attributes}
		src, err := p.Store.Read(store.Attributes)
		if src == nil || err != nil {
			return o, err
		}
		after, err := edit(src)
		o.Put(store.Attributes, src, after)
		return o, err
	}
	if o, err := edited(); err != nil || o.Files.Empty() {
		return receipt, err
	}
	own, err := p.Change(ctx, store.Live, func(*checkpoint.Set, time.Time) (*workspace.Tx, error) { return edited() })
	switch {
	case err != nil:
		return nil, err
	case receipt.Unchanged:
		own.Remarks = append(receipt.Remarks, own.Remarks...)
		return own, nil
	case own.DryRun:
		receipt.Diff += own.Diff
		return receipt, nil
	}
	where := cmp.Or(own.Pending, own.Commit)
	if own.Commit != "" {
		where = own.Commit[:7]
	}
	receipt.Remarks = append(append(receipt.Remarks, own.Remarks...), own.Path+": "+why+" ["+where+"]")
	return receipt, nil
}
