package history

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// Decisions returns the present decisions of the checkpoint that name means, without reading
// history.
func (p *History) Decisions(ctx context.Context, name string) (*decisions.Record, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	c, err := view.Target(name)
	if err != nil {
		return nil, err
	}
	return decisions.Follow([]decisions.Version{{Checkpoint: c}}), nil
}

// DecisionsMade returns the decisions of a checkpoint with their authors and commits, and what
// happened to decisions that are no longer in the file. Losses up to the revision since are left
// out.
func (p *History) DecisionsMade(ctx context.Context, name, since string) (*decisions.Record, error) {
	// Include every merge that took one side unchanged: decisions may come from either side.
	past, err := p.versionsBy(ctx, name, log.Of(p.commits).HistoryWithMerges)
	if err != nil {
		return nil, err
	}
	h := lineOfVersions{past: past, at: map[string]int{}}
	if err := h.read(ctx); err != nil {
		return nil, err
	}
	if err := h.now(ctx, p); err != nil {
		return nil, err
	}
	record := decisions.Follow(h.line)
	record.ID, record.Warnings = past.ID, h.warnings
	if err := lostOnBranch(ctx, p, record); err != nil {
		return nil, err
	}
	if since != "" {
		if err := lostSince(ctx, p, record, since); err != nil {
			return nil, err
		}
	}
	return record, nil
}

// lineOfVersions lists the versions of a checkpoint in the order in which package decisions reads
// them.
type lineOfVersions struct {
	past     *gitlog.Versions
	line     []decisions.Version
	at       map[string]int // by blob as the ref has it, the index of the latest version with it
	blob     string         // the blob of the last version
	warnings []string
}

// read adds the versions of history, the oldest first. It skips deletions, and versions that
// this clone lacks or that cannot be read: the next version is then compared with the one
// before.
func (h *lineOfVersions) read(ctx context.Context) error {
	var blobs []string
	for _, v := range h.past.List {
		blobs = append(blobs, v.Blob)
	}
	if err := h.past.Load(ctx, blobs...); err != nil {
		return err
	}
	for _, v := range slices.Backward(h.past.List) {
		if v.Gone() {
			continue
		}
		if v.Cut {
			h.warnings = append(h.warnings, "history before "+v.Short()+" is not in this clone, which is shallow")
		}
		c, err := h.past.Checkpoint(ctx, v)
		if err != nil {
			h.warnings = append(h.warnings, v.Short()+" was left out: "+err.Error())
			continue
		}
		h.add(ctx, v, c)
	}
	return nil
}

// shared returns the name that the blob of a version has on the ref: a branch marks what is current.
func (h *lineOfVersions) shared(ctx context.Context, rel, blob string) string {
	src, err := h.past.Bytes(ctx, blob)
	if err != nil {
		return blob
	}
	return git.BlobHash(checkout.Shared(rel, src))
}

func (h *lineOfVersions) add(ctx context.Context, v revisions.Version, c *checkpoint.Checkpoint) {
	var parents []int
	for _, side := range v.Before {
		if i, ok := h.at[h.shared(ctx, side.Path, side.Blob)]; ok && !slices.Contains(parents, i) {
			parents = append(parents, i)
		}
	}
	if len(parents) == 0 && len(h.line) > 0 {
		parents = []int{len(h.line) - 1}
	}
	h.at[h.shared(ctx, v.Path, v.Blob)], h.blob = len(h.line), v.Blob
	h.line = append(h.line, decisions.Version{Version: v, Parents: parents, Checkpoint: c})
}

// now adds the present file if it differs from the last version.
func (h *lineOfVersions) now(ctx context.Context, p *History) error {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return err
	}
	c, err := view.Target(h.past.ID)
	if err != nil {
		if fault.KindOf(err) != fault.NotFound {
			return err
		}
		return nil // the checkpoint is deleted, so the last version in history remains the last
	}
	if h.blob != "" {
		if src, err := h.past.Bytes(ctx, h.blob); err == nil &&
			bytes.Equal(checkout.Shared(c.Path, src), checkout.Shared(c.Path, c.Doc.Bytes())) {
			return nil
		}
	}
	h.add(ctx, revisions.Version{Path: c.Path, Before: []revisions.Side{{Blob: h.blob}}}, c)
	return nil
}

// lostOnBranch adds the losses that the branch which is checked out has and the store does not, since the
// commits that made them were taken in together with those that made up for them.
func lostOnBranch(ctx context.Context, p *History, record *decisions.Record) error {
	head, err := p.repo.Head()
	if !p.branches || head.Hash == "" || err != nil {
		return err
	}
	onBranch, err := lossesAt(ctx, p, record.ID, head.Hash)
	if err != nil {
		return err
	}
	record.Losses = append(record.Losses, without(onBranch, record.Losses)...)
	slices.SortStableFunc(record.Losses, func(a, b decisions.Loss) int {
		if a.In.Commit == "" || b.In.Commit == "" {
			return cmp.Compare(b.In.Commit, a.In.Commit) // the present file comes last
		}
		return a.In.Time.Compare(b.In.Time)
	})
	return nil
}

// lostSince leaves out the losses that a revision has, too. In ref mode a revision of the code means the
// version that was known then.
func lostSince(ctx context.Context, p *History, record *decisions.Record, since string) error {
	commit, err := log.Of(p.repo).Resolve(ctx, since)
	if err != nil {
		return err
	}
	if _, v, err := p.at(ctx, record.ID, since); err == nil {
		commit = v.Commit
	} else if commit == "" {
		return fault.New(fault.NotFound, "git knows no revision %q", since).WithHint("ckpt log %s", record.ID)
	}
	before, err := lossesAt(ctx, p, record.ID, commit)
	record.Losses = without(record.Losses, before)
	return err
}

// lossesAt returns the losses among the ancestors of a commit of a branch or of the ref.
func lossesAt(ctx context.Context, p *History, id, commit string) ([]decisions.Loss, error) {
	past, err := p.follow(ctx, id, func(ctx context.Context, dir string) ([]log.Commit, error) {
		return log.Of(p.commits).HistoryWithMergesOf(ctx, commit, dir)
	}, true)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	h := lineOfVersions{past: past, at: map[string]int{}}
	if err == nil {
		err = h.read(ctx)
	}
	if err != nil {
		return nil, err
	}
	return decisions.Follow(h.line).Losses, nil
}

// without returns the losses that are not among others. The same decision may be lost several times.
func without(losses, others []decisions.Loss) []decisions.Loss {
	count := map[string]int{}
	for _, l := range others {
		count[l.Decision.Text]++
	}
	return slices.DeleteFunc(slices.Clone(losses), func(l decisions.Loss) bool {
		count[l.Decision.Text]--
		return count[l.Decision.Text] >= 0
	})
}
