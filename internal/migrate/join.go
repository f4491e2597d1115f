package migrate

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/mergefile"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// The messages of the commits that only a migration makes.
const (
	joinMessage  = "ckpt: join the checkpoints of two branches\n\nCheckpoint-Op: " + Op + "\n"
	shareMessage = "ckpt: leave what is current to each worktree\n\nCheckpoint-Op: " + Op + "\n"
)

// join makes the commit to which the ref moves: the ref as it is and all ends, merged by id one
// after the other.
func (r *replay) join(ctx context.Context) (string, error) {
	at := r.tip
	for _, end := range r.ends() {
		if at == "" {
			at = end
			continue
		}
		var err error
		at, err = r.merge(ctx, at, end)
		if err != nil {
			return "", err
		}
	}
	if at == "" {
		return r.root, nil
	}
	return r.share(ctx, at)
}

// merge merges two commits of the ref by id. Parents, author, date and message follow from the
// two.
func (r *replay) merge(ctx context.Context, a, b string) (string, error) {
	ours, theirs := ckptref.MergeOrder(a, b)
	text := func(base, ours, theirs []byte) ([]byte, bool, error) {
		both, err := mergefile.KeepBoth(ctx, r.repo.Root(), base, ours, theirs)
		return both, false, err
	}
	base := r.commits.base(a, b)
	var sides [3]map[string]git.Entry
	for i, commit := range []string{base, ours, theirs} {
		if commit == "" {
			continue
		}
		var err error
		sides[i], err = r.files(ctx, commit)
		if err != nil {
			return "", err
		}
	}
	set, fresh := map[string]git.Entry{}, map[string][]byte{}
	var differ [3]map[string]git.Entry
	for i := range differ {
		differ[i] = map[string]git.Entry{}
	}
	for _, rel := range paths(sides[:]...) {
		was, our, their := sides[0][rel], sides[1][rel], sides[2][rel]
		switch {
		case isFile(rel, was) && isFile(rel, our) && isFile(rel, their):
			if was != our || our != their || rel == store.Learnings {
				for i, side := range sides {
					if e, ok := side[rel]; ok {
						differ[i][rel] = e
					}
				}
			}
		case our == was, our.IsZero() && their != was:
			set[rel] = their
		}
	}
	if err := r.outdate(ctx, base, ours, theirs, differ); err != nil {
		return "", err
	}
	var sets [3]merge.Set
	for i, side := range differ {
		contents, err := r.contents(ctx, side)
		if err != nil {
			return "", err
		}
		for rel, src := range contents {
			contents[rel] = checkout.Shared(rel, src)
		}
		sets[i] = contents
	}
	merged, err := merge.Sets(sets[0], sets[1], sets[2], merge.Options{Text: text})
	if err != nil {
		return "", err
	}
	for _, rel := range paths(differ[:]...) {
		set[rel] = git.Entry{}
	}
	for rel, src := range merged.Files {
		set[rel], fresh[rel] = git.FileEntry(""), src
	}
	tree, err := r.rewrite(ctx, ours, set, fresh)
	if err != nil {
		return "", err
	}
	return r.addBetween(ctx, tree, joinMessage, ours, theirs)
}

// isFile reports whether an entry is one that is merged by id, or none.
func isFile(rel string, e git.Entry) bool {
	return checkout.Written(rel) && (e.IsZero() || e.Regular())
}

// share makes a commit in which no checkpoint is marked as current, unless that is so already.
func (r *replay) share(ctx context.Context, at string) (string, error) {
	files, err := r.files(ctx, at)
	if err != nil {
		return "", err
	}
	active := written(files)
	maps.DeleteFunc(active, func(rel string, _ git.Entry) bool { return !strings.HasPrefix(rel, store.Active+"/") })
	contents, err := r.contents(ctx, active)
	if err != nil {
		return "", err
	}
	set, fresh := map[string]git.Entry{}, map[string][]byte{}
	for rel, src := range contents {
		if shared := checkout.Shared(rel, src); !bytes.Equal(shared, src) {
			set[rel], fresh[rel] = git.FileEntry(""), shared
		}
	}
	if len(set) == 0 {
		return at, nil
	}
	tree, err := r.rewrite(ctx, at, set, fresh)
	if err != nil {
		return "", err
	}
	return r.addBetween(ctx, tree, shareMessage, at)
}

// addBetween makes a commit whose time is the newest of its parents.
func (r *replay) addBetween(ctx context.Context, tree, message string, parents ...string) (string, error) {
	newest := int64(0)
	for _, p := range parents {
		at, err := r.timeOf(ctx, p)
		if err != nil {
			return "", err
		}
		newest = max(newest, at)
	}
	at := strconv.FormatInt(newest, 10) + " +0000"
	made, err := r.add(ctx, ckptref.CommitAt(at, tree, message, parents...))
	r.commits.add(made, slices.Clone(parents))
	return made, err
}

// seconds returns the time of a signature.
func seconds(by object.Signature) int64 {
	_, at, _ := strings.Cut(string(by), "> ")
	digits, _, _ := strings.Cut(at, " ")
	n, _ := strconv.ParseInt(digits, 10, 64) // an unreadable time counts as the oldest
	return n
}
