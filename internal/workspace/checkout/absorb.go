package checkout

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/text"
)

// OpAbsorb is the operation that takes in what commits of a branch have changed.
const OpAbsorb = "absorb"

// TrailerHistory names, in a commit of the ref, the commit of a branch that has the earlier history.
const TrailerHistory = "Checkpoint-History"

// isUnseen reports whether a commit or one of its ancestors has changes of the folder that the ref has not
// seen. Publishing on top of it would undo those changes.
func (b Branch) isUnseen(ctx context.Context, commit string) (bool, error) {
	if commit == "" {
		return false, nil
	}
	l, err := b.ledger()
	if err != nil || slices.Contains(l.seen, commit) {
		return false, err
	}
	tree, err := b.tree(ctx, commit)
	if err != nil {
		return false, err
	}
	if len(l.seen) == 0 {
		return tree != "", nil
	}
	// A commit of code on top of the last one that was seen is the usual case.
	if last, err := b.tree(ctx, l.seen[len(l.seen)-1]); err == nil && last == tree {
		return false, nil
	}
	args := append([]string{"rev-list", "--ignore-missing", "-1", commit, "--not"}, l.seen...)
	out, err := b.Repo.Offline().Git(ctx, nil, append(args, "--", b.Prefix)...)
	return len(out) > 0, err
}

// Absorbed is what commits of a branch have changed in the folder, to be added to the ref.
type Absorbed struct {
	Tip    string // a commit with the changes, to which nothing points yet; the commit of the ref if there are none
	Remark string // for people; usually empty

	Branch
	ctx             context.Context
	branch          string
	head, base, tip string // the commit of HEAD, its newest ancestor that the ref has seen, the commit of the ref

	noArchive      bool              // the files of the archive are left out
	before, theirs merge.Set         // the files that differ between base and head
	set            map[string][]byte // what the ref gets; nil content removes a file
}

// Absorb commits what commits of HEAD have changed in the folder, on top of the commit of the ref. It returns
// nil if nothing is new. The caller has the exclusive lock, and moves the ref.
func (b Branch) Absorb(ctx context.Context, tip string, now time.Time) (*Absorbed, error) {
	head, err := b.Repo.Head()
	if err != nil {
		return nil, err
	}
	a, err := b.gather(ctx, head, tip, false)
	if a == nil || err != nil {
		return nil, err
	}
	a.branch, err = b.ownBranch()
	if err == nil && len(a.set) > 0 {
		a.Tip, err = a.commit(now)
		if tip != "" {
			a.Remark = "took in " + text.Count(len(a.set), "file") + " that git brought" + a.Remark
		}
	}
	return a, err
}

// Begin records the branch on which the absorbed files are published. The caller moves the ref afterwards.
func (a *Absorbed) Begin() error {
	return a.owe(a.branch, change.At(slices.Sorted(maps.Keys(a.set))), "")
}

// Done records, once the ref has moved, that the ref has seen the commits of the branch.
func (a *Absorbed) Done() error { return a.saw(a.base, a.head) }

// MoveRef moves the ref to Tip and calls Done. It does nothing if a is nil.
func (a *Absorbed) MoveRef(ctx context.Context) error {
	if a == nil {
		return nil
	}
	if a.Tip != a.tip {
		err := a.Begin()
		if err == nil {
			err = a.Ref.Move(ctx, a.Tip, a.tip, "ckpt: "+OpAbsorb)
		}
		if err != nil {
			return err
		}
	}
	return a.Done()
}

// gather returns what commits of HEAD have changed in the folder, perhaps without the archive. It returns nil if
// nothing is new.
func (b Branch) gather(ctx context.Context, head git.Head, tip string, noArchive bool) (*Absorbed, error) {
	if state := b.Repo.InProgress(); state != "" && state != "bisect" {
		return nil, nil // git may still drop the commits
	}
	unseen, err := b.isUnseen(ctx, head.Hash)
	if !unseen || err != nil {
		return nil, err
	}
	a := &Absorbed{Tip: tip, Branch: b, ctx: ctx, head: head.Hash, tip: tip, noArchive: noArchive}
	l, err := b.ledger()
	if err != nil {
		return nil, err
	}
	a.base, err = b.mergeBase(ctx, head.Hash, l.seen)
	if err == nil {
		err = a.read()
	}
	if err == nil && len(a.before)+len(a.theirs) > 0 {
		err = a.merge()
	}
	return a, err
}

