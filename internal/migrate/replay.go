package migrate

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/store"
)

// replay repeats the commits of the code that touch the folder, as commits of the checkpoint ref.
// What becomes of a commit depends on that commit and its ancestors alone: whoever repeats it
// makes the same hash, whatever other branches there are.
type replay struct {
	*objects
	ref  ckptref.Ref
	root string // the root commit of the ref
	tip  string // the ref as it is; "" if it does not exist

	commits  *graph
	becomes  map[string][]string // by a commit of the code: the commits of the ref that stand for it
	origin   map[string]string   // by a commit of the ref: the one of the code
	onRef    map[string]bool     // commits of the code's history that are on the ref already
	order    []string            // the commits of the code, parents first
	isPolicy map[string]bool     // by the blob of config.yaml: it says commit: ref
}

// replayAll repeats the history of all branches.
func replayAll(ctx context.Context, repo *git.Repo, ref ckptref.Ref, prefix string) (*replay, error) {
	cut, err := repo.Objects().Shallow()
	if err != nil {
		return nil, err
	}
	if len(cut) > 0 {
		return nil, fault.New(fault.Unsupported, "the history of this clone is cut off: others would get other commits").
			WithHint("git fetch --unshallow, then ckpt migrate")
	}
	r := &replay{
		objects: newObjects(repo, prefix), ref: ref, commits: newGraph(), becomes: map[string][]string{},
		origin: map[string]string{}, onRef: map[string]bool{}, isPolicy: map[string]bool{},
	}
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	heads, err := r.heads(ctx)
	if err != nil || len(heads) == 0 {
		return r, err
	}
	args := append([]string{"-c", "core.useReplaceRefs=false", "rev-list", "--parents", "--full-history",
		"--simplify-merges", "--topo-order", "--reverse"}, heads...)
	out, err := repo.Git(ctx, nil, append(args, "--", prefix)...)
	if err != nil {
		return nil, repo.Objects().Elsewhere(err)
	}
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		if err := r.repeat(ctx, names[0], names[1:]); err != nil {
			return nil, err
		}
		r.order = append(r.order, names[0])
	}
	return r, nil
}

// begin makes the root commit and reads the history of the ref.
func (r *replay) begin(ctx context.Context) error {
	var err error
	r.root, err = r.add(ctx, ckptref.RootOf(""))
	if err != nil {
		return err
	}
	r.commits.add(r.root, nil)
	r.tip, err = r.ref.Tip(ctx)
	if err != nil || r.tip == "" {
		return err
	}
	out, err := r.repo.Git(ctx, nil, "rev-list", "--parents", "--topo-order", "--reverse", r.tip)
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		r.commits.add(names[0], names[1:])
	}
	return err
}

// heads returns HEAD and the commits of all branches, without repetitions.
func (r *replay) heads(ctx context.Context) ([]string, error) {
	all, err := r.repo.Branches().All(ctx)
	if err != nil {
		return nil, err
	}
	head, err := r.repo.Head()
	if err != nil {
		return nil, err
	}
	var heads []string
	if head.Hash != "" {
		heads = append(heads, head.Hash)
	}
	for _, b := range all {
		heads = append(heads, b.Commit)
	}
	slices.Sort(heads)
	return slices.Compact(heads), nil
}

// repeat repeats one commit, whose parents in the history of the folder were repeated before. Of a
// commit that says commit: ref only new content counts: it takes the checkpoints off its branch.
func (r *replay) repeat(ctx context.Context, hash string, parents []string) error {
	c, err := r.repo.Objects().Commit(ctx, hash)
	if err != nil {
		return err
	}
	isOn := func(p string) bool { return p == r.root || r.onRef[p] }
	if len(c.Parents) > 0 && !slices.ContainsFunc(c.Parents, func(p string) bool { return !isOn(p) }) {
		r.onRef[hash], r.tree[hash] = true, c.Tree
		r.commits.add(hash, c.Parents)
		r.becomes[hash], r.origin[hash] = []string{hash}, hash
		return nil
	}
	var onto []string
	for _, p := range parents {
		onto = append(onto, r.becomes[p]...)
	}
	onto = r.commits.newest(onto)
	tree, config, err := r.folderOf(ctx, hash, c)
	if err != nil {
		return err
	}
	moved, err := r.saysRef(ctx, config)
	if err != nil {
		return err
	}
	before := ""
	if len(onto) == 1 {
		before = r.tree[onto[0]]
	}
	if moved && tree != "" {
		made, err := r.makeLate(ctx, hash, c, parents, onto)
		r.becomes[hash] = r.commits.newest(append(made, onto...))
		return err
	}
	if moved || len(onto) < 2 && tree == before {
		r.becomes[hash] = onto
		return nil
	}
	if len(onto) == 0 {
		onto = []string{r.root}
	}
	made, err := r.make(ctx, hash, c, tree, onto)
	r.becomes[hash] = []string{made}
	return err
}

