package log

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
)

// Graph is the history of a folder on every line: that of HEAD, of what the checkpoint ref has taken in from
// branches, and of what it has yet to take in. It has the copies on branches of what the ref has.
type Graph struct {
	Commits []Commit // those that touched the folder, and all merges; none comes before a descendant on its line
	Tip     string   // the commit of HEAD, or of the user's own commit during a rebase or a bisect
	Unseen  string   // the commit that is checked out, if the checkpoint ref has not taken it in yet
	Others  []string // the other commits that were asked for

	log Log
	dir string
	at  map[string]Commit
}

// Graph returns the history of dir, with that of other commits. A clone may lack commits that were taken in.
func (l Log) Graph(ctx context.Context, dir string, others ...string) (*Graph, error) {
	tip, err := l.repo.Branches().OwnCommit(ctx)
	if err != nil {
		return nil, err
	}
	unseen, err := l.unseen()
	if err != nil {
		return nil, err
	}
	g, err := l.graphOf(ctx, dir, tip, append(slices.Clip(others), unseen)...)
	g.Unseen, g.Others = unseen, others
	return g, err
}

// graphOf returns the history of dir in which tip takes the place of HEAD.
func (l Log) graphOf(ctx context.Context, dir, tip string, others ...string) (*Graph, error) {
	g := &Graph{Tip: tip, log: l, dir: dir, at: map[string]Commit{}}
	if err := g.read(ctx, []string{tip}, nil); err != nil {
		return g, err
	}
	own := map[operation]bool{}
	for _, c := range g.Commits {
		own[operationOf(c)] = true
		others = append(others, c.TookIn()...)
	}
	return g, g.read(ctx, others, own)
}

// unseen returns the commit that is checked out if the checkpoint ref has not taken in yet what it and its
// ancestors have; otherwise "".
func (l Log) unseen() (string, error) {
	if state := l.repo.InProgress(); state != "" && state != "bisect" {
		return "", nil
	}
	head, err := git.CheckedOut(l.repo)
	if head == "" || err != nil {
		return "", err
	}
	src, err := disk.ReadFile(filepath.Join(l.repo.CommonDir(), "ckpt", "heads"))
	if err != nil || strings.Contains(string(src), head) {
		return "", nil
	}
	return head, nil
}

// read adds the history of commits, where those of own operations are copies. Merges that took one side
// unchanged count, since decisions may come from either side; so do merges of the code, since two lines meet there.
func (g *Graph) read(ctx context.Context, from []string, own map[operation]bool) error {
	from = slices.DeleteFunc(slices.Clone(from), func(commit string) bool {
		_, listed := g.at[commit]
		return commit == "" || listed
	})
	if len(from) == 0 {
		return nil
	}
	slices.Sort(from)
	options := []string{"--full-history", "--parents", "--date-order", "-m", "--ignore-missing"}
	commits, err := g.log.folder(ctx, g.dir, append(options, slices.Compact(from)...)...)
	for _, c := range commits {
		if _, listed := g.at[c.Hash]; listed {
			continue
		}
		c.Copy = own[operationOf(c)] || slices.ContainsFunc(c.Trailers[refTrailer], g.has)
		g.at[c.Hash] = c
		g.Commits = append(g.Commits, c)
	}
	return err
}

func (g *Graph) has(commit string) bool {
	_, listed := g.at[commit]
	return listed
}

// nearby is how many commits are read to find one of the graph, before git is asked.
const nearby = 100

// Nearest returns the newest commit of the graph that is a commit or an ancestor of it. If there is none, ok is
// false.
func (g *Graph) Nearest(ctx context.Context, commit string) (c Commit, ok bool, err error) {
	c, ok = g.at[commit]
	if ok || commit == "" {
		return c, ok, nil
	}
	at := commit
	for range nearby { // the graph has all merges: there is one line down to its next commit
		of, err := g.log.repo.Offline().Objects().Commit(ctx, at)
		if err != nil || len(of.Parents) != 1 {
			break
		}
		at = of.Parents[0]
		if next, ok := g.at[at]; ok {
			return next, true, nil
		}
	}
	out, err := g.log.repo.Offline().Git(ctx, nil, "rev-list", "--max-count=1", "--full-history", "--parents",
		"--ignore-missing", at, "--", g.dir)
	if err != nil {
		return c, false, g.log.repo.Objects().Elsewhere(err)
	}
	hash, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	c, ok = g.at[hash]
	return c, ok, nil
}

// operation is what the commit of an operation on the ref and its copy on a branch have in common, also after
// a rebase.
type operation struct {
	subject, email string
	at             int64
}

func operationOf(c Commit) operation {
	return operation{subject: c.Subject, email: c.Email, at: c.authored}
}
