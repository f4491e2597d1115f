// Package store knows where the files of the checkpoints folder are and how they are read
// (docs/format.md). It does not use git. Only package workspace writes files of the folder.
package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/policy"
)

// The names in a checkpoints folder, as slash paths relative to it.
const (
	Active      = "active"
	Archive     = "archive"
	Learnings   = "LEARNINGS.md"
	ConfigFile  = "config.yaml"
	Attributes  = ".gitattributes"
	ActiveKeep  = Active + "/.gitkeep"
	ArchiveKeep = Archive + "/.gitkeep"
	Index       = "INDEX.md" // a list that the user maintains by hand
)

// AttributesText is the content of [Attributes]. It keeps git from converting line endings, since a
// checkpoint is exactly its bytes. If a clone has the merge driver (ckpt setup git), git merges with
// it, otherwise line by line.
const AttributesText = "*.md -text merge=ckpt linguist-generated\n"

// KeepFiles are empty files that are never moved or removed, so that git never detects one of their
// folders as renamed.
var KeepFiles = []string{ActiveKeep, ArchiveKeep}

// Scope is the part of a folder that a command needs.
type Scope int

// The scopes. The archive can have thousands of files, so a command that does not need it asks for
// Live.
const (
	Live Scope = iota // active/ only
	All
)

// Store is one checkpoints folder. It is not changed once it is in use.
type Store struct {
	Dir       string // the absolute path
	PolicyDir string // the folder of config.yaml; empty means Dir
	Root      string // the root of the repository; symbolic links that leave it are not followed
	overlay   Overlay

	// Choose selects the current checkpoint among several marked ones. It may be nil; see [checkpoint.Set.Settle].
	Choose checkpoint.Choose

	// Committed returns the checkpoint in a file of the last commit, or nil. The function itself may be nil.
	Committed func(rel string) *checkpoint.Checkpoint
}

// Overlay has contents that are read in place of files, by their paths in the folder: the newer versions of the ref.
// Nil bytes mean that the file does not exist.
type Overlay map[string][]byte

// With returns a store of the same folder that reads these files in place of those on disk.
func (s *Store) With(files Overlay) *Store {
	laid := *s
	laid.overlay = files
	return &laid
}

// Exists reports whether the folder exists.
func (s *Store) Exists() bool { return disk.IsFolder(s.Dir) }

// Load reads the checkpoints of the folder. A file that cannot be read is in the
// set as broken; only a folder that cannot be listed is an error.
func (s *Store) Load(scope Scope) (*checkpoint.Set, error) {
	all, broken, err := Each(s, scope, func(c *checkpoint.Checkpoint) *checkpoint.Checkpoint { return c })
	set := &checkpoint.Set{All: all, Broken: broken}
	set.Settle(s.Choose)
	return set, err
}

// Read returns the bytes of a file of the folder, or nil if the file does not exist.
func (s *Store) Read(rel string) ([]byte, error) {
	if src, laid := s.overlay[rel]; laid {
		return src, nil
	}
	return s.OnDisk(rel)
}

// ReadLearnings returns the bytes of LEARNINGS.md. It refuses a file in which a merge left a conflict.
func (s *Store) ReadLearnings() ([]byte, error) {
	src, err := s.Read(Learnings)
	if err != nil {
		return nil, err
	}
	if err := checkpoint.CheckMerged(src); err != nil {
		return nil, fault.New(fault.Invalid, "read %s: %w", Learnings, err).WithHint("ckpt resolve")
	}
	return src, nil
}

// IsPending reports whether other content is read in place of a file on disk: the ref's version, merged with edits by
// hand, or HEAD's version of a config.yaml in conflict.
func (s *Store) IsPending(rel string) bool {
	_, pending := s.overlay[rel]
	return pending
}

// OnDisk returns the bytes of a file on disk, without the overlay.
func (s *Store) OnDisk(rel string) ([]byte, error) {
	if s.leaves(rel) {
		return nil, fault.New(fault.Unsupported, "read %s: a symbolic link that leaves the repository", rel)
	}
	src, err := disk.ReadFile(s.File(rel))
	if err != nil {
		return nil, fault.New(fault.Failed, "read %s: %w", rel, disk.Pathless(err))
	}
	return src, nil
}

// CheckLinks refuses a path of the folder that is a symbolic link, or that is behind one.
func (s *Store) CheckLinks(rel string) error {
	link := disk.FirstLink(s.Root, s.File(rel))
	if link == "" {
		return nil
	}
	fromRoot := func(root, path string) string {
		rel, _ := filepath.Rel(root, path) // both are absolute
		return filepath.ToSlash(rel)
	}
	hint := "replace it by a folder, or name another one: git config ckpt.dir FOLDER"
	if real, root := disk.Real(link), disk.Real(s.Root); link == s.Dir && disk.Within(real, root) {
		hint = "git config ckpt.dir " + fromRoot(root, real)
	}
	return fault.New(fault.Unsupported, "%s is a symbolic link: git would commit the link, not the files behind it",
		fromRoot(s.Root, link)).WithHint("%s", hint)
}

// leaves reports whether a symbolic link leads from a path of the folder out of the repository, or
// into its .git. A clone must not make ckpt show other files of this machine.
func (s *Store) leaves(rel string) bool {
	if s.Root == "" || disk.FirstLink(s.Root, s.File(rel)) == "" {
		return false
	}
	real, root := disk.Real(s.File(rel)), disk.Real(s.Root)
	return !disk.Within(real, root) || disk.Within(real, filepath.Join(root, ".git"))
}

// Has reports whether anything exists at a path of the folder, a file or not.
func (s *Store) Has(rel string) bool {
	_, err := os.Lstat(s.File(rel))
	return err == nil
}

// File returns the absolute path of a file of the folder.
func (s *Store) File(rel string) string {
	dir := s.Dir
	if rel == ConfigFile && s.PolicyDir != "" {
		dir = s.PolicyDir
	}
	return filepath.Join(dir, filepath.FromSlash(rel))
}

// Archived returns the path of the file below archive/ that is named after an id, or "". It reads no file.
func (s *Store) Archived(id string) (found string) {
	_ = fs.WalkDir(os.DirFS(s.Dir), Archive, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == id+".md" {
			found = path
			return fs.SkipAll
		}
		return nil // skip what cannot be read
	})
	return found
}

// Config returns the policy of the folder, or the default policy.
func (s *Store) Config() (policy.Config, error) {
	src, err := s.Read(ConfigFile)
	if err != nil || src == nil {
		return policy.Default(), err
	}
	return policy.Parse(src)
}

// Keeps reports whether a file of the folder belongs to ckpt: a checkpoint or policy file, or the
// learnings. Other files belong to the user.
func Keeps(rel string) bool { return slices.Contains(besides, rel) || checkpoint.IsFile(rel) }

// besides are the files of ckpt in the folder that are not checkpoints.
var besides = []string{Learnings, ConfigFile, Attributes, ActiveKeep, ArchiveKeep}

// Files returns the sorted paths of the files that ckpt commits; with the scope Live only those of
// active/. It leaves out links.
func (s *Store) Files(scope Scope) ([]string, error) {
	all, err := s.list(scope)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range all {
		if f.kind != strange {
			paths = append(paths, f.path)
		}
	}
	more := []string{ActiveKeep}
	if scope == All {
		more = besides
	}
	for _, rel := range more {
		src, laid := s.overlay[rel]
		info, err := os.Lstat(s.File(rel))
		exists := err == nil && info.Mode().IsRegular()
		if laid {
			exists = src != nil
		}
		if exists {
			paths = append(paths, rel)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}
