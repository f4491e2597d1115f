package checkout

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace/store"
)

// Branch is the checkpoints folder of a worktree if the branches of the code have its files: in the commit
// modes own and off. The files are those of the branch, and so may be older than the ref, or lack what
// was begun on another branch. A reader gets what the ref has in their place.
type Branch struct {
	*Checkout
	Ref ckptref.Ref
}

// Found is how the folder of a worktree compares with a commit of the ref.
type Found struct {
	State State         // what the worktree remembers once it has seen that commit
	Laid  store.Overlay // what is to be read in place of the files on disk
	Head  git.Head      // the commit of the branch

	Marks  string // the ids that the branch marks as current
	Unsure bool   // git is changing the files now: which of them were edited by hand cannot be told

	files map[string]*file
}

// file is a file that differs between the commit of the branch and that of the ref, or whose mark of the
// current checkpoint has to change.
type file struct {
	head []byte // in the commit at HEAD; nil for none
	disk []byte
	want []byte // as the ref has it, with the mark of the current checkpoint
	ref  []byte // as the ref has it

	skipped bool // a sparse checkout leaves the file out

	link   bool // HEAD has a link or the like, which is left alone
	byHand bool // the file on disk was edited by hand
	base   []byte
}

// behind reports whether the file on disk is as ckpt or git wrote it, but not as the ref has it.
func (f *file) behind() bool { return !f.byHand && !f.link && !same(f.disk, f.want) }

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// Disk returns the content of a file on disk when Compare looked, if it differs from what is read.
func (f *Found) Disk(rel string) (src []byte, laid bool) {
	if _, laid := f.Laid[rel]; !laid || f.files[rel] == nil {
		return nil, false
	}
	return f.files[rel].disk, true
}

// Compare compares the folder with a commit of the ref. It returns git.ErrMoved if HEAD moves meanwhile.
func (b Branch) Compare(ctx context.Context, on git.Checkout, tip string) (*Found, error) {
	return b.compare(ctx, on, tip, nil, nil)
}

// CompareAfter is Compare after an operation has changed files in what was found before: what it found on
// disk is no edit by hand any more.
func (b Branch) CompareAfter(ctx context.Context, on git.Checkout, tip string, before *Found,
	changed []change.File) (*Found, error) {
	return b.compare(ctx, on, tip, before, changed)
}

func (b Branch) compare(ctx context.Context, on git.Checkout, tip string, before *Found,
	changed []change.File) (*Found, error) {
	s, err := b.Load()
	if err != nil {
		return nil, err
	}
	if s.announced != "" {
		b.complete(ctx, &s, tip)
	}
	s.name()
	s.Branch, err = b.own(on)
	if err != nil {
		return nil, err
	}
	head, err := b.Repo.Head()
	if err != nil {
		return nil, err
	}
	f := &Found{State: s, Laid: store.Overlay{}, Head: head, files: map[string]*file{}}
	c := comparing{Branch: b, ctx: ctx, Found: f, tip: tip, before: before, changed: changed, away: s.Branch != "" && on.Branch() == ""}
	if !b.Repo.Locked() { // else what is new was taken in
		a, err := b.gather(ctx, tip)
		if err != nil {
			return nil, err
		}
		if a != nil {
			c.brought = a.set
		}
	}
	if err := c.read(); err != nil {
		return nil, err
	}
	now, err := b.Repo.Head()
	if err == nil && now != head {
		err = git.ErrMoved
	}
	return f, err
}

// own returns the name of the branch that the user works on, also while a rebase or a bisect has detached
// HEAD; "" for none.
func (b Branch) own(on git.Checkout) (string, error) {
	ref, err := b.Repo.Branches().OwnBranch(on)
	return strings.TrimPrefix(ref, git.LocalRefs), err
}

