package project

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/history"
	"example.com/ckpt/internal/core/policy"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/store"
)

// The trailers of an operation's commit.
const (
	trailerID     = "Checkpoint"
	trailerOp     = history.OpTrailer
	trailerUndoes = "Checkpoint-Undoes"
)

// opUndo is the operation that takes others back.
const opUndo = "undo"

// Undo takes the last n operations back that are not undone yet, with one new commit
// that touches checkpoint files only; those that are staged, in the index and on disk.
// Where a file has changed since, only what the operation wrote is taken out of it; it is
// refused where that very text has changed. So is an operation of which nothing was kept:
// no older one is taken back in its place.
func (p *Project) Undo(ctx context.Context, n int) (*result.Receipt, error) {
	if state := p.Repo.InProgress(); state != "" {
		return p.undoWaiting(ctx, state, n)
	}
	cfg, err := p.policy(ctx)
	if err != nil {
		return nil, err
	}
	if cfg.Commit == policy.Off && !p.NoCommit {
		return nil, fault.New(fault.Unsupported, "undo needs commits, and commit: off makes none").
			WithHint("git diff -- %s", p.prefix)
	}
	if err := p.landNow(ctx); err != nil {
		return nil, err
	}
	var taken []string
	receipt, err := p.change(ctx, store.Live, func(set *checkpoint.Set, now time.Time) (*operation, error) {
		all, err := p.history(ctx, n, past.undoable)
		if err != nil {
			return nil, err
		}
		if err := p.noneLost(ctx, all, n); err != nil {
			return nil, err
		}
		if len(all) < n {
			return nil, fault.New(fault.NotFound, "%s cannot be undone: this branch has %d to undo", text.Count(n, "operation"), len(all)).WithHint("ckpt undo --list")
		}
		if err := p.wholeHistory(all); err != nil {
			return nil, err
		}
		blobs, err := p.blobs(ctx, all)
		if err != nil {
			return nil, err
		}
		o := &operation{op: opUndo, summary: summaryOf(all), exact: true, past: true}
		if !slices.ContainsFunc(all, func(u past) bool { return u.uncommitted == nil }) {
			o.commit = all[0].uncommitted.Commit
		} else if err := p.unexplained(ctx, cfg); err != nil {
			return nil, err
		}
		for _, undo := range all {
			if o.id == "" && !strings.Contains(undo.ID, ",") {
				o.id = undo.ID
			}
			if undo.uncommitted != nil {
				if err := p.takeBackUncommitted(ctx, o, undo.uncommitted); err != nil {
					return nil, err
				}
				continue
			}
			o.undoes, o.trailers = append(o.undoes, undo.Commit), append(o.trailers, trailerUndoes+": "+undo.Commit)
			found, err := p.takeBack(ctx, o, undo, blobs)
			if err != nil {
				return nil, err
			}
			if found != nil {
				return nil, found.refusal()
			}
		}
		if same := slices.ContainsFunc(all, func(u past) bool { return u.ID != o.id }); same {
			o.id = ""
		}
		taken = o.taken
		if marked, err := p.markedBefore(ctx, all, set.Current()); marked || err != nil {
			return o, err
		}
		return o, o.oneCurrent(set)
	})
	if err == nil && !p.DryRun {
		for _, name := range taken { // one that stays has its files as they were, and counts no more
			_ = disk.Remove(filepath.Join(p.uncommittedDir(), name))
		}
	}
	return receipt, err
}

// wholeHistory refuses operations at which a shallow clone's history is cut off: what
// they changed cannot be told.
func (p *Project) wholeHistory(all []past) error {
	cut, err := p.Repo.Shallow()
	if err != nil {
		return err
	}
	for _, o := range all {
		if cut[o.Commit] {
			return fault.New(fault.NotFound, "what the files were before %s (%s) is not in this clone, which is a shallow one", o.Commit[:7], o.Subject).
				WithHint("git fetch --unshallow")
		}
	}
	return nil
}

func summaryOf(undone []past) string {
	if len(undone) == 1 {
		return "took back: " + strings.TrimPrefix(undone[0].Subject, "ckpt: ")
	}
	return fmt.Sprintf("took back %d operations, to before: %s", len(undone), strings.TrimPrefix(undone[len(undone)-1].Subject, "ckpt: "))
}

// blobs are the files of operations as each found and left them, by their names; nil
// for one that this clone lacks.
func (p *Project) blobs(ctx context.Context, of []past) (map[string][]byte, error) {
	blobs := map[string][]byte{}
	var names []string
	for _, o := range of {
		for _, f := range o.files {
			for _, name := range []string{f.Before, f.After} {
				if _, known := blobs[name]; !known && name != "" {
					blobs[name], names = nil, append(names, name)
				}
			}
		}
	}
	return blobs, p.Repo.Blobs(ctx, names, func(name string, src []byte) { blobs[name] = src })
}

// blobOf is one of them, nil for no file.
func blobOf(blobs map[string][]byte, name string) ([]byte, error) {
	if src := blobs[name]; src != nil || name == "" {
		return src, nil
	}
	return nil, fault.New(fault.NotFound, "%s is not in this clone, which is a partial one", name[:7]).WithHint("git cat-file blob %s fetches it", name)
}

// blob is a file's content in history, nil for no file.
func (p *Project) blob(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	src, err := p.Repo.Blob(name)
	if err == nil && src == nil {
		src = []byte{}
	}
	return src, err
}
