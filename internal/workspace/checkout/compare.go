package checkout

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/workspace/store"
)

type comparing struct {
	Branch
	*Found
	ctx     context.Context
	from    string // the commit that the files are from
	tip     string
	was     State  // the state as it was read
	before  *Found // the comparison that the operation began with; may be nil
	changed []change.File
	marks   []string          // the ids that HEAD marks as current
	paths   map[string]string // by id: the paths of active checkpoints; nil until activeIDs is called
	failed  error             // the first error of a step

	away       bool // a rebase or a bisect has checked out another commit than the branch's
	noArchive  bool // the files of the archive are left out
	unreadable bool // HEAD has a file that may be marked as current, but cannot be read
}

// read adds the files that differ and runs the steps, which add others and decide which checkpoint is current.
// Then it fills Laid, which is read in place of files.
func (c *comparing) read(steps ...func() error) error {
	for _, step := range append([]func() error{c.addDiffering}, steps...) {
		c.fail(step())
	}
	if c.failed != nil {
		return c.failed
	}
	return c.lay()
}

// addDiffering adds the files that differ between the two commits. It also adds those that an operation has changed,
// that the ref has changed since ckpt last wrote the files, or that ckpt left alone at that time.
func (c *comparing) addDiffering() error {
	differ, err := c.differing(c.ctx, c.from, c.tip)
	if err != nil {
		return err
	}
	others := slices.AppendSeq(change.Paths(c.changed), maps.Keys(c.State.older))
	others = slices.AppendSeq(others, maps.Keys(c.Opened))
	for rel, blob := range c.was.left {
		entries, err := c.entries(rel)
		if err != nil {
			return err
		}
		differ[rel] = [2]git.Entry{git.FileEntry(blob), entries[1]}
	}
	for rel, versions := range differ {
		if !Written(rel) || c.noArchive && checkpoint.InArchive(rel) {
			continue
		}
		c.fail(c.add(rel, versions))
	}
	if c.State.written != "" && c.State.written != c.tip {
		since, _ := c.differing(c.ctx, c.State.written, c.tip) // none if git has removed the commit
		others = slices.AppendSeq(others, maps.Keys(since))
	}
	for _, rel := range others {
		if Written(rel) && !(c.noArchive && checkpoint.InArchive(rel)) {
			c.fail(c.addFrom(rel))
		}
	}
	return nil
}

// addBrought adds the files that commits of the branch have brought.
func (c *comparing) addBrought() error {
	for rel, src := range c.brought {
		if err := c.addFrom(rel); err != nil {
			return err
		}
		c.files[rel].ref = src
	}
	return nil
}

// isSparse reports whether a sparse checkout may leave files out.
func (c *Checkout) isSparse() bool {
	return disk.Exists(filepath.Join(c.Repo.GitDir(), "info", "sparse-checkout"))
}

