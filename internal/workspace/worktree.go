package workspace

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/workspace/checkout"
)

// Worktree returns the name of this worktree in the commits of the checkpoint ref.
func (v *View) Worktree() string { return v.state.Worktree }

// RemindedOn returns the day on which this worktree was last reminded of prune; it may be empty.
func (v *View) RemindedOn() string { return v.state.RemindedOn }

// Remind records the day on which this worktree was reminded of prune. If that fails, the reminder is repeated.
func (v *View) Remind(day string) {
	v.state.RemindedOn = day
	_ = v.branch.Save(v.state)
}

// Remarks returns a remark if another program had moved the checkpoint ref, and one if anything was taken in from the
// branch or published on it.
func (v *View) Remarks() []string {
	return slices.DeleteFunc([]string{v.moved, v.took}, func(remark string) bool { return remark == "" })
}

// Unpublished returns a remark on operations that could not be published yet, or "".
func (v *View) Unpublished() string { return v.unpublished }

// Opening returns a workspace for an edit by hand of a file that an editor opens now. The saved edit is merged with
// what operations have changed in the file since then.
func (p *Workspace) Opening(rel string) *Workspace {
	with := *p
	src, _ := p.Disk.OnDisk(rel) // if it cannot be read, an edit counts as made from the newest version
	with.files.Opened = map[string][]byte{rel: src}
	return &with
}

// AsShown returns the content of a committed file as this worktree has it on disk: with the mark of the current
// checkpoint.
func (v *View) AsShown(rel string, src []byte) []byte {
	return checkout.Shown(rel, src, v.state.Current())
}

// BranchOf returns the branch whose current checkpoint a file of the ref records, or "" for any other file.
func BranchOf(rel string) string {
	name, found := strings.CutPrefix(rel, checkout.CurrentFolder+"/")
	if !found {
		return ""
	}
	return checkout.BranchOf(name)
}

// ChosenOnBranch returns the id that a commit of the checkpoint ref records for the branch that is checked out:
// the checkpoint that was last made current on it, in any worktree. An empty commit means the newest. It
// returns [checkout.None] if none is current any more, and "" if the commit has no record.
func (v *View) ChosenOnBranch(ctx context.Context, commit string) (string, error) {
	return v.branch.SharedCurrent(ctx, cmp.Or(commit, v.tip), v.Branch())
}

// OnBranch reports whether a given branch is the one that is checked out.
func (v *View) OnBranch(branch string) bool { return branch != "" && branch == v.Branch() }
