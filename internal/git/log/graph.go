package log

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/git"
)

// Graph is the history of a folder on every line: that of HEAD, of what the checkpoint ref has taken in from
// branches, and of the commit that is checked out. It has the copies on branches of what the ref has.
type Graph struct {
	Commits []Commit // those that touched the folder, and all merges; none comes before a descendant on its line
	Tip     string   // the commit of HEAD, or of the user's own commit during a rebase or a bisect
	Head    string   // the commit that is checked out if Tip is on the checkpoint ref; otherwise empty
	Unseen  bool     // the checkpoint ref has not taken in Head yet

	log Log
	dir string
	at  map[string]Commit
}

// Graph returns the history of dir, with that of other commits. A clone may lack commits that were taken in.
func (l Log) Graph(ctx context.Context, dir string, others ...string) (*Graph, error) {
	g := &Graph{log: l, dir: dir, at: map[string]Commit{}}
	var err error
	g.Tip, err = l.repo.Branches().OwnCommit(ctx)
	if err != nil || g.Tip == "" {
		return g, err
	}
	g.Head, err = git.CheckedOut(l.repo)
	if err != nil {
		return nil, err
	}
	if state := l.repo.InProgress(); state == "" || state == "bisect" {
		g.Unseen = l.unseen() != ""
	}
	if err := g.read(ctx, []string{g.Tip}); err != nil {
		return nil, err
	}
	others = append(others, g.Head)
	for _, c := range g.Commits {
		others = append(others, c.TookIn()...)
	}
	return g, g.read(ctx, others)
}

// read adds the history of commits. Merges that took one side unchanged count, since decisions may come from
// either side; so do merges of the code, since two lines meet there.
func (g *Graph) read(ctx context.Context, from []string) error {
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
		if _, listed := g.at[c.Hash]; !listed {
			g.at[c.Hash] = c
			g.Commits = append(g.Commits, c)
		}
	}
	return err
}

// Nearest returns the newest commit of the graph that is a commit or an ancestor of it. If there is none, ok is
// false.
func (g *Graph) Nearest(ctx context.Context, commit string) (c Commit, ok bool, err error) {
	c, ok = g.at[commit]
	if ok || commit == "" {
		return c, ok, nil
	}
	out, err := g.log.repo.Offline().Git(ctx, nil, "rev-list", "--max-count=1", "--full-history", "--parents",
		"--ignore-missing", commit, "--", g.dir)
	if err != nil {
		return c, false, g.log.repo.Objects().Elsewhere(err)
	}
	hash, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	c, ok = g.at[hash]
	return c, ok, nil
}
