package folder

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/merge"
)

// Index reads the index.
type Index interface {
	At(ctx context.Context, paths []string) (entries map[string]git.Entry, skipped map[string]bool, err error)
}

// Mover plans the move of a branch from one folder to another.
type Mover struct {
	Merger
	Index
	// Reads a file of the folder; nil means that it does not exist.
	OnDisk func(rel string) ([]byte, error)
	Edits  func(ctx context.Context) ([]change.File, error) // returns the files of the folder that differ from HEAD
	Staged func(ctx context.Context) ([]string, error)      // returns the staged paths, from the root
}

// Move is the plan of a move. Edited or staged content is merged with the new content, and stays
// edited or staged.
type Move struct {
	Files []change.File        // the files of the working tree, by path in the folder
	Index map[string]git.Entry // the index entries by path from the root; the zero entry removes a file
	Agree []change.File        // the files that are the same as their index entries, by path from the root
}

// Plan plans the move from the folder was, that of HEAD, to the folder will of another commit.
func (m Mover) Plan(ctx context.Context, commit string, was, will Folder) (*Move, error) {
	var rels []string
	for _, rel := range paths(was, will) {
		if was[rel] == will[rel] {
			continue
		}
		if !isText(was[rel]) || !isText(will[rel]) {
			return nil, fault.New(fault.Unsupported, "%s is not a plain file on one of the sides", m.fromRoot(rel)).
				WithHint("git pull, then ckpt sync")
		}
		rels = append(rels, rel)
	}
	entries, skipped, err := m.Index.At(ctx, m.allFromRoot(rels))
	if err != nil {
		return nil, err
	}
	move := &Move{}
	var visible []string // what a sparse checkout leaves out is not, unless there is a file
	for _, rel := range rels {
		if skipped[m.fromRoot(rel)] {
			src, err := m.OnDisk(rel)
			if err != nil {
				return nil, err
			}
			if src == nil {
				continue
			}
		}
		visible = append(visible, rel)
	}
	edited, err := m.planFiles(ctx, move, commit, visible, was, will)
	if err != nil {
		return nil, err
	}
	staged, err := m.planIndex(ctx, move, rels, entries, was, will)
	if err != nil {
		return nil, err
	}
	for _, f := range move.Files {
		at := m.fromRoot(f.Path)
		agrees := !edited && !staged
		if blob := move.Index[at].Hash; !agrees && !f.Gone() && blob != "" {
			contents, err := m.Contents(ctx, []string{blob})
			if err != nil {
				return nil, err
			}
			agrees = bytes.Equal(contents[blob], f.After)
		}
		if agrees {
			f.Path = at
			move.Agree = append(move.Agree, f)
		}
	}
	return move, nil
}

// PlanIndex plans only the index. It returns its new entries by path from the root.
func (m Mover) PlanIndex(ctx context.Context, was, will Folder) (map[string]git.Entry, error) {
	var rels []string
	for _, rel := range paths(was, will) {
		if was[rel] != will[rel] {
			rels = append(rels, rel)
		}
	}
	entries, _, err := m.Index.At(ctx, m.allFromRoot(rels))
	if err != nil {
		return nil, err
	}
	move := &Move{}
	_, err = m.planIndex(ctx, move, rels, entries, was, will)
	return move.Index, err
}

func (m Mover) fromRoot(rel string) string { return m.Prefix + "/" + rel }

func (m Mover) allFromRoot(rels []string) []string {
	all := make([]string, len(rels))
	for i, rel := range rels {
		all[i] = m.fromRoot(rel)
	}
	return all
}

