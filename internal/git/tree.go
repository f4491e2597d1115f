package git

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/fault"
)

// The modes that a tree may hold, as its text has them.
const (
	modeFile   = "100644"
	modeExec   = "100755"
	modeLink   = "120000"
	modeModule = "160000"
	modeTree   = "40000"
)

// node is one entry of a tree.
type node struct {
	name string
	mode string
	hash hash
}

// place is what a path holds in a tree; the zero value is nothing.
type place struct {
	mode string
	hash hash
}

// objectReader is where trees are read from.
type objectReader interface {
	want(kind string, h hash) ([]byte, error)
}

var errTree = errors.New("tree object is damaged")

func parseTree(data []byte) ([]node, error) {
	var nodes []node
	for len(data) > 0 {
		mode, rest, ok1 := bytes.Cut(data, []byte{' '})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok1 || !ok2 || len(rest) < len(hash{}) {
			return nil, errTree
		}
		nodes = append(nodes, node{string(name), string(mode), hash(rest[:20])})
		data = rest[20:]
	}
	return nodes, nil
}

func formatTree(nodes []node) []byte {
	var b bytes.Buffer
	for _, n := range nodes {
		b.WriteString(n.mode + " " + n.name + "\x00")
		b.Write(n.hash[:])
	}
	return b.Bytes()
}

// sortKey is git's order: a folder sorts as if its name ended in a slash.
func (n node) sortKey() string {
	if n.mode == modeTree {
		return n.name + "/"
	}
	return n.name
}

func readTree(db objectReader, h hash) ([]node, error) {
	if h.isZero() {
		return nil, nil
	}
	data, err := db.want("tree", h)
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
func lookup(db objectReader, root hash, path string) (place, error) {
	at := place{modeTree, root}
	for name := range strings.SplitSeq(path, "/") {
		if at.mode != modeTree {
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
		at = place{nodes[i].mode, nodes[i].hash}
	}
	return at, nil
}

// rewrite is root with the given paths set, or removed where the place is zero;
// folders that become empty go, as git has no empty folders. Only the trees on
// the way to a path are read and written. It returns the zero hash for nothing.
func rewrite(b *batch, root hash, set map[string]place) (hash, error) {
	nodes, err := readTree(b, root)
	if err != nil {
		return hash{}, err
	}
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
		return hash{}, err
	}
	folders, err := rewriteFolders(b, nodes, below)
	if err != nil {
		return hash{}, err
	}
	if nodes, err = setNodes(nodes, folders); err != nil {
		return hash{}, err
	}
	if len(nodes) == 0 {
		return hash{}, nil
	}
	slices.SortFunc(nodes, func(a, b node) int { return strings.Compare(a.sortKey(), b.sortKey()) })
	data := formatTree(nodes)
	if sum("tree", data) == root {
		return root, nil
	}
	return b.add("tree", data), nil
}

// rewriteFolders rewrites those folders of a tree that paths lie in.
func rewriteFolders(b *batch, nodes []node, below map[string]map[string]place) (map[string]place, error) {
	old := map[string]hash{}
	for _, n := range nodes {
		if _, wanted := below[n.name]; wanted && n.mode != modeTree {
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
		if !sub.isZero() {
			folders[name] = place{modeTree, sub}
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
		case changed && to.mode == "":
			continue
		case changed && (n.mode == modeTree) != (to.mode == modeTree):
			return nil, fault.New(fault.Refused, "%q is a folder in the repository, not a file", n.name)
		case changed:
			n.mode, n.hash = to.mode, to.hash
		}
		kept = append(kept, n)
	}
	for name, to := range set {
		if to.mode != "" {
			kept = append(kept, node{name, to.mode, to.hash})
		}
	}
	return kept, nil
}

// walkTree calls visit for every file below root, at any depth.
func walkTree(db objectReader, root hash, prefix string, visit func(path string, at place)) error {
	nodes, err := readTree(db, root)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if n.mode != modeTree {
			visit(prefix+n.name, place{n.mode, n.hash})
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
	if err != nil || root.isZero() {
		return files, err
	}
	at := place{modeTree, root}
	if dir != "" && dir != "." {
		if at, err = lookup(r.objectsDB(), root, dir); err != nil || at.mode != modeTree {
			return files, err
		}
	}
	err = walkTree(r.objectsDB(), at.hash, "", func(path string, at place) { files[path] = at.hash.String() })
	return files, err
}

// rootTree is the tree of the commit at HEAD; zero on an unborn branch.
func (r *Repo) rootTree() (hash, error) {
	t, err := r.tip()
	if err != nil {
		return hash{}, err
	}
	return treeOf(r.objectsDB(), t.hash)
}

func treeOf(db objectReader, commit string) (hash, error) {
	if commit == "" {
		return hash{}, nil
	}
	h, err := parseHash(commit)
	if err != nil {
		return hash{}, fault.New(fault.Unsupported, "commit %s: %w", commit, err)
	}
	data, err := db.want("commit", h)
	if err != nil {
		return hash{}, err
	}
	line, _, _ := bytes.Cut(data, []byte{'\n'})
	name, ok := bytes.CutPrefix(line, []byte("tree "))
	if !ok {
		return hash{}, fault.New(fault.Failed, "commit %s is damaged", commit).WithHint("git fsck")
	}
	return parseHash(string(name))
}
