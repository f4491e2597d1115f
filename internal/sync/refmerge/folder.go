package refmerge

import (
	"context"
	"maps"
	"slices"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// folder maps the paths of the files in a commit's checkpoints folder to their entries.
type folder map[string]git.Entry

// merged is a merged folder.
type merged struct {
	Files folder            // an entry without a hash means that Fresh has the file
	Fresh map[string][]byte // by path, the contents that are in none of the versions
	Notes []string
}

// mergeFolders merges two folders with a common base.
func (m Merger) mergeFolders(ctx context.Context, base, ours, theirs folder) (*merged, error) {
	out := &merged{Files: maps.Clone(ours), Fresh: map[string][]byte{}}
	switch {
	case maps.Equal(ours, theirs), maps.Equal(theirs, base):
		return out, nil
	case maps.Equal(ours, base):
		out.Files = maps.Clone(theirs)
		return out, nil
	}
	var texts []string
	for _, path := range paths(base, ours, theirs) {
		b, o, t := base[path], ours[path], theirs[path]
		switch {
		case b == o && o == t && path != store.Learnings: // to which Sets may add learnings
		case isText(b) && isText(o) && isText(t):
			texts = append(texts, path)
		case o == t, b == t:
		case b == o: // otherwise nobody is asked, and what is not a plain file stays as ours
			out.set(path, t)
		}
	}
	sets, blobs, err := m.read(ctx, texts, base, ours, theirs)
	if err != nil {
		return nil, err
	}
	byID, err := checkout.MergeSets(ctx, m.Repo, sets[0], sets[1], sets[2])
	if err != nil {
		return nil, err
	}
	for _, it := range byID.Items {
		for _, n := range it.Notes {
			text := n.Text
			if it.ID != "" {
				text = it.ID + ": " + text
			}
			out.Notes = append(out.Notes, text)
		}
	}
	for _, path := range texts {
		out.set(path, git.Entry{})
	}
	for path, src := range byID.Files {
		out.put(path, src, blobs)
	}
	return out, nil
}

// is a file that to lacks.
func (m Merger) differences(from, to folder) map[string]git.Entry {
	all := map[string]git.Entry{}
	for _, path := range paths(from, to) {
		if from[path] != to[path] {
			all[m.Prefix+"/"+path] = to[path]
		}
	}
	return all
}

// read returns the files at some paths in several folders, and their blobs by content.
func (m Merger) read(ctx context.Context, paths []string, folders ...folder) (
	sets []merge.Set, blobs map[string]string, err error,
) {
	var names []string
	for _, f := range folders {
		for _, path := range paths {
			if e, ok := f[path]; ok {
				names = append(names, e.Hash)
			}
		}
	}
	contents, err := m.Repo.Objects().Contents(ctx, names)
	if err != nil {
		return nil, nil, err
	}
	blobs = map[string]string{}
	for _, f := range folders {
		set := merge.Set{}
		for _, path := range paths {
			if e, ok := f[path]; ok {
				set[path] = contents[e.Hash]
				blobs[string(contents[e.Hash])] = e.Hash
			}
		}
		sets = append(sets, set)
	}
	return sets, blobs, nil
}

// set puts an entry into the folder. The zero entry removes the file.
func (m *merged) set(path string, e git.Entry) {
	delete(m.Fresh, path)
	m.Files[path] = e
	if e.Hash == "" {
		delete(m.Files, path)
	}
}

// put puts content into the folder, as one of the known blobs if possible.
func (m *merged) put(path string, src []byte, blobs map[string]string) {
	if blob, known := blobs[string(src)]; known {
		m.set(path, git.FileEntry(blob))
		return
	}
	m.Files[path] = git.FileEntry("")
	m.Fresh[path] = src
}

// paths returns the paths that any of the folders has, sorted.
func paths(folders ...folder) []string {
	all := map[string]bool{}
	for _, f := range folders {
		for path := range f {
			all[path] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// isText reports whether an entry is a regular file, which a text merge may write, or is missing.
func isText(e git.Entry) bool { return e.Hash == "" || e.Regular() }
