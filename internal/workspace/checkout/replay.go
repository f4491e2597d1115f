package checkout

import (
	"bytes"
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/text"
)

// replay merges what each new commit of the branch has changed into the files of the ref, the oldest commit first. A
// copy of an operation that the ref has changes nothing, wherever git has put it; if the user has amended it, or
// resolved conflicts in it by hand, it changes that.
func (a *Absorbed) replay() error {
	l, err := a.ledger()
	if err != nil {
		return err
	}
	commits, err := log.Of(a.Repo).Ancestors(a.ctx, a.head, log.Files{Dir: a.Prefix}, l.seen...)
	if err != nil {
		return err
	}
	copies, err := a.known(commits, l.seen)
	if err != nil {
		return err
	}
	all := step{merge.Set{}, merge.Set{}}
	for _, c := range slices.Backward(commits) {
		s, err := a.step(c, copies[c.Operation()])
		if err == nil && !all.leadsTo(s) {
			err = a.apply(all)
			all = step{merge.Set{}, merge.Set{}}
		}
		if err != nil {
			return err
		}
		all.add(s)
	}
	if err := a.apply(all); err != nil {
		return err
	}
	return a.finish()
}

// known returns the commits that the ref has seen since the oldest of some was made, by operation. It sets had.
func (a *Absorbed) known(commits []log.Commit, seen []string) (map[log.Operation][]log.Commit, error) {
	paths, since := map[string]bool{}, time.Now()
	for _, c := range commits {
		for _, f := range c.Files {
			paths[f.Path] = true
		}
		if made := time.Unix(c.Authored, 0).Add(-24 * time.Hour); made.Before(since) { // clocks differ
			since = made
		}
		if len(c.Parents) > 1 {
			a.merged = append(a.merged, c.Parents...)
		}
	}
	var err error
	a.had, err = a.hadOnRef(a.ctx, a.tip, slices.Sorted(maps.Keys(paths)))
	if err != nil {
		return nil, err
	}
	return log.Of(a.Repo).Operations(a.ctx, a.Prefix, since, append(seen, a.tip)...)
}

// step is what commits have changed: files before and after, without content where there is none.
type step struct{ before, after merge.Set }

// leadsTo reports whether another step begins with the files as s leaves them.
func (s step) leadsTo(next step) bool {
	for rel, before := range next.before {
		after, has := s.after[rel]
		for at, src := range s.after { // the checkpoint may have been moved on another line
			has = has || src != nil && path.Base(at) == path.Base(rel)
		}
		if has && !change.Same(after, before) {
			return false
		}
	}
	return true
}

// add appends a step to which s leads.
func (s step) add(next step) {
	for rel, after := range next.after {
		if _, has := s.before[rel]; !has {
			s.before[rel] = next.before[rel]
		}
		s.after[rel] = after
	}
}

// changes returns the step of a commit.
func (a *Absorbed) changes(c log.Commit) (step, error) {
	s := step{merge.Set{}, merge.Set{}}
	for _, f := range c.Files {
		isTakenOff := f.After == "" && a.isOff(a.ctx, c.Hash)
		if isTakenOff || !Written(f.Path) || a.noArchive && checkpoint.InArchive(f.Path) {
			continue
		}
		before, err := a.Repo.Objects().Blob(f.Before)
		if err != nil {
			return s, err
		}
		after, err := a.Repo.Objects().Blob(f.After)
		if err != nil {
			return s, err
		}
		if !isLost(f.Path, before, after) { // else readers list the file as unreadable
			s.before[f.Path], s.after[f.Path] = Shared(f.Path, before), Shared(f.Path, after)
		}
	}
	return s, nil
}

// step returns what is new to the ref in a commit. Known are commits of the same operation that the ref has.
func (a *Absorbed) step(c log.Commit, known []log.Commit) (step, error) {
	s, err := a.changes(c)
	if err != nil || len(s.after) == 0 {
		return s, err
	}
	if len(c.Parents) > 1 {
		return a.merge(c, s)
	}
	for _, k := range known {
		if found, err := a.leaveOutCopy(s, k); found || err != nil {
			return s, err
		}
	}
	for rel := range s.after {
		if !c.IsOperation() {
			a.addWritten(c, s, rel)
		}
		a.addContained(c, s, rel)
		if change.Same(s.before[rel], s.after[rel]) || !c.IsOperation() && a.isStale(c, s, rel) {
			delete(s.before, rel)
			delete(s.after, rel)
		}
	}
	return s, a.addMissed(c, s)
}

