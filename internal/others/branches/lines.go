package branches

import (
	"strings"

	"example.com/ckpt/internal/learnings"
)

// FormatLearnings writes learnings as lines, which are faster to read than JSON. [ParseLearnings]
// reads them.
func FormatLearnings(all []learnings.Learning) string {
	var b strings.Builder
	for _, l := range all {
		b.WriteString(strings.Join([]string{l.Date, l.ID, strings.Join(l.On, " "), l.Text}, "\t") + "\n")
	}
	return b.String()
}

// ParseLearnings reads what FormatLearnings wrote.
func ParseLearnings(lines string) []learnings.Learning {
	var all []learnings.Learning
	for line := range strings.Lines(lines) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 4)
		if len(f) == 4 {
			all = append(all, learnings.Learning{Date: f[0], ID: f[1], On: strings.Fields(f[2]), Text: f[3]})
		}
	}
	return all
}
