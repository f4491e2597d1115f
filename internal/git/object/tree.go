package object

import (
	"bytes"
	"encoding/hex"
	"errors"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/refs"
)

// Entry is the mode and the hash of a path in a tree or in the index. The zero value means that the
// path does not exist.
type Entry struct {
	Mode filemode.FileMode
	Hash string // the hash in hex
}

// IsZero reports whether the path does not exist.
func (e Entry) IsZero() bool { return e.Mode == filemode.Empty }

// IsFolder reports whether the entry is a folder, so that the hash is that of a tree.
func (e Entry) IsFolder() bool { return e.Mode == filemode.Dir }

// Regular reports whether the entry is a regular file, executable or not. A link or a submodule is not regular.
func (e Entry) Regular() bool { return e.Mode.IsFile() && e.Mode != filemode.Symlink }

// NamedEntry is one entry of a tree object.
type NamedEntry struct {
	Name string
	Entry
}

// Reader reads objects from a [Database], or from a [Batch] on top of one.
type Reader interface {
	Read(kind plumbing.ObjectType, hash string) ([]byte, error)
}

// ParseTree returns the entries of a tree object whose hashes have size bytes. Modes are not
// normalized.
func ParseTree(data []byte, size int) ([]NamedEntry, error) {
	var entries []NamedEntry
	for len(data) > 0 {
		octal, rest, ok1 := bytes.Cut(data, []byte{' '})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		mode, err := filemode.New(string(octal))
		whole := ok1 && ok2 && len(rest) >= size
		if !whole || err != nil {
			return nil, errors.New("the tree object is damaged")
		}
		e := Entry{Mode: mode, Hash: hex.EncodeToString(rest[:size])}
		entries = append(entries, NamedEntry{Name: string(name), Entry: e})
		data = rest[size:]
	}
	return entries, nil
}

// formatTree returns a tree object as git stores it.
func formatTree(entries []NamedEntry) ([]byte, error) {
	var b []byte
	for _, e := range entries {
		hash, err := hex.DecodeString(e.Hash)
		if err != nil || !refs.IsHash(e.Hash) {
			return nil, fault.New(fault.Failed, "%q is not the name of an object", e.Hash)
		}
		b = strconv.AppendUint(b, uint64(e.Mode), 8)
		b = append(append(b, ' '), e.Name...)
		b = append(append(b, 0), hash...)
	}
	return b, nil
}

// ReadTree returns the entries of a tree. An empty hash is an empty tree.
func ReadTree(r Reader, tree string) ([]NamedEntry, error) {
	if tree == "" {
		return nil, nil
	}
	data, err := r.Read(Tree, tree)
	if err != nil {
		return nil, err
	}
	entries, err := ParseTree(data, len(tree)/2)
	if err != nil {
		return nil, fault.New(fault.Failed, "read tree %s: %w", tree, err)
	}
	return entries, nil
}

// Paths looks up paths below a tree. It reads each folder once.
type Paths struct {
	r       Reader
	root    string
	folders map[string]map[string]Entry // the entries of folders by path; "" is the root
}

// PathsOf returns the paths below a tree; "" is an empty tree.
func PathsOf(r Reader, tree string) *Paths {
	return &Paths{r: r, root: tree, folders: map[string]map[string]Entry{}}
}

// At returns the entry at a path; zero if not found.
func (p *Paths) At(name string) (Entry, error) {
	if name == "" || name == "." {
		return Entry{Mode: filemode.Dir, Hash: p.root}, nil
	}
	dir, base := path.Split(name)
	folder, err := p.folder(strings.TrimSuffix(dir, "/"))
	return folder[base], err
}

func (p *Paths) folder(name string) (map[string]Entry, error) {
	if folder, known := p.folders[name]; known {
		return folder, nil
	}
	at, err := p.At(name)
	if err != nil {
		return nil, err
	}
	var entries []NamedEntry
	if at.Mode == filemode.Dir {
		entries, err = ReadTree(p.r, at.Hash)
		if err != nil {
			return nil, err
		}
	}
	folder := make(map[string]Entry, len(entries))
	for _, e := range entries {
		folder[e.Name] = e.Entry
	}
	p.folders[name] = folder
	return folder, nil
}

