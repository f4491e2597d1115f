// Package folder merges the checkpoints folders of two commits, and plans how the working
// tree and the index follow a branch that moves from one folder to another.
//
// It reads only files that differ and writes nothing but blobs for the index. It refuses conflicts
// that it cannot merge, such as two changes of the same lines of config.yaml.
//
// It exists because neither `git merge` nor `git checkout` is suitable: sync must not touch the
// user's code, must not fail because of staged or edited files, and must not leave a merge commit
// that the remote has refused. So it merges objects first and moves the files afterwards.
package folder

import (
	"context"
	"maps"
	"slices"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace/store"
)

// Folder maps the paths of the files in a commit's checkpoints folder to their entries.
type Folder map[string]git.Entry

// Objects reads and stores contents.
type Objects interface {
	Contents(ctx context.Context, blobs []string) (map[string][]byte, error)
	Lacks(ctx context.Context, files []change.File) ([]change.File, error)
	CheckedOut(ctx context.Context, commit, path string, content []byte) ([]byte, error)
	Store(ctx context.Context, content []byte) (blob string, err error)
}

// Merger merges folders.
type Merger struct {
	Objects
	Text   func(ctx context.Context, base, ours, theirs []byte) (merged []byte, conflict bool, err error)
	Prefix string // the path of the folder from the root

	// OnRef merges commits of the checkpoint ref, where no checkpoint is marked as current and nobody
	// is asked: of a file that both sides changed and that is not a plain one, such as a link, it
	// takes ours. Otherwise such a merge is refused.
	OnRef bool
}

// Merged is a merged folder.
type Merged struct {
	Files Folder            // an entry without a hash means that Fresh has the file
	Fresh map[string][]byte // by path, the contents that are in none of the versions
	Notes []string
}

// Equals reports whether the merge did not change a version.
func (m *Merged) Equals(version Folder) bool {
	return len(m.Fresh) == 0 && maps.Equal(m.Files, version)
}

// Merge merges two folders with a common base.
func (m Merger) Merge(ctx context.Context, base, ours, theirs Folder) (*Merged, error) {
	out := &Merged{Files: maps.Clone(ours), Fresh: map[string][]byte{}}
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
		case b != o && m.OnRef:
		case b == o:
			out.set(path, t)
		default:
			return nil, fault.New(fault.Refused, "both sides changed %s/%s, which is not a plain file", m.Prefix, path).
				WithHint("git pull, then ckpt sync")
		}
	}
	sets, blobs, err := m.read(ctx, texts, base, ours, theirs)
	if err != nil {
		return nil, err
	}
	merged, err := m.mergeSets(ctx, sets)
	if err != nil {
		return nil, err
	}
	if conflicts := merged.Conflicts(); len(conflicts) > 0 {
		return nil, fault.New(fault.Refused, "both sides changed the same lines of %s/%s", m.Prefix, conflicts[0]).
			WithHint("git pull --no-rebase, ckpt resolve, git commit, then ckpt sync")
	}
	for _, it := range merged.Items {
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
	for path, src := range merged.Files {
		out.put(path, src, blobs)
	}
	if !m.OnRef {
		if err := m.markAgain(ctx, out, ours, theirs, blobs); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (m Merger) mergeSets(ctx context.Context, sets []merge.Set) (merge.Result, error) {
	byLines := func(base, ours, theirs []byte) ([]byte, bool, error) { return m.Text(ctx, base, ours, theirs) }
	return merge.Sets(sets[0], sets[1], sets[2], merge.Options{Text: byLines})
}

// markAgain marks the current checkpoints of both sides as current again if the merge left none:
// each side has removed the mark from the checkpoint of the other, or has archived it.
func (m Merger) markAgain(ctx context.Context, out *Merged, ours, theirs Folder, blobs map[string]string) error {
	all, err := m.Checkpoints(ctx, out.Files.active(), out.Fresh)
	if err != nil || len(all.MarkedCurrent()) > 0 {
		return err
	}
	wasCurrent := map[string]bool{}
	for _, side := range []Folder{ours, theirs} {
		set, err := m.Checkpoints(ctx, side.active(), nil)
		if err != nil || len(set.MarkedCurrent()) == 0 {
			return err // if a side has no current checkpoint, the merge needs none
		}
		for _, c := range set.MarkedCurrent() {
			wasCurrent[c.ID] = true
		}
	}
	for _, c := range all.All {
		if !wasCurrent[c.ID] {
			continue
		}
		revised, err := revise.Begin(c).SetStatus(checkpoint.Current).Apply()
		if err != nil {
			return err
		}
		out.put(c.Path, revised.Doc.Bytes(), blobs)
	}
	return nil
}

// Checkpoints parses all checkpoints of a folder. Fresh has the contents of files without a
// blob.
func (m Merger) Checkpoints(ctx context.Context, f Folder, fresh map[string][]byte) (*checkpoint.Set, error) {
	var files, blobs []string
	for _, path := range paths(f) {
		if merge.IsCheckpoint(path) {
			files = append(files, path)
			if hash := f[path].Hash; hash != "" {
				blobs = append(blobs, hash)
			}
		}
	}
	contents, err := m.Contents(ctx, blobs)
	if err != nil {
		return nil, err
	}
	set := &checkpoint.Set{}
	for _, path := range files {
		src := fresh[path]
		if src == nil {
			src = contents[f[path].Hash]
		}
		if c, err := checkpoint.Parse(path, src); err == nil {
			set.All = append(set.All, c)
		} else {
			set.Broken = append(set.Broken, checkpoint.Broken{Path: path, Err: err})
		}
	}
	return set, nil
}

// ChangedIDs returns the sorted ids of the checkpoints that differ between a folder and the merged
// one.
func (m Merger) ChangedIDs(ctx context.Context, f Folder, merged *Merged) ([]string, error) {
	var all []string
	for _, pair := range [][2]Folder{{f, merged.Files}, {merged.Files, f}} {
		differing := maps.Clone(pair[0])
		maps.DeleteFunc(differing, func(path string, e git.Entry) bool { return pair[1][path] == e })
		set, err := m.Checkpoints(ctx, differing, merged.Fresh)
		if err != nil {
			return nil, err
		}
		for _, c := range set.All {
			all = append(all, c.ID)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Differences returns the entries of to that are not in from, by path from the root. The zero entry
// is a file that to lacks.
func (m Merger) Differences(from, to Folder) map[string]git.Entry {
	all := map[string]git.Entry{}
	for _, path := range paths(from, to) {
		if from[path] != to[path] {
			all[m.Prefix+"/"+path] = to[path]
		}
	}
	return all
}

// read returns the files at some paths in several folders, and their blobs by content.
func (m Merger) read(ctx context.Context, paths []string, folders ...Folder) (
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
	contents, err := m.Contents(ctx, names)
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
func (m *Merged) set(path string, e git.Entry) {
	delete(m.Fresh, path)
	m.Files[path] = e
	if e.Hash == "" {
		delete(m.Files, path)
	}
}

// put puts content into the folder, as one of the known blobs if possible.
func (m *Merged) put(path string, src []byte, blobs map[string]string) {
	if blob, known := blobs[string(src)]; known {
		m.set(path, git.FileEntry(blob))
		return
	}
	m.Files[path] = git.FileEntry("")
	m.Fresh[path] = src
}

// active returns the part of the folder that is not archived.
func (f Folder) active() Folder {
	active := maps.Clone(f)
	maps.DeleteFunc(active, func(path string, _ git.Entry) bool { return checkpoint.InArchive(path) })
	return active
}

// paths returns the paths that any of the folders has, sorted.
func paths(folders ...Folder) []string {
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
