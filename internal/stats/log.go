// Package stats is figures about a project's checkpoints: what history and the files
// say, and what this clone has noted of its own commands, as a log of short lines.
package stats

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// Kind is what an entry of the log is about.
type Kind string

// The kinds.
const (
	Save   Kind = "save"
	Resume Kind = "resume"
)

// Entry is one command, as it is noted when it is done.
type Entry struct {
	Kind  Kind
	At    time.Time
	Took  time.Duration
	Bytes int // of the files that a save wrote
	Steps int // that were done and came back with a resume
}

// Line is the entry as the log holds it.
func (e Entry) Line() []byte {
	return fmt.Appendf(nil, "%s %d %d %d %d\n", e.Kind, e.At.Unix(), e.Took.Microseconds(), e.Bytes, e.Steps)
}

// Sum is what the entries of one kind add up to.
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

// Milliseconds is what they took.
func (s Sum) Milliseconds() float64 { return float64(s.Took.Microseconds()) / 1000 }

// Log is what a clone has noted. Sums count all there ever was, Entries are the last.
type Log struct {
	Since   time.Time // the first entry there ever was; zero for none
	Sums    map[Kind]Sum
	Entries []Entry

	cut map[Kind]Sum // of what is no longer among the entries
}

// Parse reads a log. A line that is none, torn or of a later version, is left out:
// nobody waits for a lock to write one.
func Parse(src []byte) *Log {
	l := &Log{Sums: map[Kind]Sum{}, cut: map[Kind]Sum{}}
	for line := range bytes.Lines(src) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			continue
		}
		var kind Kind
		var sum Sum
		var at, took int64
		switch fields := strings.Fields(string(line)); {
		case len(fields) == 7 && fields[0] == "sum":
			if n, err := fmt.Sscan(strings.Join(fields[1:], " "), &kind, &sum.Count, &at, &took, &sum.Bytes, &sum.Steps); n < 6 || err != nil || !kind.known() || sum.Count < 1 || negative(at, took, sum) {
				continue
			}
			sum.Took = time.Duration(took) * time.Microsecond
			had := l.cut[kind]
			sum = Sum{had.Count + sum.Count, had.Took + sum.Took, had.Bytes + sum.Bytes, had.Steps + sum.Steps}
			l.cut[kind], l.Sums[kind] = sum, sum
		case len(fields) == 5:
			if n, err := fmt.Sscan(strings.Join(fields, " "), &kind, &at, &took, &sum.Bytes, &sum.Steps); n < 5 || err != nil || !kind.known() || negative(at, took, sum) {
				continue
			}
			e := Entry{kind, time.Unix(at, 0).UTC(), time.Duration(took) * time.Microsecond, sum.Bytes, sum.Steps}
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

func (k Kind) known() bool { return k == Save || k == Resume }

func negative(at, took int64, s Sum) bool {
	return at < 0 || took < 0 || took > int64(time.Hour*24*365*100/time.Microsecond) || s.Bytes < 0 || s.Steps < 0
}

// Compact is the log with at most keep of its entries, the last ones, and all of its
// sums.
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
