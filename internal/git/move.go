package git

import (
	"bytes"
	"context"
	"maps"
	"os"
	"slices"
	"time"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// moveAction is how reflogs name a move of the branch to a commit that was made, or
// fetched, before.
const moveAction = "sync (ckpt)"

// move is the part of a Draft that moves the branch to a commit that exists.
type move struct {
	to    string
	index map[string]Entry
}

// PrepareMove returns a draft that moves the branch from one commit to another. Land
// returns ErrMoved if the branch has moved meanwhile, and ErrLeft if HEAD is on another one.
//
// Index is what the index is to have at paths from the root; the zero entry removes one.
// Files are those of the paths whose file in the working tree is to agree with the index;
// git looks at the content of the others when it needs to know.
func (r *Repo) PrepareMove(ctx context.Context, on Checkout, from, to string, index map[string]Entry, files []change.File, message string, now time.Time) (*Draft, error) {
	d := &Draft{repo: r, on: on, message: message, move: &move{to: to, index: index}}
	if err := r.checkPaths(files); err != nil {
		return nil, err
	}
	why, err := r.needsGit(ctx)
	if err != nil {
		return nil, err
	}
	if d.viaGit = why != ""; d.viaGit {
		d.base.hash = from
		return d, r.Left(on)
	}
	if d.committer, err = r.identity(ctx, "committer", now); err != nil {
		return nil, err
	}
	if d.base, err = d.tip(); err != nil {
		return nil, err
	}
	if d.base.hash != from {
		return nil, ErrMoved
	}
	if d.commit, err = parseHash(to); err != nil {
		return nil, err
	}
	agree := map[string]change.File{}
	for _, f := range files {
		agree[f.Path] = f
	}
	for _, path := range slices.Sorted(maps.Keys(index)) {
		e := edit{path: path}
		if want := index[path]; want.Hash != "" {
			e.to.mode = want.mode
			if e.to.hash, err = parseHash(want.Hash); err != nil {
				return nil, err
			}
		}
		f, ok := agree[path]
		if !ok {
			f = change.File{Path: path} // without stat data
		}
		d.edits, d.files = append(d.edits, e), append(d.files, f)
	}
	return d, nil
}

// moveByGit is Land for a move where git has to write the ref or the index.
func (d *Draft) moveByGit(ctx context.Context) (string, error) {
	r := d.repo
	unlock, err := r.Lock(ctx, disk.Exclusive)
	if err != nil {
		return "", err
	}
	defer unlock()
	durable, err := r.durable(ctx)
	if err != nil {
		return "", err
	}
	action := moveAction
	if given := os.Getenv("GIT_REFLOG_ACTION"); given != "" {
		action = given
	}
	err = r.patiently(func() error {
		if err := r.Left(d.on); err != nil {
			return err
		}
		head, err := r.headByGit(ctx)
		if err == nil && head.Hash != d.base.hash {
			err = ErrMoved
		}
		if err != nil {
			return err
		}
		_, err = r.gitForCommit(ctx, nil, append(durable, "update-ref", "-m", action+": "+d.message, "HEAD", d.move.to, d.base.hash)...)
		return err
	})
	if err != nil {
		return "", err
	}
	_ = r.SetIndex(context.WithoutCancel(ctx), d.move.index) // the branch has moved; the next command mends the index
	return d.move.to, nil
}

// SetIndex makes the index have these entries, by path from the root; the zero entry
// removes one. Files that a sparse checkout leaves out stay left out. The caller holds no
// lock of git's.
func (r *Repo) SetIndex(ctx context.Context, index map[string]Entry) error {
	if len(index) == 0 {
		return nil
	}
	entries := make(map[string]stored, len(index))
	for path, e := range index {
		entries[path] = e.stored()
	}
	hidden, err := r.Sparse(ctx, slices.Sorted(maps.Keys(index)))
	if err != nil {
		return err
	}
	if err := r.editIndexByGit(ctx, entries); err != nil || len(hidden) == 0 {
		return err
	}
	var names []byte
	for path := range hidden {
		if index[path].Hash != "" {
			names = append(names, path+"\x00"...)
		}
	}
	_, err = r.gitForCommit(ctx, names, "update-index", "-z", "--skip-worktree", "--stdin")
	return err
}

// IndexAt returns what the index has at paths from the root, and which of them a sparse
// checkout keeps out of the working tree.
func (r *Repo) IndexAt(ctx context.Context, paths []string) (index map[string]Entry, hidden map[string]bool, err error) {
	index, hidden = map[string]Entry{}, map[string]bool{}
	for some := range slices.Chunk(paths, 1000) {
		out, err := r.git(ctx, nil, append([]string{"ls-files", "-t", "-s", "-z", "--full-name", "--"}, some...)...)
		if err != nil {
			return nil, nil, err
		}
		var plain []byte
		for line := range bytes.SplitSeq(out, []byte{0}) { // H 100644 HASH 0\tpath
			if len(line) < 2 {
				continue
			}
			plain = append(append(plain, line[2:]...), 0)
			if line[0] == 'S' {
				_, path, _ := bytes.Cut(line, []byte{'\t'})
				hidden[string(path)] = true
			}
		}
		for path, e := range parseEntries(plain) {
			if e.conflict {
				return nil, nil, fault.New(fault.Refused, "%q has a merge conflict", path).WithHint("ckpt resolve")
			}
			index[path] = Entry{e.mode, e.hash}
		}
	}
	return index, hidden, nil
}
