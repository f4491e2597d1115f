package project

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/config"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// wait keeps an operation in the pending ref, on top of those that wait there: the
// working tree, the index and the branch stay as they are.
func (p *Project) wait(ctx context.Context, s *scene, o *operation, policy config.Config, now time.Time, receipt *report.Receipt) error {
	files, err := p.toWait(s, o)
	if err != nil {
		return err
	}
	if err := p.Repo.Wait(ctx, s.waiting, files, message(policy, o), now); err != nil {
		return err
	}
	receipt.Pending = fmt.Sprintf("a %s is in progress: kept in %s, lands with the next operation", s.state, p.Repo.PendingRef())
	return nil
}

// toWait is all that waits once o does, too: each file as the ground has it and as
// it is to be. What o found is what look laid out.
func (p *Project) toWait(s *scene, o *operation) ([]change.File, error) {
	was := map[string]change.File{}
	if s.waiting != nil {
		for _, f := range s.waiting.Files {
			was[f.Path] = f
		}
	}
	next := map[string]change.File{}
	for _, f := range s.united {
		f.Path = p.fromRoot(f.Path)
		if old, ok := was[f.Path]; ok && bytesSame(f.Before, old.After) {
			f.Before = old.Before // save kept it: the working tree had it before
		}
		next[f.Path] = f
	}
	for _, f := range o.files.Files {
		path := p.fromRoot(f.Path)
		kept, ok := next[path]
		if !ok || o.saved {
			kept = change.File{Path: path, Before: f.Before}
		}
		kept.After = f.After
		next[path] = kept
	}
	for _, f := range s.stuck {
		next[f.Path] = f
	}
	var files []change.File
	for _, f := range next {
		if !bytesSame(f.Before, f.After) {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b change.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// writable says whether --no-commit can write the files of o while git is in the
// middle of something: not where the working tree does not hold what o found.
func (p *Project) writable(o *operation, s *scene) error {
	for _, f := range o.files.Files {
		if _, laid := p.Store.Overlay[f.Path]; laid {
			return fault.New(fault.Refused, "a %s is in progress: the working tree does not hold %s as it is to be", s.state, p.fromRoot(f.Path)).
				WithHint("without --no-commit it is kept in %s", p.Repo.PendingRef())
		}
	}
	return nil
}

// land brings what waits to the working tree and the branch, as one operation, and
// forgets that it waited. What cannot be merged goes on waiting. A death before the
// end is no harm: landing again finds everything in place.
func (p *Project) land(ctx context.Context, s *scene, policy config.Config, now time.Time) (*report.Receipt, error) {
	all, err := p.Repo.Operations(ctx, s.waiting)
	if err != nil {
		return nil, err
	}
	p.Store.Overlay = nil
	o := landing(all)
	for _, f := range s.united {
		if f.Path == store.ActiveIndex || f.Path == store.ArchiveIndex {
			if f.Before != nil {
				continue // it follows from the rest
			}
		}
		o.files.Files = append(o.files.Files, f)
	}
	set, err := p.Store.Load(store.All)
	if err != nil {
		return nil, err
	}
	if err := p.syncIndexes(set, o); err != nil {
		return nil, err
	}
	o.remarks = append(o.remarks, s.remarks...)
	receipt := p.receipt(o)
	if !o.files.Empty() {
		if err := p.write(ctx, o, policy, now, receipt); err != nil {
			return nil, fault.New(fault.KindOf(err), "land what waits in %s: %w", s.waiting.Ref, err).WithHint("%s", fault.HintOf(err))
		}
		p.rememberCurrent(set, o)
		receipt.Remarks = append([]string{count(len(all), "operation") + " that waited in " + s.waiting.Ref + " landed"}, receipt.Remarks...)
	}
	switch {
	case len(s.stuck) > 0 && o.files.Empty():
		return receipt, nil
	case len(s.stuck) > 0:
		return receipt, p.Repo.Wait(ctx, s.waiting, s.stuck, message(policy, o), now)
	}
	return receipt, p.Repo.Landed(ctx, s.waiting)
}

// landing is the operation that lands others, oldest last.
func landing(all []git.Commit) *operation {
	o := &operation{op: "land"}
	var ids, said []string
	for _, c := range slices.Backward(all) {
		ids = append(ids, c.Trailers[trailerID]...)
		said = append(said, strings.TrimPrefix(c.Subject, "ckpt: "))
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 1 {
		o.id = ids[0]
	} else {
		for _, id := range ids {
			o.trailers = append(o.trailers, trailerID+": "+id)
		}
	}
	for _, c := range all {
		for _, undone := range c.Trailers[trailerUndoes] {
			o.trailers = append(o.trailers, trailerUndoes+": "+undone)
		}
	}
	o.summary = count(len(all), "operation") + " that waited\n\n- " + strings.Join(said, "\n- ")
	return o
}

// landNow lands what waits, if nothing is in its way, without an operation of its
// own.
func (p *Project) landNow(ctx context.Context) error {
	if p.DryRun || p.Repo.InProgress() != "" {
		return nil
	}
	if waiting, err := p.Repo.Waiting(ctx); waiting == nil || err != nil {
		return err
	}
	_, err := p.change(ctx, store.Live, func(*checkpoint.Set, time.Time) (*operation, error) {
		return &operation{op: "land", exact: true}, nil
	})
	return err
}

// waits is what waits, in words; "" for nothing.
func (p *Project) waits(ctx context.Context) (string, error) {
	waiting, err := p.Repo.Waiting(ctx)
	if waiting == nil || err != nil {
		return "", err
	}
	all, err := p.Repo.Operations(ctx, waiting)
	if err != nil {
		return "", err
	}
	verb := "wait"
	if len(all) == 1 {
		verb = "waits"
	}
	words := count(len(all), "operation") + " " + verb + " in " + waiting.Ref + " since " + checkpoint.FormatTime(all[len(all)-1].Time)
	if state := p.Repo.InProgress(); state != "" {
		return words + ": a " + state + " is in progress", nil
	}
	return words + ": the next operation lands them (ckpt save)", nil
}

// pending finds operations that wait though nothing is in their way.
func (p *Project) pending(ctx context.Context, d *report.Diagnosis, fix bool) error {
	lost, err := p.Repo.LostPending(ctx)
	if err != nil {
		return err
	}
	if lost {
		a := report.Ailment{Code: "pending", What: p.Repo.PendingRef() + " holds operations, and nothing here says so", Fix: "ckpt doctor --fix", Mended: fix}
		if d.Ailments = append(d.Ailments, a); !fix {
			return nil
		}
		if err := p.Repo.MarkPending(); err != nil {
			return err
		}
	}
	words, err := p.waits(ctx)
	if words == "" || err != nil {
		return err
	}
	if p.Repo.InProgress() != "" {
		d.Facts = append(d.Facts, report.Fact{Name: "waiting", Value: words})
		return nil
	}
	words, _, _ = strings.Cut(words, ": ")
	if fix {
		if err := p.landNow(ctx); err != nil {
			return err
		}
	}
	d.Ailments = append(d.Ailments, report.Ailment{Code: "pending", What: words, Fix: "ckpt save", Mended: fix})
	return nil
}
