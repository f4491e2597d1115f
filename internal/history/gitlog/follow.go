package gitlog

import (
	"cmp"
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
	versions *Versions
	commits  []log.Commit
	paths    map[string]bool   // the paths to examine
	at       map[string]string // by blob, one path at which it was
	ids      map[string]string // the id in a blob; "" if the blob is not a checkpoint, or was not read
	anyID    bool              // the file at Path cannot be read: its last readable id counts
}

// unread is recorded instead of the id of a file that cannot be read. Such a file belongs to the
// checkpoint whose id its path had before.
const unread = "?"

// follow reads ids until there are no more files to read.
func (f *follower) follow(ctx context.Context) error {
	for grown := true; grown; {
		f.lookAt(func(c log.FileChange) bool { return f.called(c.Path) })
		if err := f.read(ctx); err != nil {
			return err
		}
		f.name()
		grown = f.widen() || f.lookAt(func(c log.FileChange) bool { return f.called(c.Path) })
	}
	if f.versions.ID == "" || f.found(f.versions.ID) {
		return nil
	}
	f.lookAt(func(log.FileChange) bool { return true })
	if err := f.read(ctx); err != nil {
		return err
	}
	f.name()
	return nil
}

// called reports whether a file is named after the id.
func (f *follower) called(rel string) bool {
	name := strings.TrimSuffix(path.Base(rel), ".md")
	return f.versions.ID != "" && (name == f.versions.ID || name == "chk-"+f.versions.ID)
}

// lookAt selects files to read, and reports whether any of them was not selected before.
func (f *follower) lookAt(is func(log.FileChange) bool) bool {
	before := len(f.paths)
	for _, c := range f.commits {
		for _, file := range c.Files {
			if store.Listed(file.Path) && is(file) {
				f.paths[file.Path] = true
			}
		}
	}
	return len(f.paths) > before
}

// read reads the ids of all selected files in one batch.
func (f *follower) read(ctx context.Context) error {
	var names []string
	for _, c := range f.commits {
		for _, file := range c.Files {
			if !f.paths[file.Path] {
				continue
			}
			for _, name := range append(file.Also, file.Before, file.After) {
				if _, known := f.ids[name]; !known && name != "" {
					f.ids[name] = ""
					f.at[name] = file.Path
					names = append(names, name)
				}
			}
		}
	}
	return f.versions.repo.Objects().Blobs(ctx, names, func(name string, src []byte) {
		f.versions.hold(name, src)
		c, err := checkpoint.Parse(f.at[name], src)
		switch {
		case err == nil && src != nil:
			f.ids[name] = c.ID
		case src == nil || !errors.Is(err, checkpoint.ErrOther):
			f.ids[name] = unread
		}
	})
}

// name determines the id: that of the newest readable version of the file at Path, or the given
// name, with or without `chk-`, whichever is in history.
func (f *follower) name() {
	if f.anyID {
		for _, c := range f.commits {
			for _, file := range c.Files {
				if id := cmp.Or(f.ids[file.After], unread); f.paths[file.Path] && id != unread && f.versions.ID == "" {
					f.versions.ID = id
				}
			}
		}
		return
	}
	if id := "chk-" + f.versions.ID; !f.found(f.versions.ID) && f.found(id) {
		f.versions.ID = id
	}
}

// found reports whether a file with the id was found.
func (f *follower) found(id string) bool {
	for have := range maps.Values(f.ids) {
		if have == id {
			return true
		}
	}
	return false
}

// widen selects the files from or to which the checkpoint may have moved: those that disappear in a
// commit in which it appears, and the reverse. If one of them has the same bytes, only that one is
// selected.
func (f *follower) widen() bool {
	id, grown := f.versions.ID, false
	for _, c := range f.commits {
		came, went := f.moves(c, id)
		if (came == "") == (went == "") {
			continue
		}
		blob := came + went
		other := func(file log.FileChange) string { // other returns the blob on the other end of a move
			if came != "" && file.After == "" {
				return file.Before
			}
			if went != "" && file.Before == "" {
				return file.After
			}
			return ""
		}
		same := slices.ContainsFunc(c.Files, func(file log.FileChange) bool { return other(file) == blob })
		for _, file := range c.Files {
			name := other(file)
			if name == "" || same && name != blob {
				continue
			}
			if store.Listed(file.Path) && !f.paths[file.Path] {
				f.paths[file.Path] = true
				grown = true
			}
		}
	}
	return grown
}

// moves returns the blob of the id's file that a commit adds at a path, and the one that it
// removes.
func (f *follower) moves(c log.Commit, id string) (came, went string) {
	for _, file := range c.Files {
		before, after := f.ids[file.Before] == id, f.ids[file.After] == id
		if before && !after {
			went = file.Before
		} else if after && !before {
			came = file.After
		}
	}
	return came, went
}

// changes returns by commit the versions that it made. A merge has those that differ from one of its parents.
func (f *follower) changes(ctx context.Context, dir string) (map[string][]revisions.Version, error) {
	cut, err := f.versions.repo.Objects().Shallow()
	if err != nil {
		return nil, err
	}
	f.inherit()
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
			v.Missing = f.versions.missing(v.Blob)
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
	files, err := f.versions.repo.Offline().Objects().TreeAt(ctx, commit, dir)
	if err != nil {
		return revisions.Side{}, false
	}
	var found []string
	for at, blob := range files {
		if at != path && f.isOf(blob) && f.paths[at] {
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
	if f.isOf(file.After) {
		v.Blob = file.After
	}
	for _, name := range append([]string{file.Before}, file.Also...) {
		if f.isOf(name) {
			v.Before = append(slices.Clip(v.Before), revisions.Side{Path: file.Path, Blob: name})
		}
	}
	return v, v.Blob != "" || len(v.Before) > 0
}

// isOf reports whether a blob is a version of the checkpoint.
func (f *follower) isOf(blob string) bool {
	return blob != "" && f.versions.ID != "" && f.ids[blob] == f.versions.ID
}

// inherit gives each unreadable file an id: the one that its path had before, or else has later, or
// else the one in its name.
func (f *follower) inherit() {
	for range 2 {
		for _, c := range slices.Backward(f.commits) {
			for _, file := range c.Files {
				f.hand(file.Before, file.After)
			}
		}
		for _, c := range f.commits {
			for _, file := range c.Files {
				f.hand(file.After, file.Before)
			}
		}
	}
	for blob, id := range f.ids {
		if id == unread && f.called(f.at[blob]) {
			f.ids[blob] = f.versions.ID
		}
	}
}

// hand gives the id of one blob to another, unreadable one.
func (f *follower) hand(from, to string) {
	id := f.ids[from] // empty if the id is not known
	readable := id != "" && id != unread
	if readable && f.ids[to] == unread {
		f.ids[to] = id
	}
}
