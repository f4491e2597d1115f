// Package refmerge merges two commits of the checkpoint ref.
//
// The merge depends on nothing but the commits, so that every clone makes the same one. It asks no
// person and moves no ref.
package refmerge

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace/checkout"
)

// Merger merges commits of the checkpoint ref of a repository.
type Merger struct {
	Repo   *git.Repo
	Ref    ckptref.Ref
	Prefix string // the folder in the trees of commits
}

// Merge stores the merge of two commits with their newest common ancestor ("" for none) and returns its
// hash, with notes on what a person may want to check.
func (m Merger) Merge(ctx context.Context, base, ours, theirs string) (merged string, notes []string, err error) {
	first, second := ckptref.MergeOrder(ours, theirs)
	var checkpoints, others [3]folder
	for i, commit := range []string{base, first, second} {
		all, err := m.Repo.Objects().FolderAt(ctx, commit, "")
		if err != nil {
			return "", nil, err
		}
		checkpoints[i], others[i] = m.split(all)
	}
	if err := m.complete(ctx, base, first, second, checkpoints); err != nil {
		return "", nil, err
	}
	spec := commit.Spec{
		Parents:  []string{first, second},
		Files:    map[string]git.Entry{},
		Contents: map[string][]byte{},
		Message:  "ckpt: sync: merge " + first[:7] + " and " + second[:7] + "\n\n" + revisions.OpTrailer + ": sync\n",
	}
	notes, err = m.mergeFolders(ctx, checkpoints[0], checkpoints[1], checkpoints[2], &spec)
	if err != nil {
		return "", nil, err
	}
	if err := m.mergeOthers(ctx, [2]string{first, second}, others, spec.Files); err != nil {
		return "", nil, err
	}
	merged, err = m.Ref.StoreMerge(ctx, spec)
	return merged, notes, err
}

// had tells when a side of a merge last had a version of a file.
type had struct {
	path   string
	at     int64 // in seconds since 1970
	number int   // the number of this version among those that the side had of the file
}

// complete replaces files of the base by the newest version that both commits have had since. Both can have a version
// that is newer than the base if one side got it by way of a branch, or if the histories have no common commit, as in
// two clones of a branch with checkpoints. Of the times when the sides last had a version, the earlier one counts:
// the other side may have gone back to it. A version older than that of the base does not count.
func (m Merger) complete(ctx context.Context, base, first, second string, versions [3]folder) error {
	var sides [2]map[string]had // by blob
	stored := map[string]bool{} // the blobs that both clones have
	for i, commit := range []string{first, second} {
		since := strings.Fields(strings.TrimSuffix("^"+base, "^"))
		commits, err := log.Of(m.Repo).Ancestors(ctx, commit, log.Files{Dir: m.Prefix}, append(since, "--full-history")...)
		if err != nil {
			return err
		}
		sides[i] = map[string]had{}
		count := map[string]int{} // by name: active/ID.md and archive/ID.md are one file
		for _, c := range slices.Backward(commits) {
			passed := c.Trailers[log.HadTrailer]
			for _, f := range c.Files {
				stored[f.After] = true
				if !strings.Contains(strings.Join(passed, " "), f.After) { // neither removed nor in a trailer
					passed = append(passed, fmt.Sprint(f.After, " ", c.Time.Unix(), " ", f.Path))
				}
			}
			for _, version := range passed {
				blob, rest, _ := strings.Cut(version, " ")
				at, rel, _ := strings.Cut(rest, " ")
				seconds, _ := strconv.ParseInt(at, 10, 64)
				count[path.Base(rel)]++
				sides[i][blob] = had{rel, seconds, count[path.Base(rel)]}
			}
		}
	}
	newest := map[string]had{} // by name: the newest version that both sides have had
	for _, blob := range slices.Sorted(maps.Keys(sides[0])) {
		v, other := sides[0][blob], sides[1][blob]
		is := had{v.path, min(v.at, other.at), min(v.number, other.number)}
		name := path.Base(is.path)
		was, seen := newest[name]
		if !seen && base != "" {
			last, _, err := log.Of(m.Repo).Last(ctx, log.Files{Dir: m.Prefix, Names: []string{is.path}}, base)
			if err != nil {
				return err
			}
			was.at = last.Time.Unix()
		}
		isNewer := cmp.Or(cmp.Compare(is.at, was.at), is.number-was.number) > 0
		isCommon := stored[blob] && other.number > 0
		if !isCommon || !isNewer || !checkout.Written(is.path) {
			continue
		}
		maps.DeleteFunc(versions[0], func(at string, _ git.Entry) bool { return path.Base(at) == name })
		versions[0][is.path], newest[name] = git.FileEntry(blob), is
	}
	return nil
}

// split divides the files of a commit. Checkpoints has those of the checkpoints folder, by path in the folder. Others
// has the rest, by path from the root: the files that record current checkpoints, and those of other folders.
func (m Merger) split(all map[string]git.Entry) (checkpoints, others folder) {
	checkpoints, others = folder{}, folder{}
	for path, e := range all {
		rel, inside := strings.CutPrefix(path, m.Prefix+"/")
		if inside && !strings.HasPrefix(rel, checkout.CurrentFolder+"/") {
			checkpoints[rel] = e
		} else {
			others[path] = e
		}
	}
	return checkpoints, others
}

// mergeOthers merges the files outside of the checkpoints folder, and adds to files what the merge
// changes in the first side. If both sides changed a file, the file of the later commit is taken.
func (m Merger) mergeOthers(ctx context.Context, sides [2]string, versions [3]folder,
	files map[string]git.Entry) error {
	var times [2]int64
	for i, commit := range sides {
		c, err := m.Repo.Objects().Commit(ctx, commit)
		if err != nil {
			return err
		}
		times[i], err = c.Committer.Seconds()
		if err != nil {
			return err
		}
	}
	base, first, second := versions[0], versions[1], versions[2]
	for _, at := range paths(base, first, second) {
		counts := first[at] == base[at] || times[1] >= times[0]
		if second[at] != first[at] && second[at] != base[at] && counts {
			files[at] = second[at]
		}
	}
	return nil
}