// Files returns every file below a folder of a tree, at any depth, by path below the folder.
func Files(r Reader, tree, dir string) (map[string]Entry, error) {
	files := map[string]Entry{}
	at, err := PathsOf(r, tree).At(dir)
	if err != nil || at.Mode != filemode.Dir {
		return files, err
	}
	return files, addFiles(r, at.Hash, "", files)
}

func addFiles(r Reader, tree, prefix string, files map[string]Entry) error {
	entries, err := ReadTree(r, tree)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Mode != filemode.Dir {
			files[prefix+e.Name] = e.Entry
		} else if err := addFiles(r, e.Hash, prefix+e.Name+"/", files); err != nil {
			return err
		}
	}
	return nil
}

// Rewrite returns the tree root with the given paths set, or removed if the entry is zero. Folders that become empty
// are removed, since git has no empty folders. Rewrite reads and writes only the trees on the way to the paths. The
// result is "" if the tree becomes empty.
func (b *Batch) Rewrite(root string, set map[string]Entry) (string, error) {
	old, err := ReadTree(b, root)
	if err != nil {
		return "", err
	}
	here, below := map[string]Entry{}, map[string]map[string]Entry{}
	for path, to := range set {
		name, rest, deeper := strings.Cut(path, "/")
		if !deeper {
			here[name] = to
			continue
		}
		if below[name] == nil {
			below[name] = map[string]Entry{}
		}
		below[name][rest] = to
	}
	entries, err := setEntries(slices.Clone(old), here)
	if err != nil {
		return "", err
	}
	folders, err := b.rewriteFolders(entries, below)
	if err != nil {
		return "", err
	}
	entries, err = setEntries(entries, folders)
	if err != nil || len(entries) == 0 {
		return "", err
	}
	slices.SortFunc(entries, func(a, b NamedEntry) int { return strings.Compare(a.sortKey(), b.sortKey()) })
	if slices.Equal(entries, old) {
		return root, nil
	}
	data, err := formatTree(entries)
	if err != nil {
		return "", err
	}
	return b.Add(Tree, data), nil
}

// sortKey returns the key by which git sorts entries: a folder sorts as if its name ended with a
// slash.
func (e NamedEntry) sortKey() string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}

// rewriteFolders rewrites those folders of a tree that are in below, and returns their new entries by name. Below has
// the entries to set, by folder and path.
func (b *Batch) rewriteFolders(entries []NamedEntry, below map[string]map[string]Entry) (map[string]Entry, error) {
	old := map[string]string{}
	for _, e := range entries {
		if _, wanted := below[e.Name]; !wanted {
			continue
		}
		if e.Mode != filemode.Dir {
			return nil, fault.New(fault.Refused, "%q is a file in the repository, not a folder", e.Name)
		}
		old[e.Name] = e.Hash
	}
	folders := map[string]Entry{}
	for _, name := range slices.Sorted(maps.Keys(below)) {
		tree, err := b.Rewrite(old[name], below[name])
		if err != nil {
			return nil, err
		}
		folders[name] = Entry{}
		if tree != "" {
			folders[name] = Entry{Mode: filemode.Dir, Hash: tree}
		}
	}
	return folders, nil
}

// setEntries returns the entries of a tree with those in set: replaced, added, or removed if they are zero. It changes
// the slice in place, and removes from set the names that the tree has.
func setEntries(entries []NamedEntry, set map[string]Entry) ([]NamedEntry, error) {
	result := entries[:0]
	for _, e := range entries {
		to, changed := set[e.Name]
		delete(set, e.Name)
		switch {
		case changed && to.IsZero():
			continue
		case changed && (e.Mode == filemode.Dir) != (to.Mode == filemode.Dir):
			return nil, fault.New(fault.Refused, "%q is a folder in the repository, not a file", e.Name)
		case changed:
			e.Entry = to
		}
		result = append(result, e)
	}
	for name, to := range set {
		if !to.IsZero() {
			result = append(result, NamedEntry{Name: name, Entry: to})
		}
	}
	return result, nil
}
