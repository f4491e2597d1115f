package workspace

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace/store"
)

// arrangeFiles plans the files of the working tree, and reports whether one of them is
// edited.
func (p *Workspace) arrangeFiles(ctx context.Context, l *movePlan, to string, names []string, hidden map[string]bool, was, will Folder) (edited bool, err error) {
	var there []string // paths in the folder
	var found []change.File
	now := map[string][]byte{}
	for _, name := range names {
		rel := strings.TrimPrefix(name, p.Prefix+"/")
		src, err := p.Store.OnDisk(rel)
		if err != nil {
			return false, err
		}
		if hidden[name] && src == nil {
			continue
		}
		there, now[rel] = append(there, rel), src
		found = append(found, change.File{Path: name, After: src})
	}
	lacks, err := p.Repo.Objects().Lacks(ctx, found)
	if err != nil {
		return false, err
	}
	if len(lacks) > 0 {
		return true, p.arrangeEdits(ctx, l, there, now, was, will)
	}
	comes, _, err := p.sets(ctx, there, [3]Folder{{}, {}, will})
	if err != nil {
		return false, err
	}
	for _, rel := range there {
		after := comes[2][rel]
		if after != nil {
			if after, err = p.Repo.Objects().CheckedOut(ctx, to, p.FromRoot(rel), after); err != nil {
				return false, err
			}
		}
		if !change.Same(now[rel], after) {
			l.Files = append(l.Files, change.File{Path: rel, Before: now[rel], After: after})
		}
	}
	return false, nil
}

// arrangeEdits plans the files where some are edited: each becomes the merge of the edit
// and of what comes. A checkpoint is followed to where either of them has moved it.
func (p *Workspace) arrangeEdits(ctx context.Context, l *movePlan, there []string, now map[string][]byte, was, will Folder) error {
	edits, err := p.Edits(ctx, store.All)
	if err != nil {
		return err
	}
	sets, _, err := p.sets(ctx, there, [3]Folder{was, {}, will})
	if err != nil {
		return err
	}
	for rel, src := range now {
		if src != nil {
			sets[1][rel] = src
		}
	}
	for _, f := range edits {
		if _, comes := now[f.Path]; comes {
			continue
		}
		there = append(there, f.Path)
		for i, src := range [3][]byte{f.Before, f.After, f.Before} {
			if src != nil {
				sets[i][f.Path] = src
			}
		}
	}
	merged, err := p.mergeUncommitted(ctx, sets, "edited", "ckpt save")
	if err != nil {
		return err
	}
	for rel := range merged {
		if !slices.Contains(there, rel) {
			there = append(there, rel)
		}
	}
	for _, rel := range there {
		before, err := p.Store.OnDisk(rel)
		if err != nil {
			return err
		}
		if after := merged[rel]; !change.Same(before, after) {
			l.Files = append(l.Files, change.File{Path: rel, Before: before, After: after})
		}
	}
	return nil
}

// mergeUncommitted merges what no commit has with what comes. It refuses by name what
// cannot be read, or has lines that both changed.
func (p *Workspace) mergeUncommitted(ctx context.Context, sets [3]merge.Set, how, hint string) (merge.Set, error) {
	for rel, src := range sets[1] {
		if !IsCheckpointPath(rel) || bytes.Equal(src, sets[0][rel]) || change.Same(sets[0][rel], sets[2][rel]) {
			continue
		}
		if err := merge.Readable(rel, src); err != nil {
			return nil, fault.New(fault.Refused, "%s is %s and cannot be read: %w", p.FromRoot(rel), how, err).WithHint("ckpt edit %s, then ckpt sync", Stem(rel))
		}
	}
	merged, err := merge.Sets(sets[0], sets[1], sets[2], merge.Options{Text: p.TextMerge(ctx)})
	if err != nil {
		return nil, err
	}
	if len(merged.Conflicts()) > 0 {
		return nil, fault.New(fault.Refused, "%s is %s, and others changed the same lines", p.FromRoot(merged.Conflicts()[0]), how).WithHint("%s, then ckpt sync", hint)
	}
	return merged.Files, nil
}

// arrangeIndex plans the entries of the index, and reports whether one of them is staged:
// neither as the commit has it nor as the working tree's commit had it.
func (p *Workspace) arrangeIndex(ctx context.Context, l *movePlan, names []string, index map[string]git.Entry, was, will Folder) (staged bool, err error) {
	for _, name := range names {
		rel := strings.TrimPrefix(name, p.Prefix+"/")
		l.Index[name] = will[rel]
		staged = staged || index[name] != was[rel] && index[name] != will[rel]
	}
	if !staged {
		return false, nil
	}
	have := Folder{}
	rels := make([]string, len(names))
	for i, name := range names {
		rels[i] = strings.TrimPrefix(name, p.Prefix+"/")
		if e, ok := index[name]; ok {
			have[rels[i]] = e
		}
	}
	all, err := log.Of(p.Repo).Staged(ctx, p.Prefix)
	if err != nil {
		return false, err
	}
	for _, f := range all {
		rel := strings.TrimPrefix(f.Path, p.Prefix+"/")
		if slices.Contains(rels, rel) {
			continue
		}
		entry, _, err := p.Repo.Index().At(ctx, []string{f.Path})
		if err != nil {
			return false, err
		}
		if rels = append(rels, rel); entry[f.Path].Hash != "" {
			have[rel] = entry[f.Path]
		}
	}
	sets, blobs, err := p.sets(ctx, rels, [3]Folder{was, have, will})
	if err != nil {
		return false, err
	}
	merged, err := p.mergeUncommitted(ctx, sets, "staged", "git commit")
	if err != nil {
		return false, err
	}
	for rel := range merged {
		if !slices.Contains(rels, rel) {
			rels = append(rels, rel)
		}
	}
	for _, rel := range rels {
		entry := git.Entry{}
		if src, ok := merged[rel]; ok {
			blob, known := blobs[string(src)]
			if !known {
				if blob, err = p.Repo.Objects().Store(ctx, src); err != nil {
					return false, err
				}
			}
			entry = git.FileEntry(blob)
		}
		l.Index[p.FromRoot(rel)] = entry
	}
	return true, nil
}

// findAgreeing finds the files that are to hold what the index has of them.
func (p *Workspace) findAgreeing(ctx context.Context, l *movePlan) error {
	for _, f := range l.Files {
		path := p.FromRoot(f.Path)
		entry := l.Index[path]
		if f.Gone() || entry.Hash == "" {
			continue
		}
		contents, err := p.Repo.Objects().Contents(ctx, []string{entry.Hash})
		if err != nil {
			return err
		}
		if bytes.Equal(contents[entry.Hash], f.After) {
			l.Agree = append(l.Agree, change.File{Path: path, After: f.After})
		}
	}
	return nil
}
