package workspace

import (
	"context"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/agents/setup"
)

// placeOf is where a scope is: the user's own settings need no repository.
func PlaceOf(ctx context.Context, s Settings, scope settings.Scope) (setup.Place, error) {
	if scope == settings.User {
		return setup.Place{Folder: DefaultFolder, Getenv: s.getenv(), DryRun: s.DryRun}, nil
	}
	p, err := Open(ctx, s)
	if err != nil {
		return setup.Place{}, err
	}
	return p.SetupPlace(), nil
}

func (p *Workspace) SetupPlace() setup.Place {
	return setup.Place{Repo: p.Repo, Folder: p.Prefix, Getenv: p.getenv(), DryRun: p.DryRun}
}

func (s Settings) getenv() func(string) string {
	if s.Getenv != nil {
		return s.Getenv
	}
	return func(string) string { return "" }
}
