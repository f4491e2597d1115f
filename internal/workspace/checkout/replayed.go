package checkout

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/text"
)

// mostPassed is the maximal number of commits of a branch that lastKnown looks at.
const mostPassed = 300

// lastKnown returns the newest commit on the way to head that has, of each file that changed on the way, a version
// that the ref had later than that of the commit that was seen: git has rebased or squashed operations, the user has
// committed files that ckpt wrote, or the ref has got them by a sync. Without such a commit it returns the one seen.
func (a *Absorbed) lastKnown() (string, error) {
	if a.seen == "" || a.tip == "" {
		return a.seen, nil
	}
	out, err := a.Repo.Offline().Git(a.ctx, nil, "rev-list", "--topo-order", "--ancestry-path",
		"-"+strconv.Itoa(mostPassed), a.seen+".."+a.head)
	if err != nil {
		return "", err
	}
	var commits []string
	var passed []map[string][2]git.Entry
	paths := map[string]bool{}
	for _, commit := range strings.Fields(string(out)) {
		differ, err := a.differing(a.ctx, a.seen, commit)
		if fault.KindOf(err) == fault.Unsupported { // it has something else where the folder should be
			continue
		}
		if err != nil {
			return "", err
		}
		for rel := range differ {
			paths[rel] = true
		}
		commits, passed = append(commits, commit), append(passed, differ)
	}
	a.had, err = a.hadOnRef(a.ctx, a.tip, slices.Sorted(maps.Keys(paths)))
	for i, commit := range commits {
		isKnown := err == nil
		for rel, versions := range passed[i] {
			isKnown = isKnown && (!Written(rel) || a.isLater(rel, versions, a.had[rel]))
		}
		if isKnown {
			return commit, nil
		}
	}
	return a.seen, err
}

// isLater reports whether the ref had the second version of a file, and not the first one since.
func (a *Absorbed) isLater(rel string, versions [2]git.Entry, had []string) bool {
	var at [2]int
	for i, v := range versions {
		blob := ""
		if src, err := a.Repo.Objects().Blob(v.Hash); src != nil && err == nil {
			blob = a.Repo.Objects().BlobHash(Shared(rel, src))
		}
		at[i] = slices.Index(had, blob)
	}
	return at[1] >= 0 && (at[0] < 0 || at[1] < at[0])
}

// passed returns the blobs of head, and of what it has merged or was rebased on, that the ref does not get as they are.
// A sync needs them: the clone that the branch has them from may have changed them since.
func (a *Absorbed) passed() (blobs []string) {
	offline := a.Repo.Offline()
	merged, _ := offline.Git(a.ctx, nil, "rev-list", "--merges", "--parents", "-20", a.head, "--not", a.seen)
	onto, _ := offline.Git(a.ctx, nil, "rev-list", "--boundary", "-100", a.head, "--not", "--remotes")
	commits := append(strings.Fields(string(merged)), a.head)
	for commit := range strings.FieldsSeq(string(onto)) {
		if commit, is := strings.CutPrefix(commit, "-"); is {
			commits = append(commits, commit)
		}
	}
	for rel, src := range a.set {
		for _, commit := range commits {
			passed := a.fileAt(a.ctx, commit, rel)
			blob := a.Repo.Objects().BlobHash(Shared(rel, passed))
			if passed != nil && !change.Same(Shared(rel, passed), src) && !slices.Contains(a.had[rel], blob) {
				blobs = append(blobs, blob)
			}
		}
	}
	slices.Sort(blobs)
	return slices.Compact(blobs)
}

