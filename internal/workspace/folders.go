package workspace

import (
	"context"
	"maps"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/index"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace/store"
)

// folder is the checkpoints folder as a commit has it: files by path in the folder.
type Folder map[string]git.Entry

// mergedFolder is the folder that two versions make.
type MergedFolder struct {
	Files Folder            // the entry of a fresh file has no hash before it is stored
	Fresh map[string][]byte // by path, the content that none of the versions has
	Notes []string
}

// is reports whether the merge left a version as it is.
func (m *MergedFolder) Is(version Folder) bool {
	return len(m.Fresh) == 0 && maps.Equal(m.Files, version)
}

// mergeFolders merges two versions of the folder that began as base, by id. It reads only
// files that differ, and writes nothing.
func (p *Workspace) MergeFolders(ctx context.Context, base, ours, theirs Folder) (*MergedFolder, error) {
	m := &MergedFolder{Files: maps.Clone(ours), Fresh: map[string][]byte{}}
	switch {
	case maps.Equal(ours, theirs), maps.Equal(theirs, base):
		return m, nil
	case maps.Equal(ours, base):
		m.Files = maps.Clone(theirs)
		return m, nil
	}
	versions := [3]Folder{base, ours, theirs}
	var texts []string // paths
	for path := range paths(versions[:]...) {
		b, o, t := base[path], ours[path], theirs[path]
		switch {
		case b == o && o == t && path != store.Learnings: // which a merge that archives a checkpoint adds to
			continue
		case plain(b) && plain(o) && plain(t):
			texts = append(texts, path)
			continue
		case o == t, b == t:
		case b == o:
			m.set(path, t)
		default:
			return nil, fault.New(fault.Refused, "both sides changed %s, which is not a plain file", p.FromRoot(path)).WithHint("git pull, then ckpt sync")
		}
	}
	sets, blobs, err := p.sets(ctx, texts, versions)
	if err != nil {
		return nil, err
	}
	merged, err := merge.Sets(sets[0], sets[1], sets[2], merge.Options{Text: p.TextMerge(ctx)})
	if err != nil {
		return nil, err
	}
	if len(merged.Conflicts()) > 0 {
		return nil, fault.New(fault.Refused, "both sides changed the same lines of %s", p.FromRoot(merged.Conflicts()[0])).
			WithHint("git pull --no-rebase, ckpt resolve, git commit, then ckpt sync")
	}
	for _, it := range merged.Items {
		for _, n := range it.Notes {
			text := n.Text
			if it.ID != "" {
				text = it.ID + ": " + text
			}
			m.Notes = append(m.Notes, text)
		}
	}
	for _, path := range texts {
		m.set(path, git.Entry{})
	}
	for path, src := range merged.Files {
		m.put(path, src, blobs)
	}
	if err := p.currentsAgain(ctx, m, ours, theirs, blobs); err != nil {
		return nil, err
	}
	return m, p.indexesInStep(ctx, m, ours, theirs)
}

// currentsAgain marks the current checkpoints of both sides again where the merge left none:
// each side has taken the mark from that of the other, or has archived it.
func (p *Workspace) currentsAgain(ctx context.Context, m *MergedFolder, ours, theirs Folder, blobs map[string]string) error {
	all, err := p.FolderSet(ctx, m.Files.active(), m.Fresh)
	if err != nil || len(all.MarkedCurrent()) > 0 {
		return err
	}
	again := map[string]bool{}
	for _, side := range []Folder{ours, theirs} {
		set, err := p.FolderSet(ctx, side.active(), nil)
		if err != nil {
			return err
		}
		marked := set.MarkedCurrent()
		if len(marked) == 0 {
			return nil // none is current there on purpose
		}
		for _, c := range marked {
			again[c.ID] = true
		}
	}
	for _, c := range all.All {
		if !again[c.ID] {
			continue
		}
		revised, err := c.Revise().SetStatus(checkpoint.Current).Apply()
		if err != nil {
			return err
		}
		m.put(c.Path, revised.Doc.Bytes(), blobs)
	}
	return nil
}

// active returns the part of the folder that is not archived.
func (f Folder) active() Folder {
	active := maps.Clone(f)
	maps.DeleteFunc(active, func(path string, _ git.Entry) bool { return checkpoint.InArchive(path) })
	return active
}

// paths returns the paths that any of the versions has.
func paths(versions ...Folder) map[string]bool {
	all := map[string]bool{}
	for _, v := range versions {
		for path := range v {
			all[path] = true
		}
	}
	return all
}

