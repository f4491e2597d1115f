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
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace/checkout"
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
	contents map[string]string // see content
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

// list returns the versions, the newest first.
func (f *follower) list(ctx context.Context, repo *git.Repo, dir string) ([]revisions.Version, error) {
	cut, err := repo.Objects().Shallow()
	if err != nil {
		return nil, err
	}
	f.inherit()
	var all []revisions.Version
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
		f.copies(ctx, repo, dir, c, came, went)
		for _, v := range append(came, went...) {
			v = about(v, c)
			v.Cut = cut[c.Hash]
			v.Missing = f.versions.missing(v.Blob)
			all = append(all, v)
		}
	}
	return f.withoutCopies(all), nil
}

// withoutCopies leaves out the versions of a branch that bring nothing new, such as those of a commit of the user
// in off mode, or of a squash or an amended commit: the ref had both sides of the change, and made the one after it
// later than the one before it.
func (f *follower) withoutCopies(all []revisions.Version) []revisions.Version {
	taken := map[string]bool{}
	for _, c := range f.commits {
		if c.Taken {
			taken[c.Hash] = true
		}
	}
	if len(taken) == 0 {
		return all
	}
	var made []revisions.Version // by the ref, the newest first
	had := map[string]bool{"": true}
	for _, v := range all {
		if taken[v.Commit] {
			continue
		}
		made = append(made, v)
		for _, side := range append(slices.Clip(v.Before), revisions.Side{Path: v.Path, Blob: v.Blob}) {
			had[f.content(side.Path, side.Blob)] = true
		}
	}
	return slices.DeleteFunc(all, func(v revisions.Version) bool {
		if !taken[v.Commit] {
			return false
		}
		before, after := "", f.content(v.Path, v.Blob)
		if len(v.Before) > 0 {
			before = f.content(v.Before[0].Path, v.Before[0].Blob)
		}
		if !had[before] {
			return false
		}
		for _, m := range made {
			if m.Time.After(v.Time) {
				continue // it did not exist yet
			}
			switch f.content(m.Path, m.Blob) {
			case before:
				return false
			case after:
				return true
			}
		}
		return false
	})
}

// content identifies a version by its path and what is in the file, but for the mark of the current checkpoint. A
// checkpoint that is gone is so at every path.
func (f *follower) content(rel, blob string) string {
	if blob == "" {
		return "gone"
	}
	at := rel + "\x00" + blob
	known, found := f.contents[at]
	if found {
		return known
	}
	known = at
	if src := f.versions.bytes[blob]; src != nil {
		known = rel + "\x00" + git.BlobHash(checkout.Shared(rel, src))
	}
	f.contents[at] = known
	return known
}

// copies finds copies of the checkpoint at other paths: a person who archives by hand may copy the
// file and remove the old one later. If the id appears in a second file, that is a copy of the
// first. If one of two files disappears, the checkpoint moved to the other.
func (f *follower) copies(ctx context.Context, repo *git.Repo, dir string, c log.Commit, came,
	went []revisions.Version) {
	for i, v := range came {
		if len(v.Before) == 0 && len(c.Parents) > 0 {
			if other, ok := f.elsewhere(ctx, repo, c.Parents[0], dir, v.Path); ok {
				came[i].Before = []revisions.Side{{Path: v.Path, Blob: other.Blob}}
			}
		}
	}
	for i, v := range went {
		if other, ok := f.elsewhere(ctx, repo, c.Hash, dir, v.Path); ok {
			went[i].Before = []revisions.Side{{Path: v.Path, Blob: other.Blob}}
			went[i].Path, went[i].Blob = other.Path, other.Blob
		}
	}
}

// elsewhere returns the file at another path of a commit that has the id. It finds nothing if
// the commit cannot be read.
func (f *follower) elsewhere(ctx context.Context, repo *git.Repo, commit, dir, path string) (revisions.Side, bool) {
	files, err := repo.Offline().Objects().TreeAt(ctx, commit, dir)
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
