package secrets

import (
	"slices"
	"strings"
)

// context is how many lines around an added one are scanned with it: a name may be on one line and
// its value on the next.
const context = 3

// Added returns the secrets that a text of a file has and the texts before it do not. It scans the lines
// that none of them has, with context. Line endings do not count.
func (s *Scanner) Added(path, text string, before ...string) []Finding {
	old := map[string]bool{}
	for _, b := range before {
		for line := range strings.Lines(b) {
			old[strings.TrimRight(line, "\r\n")] = true
		}
	}
	lines := slices.Collect(strings.Lines(text))
	scanned := make([]bool, len(lines))
	for i, line := range lines {
		if !old[strings.TrimRight(line, "\r\n")] {
			for near := max(0, i-context); near <= min(i+context, len(lines)-1); near++ {
				scanned[near] = true
			}
		}
	}
	var all []Finding
	for i, at := 0, 0; i < len(lines); {
		if !scanned[i] {
			at += len(lines[i])
			i++
			continue
		}
		line, start := i, at
		for ; i < len(lines) && scanned[i]; i++ {
			at += len(lines[i])
		}
		for _, f := range s.Scan(path, text[start:at]) {
			f.Line, f.End, f.Start, f.Stop = f.Line+line, f.End+line, f.Start+start, f.Stop+start
			isOld := func(b string) bool { return strings.Contains(b, text[f.Start:f.Stop]) }
			if !slices.ContainsFunc(before, isOld) {
				all = append(all, f)
			}
		}
	}
	return all
}
