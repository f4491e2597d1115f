package integrate

import (
	"context"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

// Setup ties agents to ckpt. It writes into files that are the user's and no
// checkpoints, so it commits nothing.
func Setup(ctx context.Context, s workspace.Settings, req setup.Request) (*result.Receipt, error) {
	at, err := workspace.PlaceOf(ctx, s, req.Scope)
	if err != nil {
		return nil, err
	}
	receipt, err := setup.Add(ctx, at, req)
	trustBySetup(s, at, receipt, err)
	return receipt, err
}

// trustBySetup remembers that a command has written something for this clone.
func trustBySetup(s workspace.Settings, at setup.Place, receipt *result.Receipt, err error) {
	if err == nil && at.Repo != nil && !receipt.Unchanged && !receipt.DryRun {
		(&workspace.Workspace{Settings: s, Repo: at.Repo}).TrustByChange()
	}
}

// Unsetup takes out what Setup wrote, to the last byte.
func Unsetup(ctx context.Context, s workspace.Settings, req setup.Request) (*result.Receipt, error) {
	at, err := workspace.PlaceOf(ctx, s, req.Scope)
	if err != nil {
		return nil, err
	}
	return setup.Remove(ctx, at, req)
}

// Agents says how agents stand in one scope.
func Agents(ctx context.Context, s workspace.Settings, req setup.Request) (*result.Agents, error) {
	at, err := workspace.PlaceOf(ctx, s, req.Scope)
	if err != nil {
		return nil, err
	}
	return setup.Agents(at, req)
}

// AllAgents is every agent that ckpt can set up. Outside a repository only the
// user's own settings count.
func AllAgents(ctx context.Context, s workspace.Settings) (*result.Agents, error) {
	at, err := workspace.PlaceOf(ctx, s, settings.Project)
	if kind := fault.KindOf(err); err != nil && (kind == fault.NotFound || kind == fault.Unsupported) {
		at, err = workspace.PlaceOf(ctx, s, settings.User)
	}
	if err != nil {
		return nil, err
	}
	return setup.All(at), nil
}

// agents says which agents call ckpt here, and what keeps one from being told.
func (p *Integrator) Agents(_ context.Context, d *result.Diagnosis, _ bool) error {
	setup.Examine(p.SetupPlace(), d)
	return nil
}