// dropReplayed leaves out checkpoints whose files are versions that the ref had before: git may commit a version that
// it read before an operation. It keeps a version that a revert has restored.
func (a *Absorbed) dropReplayed() error {
	both := maps.Clone(a.before)
	maps.Copy(both, a.theirs)
	paths := slices.Sorted(maps.Keys(both))
	if len(paths) == 0 {
		return nil
	}
	var err error
	if a.had == nil { // else lastKnown has asked for more paths
		a.had, err = a.hadOnRef(a.ctx, a.tip, paths)
	}
	s, failed := a.Load()
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	ids, stays := map[string]string{}, map[string]bool{} // by path, by id
	for _, rel := range paths {
		ids[rel] = cmp.Or(checkpoint.IDIn(both[rel]), checkpoint.IDIn(a.before[rel]), rel)
		if len(a.had[rel]) > 0 {
			a.addWritten(s, rel)
		}
		is, err := a.isReplayed(rel, a.had[rel])
		if !is && err == nil {
			err = a.dropLater(rel)
		}
		if err != nil {
			return err
		}
		stays[ids[rel]] = stays[ids[rel]] || !is
	}
	for rel, id := range ids {
		if !stays[id] {
			delete(a.theirs, rel)
			delete(a.before, rel)
		}
	}
	return nil
}

// ownText matches a line that is text of its own, such as the entry of a list.
var ownText = text.Regexp(`^(- |\d+\. |\p{L}+[^:_\pL])`)

// addWritten replaces the base of a file by the version that ckpt last wrote, if the user has edited that one and then
// committed the file: the commit has the file that is on disk, and a text that is new in the version. Other lines are
// the same in every delta, and git may have brought one of a colleague.
func (a *Absorbed) addWritten(s State, rel string) {
	before, after, written := a.before[rel], a.theirs[rel], Shared(rel, a.writtenAt(a.ctx, s, rel))
	isSame := change.Same(before, Shared(rel, a.fileAt(a.ctx, s.headThen(), rel)))
	isOnDisk := isSame && a.isOnDisk(rel, a.Repo.Objects().BlobHash(after))
	if !isOnDisk {
		return
	}
	_, made, _ := a.last(rel, a.head)
	_, done, _ := a.last(rel, a.tip)
	for line := range bytes.Lines(written) {
		isNew := ownText.Get().Match(line) && !bytes.Contains(before, line)
		if isNew && bytes.Contains(after, line) && !made.Before(done) {
			a.before[rel] = written
		}
	}
}

// isReplayed reports whether the ref had the commit's version of the file before, and no commit restored it on
// purpose. Had lists the versions on the ref, the newest first. A removed file is replayed if the ref lacks it, too,
// if it is still on disk, or if the ref has removed it since the branch last did and got it again since the commit.
func (a *Absorbed) isReplayed(rel string, had []string) (bool, error) {
	before, after := a.before[rel], a.theirs[rel]
	if after == nil {
		if len(had) == 0 || had[0] == "" || a.isOnDisk(rel, had[0]) {
			return len(had) > 0, nil
		}
		_, here, err := a.last(rel, "--diff-filter=D", a.base)
		_, there, failed := a.last(rel, "--diff-filter=D", a.tip)
		if err := cmp.Or(err, failed); err != nil || !here.Before(there) {
			return false, err
		}
		_, made, err := a.last(rel, a.head, "^"+a.base)
		_, again, failed := a.last(rel, "--diff-filter=A", a.tip)
		return !made.After(again), cmp.Or(err, failed)
	}
	was := ""
	if before != nil {
		was = a.Repo.Objects().BlobHash(before)
	}
	i := slices.Index(had, a.Repo.Objects().BlobHash(after))
	if isOlder := slices.Contains(had[:max(i, 0)], was); i < 0 || !isOlder {
		return i >= 0, nil
	}
	if a.base == "" {
		return true, nil
	}
	if reverts, err := a.reverts(rel); reverts || err != nil {
		return false, err
	}
	if before == nil { // if the branch ever had the file, it was restored on purpose
		_, last, err := a.last(rel, a.base)
		return last.IsZero(), err
	}
	_, made, err := a.last(rel, a.head, "^"+a.base)
	_, done, failed := a.last(rel, a.tip)
	return made.Before(done.Add(staleFor)), cmp.Or(err, failed)
}

