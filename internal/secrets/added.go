package secrets

import (
	"slices"
	"strings"
)

// context is the number of lines before and after an added one that are scanned with it, since a name
// may be on one line and its value on the next.
const context = 3

// Added returns the secrets in a text of a file that are not in the texts before. It scans, with
// context, the lines that no text before has. Differences in line endings do not count.
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
