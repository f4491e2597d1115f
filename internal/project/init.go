package project

import (
	"context"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/config"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/ledger"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// InitRequest says what to set up.
type InitRequest struct {
	Git   bool // make a git repository where there is none
	Index bool // keep an INDEX.md in active/
}

// attributes keeps git from rewriting line endings: a checkpoint is its bytes.
const attributes = "*.md -text\n"

// Init makes the checkpoints folder with its policy. What is there already stays.
func Init(ctx context.Context, s Settings, req InitRequest) (*report.Receipt, error) {
	p, err := Open(ctx, s)
	if fault.KindOf(err) == fault.NotFound && err != nil && req.Git {
		repo, initErr := git.Init(ctx, s.Dir)
		if initErr != nil {
			return nil, initErr
		}
		p, err = in(ctx, repo, s)
	}
	if err != nil {
		return nil, err
	}
	if !p.DryRun {
		if err := p.Store.MakeFolders(); err != nil {
			return nil, err
		}
	}
	hooks, err := p.Repo.Hooks(ctx)
	if err != nil {
		return nil, err
	}
	receipt, err := p.change(ctx, store.Live, func(set *checkpoint.Set, now time.Time) (*operation, error) {
		o := &operation{op: "init", summary: "keep checkpoints in " + p.prefix + "/", about: store.ConfigFile}
		for _, f := range []struct{ path, content string }{
			{store.ConfigFile, config.Starter},
			{store.Attributes, attributes},
			{store.Learnings, "# Learnings\n"},
		} {
			if err := p.putMissing(o, f.path, []byte(f.content)); err != nil {
				return nil, err
			}
		}
		if req.Index {
			return o, p.putMissing(o, store.ActiveIndex, ledger.NewIndex(set, false))
		}
		return o, nil
	})
	if err == nil && len(hooks) > 0 {
		receipt.Remarks = append(receipt.Remarks, "git hooks found: "+strings.Join(hooks, ", ")+
			"; of these only commit-msg runs on a checkpoint's commit (git config ckpt.hooks none: none)")
	}
	return receipt, err
}

// putMissing wants a file where there is none.
func (p *Project) putMissing(o *operation, rel string, content []byte) error {
	have, err := p.Store.Read(rel)
	if err == nil && have == nil {
		o.put(rel, nil, content)
	}
	return err
}
