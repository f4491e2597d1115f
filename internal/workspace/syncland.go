package workspace

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
)

// movePlan is how the working tree and the index follow the branch to another commit.
// What is edited, or staged, is merged with what comes, and stays edited, or staged.
type movePlan struct {
	Files []change.File        // of the working tree, by path in the folder
	Index map[string]git.Entry // by path from the root; the zero entry is no file
	Agree []change.File        // those whose file and entry agree, by path from the root
}

// arrange finds what the move from one commit to another, whose folders are was and will,
// changes in the working tree and the index.
func (p *Workspace) Arrange(ctx context.Context, from, to string, was, will Folder) (*movePlan, error) {
	changed := p.Differences(was, will)
	for path, e := range changed {
		old := was[strings.TrimPrefix(path, p.Prefix+"/")]
		if !plain(e) || !plain(old) {
			return nil, fault.New(fault.Unsupported, "%s is not a plain file on one of the sides", path).WithHint("git pull, then ckpt sync")
		}
	}
	names := slices.Sorted(maps.Keys(changed))
	l := &movePlan{Index: map[string]git.Entry{}}
	index, hidden, err := p.Repo.Index().At(ctx, names)
	if err != nil {
		return nil, err
	}
	edited, err := p.arrangeFiles(ctx, l, to, names, hidden, was, will)
	if err != nil {
		return nil, err
	}
	staged, err := p.arrangeIndex(ctx, l, names, index, was, will)
	if err != nil {
		return nil, err
	}
	if !edited && !staged {
		for _, f := range l.Files {
			f.Path = p.FromRoot(f.Path)
			l.Agree = append(l.Agree, f)
		}
		return l, nil
	}
	return l, p.findAgreeing(ctx, l)
}

// finishMove brings the index to where the branch was moved, after a death in between.
func (p *Workspace) finishMove(ctx context.Context, from, to string) error {
	was, err := p.Repo.Objects().FolderAt(ctx, from, p.Prefix)
	if err != nil {
		return err
	}
	will, err := p.Repo.Objects().FolderAt(ctx, to, p.Prefix)
	if err != nil {
		return err
	}
	l := &movePlan{Index: map[string]git.Entry{}}
	names := slices.Sorted(maps.Keys(p.Differences(was, will)))
	index, _, err := p.Repo.Index().At(ctx, names)
	if err != nil {
		return err
	}
	if _, err := p.arrangeIndex(ctx, l, names, index, was, will); err != nil {
		return err
	}
	return p.Repo.Index().Set(ctx, l.Index)
}
