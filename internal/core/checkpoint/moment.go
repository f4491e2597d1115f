package checkpoint

import (
	"strconv"
	"strings"
	"time"
)

// ages are the units of an age; a month is 30 days.
var ages = map[string]time.Duration{
	"h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour, "m": 30 * 24 * time.Hour, "y": 365 * 24 * time.Hour,
}

// ParseMoment reads what a person gives for a moment in the past: a time in any form
// that [ParseTime] reads, or an age, "30d", "12h", "2w".
func ParseMoment(s string, now time.Time) (time.Time, bool) {
	if t, ok := ParseTime(s); ok {
		return t, true
	}
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" {
		return time.Time{}, false
	}
	n, err := strconv.ParseUint(s[:len(s)-1], 10, 16)
	unit, known := ages[s[len(s)-1:]]
	if err != nil || !known {
		return time.Time{}, false
	}
	return now.UTC().Add(-time.Duration(n) * unit), true
}

// EndOf is the last moment of the day, where s is no more than a day, else t: until
// Friday means all of Friday.
func EndOf(t time.Time, s string) time.Time {
	if _, isTime := ParseTime(s); isTime && !strings.ContainsAny(s, "Tt: ") {
		return t.Add(24*time.Hour - time.Second)
	}
	return t
}
