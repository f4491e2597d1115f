package refmerge

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// folder maps the paths of the files in a commit's checkpoints folder to their entries.
type folder map[string]git.Entry

// mergeFolders merges two folders with a common base. It adds the files that the merge changes in
// ours to c, a commit on top of ours. It returns notes on what a person may want to check.
func (m Merger) mergeFolders(ctx context.Context, base, ours, theirs folder,
	c *commit.Spec) (notes []string, err error) {
	if maps.Equal(theirs, base) || maps.Equal(ours, theirs) {
		return nil, nil
	}
	onlyTheirs := maps.Equal(ours, base)
	var texts []string
	differs := func(path string) bool { // a merge may add learnings to LEARNINGS.md even if it is equal
		return path == store.Learnings || ours[path] != base[path] || theirs[path] != base[path]
	}
	for _, path := range paths(base, ours, theirs) {
		b, o, t := base[path], ours[path], theirs[path]
		switch {
		case onlyTheirs:
			if o != t {
				c.Files[m.Prefix+"/"+path] = t
			}
		case !differs(path) && !differs(merge.Unnumbered(path)):
		case isText(b) && isText(o) && isText(t):
			texts = append(texts, path)
		case b == o: // only theirs changed this entry, which is not text; if ours changed one, ours stays
			c.Files[m.Prefix+"/"+path] = t
		}
	}
	sets, err := m.read(ctx, texts, base, ours, theirs)
	if err != nil {
		return nil, err
	}
	merged, err := checkout.MergeSets(ctx, m.Repo, sets[0], sets[1], sets[2])
	if err != nil {
		return nil, err
	}
	for _, it := range merged.Items {
		for _, n := range it.Notes {
			notes = append(notes, strings.TrimPrefix(it.ID+": "+n.Text, ": "))
		}
	}
	for path := range sets[1] {
		if _, stays := merged.Files[path]; !stays {
			c.Files[m.Prefix+"/"+path] = git.Entry{}
		}
	}
	for path, src := range merged.Files {
		if was, known := sets[1][path]; !known || !bytes.Equal(was, src) {
			c.Files[m.Prefix+"/"+path], c.Contents[m.Prefix+"/"+path] = git.FileEntry(""), src
		}
	}
	return notes, nil
}

// read returns the files at some paths in several folders.
func (m Merger) read(ctx context.Context, paths []string, folders ...folder) (sets []merge.Set, err error) {
	var names []string
	for _, f := range folders {
		for _, path := range paths {
			if e, ok := f[path]; ok {
				names = append(names, e.Hash)
			}
		}
	}
	contents, err := m.Repo.Objects().Contents(ctx, names)
	for _, f := range folders {
		set := merge.Set{}
		for _, path := range paths {
			if e, ok := f[path]; ok {
				set[path] = contents[e.Hash]
			}
		}
		sets = append(sets, set)
	}
	return sets, err
}

// paths returns the paths that any of the folders has, sorted.
func paths(folders ...folder) []string {
	all := folder{}
	for _, f := range folders {
		maps.Copy(all, f)
	}
	return slices.Sorted(maps.Keys(all))
}

// isText reports whether an entry is a regular file, which a text merge may write, or is missing.
func isText(e git.Entry) bool { return e.Hash == "" || e.Regular() }
