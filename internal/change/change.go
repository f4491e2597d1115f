// Package change is what an operation is about to do to files: the currency
// that deeds hand to the gate, the gate to memory and to the engine room.
package change

// File is one file about to change.
//
// Path is a slash path, relative to whatever folder the Set is for. A nil
// Before means that the file does not exist yet, a nil After that it is to be
// removed; an empty file is empty and not nil.
type File struct {
	Path          string
	Before, After []byte
}

// Gone reports whether the file is to be removed.
func (f File) Gone() bool { return f.After == nil }

// Set is everything that one operation changes: all of it happens, or nothing.
//
// Files may be appended to by whoever knows that a path is new; all else goes
// through Add.
type Set struct {
	Files []File

	at map[string]int // where in Files a path is, for the first len(at) of them
}

// Add appends a change, unless it changes nothing. If the path is in the set, the file's
// After is replaced and its Before stays; a file that is then as it was leaves the set, and
// the last file takes its place.
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

// After is what a file is to hold; false where the set does not change it.
func (s *Set) After(path string) (src []byte, changed bool) {
	i, ok := s.find(path)
	if !ok {
		return nil, false
	}
	return s.Files[i].After, true
}

// find says where in Files a path is.
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

// Empty says whether there is nothing to do.
func (s *Set) Empty() bool { return len(s.Files) == 0 }

// Size is how many bytes the files are to hold together.
func (s *Set) Size() int {
	n := 0
	for _, f := range s.Files {
		n += len(f.After)
	}
	return n
}

// Under returns the same changes with every path below dir ("" changes nothing).
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

// Same says whether two contents of a file are equal. Nil is no file, which an empty one
// is not.
func Same(a, b []byte) bool {
	return (a == nil) == (b == nil) && string(a) == string(b)
}
