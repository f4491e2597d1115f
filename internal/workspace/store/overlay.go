package store

import "slices"

// Overlay has files that are read in place of those of the folder, by their paths in it: the
// newer versions of the ref. Nil bytes mean that the file does not exist.
type Overlay map[string][]byte

// lay applies the overlay to a list of files: it drops the files that the overlay removes, and adds
// those of the overlay that belong to the list.
func (o Overlay) lay(files []file, belongs func(rel string) bool) []file {
	if len(o) == 0 {
		return files
	}
	files = slices.DeleteFunc(files, func(f file) bool { _, laid := o[f.path]; return laid })
	for rel, src := range o {
		if src != nil && belongs(rel) {
			files = append(files, file{rel, overlaid})
		}
	}
	return files
}