// leaveOutCopy leaves out of a step what a commit of the same operation has changed. If the user has amended the copy,
// or resolved a conflict in it, the rest stays. It reports false if the step is another change.
func (a *Absorbed) leaveOutCopy(s step, known log.Commit) (bool, error) {
	k, err := a.changes(known)
	if err != nil {
		return false, err
	}
	if maps.EqualFunc(s.after, k.after, change.Same) { // also in a conflict of which the user has taken this side
		clear(s.before)
		clear(s.after)
		return true, nil
	}
	was := maps.Clone(s.before)
	rest := step{maps.Clone(s.before), maps.Clone(s.after)}
	err = a.leaveOut(rest, k.before, k.after)
	isApplied := maps.EqualFunc(rest.before, was, change.Same) // another one with the same subject, in the same second
	if err != nil || isApplied || len(rest.after) > 0 && !known.IsOperation() {
		return false, err
	}
	clear(s.before)
	clear(s.after)
	s.add(rest)
	return true, nil
}

// leaveOut leaves out of a step, by id, what changes one version of the files to another.
func (a *Absorbed) leaveOut(s step, from, to merge.Set) error {
	merged, err := MergeSets(a.ctx, a.Repo, present(from), present(s.before), present(to))
	for rel, after := range s.after {
		s.before[rel] = merged.Files[rel]
		if change.Same(after, s.before[rel]) {
			delete(s.before, rel)
			delete(s.after, rel)
		}
	}
	return err
}

// addMissed adds to the files after a commit what its author had not seen, and so did not remove: after a rebase, the
// user may have taken one side of a conflict.
func (a *Absorbed) addMissed(c log.Commit, s step) error {
	history := log.Of(a.Repo)
	for rel, after := range s.after {
		if c.Time.Unix() == c.Authored || s.before[rel] == nil || after == nil {
			continue
		}
		of := log.Files{Dir: a.Prefix, Names: []string{rel}}
		last, _, err := history.Last(a.ctx, of, c.Parents[0])
		if err != nil {
			return err
		}
		if last.Authored <= c.Authored {
			continue
		}
		last, _, err = history.Last(a.ctx, of, "--until="+strconv.FormatInt(c.Authored, 10), c.Parents[0])
		if err != nil {
			return err
		}
		before := merge.Set{rel: Shared(rel, a.fileAt(a.ctx, last.Hash, rel))}
		merged, err := MergeSets(a.ctx, a.Repo, present(before), merge.Set{rel: s.before[rel]}, merge.Set{rel: after})
		if err != nil {
			return err
		}
		s.after[rel] = merged.Files[rel]
	}
	return nil
}

// merge returns what a person has changed in a merge: what it has beyond the merge by id of its parents.
func (a *Absorbed) merge(c log.Commit, s step) (step, error) {
	fork, err := log.Of(a.Repo).MergeBase(a.ctx, c.Parents[0], c.Parents[1])
	if err != nil {
		return s, err
	}
	names := namesOf(s.after)
	var files [4]merge.Set
	for i, commit := range [...]string{fork, c.Parents[0], c.Parents[1], c.Hash} {
		files[i], err = a.filesAt(a.ctx, commit, names)
		if err != nil {
			return s, err
		}
		for rel, src := range files[i] {
			files[i][rel] = Shared(rel, src)
		}
	}
	merged, err := MergeSets(a.ctx, a.Repo, files[0], files[1], files[2])
	s = step{merge.Set{}, merge.Set{}}
	for _, set := range []merge.Set{merged.Files, files[3]} {
		for rel := range set {
			if before, after := merged.Files[rel], files[3][rel]; !change.Same(before, after) {
				s.before[rel], s.after[rel] = before, after
			}
		}
	}
	return s, err
}

// namesOf returns the names of files, which they keep if they are moved.
func namesOf(files merge.Set) map[string]bool {
	names := map[string]bool{}
	for rel := range files {
		names[path.Base(rel)] = true
	}
	return names
}

