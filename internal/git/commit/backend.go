package commit

import (
	"context"

	"example.com/ckpt/internal/git"
)

// ByGit returns why only git can commit here; "" if ckpt can. It reads a few files at most.
func (c Committer) ByGit(ctx context.Context) (why string, err error) {
	if why := c.repo.Foreign(); why != "" {
		return why, nil
	}
	mode, err := c.repo.Hooks().Mode(ctx)
	if err != nil || mode != git.HooksAll {
		return "", err
	}
	for _, name := range git.HookNames() {
		has, err := c.repo.Hooks().Has(ctx, name)
		if err != nil {
			return "", err
		}
		if has && name != "commit-msg" {
			return "ckpt.hooks is all and there is a " + name + " hook", nil
		}
	}
	return "", nil
}
