// Package branches finds what the checked-out branch lacks and others have: checkpoints, newer
// versions of checkpoints, and learnings.
//
// Only what a merge of those branches would add counts. A file that none of their commits has
// touched since the fork is old, even if it was changed here: a checkpoint that was deleted
// here does not reappear because an old branch still has it, and neither does a learning that
// was withdrawn.
//
// [Collect] takes values and returns values; package survey reads them from git.
package branches

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
)

// Branch is a branch, or the detached HEAD of another worktree.
type Branch struct {
	Name     string // a name that git understands: "feat-a", "origin/feat-a", a commit
	Remote   bool
	Worktree string // the folder of the worktree that has it checked out, if any
}

// Tip is a commit to which one or more branches point.
type Tip struct {
	Branches    []Branch
	Checkpoints map[string]string // the blobs by path below the folder that commits of the branches touched
	Learnings   string            // the blob of LEARNINGS.md; empty if those commits did not touch it
}

// Version is the newest version of a checkpoint on other branches.
type Version struct {
	ID         string
	Path       string // the path below the folder
	Blob       string
	Changed    time.Time // the time in the file itself; zero for a file that cannot be read
	Unreadable string    // why it cannot be read; its id is then the file's name
	On         []Branch  // the branches that have this version
	Archived   bool      // the archive of this branch has a file named after its id
}

// Learning is a learning that other branches have.
type Learning struct {
	Date, ID string // as in [learnings.Learning]
	Text     string
	Blob     string // the blob of the LEARNINGS.md that has it
	On       []Branch
}

// Local returns the learnings on local branches or worktrees, with the names of these branches.
func Local(all []Learning) []Learning {
	var local []Learning
	for _, l := range all {
		l.On = slices.DeleteFunc(slices.Clone(l.On), func(b Branch) bool { return b.Remote })
		if len(l.On) > 0 {
			local = append(local, l)
		}
	}
	return local
}

// Learnings returns learnings with the names of their branches, as commands show them.
func Learnings(all []Learning) []learnings.Learning {
	found := make([]learnings.Learning, len(all))
	for i, l := range all {
		found[i] = learnings.Learning{Date: l.Date, ID: l.ID, Text: l.Text, On: Names(l.On)}
	}
	return found
}

// Found has what commits of other branches have written, by id and by text. Some of it may be on
// this branch, too: [Found.Beyond] leaves that out.
type Found struct {
	Checkpoints []Version  // sorted by id
	Learnings   []Learning // newest first
}

// Collect reads the tips. Text returns the content of a blob, or nil if this clone lacks it. Old
// has the blobs of LEARNINGS.md in the history of this branch: learnings in them are left out.
func Collect(tips []Tip, old []string, text func(blob string) []byte) *Found {
	f := &Found{}
	newest := map[string]*Version{}
	for _, t := range tips {
		for at, blob := range t.Checkpoints {
			v, ok := read(at, blob, text(blob))
			if !ok {
				continue
			}
			was := newest[v.ID]
			switch {
			case was == nil || compare(v, *was) > 0:
				v.On = slices.Clone(t.Branches)
				newest[v.ID] = &v
			case compare(v, *was) == 0:
				was.On = append(was.On, t.Branches...)
			}
		}
	}
	for _, v := range newest {
		slices.SortFunc(v.On, byRank)
		v.On = slices.CompactFunc(v.On, func(a, b Branch) bool { return a == b })
		f.Checkpoints = append(f.Checkpoints, *v)
	}
	slices.SortFunc(f.Checkpoints, func(a, b Version) int { return strings.Compare(a.ID, b.ID) })
	f.Learnings = learningsOf(tips, old, text)
	return f
}

// read parses a file as a checkpoint. If the file is not meant to be one, ok is false.
func read(at, blob string, src []byte) (v Version, ok bool) {
	v = Version{ID: strings.TrimSuffix(path.Base(at), ".md"), Path: at, Blob: blob}
	if src == nil {
		v.Unreadable = "its text is not in this clone, which is a partial one"
		return v, true
	}
	c, err := checkpoint.Parse(at, src)
	switch {
	case errors.Is(err, checkpoint.ErrOther):
		return v, false
	case err != nil:
		v.Unreadable = err.Error()
	default:
		v.ID, v.Changed = c.ID, c.Changed()
	}
	return v, true
}

