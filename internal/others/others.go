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
	"example.com/ckpt/internal/git/recall"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/others/branches"
	"example.com/ckpt/internal/others/survey"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Everywhere selects whether a listing includes checkpoints of other branches.
type Everywhere struct {
	On   bool
	Step func(n, of int) // receives the progress; may be nil
}

// The limits of a command that only mentions other branches: the number of branches to read,
// and the time to wait. A listing with --everywhere reads all.
const (
	FewBranches = 300
	briefly     = time.Second
)

// Survey reads the checkpoints and learnings of other branches. Most limits the commits to read, as
// in [survey.Request].
func (p *Finder) Survey(ctx context.Context, most int, step func(n, of int)) (*survey.Survey, error) {
	return p.surveyBy(ctx, p.repo, most, step)
}

func (p *Finder) surveyBy(ctx context.Context, repo *git.Repo, most int, step func(n, of int)) (*survey.Survey, error) {
	return survey.Read(ctx, repo, survey.Request{
		Folder: p.prefix, Cache: filepath.Join(p.repo.JournalDir(), "branches"), Archive: p.archiveFiles, Most: most,
		Step: step,
	})
}

func (p *Finder) archiveFiles() ([]string, error) {
	files, err := p.disk.Files(store.All)
	return slices.DeleteFunc(files, func(path string) bool { return !checkpoint.InArchive(path) }), err
}

// beyond returns the part of a survey that this branch lacks. Here has the ids of the checkpoints
// that were read already. For other ids it checks whether their file exists.
func (p *Finder) beyond(ctx context.Context, found *branches.Found, here map[string]bool) (*branches.Found, error) {
	knows, err := p.Knows(ctx, found)
	if err != nil {
		return nil, err
	}
	var beyond *branches.Found
	err = p.ReadWith(ctx, func(view *workspace.View) error {
		has := func(v branches.Version) bool { return here[v.ID] || HasFileOf(view, v) }
		beyond = found.Beyond(has, knows)
		return nil
	})
	return beyond, err
}

// Knows returns a function that reports whether a learning is in LEARNINGS.md of this branch.
func (p *Finder) Knows(ctx context.Context, found *branches.Found) (func(text string) bool, error) {
	known := map[string]bool{}
	if len(found.Learnings) > 0 {
		entries, _ := p.Entries(ctx) // if the file cannot be read, no learning of it is known
		for _, l := range learnings.List(entries) {
			known[l.Text] = true
		}
	}
	return func(text string) bool { return known[text] }, nil
}

// HasFileOf reports whether the archive has a file named after a checkpoint, or whether the file at
// its path belongs to it or cannot be read.
func HasFileOf(view *workspace.View, v branches.Version) bool {
	if v.Archived || view.Store.Has(store.Archive+"/"+v.ID+".md") {
		return true
	}
	src, err := view.Store.Read(v.Path)
	if err != nil || src == nil {
		return err != nil
	}
	c, err := checkpoint.Parse(v.Path, src)
	return err != nil || c.ID == v.ID
}

// CountOthers counts the checkpoints and learnings that are only on other branches. The answer is
// cached until a branch or the folder changes.
func (p *Finder) CountOthers(ctx context.Context, o *result.Overview) (others result.Others) {
	file, now := filepath.Join(p.repo.JournalDir(), "others"), p.now()
	if kept, ok := recall.Answer(file, now); ok {
		if n, _ := fmt.Sscan(kept, &others.Checkpoints, &others.Learnings, &others.Unread); n == 3 {
			return others
		}
	}
	files := append(p.repo.Branches().Files(), p.disk.Dir, p.disk.File(store.Active), p.disk.File(store.Archive),
		p.disk.File(store.Learnings),
		filepath.Join(p.repo.JournalDir(), "pending"))
	state, settled := git.StateOf(files, now)
	others, whole := p.findOthers(ctx, o)
	if whole && settled {
		recall.Keep(file, fmt.Sprint(others.Checkpoints, others.Learnings, others.Unread), files, state)
	}
	return others
}

// findOthers counts without the cache. It waits for git only briefly, so that status is not
// delayed. If git was too slow, or the clone lacks a text, the answer is incomplete.
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

// AddOthers appends to all the checkpoints that are only on other branches. To the existing entries
// it adds where a newer version is.
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
		here[progress.UnreadableEntry(b, p.fromRoot(b.Path)).ID] = true
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
		e := &result.Entry{ID: v.ID, Path: p.prefix + "/" + v.Path, Status: progress.Unreadable, Unreadable: v.Unreadable}
		if c != nil {
			e = progress.NewEntry(c, p.prefix+"/"+c.Path, c.Changed())
		}
		e.On = p.Location(v.On)
		all = append(all, e)
	})
}

// versionsOn reads versions on other branches and passes each to visit, with nil for a
// version that cannot be read.
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
	return p.repo.Objects().Blobs(ctx, blobs, func(blob string, src []byte) {
		for _, v := range byBlob[blob] {
			var c *checkpoint.Checkpoint
			if src != nil {
				c, _ = checkpoint.Parse(v.Path, bytes.Clone(src)) // v.Unreadable has the error
			}
			visit(v, c)
		}
	})
}

// Location names branches, with the worktree's folder relative to the root of this one.
func (p *Finder) Location(on []branches.Branch) *result.Location {
	l := &result.Location{Branches: branches.Names(on), Worktree: on[0].Worktree}
	if l.Worktree != "" {
		l.Folder = folderFrom(p.repo.Root(), l.Worktree)
	}
	return l
}

// OtherLearnings returns the learnings that are on other branches only.
func (p *Finder) OtherLearnings(ctx context.Context, req Everywhere) ([]learnings.Learning, error) {
	s, err := p.Survey(ctx, 0, req.Step)
	if err != nil {
		return nil, err
	}
	beyond, err := p.beyond(ctx, &branches.Found{Learnings: s.Learnings}, nil)
	if err != nil {
		return nil, err
	}
	return branches.Learnings(beyond.Learnings), nil
}

// OrOnOther returns err, the error that no checkpoint has the given name. If another branch has the
// checkpoint, the returned error names the branch.
func (p *Finder) OrOnOther(ctx context.Context, name string, err error) error {
	err = p.orLeftOut(ctx, err)
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

// BeginLearnings starts reading the learnings of local branches. The answer is empty if git does
// not give it in time, so that the brief is not delayed.
func (p *Finder) BeginLearnings(ctx context.Context) (answer func() []learnings.Learning) {
	repo, now, done := p.repo.Offline(), p.now(), make(chan []learnings.Learning, 1)
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

// learningsOf returns the learnings of local branches. The answer is cached until a branch
// changes.
func (p *Finder) learningsOf(ctx context.Context, repo *git.Repo, now time.Time) []learnings.Learning {
	file := filepath.Join(repo.JournalDir(), "learned")
	if kept, ok := recall.Answer(file, now); ok {
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
		found = branches.Learnings(branches.Local(s.Learnings))
	}
	if settled && !s.Partial {
		recall.Keep(file, branches.FormatLearnings(found), files, state)
	}
	return found
}