// addSkipped adds the files that were not checked out: a sparse checkout leaves them out, or there is no index yet.
// They are read from the ref.
func (c *comparing) addSkipped() error {
	isEmpty := !disk.Exists(c.Repo.Index().File()) // as after git worktree add --no-checkout
	if !isEmpty && !c.isSparse() {
		return nil
	}
	tree, err := c.Repo.Objects().FolderAt(c.ctx, c.Head.Hash, c.Prefix)
	if err != nil {
		return err
	}
	var gone []string
	for rel := range tree {
		if src, err := c.onDisk(rel); Written(rel) && src == nil && err == nil {
			gone = append(gone, c.Prefix+"/"+rel)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	skipped := map[string]bool{}
	if isEmpty {
		for _, at := range gone {
			skipped[at] = true
		}
	} else {
		skipped, err = c.Repo.Index().Skipped(c.ctx, gone)
	}
	for at := range skipped {
		rel := strings.TrimPrefix(at, c.Prefix+"/")
		if err == nil {
			err = c.addFrom(rel)
		}
		if err == nil {
			c.files[rel].skipped = true
		}
	}
	return err
}

// add reads the versions of a file in the two commits and on disk.
func (c *comparing) add(rel string, versions [2]git.Entry) error {
	f := &file{}
	head := versions[0]
	f.link = !head.IsZero() && !head.Regular()
	f.aside = f.link
	var err error
	if !f.aside {
		f.head, err = c.Repo.Objects().Blob(head.Hash)
	}
	if err == nil {
		f.ref, err = c.Repo.Objects().Blob(versions[1].Hash)
	}
	if err == nil {
		f.disk, err = c.onDisk(rel)
		unread := errors.Is(err, disk.ErrTooLarge) || errors.Is(err, fs.ErrPermission)
		if unread || !c.hasChanged(rel) && isLost(rel, f.ref, f.disk) { // readers list the file as unreadable
			f.aside, err = true, nil
			if c.apart && versions[0] != versions[1] {
				c.State.left[rel] = head.Hash
			}
		}
	}
	c.files[rel] = f
	if f.head == nil || c.apart || !strings.HasPrefix(rel, store.Active+"/") {
		return err
	}
	parsed, bad := checkpoint.Parse(rel, f.head)
	switch {
	case bad == nil && parsed.MarkedCurrent():
		c.marks = append(c.marks, parsed.ID)
	case bad != nil && (!errors.Is(bad, checkpoint.ErrOther) || checkpoint.IDIn(f.ref) != ""):
		c.unreadable = true
	}
	return err
}

// addUnknown adds the files on disk that neither HEAD nor the ref has: a person or a merge in progress has added
// them. While git is busy, it also adds the files that are missing on disk: the merge may have removed or moved them.
func (c *comparing) addUnknown() error {
	folders, busy := []string{store.Active}, c.Repo.InProgress() != ""
	if busy {
		folders = append(folders, store.Archive)
	}
	for _, folder := range folders {
		entries, err := os.ReadDir(c.file(folder))
		if errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault.New(fault.Failed, "read %s: %w", c.file(folder), disk.Pathless(err))
		}
		tree, err := c.Repo.Objects().TreeAt(c.ctx, c.tip, c.Prefix+"/"+folder)
		for name := range tree {
			if rel := folder + "/" + name; busy && Written(rel) && !disk.Exists(c.file(rel)) {
				err = errors.Join(err, c.addFrom(rel))
			}
		}
		if err != nil {
			return err
		}
		for _, e := range entries {
			rel := folder + "/" + e.Name()
			known := tree[e.Name()] != "" || c.files[rel] != nil
			if known || !e.Type().IsRegular() || !checkpoint.IsFile(rel) {
				continue
			}
			c.fail(c.add(rel, [2]git.Entry{}))
		}
	}
	return nil
}

// addConflicts adds the files that a merge or the like has left in conflict. If config.yaml is one of them, readers
// get HEAD's version.
func (c *comparing) addConflicts() error {
	merged := disk.Exists(filepath.Join(c.Repo.GitDir(), "AUTO_MERGE")) // also after git merge --squash and git stash pop
	if c.Repo.InProgress() == "" && !merged {
		return nil
	}
	unmerged, err := log.Of(c.Repo).Unmerged(c.ctx, c.Prefix)
	conflicts := unmerged.Paths()
	for rel := range conflicts {
		if err == nil && Written(rel) {
			err = c.addFrom(rel)
		}
	}
	if err != nil || !conflicts[store.ConfigFile] {
		return err
	}
	c.Laid[store.ConfigFile], err = c.Repo.Objects().FileAt(c.ctx, c.Head.Hash, c.Prefix+"/"+store.ConfigFile)
	return err
}

// addFrom adds a file with its versions in the two commits, unless it was added before.
func (c *comparing) addFrom(rel string) error {
	if c.files[rel] != nil {
		return nil
	}
	versions, err := c.entries(rel)
	if err != nil {
		return err
	}
	return c.add(rel, versions)
}

// entries returns the entries of a file in the two commits.
func (c *comparing) entries(rel string) (versions [2]git.Entry, err error) {
	at := c.Prefix + "/" + rel
	for i, commit := range [...]string{c.from, c.tip} {
		entries, err := c.Repo.Objects().EntriesIn(c.ctx, commit, []string{at})
		if err != nil {
			return versions, err
		}
		versions[i] = entries[at]
	}
	return versions, nil
}

// lay decides what is read in place of the files on disk.
func (c *comparing) lay() error {
	isNewer := disk.Changed(c.Repo.Index().File()).Before(disk.Changed(c.stateFile()))
	c.idle = isNewer && !c.apart && c.State.headThen() == c.Head.Hash // git may move HEAD later than it writes the index
	if c.before != nil {
		c.idle = c.before.idle && c.before.At == c.At // the operation may have written the state
	}
	var asked []string
	for _, rel := range slices.Sorted(maps.Keys(c.files)) {
		if !c.apart {
			if err := c.keepCR(rel); err != nil {
				return err
			}
		}
		if !c.known(rel) {
			asked = append(asked, rel)
		}
		if f := c.files[rel]; f.link && f.ref != nil {
			c.Linked = append(c.Linked, rel)
		}
	}
	if len(asked) > 0 && !c.Unsure() {
		if err := c.findEdits(asked); err != nil {
			return err
		}
	}
	for rel, f := range c.files {
		if instead := f.link && f.ref != nil; instead || f.outdated() || c.Unsure() {
			c.Laid[rel] = f.want
		}
	}
	if c.Unsure() {
		return c.layAll()
	}
	return c.mergeEdits()
}

// layAll makes readers get all files from the ref.
func (c *comparing) layAll() error {
	tree, err := c.Repo.Objects().TreeAt(c.ctx, c.tip, c.Prefix)
	for rel, blob := range tree {
		if _, laid := c.Laid[rel]; laid || !Written(rel) || err != nil {
			continue
		}
		src, failed := c.Repo.Objects().Blob(blob)
		c.Laid[rel], err = Shown(rel, src, c.State.Current()), failed
	}
	return err
}

// keepCR converts the versions of a file to CRLF if the file on disk has CRLF and git stores it with LF. A version that
// is what git would store becomes the bytes on disk instead, whose line endings may be mixed.
func (c *comparing) keepCR(rel string) error {
	f := c.files[rel]
	stored, err := Stored(c.Repo, c.Prefix+"/"+rel, f.disk)
	if err != nil || change.Same(stored, f.disk) {
		return err
	}
	for _, src := range [...]*[]byte{&f.head, &f.want, &f.ref} {
		if change.Same(*src, stored) {
			*src = f.disk
		}
		*src = withCR(*src)
	}
	return nil
}

// known reports whether ckpt or git, not a person, wrote the file on disk.
func (c *comparing) known(rel string) bool {
	f := c.files[rel]
	switch {
	case change.Same(f.disk, f.want), change.Same(f.disk, f.head) && !c.undone(rel), f.aside,
		f.disk == nil && (f.head == nil || f.skipped),
		f.disk != nil && slices.Contains([]string{c.State.taken[rel], c.State.older[rel]},
			c.Repo.Objects().BlobHash(Shared(rel, f.disk))), // compare hashes: the object may be missing
		slices.ContainsFunc(c.changed, func(o change.File) bool { return o.Path == rel && change.Same(o.Before, f.disk) }):
		return true
	case c.before != nil && !c.before.Unsure() && c.hasChanged(rel):
		was := c.before.files[rel] // the operation includes earlier edits: only a later change counts as one by hand
		return was != nil && !was.unsettled && change.Same(was.disk, f.disk)
	case c.apart:
		return f.disk == nil || sameButMark(rel, f.disk, f.head) || sameButMark(rel, f.disk, f.ref)
	}
	if !change.Same(Shared(rel, f.disk), Shared(rel, c.writtenAt(c.ctx, c.State, rel))) {
		return false
	}
	then := c.State.headThen()
	brought := !change.Same(f.head, c.fileAt(c.ctx, then, rel))
	if f.disk != nil { // if HEAD has another version than then, a file newer than the index is a person's
		return !brought || f.head != nil && !disk.Changed(c.file(rel)).After(disk.Changed(c.Repo.Index().File()))
	}
	if c.State.older[rel] != "" || !brought { // not git, but a person or ckpt has removed the file
		return c.State.older[rel] == "" // a person, if ckpt had left an older version there
	}
	fork, _ := log.Of(c.Repo).MergeBase(c.ctx, then, c.from) // git reset --soft moves HEAD there without writing files
	return change.Same(f.head, c.fileAt(c.ctx, fork, rel))
}

// undone reports whether a person, not git, has made the file on disk the same as in HEAD: ckpt has written another
// version since git last wrote files.
func (c *comparing) undone(rel string) bool {
	written := c.writtenAt(c.ctx, c.State, rel)
	return c.idle && written != nil && !change.Same(Shared(rel, c.files[rel].disk), written)
}

// hasChanged reports whether the operation has changed a file, or saved it from an editor.
func (c *comparing) hasChanged(rel string) bool {
	saved := c.before != nil && c.Opened[rel] != nil
	return saved || slices.ContainsFunc(c.changed, func(o change.File) bool { return o.Path == rel })
}

// writtenAt returns the content that a file had when ckpt last wrote files, or nil if that is not known.
func (c *Checkout) writtenAt(ctx context.Context, s State, rel string) []byte {
	if src, err := c.Repo.Objects().Blob(s.taken[rel]); src != nil && err == nil {
		return src
	}
	if blob, left := s.older[rel]; left {
		src, _ := c.Repo.Objects().Blob(blob) // git may not have the object
		return src
	}
	return c.fileAt(ctx, s.written, rel)
}

// fileAt returns the content of a file in a commit, or nil if the file or the commit does not exist.
func (c *Checkout) fileAt(ctx context.Context, commit, rel string) []byte {
	src, _ := c.Repo.Objects().FileAt(ctx, commit, c.Prefix+"/"+rel)
	return src
}
