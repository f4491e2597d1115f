package commit

import (
	"context"
	"os"

	"example.com/ckpt/internal/git"
)

// The names of Backend.
const (
	ownBackend = "ckpt" // this package writes trees, index and refs itself
	gitBackend = "git"  // the plumbing commands of git do it
)

// Backend returns what makes the commits in this repository, "ckpt" or "git", and the reason; the
// reason is empty in the usual case.
func (c Committer) Backend(ctx context.Context) (name, why string, err error) {
	why, err = c.needsGit(ctx)
	if err != nil || why != "" {
		return gitBackend, why, err
	}
	why, err = c.repo.Index().ByGit()
	if why != "" {
		why = "git updates the index: " + why
	}
	return ownBackend, why, err
}

// needsGit returns why only git can commit here; "" if ckpt can. It reads a few files at most.
func (c Committer) needsGit(ctx context.Context) (why string, err error) {
	if why := c.repo.Foreign(); why != "" {
		return why, nil
	}
	if owner, known := ownerOf(c.repo.GitDir()); known && owner != os.Geteuid() {
		return "the repository belongs to another user", nil // git decides whom it trusts
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
