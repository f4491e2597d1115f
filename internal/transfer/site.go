package transfer

import (
	"context"
	"path/filepath"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/output/site"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Site writes a static site of all checkpoints to a folder. The folder must be missing or empty, or contain an earlier
// site. In a dry run, Site returns the names of the files and writes nothing.
func (p *Transfer) Site(ctx context.Context, dir string) (*result.Site, error) {
	folder, err := disk.OpenGenerated(disk.From(p.settings.Dir, dir))
	if err != nil {
		return nil, err
	}
	var set *checkpoint.Set
	var learned []learnings.Learning
	err = p.project.ReadWith(ctx, func(v *workspace.View) error { // one view, so that checkpoints and learnings agree
		read, err := v.Load(store.All)
		if err != nil {
			return err
		}
		set = read.Set
		learned, err = v.Learnings()
		return err
	})
	if err != nil {
		return nil, err
	}
	forest := lineage.Build(set)
	forest.Warnings = workspace.AlsoMarkedIn(set)
	files := site.Files(site.Content{Title: filepath.Base(p.repo.Root()), Forest: forest,
		Learnings: learnings.Unique(learned)})
	data := map[string][]byte{}
	answer := &result.Site{Folder: dir, Checkpoints: len(set.All), DryRun: p.settings.DryRun}
	for _, f := range files {
		answer.Files = append(answer.Files, f.Name)
		data[f.Name] = f.Data
	}
	for _, b := range set.Broken {
		answer.Warnings = append(answer.Warnings, b.Path+": "+b.Why())
	}
	if p.settings.DryRun {
		return answer, nil
	}
	return answer, folder.Replace(answer.Files, func(name string) []byte { return data[name] })
}
