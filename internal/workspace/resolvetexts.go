package workspace

import (
	"slices"

	"example.com/ckpt/internal/checkpoint"
)

// replacedIn returns the titles of the sections whose text a merge replaced.
func ReplacedIn(c *checkpoint.Checkpoint) []string {
	var titles []string
	for _, text := range c.Replaced() {
		if title := text.Kind.String(); !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return titles
}
