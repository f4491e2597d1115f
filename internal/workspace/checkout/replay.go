package checkout

import (
	"bytes"
	"cmp"
	"fmt"
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
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/text"
)

// replay merges the changes of each new commit of the branch into the files of the ref, the oldest commit first. A
// copy of an operation of the ref, as after a rebase, counts only as what the user has changed in it: by amending it,
// or by resolving conflicts.
func (a *Absorbed) replay() error {
	l, err := a.ledger()
	if err != nil {
		return err
	}
	commits, copies, err := a.commits(l.seen)
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, c := range commits {
		for _, f := range c.Files {
			names[path.Base(f.Path)] = true
		}
	}
	a.had, err = log.Of(a.Repo).Blobs(a.ctx, a.tip, a.Prefix, slices.Sorted(maps.Keys(names)))
	if err != nil {
		return err
	}
	a.pending = step{merge.Set{}, merge.Set{}}
	for _, c := range slices.Backward(commits) {
		s, err := a.step(c, copies[c.Operation()])
		if err == nil && !a.pending.leadsTo(s) {
			err = a.apply(a.pending)
			a.pending = step{merge.Set{}, merge.Set{}}
		}
		if err != nil {
			return err
		}
		a.pending.add(s)
	}
	if err := a.apply(a.pending); err != nil {
		return err
	}
	return a.finish()
}

// commits returns the commits of HEAD that the ref has not seen, here or in a clone that it was synced with, the
// newest first. The map has the commits that the ref has seen since about the time of the oldest one, by operation.
func (a *Absorbed) commits(seen []string) ([]log.Commit, map[log.Operation][]log.Commit, error) {
	history, options := log.Of(a.Repo), append([]string{"--not"}, seen...)
	commits, err := history.Ancestors(a.ctx, a.head, log.Files{Dir: a.Prefix}, options...)
	if err != nil || len(commits) == 0 {
		return nil, nil, err
	}
	first := slices.MinFunc(commits, func(c, other log.Commit) int { return cmp.Compare(c.Authored, other.Authored) })
	since := time.Unix(first.Authored, 0).Add(-24 * time.Hour) // clocks differ
	among := append([]string{"--full-history", fmt.Sprintf("--since=%d", since.Unix())}, seen...)
	had, err := history.Ancestors(a.ctx, a.tip, log.Files{Dir: a.Prefix}, among...)
	known, elsewhere := map[log.Operation][]log.Commit{}, []string{}
	for _, c := range had {
		known[c.Operation()] = append(known[c.Operation()], c)
		elsewhere = append(elsewhere, c.TookIn()...)
	}
	if err == nil && len(elsewhere) > 0 {
		commits, err = history.Ancestors(a.ctx, a.head, log.Files{Dir: a.Prefix}, append(options, elsewhere...)...)
	}
	return commits, known, err
}

// step is what commits have changed: the contents of files before and after. Nil means that there is no file.
type step struct{ before, after merge.Set }

// drop removes a file from the step.
func (s step) drop(rel string) {
	delete(s.before, rel)
	delete(s.after, rel)
}