// compare orders versions of one checkpoint by age. Among versions of the same age an archived one
// is the newest, as in a merge. The other criteria only make the order deterministic.
func compare(a, b Version) int {
	archived := func(v Version) int {
		if checkpoint.InArchive(v.Path) {
			return 1
		}
		return 0
	}
	return cmp.Or(a.Changed.Compare(b.Changed), archived(a)-archived(b), strings.Compare(a.Blob, b.Blob),
		strings.Compare(b.Path, a.Path))
}

// byRank orders branches: those of worktrees first, then local ones, then those of remotes.
func byRank(a, b Branch) int {
	rank := func(b Branch) int {
		switch {
		case b.Worktree != "":
			return 0
		case !b.Remote:
			return 1
		}
		return 2
	}
	return cmp.Or(rank(a)-rank(b), strings.Compare(a.Name, b.Name), strings.Compare(a.Worktree, b.Worktree))
}

func learningsOf(tips []Tip, old []string, text func(blob string) []byte) []Learning {
	known := map[string]bool{}
	for _, blob := range old {
		for _, l := range learnings.List(learnings.Parse(text(blob))) {
			known[l.Text] = true
		}
	}
	var all []Learning
	at := map[string]int{} // by text, the index of the learning
	read := map[string][]learnings.Learning{}
	for _, t := range tips {
		if t.Learnings == "" {
			continue
		}
		found, done := read[t.Learnings]
		if !done {
			found = learnings.List(learnings.Parse(text(t.Learnings)))
			read[t.Learnings] = found
		}
		for _, l := range found {
			if known[l.Text] {
				continue
			}
			i, seen := at[l.Text]
			if !seen {
				i = len(all)
				at[l.Text] = i
				all = append(all, Learning{Date: l.Date, ID: l.ID, Text: l.Text, Blob: t.Learnings})
			}
			all[i].On = append(all[i].On, t.Branches...)
		}
	}
	for i := range all {
		slices.SortFunc(all[i].On, byRank)
	}
	slices.SortStableFunc(all, func(a, b Learning) int {
		return cmp.Or(strings.Compare(b.Date, a.Date), strings.Compare(a.ID, b.ID), strings.Compare(a.Text, b.Text))
	})
	return all
}

// Beyond returns what this branch lacks. Has reports whether this branch has a checkpoint, in any
// version; knows reports whether it has a learning.
func (f *Found) Beyond(has func(Version) bool, knows func(text string) bool) *Found {
	beyond := &Found{}
	for _, v := range f.Checkpoints {
		if !has(v) {
			beyond.Checkpoints = append(beyond.Checkpoints, v)
		}
	}
	for _, l := range f.Learnings {
		if !knows(l.Text) {
			beyond.Learnings = append(beyond.Learnings, l)
		}
	}
	return beyond
}

// Holding counts what would be lost with a branch.
type Holding struct {
	Branch      Branch
	Checkpoints int // checkpoints that no other branch has
	Versions    int // versions that no other branch has, of checkpoints that another branch has
	Learnings   int
}

// Sole returns the local branches and detached HEADs that have something no other branch has, by
// rank. Same reports whether the branch checked out here has a checkpoint in exactly this version;
// has and knows are as in [Found.Beyond].
func (f *Found) Sole(has, same func(Version) bool, knows func(text string) bool) []Holding {
	var all []Holding
	of := func(on []Branch) *Holding {
		i := slices.IndexFunc(all, func(h Holding) bool { return h.Branch == on[0] })
		if i < 0 {
			all = append(all, Holding{Branch: on[0]})
			i = len(all) - 1
		}
		return &all[i]
	}
	for _, v := range f.Checkpoints {
		switch {
		case len(v.On) > 1 || v.On[0].Remote:
		case !has(v):
			of(v.On).Checkpoints++
		case !same(v):
			of(v.On).Versions++
		}
	}
	for _, l := range f.Learnings {
		if len(l.On) == 1 && !l.On[0].Remote && !knows(l.Text) {
			of(l.On).Learnings++
		}
	}
	slices.SortFunc(all, func(a, b Holding) int { return byRank(a.Branch, b.Branch) })
	return all
}

// Get returns the version of a checkpoint by its full id, or by that id without "chk-".
func (f *Found) Get(id string) (Version, bool) {
	for _, name := range []string{id, "chk-" + id} {
		for _, v := range f.Checkpoints {
			if v.ID == name {
				return v, true
			}
		}
	}
	return Version{}, false
}

// Names returns the names of branches.
func Names(on []Branch) []string {
	names := make([]string, len(on))
	for i, b := range on {
		names[i] = b.Name
	}
	return names
}
