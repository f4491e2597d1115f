// Package current chooses the current checkpoint among several that are marked as current.
//
// A merge of two branches can leave several files with `status: current`. All commands of this
// worktree choose the same one of them, and the next operation takes the mark from the others.
package current

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// Memory records in the git folder which checkpoint is current on which branch.
type Memory struct {
	*folder.Folder
}

// Choose returns which of several checkpoints that are marked as current is the current one, and
// why: the one that this working tree worked on last as the current one of this branch, else the
// one that was current on this branch before the merge, else the one that was changed last. If git
// cannot answer one of these questions, the next rule applies.
func (m *Memory) Choose(ctx context.Context, marked []*checkpoint.Checkpoint) (c *checkpoint.Checkpoint, why string) {
	if id := m.remembered(); id != "" {
		for _, c := range marked {
			if c.ID == id {
				return c, "of our side"
			}
		}
	}
	if c := m.before(ctx, marked); c != nil {
		return c, "of our side"
	}
	return slices.MinFunc(marked, checkpoint.LatestFirst), "worked on last"
}

// maxLine is how many commits along first parents are searched for the one that marked a second
// checkpoint.
const maxLine = 200

// before returns the marked checkpoint that was the only one on this branch before a merge brought
// another one; nil if there is none.
func (m *Memory) before(ctx context.Context, marked []*checkpoint.Checkpoint) *checkpoint.Checkpoint {
	commit, err := m.Repo.Branches().OwnCommit(ctx)
	if err != nil || commit == "" {
		return nil
	}
	tree, err := m.Repo.Objects().TreeAt(ctx, commit, m.Prefix)
	if err != nil {
		return nil
	}
	was := map[string]bool{} // the checkpoints that were marked, by path
	for _, c := range marked {
		was[c.Path] = m.MarkedIn(c.Path, tree[c.Path])
	}
	only := func() (only *checkpoint.Checkpoint, n int) {
		for _, c := range marked {
			if was[c.Path] {
				only, n = c, n+1
			}
		}
		return only, n
	}
	c, n := only()
	if n > 1 {
		commits, err := log.Of(m.Repo).LogFrom(ctx, commit, m.InTree(store.Active), maxLine)
		if err != nil {
			return nil
		}
		for i := 0; i < len(commits) && n > 1; i++ {
			for _, f := range commits[i].Files {
				path := store.Active + "/" + f.Path
				if _, asked := was[path]; asked {
					was[path] = m.MarkedIn(path, f.Before)
				}
			}
			c, n = only()
		}
	}
	if n != 1 {
		return nil
	}
	return c
}

// MarkedIn reports whether a version of a checkpoint's file marks it as current.
func (m *Memory) MarkedIn(path, blob string) bool {
	if blob == "" {
		return false
	}
	src, err := m.Repo.Objects().Blob(blob)
	if err != nil {
		return false
	}
	c, err := checkpoint.Parse(path, src)
	return err == nil && c.MarkedCurrent()
}

// previousFile has the id of the previous current checkpoint and, on the second line, the time when
// another one became current.
func (m *Memory) previousFile() string { return filepath.Join(m.Repo.JournalDir(), "previous") }

// Previous returns the id of the previous current checkpoint, or "" if it is not known.
func (m *Memory) Previous() string {
	src, err := disk.ReadFile(m.previousFile())
	if err != nil {
		return ""
	}
	return text.FirstLine(string(src))
}

// Moved returns the time when another checkpoint became current, or the zero time if it is not
// known.
func (m *Memory) Moved() time.Time {
	src, err := disk.ReadFile(m.previousFile())
	if err != nil {
		return time.Time{}
	}
	_, at, _ := strings.Cut(strings.TrimSpace(string(src)), "\n")
	moved, _ := checkpoint.ParseTime(at)
	return moved
}

// file returns the path of the file with the current checkpoint of each branch: lines of a branch
// and an id, the newest last.
func (m *Memory) file() string { return filepath.Join(m.Repo.JournalDir(), "current") }

// maxRemembered is how many branches are recorded.
const maxRemembered = 50

// remembered returns the id that is recorded for the branch; "" for none.
func (m *Memory) remembered() string {
	on, err := m.Repo.Checkout()
	if err != nil {
		return ""
	}
	branch := m.branchOf(on)
	src, err := disk.ReadFile(m.file())
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(src) {
		if name, id, _ := strings.Cut(strings.TrimSpace(string(line)), " "); name == branch {
			return id
		}
	}
	return ""
}

// Remember records the current checkpoint of a branch.
func (m *Memory) Remember(on git.Checkout, id string) {
	branch := m.branchOf(on)
	src, err := disk.ReadFile(m.file())
	if err != nil {
		return
	}
	entry := branch + " " + id
	var lines []string
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSpace(line)
		if line == entry {
			return
		}
		if name, _, _ := strings.Cut(line, " "); name != branch && line != "" {
			lines = append(lines, line)
		}
	}
	lines = append(lines[max(0, len(lines)-maxRemembered+1):], entry)
	_ = disk.WriteFile(m.file(), []byte(strings.Join(lines, "\n")+"\n"), false)
}

// branchOf returns the branch's name in the record: "HEAD" if HEAD is detached.
func (m *Memory) branchOf(on git.Checkout) string {
	if branch, err := m.Repo.Branches().OwnBranch(on); err == nil && branch != "" {
		return branch
	}
	return "HEAD"
}

// RememberPrevious records the checkpoint that was current until now, for `use -`. An error is
// ignored.
func (m *Memory) RememberPrevious(id string, now time.Time) {
	_ = disk.WriteFile(m.previousFile(), []byte(id+"\n"+checkpoint.FormatTime(now)+"\n"), false)
}
