package store

import "slices"

// Overlay is files that are read in place of those of the folder, by their paths
// in it: what waits to be written while the working tree must be left alone. Nil
// bytes mean that there is no such file.
type Overlay map[string][]byte

// lay takes the files that the overlay removes out of files and adds those that it
// brings and that belong there.
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
