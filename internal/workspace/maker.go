package workspace

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/workspace/checkout"
)

// The trailers that name who made an operation on the checkpoint ref, which all worktrees share.
const (
	trailerWorktree = "Checkpoint-Worktree" // the name of its folder and State.Worktree
	trailerAgent    = "Checkpoint-Agent"
	trailerSession  = "Checkpoint-Session"
)

// Own reports whether undo may take a commit back: in ref mode only if it was made in this
// worktree and, for an agent in a session, in the same session.
func (v *View) Own(c log.Commit) bool {
	if !v.OnRef() {
		return true
	}
	session := v.settings.Session
	sameSession := session == "" || session == lastOf(c.Trailers[trailerSession])
	return sameSession && MadeIn(c, v.written.Worktree)
}

// MadeIn reports whether a commit on the checkpoint ref was made in the worktree that is
// State.Worktree.
func MadeIn(c log.Commit, worktree string) bool {
	_, made, _ := cutLast(lastOf(c.Trailers[trailerWorktree]), " ")
	return made != "" && made == worktree
}

// MadeBy names the worktree, the agent and the session of a commit on the checkpoint ref.
func MadeBy(c log.Commit) string {
	worktree, _, _ := cutLast(lastOf(c.Trailers[trailerWorktree]), " ")
	var parts []string
	if worktree != "" {
		parts = append(parts, "in "+worktree)
	}
	if agent := lastOf(c.Trailers[trailerAgent]); agent != "" {
		parts = append(parts, "by "+agent)
	}
	if session := lastOf(c.Trailers[trailerSession]); session != "" {
		parts = append(parts, "in session "+Cut(session, 12))
	}
	if len(parts) == 0 {
		return "elsewhere"
	}
	return strings.Join(parts, " ")
}

func lastOf(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// AsCommitted returns the content of a file as its commits have it: on the checkpoint ref no
// checkpoint is marked as current.
func (v *View) AsCommitted(rel string, src []byte) []byte {
	if !v.OnRef() {
		return src
	}
	return checkout.Shared(rel, src)
}

// BranchOf returns the branch of which a file of the ref names the current checkpoint, or "".
func BranchOf(rel string) string {
	branch, found := strings.CutPrefix(rel, checkout.CurrentFolder+"/")
	if !found {
		return ""
	}
	return branch
}

// ChosenOnBranch returns the id that the checkpoint ref has for the branch that is checked out: the
// checkpoint that was last made current on it, in any worktree.
func (v *View) ChosenOnBranch(ctx context.Context) (string, error) {
	branch := v.on.Branch()
	if branch == "" || v.tip == "" {
		return "", nil
	}
	src, err := v.Repo.Objects().FileAt(ctx, v.tip, v.InTree(checkout.CurrentFolder+"/"+branch))
	if fault.KindOf(err) == fault.NotFound {
		return "", nil
	}
	return strings.TrimSpace(string(src)), err
}

// Branch returns the name of the branch that is checked out; "" for a detached HEAD.
func (v *View) Branch() string { return v.on.Branch() }

// OnBranch reports whether a branch is the one that is checked out.
func (v *View) OnBranch(branch string) bool { return branch != "" && branch == v.on.Branch() }

// MarkCurrent makes a transaction mark the checkpoint with an id as current, and no other one. If
// it is not active after the transaction, none is current.
func (o *Tx) MarkCurrent(v *View, id string) error {
	for _, f := range slices.Clone(o.Files.Files) {
		if !f.Gone() {
			o.Put(f.Path, f.Before, checkout.Shown(f.Path, checkout.Shared(f.Path, f.After), id))
		}
	}
	for _, c := range v.Set.All {
		marked := c.ID == id
		if marked == c.MarkedCurrent() || checkpoint.InArchive(c.Path) {
			continue
		}
		if _, planned := o.Files.After(c.Path); planned {
			continue
		}
		src := c.Doc.Bytes()
		after := checkout.Shared(c.Path, src)
		if marked {
			after = checkout.Shown(c.Path, src, id)
		}
		o.Files.Add(change.File{Path: c.Path, Before: src, After: after})
	}
	return nil
}