// plain reports whether an entry is a file that a text merge may write, or no file.
func plain(e git.Entry) bool { return e.Hash == "" || e.Regular() }

// sets reads the files at some paths in several versions; blobs are their hashes by
// content.
func (p *Workspace) sets(ctx context.Context, paths []string, versions [3]Folder) (sets [3]merge.Set, blobs map[string]string, err error) {
	var names []string
	for _, v := range versions {
		for _, path := range paths {
			if e, ok := v[path]; ok {
				names = append(names, e.Hash)
			}
		}
	}
	contents, err := p.Repo.Objects().Contents(ctx, names)
	if err != nil {
		return sets, nil, err
	}
	blobs = map[string]string{}
	for i, v := range versions {
		sets[i] = merge.Set{}
		for _, path := range paths {
			if e, ok := v[path]; ok {
				sets[i][path] = contents[e.Hash]
				blobs[string(contents[e.Hash])] = e.Hash
			}
		}
	}
	return sets, blobs, nil
}

// textMerge merges by lines, as git does; where both changed the same lines theirs stay.
func (p *Workspace) TextMerge(ctx context.Context) merge.TextMerge {
	return func(base, ours, theirs []byte) ([]byte, bool, error) {
		return git.MergeText(ctx, p.Repo.Root(), base, ours, theirs)
	}
}

// set puts an entry into the folder; the zero entry removes the file.
func (m *MergedFolder) set(path string, e git.Entry) {
	delete(m.Fresh, path)
	if m.Files[path] = e; e.Hash == "" {
		delete(m.Files, path)
	}
}

// put puts content into the folder, as one of the known blobs if possible.
func (m *MergedFolder) put(path string, src []byte, blobs map[string]string) {
	if blob, known := blobs[string(src)]; known {
		m.set(path, git.FileEntry(blob))
		return
	}
	m.Files[path], m.Fresh[path] = git.FileEntry(""), src
}

// indexesInStep brings each INDEX.md that somebody has in step with the merged folder.
func (p *Workspace) indexesInStep(ctx context.Context, m *MergedFolder, ours, theirs Folder) error {
	for _, file := range []string{store.ActiveIndex, store.ArchiveIndex} {
		if _, have := m.Files[file]; !have {
			continue
		}
		all, err := p.FolderSet(ctx, m.Files, m.Fresh)
		if err != nil {
			return err
		}
		src, blobs := m.Fresh[file], map[string]string{}
		if src == nil {
			contents, err := p.Repo.Objects().Contents(ctx, []string{m.Files[file].Hash})
			if err != nil {
				return err
			}
			src = contents[m.Files[file].Hash]
			blobs[string(src)] = m.Files[file].Hash
		}
		for _, version := range []Folder{ours, theirs} {
			before, err := p.FolderSet(ctx, version, nil)
			if err != nil {
				return err
			}
			src = index.Follow(src, before, all, file == store.ArchiveIndex)
		}
		m.put(file, src, blobs)
	}
	return nil
}

// folderSet parses all checkpoints of a version of the folder.
func (p *Workspace) FolderSet(ctx context.Context, version Folder, fresh map[string][]byte) (*checkpoint.Set, error) {
	var names []string
	for path, e := range version {
		if IsCheckpointPath(path) && e.Hash != "" {
			names = append(names, e.Hash)
		}
	}
	contents, err := p.Repo.Objects().Contents(ctx, names)
	if err != nil {
		return nil, err
	}
	set := &checkpoint.Set{}
	for _, path := range slices.Sorted(maps.Keys(version)) {
		if !IsCheckpointPath(path) {
			continue
		}
		src := fresh[path]
		if src == nil {
			src = contents[version[path].Hash]
		}
		if c, err := checkpoint.Parse(path, src); err == nil {
			set.All = append(set.All, c)
		} else {
			set.Broken = append(set.Broken, checkpoint.Broken{Path: path, Err: err})
		}
	}
	return set, nil
}

// differences are the files, by path from the root, that a folder has otherwise than
// another one; the zero entry is a file that it has not.
func (p *Workspace) Differences(from, to Folder) map[string]git.Entry {
	all := map[string]git.Entry{}
	for path := range paths(from, to) {
		if from[path] != to[path] {
			all[p.FromRoot(path)] = to[path]
		}
	}
	return all
}
