package project

import (
	"context"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/result"
)

// Setup ties agents to ckpt. It writes into files that are the user's and no
// checkpoints, so it commits nothing.
func Setup(ctx context.Context, s Settings, req setup.Request) (*result.Receipt, error) {
	at, err := placeOf(ctx, s, req.Scope)
	if err != nil {
		return nil, err
	}
	receipt, err := setup.Add(ctx, at, req)
	trustBySetup(s, at, receipt, err)
	return receipt, err
}

// trustBySetup remembers that a command has written something for this clone.
func trustBySetup(s Settings, at setup.Place, receipt *result.Receipt, err error) {
	if err == nil && at.Repo != nil && !receipt.Unchanged && !receipt.DryRun {
		(&Project{Settings: s, Repo: at.Repo}).trustByChange()
	}
}

// Unsetup takes out what Setup wrote, to the last byte.
func Unsetup(ctx context.Context, s Settings, req setup.Request) (*result.Receipt, error) {
	at, err := placeOf(ctx, s, req.Scope)
	if err != nil {
		return nil, err
	}
	return setup.Remove(ctx, at, req)
}

// Agents says how agents stand in one scope.
func Agents(ctx context.Context, s Settings, req setup.Request) (*result.Agents, error) {
	at, err := placeOf(ctx, s, req.Scope)
	if err != nil {
		return nil, err
	}
	return setup.Agents(at, req)
}

// AllAgents is every agent that ckpt can set up. Outside a repository only the
// user's own settings count.
func AllAgents(ctx context.Context, s Settings) (*result.Agents, error) {
	at, err := placeOf(ctx, s, settings.Project)
	if kind := fault.KindOf(err); err != nil && (kind == fault.NotFound || kind == fault.Unsupported) {
		at, err = placeOf(ctx, s, settings.User)
	}
	if err != nil {
		return nil, err
	}
	return setup.All(at), nil
}

// agents says which agents call ckpt here, and what keeps one from being told.
func (p *Project) agents(_ context.Context, d *result.Diagnosis, _ bool) error {
	setup.Examine(p.setupPlace(), d)
	return nil
}

// placeOf is where a scope is: the user's own settings need no repository.
func placeOf(ctx context.Context, s Settings, scope settings.Scope) (setup.Place, error) {
	if scope == settings.User {
		return setup.Place{Folder: defaultFolder, Getenv: s.getenv(), DryRun: s.DryRun}, nil
	}
	p, err := Open(ctx, s)
	if err != nil {
		return setup.Place{}, err
	}
	return p.setupPlace(), nil
}

func (p *Project) setupPlace() setup.Place {
	return setup.Place{Repo: p.Repo, Folder: p.prefix, Getenv: p.getenv(), DryRun: p.DryRun}
}

func (s Settings) getenv() func(string) string {
	if s.Getenv != nil {
		return s.Getenv
	}
	return func(string) string { return "" }
}
