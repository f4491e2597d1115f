package gitlog

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace/checkout"
)

// Line is a version with the commit that made it.
type Line struct {
	revisions.Version
	commit log.Commit
}

// isOwn reports whether a file belongs to the checkpoint, by its name.
func (vs *Versions) isOwn(rel string) bool {
	named := func(name string) bool { return rel == name || path.Base(rel) == name }
	return checkpoint.IsFile(rel) && slices.ContainsFunc(vs.files.Names, named)
}

// otherNames returns other names of the checkpoint's files, from commits that renamed a file. In such a commit a known
// file appears and another file had the id before, or a known file disappears and another one has the id now.
func (vs *Versions) otherNames(ctx context.Context, commits []log.Commit) ([]string, error) {
	if vs.ID == "" {
		return vs.newestID(ctx, commits)
	}
	var names []string
	for _, c := range commits {
		came, went := false, false
		for _, file := range c.Files {
			own := vs.isOwn(file.Path)
			came, went = came || own && file.Before == "", went || own && file.After == ""
		}
		for _, file := range c.Files {
			if came == went || vs.isOwn(file.Path) || !checkpoint.IsFile(file.Path) {
				continue
			}
			blobs := []string{file.After}
			if came {
				blobs = append([]string{file.Before}, file.Also...)
			}
			if err := vs.Load(ctx, blobs...); err != nil {
				return nil, err
			}
			if slices.ContainsFunc(blobs, func(blob string) bool { return vs.ids[blob] == vs.ID }) {
				names = append(names, file.Path)
			}
		}
	}
	return names, nil
}

// newestID sets the id to the id in the newest readable version of the file, and returns the file name for that id.
func (vs *Versions) newestID(ctx context.Context, commits []log.Commit) ([]string, error) {
	for _, c := range commits {
		for _, file := range c.Files {
			if !vs.isOwn(file.Path) {
				continue
			}
			id, err := vs.idIn(ctx, file.After)
			if id != "" || err != nil {
				vs.ID = id
				return []string{id + ".md"}, err
			}
		}
	}
	return nil, nil
}

// idIn returns the id in a blob, or "" if the blob is not a readable checkpoint or this clone lacks it.
func (vs *Versions) idIn(ctx context.Context, blob string) (string, error) {
	err := vs.Load(ctx, blob)
	return vs.ids[blob], err
}

// read lists the versions that commits made. If onBranches is true, or some of the commits are on branches, it drops
// copies, and does not count a version that differs only in which checkpoint is marked as current.
func (vs *Versions) read(ctx context.Context, commits []log.Commit, onBranches bool) error {
	cut, err := vs.repo.Objects().Shallow()
	if err != nil {
		return err
	}
	var blobs []string
	for _, c := range commits {
		for _, file := range c.Files {
			if vs.isOwn(file.Path) {
				blobs = append(append(blobs, file.Before, file.After), file.Also...)
			}
		}
	}
	if err := vs.Load(ctx, blobs...); err != nil {
		return err
	}
	// The map has, for the ref (false) and for branches (true), the blobs of the checkpoint's files by path.
	there := map[bool]map[string]string{false: {}, true: {}}
	for _, c := range slices.Backward(commits) {
		for _, file := range c.Files { // all, as versionsIn may leave out files that a merge removed
			delete(there[c.Branch], file.Path)
		}
		for _, v := range vs.versionsIn(c) {
			v = ofCopy(v, c, there[c.Branch])
			v = about(v, c)
			v.Cut = cut[c.Hash]
			vs.Lines = append(vs.Lines, Line{v, c})
			onBranches = onBranches || c.Branch
		}
	}
	if onBranches {
		vs.dropCopies()
	}
	for _, l := range slices.Backward(vs.Lines) {
		content := vs.content(l.Path, l.Blob)
		copied := l.commit.Copy || len(l.commit.TookIn()) > 0
		if (!copied || vs.taken[content]) && !vs.tookSide(l) {
			vs.List = append(vs.List, l.Version)
			delete(vs.taken, content)
		}
	}
	return nil
}

