// Package survey reads what other branches have of the checkpoints folder: local branches, those of
// remotes as last fetched, and what other worktrees have checked out. It reads commits only:
// uncommitted files of other worktrees are left out.
//
// The answer is cached in the git folder, for the commits to which the branches point. While these
// stay the same and this branch only gains commits, a survey reads only the refs. Otherwise it runs
// three git processes. It fetches nothing.
package survey

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/others/branches"
	"example.com/ckpt/internal/workspace/store"
)

// Request describes what to read.
type Request struct {
	Folder string // the checkpoints folder, a slash path from the repository's root
	Cache  string // the file for the cached answer

	// Archive returns the paths in the archive of this branch. It is called if no answer is
	// cached.
	Archive func() ([]string, error)
	// Most limits the number of commits of unmerged branches, if no answer is cached. Zero means no
	// limit.
	Most int
	// Step receives the progress; each commit is counted twice. It may be nil.
	Step func(n, of int)
}

// Survey is what other branches have. Found is nil if there were too many branches.
type Survey struct {
	*branches.Found
	Unread int // the number of commits if there were too many, else 0

	Partial bool // the clone lacks some texts, which git may fetch later
}

// Read surveys the other branches of a repository.
func Read(ctx context.Context, repo *git.Repo, req Request) (*Survey, error) {
	others, err := repo.Branches().All(ctx)
	if err != nil || len(others) == 0 {
		return &Survey{Found: &branches.Found{}}, err
	}
	from, err := repo.Branches().OwnCommit(ctx)
	if err != nil {
		return nil, err
	}
	key := keyOf(req.Folder, others)
	if s, ok := load(req.Cache, req.Folder, key, from, repo); ok {
		stillTooMany := req.Most > 0 && req.Most < s.Unread
		if s.Found != nil || stillTooMany {
			return s, nil
		}
	}
	s := &Survey{}
	unmerged, err := log.Of(repo).Unreached(ctx, from, commitsOf(others))
	if err != nil {
		return nil, err
	}
	if req.Most > 0 && len(unmerged) > req.Most {
		s.Unread = len(unmerged)
		keep(req.Cache, kept{Key: key, From: from, Many: s.Unread})
		return s, nil
	}
	var whole bool
	s.Found, whole, err = read(ctx, repo, req, from, others, unmerged)
	if err != nil {
		return nil, err
	}
	if err := markArchived(s.Found, req.Archive); err != nil {
		return nil, err
	}
	s.Partial = !whole
	if whole {
		keep(req.Cache, kept{Key: key, From: from, Found: s.Found})
	}
	return s, nil
}

// markArchived marks the checkpoints that the archive here has.
func markArchived(found *branches.Found, list func() ([]string, error)) error {
	if len(found.Checkpoints) == 0 {
		return nil
	}
	files, err := list()
	if err != nil {
		return err
	}
	here := map[string]bool{}
	for _, file := range files {
		here[strings.TrimSuffix(path.Base(file), ".md")] = true
	}
	for i := range found.Checkpoints {
		v := &found.Checkpoints[i]
		v.Archived = here[v.ID]
	}
	return nil
}

// commitsOf returns the commits to which branches point, each once, in the order of the branches.
func commitsOf(others []git.Branch) []string {
	var all []string
	seen := map[string]bool{}
	for _, b := range others {
		if !seen[b.Commit] {
			seen[b.Commit] = true
			all = append(all, b.Commit)
		}
	}
	return all
}

