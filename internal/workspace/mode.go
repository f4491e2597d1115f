package workspace

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// configuredMode returns the commit mode of git config ckpt.commit, or "".
func configuredMode(ctx context.Context, repo *git.Repo) (policy.Commit, error) {
	value, ok, err := repo.Config().Get(ctx, "ckpt.commit")
	if err != nil || !ok {
		return "", err
	}
	mode, err := policy.ParseCommit(value)
	if err != nil {
		return "", fault.New(fault.Invalid, "git config ckpt.commit: %w", err).WithHint("git config ckpt.commit off")
	}
	return mode, nil
}

// CheckMode refuses a change of the commit mode that would leave checkpoints behind. The empty
// mode is no change.
func (p *Workspace) CheckMode(ctx context.Context, mode policy.Commit) error {
	isRef, willBeRef := p.mode == policy.Ref, mode == policy.Ref
	if mode == "" || isRef == willBeRef {
		return nil
	}
	tip, err := p.files.Ref.Tip(ctx)
	if tip == "" || err != nil {
		return err
	}
	all, err := p.folder(p.Repo).Committed(store.All)
	if len(all) == 0 || err != nil {
		return err
	}
	hint := "ckpt migrate --to " + string(mode)
	if mode == policy.Off {
		hint = "ckpt migrate --to own, then ckpt init --commit off"
	}
	return fault.New(fault.Refused, "there are checkpoints already").WithHint("%s", hint)
}

// SetMode records mode in the clone's git config, unless it is own and none is recorded. So it also applies on a branch
// without config.yaml, and replaces an old setting.
func (p *Workspace) SetMode(ctx context.Context, mode policy.Commit) error {
	was, err := configuredMode(ctx, p.Repo)
	isDefault := was == "" && mode == policy.Own
	if err == nil && was != mode && !isDefault {
		err = p.Repo.Config().Set(ctx, "ckpt.commit", string(mode))
	}
	return cmp.Or(err, p.findRef(ctx))
}

// InUse reports whether the repository has a checkpoints folder, or checkpoints whose files this worktree lacks.
func (p *Workspace) InUse(ctx context.Context) bool {
	if p.Disk.Exists() || disk.Exists(p.Repo.PathOf(p.Prefix)) {
		return true
	}
	tip, err := p.files.Ref.Tip(ctx)
	return tip != "" && err == nil
}

// Publishes reports whether the branches of the code have the files of checkpoints.
func (p *Workspace) Publishes() bool { return p.mode != policy.Ref }

// BranchRemark returns a remark on a branch for another commit mode: git config overrides its config.yaml, or HEAD
// tracks files although the checkpoints are on a ref. It is empty if there is none.
func (p *Workspace) BranchRemark() (string, error) {
	cfg, _ := p.Disk.Config()
	isForRef := cfg.Commit == policy.Ref
	switch {
	case cfg.Commit != "" && isForRef == p.Publishes():
		return fmt.Sprintf("git config ckpt.commit %s overrides commit: %s in config.yaml (git config --unset ckpt.commit)",
			p.mode, cfg.Commit), nil
	case p.Publishes():
		return "", nil
	}
	files, err := p.Repo.Objects().Tree(p.Prefix)
	maps.DeleteFunc(files, func(rel, _ string) bool { return !checkout.Written(rel) })
	if len(files) == 0 || err != nil {
		return "", err
	}
	return "this branch tracks " + text.Count(len(files), "file") + " in " + p.Prefix +
		"/, which ckpt does not read (ckpt migrate --to ref takes them over)", nil
}