// versionsIn returns the versions that a commit made. A merge made those that differ from one of its parents. A file
// with a name of the checkpoint and another id counts as missing.
func (vs *Versions) versionsIn(c log.Commit) []revisions.Version {
	has := func(blob string) bool { return vs.ids[blob] == vs.ID }
	isOther := func(blob string) bool { return vs.ID != "" && vs.ids[blob] != "" && !has(blob) }
	var came, went []revisions.Version
	for _, file := range c.Files {
		sides := append([]string{file.After, file.Before}, file.Also...)
		others := slices.ContainsFunc(sides, isOther) && !slices.ContainsFunc(sides, has)
		if others || !vs.isOwn(file.Path) {
			continue
		}
		v := revisions.Version{Path: file.Path}
		if !isOther(file.After) {
			v.Blob = file.After
		}
		for _, blob := range sides[1:] {
			if blob != "" && !isOther(blob) {
				v.Before = append(v.Before, revisions.Side{Path: file.Path, Blob: blob})
			}
		}
		if v.Gone() {
			went = append(went, v)
		} else {
			came = append(came, v)
		}
	}
	for i := range came { // a move counts as one version
		if len(came[i].Before) == 0 && len(went) > 0 {
			came[i].Before, went = went[0].Before, went[1:]
		}
	}
	if len(c.Parents) > 1 && len(came) > 0 { // a parent has moved the file
		for _, v := range went {
			came[0].Before = append(came[0].Before, v.Before...)
		}
		went = nil
	}
	return append(came, went...)
}

// ofCopy adapts a version of a checkpoint that has several files: a person may copy a file to archive/ and remove the
// old one later. Then the copy is a version of the first file, and the removal of either file is a move to the other.
// The map there has the blobs of the checkpoint's files that c has not changed, by path.
func ofCopy(v revisions.Version, c log.Commit, there map[string]string) revisions.Version {
	others := slices.Sorted(maps.Keys(there))
	switch {
	case len(others) == 0 || len(c.Parents) > 1:
	case v.Gone():
		v.Before = []revisions.Side{{Path: v.Path, Blob: there[others[0]]}}
		v.Path, v.Blob = others[0], there[others[0]]
	case len(v.Before) == 0:
		v.Before = []revisions.Side{{Path: v.Path, Blob: there[others[0]]}}
	}
	if !v.Gone() {
		there[v.Path] = v.Blob
	}
	return v
}

// tookSide reports whether a version is the same as in a parent of its commit. Which checkpoint is
// marked as current does not count.
func (vs *Versions) tookSide(l Line) bool {
	content := vs.content(l.Path, l.Blob)
	isSame := func(side revisions.Side) bool { return vs.content(side.Path, side.Blob) == content }
	isTaken := func(f log.FileChange) bool { // git lists a file of a merge with the parents from which it differs
		return f.Path == l.Path && len(f.Also)+1 < len(l.commit.Parents)
	}
	return slices.ContainsFunc(l.Before, isSame) || slices.ContainsFunc(l.commit.Files, isTaken)
}