// planFiles plans the files of the working tree, and reports whether one of them is edited. An
// edited file becomes the merge of the edit and the new content, even if one of them has moved the
// checkpoint.
func (m Mover) planFiles(
	ctx context.Context, move *Move, commit string, rels []string, was, will Folder,
) (edited bool, err error) {
	var found []change.File
	onDisk := merge.Set{}
	for _, rel := range rels {
		src, err := m.OnDisk(rel)
		if err != nil {
			return false, err
		}
		found = append(found, change.File{Path: m.fromRoot(rel), After: src})
		if src != nil {
			onDisk[rel] = src
		}
	}
	lacks, err := m.Lacks(ctx, found)
	if err != nil {
		return false, err
	}
	want := merge.Set{}
	if len(lacks) > 0 {
		edits, err := m.Edits(ctx)
		if err != nil {
			return false, err
		}
		for _, f := range edits {
			if slices.Contains(rels, f.Path) {
				continue
			}
			rels = append(rels, f.Path)
			if f.After != nil {
				onDisk[f.Path] = f.After
			}
		}
		sets, _, err := m.read(ctx, rels, was, Folder{}, will)
		if err != nil {
			return false, err
		}
		sets[1] = onDisk
		want, err = m.mergeLocal(ctx, sets, "edited", "ckpt save")
		if err != nil {
			return false, err
		}
	} else {
		sets, _, err := m.read(ctx, rels, will)
		if err != nil {
			return false, err
		}
		for rel, src := range sets[0] {
			want[rel], err = m.CheckedOut(ctx, commit, m.fromRoot(rel), src)
			if err != nil {
				return false, err
			}
		}
	}
	for _, rel := range withKeys(rels, want) {
		before, err := m.OnDisk(rel)
		if err != nil {
			return false, err
		}
		if !change.Same(before, want[rel]) {
			move.Files = append(move.Files, change.File{Path: rel, Before: before, After: want[rel]})
		}
	}
	return len(lacks) > 0, nil
}

// planIndex plans the entries of the index, and reports whether one of them is staged: it is
// neither that of HEAD nor the new one.
func (m Mover) planIndex(
	ctx context.Context, move *Move, rels []string, entries map[string]git.Entry, was, will Folder,
) (staged bool, err error) {
	move.Index = map[string]git.Entry{}
	for _, rel := range rels {
		e := entries[m.fromRoot(rel)]
		move.Index[m.fromRoot(rel)] = will[rel]
		staged = staged || e != was[rel] && e != will[rel]
	}
	if !staged {
		return false, nil
	}
	all, err := m.Staged(ctx)
	if err != nil {
		return false, err
	}
	for _, path := range all {
		if rel := strings.TrimPrefix(path, m.Prefix+"/"); !slices.Contains(rels, rel) {
			rels = append(rels, rel)
		}
	}
	entries, _, err = m.Index.At(ctx, m.allFromRoot(rels))
	if err != nil {
		return false, err
	}
	inIndex := Folder{}
	for _, rel := range rels {
		if e := entries[m.fromRoot(rel)]; e.Hash != "" {
			inIndex[rel] = e
		}
	}
	sets, blobs, err := m.read(ctx, rels, was, inIndex, will)
	if err != nil {
		return false, err
	}
	merged, err := m.mergeLocal(ctx, sets, "staged", "git commit")
	if err != nil {
		return false, err
	}
	for _, rel := range withKeys(rels, merged) {
		entry := git.Entry{}
		if src, ok := merged[rel]; ok {
			blob, known := blobs[string(src)]
			if !known {
				blob, err = m.Store(ctx, src)
				if err != nil {
					return false, err
				}
			}
			entry = git.FileEntry(blob)
		}
		move.Index[m.fromRoot(rel)] = entry
	}
	return true, nil
}

// withKeys returns the paths, followed by those of the set that are not among them.
func withKeys(rels []string, set merge.Set) []string {
	for _, rel := range slices.Sorted(maps.Keys(set)) {
		if !slices.Contains(rels, rel) {
			rels = append(rels, rel)
		}
	}
	return rels
}

// mergeLocal merges uncommitted files, the second set, with the new ones. It refuses a file that
// cannot be read, and a file in which both sides changed the same lines.
func (m Mover) mergeLocal(ctx context.Context, sets []merge.Set, how, hint string) (merge.Set, error) {
	for rel, src := range sets[1] {
		if bytes.Equal(src, sets[0][rel]) || change.Same(sets[0][rel], sets[2][rel]) {
			continue
		}
		if err := merge.Readable(rel, src); err != nil {
			return nil, fault.New(fault.Refused, "%s is %s and cannot be read: %w", m.fromRoot(rel), how, err).
				WithHint("ckpt edit %s, then ckpt sync", strings.TrimSuffix(path.Base(rel), ".md"))
		}
	}
	merged, err := m.mergeSets(ctx, sets)
	if err != nil {
		return nil, err
	}
	if conflicts := merged.Conflicts(); len(conflicts) > 0 {
		return nil, fault.New(fault.Refused, "%s is %s, and others changed the same lines", m.fromRoot(conflicts[0]), how).
			WithHint("%s, then ckpt sync", hint)
	}
	return merged.Files, nil
}
