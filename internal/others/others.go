package others

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/others/branches"
	"example.com/ckpt/internal/others/survey"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/store"
)

// Everywhere says whether a listing takes in what is on other branches only.
type Everywhere struct {
	On   bool
	Step func(n, of int) // told how many branches are read; nil for nobody
}

// A command that only mentions other branches reads no more of them than this, and waits
// no longer; a listing with --everywhere reads all.
const (
	FewBranches = 300
	briefly     = time.Second
)

// survey reads what other branches have; most is as in [survey.Request].
func (p *Finder) Survey(ctx context.Context, most int, step func(n, of int)) (*survey.Survey, error) {
	return p.surveyBy(ctx, p.Repo, most, step)
}

func (p *Finder) surveyBy(ctx context.Context, repo *git.Repo, most int, step func(n, of int)) (*survey.Survey, error) {
	return survey.Read(ctx, repo, survey.Request{
		Folder: p.Prefix, Cache: filepath.Join(p.Repo.JournalDir(), "branches"), Archive: p.archiveFiles, Most: most,
		Step: step,
	})
}

func (p *Finder) archiveFiles() ([]string, error) {
	files, err := (&store.Store{Dir: p.Store.Dir}).Files(store.All)
	return slices.DeleteFunc(files, func(path string) bool { return !checkpoint.InArchive(path) }), err
}

// beyond returns what of a survey is not here. Here has the checkpoints that were read
// already, by id; of others the file that they would be in is looked for.
func (p *Finder) beyond(ctx context.Context, found *branches.Found, here map[string]bool) (*branches.Found, error) {
	knows, err := p.Knows(ctx, found)
	if err != nil {
		return nil, err
	}
	return found.Beyond(func(v branches.Version) bool { return here[v.ID] || p.HasFileOf(v) }, knows), nil
}

// knows returns what reports whether a learning is in LEARNINGS.md here.
func (p *Finder) Knows(ctx context.Context, found *branches.Found) (func(text string) bool, error) {
	known := map[string]bool{}
	if len(found.Learnings) > 0 {
		entries, err := p.Entries(ctx)
		if err != nil {
			return nil, err
		}
		for _, l := range learnings.List(entries) {
			known[l.Text] = true
		}
	}
	return func(text string) bool { return known[text] }, nil
}

// hasFileOf reports whether the archive has a file called by a checkpoint's id, or a file at
// its path belongs to that checkpoint or cannot be read.
func (p *Finder) HasFileOf(v branches.Version) bool {
	if v.Archived || p.Store.Has(store.Archive+"/"+v.ID+".md") {
		return true
	}
	src, err := p.Store.Read(v.Path)
	if err != nil || src == nil {
		return err != nil
	}
	c, err := checkpoint.Parse(v.Path, src)
	return err != nil || c.ID == v.ID
}

// countOthers counts what is on other branches only. The answer is kept for as long as
// neither a branch nor the folder changes.
func (p *Finder) CountOthers(ctx context.Context, o *result.Overview) (others result.Others) {
	file, now := filepath.Join(p.Repo.JournalDir(), "others"), p.Now()
	if kept, ok := survey.Recall(file, now); ok {
		if n, _ := fmt.Sscan(kept, &others.Checkpoints, &others.Learnings, &others.Unread); n == 3 {
			return others
		}
	}
	files := append(p.Repo.Branches().Files(), p.Store.Dir, p.Store.File(store.Active), p.Store.File(store.Archive),
		p.Store.File(store.Learnings),
		filepath.Join(p.Repo.JournalDir(), "pending"))
	state, settled := git.StateOf(files, now)
	others, whole := p.findOthers(ctx, o)
	if whole && settled {
		survey.Remember(file, fmt.Sprint(others.Checkpoints, others.Learnings, others.Unread), files, state)
	}
	return others
}

// findOthers is countOthers without what is kept. Status is worth more than that: the answer
// is not whole where git does not give it in time, or the clone lacks a text.
func (p *Finder) findOthers(ctx context.Context, o *result.Overview) (others result.Others, whole bool) {
	ctx, cancel := context.WithTimeout(ctx, briefly)
	defer cancel()
	s, err := p.Survey(ctx, FewBranches, nil)
	switch {
	case err != nil:
		return others, false
	case s.Found == nil:
		return result.Others{Unread: s.Unread}, true
	}
	here := map[string]bool{}
	for _, e := range o.Entries {
		here[e.ID] = true
	}
	beyond, err := p.beyond(ctx, s.Found, here)
	if err != nil {
		return others, false
	}
	return result.Others{Checkpoints: len(beyond.Checkpoints), Learnings: len(beyond.Learnings)}, !s.Partial
}

