package settings

import "bytes"

// Owned lists the pieces that setup may write to the files of a repository, by path from
// its root.
type Owned map[string][]Piece

// AllOwned returns the pieces that setup may write for any agent, for a checkpoints folder.
func AllOwned(folder string) Owned {
	owned := Owned{}
	for _, scope := range []Scope{Project, Local} {
		for _, memory := range Memories() {
			for _, a := range All() {
				pieces, err := a.Pieces(Target{Scope: scope, Folder: folder, Memory: memory})
				if err != nil {
					continue // the agent has no file for this scope
				}
				for _, piece := range pieces {
					owned[piece.Path] = append(owned[piece.Path], piece)
				}
			}
		}
	}
	return owned
}

// IsAll reports whether two contents of a file differ only in pieces of setup. A missing file
// is nil.
func (o Owned) IsAll(path string, before, after []byte) bool {
	for _, piece := range o[path] {
		var failed [2]error
		before, failed[0] = piece.Drop(before)
		after, failed[1] = piece.Drop(after)
		if failed[0] != nil || failed[1] != nil {
			return false
		}
	}
	return len(o[path]) > 0 && bytes.Equal(before, after) && (before == nil) == (after == nil)
}
