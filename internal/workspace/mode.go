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

// CheckMode returns an error if ckpt would not find the existing checkpoints after a change to this commit mode. An
// empty mode means no change.
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

// SetMode records mode in the clone's git config, so that it also applies on a branch without config.yaml. It
// replaces an older setting. If there is none, it does not record the default mode, own.
func (p *Workspace) SetMode(ctx context.Context, mode policy.Commit) error {
	was, err := configuredMode(ctx, p.Repo)
	isDefault := was == "" && mode == policy.Own
	if err == nil && was != mode && !isDefault {
		err = p.Repo.Config().Set(ctx, "ckpt.commit", string(mode))
	}
	return cmp.Or(err, p.findRef(ctx))
}

// InUse reports whether the worktree has a checkpoints folder or the repository has a checkpoint ref.
func (p *Workspace) InUse(ctx context.Context) bool {
	if p.Disk.Exists() || disk.Exists(p.Repo.PathOf(p.Prefix)) {
		return true
	}
	tip, err := p.files.Ref.Tip(ctx)
	return tip != "" && err == nil
}

// Publishes reports whether the files of checkpoints are on the branches of the code: in all modes except ref.
func (p *Workspace) Publishes() bool { return p.mode != policy.Ref }

// BranchRemark returns a remark if the branch is for another commit mode, or "". Git config may override the mode in
// its config.yaml, or HEAD may track checkpoint files although the mode is ref.
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
