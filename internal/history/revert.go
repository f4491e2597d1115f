package history

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// takeBack restores the files of the operation as they were before it. If a file has changed
// since, in other ways than by operations that are undone too, only the sections that the
// operation changed are reverted. The obstacle tells why that is impossible.
func (p *History) takeBack(ctx context.Context, o *workspace.Tx, undo Past,
	blobs map[string][]byte) (*obstacle, error) {
	files, err := p.doneBy(undo, blobs)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if found, err := p.takeBackFile(ctx, o, undo, f); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// obstacle explains why an operation cannot be undone.
type obstacle struct {
	what string // with which file, or checkpoint
	rest string // the end of the sentence that refuses it
	hint string
}

func (b *obstacle) refusal() error {
	return fault.New(fault.Refused, "%s%s", b.what, b.rest).WithHint("%s", b.hint)
}

// done is what an operation did to one checkpoint, or to another file.
type done struct {
	id       string // of the checkpoint; "" for another file
	from, to string // its paths after and before the operation
	was      []byte // as the operation left it; nil for no file
	before   []byte // as the operation found it; nil for no file
}

// doneBy pairs the files of the operation: the two paths of a moved checkpoint are one
// change.
func (p *History) doneBy(undo Past, blobs map[string][]byte) ([]done, error) {
	var all []done
	moved := map[string]int{} // by id: where in all a checkpoint is of which only one side is known
	for _, f := range undo.files {
		before, err := workspace.FindBlob(blobs, f.Before)
		if err != nil {
			return nil, fmt.Errorf("%s as it was before %s: %w", p.FromRoot(f.Path), undo.Commit[:7], err)
		}
		was, err := workspace.FindBlob(blobs, f.After)
		if err != nil {
			return nil, fmt.Errorf("%s as %s left it: %w", p.FromRoot(f.Path), undo.Commit[:7], err)
		}
		d := done{id: workspace.IDOf(f.Path, cmp.Or(string(was), string(before))), from: f.Path, to: f.Path, was: was,
			before: before}
		i, paired := moved[d.id]
		switch {
		case d.id == "" || f.Before != "" && f.After != "":
		case paired && (all[i].was == nil) != (was == nil):
			if was == nil {
				all[i].to, all[i].before = f.Path, before
			} else {
				all[i].from, all[i].was = f.Path, was
			}
			continue
		case !paired:
			moved[d.id] = len(all)
		}
		all = append(all, d)
	}
	for i, d := range all { // a checkpoint was in two files and is in one: the other is undone by its path
		if d.id != "" && (d.was == nil || d.before == nil) &&
			slices.ContainsFunc(all, func(other done) bool { return other.id == d.id && other.from != d.from }) {
			all[i].id = ""
		}
	}
	return all, nil
}

func (p *History) takeBackFile(ctx context.Context, o *workspace.Tx, undo Past, d done) (*obstacle, error) {
	at, have, err := p.findDone(o, d)
	if err != nil {
		return nil, err
	}
	path := p.FromRoot(d.from)
	since := func(what string) *obstacle {
		return &obstacle{what, fmt.Sprintf(" since %s (%s): undoing would lose that", undo.Commit[:7], undo.Subject),
			"git diff " + undo.Commit[:7] + " -- " + path}
	}
	switch {
	case at == d.from && change.Same(have, d.was):
		if d.from != d.to {
			if src, err := p.planned(o, d.to); src != nil || err != nil {
				return since(p.FromRoot(d.to) + " was made"), err
			}
		}
		return nil, p.want(o, at, d.to, d.before)
	case isIndex(d.from):
		o.Mode = workspace.Restore // it follows from the rest
		return nil, nil
	case change.Same(have, d.before) && (have == nil || at == d.to):
		return nil, nil // it has been taken back since
	case have == nil:
		return since(path + " was removed"), nil
	case d.was == nil || d.before == nil:
		return since(path + " has changed"), nil
	}
	if folded, err := p.foldedLater(undo, d); folded != nil || err != nil {
		return folded, err
	}
	src, sections, err := p.revert(ctx, d, have)
	if fault.KindOf(err) == fault.Invalid {
		return since(path + " has changed, and its versions do not go together,"), nil
	}
	if err != nil || len(sections) > 0 {
		return since(path + " has changed in " + strings.Join(sections, ", ")), err
	}
	to := at // it has been moved on
	if at == d.from || d.id != "" && checkpoint.InArchive(at) == checkpoint.InArchive(d.from) {
		to = d.to
	}
	if d.id != "" && checkpoint.InArchive(at) && !checkpoint.InArchive(to) {
		if archived := completed(at, src); archived != nil {
			to, src = at, archived
		}
	}
	return nil, p.want(o, at, to, src)
}

// completed returns a checkpoint as an archived file if it has a Completion, and nil
// otherwise. Another person may have archived it, too.
func completed(path string, src []byte) []byte {
	c, err := checkpoint.Parse(path, src)
	if err != nil {
		return nil
	}
	if _, found := c.Find(checkpoint.Completion); !found {
		return nil
	}
	c, err = c.Revise().Drop("status").Apply()
	if err != nil {
		return nil
	}
	return c.Doc.Bytes()
}

// revert removes the change of an operation from a file. Sections lists those whose text has
// changed since.
func (p *History) revert(ctx context.Context, d done, now []byte) (src []byte, sections []string, err error) {
	if strings.HasSuffix(d.from, ".md") {
		return merge.Revert(d.was, now, d.before)
	}
	src, clash, err := git.MergeText(ctx, p.Repo.Root(), d.was, now, d.before)
	if clash {
		sections = []string{"the same lines"}
	}
	return src, sections, err
}

func isIndex(rel string) bool { return rel == store.ActiveIndex || rel == store.ArchiveIndex }

// planned returns a file as the transaction will leave it, or else the present file.
func (p *History) planned(o *workspace.Tx, rel string) ([]byte, error) {
	if src, changed := o.Files.After(rel); changed {
		return src, nil
	}
	return p.Store.Read(rel)
}

// want adds a file to the transaction, and removes it from its former path.
func (p *History) want(o *workspace.Tx, from, to string, src []byte) error {
	disk, err := p.Store.Read(to)
	if err != nil {
		return err
	}
	o.Files.Add(change.File{Path: to, Before: disk, After: src})
	if from == to {
		return nil
	}
	disk, err = p.Store.Read(from)
	if err != nil {
		return err
	}
	o.Files.Add(change.File{Path: from, Before: disk})
	return nil
}

// findDone returns the present path and content of a file: at the path where the operation
// left it, or, for a checkpoint, wherever its id is.
func (p *History) findDone(o *workspace.Tx, d done) (at string, src []byte, err error) {
	src, err = p.planned(o, d.from)
	if err != nil || d.id == "" || workspace.IDOf(d.from, string(src)) == d.id {
		return d.from, src, err
	}
	for _, f := range o.Files.Files {
		if f.After != nil && workspace.IDOf(f.Path, string(f.After)) == d.id {
			return f.Path, f.After, nil
		}
	}
	set, err := p.Store.Load(store.All)
	if err != nil {
		return "", nil, err
	}
	if c, ok := set.Get(d.id); ok {
		if _, changed := o.Files.After(c.Path); !changed {
			return c.Path, c.Doc.Bytes(), nil
		}
	}
	return d.from, nil, nil
}

// foldedLater finds a later commit that combines several operations on this checkpoint
// without being one itself, as a squash does. It returns nil if there is no such commit.
func (p *History) foldedLater(undo Past, d done) (*obstacle, error) {
	for _, c := range undo.later {
		for _, f := range c.Files {
			if f.Path != d.from && f.Path != d.to || f.Before == "" || f.After == "" {
				continue
			}
			before, err := p.Blob(f.Before)
			if err != nil {
				return nil, err
			}
			after, err := p.Blob(f.After)
			if err != nil {
				return nil, err
			}
			if records(f.Path, before, after) {
				return &obstacle{
					what: fmt.Sprintf("%s has later operations that %s (%s) holds as one commit", d.id, c.Hash[:7], c.Subject),
					rest: ": undo cannot take them back, nor pass over them",
					hint: "ckpt restore " + d.id + " --at " + c.Hash[:7] + "^",
				}, nil
			}
		}
	}
	return nil, nil
}

// records reports whether a change to a checkpoint is one that ckpt makes and people do not.
func records(path string, before, after []byte) bool {
	old, err := checkpoint.Parse(path, before)
	if err != nil {
		return false
	}
	c, err := checkpoint.Parse(path, after)
	return err == nil && (c.Field("base") != old.Field("base") || c.Field("last_delta") != old.Field("last_delta"))
}

// markedBefore reports whether a checkpoint was marked as current before the oldest of these
// operations, which are listed from the newest.
func (p *History) markedBefore(ctx context.Context, all []Past, c *checkpoint.Checkpoint) (bool, error) {
	if c == nil || len(all) == 0 || all[len(all)-1].uncommitted != nil {
		return false, nil
	}
	src, err := p.Repo.Objects().FileAt(ctx, all[len(all)-1].Commit+"^", p.FromRoot(c.Path))
	if fault.KindOf(err) == fault.NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	was, err := checkpoint.Parse(c.Path, src)
	return err == nil && was.MarkedCurrent(), nil
}
