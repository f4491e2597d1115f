package changes

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git"
)

// PathHistories returns what happened to paths (from the root) in a range of commits: "BASE..HEAD", or "HEAD" for all
// of history. Paths in the argument here are in the index: the commits that touched them are counted. Paths in the
// argument gone are not in the index: the commit that removed each is found, and its renames are followed in later
// commits and in the index. With BASE..HEAD such a path may be only the end of a file's path. Without any commit in the
// range it is left out.
func (c Changes) PathHistories(ctx context.Context, span string, here, gone []string,
	t *git.Tracked) (map[string]drift.PathHistory, error) {
	histories := map[string]drift.PathHistory{}
	if len(here)+len(gone) == 0 {
		return histories, nil
	}
	exact, ends := slices.Concat(here, gone), gone
	if !strings.Contains(span, "..") { // git takes too long to compare path endings in all of history
		ends = nil
	}
	moments, err := c.commitsTouching(ctx, span, exact, ends)
	if err != nil {
		return nil, err
	}
	for _, name := range here {
		f := drift.PathHistory{}
		for _, m := range moments {
			if !m.merge && slices.ContainsFunc(m.events, func(e event) bool { return within(e.path, name) }) {
				f.Commits++
			}
		}
		histories[name] = f
	}
	if len(gone) == 0 {
		return histories, nil
	}
	var staged []event
	if slices.ContainsFunc(gone,
		func(name string) bool { _, _, f, _ := ended(moments, nil, name); return f.Commit == "" }) {
		staged, err = c.stagedMoves(ctx)
		if err != nil {
			return nil, err
		}
	}
	for _, name := range gone {
		if f, ok, err := c.end(ctx, moments, staged, name, t); err != nil {
			return nil, err
		} else if ok {
			histories[name] = f
		}
	}
	return histories, nil
}

// within reports whether a file is at a path or below it.
func within(file, name string) bool {
	return file == name || strings.HasPrefix(file, name) && file[len(name)] == '/'
}

// fits reports whether file is at or below the path name, or a path that ends with "/" and name. Full is that path.
func fits(file, name string) (full string, ok bool) {
	if within(file, name) {
		return name, true
	}
	if i := strings.Index(file, "/"+name); i >= 0 && within(file[i+1:], name) {
		return file[:i+1] + name, true
	}
	return "", false
}

// hops is the maximum number of renames that are followed for a file.
const hops = 8

// end returns the commit that removed a path, and where the path moved. It reports false if no commit had the path.
func (c Changes) end(ctx context.Context, moments []logged, staged []event, name string,
	t *git.Tracked) (drift.PathHistory, bool, error) {
	var last drift.PathHistory
	for range hops {
		full, from, f, ok := ended(moments, staged, name)
		if !ok {
			return last, last.Path != "", nil
		}
		if last.Path != "" {
			f.Path = last.Path
		}
		last = f
		to, err := c.movedTo(ctx, from, staged, full)
		if err != nil || to == "" {
			return last, true, err
		}
		last.To = to
		isFile := t.Has(to) && (t.Hidden(to) || c.repo.Worktree().Exists(to))
		if isFile || t.HasFolder(to) {
			return last, true, nil
		}
		last.To = ""
		if from.hash == "" {
			return last, true, nil
		}
		moments, err = c.commitsTouching(ctx, from.hash+"..HEAD", []string{to}, nil)
		if err != nil {
			return last, true, err
		}
		name = to
	}
	return last, true, nil
}

// ended returns the commit that removed a path. Its hash is empty if the removal is only staged, or is by an unknown
// merge.
func ended(moments []logged, staged []event, name string) (full string, at logged, f drift.PathHistory, ok bool) {
	for _, e := range staged {
		if full, ok := fits(cmp.Or(e.from, e.path), name); ok {
			return full, logged{}, drift.PathHistory{Path: full}, true
		}
	}
	var found *logged
	for i := range moments {
		m := &moments[i]
		for _, e := range m.events {
			whole, fit := fits(e.path, name)
			if !fit {
				continue
			}
			if e.kind != 'D' { // the last commit did not remove the path, so a merge did
				if found == nil {
					return whole, logged{}, drift.PathHistory{Path: whole}, true
				}
				continue
			}
			if found == nil || found.merge && !m.merge {
				found, full = m, whole
			}
		}
		if found != nil && !found.merge {
			break
		}
	}
	if found == nil {
		return "", logged{}, drift.PathHistory{}, false
	}
	return full, *found, drift.PathHistory{Path: full, Commit: found.hash, Date: found.date}, true
}