// present returns the files that exist.
func present(files merge.Set) merge.Set {
	files = maps.Clone(files)
	maps.DeleteFunc(files, func(_ string, src []byte) bool { return src == nil })
	return files
}

// addContained replaces what a commit was made from by the newest version that the ref had then, and whose texts the
// commit has: it has versions of operations, as after `git merge --squash`, or an operation began with others that its
// branch lacked.
func (a *Absorbed) addContained(c log.Commit, s step, rel string) {
	had, was, is := a.had[rel].until(c.Authored), a.blob(s.before[rel]), a.blob(s.after[rel])
	before, after := had.index(was), had.index(is)
	if after >= 0 && (before < 0 || after < before) {
		s.before[rel] = s.after[rel]
		return
	}
	from, to := texts(s.before[rel]), texts(s.after[rel])
	maps.DeleteFunc(from, func(line string, _ bool) bool { return !to[line] })
	for _, v := range had {
		src, err := a.Repo.Objects().Blob(v.blob)
		all := texts(src)
		switch isSame := v.blob == was; {
		case err != nil, v.blob == is, isSame && v.at.Unix() < c.Authored:
			return
		case !isSame && src != nil && contains(to, all) && contains(all, from):
			s.before[rel] = src
			return
		}
	}
}

// texts returns the lines that are texts of their own.
func texts(src []byte) map[string]bool {
	all := map[string]bool{}
	for line := range bytes.Lines(src) {
		if ownText.Get().Match(line) {
			all[string(line)] = true
		}
	}
	return all
}

// contains reports whether a set has all elements of another one.
func contains(all, some map[string]bool) bool {
	for element := range some {
		if !all[element] {
			return false
		}
	}
	return true
}

// staleFor is how long after an operation git may still commit an older version that it had read before.
const staleFor = 60

// isStale reports whether a commit takes a file back to an older version of the ref, although nobody meant that: git
// had read the index before an operation, as `git merge --squash` does. A person who has removed the file, or has
// edited it before the commit, meant it.
func (a *Absorbed) isStale(c log.Commit, s step, rel string) bool {
	had, after := a.had[rel], s.after[rel]
	switch {
	case len(had) == 0 || had.index(a.blob(after)) < 0 || strings.HasPrefix(c.Subject, "Revert "):
		return false
	case after == nil:
		return a.isOnDisk(rel, had[0].blob)
	}
	object := filepath.Join(a.Repo.CommonDir(), "objects", c.Hash[:2], c.Hash[2:])
	edited := a.isOnDisk(rel, a.blob(after)) && disk.Changed(a.file(rel)).Before(disk.Changed(object))
	return !edited && s.before[rel] != nil && c.Authored < had[0].at.Unix()+staleFor
}

// blob returns the name of the blob with the content of a file; "" for none.
func (a *Absorbed) blob(src []byte) string {
	if src == nil {
		return ""
	}
	return a.Repo.Objects().BlobHash(src)
}

// apply merges a step into the files of the ref, by id.
func (a *Absorbed) apply(s step) error {
	if len(s.after) == 0 {
		return nil
	}
	ours, err := a.files(namesOf(s.after))
	if err != nil {
		return err
	}
	merged, err := MergeSets(a.ctx, a.Repo, present(s.before), ours, present(s.after))
	if err != nil {
		return err
	}
	for rel := range ours {
		a.set[rel] = merged.Files[rel]
	}
	maps.Copy(a.set, merged.Files)
	return nil
}

// files returns the files with some names that the ref is to have.
func (a *Absorbed) files(names map[string]bool) (merge.Set, error) {
	files, err := a.filesAt(a.ctx, a.tip, names)
	for rel, src := range a.set {
		if names[path.Base(rel)] {
			files[rel] = src
		}
	}
	return present(files), err
}