// dropCopies drops versions of branches whose content the checkpoint ref has, too, as after an amend, a squash, or the
// user's own commit of files that ckpt wrote. It keeps a version that restores old content: the version before it is
// not on the ref, or comes later there. It keeps a copy of an operation if a rebase has changed its file. Of versions
// that the ref took in from a branch, it drops those that are on the branch, too.
func (vs *Versions) dropCopies() {
	onRef, onBranch := map[string][]int{}, map[string]string{} // by content: the lines on the ref; a commit of a branch
	operations := map[log.Operation]int{}                      // for each operation on the ref, the index of its line
	for i, l := range vs.Lines {
		content := vs.content(l.Path, l.Blob)
		if l.commit.Branch {
			onBranch[content] = l.Commit
		} else if len(l.commit.TookIn()) == 0 {
			onRef[content] = append(onRef[content], i)
		} else {
			vs.taken[content] = true
		}
	}
	maps.DeleteFunc(vs.taken, func(content string, _ bool) bool { return len(onRef[content]) > 0 })
	lines := slices.Clone(vs.Lines)
	newest := func(content string, l Line) int { // the newest line on the ref with this content that is not newer than l
		for _, i := range slices.Backward(onRef[content]) {
			if !lines[i].Time.After(l.Time) {
				return i
			}
		}
		return -1
	}
	copyOf := map[string]int{} // for each commit of a branch, the index of the line on the ref that it copies
	for i, l := range lines {
		if !l.commit.Branch {
			operations[l.commit.Operation()] = i
		} else if of, known := operations[l.commit.Operation()]; known {
			copyOf[l.Commit] = of
			vs.Lines[i].Before = append(l.Before, revisions.Side{Path: lines[of].Path, Blob: lines[of].Blob})
		}
	}
	vs.Lines = slices.DeleteFunc(vs.Lines, func(l Line) bool {
		content := vs.content(l.Path, l.Blob)
		if !l.commit.Branch {
			of := onBranch[content]
			if len(l.commit.TookIn()) == 0 || of == "" {
				return false
			}
			vs.sameAs[l.Commit] = of
			return true
		}
		at := slices.IndexFunc(onRef[content], func(i int) bool {
			if l.commit.Copy {
				return true
			}
			lacks := func(side revisions.Side) bool {
				from, known := copyOf[strings.Join(l.commit.Parents, " ")]
				if !known {
					from = newest(vs.content(side.Path, side.Blob), l)
				}
				return from < 0 || from > i
			}
			return !lines[i].Time.After(l.Time) && !slices.ContainsFunc(l.Before, lacks)
		})
		if at >= 0 {
			vs.sameAs[l.Commit] = lines[onRef[content][at]].Commit
		}
		return at >= 0
	})
}

// content returns a string that identifies the path and the content of a version, without the mark
// of the current checkpoint. For a deleted checkpoint it is the same at every path.
func (vs *Versions) content(rel, blob string) string {
	if blob == "" {
		return "gone"
	}
	key := rel + "\x00" + blob
	src := vs.bytes[blob]
	if src == nil {
		return key
	}
	if vs.contents[key] == "" {
		vs.contents[key] = rel + "\x00" + vs.repo.Objects().BlobHash(checkout.Shared(rel, src))
	}
	return vs.contents[key]
}

// Parents returns, for each of Lines, the indices of the nearest lines among the ancestors of its commit.
func (vs *Versions) Parents(ctx context.Context) ([][]int, error) {
	if len(vs.Lines) == 0 {
		return nil, nil
	}
	made := map[string][]int{} // the lines of each commit
	var commits []string
	for i, l := range vs.Lines {
		made[l.Commit] = append(made[l.Commit], i)
		commits = append(commits, l.Commit)
	}
	graph, err := log.Of(vs.repo).Graph(ctx, commits)
	if err != nil {
		return nil, err
	}
	for _, l := range vs.Lines {
		graph[l.Commit] = append(graph[l.Commit], l.commit.TookIn()...)
	}
	for dropped, commit := range vs.sameAs {
		if len(made[dropped]) == 0 {
			made[dropped] = made[commit]
		}
	}
	nearest := map[string][]int{} // for each commit, the lines of its nearest ancestors
	var before func(commit string) []int
	before = func(commit string) []int {
		if known, ok := nearest[commit]; ok {
			return known
		}
		var all []int
		nearest[commit] = nil
		for _, parent := range graph[commit] {
			if lines := made[parent]; len(lines) > 0 {
				all = append(all, lines[len(lines)-1])
			} else {
				all = append(all, before(parent)...)
			}
		}
		slices.Sort(all)
		nearest[commit] = slices.Compact(all)
		return nearest[commit]
	}
	parents := make([][]int, len(vs.Lines))
	for i, l := range vs.Lines {
		if k := slices.Index(made[l.Commit], i); k > 0 {
			parents[i] = made[l.Commit][k-1 : k]
			continue
		}
		isLater := func(at int) bool { return at >= i } // possible with a wrong clock, or for the original of a dropped copy
		parents[i] = slices.DeleteFunc(slices.Clone(before(l.Commit)), isLater)
	}
	return parents, nil
}