// movedTo returns the path to which the commit at moved a file or a folder; "" if it did not move. If at has no hash,
// movedTo searches the staged events.
func (c Changes) movedTo(ctx context.Context, at logged, staged []event, name string) (string, error) {
	events := staged
	if at.hash != "" {
		// If a partial clone lacks the contents, git finds only renames without changes.
		commits, err := c.loggedCommits(ctx, at.hash, "--no-walk", "--diff-filter=R", "--diff-merges=first-parent")
		if err != nil {
			return "", err
		}
		events = nil
		for _, m := range commits {
			events = append(events, m.events...)
		}
	}
	folder := ""
	for _, e := range events {
		rest, below := strings.CutPrefix(e.from, name+"/")
		switch {
		case e.kind != 'R':
		case e.from == name:
			return e.path, nil
		case below:
			dir, whole := strings.CutSuffix(e.path, "/"+rest)
			if !whole || folder != "" && folder != dir {
				return "", nil
			}
			folder = dir
		}
	}
	return folder, nil
}

// stagedMoves returns the deletions and renames in the index relative to HEAD.
func (c Changes) stagedMoves(ctx context.Context) ([]event, error) {
	head, err := c.repo.Head()
	if err != nil || head.Hash == "" {
		return nil, err
	}
	out, err := c.withRenames(func(similar string) ([]byte, error) {
		return c.repo.Git(ctx, nil, "diff-index", "--cached", "-z", "--name-status", "--diff-filter=DR", similar, head.Hash)
	})
	events, _ := parseEvents(strings.Split(string(out), "\x00"))
	return events, err
}

// AddDeleted adds files that no longer exist to t. If a file in t was moved from such a path, it is marked as renamed;
// other paths are added as deleted files. Files that commits of other branches touched, or that a sparse checkout
// leaves out, are not added. If git fails, AddDeleted adds nothing.
func (c Changes) AddDeleted(ctx context.Context, t *Work, files []string) {
	c.repo = c.repo.Offline()
	others, err := c.commitsTouching(ctx, "--branches ^HEAD", files, nil)
	tracked, indexErr := c.repo.Index().Tracked(ctx)
	if err != nil || indexErr != nil {
		return
	}
	for _, name := range files {
		at := slices.IndexFunc(t.Files, func(f File) bool { return f.From == name })
		isElsewhere := slices.ContainsFunc(others, func(o logged) bool { return pathsOf(o.events)[name] })
		switch {
		case isElsewhere || tracked.Hidden(name):
		case at < 0:
			t.Files = append(t.Files, File{Path: name, Action: deleted})
		default:
			t.Files[at].Action, t.Files[at].Renamed = modified, true
		}
	}
	slices.SortFunc(t.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}

// commitsTouching returns the commits of a range that touched one of the paths in exact, or a path that ends with one
// in ends, newest first.
func (c Changes) commitsTouching(ctx context.Context, span string, exact, ends []string) ([]logged, error) {
	args := []string{"log", "-z", "--name-status", "--no-renames", "--full-history", "--diff-merges=first-parent",
		"--no-show-signature", "--no-color", logFormat}
	args = append(append(args, strings.Fields(span)...), "--")
	for _, name := range exact {
		args = append(args, ":(literal)"+name)
	}
	for _, name := range ends {
		pattern := ":(glob)**/" + git.GlobQuoted(name)
		args = append(args, pattern, pattern+"/**")
	}
	out, err := c.repo.GitGlob(ctx, args...)
	return parseLog(out), c.repo.Objects().Elsewhere(err)
}
