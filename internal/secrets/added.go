package secrets

import (
	"slices"
	"strings"
)

// context is how many lines around an added one are scanned with it: a name may be on one line and
// its value on the next.
const context = 3

// Added returns the secrets that a text of a file adds to the texts before it: on new lines, or
// with new values.
func (s *Scanner) Added(path, text string, before ...string) []Finding {
	var all []Finding
	for _, h := range hunks(text, before) {
		part := text[h.start:h.stop]
		for _, f := range s.Scan(path, part) {
			old := func(text string) bool { return strings.Contains(text, part[f.Start:f.Stop]) }
			if !h.touches(f) || slices.ContainsFunc(before, old) {
				continue
			}
			f.Line, f.End = f.Line+h.line, f.End+h.line
			f.Start, f.Stop = f.Start+h.start, f.Stop+h.start
			all = append(all, f)
		}
	}
	return all
}

// hunk is a run of lines, some of them new.
type hunk struct {
	start, stop int    // offsets in bytes
	line        int    // the number of lines before it
	fresh       []bool // whether each line is new
}

// touches reports whether a finding in the hunk is on a new line.
func (h hunk) touches(f Finding) bool {
	return slices.Contains(h.fresh[f.Line-1:f.End], true)
}

// hunks returns the lines of a text that none of the texts before it has, with context.
// Hunks that touch are joined. Line endings do not count.
func hunks(text string, before []string) []hunk {
	old := map[string]bool{}
	for _, b := range before {
		for line := range strings.Lines(b) {
			old[strings.TrimRight(line, "\r\n")] = true
		}
	}
	var all []hunk
	var starts []int // the offset of each line
	quiet := context // the number of old lines since the last new one
	at := 0
	for line := range strings.Lines(text) {
		n := len(starts)
		starts = append(starts, at)
		at += len(line)
		fresh := !old[strings.TrimRight(line, "\r\n")]
		switch {
		case !fresh:
			quiet++
			if last := len(all) - 1; last >= 0 && quiet <= context {
				all[last].stop, all[last].fresh = at, append(all[last].fresh, false)
			}
			continue
		case len(all) > 0 && quiet <= 2*context: // the contexts of two hunks meet in the gap
			last := &all[len(all)-1]
			for len(last.fresh) < n-last.line {
				last.fresh = append(last.fresh, false)
			}
		default:
			from := max(0, n-context)
			all = append(all, hunk{start: starts[from], line: from, fresh: make([]bool, n-from)})
		}
		last := &all[len(all)-1]
		last.stop, last.fresh = at, append(last.fresh, true)
		quiet = 0
	}
	return all
}