// leadsTo reports whether another step begins with the files as s leaves them.
func (s step) leadsTo(next step) bool {
	for rel := range next.before {
		at, from := place(s.after, rel), place(next.before, rel)
		after, has := s.after[at]
		if has && !(at == from && change.Same(after, next.before[from])) {
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

// changes returns what a commit has changed.
func (a *Absorbed) changes(c log.Commit) (step, error) {
	s := step{merge.Set{}, merge.Set{}}
	for _, f := range c.Files {
		if a.skips(f.Path) || f.After == "" && a.ModeAt(a.ctx, c.Hash) == policy.Ref {
			continue
		}
		before, failed := a.Repo.Objects().Blob(f.Before)
		after, err := a.Repo.Objects().Blob(f.After)
		if err := cmp.Or(failed, err); err != nil {
			return s, err
		}
		if !isLost(f.Path, before, after) { // otherwise readers list the file as unreadable
			s.before[f.Path], s.after[f.Path] = Shared(f.Path, before), Shared(f.Path, after)
			if had := a.had[path.Base(f.Path)]; after != nil && had.Index(a.blob(s.after[f.Path])) < 0 {
				a.passed = append(a.passed, fmt.Sprint(a.blob(s.after[f.Path]), " ", c.Authored, " ", f.Path))
			}
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
		if rest, err := a.copied(s, k); rest != nil || err != nil {
			return *cmp.Or(rest, &s), err
		}
	}
	for rel := range maps.Clone(s.after) {
		if src, is := a.pending.after[rel]; is && src == nil { // an earlier commit removed the file, this one restores it
			continue
		}
		if !c.IsOperation() {
			a.addWritten(c, s, rel)
		}
		if rel == place(s.after, rel) {
			a.addContained(c, s, rel)
		}
	}
	var none []string
	isMeant := c.IsOperation(OpPublish)
	for rel, after := range s.after {
		if change.Same(s.before[rel], after) || !isMeant && a.isStale(c, s, rel) {
			none = append(none, rel)
		}
	}
	for _, rel := range none {
		s.drop(rel)
	}
	return s, a.addMissed(c, s)
}

// copied returns what a step changes besides the change of known, a commit of the same operation: the user has
// amended the copy, or resolved a conflict in it. It returns nil if the step is not a copy of known.
func (a *Absorbed) copied(s step, known log.Commit) (*step, error) {
	k, err := a.changes(known)
	if err != nil {
		return nil, err
	}
	if maps.EqualFunc(s.after, k.after, change.Same) { // a plain copy, or a conflict in which the user took this side
		return &step{}, nil
	}
	rest := step{maps.Clone(s.before), maps.Clone(s.after)}
	err = a.leaveOut(rest, k.before, k.after)
	isApplied := maps.EqualFunc(rest.before, s.before, change.Same) // s already begins with the change of known
	if isApplied || len(rest.after) > 0 && !known.IsOperation(OpPublish, "save") {
		return nil, err
	}
	return &rest, err
}

// leaveOut removes from a step, by id, the changes that lead from one version of the files to another.
func (a *Absorbed) leaveOut(s step, from, to merge.Set) error {
	merged, err := MergeSets(a.ctx, a.Repo, present(from), present(s.before), present(to))
	for rel, after := range s.after {
		s.before[rel] = merged.Files[rel]
		if change.Same(after, s.before[rel]) {
			s.drop(rel)
		}
	}
	return err
}

// addMissed adds to the step of a rebased commit what its author had not seen. If the commit lacks it, the user did
// not remove it, but took one side of a conflict.
func (a *Absorbed) addMissed(c log.Commit, s step) error {
	history := log.Of(a.Repo)
	for rel, after := range s.after {
		isRebased := c.Time.Unix() != c.Authored
		if !isRebased || s.before[rel] == nil || after == nil {
			continue
		}
		of := log.Files{Dir: a.Prefix, Names: []string{rel}}
		last, _, err := history.Last(a.ctx, of, c.Parents[0])
		if err == nil && last.Authored <= c.Authored {
			continue
		}
		then, _, failed := history.Last(a.ctx, of, "--until="+strconv.FormatInt(c.Authored, 10), c.Parents[0])
		if err := cmp.Or(err, failed); err != nil {
			return err
		}
		before := merge.Set{rel: Shared(rel, a.fileAt(a.ctx, then.Hash, rel))}
		merged, err := MergeSets(a.ctx, a.Repo, present(before), merge.Set{rel: s.before[rel]}, merge.Set{rel: after})
		if err != nil {
			return err
		}
		maps.Copy(s.after, merged.Files)
	}
	return nil
}

// merge returns what a person has changed in a merge commit: how it differs from the merge of its parents by id.
func (a *Absorbed) merge(c log.Commit, s step) (step, error) {
	fork, err := log.Of(a.Repo).MergeBase(a.ctx, c.Parents[0], c.Parents[1])
	names := namesOf(s.after)
	var files [4]merge.Set
	for i, commit := range [...]string{fork, c.Parents[0], c.Parents[1], c.Hash} {
		if err != nil {
			return s, err
		}
		files[i], err = a.filesAt(a.ctx, commit, names)
		for rel, src := range files[i] {
			files[i][rel] = Shared(rel, src)
		}
	}
	s = step{files[1], files[3]}
	for rel := range s.before {
		s.after[rel] = files[3][rel]
	}
	return s, cmp.Or(err, a.leaveOut(s, files[0], files[2]))
}

// namesOf returns the names of files, which they keep if they are moved.
func namesOf(files merge.Set) map[string]bool {
	names := map[string]bool{}
	for rel := range files {
		names[path.Base(rel)] = true
	}
	return names
}

// place returns rel or, if files lacks it but has the same file name elsewhere, that path: the file was moved.
func place(files merge.Set, rel string) string {
	for at, src := range files {
		if files[rel] == nil && src != nil && path.Base(at) == path.Base(rel) {
			return at
		}
	}
	return rel
}

// present returns the files that exist.
func present(files merge.Set) merge.Set {
	files = maps.Clone(files)
	maps.DeleteFunc(files, func(_ string, src []byte) bool { return src == nil })
	return files
}

// addContained compares a commit with the newest version of the ref at that time that has the same id and whose text
// it contains, not with its parent. So operations of the ref in the commit, as after `git merge --squash`, are not its
// changes.
func (a *Absorbed) addContained(c log.Commit, s step, rel string) {
	from, had := place(s.before, rel), a.had[path.Base(rel)].Until(c.Authored)
	was, is := a.blob(s.before[from]), a.blob(s.after[rel])
	replace := func(at string, src []byte) {
		s.before[from], s.before[at] = nil, src
		if _, has := s.after[at]; !has {
			s.after[at] = nil
		}
	}
	before, after := max(had.Index(was), 0), had.Index(is)
	if after >= 0 && after < before && !c.IsOperation() {
		replace(had[after].Path, s.after[rel])
		return
	}
	id := checkpoint.IDIn(s.after[rel])
	for _, v := range had[:before] {
		src, err := a.Repo.Objects().Blob(v.Blob)
		switch {
		case err != nil, v.Blob == is:
			return
		case src == nil:
		case !lacks(s.after[rel], src) && !lacks(src, s.before[from], s.after[rel]) && checkpoint.IDIn(src) == id:
			replace(v.Path, src)
			return
		}
	}
}

// lacks reports whether a file lacks a line that matches ownText and that all others have.
func lacks(file []byte, others ...[]byte) bool {
	for line := range bytes.Lines(others[0]) {
		isMissing := func(src []byte) bool { return !bytes.Contains(src, line) }
		if ownText.Get().Match(line) && isMissing(file) && !slices.ContainsFunc(others, isMissing) {
			return true
		}
	}
	return false
}

// staleFor is how many seconds after an operation git may still commit an older version that it had read before.
const staleFor = 60

// isStale reports whether a commit takes a file back to an older version of the ref by accident. Git had read the
// index before an operation, as `git merge --squash` does, or another clone has published its version again. It is no
// accident if a person has removed or restored the file, or has edited it before the commit.
func (a *Absorbed) isStale(c log.Commit, s step, rel string) bool {
	rel = place(s.after, rel)
	had, before, after := a.had[path.Base(rel)], s.before[place(s.before, rel)], s.after[rel]
	switch {
	case len(had) == 0 || had.Index(a.blob(after)) < 0 || strings.HasPrefix(c.Subject, "Revert "):
		return false
	case c.IsOperation():
		return true
	case after == nil:
		return a.isOnDisk(rel, had[0].Blob)
	}
	object := filepath.Join(a.Repo.CommonDir(), "objects", c.Hash[:2], c.Hash[2:])
	edited := a.isOnDisk(rel, a.blob(after)) && disk.Changed(a.file(rel)).Before(disk.Changed(object))
	return !edited && before != nil && c.Authored < had[0].At.Unix()+staleFor
}

// blob returns the hash of the blob with this content, or "" if src is nil.
func (a *Absorbed) blob(src []byte) string {
	if src == nil {
		return ""
	}
	return a.Repo.Objects().BlobHash(src)
}

// apply merges a step into the files of the ref, by id.
func (a *Absorbed) apply(s step) error {
	ours, err := a.files(namesOf(s.after))
	if err != nil {
		return err
	}
	merged, err := MergeSets(a.ctx, a.Repo, present(s.before), ours, present(s.after))
	for rel := range ours {
		a.set[rel] = merged.Files[rel]
	}
	maps.Copy(a.set, merged.Files)
	return err
}

// files returns the files with some names as the ref is to have them: those at tip, changed by set.
func (a *Absorbed) files(names map[string]bool) (merge.Set, error) {
	files, err := a.filesAt(a.ctx, a.tip, names)
	for rel, src := range a.set {
		if names[path.Base(rel)] {
			files[rel] = src
		}
	}
	return present(files), err
}

// finish drops from set the files that the ref has already, and sets Remark.
func (a *Absorbed) finish() error {
	names := namesOf(a.set)
	after, failed := a.files(names)
	before, err := a.filesAt(a.ctx, a.tip, names)
	maps.DeleteFunc(a.set, func(rel string, src []byte) bool { return change.Same(src, before[rel]) })
	stay := idsIn(after, before)
	gone := slices.DeleteFunc(slices.Sorted(maps.Keys(idsIn(before))), func(id string) bool { return stay[id] })
	if len(gone) > 0 {
		a.Remark = ", without " + text.List(gone, 3) + " (restore: ckpt undelete " + gone[0] + ")"
	}
	a.Remark += a.unreadable(a.set)
	return cmp.Or(failed, err)
}

// ownText matches a line with text of an author, such as the entry of a list, but no key or heading.
var ownText = text.Regexp(`^(- |\d+\. |\p{L}+[^:_\pL])`)

// addWritten compares a commit by hand not with its parent, but with the version that ckpt last wrote, if the user
// has edited that version and then committed the file. This is so if the file on disk is as in HEAD, and the commit
// was made in this worktree and has text that is new in that version. Only text of an author counts: other lines are
// the same in every delta.
func (a *Absorbed) addWritten(c log.Commit, s step, rel string) {
	state, err := a.Load()
	from := place(s.before, rel)
	before, written := s.before[from], Shared(rel, a.writtenAt(a.ctx, state, rel))
	isKnown := err == nil && written != nil && a.had[path.Base(rel)].Index(a.blob(written)) >= 0
	if !isKnown || !change.Same(before, Shared(from, a.fileAt(a.ctx, state.headThen(), from))) {
		return
	}
	isCommitted := a.isOnDisk(rel, a.Repo.Objects().BlobHash(Shared(rel, a.fileAt(a.ctx, a.head, rel))))
	isOwn := change.Same(written, s.after[rel]) || log.Of(a.Repo).IsOwn(a.ctx, a.Prefix, rel, c)
	isNew := c.Authored >= a.had[path.Base(rel)][0].At.Unix() && lacks(before, written, s.after[rel])
	if isCommitted && isOwn && isNew {
		s.before[from] = written
	}
}

// isOnDisk reports whether the file on disk has the content of a blob, apart from the mark of the current checkpoint.
func (a *Absorbed) isOnDisk(rel, blob string) bool {
	src, _ := a.onDisk(rel) // nil if it cannot be read
	is, err := Same(a.Repo, rel, src, blob)
	return src != nil && is && err == nil
}
