package git

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/ckpt/internal/fault"
)

// Kept is a blob that a ref of its own keeps; see [Repo.Keep].
type Kept struct {
	Ref  string
	Name string
	Size int64 // in bytes
}

// DropCommand is what a person types to let gc take the blob.
func (k Kept) DropCommand() string { return fmt.Sprintf("git update-ref -d %s", k.Ref) }

// KeptBelow are the blobs that refs below a name keep.
func (r *Repo) KeptBelow(ctx context.Context, refs string) ([]Kept, error) {
	out, err := r.Git(ctx, nil, "for-each-ref", "--format=%(refname)%00%(objectname)%00%(objectsize)", refs)
	if err != nil {
		return nil, err
	}
	var all []Kept
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(f) < 3 {
			continue
		}
		size, _ := strconv.ParseInt(f[2], 10, 64) // git's own number
		all = append(all, Kept{Ref: f[0], Name: f[1], Size: size})
	}
	return all, nil
}

// LetGo has nothing keep the blobs any more: gc takes them when they are two weeks old.
func (r *Repo) LetGo(ctx context.Context, blobs []Kept) error {
	for _, k := range blobs {
		if err := r.MoveRefByGit(ctx, k.Ref, "", k.Name); err != nil {
			return err
		}
	}
	return nil
}

// EverSaid is every line with a text that a commit has brought to a Markdown file, of all
// commits that a ref, a reflog or the HEAD of a working tree reaches. Where this clone
// lacks some of them it is an error.
func (r *Repo) EverSaid(ctx context.Context, text string) ([]byte, error) {
	if shallow, err := r.Shallow(); err != nil || len(shallow) > 0 || r.mayLack() {
		return nil, fault.New(fault.Unsupported, "this clone has not all of history")
	}
	return r.GitGlob(ctx, "-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--all", "--reflog", "--diff-merges=first-parent", "--format=",
		"-p", "-U0", "--text", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", "-G"+text, "--", ":(glob)**/*.md")
}

// WorkingTrees are the folders of all working trees that are there, this one's too.
func (r *Repo) WorkingTrees(ctx context.Context) ([]string, error) {
	out, err := r.Git(ctx, nil, "worktree", "list", "--porcelain")
	if err != nil {
		return nil, err
	}
	var all []string
	for line := range strings.Lines(string(out)) {
		if root, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "worktree "); ok {
			all = append(all, filepath.FromSlash(root))
		}
	}
	return all, nil
}
