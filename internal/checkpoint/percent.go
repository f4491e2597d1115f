package checkpoint

import (
	"strconv"
	"strings"
)

// ParsePercent reads how far something is: "45%", "45", or "3/5"; from 0 to 100.
func ParsePercent(s string) (int, bool) {
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "%"))
	if done, all, ok := strings.Cut(s, "/"); ok {
		n, errN := strconv.Atoi(strings.TrimSpace(done))
		of, errOf := strconv.Atoi(strings.TrimSpace(all))
		if errN != nil || errOf != nil || n < 0 || of <= 0 || n > of {
			return 0, false
		}
		return int(int64(n) * 100 / int64(of)), true
	}
	n, err := strconv.ParseFloat(s, 64)
	return int(n), err == nil && 0 <= n && n <= 100
}

// Percent is what the file says of its own progress; ok is false where it says nothing.
func (c *Checkpoint) Percent() (percent int, ok bool) { return ParsePercent(c.Field("progress")) }