// make writes the commit of the ref for a commit of the code.
func (r *replay) make(ctx context.Context, hash string, c object.CommitText, tree string, onto []string) (
	string, error) {
	made, err := r.add(ctx, object.CommitText{
		Tree: tree, Parents: onto, Author: c.Author, Committer: c.Committer, Encoding: c.Encoding, Message: c.Message,
	})
	if err != nil {
		return "", err
	}
	r.commits.add(made, onto)
	if r.origin[made] == "" {
		r.origin[made] = hash
	}
	return made, nil
}

// makeLate makes the commit for one that says commit: ref and has checkpoints: a rebase onto the
// migration leaves such commits. It has the files that no parent has, beside those of the ref. There is
// none if all are known.
func (r *replay) makeLate(ctx context.Context, hash string, c object.CommitText, parents, onto []string) (
	made []string, err error) {
	has, err := r.repo.Objects().FolderAt(ctx, hash, r.prefix)
	set := maps.Clone(has)
	maps.DeleteFunc(set, func(rel string, _ git.Entry) bool { return !belongs(rel) })
	for _, p := range parents {
		had, err := r.repo.Objects().FolderAt(ctx, p, r.prefix)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(set, func(rel string, e git.Entry) bool { return had[rel] == e })
	}
	if len(set) == 0 || err != nil {
		return nil, err
	}
	parent := r.root
	if len(onto) > 0 {
		parent = onto[0]
	}
	there, err := r.files(ctx, parent)
	if err != nil {
		return nil, err
	}
	for rel := range maps.Clone(set) {
		for other := range there { // the checkpoint was archived, or made active again
			if has[other].IsZero() && path.Base(other) == path.Base(rel) && isActive(other) != isActive(rel) {
				set[other] = git.Entry{}
			}
		}
	}
	tree, err := r.rewrite(ctx, parent, set, nil)
	if err != nil || tree == r.tree[parent] {
		return nil, err
	}
	one, err := r.make(ctx, hash, c, tree, []string{parent})
	return []string{one}, err
}

func isActive(rel string) bool { return strings.HasPrefix(rel, store.Active+"/") }

// saysRef reports whether a config.yaml keeps the checkpoints on the ref.
func (r *replay) saysRef(ctx context.Context, config string) (bool, error) {
	if config == "" {
		return false, nil
	}
	says, known := r.isPolicy[config]
	if known {
		return says, nil
	}
	src, err := r.repo.Objects().Contents(ctx, []string{config})
	if err != nil {
		return false, err
	}
	cfg, err := policy.Parse(src[config])
	r.isPolicy[config] = err == nil && cfg.Commit == policy.Ref
	return r.isPolicy[config], nil
}

// at returns the commit of the ref that has the files of a commit of the code; "" for none.
func (r *replay) at(ctx context.Context, commit string) (string, error) {
	if commit == "" {
		return "", nil
	}
	out, err := r.repo.Git(ctx, nil, "-c", "core.useReplaceRefs=false", "rev-list", "-1", commit, "--", r.prefix)
	if err != nil {
		return "", err
	}
	found := r.becomes[strings.TrimSpace(string(out))]
	if len(found) == 0 {
		return "", nil
	}
	return found[0], nil
}

// ends returns the repeated commits that no other one contains and that the ref lacks, by hash.
func (r *replay) ends() []string {
	inner := map[string]bool{}
	for made := range r.origin {
		for _, p := range r.commits.parents[made] {
			inner[p] = true
		}
	}
	var all []string
	for made := range r.origin {
		if !inner[made] && (r.tip == "" || !r.commits.contains(r.tip, made)) {
			all = append(all, made)
		}
	}
	slices.Sort(all)
	return all
}

// lacks returns the number of repeated commits that the ref does not have.
func (r *replay) lacks() int {
	have := map[string]bool{}
	if r.tip != "" {
		have = r.commits.ancestors(r.tip)
	}
	n := 0
	for made := range r.origin {
		if !have[made] {
			n++
		}
	}
	return n
}

// branches returns the names of branches, one for each end.
func (r *replay) branches(ctx context.Context) ([]string, error) {
	var names []string
	for _, end := range r.ends() {
		name, err := r.repo.Branches().With(ctx, r.origin[end], git.LocalRefs, "refs/remotes/")
		if err != nil {
			return nil, err
		}
		if name == "" {
			name = "HEAD" // detached, here or in another worktree
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
