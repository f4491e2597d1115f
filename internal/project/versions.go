package project

import (
	"context"
	"path"
	"slices"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/history"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// Versions are the versions of one checkpoint, the newest first.
//
// They are those of all history that HEAD has grown from, not of first parents
// alone: who works on a branch wants to find each of his steps after the merge, and
// blame to name them. A merge is a version only where it has the file otherwise than
// every parent. So neighbours in the list need not follow from each other; what a
// version came from is in its Before. What waits in a pending ref counts as the
// newest. Edits that are not committed are no version.
//
// The checkpoint is followed by its id, which is the frontmatter key, whatever the
// file is called: through active/ and archive/, renames, deletion and return. A file
// that cannot be read is a version of the id that it held before.
type Versions struct {
	ID   string
	List []history.Version

	repo  *git.Repo
	bytes map[string][]byte // by blob, of those that were read; nil bytes for one that is missing
	kept  int               // how many bytes that are
	full  bool              // not all that was read could be kept
}

// keep is how many bytes of old versions are held in memory rather than read again.
const keep = 64 << 20

// Versions finds the versions of the checkpoint that name means: one of the folder,
// a file that cannot be read, or the whole id of one that is gone. Fault.NotFound
// where history has none.
func (p *Project) Versions(ctx context.Context, name string) (*Versions, error) {
	return p.versions(ctx, name, p.Repo.History)
}

// versionsOfID is Versions for a whole id: a checkpoint whose id only begins so, or
// is called so, is not meant.
func (p *Project) versionsOfID(ctx context.Context, id string) (*Versions, error) {
	return p.follow(ctx, id, p.Repo.History, true)
}

// versionsAndSides is Versions with every merge that took one side of it.
func (p *Project) versionsAndSides(ctx context.Context, name string) (*Versions, error) {
	return p.versions(ctx, name, p.Repo.Sides)
}

// versionsFrom are the versions as history was at a commit, on whatever branch.
func (p *Project) versionsFrom(ctx context.Context, name, commit string) (*Versions, error) {
	vs, err := p.versions(ctx, name, func(ctx context.Context, dir string) ([]git.Commit, error) {
		return p.Repo.HistoryOf(ctx, commit, dir)
	})
	if err != nil {
		return nil, err
	}
	vs.List = slices.DeleteFunc(vs.List, func(v history.Version) bool { return v.Pending != "" })
	return vs, nil
}

func (p *Project) versions(ctx context.Context, name string, read func(context.Context, string) ([]git.Commit, error)) (*Versions, error) {
	vs, err := p.follow(ctx, name, read, false)
	if begun := err == nil && vs.ID != name && vs.ID != "chk-"+name && checkpoint.CheckID(name) == nil; begun { // one that is gone may be called so
		if gone, err := p.follow(ctx, name, read, true); err == nil {
			return gone, nil
		}
	}
	return vs, err
}

// follow finds the versions of what a name means, or a whole id.
func (p *Project) follow(ctx context.Context, name string, read func(context.Context, string) ([]git.Commit, error), whole bool) (*Versions, error) {
	vs := &Versions{repo: p.Repo, bytes: map[string][]byte{}}
	f := &follower{versions: vs, paths: map[string]bool{}, at: map[string]string{}, ids: map[string]string{}}
	var resolveErr error
	s, err := p.glance(ctx, func() error {
		set, err := p.Store.Load(store.Live)
		if err != nil {
			return err
		}
		if whole {
			resolveErr = f.beginWith(set, name)
		} else {
			resolveErr = f.begin(p, set, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	commits, err := read(ctx, p.prefix)
	if err != nil {
		return nil, err
	}
	f.commits = commits
	if err := f.follow(ctx); err != nil {
		return nil, err
	}
	if vs.List, err = f.list(p.Repo); err != nil {
		return nil, err
	}
	if err := p.waitingVersion(ctx, s, vs); err != nil {
		return nil, err
	}
	switch {
	case len(vs.List) > 0:
		return vs, nil
	case resolveErr != nil:
		return nil, resolveErr
	}
	return nil, fault.New(fault.NotFound, "%s is in no commit yet", vs.ID).WithHint("ckpt save")
}

// beginWith begins with a whole id, wherever it is or was.
func (f *follower) beginWith(set *checkpoint.Set, id string) error {
	f.versions.ID = id
	if c, ok := set.Get(id); ok {
		f.paths[c.Path] = true
		return nil
	}
	return fault.New(fault.NotFound, "no checkpoint was ever called %q", id).WithHint("ckpt undo --list shows what was deleted")
}

// begin finds the id and the file to begin with. The error is that of a name which
// means nothing in the folder; the id is then what the name says.
func (f *follower) begin(p *Project, set *checkpoint.Set, name string) error {
	c, err := p.target(set, name)
	if err == nil {
		f.versions.ID = c.ID
		f.paths[c.Path] = true
		return nil
	}
	if all, loadErr := p.Store.Load(store.All); loadErr == nil {
		set = all // one in the archive
	}
	if broken, brokenErr := p.named(set, name); brokenErr == nil {
		f.paths[broken] = true
		f.anyID = true
		return err
	}
	if name == "" || name == "@" {
		name = p.Pinned
	}
	if checkpoint.CheckID(name) == nil {
		f.versions.ID = name
	}
	return err
}

// waitingVersion puts what waits to land before the list.
func (p *Project) waitingVersion(ctx context.Context, s *scene, vs *Versions) error {
	if s.waiting == nil {
		return nil
	}
	v := history.Version{Pending: s.waiting.Ref}
	for _, file := range s.united {
		if file.Before != nil && idOf(file.Path, string(file.Before)) == vs.ID {
			v.Before = []history.Side{{Path: file.Path, Blob: git.BlobHash(file.Before)}}
			vs.hold(git.BlobHash(file.Before), file.Before)
		}
		if file.After != nil && idOf(file.Path, string(file.After)) == vs.ID {
			v.Path, v.Blob = file.Path, git.BlobHash(file.After)
			vs.hold(v.Blob, file.After)
		}
	}
	if v.Blob == "" && v.Before == nil {
		return nil
	}
	operations, err := p.Repo.Operations(ctx, s.waiting)
	if err != nil || len(operations) == 0 {
		return err
	}
	at := max(0, slices.IndexFunc(operations, func(c git.Commit) bool { return slices.Contains(c.Trailers[trailerID], vs.ID) }))
	vs.List = slices.Insert(vs.List, 0, about(v, operations[at]))
	return nil
}

// about is a version with what its commit says.
func about(v history.Version, c git.Commit) history.Version {
	v.Commit, v.Time, v.Author, v.Email, v.Subject = c.Hash, c.Time, c.Author, c.Email, c.Subject
	if op := c.Trailers[trailerOp]; len(op) > 0 {
		v.Op = op[0]
	}
	if v.Path == "" && len(v.Before) > 0 {
		v.Path = v.Before[0].Path
	}
	return v
}

// Load reads many versions at once, for those who are going to ask for them.
func (vs *Versions) Load(ctx context.Context, blobs ...string) error {
	var want []string
	for _, name := range blobs {
		if _, have := vs.bytes[name]; !have && name != "" {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	want = slices.Compact(want)
	return vs.repo.Blobs(ctx, want, vs.hold)
}

func (vs *Versions) hold(name string, src []byte) {
	if vs.kept+len(src) <= keep || src == nil {
		vs.bytes[name] = src
		vs.kept += len(src)
		return
	}
	vs.full = true
}

// Bytes is a file of history, by its blob. Fault.NotFound where this clone lacks it.
func (vs *Versions) Bytes(ctx context.Context, blob string) ([]byte, error) {
	src, have := vs.bytes[blob]
	if !have {
		if err := vs.repo.Blobs(ctx, []string{blob}, func(_ string, got []byte) { src = got }); err != nil {
			return nil, err
		}
	}
	if src == nil {
		return nil, fault.New(fault.NotFound, "the file %s of %s is not in this clone, which is a partial one", blob, vs.ID).
			WithHint("git cat-file blob %s fetches it", blob)
	}
	return src, nil
}

// Checkpoint is a version, parsed. Fault.Invalid where it cannot be read.
func (vs *Versions) Checkpoint(ctx context.Context, v history.Version) (*checkpoint.Checkpoint, error) {
	if v.Gone() {
		return nil, fault.New(fault.NotFound, "%s was taken away in %s", vs.ID, v.Short()).WithHint("ckpt log %s", vs.ID)
	}
	return vs.parse(ctx, history.Side{Path: v.Path, Blob: v.Blob})
}

func (vs *Versions) parse(ctx context.Context, s history.Side) (*checkpoint.Checkpoint, error) {
	src, err := vs.Bytes(ctx, s.Blob)
	if err != nil {
		return nil, err
	}
	c, err := checkpoint.Parse(s.Path, src)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s cannot be read: %w", path.Base(s.Path), err)
	}
	return c, nil
}
