package checkout

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
)

// debts are the files that a branch has yet to get: what could not be published when an operation began
// there. The clone records them in a file, a line for each.
type debts struct {
	file string
	list []debt
}

type debt struct{ branch, path string }

func (b Branch) debts() *debts {
	d := &debts{file: filepath.Join(b.Repo.CommonDir(), "ckpt", "unpublished")}
	lines, _, _ := readRecords(d.file) // without the file a command on the branch publishes what began there last
	for _, line := range lines {
		d.list = append(d.list, debt{line[0], line[1]})
	}
	return d
}

// has reports whether a branch has yet to get a file. What began on a detached HEAD is for any.
func (d *debts) has(branch, rel string) bool {
	return slices.Contains(d.list, debt{branch, rel}) || slices.Contains(d.list, debt{detached, rel})
}

func (d *debts) branches() []string {
	var all []string
	for _, owed := range d.list {
		all = append(all, owed.branch)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (d *debts) save() error {
	if len(d.list) == 0 {
		return disk.Remove(d.file)
	}
	var text strings.Builder
	for _, owed := range d.list {
		text.WriteString(owed.branch + " " + owed.path + "\n")
	}
	return disk.WriteFile(d.file, []byte(text.String()), false)
}

// Owe records that files could not be published on a branch. It ignores errors: a command on the branch
// publishes what began there last without the record.
func (b Branch) Owe(branch string, files []change.File) {
	d := b.debts()
	for _, f := range files {
		if owed := (debt{cmp.Or(branch, detached), f.Path}); Written(f.Path) && !slices.Contains(d.list, owed) {
			d.list = append(d.list, owed)
		}
	}
	_ = d.save()
}

// paid records that all is published on a branch.
func (b Branch) paid(branch string) error {
	d := b.debts()
	n := len(d.list)
	d.list = slices.DeleteFunc(d.list, func(owed debt) bool { return owed.branch == branch || owed.branch == detached })
	if len(d.list) == n {
		return nil
	}
	return d.save()
}

// IsBehind reports whether the worktree may lack something of a commit of the ref, and can get it now.
func (b Branch) IsBehind(f *Found, tip string) bool {
	s := f.State
	switch {
	case tip == "":
		return false
	case s.landing != "", b.Repo.Index().LockedByUs():
		return true
	case b.Repo.Index().IsLocked(), b.Repo.InProgress() != "": // a reader does not wait for git
		return false
	case s.isNew:
		return len(b.debts().list) > 0
	default:
		return s.written != tip || s.at != f.Head.Hash
	}
}

// Waits describes that something could not be published yet; "" if all is.
func (b Branch) Waits() string {
	all := b.debts().branches()
	if len(all) == 0 {
		return ""
	}
	why := "the next change on it, or ckpt save, publishes them"
	if state := b.Repo.InProgress(); state != "" {
		why = "a " + state + " is in progress"
	}
	where := strings.Join(all, ", ")
	if where == detached {
		where = "a detached HEAD"
	}
	return "operations of " + where + " are not published yet: " + why
}
