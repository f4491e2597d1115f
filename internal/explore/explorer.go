// Package explore has mark and rewind. A mark begins an exploration in the current checkpoint:
// notes go to its scratch. A rewind replaces the mark and the scratch by a report, and restores
// the files of the working tree if the mark recorded them. No text and no file is lost by it:
// the scratch remains in git, and the files as rewind found them are recorded first. Subagents
// may do neither, because the exploration is that of the agent that called them.
package explore

import (
	"context"

	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Explorer begins and ends explorations.
type Explorer struct {
	checkpoints
	trial    checkpoints // applies transactions as a dry run
	settings workspace.Settings
	repo     *git.Repo
	prefix   string    // the checkpoints folder, from the repository's root
	commits  *git.Repo // where the commits of checkpoints are: see [folder.Folder]
	config   func() (policy.Config, error)
	sign     func(*revise.Revision) // states who made a change
}

// checkpoints reads the checkpoints and applies transactions to them. It is a
// [workspace.Workspace].
type checkpoints interface {
	Read(ctx context.Context, scope store.Scope) (*workspace.View, error)
	Change(ctx context.Context, scope store.Scope, plan workspace.PlanFunc) (*result.Receipt, error)
}

// New returns the Explorer of a workspace.
func New(w *workspace.Workspace) *Explorer {
	trial := *w
	trial.DryRun = true
	return &Explorer{
		checkpoints: w, trial: &trial, settings: w.Settings, repo: w.Repo, prefix: w.Prefix,
		commits: w.Commits, config: w.Disk.Config,
		sign: edit.New(w).Sign,
	}
}

// MayExplore refuses agents that must not begin an exploration: subagents, and all agents if
// config.yaml turns explorations off.
func (p *Explorer) MayExplore() error {
	if err := p.topLevel(); err != nil {
		return err
	}
	policy, err := p.config()
	if err == nil && policy.NoExploring {
		err = fault.New(fault.Unsupported, "explorations are switched off: config.yaml says checkpoint.enabled: false").
			WithHint("ckpt note writes to the checkpoint itself")
	}
	return err
}

// topLevel refuses a subagent, since the exploration belongs to its parent.
func (p *Explorer) topLevel() error {
	if p.settings.Subagent {
		return fault.New(fault.Unsupported, "Checkpoint not available in subagents.").
			WithHint("report to the agent that called you")
	}
	return nil
}
