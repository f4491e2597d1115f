// Package stats computes figures about the checkpoints of a project, from history and the
// files, and from a log of the commands in this clone.
package stats

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// Kind is the kind of a command in the log.
type Kind string

// The kinds of commands.
const (
	Save   Kind = "save"
	Resume Kind = "resume"
)

// Entry is one command in the log.
type Entry struct {
	Kind  Kind
	At    time.Time
	Took  time.Duration
	Bytes int // the size of the files that a save wrote
	Steps int // the number of completed steps in the brief of a resume
}

// Line returns the entry as a line of the log.
func (e Entry) Line() []byte {
	return fmt.Appendf(nil, "%s %d %d %d %d\n", e.Kind, e.At.Unix(), e.Took.Microseconds(), e.Bytes, e.Steps)
}

// Sum is the total of the entries of one kind.
type Sum struct {
	Count int
	Took  time.Duration
	Bytes int
	Steps int
}

func (s *Sum) add(e Entry) {
	s.Count++
	s.Took += e.Took
	s.Bytes += e.Bytes
	s.Steps += e.Steps
}

// Log is the log of a clone. Sums include the entries that were removed.
type Log struct {
	Since   time.Time // the time of the first entry, even if it was removed
	Sums    map[Kind]Sum
	Entries []Entry

	cut map[Kind]Sum // the totals of removed entries
}

// Parse parses a log. It skips invalid lines: lines are written without a lock, and a later
// version may write others.
func Parse(src []byte) *Log {
	l := &Log{Sums: map[Kind]Sum{}, cut: map[Kind]Sum{}}
	for line := range bytes.Lines(src) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			continue
		}
		var kind Kind
		var sum Sum
		var at, took int64
		fields := strings.Fields(string(line))
		switch {
		case len(fields) == 7 && fields[0] == "sum":
			text := strings.Join(fields[1:], " ")
			_, err := fmt.Sscan(text, &kind, &sum.Count, &at, &took, &sum.Bytes, &sum.Steps)
			if err != nil || sum.Count < 1 || !valid(kind, at, took, sum) {
				continue
			}
			sum.Took = time.Duration(took) * time.Microsecond
			had := l.cut[kind]
			sum = Sum{
				Count: had.Count + sum.Count, Took: had.Took + sum.Took,
				Bytes: had.Bytes + sum.Bytes, Steps: had.Steps + sum.Steps,
			}
			l.cut[kind], l.Sums[kind] = sum, sum
		case len(fields) == 5:
			_, err := fmt.Sscan(string(line), &kind, &at, &took, &sum.Bytes, &sum.Steps)
			if err != nil || !valid(kind, at, took, sum) {
				continue
			}
			e := Entry{
				Kind: kind, At: time.Unix(at, 0).UTC(), Took: time.Duration(took) * time.Microsecond,
				Bytes: sum.Bytes, Steps: sum.Steps,
			}
			l.Entries = append(l.Entries, e)
		default:
			continue
		}
		if t := time.Unix(at, 0).UTC(); l.Since.IsZero() || t.Before(l.Since) {
			l.Since = t
		}
	}
	for _, e := range l.Entries {
		s := l.Sums[e.Kind]
		s.add(e)
		l.Sums[e.Kind] = s
	}
	return l
}

// valid reports whether the values of a line are possible.
func valid(kind Kind, at, took int64, s Sum) bool {
	const century = int64(time.Hour * 24 * 365 * 100 / time.Microsecond)
	return (kind == Save || kind == Resume) && min(at, took, int64(s.Bytes), int64(s.Steps)) >= 0 && took <= century
}

// Compact returns the log with its last keep entries, and with all of its sums.
func (l *Log) Compact(keep int) []byte {
	gone := max(0, len(l.Entries)-keep)
	cut := map[Kind]Sum{Save: l.cut[Save], Resume: l.cut[Resume]}
	for _, e := range l.Entries[:gone] {
		s := cut[e.Kind]
		s.add(e)
		cut[e.Kind] = s
	}
	var b []byte
	for _, kind := range []Kind{Save, Resume} {
		if s := cut[kind]; s.Count > 0 {
			b = fmt.Appendf(b, "sum %s %d %d %d %d %d\n", kind, s.Count, l.Since.Unix(), s.Took.Microseconds(), s.Bytes, s.Steps)
		}
	}
	for _, e := range l.Entries[gone:] {
		b = append(b, e.Line()...)
	}
	return b
}
