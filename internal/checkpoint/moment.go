package checkpoint

import (
	"strings"
	"time"

	"example.com/ckpt/internal/text"
)

// ParseMoment reads what a person gives for a moment in the past: a time in any form
// that [ParseTime] reads, or an age, "30d", "12h", "2w".
func ParseMoment(s string, now time.Time) (time.Time, bool) {
	if t, ok := ParseTime(s); ok {
		return t, true
	}
	d, ok := text.ParseAge(s)
	if !ok {
		return time.Time{}, false
	}
	return now.UTC().Add(-d), true
}

// EndOf is the last moment of the day or the month, where s is no more than that, else
// t: until Friday means all of Friday.
func EndOf(t time.Time, s string) time.Time {
	s = strings.TrimSpace(s)
	switch _, isTime := ParseTime(s); {
	case !isTime || strings.ContainsAny(s, "Tt: "):
		return t
	case len(s) == len("2026-01") && s[4] == '-':
		return t.AddDate(0, 1, 0).Add(-time.Second)
	}
	return t.AddDate(0, 0, 1).Add(-time.Second)
}
