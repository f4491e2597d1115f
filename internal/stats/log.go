// Package stats computes figures about the checkpoints of a project, from history and the
// files, and from a log of the commands in this clone.
package stats

import (
	"bytes"
	"fmt"
	"time"
)

// Kind is the kind of a command in the log.
type Kind string

// The kinds of commands.
const (
	Save   Kind = "save"
	Resume Kind = "resume"
)

// Entry is one command in the log, or the total of several.
type Entry struct {
	Kind  Kind
	At    time.Time // for several commands, the time of the first one
	Took  time.Duration
	Bytes int // the size of the files that a save wrote
	Steps int // the number of completed steps in the brief of a resume
	Count int // the number of commands
}

// Line returns the entry as a line of the log.
func (e Entry) Line() []byte {
	return fmt.Appendf(nil, "%s %d %d %d %d %d\n", e.Kind, e.At.Unix(), e.Took.Microseconds(), e.Bytes, e.Steps, e.Count)
}

// Log is the log of a clone. Totals of older commands come first.
type Log []Entry

// Parse parses a log. It skips invalid lines, because lines are written without a lock, and a later
// version may write lines of another form.
func Parse(src []byte) Log {
	const century = int64(time.Hour * 24 * 365 * 100 / time.Microsecond)
	var l Log
	for line := range bytes.Lines(src) {
		var e Entry
		var at, took int64
		_, err := fmt.Sscanf(string(line), "%s %d %d %d %d %d\n", &e.Kind, &at, &took, &e.Bytes, &e.Steps, &e.Count)
		ends, known := bytes.HasSuffix(line, []byte("\n")), e.Kind == Save || e.Kind == Resume
		if err != nil || !ends || !known {
			continue
		}
		if min(at, took, int64(e.Bytes), int64(e.Steps), int64(e.Count)-1) < 0 || took > century {
			continue
		}
		e.At, e.Took = time.Unix(at, 0).UTC(), time.Duration(took)*time.Microsecond
		l = append(l, e)
	}
	return l
}

// Sum returns the total of the entries of one kind.
func (l Log) Sum(kind Kind) Entry {
	sum := Entry{Kind: kind}
	for _, e := range l {
		if e.Kind != kind {
			continue
		}
		if sum.Count == 0 || e.At.Before(sum.At) {
			sum.At = e.At
		}
		sum.Took += e.Took
		sum.Bytes += e.Bytes
		sum.Steps += e.Steps
		sum.Count += e.Count
	}
	return sum
}

// Compact returns the log with only the given number of its last entries, and the totals of the others.
func (l Log) Compact(keep int) []byte {
	old := max(0, len(l)-keep)
	var src []byte
	for _, kind := range []Kind{Save, Resume} {
		if sum := l[:old].Sum(kind); sum.Count > 0 {
			src = append(src, sum.Line()...)
		}
	}
	for _, e := range l[old:] {
		src = append(src, e.Line()...)
	}
	return src
}
