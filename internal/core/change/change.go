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

// Set is everything that one operation changes: all of it happens, or nothing.
type Set struct {
	Files []File
}

// Add appends a change, unless it changes nothing. A path already in the set is
// changed further: its Before stays.
func (s *Set) Add(f File) {
	for i := range s.Files {
		if s.Files[i].Path == f.Path {
			s.Files[i].After = f.After
			if same(s.Files[i].Before, f.After) {
				s.Files = append(s.Files[:i], s.Files[i+1:]...)
			}
			return
		}
	}
	if !same(f.Before, f.After) {
		s.Files = append(s.Files, f)
	}
}

// Empty says whether there is nothing to do.
func (s *Set) Empty() bool { return len(s.Files) == 0 }

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

func same(a, b []byte) bool {
	return (a == nil) == (b == nil) && string(a) == string(b)
}
