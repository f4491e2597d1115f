package workspace

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/store"
)

// A merge of two branches can leave several files that say `status: current`. One of them
// counts, the same for every command of this working tree, and the files stay as they are:
// two clones that sync would otherwise take back each other's choice for ever.

// current returns the current checkpoint.
func Current(set *checkpoint.Set) (*checkpoint.Checkpoint, error) {
	if c := set.Current(); c != nil {
		return c, nil
	}
	active, all := Candidates(set)
	if len(active) == 0 {
		return nil, fault.New(fault.NotFound, "no checkpoint is active").WithHint("ckpt new NAME --problem TEXT")
	}
	hint := "ckpt use " + active[0]
	if !all {
		hint += "   (ckpt list shows all)"
	}
	return nil, fault.New(fault.NotFound, "no checkpoint is current; active: %s", strings.Join(active, ", ")).WithHint("%s", hint)
}

// chooseCurrent returns which of several checkpoints that are marked as current is the current
// one, and why: the one that this working tree worked on last as the current one of this
// branch, else the one that was current on this branch before the merge, else the one that
// was changed last. What git cannot tell is left out.
func (p *Workspace) ChooseCurrent(ctx context.Context, marked []*checkpoint.Checkpoint) (c *checkpoint.Checkpoint, why string) {
	if id := p.rememberedCurrent(); id != "" {
		for _, c := range marked {
			if c.ID == id {
				return c, "of our side"
			}
		}
	}
	if c := p.currentBefore(ctx, marked); c != nil {
		return c, "of our side"
	}
	return slices.MinFunc(marked, checkpoint.LatestFirst), "worked on last"
}

// maxLine is how many commits of a branch's own line are looked through for the one that
// marked a second checkpoint.
const maxLine = 200

