package setup

import (
	"bytes"

	"example.com/ckpt/internal/agents/settings"
)

// Own lists the pieces that setup may write to the files of a repository, by path from
// its root.
type Own map[string][]settings.Piece

// Owned returns the pieces that setup may write for any agent.
func Owned(at Place) Own {
	own := Own{}
	for _, scope := range []settings.Scope{settings.Project, settings.Local} {
		for _, memory := range settings.Memories() {
			for _, a := range settings.All() {
				pieces, err := a.Pieces(settings.Place{Scope: scope, Folder: at.Folder, Memory: memory, Getenv: at.Getenv})
				if err != nil {
					continue // the agent has no such scope
				}
				for _, piece := range pieces {
					own[piece.Path] = append(own[piece.Path], piece)
				}
			}
		}
	}
	return own
}

// IsAll reports whether two contents of a file differ only in pieces of setup. A nil
// content means that there is no file.
func (own Own) IsAll(path string, before, after []byte) bool {
	for _, piece := range own[path] {
		var failed [2]error
		before, failed[0] = piece.Drop(before)
		after, failed[1] = piece.Drop(after)
		if failed[0] != nil || failed[1] != nil {
			return false
		}
	}
	return len(own[path]) > 0 && bytes.Equal(before, after) && (before == nil) == (after == nil)
}
