package importing

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/text"
)

// vocabulary finds the sections that headings and labels name.
type vocabulary struct {
	kinds text.Titles[checkpoint.Kind]
}

func newVocabulary() vocabulary { return vocabulary{text.NewTitles(words)} }

// kindOf returns the section that a heading clearly names: by its first words, or for
// next actions by its last ones ("Shop: next steps").
func (v vocabulary) kindOf(title string) (checkpoint.Kind, bool) {
	if k, known := checkpoint.KindNamed(title); known && k != checkpoint.Essential && k != checkpoint.Completion {
		return k, true
	}
	if kind, _, ok := v.kinds.Find(title); ok {
		return kind, true
	}
	for _, sign := range []string{" - ", " — ", " – ", ": ", " | "} {
		if i := strings.LastIndex(title, sign); i > 0 {
			if kind, whole, ok := v.kinds.Find(title[i+len(sign):]); ok && whole && kind == checkpoint.Next {
				return kind, true
			}
		}
	}
	return nowhere, false
}

var numbered = text.Regexp(`(?i)^\W*(phase|step|stage|milestone|sprint|iteration|task|part)\s*#?\d`)

// stage returns the status that the heading of a numbered phase, or a heading with a
// checkbox, states: "Phase 2: API [COMPLETED]", "Step 3 (in progress)", "[ ] Paint".
func stage(title string) checkpoint.ItemStatus {
	if box, status := itemStatus(title); box || numbered.MatchString(title) {
		return status
	}
	return checkpoint.Unstated
}
