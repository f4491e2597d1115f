package git

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/core/fault"
)

// place is what a path holds in a tree; the zero value is nothing.
type place struct {
	mode filemode.FileMode
	hash plumbing.Hash
}

// node is one entry of a tree.
type node struct {
	name string
	place
}

// objectReader is where trees are read from.
type objectReader interface {
	want(kind plumbing.ObjectType, h plumbing.Hash) ([]byte, error)
}

var errTree = errors.New("tree object is damaged")

// parseTree reads the entries of a tree and keeps their modes. It stands in for go-git's
// plumbing/object, which takes mode 100664 of old trees for 100644, so that entries beside
// ours would change, and which verifies OpenPGP signatures: linking that makes every ckpt
// start a tenth slower.
func parseTree(data []byte) ([]node, error) {
	var nodes []node
	for len(data) > 0 {
		octal, rest, ok1 := bytes.Cut(data, []byte{' '})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		mode, err := filemode.New(string(octal))
		if !ok1 || !ok2 || err != nil || len(rest) < len(plumbing.ZeroHash) {
			return nil, errTree
		}
		nodes = append(nodes, node{string(name), place{mode, plumbing.Hash(rest[:20])}})
		data = rest[20:]
	}
	return nodes, nil
}

// formatTree is a tree of these entries as git stores it.
func formatTree(nodes []node) []byte {
	var b []byte
	for _, n := range nodes {
		b = strconv.AppendUint(b, uint64(n.mode), 8)
		b = append(append(b, ' '), n.name...)
		b = append(append(b, 0), n.hash[:]...)
	}
	return b
}

// sortKey is git's order: a folder sorts as if its name ended in a slash.
func (n node) sortKey() string {
	if n.mode == filemode.Dir {
		return n.name + "/"
	}
	return n.name
}

func readTree(db objectReader, h plumbing.Hash) ([]node, error) {
	if h.IsZero() {
		return nil, nil
	}
	data, err := db.want(plumbing.TreeObject, h)
	if err != nil {
		return nil, err
	}
	nodes, err := parseTree(data)
	if err != nil {
		return nil, fault.New(fault.Failed, "read tree %s: %w", h, err)
	}
	return nodes, nil
}

// lookup is what path holds below root.
func lookup(db objectReader, root plumbing.Hash, path string) (place, error) {
	at := place{filemode.Dir, root}
	for name := range strings.SplitSeq(path, "/") {
		if at.mode != filemode.Dir {
			return place{}, nil
		}
		nodes, err := readTree(db, at.hash)
		if err != nil {
			return place{}, err
		}
		i := slices.IndexFunc(nodes, func(n node) bool { return n.name == name })
		if i < 0 {
			return place{}, nil
		}
		at = nodes[i].place
	}
	return at, nil
}

// rewrite is root with the given paths set, or removed where the place is zero;
// folders that become empty go, as git has no empty folders. Only the trees on
// the way to a path are read and written. It returns the zero hash for nothing.
func rewrite(b *batch, root plumbing.Hash, set map[string]place) (plumbing.Hash, error) {
	nodes, err := readTree(b, root)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	was := slices.Clone(nodes)
	here, below := map[string]place{}, map[string]map[string]place{}
	for path, to := range set {
		name, rest, deeper := strings.Cut(path, "/")
		if !deeper {
			here[name] = to
			continue
		}
		if below[name] == nil {
			below[name] = map[string]place{}
		}
		below[name][rest] = to
	}
	if nodes, err = setNodes(nodes, here); err != nil {
		return plumbing.ZeroHash, err
	}
	folders, err := rewriteFolders(b, nodes, below)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if nodes, err = setNodes(nodes, folders); err != nil {
		return plumbing.ZeroHash, err
	}
	if len(nodes) == 0 {
		return plumbing.ZeroHash, nil
	}
	slices.SortFunc(nodes, func(a, b node) int { return strings.Compare(a.sortKey(), b.sortKey()) })
	if slices.Equal(nodes, was) {
		return root, nil
	}
	return b.add(plumbing.TreeObject, formatTree(nodes)), nil
}

