// Package change describes what an operation will do to files. A command computes a [Set], and
// package workspace writes it and commits it. The package reads and writes no files.
package change

import "slices"

// File is the change of one file.
//
// Path is a slash path, relative to the folder that the Set is for. A nil Before means that the
// file does not exist yet; a nil After means that it will be removed. The content of an empty
// file is empty and not nil.
type File struct {
	Path          string
	Before, After []byte
}

// Gone reports whether the file is to be removed.
func (f File) Gone() bool { return f.After == nil }

// Set has all changes of one operation, which is applied as a whole or not at all.
//
// A caller may append to Files if the path is not in the set. All other changes go through Add.
type Set struct {
	Files []File

	at map[string]int // by path, the index in Files; it has only the first len(at) files
}

// Add adds a change, unless it changes nothing. If the set already has the path, its Before stays
// and its After is replaced. If the two are then equal, the file leaves the set, and the last file
// takes its place.
func (s *Set) Add(f File) {
	i, ok := s.find(f.Path)
	switch {
	case !ok && !Same(f.Before, f.After):
		s.Files = append(s.Files, f)
	case ok && Same(s.Files[i].Before, f.After):
		last := len(s.Files) - 1
		s.Files[i] = s.Files[last]
		s.at[s.Files[i].Path] = i
		delete(s.at, f.Path)
		s.Files = s.Files[:last]
	case ok:
		s.Files[i].After = f.After
	}
}

// After returns the new content of a file. It returns false if the set does not change the
// file.
func (s *Set) After(path string) (src []byte, changed bool) {
	i, ok := s.find(path)
	if !ok {
		return nil, false
	}
	return s.Files[i].After, true
}

// find returns the index of a path in Files.
func (s *Set) find(path string) (int, bool) {
	if s.at == nil {
		s.at = map[string]int{}
	}
	for i := len(s.at); i < len(s.Files); i++ {
		s.at[s.Files[i].Path] = i
	}
	i, ok := s.at[path]
	return i, ok
}

// Empty reports whether the set changes nothing.
func (s *Set) Empty() bool { return len(s.Files) == 0 }

// Size returns the total size of the new contents, in bytes.
func (s *Set) Size() int {
	n := 0
	for _, f := range s.Files {
		n += len(f.After)
	}
	return n
}

// Under returns the same changes with dir in front of every path. An empty dir or "." changes no path.
func (s *Set) Under(dir string) []File {
	files := make([]File, len(s.Files))
	for i, f := range s.Files {
		if dir != "" && dir != "." {
			f.Path = dir + "/" + f.Path
		}
		files[i] = f
	}
	return files
}

// Reversed returns the changes that undo the given ones.
func Reversed(files []File) []File {
	back := slices.Clone(files)
	for i, f := range files {
		back[i].Before, back[i].After = f.After, f.Before
	}
	return back
}

// At returns a change for each path, without contents.
func At(paths []string) []File {
	files := make([]File, len(paths))
	for i, path := range paths {
		files[i].Path = path
	}
	return files
}

// Paths returns the paths of files, in their order.
func Paths(files []File) []string {
	var all []string
	for _, f := range files {
		all = append(all, f.Path)
	}
	return all
}

// Same reports whether two contents of a file are equal. Nil means no file, which differs from
// an empty file.
func Same(a, b []byte) bool { return (a == nil) == (b == nil) && string(a) == string(b) }
