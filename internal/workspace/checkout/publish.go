package checkout

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/workspace/store"
)

// Nothing is recorded in place of the parent of a commit that has none.
const Nothing = "-"

// OpPublish is the operation of a commit that publishes several operations, or publishes one again.
const OpPublish = "publish"

// RecordOwed records, before the ref moves to commit, that an operation changes files on the branch of s. Commit is
// empty if the ref does not move. Commits is false if no commit on the branch follows: then the files get the
// operation even on a detached HEAD.
func (b Branch) RecordOwed(s State, files []change.File, commit string, commits bool) error {
	if !disk.Exists(b.stateFile()) {
		if err := b.Save(s); err != nil { // the commit names the worktree: store that name
			return err
		}
	}
	if !commits {
		return b.owe(cmp.Or(s.Branch, detached), files, commit)
	}
	return b.owe(s.Branch, files, commit)
}

// owe records the branch on which files are published, and that it has yet to get commit's version of them. If branch
// is empty, as on a detached HEAD, a checkpoint stays on the branch where it was published before, if that still
// exists. So does a file of which only the mark changes.
func (b Branch) owe(branch string, files []change.File, commit string) error {
	l, err := b.ledger()
	if err != nil {
		return err
	}
	if branch == detached {
		branch = l.here
	}
	before := map[string]string{} // by name: an archived file has the branch of the active one
	for _, f := range files {
		name := path.Base(f.Path)
		before[name] = cmp.Or(before[name], l.home[f.Path])
		if on := before[name]; on != "" && checkpoint.InArchive(f.Path) {
			before[store.Learnings] = on // learnings are published with their checkpoint
		}
	}
	var lines []string
	for _, f := range files {
		rel := f.Path
		if !Written(rel) {
			continue
		}
		on := cmp.Or(branch, before[path.Base(rel)], l.here)
		if branch == "" && b.isGone(on) {
			on = l.here
		}
		isSame := f.Before != nil && change.Same(Shared(rel, f.Before), Shared(rel, f.After))
		if at := l.home[rel]; at != on && (at == "" || !isSame) {
			lines = append(lines, "home "+on+" "+rel)
		}
		if commit != "" {
			lines = append(lines, debt{branch: on, commit: commit, path: rel}.line())
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return l.add(lines...)
}

// Publishing tells how to publish.
type Publishing struct {
	Commits bool          // commit to the branch, not only write the files
	Later   bool          // if Commits is false: the branch is to get the files later
	Owed    bool          // publish only what the branch has yet to get, not what it has lost
	Besides []change.File // files of the folder that are not in the ref, such as the policy
	Message string        // the message of a commit that has only Besides
	Now     time.Time
}

// lacking returns the files whose version in the ref has yet to be published on the branch. It includes a file that
// was begun on a branch that no longer exists, if this branch has it.
func (b Branch) lacking(f *Found) ([]change.File, error) {
	l, err := b.ledger()
	if err != nil {
		return nil, err
	}
	names := map[string][]string{} // by path: the name and ids of the file; one of them stays if it is moved
	here, edited := map[string]bool{}, map[string]bool{}
	for rel, file := range f.files {
		was, is := checkpoint.IDIn(file.head), checkpoint.IDIn(file.want)
		names[rel] = []string{path.Base(rel), cmp.Or(was, rel), cmp.Or(is, rel)}
		belongs := l.belongs(rel, f.State.Branch) || file.head != nil && b.isGone(l.home[rel])
		for _, name := range names[rel] {
			here[name] = here[name] || belongs
			edited[name] = edited[name] || file.byHand || file.aside
		}
	}
	for rel, file := range f.files { // learnings are published with a checkpoint that is archived now
		archives := checkpoint.InArchive(rel) && file.head == nil && here[path.Base(rel)]
		here[store.Learnings] = here[store.Learnings] || archives
	}
	var files []change.File
	for _, rel := range slices.Sorted(maps.Keys(f.files)) {
		file := f.files[rel]
		in := func(set map[string]bool) bool {
			return slices.ContainsFunc(names[rel], func(name string) bool { return set[name] })
		}
		published := change.Same(file.head, file.want) && (file.skipped || !file.outdated())
		if !in(here) || in(edited) || published {
			continue
		}
		if file.unsettled {
			return nil, fault.New(fault.Refused, "%q has a merge conflict", b.Prefix+"/"+rel).WithHint("ckpt resolve")
		}
		files = append(files, change.File{Path: b.Prefix + "/" + rel, Before: file.disk, After: file.want})
	}
	return files, nil
}

// Publish writes the files that are published on the branch of a worktree and, with p.Commits, commits them. It
// returns the commit; "" if it makes none. The caller has the exclusive lock. After an error the ref is unchanged, and
// the next call publishes.
func (b Branch) Publish(ctx context.Context, f *Found, tip string, p Publishing) (string, error) {
	if b.apart {
		return "", b.update(f)
	}
	files, err := b.lacking(f)
	if err != nil {
		return "", err
	}
	for _, file := range p.Besides {
		file.Path = b.Prefix + "/" + file.Path
		files = append(files, file)
	}
	files, err = b.addKeepFiles(ctx, f, files)
	if err != nil {
		return "", err
	}
	s := f.State
	if f.Unsure() {
		return "", git.ErrMoved
	}
	if p.Owed && s.written == tip && !b.owed(func(d debt) bool { return d.isTo(s.Branch) }) {
		return "", b.finish(s, f, tip, "", nil, true)
	}
	onBranch := s.Branch != "" && f.Head.Ref != "" && b.Repo.InProgress() == ""
	if len(files) == 0 || !p.Commits && b.Repo.InProgress() == "" {
		return "", b.write(f, tip, files, p, onBranch)
	}
	if !onBranch {
		return "", git.ErrLeft
	}
	if err := b.checkIgnored(ctx, f.Head.Hash); err != nil {
		return "", err
	}
	message, err := b.message(ctx, f, tip, files, p)
	if err != nil {
		return "", err
	}
	if unseen, err := b.IsUnseen(ctx, f.Head.Hash); unseen || err != nil {
		return "", cmp.Or(err, git.ErrMoved)
	}
	made, err := b.land(ctx, &s, files, message, p.Now, b.writeAll)
	if err != nil {
		return "", err
	}
	f.landed = disk.Changed(b.Repo.Index().File())
	return made, b.finish(s, f, tip, made, files, false)
}

// write writes files without a commit. It returns git.ErrLeft if HEAD is detached and a branch lacks something.
func (b Branch) write(f *Found, tip string, files []change.File, p Publishing, onBranch bool) error {
	s := f.State
	if len(files) > 0 {
		if err := b.beginLanding(&s, f.Head.Hash); err != nil {
			return err
		}
	}
	wrote, err := b.writeAll(files)
	if err != nil {
		return err
	}
	s.landing, f.Wrote = "", len(wrote)
	lacks := func(d debt) bool { // false if the user has committed the file
		file := f.files[d.path]
		return d.isTo(s.Branch) && file != nil && !change.Same(file.head, file.want)
	}
	err = b.finish(s, f, tip, "", files, p.Later && (!onBranch || b.owed(lacks)))
	if away := s.Branch == "" && p.Commits; err == nil && away && len(b.debtors()) > 0 {
		err = git.ErrLeft
	}
	return err
}

// checkIgnored refuses a folder that git ignores, unless the commit has it: git would not show new files in it.
func (b Branch) checkIgnored(ctx context.Context, commit string) error {
	tree, err := b.tree(ctx, commit)
	if tree != "" || err != nil {
		return err
	}
	rule, err := b.Repo.Worktree().IgnoredBy(ctx, b.Prefix+"/"+store.ActiveKeep)
	if rule == "" || err != nil {
		return err
	}
	return fault.New(fault.Refused, "git ignores %s/ (%s): git config ckpt.commit off, or ckpt migrate --to ref", b.Prefix,
		rule)
}

// addKeepFiles adds those of [store.KeepFiles] that the branch lacks, if a checkpoint is added to the branch or
// removed from it. Git detects renamed folders: if one side of a merge has moved all files out of a folder, git
// also moves the files that the other side has added there. For active/ and archive/ that is always wrong, and
// a checkpoint that is archived on one side can vanish in a merge without conflicts. A file that stays in each
// folder prevents this.
func (b Branch) addKeepFiles(ctx context.Context, f *Found, files []change.File) ([]change.File, error) {
	comesOrGoes := func(file change.File) bool {
		rel := strings.TrimPrefix(file.Path, b.Prefix+"/")
		found := f.files[rel]
		return found != nil && checkpoint.IsFile(rel) && (found.head == nil) != (found.want == nil)
	}
	if !slices.ContainsFunc(files, comesOrGoes) {
		return files, nil
	}
	var paths []string
	for _, rel := range store.KeepFiles {
		paths = append(paths, b.Prefix+"/"+rel)
	}
	committed, err := b.Repo.Objects().EntriesIn(ctx, f.Head.Hash, paths)
	if err != nil {
		return nil, err
	}
	for i, rel := range store.KeepFiles {
		isNew := committed[paths[i]].IsZero() && !slices.Contains(change.Paths(files), paths[i])
		src, err := b.onDisk(rel)
		if isNew && len(src) == 0 && err == nil { // otherwise the file is the user's
			files = append(files, change.File{Path: paths[i], Before: src, After: []byte{}})
		}
	}
	return files, nil
}

// update writes the files in ref mode, and then the state file: if it is killed in between, the next update merges
// files that were changed meanwhile. First it removes the temporary files that a killed process left.
func (b Branch) update(f *Found) error {
	dirs, isNew := map[string]bool{b.Dir: true, b.file(store.Active): true}, false
	var files []change.File
	for _, rel := range slices.Sorted(maps.Keys(f.Laid)) {
		dirs[filepath.Dir(b.file(rel))] = true
		isNew = isNew || f.files[rel].disk == nil // perhaps in a folder that git does not ignore yet
		files = append(files, change.File{Path: b.Folder() + "/" + rel, Before: f.files[rel].disk, After: f.Laid[rel]})
	}
	var errs []error
	for dir := range dirs {
		errs = append(errs, disk.Sweep(dir))
	}
	if err := errors.Join(errs...); err != nil || !f.IsBehind() {
		return err
	}
	if isNew || !disk.Exists(b.stateFile()) {
		if err := b.Exclude(); err != nil {
			return err
		}
	}
	if _, err := b.writeAll(files); err != nil {
		return err
	}
	return b.Save(f.State)
}

// CommitFiles commits files that the ref does not have, such as the policy, to the branch. It writes them afterwards,
// so that the folder never has a commit mode that the branch lacks. Then Recover writes what is missing.
func (b Branch) CommitFiles(ctx context.Context, files []change.File, message string, now time.Time) (string, error) {
	later := func([]change.File) ([]change.File, error) { return nil, nil }
	made, err := b.land(ctx, &State{}, files, message, now, later)
	if made == "" && err != nil {
		return "", err
	}
	_, _ = b.writeAll(files)
	return made, nil
}

// land commits files to the branch, and calls write before the branch moves. It returns the commit, or "" if the
// branch has the files already. The caller saves the state.
func (b Branch) land(ctx context.Context, s *State, files []change.File, message string,
	now time.Time, write func([]change.File) ([]change.File, error)) (string, error) {
	on, err := b.Repo.Checkout()
	if err != nil {
		return "", err
	}
	draft, err := commit.Of(b.Repo).Prepare(ctx, on, files, message, now)
	if err != nil {
		return "", err
	}
	var back []change.File
	made, err := draft.Land(ctx, func() (err error) {
		if !draft.Empty {
			if err := b.beginLanding(s, draft.Parent); err != nil {
				return err
			}
		}
		back, err = write(files)
		return err
	})
	if err != nil {
		_, _ = b.writeAll(back) // git may have checked out another commit, to which the files do not belong
	}
	if err != nil || made == "" {
		return "", err
	}
	if !draft.IndexBehind() { // otherwise the next command repairs the index
		s.landing = ""
	}
	return made, b.saw(draft.Parent, made)
}

// beginLanding records that files are written on top of a commit: after a crash, the next command cleans up.
func (b Branch) beginLanding(s *State, on string) error {
	s.landing = cmp.Or(on, Nothing)
	_, err := disk.Append(b.stateFile(), []byte("landing "+s.landing+"\n"), 0o666)
	return err
}

// saw records that the ref has seen all commits after parent, up to made.
func (b Branch) saw(parent, made string) error {
	l, err := b.ledger()
	if err != nil {
		return err
	}
	return l.add("seen " + made + " " + parent)
}

// paid records that a branch has got the files of all matching debts.
func (b Branch) paid(branch string, is func(debt) bool) error {
	l, err := b.ledger()
	if err != nil {
		return err
	}
	var lines []string
	for _, d := range l.owed {
		if !is(d) {
			continue
		}
		lines = append(lines, "paid "+d.branch+" "+d.path)
		if l.isAny(l.home[d.path]) {
			lines = append(lines, "home "+branch+" "+d.path)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	slices.Sort(lines)
	return l.add(slices.Compact(lines)...)
}

// owed reports whether there is a matching debt.
func (b Branch) owed(is func(debt) bool) bool {
	l, err := b.ledger()
	return err == nil && slices.ContainsFunc(l.owed, is)
}

// finish records that files were written and, unless made is empty, committed. If later is set, they are still owed.
func (b Branch) finish(s State, f *Found, tip, made string, files []change.File, later bool) error {
	var marks []string
	older := map[string]string{}
	for rel, file := range f.files {
		src := file.head
		switch {
		case slices.ContainsFunc(files, func(c change.File) bool { return c.Path == b.Prefix+"/"+rel }):
			src = file.want
		case file.unsettled, file.byHand && file.base == nil: // a person resolves or creates the file
		case file.byHand:
			older[rel] = b.Repo.Objects().BlobHash(Shared(rel, file.base))
		case file.disk != nil && !change.Same(file.disk, file.want):
			older[rel] = b.Repo.Objects().BlobHash(Shared(rel, file.disk))
		case file.outdated() && !file.skipped: // ckpt has removed it, or has yet to write it
			older[rel] = ""
		}
		if id := MarkedID(rel, src); id != "" {
			marks = append(marks, id)
		}
	}
	if slices.Sort(marks); made != "" && len(marks) < 2 {
		s.marked[s.Branch] = strings.Join(marks, ",")
	}
	s.written, s.older, s.at = tip, older, cmp.Or(made, stamp(f.Head))
	clear(s.taken)
	f.State = s
	if err := b.Save(s); err != nil || later || s.Branch == "" {
		return err
	}
	return b.paid(s.Branch, func(d debt) bool {
		return d.isTo(s.Branch) && (made == "" || !f.leavesOut(d)) // if made is empty, the user commits the files
	})
}

// stamp returns the commit of a HEAD, with a prefix if HEAD is detached.
func stamp(head git.Head) string {
	if head.Ref == "" {
		return detached + head.Hash
	}
	return head.Hash
}

// debtors returns the branches that have yet to get something. If the ledger cannot be read, it returns none: the next
// operation reports the error.
func (b Branch) debtors() []string {
	l, _ := b.ledger()
	return l.debtors()
}

// Waits describes the operations that are not published yet; "" if all are.
func (b Branch) Waits(f *Found) string {
	all := b.debtors()
	if len(all) == 0 {
		return ""
	}
	why := "ckpt save on the branch publishes them"
	if len(f.Linked) > 0 {
		why = b.Prefix + "/" + f.Linked[0] + " is a symbolic link"
	}
	if state := b.Repo.InProgress(); state != "" {
		why = "a " + state + " is in progress"
	}
	where := strings.Join(all, ", ")
	if strings.HasPrefix(all[len(all)-1], detached) { // no branch is among them
		where, why = "a detached HEAD", "git switch BRANCH in its worktree, and the next command there publishes them"
	}
	return "operations of " + where + " are not published yet: " + why
}

// Unpublishable describes an error of Publish for the receipt.
func (b Branch) Unpublishable(err error) string {
	on, _ := b.Repo.Checkout()
	now, _ := b.Repo.Still(on)
	switch {
	case now.InProgress != "":
		return "a " + now.InProgress + " is in progress"
	case on.Head().Ref == "":
		return "HEAD is detached"
	case errors.Is(err, commit.ErrSigner):
		return "the signing program does not answer"
	case fault.KindOf(err) == fault.Busy, errors.Is(err, git.ErrMoved), errors.Is(err, git.ErrLeft),
		errors.Is(err, disk.ErrChanged):
		return cmp.Or(b.Repo.Index().DescribeLock(), "git is changing the branch or the files")
	}
	return err.Error()
}

// Took records the edits by hand that an operation has committed only to the ref: the next edits start from them.
func (b Branch) Took(f *Found, changed []change.File) error {
	batch := b.Repo.Objects().NewBatch(context.Background())
	for _, o := range changed {
		file := f.files[o.Path]
		if file == nil || file.disk == nil || change.Same(file.disk, file.head) {
			continue
		}
		if file.outdated() && !file.unsettled {
			f.State.taken[o.Path] = batch.Add(object.Blob, Shared(o.Path, file.disk))
		}
	}
	if len(f.State.taken) == 0 {
		return nil
	}
	return cmp.Or(batch.Flush(false), b.Save(f.State))
}
