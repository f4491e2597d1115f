package decisions

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

// Removed describes the decisions that an edit has removed, with the command that undoes the edit.
// It returns "" for none. ckpt itself never removes a decision, but a person may.
func Removed(before, after *checkpoint.Checkpoint, undo string) string {
	record := Follow([]Version{{Checkpoint: before}, {Checkpoint: after, Parents: []int{0}}}, 1)
	var gone []string
	for _, l := range record.Losses {
		if l.Fails() {
			gone = append(gone, text.FirstLine(l.Decision.What))
		}
	}
	is, it := "is", "it"
	switch len(gone) {
	case 0:
		return ""
	case 1:
	default:
		is, it = "are", "them"
	}
	return fmt.Sprintf("%s of %s %s gone: %s (%s restores %s; --supersedes of ckpt note "+
		"decision strikes %s through)",
		text.Count(len(gone), "decision"), after.ID, is, strings.Join(gone, "; "), undo, it, it)
}
