package secrets

import (
	"slices"
	"strings"
)

// context is the number of lines before and after an added one that are scanned with it, because a name
// may be on one line and its value on the next.
const context = 3

// Added returns the secrets that occur more often in a text of a file than in all its earlier texts together. It scans
// only lines that the earlier texts lack or have less often, and the lines around them. Line endings do not count.
func (s *Scanner) Added(path, text string, before ...string) []Finding {
	was, old := strings.Join(before, "\n"), map[string]int{}
	for line := range strings.Lines(was) {
		old[strings.TrimRight(line, "\r\n")]++
	}
	lines := slices.Collect(strings.Lines(text))
	scanned := make([]bool, len(lines))
	for i, line := range lines {
		line = strings.TrimRight(line, "\r\n")
		if old[line]--; old[line] < 0 {
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
			if value := text[f.Start:f.Stop]; strings.Count(text, value) > strings.Count(was, value) {
				all = append(all, f)
			}
		}
	}
	return all
}
