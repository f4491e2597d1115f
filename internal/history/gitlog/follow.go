package gitlog

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace/store"
)

// follower finds the files in history that have one id. It reads the file that has the id now and
// every file that is named after it. In commits in which such a file appears or disappears, it also
// reads the files that disappear or appear. It reads all files that ever existed only if none of
// these has the id.
type follower struct {
	*Versions
	commits []log.Commit
	all     bool              // read all files
	paths   map[string]bool   // the paths to examine, besides those that are named after the id
	ids     map[string]string // the id in a blob; "" if the blob is not a checkpoint, or was not read
	own     map[string]bool   // the paths at which a file had the id
}

// unread is recorded instead of the id of a file that cannot be read. Such a file is a version of the checkpoints
// that were at its path before or later.
const unread = "?"

// follow reads ids until there are no more files to read.
func (f *follower) follow(ctx context.Context) error {
	for _, f.all = range [...]bool{false, true} {
		for read := -1; read < len(f.ids); {
			read = len(f.ids)
			if err := f.read(ctx); err != nil {
				return err
			}
			f.name()
			if f.ID != "" {
				f.widen()
			}
		}
		if f.ID == "" || f.found(f.ID) {
			break
		}
	}
	for _, c := range f.commits {
		for _, file := range c.Files {
			if is := f.ids[file.Before] == f.ID || f.ids[file.After] == f.ID; is || f.isCalled(file.Path) {
				f.own[file.Path] = true
			}
		}
	}
	return nil
}

// isCalled reports whether a file is named after the id.
func (f *follower) isCalled(rel string) bool {
	name := strings.TrimSuffix(path.Base(rel), ".md")
	return f.ID != "" && (name == f.ID || name == "chk-"+f.ID)
}

// read reads the ids of all selected files in one batch.
func (f *follower) read(ctx context.Context) error {
	var names []string
	at := map[string]string{} // by blob, one path at which it was
	for _, c := range f.commits {
		for _, file := range c.Files {
			if selected := f.all || f.paths[file.Path] || f.isCalled(file.Path); !selected || !store.Listed(file.Path) {
				continue
			}
			for _, name := range append(file.Also, file.Before, file.After) {
				if _, known := f.ids[name]; !known && name != "" {
					f.ids[name], at[name] = "", file.Path
					names = append(names, name)
				}
			}
		}
	}
	return f.repo.Objects().Blobs(ctx, names, func(name string, src []byte) {
		f.hold(name, src)
		c, err := checkpoint.Parse(at[name], src)
		switch {
		case err == nil && src != nil:
			f.ids[name] = c.ID
		case src == nil || !errors.Is(err, checkpoint.ErrOther):
			f.ids[name] = unread
		}
	})
}

// name determines the id: that of the newest readable version of the file that is followed, or the given name,
// with or without `chk-`, whichever is in history.
func (f *follower) name() {
	if id := "chk-" + f.ID; f.ID != "" && !f.found(f.ID) && f.found(id) {
		f.ID = id
	}
	for _, c := range f.commits {
		for _, file := range c.Files {
			if id := f.ids[file.After]; f.ID == "" && id != unread {
				f.ID = id
			}
		}
	}
}

// found reports whether a file with the id was found.
func (f *follower) found(id string) bool {
	return slices.Contains(slices.Collect(maps.Values(f.ids)), id)
}

// widen selects the files from or to which the checkpoint may have moved: those that disappear in a
// commit in which it appears, and the reverse.
func (f *follower) widen() {
	for _, c := range f.commits {
		came, went := false, false
		for _, file := range c.Files {
			before, after := f.ids[file.Before] == f.ID, f.ids[file.After] == f.ID
			came, went = came || after && !before, went || before && !after
		}
		for _, file := range c.Files {
			if other := came && file.After == "" || went && file.Before == ""; other && came != went {
				f.paths[file.Path] = true
			}
		}
	}
}

// changes returns by commit the versions that it made. A merge has those that differ from one of its parents.
func (f *follower) changes(ctx context.Context, dir string) (map[string][]revisions.Version, error) {
	cut, err := f.repo.Objects().Shallow()
	if err != nil {
		return nil, err
	}
	all := map[string][]revisions.Version{}
	for _, c := range f.commits {
		var came, went []revisions.Version
		for _, file := range c.Files {
			v, ok := f.version(file)
			switch {
			case !ok:
			case v.Gone():
				went = append(went, v)
			default:
				came = append(came, v)
			}
		}
		for i := range came { // a move counts as one version
			if len(came[i].Before) == 0 && len(went) > 0 {
				came[i].Before, went = went[0].Before, went[1:]
			}
		}
		if len(c.Parents) > 1 && len(came) > 0 {
			went = nil // one side has moved the file
		}
		f.copies(ctx, dir, c, came, went)
		for _, v := range append(came, went...) {
			v = about(v, c)
			v.Cut = cut[c.Hash]
			v.Missing = f.missing(v.Blob)
			all[c.Hash] = append(all[c.Hash], v)
		}
	}
	return all, nil
}

// copies finds copies of the checkpoint at other paths: a person who archives by hand may copy the
// file and remove the old one later. If the id appears in a second file, that is a copy of the
// first. If one of two files disappears, the checkpoint moved to the other.
func (f *follower) copies(ctx context.Context, dir string, c log.Commit, came, went []revisions.Version) {
	for i, v := range came {
		if len(v.Before) == 0 && len(c.Parents) > 0 {
			if other, ok := f.elsewhere(ctx, c.Parents[0], dir, v.Path); ok {
				came[i].Before = []revisions.Side{{Path: v.Path, Blob: other.Blob}}
			}
		}
	}
	for i, v := range went {
		if other, ok := f.elsewhere(ctx, c.Hash, dir, v.Path); ok {
			went[i].Before = []revisions.Side{{Path: v.Path, Blob: other.Blob}}
			went[i].Path, went[i].Blob = other.Path, other.Blob
		}
	}
}

// elsewhere returns the file at another path of a commit that has the id. It finds nothing if
// the commit cannot be read.
func (f *follower) elsewhere(ctx context.Context, commit, dir, path string) (revisions.Side, bool) {
	files, err := f.repo.Offline().Objects().TreeAt(ctx, commit, dir)
	if err != nil {
		return revisions.Side{}, false
	}
	var found []string
	for at, blob := range files {
		if at != path && f.isOf(at, blob) {
			found = append(found, at)
		}
	}
	if len(found) == 0 {
		return revisions.Side{}, false
	}
	at := slices.Min(found)
	return revisions.Side{Path: at, Blob: files[at]}, true
}

// missing reports whether this clone lacks a blob that was requested.
func (vs *Versions) missing(blob string) bool {
	src, have := vs.bytes[blob]
	return have && src == nil
}

// version returns the change of one file in a commit. If the file did not have the id before or
// after the commit, ok is false.
func (f *follower) version(file log.FileChange) (revisions.Version, bool) {
	v := revisions.Version{Path: file.Path}
	if f.isOf(file.Path, file.After) {
		v.Blob = file.After
	}
	for _, name := range append([]string{file.Before}, file.Also...) {
		if f.isOf(file.Path, name) {
			v.Before = append(slices.Clip(v.Before), revisions.Side{Path: file.Path, Blob: name})
		}
	}
	return v, v.Blob != "" || len(v.Before) > 0
}

// isOf reports whether a blob at a path is a version of the checkpoint.
func (f *follower) isOf(rel, blob string) bool {
	return blob != "" && f.ID != "" && (f.ids[blob] == f.ID || f.ids[blob] == unread && f.own[rel])
}
