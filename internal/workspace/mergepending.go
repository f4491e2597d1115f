package workspace

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// pendingMerge merges pending files with the base files of a folder.
type pendingMerge struct {
	at      *folder.Folder // with the base files
	files   []change.File  // as in the base, and as they shall be
	stuck   []pending.File // those that cannot be merged
	remarks []string
}

// mergePending merges the pending files with the files of a folder, by id: a pending change
// follows a checkpoint that has moved. A file outside of the folder, which was elsewhere
// then, or one that cannot be read, stays pending.
func mergePending(ctx context.Context, at *folder.Folder, waiting *pending.Changes) (*pendingMerge, error) {
	m := &pendingMerge{at: at}
	var files []pending.File
	for _, f := range waiting.Files {
		if strings.HasPrefix(f.Path, at.Prefix+"/") {
			files = append(files, f)
		} else {
			m.stuck = append(m.stuck, f)
		}
	}
	for {
		v, err := pendingVersions(at, files)
		if err != nil {
			return nil, err
		}
		merged, err := merge.Sets(v.Base, v.Ours, v.Theirs, merge.Options{Text: TextMerge(ctx, at.Repo)})
		if err != nil {
			return nil, err
		}
		if rest := m.readable(files, merged.Items); len(rest) < len(files) {
			files = rest
			continue
		}
		return m, m.add(v, merged)
	}
}

// pendingVersions returns the three versions of the merge: the files that the first pending change
// found, those of the working tree, and those with the pending changes.
func pendingVersions(at *folder.Folder, files []pending.File) (log.Versions, error) {
	v := log.NewVersions()
	put := func(files map[string][]byte, rel string, src []byte) {
		if src != nil {
			files[rel] = src
		}
	}
	moved := map[string]bool{} // ids of checkpoints that are no longer at the paths of the pending files
	for _, f := range files {
		rel := strings.TrimPrefix(f.Path, at.Prefix+"/")
		have, err := at.Store.Read(rel)
		if err != nil {
			return v, err
		}
		base := f.Base
		if change.Same(have, f.Seen) {
			base = have // the file is as it was found
		}
		put(v.Base, rel, base)
		put(v.Ours, rel, have)
		put(v.Theirs, rel, f.Now)
		if id := IDOf(rel, string(f.Base)); id != "" && have == nil {
			moved[id] = true
		}
	}
	for rel, src := range v.Ours {
		delete(moved, IDOf(rel, string(src)))
	}
	if len(moved) == 0 {
		return v, nil
	}
	set, err := at.Store.Load(store.All)
	if err != nil {
		return v, err
	}
	for _, id := range slices.Sorted(maps.Keys(moved)) {
		if c, ok := set.Get(id); ok {
			v.Ours[c.Path] = c.Doc.Bytes()
		}
	}
	for rel := range v.Base {
		if v.Ours[rel] == nil && v.Theirs[rel] != nil {
			if now, err := at.Store.Read(rel); err != nil || now != nil {
				return v, cmp.Or(err, git.ErrMoved) // a checkout had removed the file for a moment
			}
		}
	}
	return v, nil
}

// readable returns the files without those that could not be merged as what they are:
// they stay pending.
func (m *pendingMerge) readable(files []pending.File, items []merge.Item) []pending.File {
	for _, it := range items {
		i := slices.IndexFunc(it.Notes, func(n merge.Note) bool { return n.Kind == merge.Unreadable })
		if i < 0 {
			continue
		}
		m.remarks = append(m.remarks, m.at.FromRoot(it.Merged.Path)+" cannot take what waits for it: "+it.Notes[i].Text)
		files = slices.DeleteFunc(slices.Clone(files), func(f pending.File) bool {
			rel := strings.TrimPrefix(f.Path, m.at.Prefix+"/")
			stuck := rel == it.Base.Path || rel == it.Ours.Path || rel == it.Theirs.Path
			if stuck {
				m.stuck = append(m.stuck, f)
			}
			return stuck
		})
	}
	return files
}

// add adds the result of the merge. A file that is as it is to be already is still to be
// committed.
func (m *pendingMerge) add(v log.Versions, merged merge.Result) error {
	for _, it := range merged.Items {
		at := m.at.FromRoot(it.Merged.Path)
		for _, n := range it.Notes {
			m.remarks = append(m.remarks, at+": "+n.Text)
		}
		if it.Conflict {
			m.remarks = append(m.remarks, at+": both sides changed the same lines: what waited stands")
		}
	}
	paths := v.Paths()
	for rel := range merged.Files {
		paths[rel] = true
	}
	for _, rel := range slices.Sorted(maps.Keys(paths)) {
		before, err := m.at.Store.Read(rel)
		if err != nil {
			return err
		}
		if after := merged.Files[rel]; before != nil || after != nil {
			m.files = append(m.files, change.File{Path: rel, Before: before, After: after})
		}
	}
	return nil
}