// dropLater replaces the base of a file by the version that the author of its last change had, who did not see, and so
// did not remove, what others added: a merge has taken the author's version as it is, or a rebase has made a copy of
// the commit.
func (a *Absorbed) dropLater(rel string) error {
	if a.before[rel] == nil || a.base == "" {
		return nil
	}
	origin, made, err := a.last(rel, a.head) // git follows the side whose version a merge has taken
	if err != nil || origin == "" {
		return err
	}
	base, err := a.mergeBase(a.ctx, origin, []string{a.base})
	if err == nil && base == a.base {
		var later time.Time
		_, later, err = a.last(rel, base)
		if err != nil || !made.Before(later) {
			return err
		}
		base, _, err = a.last(rel, "--until="+strconv.FormatInt(made.Unix(), 10), base)
	}
	delete(a.before, rel)
	if src := a.fileAt(a.ctx, base, rel); src != nil {
		a.before[rel] = Shared(rel, src)
	}
	return err
}

// staleFor is how long after an operation git may still commit an older version that it had read before.
const staleFor = time.Minute

// last returns the last commit of a range that changed a file, and when its author made it; zero values for none.
func (a *Absorbed) last(rel string, span ...string) (commit string, made time.Time, err error) {
	args := append([]string{"log", "-1", "--no-show-signature", "--format=%H %at"}, span...)
	out, err := a.Repo.Offline().Git(a.ctx, nil, append(args, "--", path.Join(a.Prefix, rel))...)
	commit, at, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || commit == "" {
		return "", time.Time{}, err
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	return commit, time.Unix(seconds, 0), err
}

// isOnDisk reports whether the file on disk is a blob of the ref.
func (a *Absorbed) isOnDisk(rel, blob string) bool {
	src, err := a.onDisk(rel)
	if src == nil || err != nil {
		return false
	}
	is, err := Same(a.Repo, rel, src, blob)
	return is && err == nil
}

// reverted matches the line that `git revert` writes into a message.
var reverted = text.Regexp(`^This reverts commit ([0-9a-f]+)`)

// goesBack matches the trailer of an operation that may restore an earlier version of a file on purpose.
var goesBack = text.Regexp(`^Checkpoint-Op: (undo|redo|restore|save)$`)

// reverts reports whether one of the new commits reverts a change of a file, by git or by ckpt in another clone.
func (a *Absorbed) reverts(rel string) (bool, error) {
	path, offline := a.Prefix+"/"+rel, a.Repo.Offline()
	out, err := offline.Git(a.ctx, nil, "log", "--no-show-signature", "--format=%B", a.head, "^"+a.base, "--", path)
	for line := range strings.Lines(string(out)) {
		if goesBack.Get().MatchString(strings.TrimSpace(line)) {
			return true, nil
		}
		m := reverted.Get().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		changed, err := offline.Git(a.ctx, nil, "diff-tree", "-r", "--root", "--no-commit-id", m[1], "--", path)
		if err == nil && len(changed) > 0 {
			return true, nil
		}
	}
	return false, err
}

// hadOnRef returns the blobs that the ref had at paths, the newest first. An empty one means that it had none.
func (b Branch) hadOnRef(ctx context.Context, tip string, paths []string) (map[string][]string, error) {
	had := map[string][]string{}
	if tip == "" || len(paths) == 0 {
		return had, nil
	}
	commits, err := log.Of(b.Repo).Ancestors(ctx, tip, "", log.Files{Dir: b.Prefix, Names: paths})
	for _, c := range commits {
		for _, f := range c.Files {
			for _, blob := range [...]string{f.After, f.Before} {
				if n := len(had[f.Path]); n == 0 || had[f.Path][n-1] != blob {
					had[f.Path] = append(had[f.Path], blob)
				}
			}
		}
	}
	return had, err
}