// addOthers adds the checkpoints that are on other branches only to all, and to those of all
// that are newer there where that is.
func (p *Finder) AddOthers(ctx context.Context, all []*result.Entry, unread []checkpoint.Broken,
	req Everywhere) ([]*result.Entry, result.Others, error) {
	var others result.Others
	s, err := p.Survey(ctx, 0, req.Step)
	if err != nil {
		return nil, others, err
	}
	here := map[string]bool{}
	byID := map[string]*result.Entry{}
	for _, e := range all {
		here[e.ID], byID[e.ID] = true, e
	}
	for _, b := range unread {
		here[progress.UnreadableEntry(b, p.FromRoot(b.Path)).ID] = true
	}
	for _, v := range s.Checkpoints {
		if e := byID[v.ID]; e != nil && v.Changed.After(e.Told) {
			e.Newer = p.Location(v.On)
		}
	}
	beyond, err := p.beyond(ctx, s.Found, here)
	if err != nil {
		return nil, others, err
	}
	others = result.Others{Checkpoints: len(beyond.Checkpoints), Learnings: len(beyond.Learnings)}
	return all, others, p.versionsOn(ctx, beyond.Checkpoints, func(v branches.Version, c *checkpoint.Checkpoint) {
		e := &result.Entry{ID: v.ID, Path: p.FromRoot(v.Path), Status: progress.Unreadable, Unreadable: v.Unreadable}
		if c != nil {
			e = progress.NewEntry(c, p.FromRoot(c.Path), c.Changed())
		}
		e.On = p.Location(v.On)
		all = append(all, e)
	})
}

// versionsOn reads versions on other branches and gives each to visit; nil is one that
// cannot be read.
func (p *Finder) versionsOn(ctx context.Context, versions []branches.Version,
	visit func(branches.Version, *checkpoint.Checkpoint)) error {
	byBlob := map[string][]branches.Version{}
	var blobs []string
	for _, v := range versions {
		if byBlob[v.Blob] == nil {
			blobs = append(blobs, v.Blob)
		}
		byBlob[v.Blob] = append(byBlob[v.Blob], v)
	}
	return p.Repo.Objects().Blobs(ctx, blobs, func(blob string, src []byte) {
		for _, v := range byBlob[blob] {
			var c *checkpoint.Checkpoint
			if src != nil {
				c, _ = checkpoint.Parse(v.Path, bytes.Clone(src)) // v says why it is unreadable
			}
			visit(v, c)
		}
	})
}

// location names branches, with a worktree's folder as it is seen from here.
func (p *Finder) Location(on []branches.Branch) *result.Location {
	l := &result.Location{Branches: branches.Names(on), Worktree: on[0].Worktree}
	if l.Worktree != "" {
		l.Folder = l.Worktree
		if rel, err := filepath.Rel(p.Repo.Root(), l.Worktree); err == nil {
			l.Folder = filepath.ToSlash(rel)
		}
	}
	return l
}

// otherLearnings returns the learnings that are on other branches only.
func (p *Finder) OtherLearnings(ctx context.Context, req Everywhere) ([]learnings.Learning, error) {
	s, err := p.Survey(ctx, 0, req.Step)
	if err != nil {
		return nil, err
	}
	beyond, err := p.beyond(ctx, &branches.Found{Learnings: s.Learnings}, nil)
	if err != nil {
		return nil, err
	}
	return branches.Ledger(beyond.Learnings), nil
}

// orOnOther returns err, the error that no checkpoint is called name, with the branch that has
// one where there is such a branch.
func (p *Finder) OrOnOther(ctx context.Context, name string, err error) error {
	if fault.KindOf(err) != fault.NotFound || name == "" || name == "@" {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, briefly)
	defer cancel()
	s, failed := p.Survey(ctx, FewBranches, nil)
	if failed != nil || s.Found == nil {
		return err
	}
	v, ok := s.Get(name)
	if !ok {
		return err
	}
	return fault.New(fault.NotFound, "no checkpoint of this branch is called %q; %s is on %s", name, v.ID,
		p.Location(v.On)).
		WithHint("ckpt show %[1]s --at %[2]s; ckpt restore %[1]s --at %[2]s", v.ID, v.On[0].Name)
}

// beginLearnings begins to read the learnings of local branches. The answer is empty where
// git does not give it in time: it is worth less than the brief.
func (p *Finder) BeginLearnings(ctx context.Context) (answer func() []learnings.Learning) {
	repo, now, done := p.Repo.Offline(), p.Now(), make(chan []learnings.Learning, 1)
	go func() {
		done <- p.learningsOf(ctx, repo, now)
	}()
	return sync.OnceValue(func() []learnings.Learning {
		select {
		case found := <-done:
			return found
		case <-ctx.Done():
			return nil
		}
	})
}

// learningsOf returns the learnings of local branches. The answer is kept for as long as no
// branch changes.
func (p *Finder) learningsOf(ctx context.Context, repo *git.Repo, now time.Time) []learnings.Learning {
	file := filepath.Join(repo.JournalDir(), "learned")
	if kept, ok := survey.Recall(file, now); ok {
		return branches.ParseLearnings(kept)
	}
	files := repo.Branches().Files()
	state, settled := git.StateOf(files, now)
	s, err := p.surveyBy(ctx, repo, FewBranches, nil)
	if err != nil {
		return nil
	}
	var found []learnings.Learning
	if s.Found != nil {
		found = branches.Ledger(branches.Local(s.Learnings))
	}
	if settled && !s.Partial {
		survey.Remember(file, branches.FormatLearnings(found), files, state)
	}
	return found
}
