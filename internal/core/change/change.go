// Package change is what an operation is about to do to files: the currency
// that deeds hand to the gate, the gate to memory and to the engine room.
package change

// File is one file about to change.
//
// Path is a slash path, relative to whatever folder the Set is for. A nil
// Before means that the file does not exist yet, a nil After that it is to be
// removed; an empty file is empty and not nil.
//
// Of an operation with more files than memory is meant to hold, Kept has what After
// else has. Who asks [File.Gone] and [File.Content] need not know which it is.
type File struct {
	Path          string
	Before, After []byte
	Kept          Content
}

// Content is bytes that are kept elsewhere than in memory.
type Content interface {
	Bytes() ([]byte, error)
	Size() int
}

// Gone says whether the file is to be removed.
func (f File) Gone() bool { return f.After == nil && f.Kept == nil }

// Content is what the file is to hold; nil where it is to be gone.
func (f File) Content() ([]byte, error) {
	if f.Kept != nil {
		return f.Kept.Bytes()
	}
	return f.After, nil
}

// Size is how many bytes the file is to hold.
func (f File) Size() int {
	if f.Kept != nil {
		return f.Kept.Size()
	}
	return len(f.After)
}

// Becomes says whether src, nil for no file, is what the file is to hold.
func (f File) Becomes(src []byte) (bool, error) {
	if f.Gone() || src == nil || len(src) != f.Size() {
		return f.Gone() && src == nil, nil
	}
	after, err := f.Content()
	return err == nil && Same(src, after), err
}

// leaves says whether f is known to leave a file as it was.
func (f File) leaves(before []byte) bool { return f.Kept == nil && Same(before, f.After) }

// Set is everything that one operation changes: all of it happens, or nothing.
//
// Files may be appended to by whoever knows that a path is new; all else goes
// through Add.
type Set struct {
	Files []File

	at map[string]int // where in Files a path is, for the first len(at) of them
}

// Add appends a change, unless it changes nothing; what is kept elsewhere is not read
// for that, and is a change. A path already in the set is changed further: its Before
// stays. One that is as it was again goes, and the last takes its place.
func (s *Set) Add(f File) {
	i, ok := s.find(f.Path)
	switch {
	case !ok && !f.leaves(f.Before):
		s.Files = append(s.Files, f)
	case ok && f.leaves(s.Files[i].Before):
		last := len(s.Files) - 1
		s.Files[i] = s.Files[last]
		s.at[s.Files[i].Path] = i
		delete(s.at, f.Path)
		s.Files = s.Files[:last]
	case ok:
		s.Files[i].After, s.Files[i].Kept = f.After, f.Kept
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

// Load brings what is kept elsewhere into memory.
func (s *Set) Load() error {
	for i, f := range s.Files {
		after, err := f.Content()
		if err != nil {
			return err
		}
		s.Files[i].After, s.Files[i].Kept = after, nil
	}
	return nil
}

// Size is how many bytes the files are to hold together.
func (s *Set) Size() int {
	n := 0
	for _, f := range s.Files {
		n += f.Size()
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
