package progress

import (
	"path"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Unreadable is the status of the entry of a file that cannot be read.
const Unreadable = "unreadable"

// NewEntry returns the entry of a checkpoint in lists, with the path of its file from the root and the time of its
// last change. The entry does not keep the checkpoint in memory, only the text that it shows.
func NewEntry(c *checkpoint.Checkpoint, path string, changed time.Time) *result.Entry {
	e := &result.Entry{
		ID: c.ID, Path: path, Status: string(c.Status()), Parent: c.Parent(), Anchor: c.Field("anchor"),
		Problem: c.Headline(), Next: c.FirstAction(), Outcome: strings.Clone(text.FirstLine(c.Outcome())),
		Created: result.At(c.Created()), Changed: result.At(changed), Deltas: c.DeltaCount(),
		MarkedCurrent: c.MarkedCurrent(), Run: RunOf(c), Replaced: c.Replaced(),
	}
	if status := c.Field("status"); e.Status == string(checkpoint.Active) && !c.MarkedCurrent() &&
		!strings.EqualFold(status, e.Status) {
		e.OddStatus = strings.Clone(status)
	}
	if m, ok := c.Mark(); ok {
		e.Mark = &result.Mark{Goal: text.OneLine(m.Goal), At: result.At(m.At)}
	}
	return e
}

// UnreadableEntry returns the entry of a file that cannot be read.
func UnreadableEntry(b checkpoint.Broken, file string) *result.Entry {
	name := strings.TrimSuffix(path.Base(b.Path), ".md")
	return &result.Entry{ID: name, Path: file, Status: Unreadable, Unreadable: b.Why()}
}

// Rank returns the position of an entry's status in the order of lists: current, active, archived, unreadable.
func Rank(e *result.Entry) int {
	order := []string{string(checkpoint.Current), string(checkpoint.Active), string(checkpoint.Archived), Unreadable}
	return slices.Index(order, e.Status)
}