// finish leaves out files that the ref has already, and describes the others.
func (a *Absorbed) finish() error {
	set, names := a.set, namesOf(a.set)
	after, err := a.files(names)
	if err != nil {
		return err
	}
	a.set = map[string][]byte{}
	before, err := a.files(names)
	for rel, src := range set {
		if !change.Same(src, before[rel]) {
			a.set[rel] = src
		}
	}
	stay := idsIn(after, before)
	gone := slices.DeleteFunc(slices.Sorted(maps.Keys(idsIn(before))), func(id string) bool { return stay[id] })
	if len(gone) > 0 {
		a.Remark = ", without " + text.List(gone, 3) + " (restore: ckpt undelete " + gone[0] + ")"
	}
	a.Remark += a.unreadable(a.set)
	return err
}

// ownText matches a line that is text of its own, such as the entry of a list.
var ownText = text.Regexp(`^(- |\d+\. |\p{L}+[^:_\pL])`)

// addWritten replaces what a commit by hand was made from by the version that ckpt last wrote, if the user has edited
// that one and then committed the file: the file on disk is the one of HEAD, and the commit has a text that is new in
// the version. Other lines are the same in every delta, and git may have brought one of a colleague.
func (a *Absorbed) addWritten(c log.Commit, s step, rel string) {
	state, err := a.Load()
	before, written := s.before[rel], Shared(rel, a.writtenAt(a.ctx, state, rel))
	isKnown := err == nil && written != nil && a.had[rel].index(a.blob(written)) >= 0
	if !isKnown || !change.Same(before, Shared(rel, a.fileAt(a.ctx, state.headThen(), rel))) {
		return
	}
	if !a.isOnDisk(rel, a.Repo.Objects().BlobHash(Shared(rel, a.fileAt(a.ctx, a.head, rel)))) {
		return
	}
	for line := range bytes.Lines(written) {
		isNew := ownText.Get().Match(line) && !bytes.Contains(before, line)
		if isNew && bytes.Contains(s.after[rel], line) && c.Authored >= a.had[rel][0].at.Unix() {
			s.before[rel] = written
		}
	}
}

// passed returns the blobs of head, and of what it has merged or was rebased on, that the ref does not get as they are.
// A sync needs them: the clone that the branch has them from may have changed them since.
func (a *Absorbed) passed() (blobs []string) {
	onto, _ := a.Repo.Offline().Git(a.ctx, nil, "rev-list", "--boundary", "-100", a.head, "--not", "--remotes")
	commits := append(a.merged, a.head)
	for commit := range strings.FieldsSeq(string(onto)) {
		if commit, is := strings.CutPrefix(commit, "-"); is {
			commits = append(commits, commit)
		}
	}
	for rel, src := range a.set {
		for _, commit := range commits {
			passed := a.fileAt(a.ctx, commit, rel)
			blob := a.blob(Shared(rel, passed))
			if passed != nil && !change.Same(Shared(rel, passed), src) && a.had[rel].index(blob) < 0 {
				blobs = append(blobs, blob)
			}
		}
	}
	slices.Sort(blobs)
	return slices.Compact(blobs)
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

// versions are the versions of a file that the ref had, the newest first.
type versions []version

// version is a blob, "" for none, and when the ref got it.
type version struct {
	blob string
	at   time.Time
}

// index returns the index of the newest version with a blob, or -1.
func (v versions) index(blob string) int {
	return slices.IndexFunc(v, func(v version) bool { return v.blob == blob })
}

// until returns the versions that the ref had up to a moment, in seconds.
func (v versions) until(at int64) versions {
	for len(v) > 0 && v[0].at.Unix() > at {
		v = v[1:]
	}
	return v
}

// hadOnRef returns the versions that the ref had of files.
func (b Branch) hadOnRef(ctx context.Context, tip string, paths []string) (map[string]versions, error) {
	had := map[string]versions{}
	if tip == "" || len(paths) == 0 {
		return had, nil
	}
	commits, err := log.Of(b.Repo).Ancestors(ctx, tip, log.Files{Dir: b.Prefix, Names: paths})
	for _, c := range commits {
		for _, f := range c.Files {
			for _, is := range [...]version{{f.After, c.Time}, {f.Before, time.Time{}}} {
				if n := len(had[f.Path]); n == 0 || had[f.Path][n-1].blob != is.blob {
					had[f.Path] = append(had[f.Path], is)
				} else {
					had[f.Path][n-1].at = c.Time
				}
			}
		}
	}
	return had, err
}
