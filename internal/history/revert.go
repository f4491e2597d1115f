package history

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/mergefile"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// reverter undoes one operation.
type reverter struct {
	*workspace.View
	tx    *workspace.Tx     // collects the changes; may already have those of newer operations
	past  Past              // the operation to undo
	blobs map[string][]byte // the contents of the operation's files, by blob hash
}

// undo restores the files of the operation as they were before it. If a file has been changed
// since, other than by operations that are undone too, only the sections that the operation changed
// are reverted. The obstacle explains why that is impossible.
func (r *reverter) undo(ctx context.Context) (*obstacle, error) {
	files, err := r.changes()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if found, err := r.undoFile(ctx, f); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// obstacle explains why an operation cannot be undone.
type obstacle struct {
	what string // names the file or checkpoint and the change that prevents the undo
	rest string // the end of the sentence
	hint string
}

func (b *obstacle) refusal() error {
	return fault.New(fault.Refused, "%s%s", b.what, b.rest).WithHint("%s", b.hint)
}

// effect is the change that an operation made to one checkpoint, or to another file.
type effect struct {
	id       string // the checkpoint's id; empty for another file
	from, to string // the path after and the path before the operation: undo moves the file from one to the other
	was      []byte // the content after the operation; nil if the file did not exist
	before   []byte // the content before the operation; nil if the file did not exist
}

// changes pairs the files of the operation: the two paths of a moved checkpoint make one change.
func (r *reverter) changes() ([]effect, error) {
	var all []effect
	moved := map[string]int{} // by id, the index in all of a checkpoint for which only one path is known so far
	for _, f := range r.past.commit.Files {
		if workspace.BranchOf(f.Path) != "" {
			continue // see markAgain
		}
		before, err := workspace.FindBlob(r.blobs, f.Before)
		if err != nil {
			return nil, fmt.Errorf("%s as it was before %s: %w", r.FromRoot(f.Path), r.past.Commit[:7], err)
		}
		was, err := workspace.FindBlob(r.blobs, f.After)
		if err != nil {
			return nil, fmt.Errorf("%s as %s left it: %w", r.FromRoot(f.Path), r.past.Commit[:7], err)
		}
		d := effect{id: workspace.IDOf(f.Path, cmp.Or(string(was), string(before))), from: f.Path, to: f.Path, was: was,
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
	for i, d := range all { // two files had the same id and one is left: the other change is undone by its path
		oneSided := d.was == nil || d.before == nil
		twice := func(other effect) bool { return other.id == d.id && other.from != d.from }
		if d.id != "" && oneSided && slices.ContainsFunc(all, twice) {
			all[i].id = ""
		}
	}
	return all, nil
}

// undoFile restores one file, or reverts the sections that the operation changed in it.
func (r *reverter) undoFile(ctx context.Context, d effect) (*obstacle, error) {
	at, have, err := r.find(d)
	if err != nil {
		return nil, err
	}
	path := r.FromRoot(d.from)
	since := func(what string) *obstacle {
		commit := r.past.Commit[:7]
		shown := commit + " -- " + path
		if head, err := r.Commits.Head(); r.OnRef() && err == nil { // git diff ignores the files
			shown = commit + " " + head.Ref + " -- " + r.InTree(d.from)
		}
		return &obstacle{
			what: what, rest: fmt.Sprintf(" since %s (%s): undoing would lose that", commit, r.past.Subject),
			hint: "git diff " + shown,
		}
	}
	switch {
	case at == d.from && change.Same(have, d.was):
		if d.from != d.to {
			if src, err := r.planned(d.to); src != nil || err != nil {
				return since(r.FromRoot(d.to) + " was made"), err
			}
		}
		return nil, r.put(at, d.to, d.before)
	case change.Same(have, d.before) && (have == nil || at == d.to):
		return nil, nil // the change has been undone already
	case have == nil:
		return since(path + " was removed"), nil
	case d.from == store.Learnings && d.before == nil:
		d.before = []byte(learnings.Empty) // the operation made the file, and others have added to it
	case d.was == nil || d.before == nil:
		return since(path + " has changed"), nil
	}
	src, sections, err := r.revertText(ctx, d, have)
	if fault.KindOf(err) == fault.Invalid {
		return since(path + " has changed, and its versions do not go together,"), nil
	}
	if err != nil || len(sections) > 0 {
		return since(path + " has changed in " + strings.Join(sections, ", ")), err
	}
	to := at // a person has moved it since
	moved := d.from != d.to && d.id != "" && checkpoint.InArchive(at) == checkpoint.InArchive(d.from)
	if at == d.from || moved {
		to = d.to
	}
	if d.id != "" && checkpoint.InArchive(at) && !checkpoint.InArchive(to) {
		if archived := completed(at, src); archived != nil {
			to, src = at, archived
		}
	}
	return nil, r.put(at, to, src)
}

// completed returns a checkpoint as an archived file if it has a Completion, and nil otherwise: the
// file may have been archived by hand.
func completed(path string, src []byte) []byte {
	c, err := checkpoint.Parse(path, src)
	if err != nil {
		return nil
	}
	if _, found := c.Find(checkpoint.Completion); !found {
		return nil
	}
	c, err = revise.Begin(c).Drop("status").Apply()
	if err != nil {
		return nil
	}
	return c.Doc.Bytes()
}

// revertText removes the change of an operation from a file. Sections lists the sections in which later
// changes prevent that.
func (r *reverter) revertText(ctx context.Context, d effect, now []byte) (src []byte, sections []string, err error) {
	if strings.HasSuffix(d.from, ".md") {
		return merge.Revert(d.was, now, d.before)
	}
	src, clash, err := mergefile.PreferTheirs(ctx, r.Repo.Root(), d.was, now, d.before)
	if clash {
		sections = []string{"the same lines"}
	}
	return src, sections, err
}

// planned returns the content that a file will have after the transaction.
func (r *reverter) planned(rel string) ([]byte, error) {
	if src, changed := r.tx.Files.After(rel); changed {
		return src, nil
	}
	src, err := r.Store.Read(rel)
	return r.AsCommitted(rel, src), err
}

// put adds a file to the transaction, and removes it from its former path.
func (r *reverter) put(from, to string, src []byte) error {
	disk, err := r.Store.Read(to)
	if err != nil {
		return err
	}
	r.tx.Files.Add(change.File{Path: to, Before: disk, After: src})
	if from == to {
		return nil
	}
	disk, err = r.Store.Read(from)
	if err != nil {
		return err
	}
	r.tx.Files.Add(change.File{Path: from, Before: disk})
	return nil
}

// find returns the present path and content of a file: at the path where the operation
// left it, or, for a checkpoint, wherever its id is.
func (r *reverter) find(d effect) (at string, src []byte, err error) {
	src, err = r.planned(d.from)
	if err != nil || d.id == "" || workspace.IDOf(d.from, string(src)) == d.id {
		return d.from, src, err
	}
	for _, f := range r.tx.Files.Files {
		if f.After != nil && workspace.IDOf(f.Path, string(f.After)) == d.id {
			return f.Path, f.After, nil
		}
	}
	set, err := r.Store.Load(store.All)
	if err != nil {
		return "", nil, err
	}
	if c, ok := set.Get(d.id); ok {
		if _, changed := r.tx.Files.After(c.Path); !changed {
			return c.Path, r.AsCommitted(c.Path, c.Doc.Bytes()), nil
		}
	}
	return d.from, nil, nil
}