// mergeBase returns the newest common ancestor of a commit and the seen commits that still exist; "" for none.
func (b Branch) mergeBase(ctx context.Context, head string, seen []string) (string, error) {
	history := log.Of(b.Repo)
	there := slices.DeleteFunc(slices.Clone(seen), func(commit string) bool { return !history.HasCommit(commit) })
	if len(there) == 0 {
		return "", nil
	}
	return history.MergeBase(ctx, head, there...)
}

// read reads the files that differ between base and head. It leaves out versions that the ref had before: a rebased
// or squashed copy of operations changes nothing.
func (a *Absorbed) read() error {
	differ, err := a.differing(a.ctx, a.base, a.head)
	if err != nil {
		return err
	}
	a.before, a.theirs, a.set = merge.Set{}, merge.Set{}, map[string][]byte{}
	for rel, v := range differ {
		if !Written(rel) || a.noArchive && checkpoint.InArchive(rel) {
			continue
		}
		for i, set := range [...]merge.Set{a.before, a.theirs} {
			if v[i].Regular() {
				src, err := a.Repo.Objects().Blob(v[i].Hash)
				if err != nil {
					return err
				}
				set[rel] = Shared(rel, src)
			}
		}
	}
	if a.tip == "" {
		return nil
	}
	return a.dropReplayed()
}

// mostSearched is the maximal number of commits of the ref that are searched for a version of a file.
const mostSearched = 1000

// dropReplayed leaves out checkpoints whose files are versions that the ref had before: git may commit a version that
// it read before an operation. It keeps a version that a revert has restored.
func (a *Absorbed) dropReplayed() error {
	both := maps.Clone(a.before)
	maps.Copy(both, a.theirs)
	paths := slices.Sorted(maps.Keys(both))
	if len(paths) == 0 {
		return nil
	}
	had, err := a.hadOnRef(a.ctx, a.tip, paths)
	s, failed := a.Load()
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	ids, stays := map[string]string{}, map[string]bool{} // by path, by id
	for _, rel := range paths {
		ids[rel] = cmp.Or(checkpoint.IDIn(both[rel]), checkpoint.IDIn(a.before[rel]), rel)
		if len(had[rel]) > 0 {
			a.addWritten(s, rel)
		}
		is, err := a.isReplayed(rel, had[rel])
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

// addWritten replaces the base of a file by the version that ckpt last wrote, if the user has edited that one and then
// committed the file: the commit has the file that is on disk, and an entry that is new in the version. Other lines are
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
		isNew := bytes.HasPrefix(line, []byte("- ")) && !bytes.Contains(before, line)
		if isNew && bytes.Contains(after, line) && !made.Before(done) {
			a.before[rel] = written
		}
	}
}