// rewriteFolders rewrites those folders of a tree that paths lie in.
func rewriteFolders(b *batch, nodes []node, below map[string]map[string]place) (map[string]place, error) {
	old := map[string]plumbing.Hash{}
	for _, n := range nodes {
		if _, wanted := below[n.name]; wanted && n.mode != filemode.Dir {
			return nil, fault.New(fault.Refused, "%q is a file in the repository, not a folder", n.name)
		} else if wanted {
			old[n.name] = n.hash
		}
	}
	folders := map[string]place{}
	for _, name := range slices.Sorted(maps.Keys(below)) {
		sub, err := rewrite(b, old[name], below[name])
		if err != nil {
			return nil, err
		}
		folders[name] = place{}
		if !sub.IsZero() {
			folders[name] = place{filemode.Dir, sub}
		}
	}
	return folders, nil
}

// setNodes puts places into a folder, or takes out those that are zero. It uses set
// up.
func setNodes(nodes []node, set map[string]place) ([]node, error) {
	if len(set) == 0 {
		return nodes, nil
	}
	kept := nodes[:0]
	for _, n := range nodes {
		to, changed := set[n.name]
		delete(set, n.name)
		switch {
		case changed && to.mode == filemode.Empty:
			continue
		case changed && (n.mode == filemode.Dir) != (to.mode == filemode.Dir):
			return nil, fault.New(fault.Refused, "%q is a folder in the repository, not a file", n.name)
		case changed:
			n.place = to
		}
		kept = append(kept, n)
	}
	for name, to := range set {
		if to.mode != filemode.Empty {
			kept = append(kept, node{name, to})
		}
	}
	return kept, nil
}

// walkTree calls visit for every file below root, at any depth.
func walkTree(db objectReader, root plumbing.Hash, prefix string, visit func(path string, at place)) error {
	nodes, err := readTree(db, root)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if n.mode != filemode.Dir {
			visit(prefix+n.name, n.place)
		} else if err := walkTree(db, n.hash, prefix+n.name+"/", visit); err != nil {
			return err
		}
	}
	return nil
}

// Tree is every file below dir (a slash path from the root, "" for all) in the
// commit at HEAD: path below dir to blob hash. Empty on an unborn branch.
func (r *Repo) Tree(dir string) (map[string]string, error) {
	files := map[string]string{}
	if r.foreign() != "" {
		return r.treeByGit(context.Background(), dir)
	}
	root, err := r.rootTree()
	if errors.Is(err, errMissing) { // a partial clone: git fetches what it needs
		return r.treeByGit(context.Background(), dir)
	}
	if err != nil || root.IsZero() {
		return files, err
	}
	at := place{filemode.Dir, root}
	if dir != "" && dir != "." {
		if at, err = lookup(r.objectsDB(), root, dir); err != nil || at.mode != filemode.Dir {
			return files, err
		}
	}
	err = walkTree(r.objectsDB(), at.hash, "", func(path string, at place) { files[path] = at.hash.String() })
	return files, err
}

// rootTree is the tree of the commit at HEAD; zero on an unborn branch.
func (r *Repo) rootTree() (plumbing.Hash, error) {
	t, err := r.tip()
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return treeOf(r.objectsDB(), t.hash)
}

func treeOf(db objectReader, commit string) (plumbing.Hash, error) {
	if commit == "" {
		return plumbing.ZeroHash, nil
	}
	h, err := parseHash(commit)
	if err != nil {
		return plumbing.ZeroHash, fault.New(fault.Unsupported, "commit %s: %w", commit, err)
	}
	data, err := db.want(plumbing.CommitObject, h)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	line, _, _ := bytes.Cut(data, []byte{'\n'})
	name, ok := bytes.CutPrefix(line, []byte("tree "))
	if !ok {
		return plumbing.ZeroHash, fault.New(fault.Failed, "commit %s is damaged", commit).WithHint("git fsck")
	}
	return parseHash(string(name))
}
