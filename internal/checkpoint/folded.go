package checkpoint

import (
	"strings"

	"example.com/ckpt/internal/text"
)

// foldedEntry is how an entry of Play-By-Play begins that was a delta: with its time.
var foldedEntry = text.Regexp(`^(?:undated|\d{4}-\d{2}-\d{2}\S*)(?: → |$)`)

// Folded splits an entry of Play-By-Play that was a delta, "TIME → what changed → Phase 1:
// done; Phase 2: in progress", into what changed and where its items went. It reports
// whether the entry was a delta.
func Folded(entry string) (changed string, moved []Transition, ok bool) {
	line, _, _ := strings.Cut(entry, "\n")
	stamp := foldedEntry.FindString(line)
	if stamp == "" {
		return "", nil, false
	}
	changed = line[len(stamp):]
	at := strings.LastIndex(line, " → ")
	if at < 0 {
		return "", nil, true
	}
	for part := range strings.SplitSeq(line[at+len(" → "):], "; ") {
		i := strings.LastIndex(part, ": ")
		if i < 0 {
			return changed, nil, true
		}
		moved = append(moved, Transition{Item: part[:i], After: part[i+2:]})
	}
	if at >= len(stamp) {
		changed = line[len(stamp):at]
	}
	return changed, moved, true
}