// currentBefore returns the one of several marked checkpoints that was the only one of them
// on this branch before a merge, or the like, brought another; nil where there is none.
func (p *Workspace) currentBefore(ctx context.Context, marked []*checkpoint.Checkpoint) *checkpoint.Checkpoint {
	commit, err := p.Repo.Branches().OwnCommit(ctx)
	if err != nil || commit == "" {
		return nil
	}
	tree, err := p.Repo.Objects().TreeAt(ctx, commit, p.Prefix)
	if err != nil {
		return nil
	}
	was := map[string]bool{} // marked, by path
	for _, c := range marked {
		was[c.Path] = p.MarkedIn(c.Path, tree[c.Path])
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
		commits, err := log.Of(p.Repo).LogFrom(ctx, commit, p.FromRoot(store.Active), maxLine)
		if err != nil {
			return nil
		}
		for i := 0; i < len(commits) && n > 1; i++ {
			for _, f := range commits[i].Files {
				path := store.Active + "/" + f.Path
				if _, asked := was[path]; asked {
					was[path] = p.MarkedIn(path, f.Before)
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

// markedIn reports whether a version of a checkpoint's file marks it as current.
func (p *Workspace) MarkedIn(path, blob string) bool {
	if blob == "" {
		return false
	}
	src, err := p.Repo.Objects().Blob(blob)
	if err != nil {
		return false
	}
	c, err := checkpoint.Parse(path, src)
	return err == nil && c.MarkedCurrent()
}

// alsoMarked is the remark on checkpoints that are marked as current, though current is the
// current one; nil for none.
func AlsoMarked(current string, marked []string) []string {
	others := slices.DeleteFunc(slices.Clone(marked), func(id string) bool { return id == current })
	if len(others) == 0 {
		return nil
	}
	return []string{"marked current, too, as after a merge: " + strings.Join(others, ", ") + "; " + current + " counts here (ckpt use ID leaves one)"}
}

// alsoMarkedIn is alsoMarked for a set.
func AlsoMarkedIn(set *checkpoint.Set) []string {
	c := set.Current()
	if c == nil {
		return nil
	}
	return AlsoMarked(c.ID, IDs(set.MarkedCurrent()))
}

// withoutCurrent is the remark on a change that takes the current checkpoint away.
func WithoutCurrent(set *checkpoint.Set, gone *checkpoint.Checkpoint) string {
	rest := slices.DeleteFunc(slices.Clone(set.All), func(c *checkpoint.Checkpoint) bool { return c.Path == gone.Path })
	if c := set.With(rest).Current(); c != nil {
		return c.ID + " is current now: it was marked so, too"
	}
	return "no checkpoint is current now (ckpt use ID)"
}

// rememberCurrent notes the current checkpoint of the branch if an operation has made it
// current or worked on it, and the one before, for `use -`. It is a convenience of this
// working tree: failing to note it is no failure.
func (p *Workspace) rememberCurrent(set *checkpoint.Set, o *Tx, on git.Checkout) {
	before := set.Current()
	touches := func(c *checkpoint.Checkpoint) bool {
		return slices.ContainsFunc(o.Files.Files, func(f change.File) bool { return f.Path == c.Path })
	}
	if before != nil && !touches(before) && o.Op != OpUndo {
		return // what makes another one current changes this one, or marks one again
	}
	if o.Op == OpImport && o.ID == "" {
		return // an import of many makes none of them current
	}
	after, err := o.Applied(set)
	if err != nil {
		return
	}
	now := after.Current()
	if o.Op == OpUndo && now != nil { // of those that are marked again the one before was current
		for _, c := range after.MarkedCurrent() {
			if c.ID == p.Previous() {
				now = c
			}
		}
	}
	if now != nil {
		p.rememberOn(on, now.ID)
	}
	if before != nil && (now == nil || now.ID != before.ID) {
		_ = disk.WriteFile(p.previousFile(), []byte(before.ID+"\n"+checkpoint.FormatTime(p.Now())+"\n"), false)
	}
}

// previousFile is the file with the id of the checkpoint that was current before and, on
// the second line, the time when another one became current.
func (p *Workspace) previousFile() string { return filepath.Join(p.Repo.JournalDir(), "previous") }

// previous is the checkpoint that was current before, "" where none is known.
func (p *Workspace) Previous() string {
	src, err := disk.ReadFile(p.previousFile())
	if err != nil {
		return ""
	}
	return text.FirstLine(string(src))
}

// currentMoved returns when another checkpoint became current; the zero time where that is
// not known.
func (p *Workspace) CurrentMoved() time.Time {
	src, err := disk.ReadFile(p.previousFile())
	if err != nil {
		return time.Time{}
	}
	_, at, _ := strings.Cut(strings.TrimSpace(string(src)), "\n")
	moved, _ := checkpoint.ParseTime(at)
	return moved
}

// currentFile is where this working tree remembers the current checkpoint of each branch:
// lines of a branch and an id, the newest last.
func (p *Workspace) currentFile() string { return filepath.Join(p.Repo.JournalDir(), "current") }

// maxRemembered is how many branches are remembered.
const maxRemembered = 50

// rememberedCurrent returns the id that is remembered for the branch; "" for none.
func (p *Workspace) rememberedCurrent() string {
	on, err := p.Repo.Checkout()
	if err != nil {
		return ""
	}
	branch := p.branchOf(on)
	src, err := disk.ReadFile(p.currentFile())
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

// rememberOn notes the current checkpoint of a branch.
func (p *Workspace) rememberOn(on git.Checkout, id string) {
	branch := p.branchOf(on)
	src, err := disk.ReadFile(p.currentFile())
	if err != nil {
		return
	}
	entry := branch + " " + id
	var lines []string
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line == entry {
			return
		}
		if name, _, _ := strings.Cut(line, " "); name != branch && line != "" {
			lines = append(lines, line)
		}
	}
	lines = append(lines[max(0, len(lines)-maxRemembered+1):], entry)
	_ = disk.WriteFile(p.currentFile(), []byte(strings.Join(lines, "\n")+"\n"), false)
}

// branchOf is the branch as it is remembered, "HEAD" for none.
func (p *Workspace) branchOf(on git.Checkout) string {
	if branch, err := p.Repo.Branches().OwnBranch(on); err == nil && branch != "" {
		return branch
	}
	return "HEAD"
}
