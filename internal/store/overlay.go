package store

import "slices"

// Overlay is files that are read in place of those of the folder, by their paths
// in it: what waits to be written while the working tree must be left alone. Nil
// bytes mean that there is no such file.
type Overlay map[string][]byte

// lay takes the files that the overlay removes out of paths and adds those that it
// brings and that belong there.
func (o Overlay) lay(paths []string, belongs func(rel string) bool) []string {
	if len(o) == 0 {
		return paths
	}
	paths = slices.DeleteFunc(paths, func(rel string) bool { _, laid := o[rel]; return laid })
	for rel, src := range o {
		if src != nil && belongs(rel) {
			paths = append(paths, rel)
		}
	}
	return paths
}