type comparing struct {
	Branch
	*Found
	before  *Found // see CompareAfter
	changed []change.File
	brought map[string][]byte // what the ref lacks of what commits of the branch have brought
	ctx     context.Context
	tip     string
	marks   []string          // the ids that HEAD marks as current
	paths   map[string]string // see activeIDs

	away       bool // a rebase or a bisect has checked out another commit than that of the branch
	unreadable bool // HEAD has a file that may mark one, but cannot be read
}

func (c *comparing) read() error {
	differ, err := c.differing(c.ctx, c.Head.Hash, c.tip)
	if err != nil {
		return err
	}
	for rel, versions := range differ {
		if err := c.add(rel, versions); err != nil {
			return err
		}
	}
	if err := c.addUnknown(); err != nil {
		return err
	}
	if err := c.addConflicts(); err != nil {
		return err
	}
	for _, f := range c.changed {
		if Written(f.Path) && c.files[f.Path] == nil {
			if err := c.addFrom(f.Path); err != nil {
				return err
			}
		}
	}
	if err := c.addSkipped(); err != nil {
		return err
	}
	for rel, src := range c.brought {
		if c.files[rel] == nil {
			if err := c.addFrom(rel); err != nil {
				return err
			}
		}
		c.files[rel].ref = src
	}
	if err := c.decideCurrent(); err != nil {
		return err
	}
	return c.lay()
}

