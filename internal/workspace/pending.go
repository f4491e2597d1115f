package workspace

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// maxPending is the largest operation, in bytes, that can become pending.
const maxPending = disk.MaxFile

// wait keeps an operation in the pending ref, on top of those that wait there: the
// working tree, the index and the branch stay as they are.
func (p *Workspace) wait(ctx context.Context, s *State, o *Tx, policy policy.Config, now time.Time,
	receipt *result.Receipt) error {
	if size := o.Files.Size(); size > maxPending {
		return fault.New(fault.Unsupported, "%s: an operation of %d MiB cannot wait for its end, %d MiB is the limit", s.Why,
			size>>20, maxPending>>20).WithHint("git status")
	}
	if s.others != nil {
		branch := strings.TrimPrefix(s.others.Branch, "refs/heads/")
		return fault.New(fault.Busy, "%s, and pending operations belong to %s", s.Why, branch).
			WithHint("finish it; then git switch %s and ckpt save", branch)
	}
	files, err := p.toWait(s, o)
	if err != nil {
		return err
	}
	own, err := p.Repo.Branches().OwnBranch(s.on)
	if err != nil {
		return err
	}
	lands, branch := "lands with the next operation", s.branch
	if branch == "" && s.Pending != nil {
		branch = s.Pending.Branch
	}
	if branch != "" {
		lands += " on " + strings.TrimPrefix(branch, "refs/heads/")
	}
	if err := pending.Of(p.Repo).
		Append(ctx, s.Pending, branch, files, pendingMessage(policy, o, cmp.Or(branch, own)), now); err != nil {
		return err
	}
	receipt.Pending = fmt.Sprintf("%s: kept in %s, %s", s.Why, pending.Of(p.Repo).Name(), lands)
	return nil
}

// pendingMessage is the message of a pending operation that belongs to a branch.
func pendingMessage(policy policy.Config, o *Tx, branch string) string {
	text := Message(policy, o)
	if branch != "" {
		text += pending.BranchTrailer + ": " + branch + "\n"
	}
	return text
}

// signerSlow is why a change waits that nobody has signed.
const signerSlow = "the signer did not answer in time"

// toWait is all that waits once o does, too. What o found is what look laid out.
func (p *Workspace) toWait(s *State, o *Tx) ([]pending.File, error) {
	was := map[string]pending.File{}
	if s.Pending != nil {
		for _, f := range s.Pending.Files {
			was[f.Path] = f
		}
	}
	next := map[string]pending.File{}
	for _, f := range s.Merged {
		held := pending.File{Path: p.FromRoot(f.Path), Base: f.Before, Seen: f.Before, Now: f.After}
		if old, ok := was[held.Path]; ok && change.Same(f.Before, old.Seen) {
			held.Base = old.Base // it is as it was found
		}
		next[held.Path] = held
	}
	for _, f := range o.Files.Files {
		path := p.FromRoot(f.Path)
		held, ok := next[path]
		if !ok {
			held = pending.File{Path: path, Base: f.Before, Seen: f.Before}
		}
		if o.Mode == Save { // f.Before is in the last commit, and the file is edited
			src, err := p.Store.OnDisk(f.Path)
			if err != nil {
				return nil, err
			}
			held.Base, held.Seen = f.Before, src
		}
		held.Now = f.After
		next[path] = held
	}
	for _, f := range s.stuck {
		next[f.Path] = f
	}
	var files []pending.File
	for _, f := range next {
		if !change.Same(f.Base, f.Now) || !change.Same(f.Seen, f.Now) {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b pending.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// writable reports whether --no-commit can write the files of o while git is in the
// middle of something: not where the working tree does not hold what o found.
func (p *Workspace) writable(o *Tx, s *State) error {
	for _, f := range o.Files.Files {
		if _, laid := p.Store.Overlay[f.Path]; laid {
			return fault.New(fault.Refused, "%s: the working tree does not hold %s as it is to be", s.Why, p.FromRoot(f.Path)).
				WithHint("without --no-commit it is kept in %s", pending.Of(p.Repo).Name())
		}
	}
	return nil
}

// PendingRemark is what waits, in words; "" for nothing.
func (p *Workspace) PendingRemark(ctx context.Context) (string, error) {
	waiting, err := pending.Of(p.Repo).Load(ctx)
	if waiting == nil || err != nil {
		return "", err
	}
	all, err := pending.Of(p.Repo).Commits(ctx, waiting)
	if err != nil {
		return "", err
	}
	verb := "wait"
	if len(all) == 1 {
		verb = "waits"
	}
	words := text.Count(len(all), "operation") + " " + verb + " in " + waiting.Ref + " since " +
		checkpoint.FormatTime(all[len(all)-1].Time)
	if state := p.Repo.InProgress(); state != "" {
		return words + ": a " + state + " is in progress", nil
	}
	if waiting.Branch != "" {
		return words + ": the next operation on " + strings.TrimPrefix(waiting.Branch, "refs/heads/") +
			" lands them (ckpt save)", nil
	}
	return words + ": the next operation lands them (ckpt save)", nil
}

// awaits reports whether what waits belongs to another branch than the one checked out.
func (p *Workspace) awaits(ctx context.Context) (bool, error) {
	on, err := p.Repo.Checkout()
	if err != nil {
		return false, err
	}
	waiting, err := pending.Of(p.Repo).Load(ctx)
	if waiting == nil || err != nil {
		return false, err
	}
	return pending.Of(p.Repo).ForOtherBranch(ctx, waiting, on)
}

// Pending finds operations that wait though nothing is in their way.
func (p *Workspace) Pending(ctx context.Context, d *result.Diagnosis, fix bool) error {
	words, err := p.PendingRemark(ctx)
	if words == "" || err != nil {
		return err
	}
	if awaits, err := p.awaits(ctx); err != nil {
		return err
	} else if awaits || p.Repo.InProgress() != "" {
		d.Facts = append(d.Facts, result.Fact{Name: "waiting", Value: words})
		return nil
	}
	words, _, _ = strings.Cut(words, ": ")
	if fix {
		if err := p.LandNow(ctx); err != nil {
			return err
		}
	}
	d.Problems = append(d.Problems, result.Problem{Code: "pending", What: words, Fix: "ckpt save", Fixed: fix})
	return nil
}
