// Package byhand checks and describes edits by hand of checkpoint files. An edit is sound if it adds no
// error that the last commit did not have.
package byhand

import (
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// NewErrors compares the reports before and after an edit. It returns the errors that the edit adds,
// and the number of those that were there before.
func NewErrors(before, after result.Report) (fresh []result.Finding, old int) {
	known := map[string]int{}
	key := func(f result.Finding) string { return f.Code + " " + f.ID }
	for _, f := range before.Findings {
		if f.Severity == result.Error {
			known[key(f)]++
		}
	}
	for _, f := range after.Findings {
		if f.Severity != result.Error {
			continue
		}
		if known[key(f)] > 0 {
			known[key(f)]--
			old++
			continue
		}
		fresh = append(fresh, f)
	}
	return fresh, old
}

// Refusal returns the first error that edits add: one in an edited file if possible, otherwise one
// that they cause in another file. Prefix is the checkpoints folder.
func Refusal(prefix string, fresh []result.Finding, edits []change.File) error {
	f := fresh[0]
	for _, found := range fresh {
		if slices.ContainsFunc(edits, func(e change.File) bool { return e.Path == found.Path }) {
			f = found
			break
		}
	}
	more := ""
	if n := len(fresh) - 1; n > 0 {
		more = fmt.Sprintf(", and %s (ckpt validate)", text.Count(n, "more error"))
	}
	place := prefix + "/" + f.Path
	if f.Line > 0 {
		place = fmt.Sprintf("%s, line %d", place, f.Line)
	}
	return fault.New(fault.Invalid, "%s: %s [%s]%s", place, f.Message, f.Code, more).
		WithHint("%s. Then ckpt save", strings.TrimSuffix(f.Fix, "."))
}

// Removed describes the decisions and deltas that each edit has removed.
func Removed(before *checkpoint.Set, edits []change.File) []string {
	var all []string
	for _, f := range edits {
		c, err := checkpoint.Parse(f.Path, f.After)
		if err != nil {
			continue
		}
		if was, ok := before.Get(c.ID); ok {
			all = append(all, Lost(was, c, "ckpt undo")...)
		}
	}
	return all
}

// Lost describes the decisions and deltas that an edit by hand has removed. Undo is the command that restores them.
// An edit in an editor can remove a delta that ckpt added meanwhile.
func Lost(before, after *checkpoint.Checkpoint, undo string) (all []string) {
	if lost := decisions.Removed(before, after, undo); lost != "" {
		all = append(all, lost)
	}
	var gone []string
	for _, d := range checkpoint.LostDeltas(before, after) {
		gone = append(gone, text.FirstLine(d.Changed))
	}
	is, it := "is", "it"
	if len(gone) > 1 {
		is, it = "are", "them"
	}
	if len(gone) > 0 {
		all = append(all, fmt.Sprintf("%s of %s %s gone: %s (%s restores %s)", text.Count(len(gone), "delta"),
			after.ID, is, text.List(gone, 3), undo, it))
	}
	return all
}