// read reads the commits of branches that this branch does not contain. If this clone lacks a text,
// which git may fetch later, the answer is incomplete.
func read(ctx context.Context, repo *git.Repo, req Request, from string, others []git.Branch,
	commits []string) (found *branches.Found, whole bool, err error) {
	if len(commits) == 0 {
		return &branches.Found{}, true, nil
	}
	step := func(n int) {
		if req.Step != nil {
			req.Step(n, 2*len(commits))
		}
	}
	beside, err := besides(ctx, repo, req.Folder, from, commits, step)
	if err != nil {
		return nil, false, err
	}
	touched, old := touchedBy(beside)
	if len(touched) == 0 {
		return &branches.Found{}, true, nil
	}
	on := map[string][]branches.Branch{}
	for _, b := range others {
		on[b.Commit] = append(on[b.Commit], branches.Branch{Name: b.Name, Remote: b.Remote, Worktree: b.Worktree})
	}
	var tips []branches.Tip
	err = log.Of(repo).FilesAt(ctx, commits, req.Folder, touched, func(commit string, files map[string]string) {
		tip := branches.Tip{Branches: on[commit], Learnings: files[store.Learnings], Checkpoints: map[string]string{}}
		for path, blob := range files {
			if path != store.Learnings {
				tip.Checkpoints[path] = blob
			}
		}
		tips = append(tips, tip)
		step(len(commits) + len(tips))
	})
	if err != nil {
		return nil, false, err
	}
	texts, err := textsOf(ctx, repo, tips, old)
	if err != nil {
		return nil, false, err
	}
	whole = true
	for _, src := range texts {
		whole = whole && src != nil
	}
	return branches.Collect(tips, old, func(blob string) []byte { return texts[blob] }), whole, nil
}

// atOnce is the number of branches whose history git reads at once. Reading many branches
// takes seconds, and the user sees the progress in between.
const atOnce = 100

// besides returns the commits on branches that are not ancestors of from and that touch the folder.
func besides(ctx context.Context, repo *git.Repo, folder, from string, commits []string,
	step func(n int)) ([]log.Commit, error) {
	var all []log.Commit
	for at := 0; at < len(commits); at += atOnce {
		step(at)
		some := commits[at:min(at+atOnce, len(commits))]
		found, err := log.Of(repo).Outside(ctx, append([]string{from}, commits[:at]...), some, folder)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// touchedBy returns the paths of checkpoints and of LEARNINGS.md that commits touched, and the
// earlier versions of LEARNINGS.md.
func touchedBy(commits []log.Commit) (touched map[string]bool, old []string) {
	touched = map[string]bool{}
	before, after := map[string]bool{}, map[string]bool{}
	for _, c := range commits {
		for _, f := range c.Files {
			if f.Path != store.Learnings {
				touched[f.Path] = touched[f.Path] || store.Listed(f.Path)
				continue
			}
			touched[f.Path] = true
			after[f.After] = true
			for _, blob := range append(f.Also, f.Before) {
				before[blob] = true
			}
		}
	}
	maps.DeleteFunc(touched, func(_ string, listed bool) bool { return !listed })
	maps.DeleteFunc(before, func(blob string, _ bool) bool { return blob == "" || after[blob] })
	return touched, slices.Sorted(maps.Keys(before))
}

// textsOf reads the blobs of tips, and the old ones.
func textsOf(ctx context.Context, repo *git.Repo, tips []branches.Tip, old []string) (map[string][]byte, error) {
	wanted := map[string]bool{}
	for _, blob := range old {
		wanted[blob] = true
	}
	for _, t := range tips {
		wanted[t.Learnings] = true
		for _, blob := range t.Checkpoints {
			wanted[blob] = true
		}
	}
	delete(wanted, "")
	texts := map[string][]byte{}
	err := repo.Objects().Blobs(ctx, slices.Sorted(maps.Keys(wanted)), func(blob string, src []byte) { texts[blob] = src })
	return texts, err
}

// keyOf returns a key for the state of other branches: their commits and worktrees.
func keyOf(folder string, others []git.Branch) string {
	var b strings.Builder
	b.WriteString(folder)
	for _, o := range others {
		for _, field := range []string{o.Name, o.Commit, o.Worktree} {
			b.WriteString("\x00" + field)
		}
		if o.Remote {
			b.WriteString("\x00remote")
		}
	}
	return git.BlobHash([]byte(b.String()))
}