// addSkipped adds the files that a sparse checkout leaves out: they are read from the ref.
func (c *comparing) addSkipped() error {
	if _, err := os.Lstat(filepath.Join(c.Repo.GitDir(), "info", "sparse-checkout")); err != nil {
		return nil // the checkout is no sparse one
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
	skipped, err := c.Repo.Index().Skipped(c.ctx, gone)
	for at := range skipped {
		rel := strings.TrimPrefix(at, c.Prefix+"/")
		if err == nil && c.files[rel] == nil {
			err = c.addFrom(rel)
		}
		if err == nil {
			c.files[rel].skipped = true
		}
	}
	return err
}

// add reads the versions of a file.
func (c *comparing) add(rel string, versions [2]git.Entry) error {
	f := &file{}
	head := versions[0]
	f.link = !head.IsZero() && !head.Regular()
	var err error
	if !f.link {
		f.head, err = c.content(head.Hash)
	}
	if err == nil {
		f.ref, err = c.content(versions[1].Hash)
	}
	if err == nil {
		f.disk, err = c.onDisk(rel)
	}
	if id := markedID(rel, f.head); id != "" {
		c.marks = append(c.marks, id)
	}
	if _, bad := checkpoint.Parse(rel, f.head); f.head != nil && store.IsCheckpoint(rel) && bad != nil {
		c.unreadable = c.unreadable || !errors.Is(bad, checkpoint.ErrOther)
	}
	c.files[rel] = f
	return err
}

// addUnknown adds the files on disk that neither HEAD nor the ref has: a merge that is in progress has brought
// them, or a person.
func (c *comparing) addUnknown() error {
	folders := []string{store.Active}
	if c.Repo.InProgress() != "" {
		folders = append(folders, store.Archive)
	}
	for _, folder := range folders {
		entries, err := os.ReadDir(c.file(folder))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		if err != nil {
			return fault.New(fault.Failed, "read %s: %w", c.file(folder), disk.Pathless(err))
		}
		tree, err := c.Repo.Objects().TreeAt(c.ctx, c.tip, c.Prefix+"/"+folder)
		if err != nil {
			return err
		}
		for _, e := range entries {
			rel := folder + "/" + e.Name()
			if !e.Type().IsRegular() || !store.Listed(rel) || tree[e.Name()] != "" || c.files[rel] != nil {
				continue
			}
			if err := c.add(rel, [2]git.Entry{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// addConflicts adds the files that a merge or the like has left in conflict. The policy is read as HEAD has it.
func (c *comparing) addConflicts() error {
	if c.Repo.InProgress() == "" {
		return nil
	}
	conflicts, err := log.Of(c.Repo).Conflicts(c.ctx, c.Prefix)
	for rel := range conflicts {
		if err == nil && Written(rel) && c.files[rel] == nil {
			err = c.addFrom(rel)
		}
	}
	if err != nil || !conflicts[store.ConfigFile] {
		return err
	}
	at := c.Prefix + "/" + store.ConfigFile
	entries, err := c.Repo.Objects().EntriesIn(c.ctx, c.Head.Hash, []string{at})
	if err == nil {
		c.Laid[store.ConfigFile], err = c.content(entries[at].Hash)
	}
	return err
}

// markedID returns the id of a checkpoint that its file marks as current, or "".
func markedID(rel string, src []byte) string {
	if !markedCurrent(rel, src) {
		return ""
	}
	c, err := checkpoint.Parse(rel, src)
	if err != nil {
		return ""
	}
	return c.ID
}

func (c *Checkout) content(blob string) ([]byte, error) {
	if blob == "" {
		return nil, nil
	}
	src, err := c.Repo.Objects().Blob(blob)
	if err == nil && src == nil {
		src = []byte{}
	}
	return src, err
}

// decideCurrent decides which checkpoint is current. It is the one that the branch marks, unless an
// operation chose another one since the branch was marked so.
func (c *comparing) decideCurrent() error {
	s := &c.State
	slices.Sort(c.marks)
	marks := strings.Join(slices.Compact(c.marks), ",")
	chosen, known := s.Chosen[s.Branch]
	seen, recorded := s.marked[s.Branch]
	active, err := c.activeIDs()
	if err != nil {
		return err
	}
	ids := slices.Collect(maps.Keys(active))
	there := func(id string) bool { return id == None || slices.Contains(ids, id) }
	if c.away && (known || recorded) {
		c.marks, marks = nil, seen // the branch's own
	}
	switch {
	case known && recorded && seen == marks && there(chosen), c.away && known && there(chosen):
		s.Last = chosen
	case known && c.unreadable && marks == "":
		s.Last, marks = chosen, seen
	case c.away && seen != "" && there(seen):
		s.Last = seen
	case len(c.marks) == 1 && there(c.marks[0]):
		s.choose(c.marks[0])
	case len(c.marks) > 1:
		if !known || !slices.Contains(c.marks, chosen) {
			s.choose(c.latest(active))
		}
	case recorded && seen != "" || c.hasFiles():
		s.choose(None)
	default:
		s.forget(ids)
		shared, err := c.SharedCurrent(c.ctx, c.tip, s.Branch)
		if err != nil {
			return err
		}
		s.show(shared, ids, false)
	}
	several := len(c.marks) > 1 && seen != marks // until an operation takes the mark from all but one
	if len(c.marks) < 2 {
		s.marked[s.Branch] = marks
	}
	c.Marks = marks
	s.Shown = strings.TrimPrefix(s.Last, None)
	if rel := active[s.Shown]; rel != "" && c.files[rel] == nil { // HEAD does not mark it
		if err := c.addFrom(rel); err != nil {
			return err
		}
	}
	for rel, f := range c.files {
		f.want = Shown(rel, f.ref, s.Shown)
		if id := markedID(rel, f.head); several && id != "" && f.ref != nil {
			f.want = Shown(rel, f.ref, id)
		}
	}
	return nil
}

// addFrom adds a file that HEAD and the ref have alike, or that the ref lacks.
func (c *comparing) addFrom(rel string) error {
	at := c.Prefix + "/" + rel
	var versions [2]git.Entry
	for i, commit := range [...]string{c.Head.Hash, c.tip} {
		entries, err := c.Repo.Objects().EntriesIn(c.ctx, commit, []string{at})
		if err != nil {
			return err
		}
		versions[i] = entries[at]
	}
	return c.add(rel, versions)
}

// hasFiles reports whether the branch has active checkpoints.
func (c *comparing) hasFiles() bool {
	at := c.Prefix + "/" + store.Active
	tree, err := c.Repo.Objects().EntriesIn(c.ctx, c.Head.Hash, []string{at})
	if err != nil || tree[at].Hash == "" {
		return false
	}
	files, err := c.Repo.Objects().TreeAt(c.ctx, c.Head.Hash, at)
	return err == nil && slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(rel string) bool {
		return store.IsCheckpoint(store.Active + "/" + rel)
	})
}

// latest returns the marked checkpoint that was changed last.
func (c *comparing) latest(active map[string]string) string {
	var all []*checkpoint.Checkpoint
	for _, id := range c.marks {
		if f := c.files[active[id]]; f != nil && f.ref != nil {
			if parsed, err := checkpoint.Parse(active[id], f.ref); err == nil {
				all = append(all, parsed)
			}
		}
	}
	if len(all) == 0 {
		return None
	}
	return slices.MinFunc(all, checkpoint.LatestFirst).ID
}

// activeIDs returns the paths of the active checkpoints of the ref, by their ids. Files that are named
// after their ids need not be read.
func (c *comparing) activeIDs() (map[string]string, error) {
	if c.paths != nil {
		return c.paths, nil
	}
	c.paths = map[string]string{}
	tree, err := c.Repo.Objects().TreeAt(c.ctx, c.tip, c.Prefix+"/"+store.Active)
	for name, blob := range tree {
		rel := store.Active + "/" + name
		if !store.IsCheckpoint(rel) {
			continue
		}
		src, err := c.content(blob)
		if err != nil {
			return nil, err
		}
		if parsed, err := checkpoint.Parse(rel, src); err == nil {
			c.paths[parsed.ID] = rel
		}
	}
	for rel, src := range c.brought {
		maps.DeleteFunc(c.paths, func(_, at string) bool { return at == rel })
		if id := idOf(rel, src); id != "" && strings.HasPrefix(rel, store.Active+"/") {
			c.paths[id] = rel
		}
	}
	return c.paths, err
}

// lay decides what is read in place of each file.
func (c *comparing) lay() error {
	var asked []string
	for _, rel := range slices.Sorted(maps.Keys(c.files)) {
		if err := c.keepCR(rel); err != nil {
			return err
		}
		known, err := c.known(rel)
		if err != nil {
			return err
		}
		if !known {
			asked = append(asked, rel)
		}
	}
	if len(asked) > 0 {
		if err := c.findEdits(asked); err != nil {
			return err
		}
	}
	for rel, f := range c.files {
		if f.behind() {
			c.Laid[rel] = f.want
		}
	}
	return c.mergeEdits()
}

// keepCR makes the versions of a file that git checks out with the line ends CRLF what they are on disk.
func (c *comparing) keepCR(rel string) error {
	f := c.files[rel]
	stored, err := WithoutCR(c.Repo, c.Prefix+"/"+rel, f.disk)
	if stored != nil {
		f.head, f.want, f.ref = withCR(f.head), withCR(f.want), withCR(f.ref)
	}
	return err
}

// known reports whether the file on disk is one that ckpt or git wrote.
func (c *comparing) known(rel string) (bool, error) {
	f := c.files[rel]
	switch {
	case same(f.disk, f.want), same(f.disk, f.head), f.link:
		return true, nil
	case f.disk != nil && c.State.taken[rel] == git.BlobHash(f.disk):
		return true, nil
	case slices.ContainsFunc(c.changed, func(o change.File) bool { return o.Path == rel && same(o.Before, f.disk) }):
		return true, nil
	case c.before != nil && slices.ContainsFunc(c.changed, func(o change.File) bool { return o.Path == rel }):
		was := c.before.files[rel] // what was laid over the file had what was edited in it
		return was != nil && same(was.disk, f.disk), nil
	case f.disk == nil:
		return f.head == nil, nil
	}
	if f.head != nil {
		if is, err := c.converted(rel, f.disk, f.head); is || err != nil {
			return is, err
		}
	}
	written, err := c.writtenAt(rel)
	if err != nil || written == nil {
		return false, err
	}
	return bytes.Equal(Shared(rel, f.disk), Shared(rel, written)), nil
}

// converted reports whether git makes a blob with this content of a file on disk: it may convert line ends.
func (c *Checkout) converted(rel string, disk, blob []byte) (bool, error) {
	if bytes.Equal(disk, blob) {
		return true, nil
	}
	if !bytes.Contains(disk, []byte("\r\n")) {
		return false, nil
	}
	hash, err := c.Repo.Objects().BlobOf(context.Background(), c.Prefix+"/"+rel, disk)
	return hash == git.BlobHash(blob), err
}

// writtenAt returns the file as the ref had it when ckpt last wrote the files.
func (c *comparing) writtenAt(rel string) ([]byte, error) {
	if c.State.written == "" {
		return nil, nil
	}
	at := c.Prefix + "/" + rel
	entries, err := c.Repo.Objects().EntriesIn(c.ctx, c.State.written, []string{at})
	if err != nil {
		return nil, nil // git has removed it
	}
	return c.content(entries[at].Hash)
}

// moment is how long git may take between writing the index and moving HEAD.
const moment = 30 * time.Millisecond

// findEdits decides which of the files were edited by hand. A file that git has in conflict, or has
// written without moving HEAD yet, was not.
func (c *comparing) findEdits(paths []string) error {
	inTree := make([]string, len(paths))
	for i, rel := range paths {
		inTree[i] = c.Prefix + "/" + rel
	}
	if c.Repo.Index().IsLocked() {
		c.Unsure = true
		return nil
	}
	entries, err := c.Repo.Index().Entries(c.ctx, inTree)
	if err != nil {
		return err
	}
	busy := c.Repo.InProgress() != ""
	had, err := c.hadOnRef(c.ctx, c.tip, paths)
	if err != nil {
		return err
	}
	for i, rel := range paths {
		f, e := c.files[rel], entries[inTree[i]]
		staged := false
		if f.disk != nil && !e.IsZero() {
			src, err := c.content(e.Hash)
			if err != nil {
				return err
			}
			staged, err = c.converted(rel, f.disk, src)
			if err != nil {
				return err
			}
		}
		switch {
		case e.Conflict, busy && staged, f.disk == nil && e.Skipped:
			continue
		case f.disk == nil && e.IsZero() && busy:
			continue
		case staged:
			if err := c.waitForHead(rel); err != nil {
				return err
			}
		}
		if is, err := c.isOlder(had[rel], rel); is || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		f.byHand, f.base = true, f.head
		if f.base == nil {
			f.base, err = c.writtenAt(rel)
			if err != nil {
				return err
			}
		}
	}
	if c.Repo.Index().IsLocked() {
		return git.ErrMoved
	}
	return nil
}

// waitForHead waits for the moment between git's writing of the index and of HEAD, and returns git.ErrMoved if
// the file is another one then.
func (c *comparing) waitForHead(rel string) error {
	time.Sleep(moment)
	now, err := c.onDisk(rel)
	if err == nil && !same(now, c.files[rel].disk) {
		err = git.ErrMoved
	}
	return err
}

// isOlder reports whether the file on disk is one that the ref had before: git wrote it, or somebody took it
// from history.
func (c *comparing) isOlder(had []string, rel string) (bool, error) {
	src := c.files[rel].disk
	if src == nil {
		return false, nil
	}
	hash, err := c.hash(Shared(rel, src))
	return slices.Contains(had, hash), err
}

// mergeEdits lays the files that were edited by hand on a version which is older than that of the ref: each
// is merged with it.
func (c *comparing) mergeEdits() error {
	base, ours, theirs := merge.Set{}, merge.Set{}, merge.Set{}
	put := func(set merge.Set, rel string, src []byte) {
		if src != nil {
			set[rel] = Shared(rel, src)
		}
	}
	for rel, f := range c.files {
		if f.byHand && f.disk != nil && !same(Shared(rel, f.base), f.ref) {
			put(base, rel, f.base)
			put(ours, rel, f.ref)
			put(theirs, rel, f.disk)
		}
	}
	if len(theirs) == 0 {
		return nil
	}
	if err := c.addMoved(ours, theirs); err != nil {
		return err
	}
	merged, err := MergeSets(c.ctx, c.Repo, base, ours, theirs)
	if err != nil {
		return err
	}
	for rel := range theirs {
		if after := Shown(rel, merged.Files[rel], c.State.Shown); !same(after, c.files[rel].disk) {
			c.Laid[rel] = after
		}
	}
	for rel, src := range merged.Files {
		if _, asked := theirs[rel]; asked || same(src, ours[rel]) {
			continue
		}
		if c.files[rel] == nil {
			if err := c.addFrom(rel); err != nil {
				return err
			}
		}
		c.Laid[rel] = Shown(rel, src, c.State.Shown)
	}
	return nil
}

// addMoved adds the files of the ref that edited files were moved to, such as archived ones.
func (c *comparing) addMoved(ours, theirs merge.Set) error {
	moved := map[string]bool{}
	for rel := range theirs {
		if ours[rel] == nil {
			moved[path.Base(rel)] = true
		}
	}
	if len(moved) == 0 {
		return nil
	}
	tree, err := c.Repo.Objects().TreeAt(c.ctx, c.tip, c.Prefix)
	for rel, blob := range tree {
		if !Written(rel) || !moved[path.Base(rel)] || ours[rel] != nil {
			continue
		}
		src, err := c.content(blob)
		if err != nil {
			return err
		}
		ours[rel] = src
	}
	return err
}

// differing returns the files that differ between the folder of two commits, as both have them.
func (c *Checkout) differing(ctx context.Context, a, b string) (map[string][2]git.Entry, error) {
	all := map[string][2]git.Entry{}
	objects := c.Repo.Objects()
	var trees [2]git.Entry
	for i, commit := range [...]string{a, b} {
		at, err := objects.EntriesIn(ctx, commit, []string{c.Prefix})
		if err != nil {
			return nil, err
		}
		trees[i] = at[c.Prefix]
	}
	if c.Repo.Foreign() == "" && c.walk(all, "", trees[0].Hash, trees[1].Hash) == nil {
		return all, nil
	}
	clear(all)
	for i, commit := range [...]string{a, b} {
		files, err := objects.FolderAt(ctx, commit, c.Prefix)
		if err != nil {
			return nil, err
		}
		for rel, e := range files {
			versions := all[rel]
			versions[i] = e
			all[rel] = versions
		}
	}
	maps.DeleteFunc(all, func(rel string, v [2]git.Entry) bool { return !Written(rel) || v[0] == v[1] })
	return all, nil
}

// walk adds what differs between two trees of a folder. It reads no tree that both have.
func (c *Checkout) walk(all map[string][2]git.Entry, dir, a, b string) error {
	entries := map[string][2]git.Entry{}
	for i, tree := range [...]string{a, b} {
		if tree == "" {
			continue
		}
		list, err := object.ReadTree(c.Repo.Objects().Database(), tree)
		if err != nil {
			return err
		}
		for _, e := range list {
			versions := entries[e.Name]
			versions[i] = e.Entry
			entries[e.Name] = versions
		}
	}
	for name, v := range entries {
		if v[0] == v[1] {
			continue
		}
		rel := strings.TrimPrefix(dir+"/"+name, "/")
		var below [2]string
		for i := range v {
			if v[i].IsFolder() {
				below[i], v[i] = v[i].Hash, git.Entry{}
			}
		}
		if below != [2]string{} {
			if err := c.walk(all, rel, below[0], below[1]); err != nil {
				return err
			}
		}
		if Written(rel) && v != [2]git.Entry{} {
			all[rel] = v
		}
	}
	return nil
}