// isLost reports whether src is not a checkpoint file any more, although the file on the ref is one.
func isLost(rel string, ref, src []byte) bool {
	_, err := checkpoint.Parse(rel, src)
	return src != nil && errors.Is(err, checkpoint.ErrOther) && checkpoint.IDIn(ref) != ""
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

// goesBack matches the trailer of an operation that restores an earlier version of a file.
var goesBack = text.Regexp(`^Checkpoint-Op: (undo|redo|restore)$`)

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
	if tip == "" {
		return had, nil
	}
	args := []string{"log", "--no-show-signature", "--no-renames", "--no-abbrev", "--raw", "-m", "-z", "--format=",
		"-" + strconv.Itoa(mostSearched), tip, "--"}
	for _, rel := range paths {
		args = append(args, b.Prefix+"/"+rel)
	}
	out, err := b.Repo.Offline().Git(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	tokens := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(tokens); i++ { // :100644 100644 OLD NEW M, PATH
		part := strings.Fields(strings.TrimLeft(tokens[i], "\n"))
		if len(part) != 5 || !strings.HasPrefix(part[0], ":") {
			continue
		}
		i++
		rel := strings.TrimPrefix(tokens[i], b.Prefix+"/")
		for _, hash := range []string{part[3], part[2]} {
			if strings.Trim(hash, "0") == "" {
				hash = ""
			}
			if n := len(had[rel]); n == 0 || had[rel][n-1] != hash {
				had[rel] = append(had[rel], hash)
			}
		}
	}
	return had, nil
}

// filesAt returns the files of a commit of the ref that have one of these names.
func (c *Checkout) filesAt(ctx context.Context, tip string, names map[string]bool) (merge.Set, error) {
	tree, err := c.Repo.Objects().TreeAt(ctx, tip, c.Prefix)
	files := merge.Set{}
	for rel, blob := range tree {
		if err == nil && Written(rel) && names[path.Base(rel)] {
			files[rel], err = c.Repo.Objects().Blob(blob)
		}
	}
	return files, err
}

// merge merges the remaining changes into the files of the ref, by id.
func (a *Absorbed) merge() error {
	if a.tip == "" {
		maps.Copy(a.set, a.theirs)
		return nil
	}
	wanted := map[string]bool{}
	for _, set := range []merge.Set{a.before, a.theirs} {
		for rel := range set {
			wanted[path.Base(rel)] = true
		}
	}
	ours, err := a.filesAt(a.ctx, a.tip, wanted)
	if err != nil {
		return err
	}
	for rel, src := range a.theirs {
		if isLost(rel, ours[rel], src) { // readers list the file as unreadable
			delete(a.before, rel)
			delete(a.theirs, rel)
		}
	}
	merged, err := MergeSets(a.ctx, a.Repo, a.before, ours, a.theirs)
	if err != nil {
		return err
	}
	stay := idsIn(merged.Files)
	gone := slices.DeleteFunc(slices.Sorted(maps.Keys(idsIn(ours))), func(id string) bool { return stay[id] })
	if len(gone) > 0 {
		a.Remark = ", without " + text.List(gone, 3) + " (restore: ckpt undelete " + gone[0] + ")"
	}
	for rel, src := range merged.Files {
		if !change.Same(src, ours[rel]) {
			a.set[rel] = src
		}
	}
	for rel := range ours {
		if _, stays := merged.Files[rel]; !stays {
			a.set[rel] = nil
		}
	}
	return nil
}

// commit stores the commit. The first one of a ref is the same in every clone that begins at the same
// commit.
func (a *Absorbed) commit(now time.Time) (string, error) {
	spec := commit.Spec{Parents: []string{a.tip}, Files: map[string]git.Entry{}, Contents: map[string][]byte{}, Time: now}
	ids := map[string]bool{}
	for rel, src := range a.set {
		at := a.Prefix + "/" + rel
		spec.Files[at] = git.Entry{}
		if src != nil {
			spec.Files[at], spec.Contents[at] = git.FileEntry(""), src
		}
		if id := checkpoint.IDIn(src); id != "" {
			ids[id] = true
		}
	}
	what := text.Count(len(a.set), "file")
	if a.branch != "" {
		what += " of " + a.branch
	}
	trailers := "Checkpoint-Op: " + OpAbsorb + "\n" + TrailerHistory + ": "
	subject := "ckpt: take in " + what
	if a.tip != "" {
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			trailers = "Checkpoint: " + id + "\n" + trailers
		}
		spec.Message = subject + "\n\n" + trailers + a.head + "\n"
		return a.Ref.Store(a.ctx, spec, false)
	}
	last, _, _ := a.last("", a.head) // a partial clone may lack the trees of older commits
	last = cmp.Or(last, a.head)
	root, err := a.Ref.Root(a.ctx)
	if err != nil {
		return "", err
	}
	c, err := a.Repo.Objects().Commit(a.ctx, last)
	if err != nil {
		return "", err
	}
	c.Parents, c.Message = []string{root}, "ckpt: take in the checkpoints of a branch\n\n"+trailers+last+"\n"
	return commit.Of(a.Repo).StoreTree(a.ctx, c, root, spec.Files, spec.Contents, false)
}
