package checkpoint

import (
	"strings"
	"time"

	"example.com/ckpt/internal/core/age"
)

// ParseMoment reads what a person gives for a moment in the past: a time in any form
// that [ParseTime] reads, or an age, "30d", "12h", "2w".
func ParseMoment(s string, now time.Time) (time.Time, bool) {
	if t, ok := ParseTime(s); ok {
		return t, true
	}
	d, ok := age.Parse(s)
	if !ok {
		return time.Time{}, false
	}
	return now.UTC().Add(-d), true
}

// EndOf is the last moment of the day, where s is no more than a day, else t: until
// Friday means all of Friday.
func EndOf(t time.Time, s string) time.Time {
	if _, isTime := ParseTime(s); isTime && !strings.ContainsAny(s, "Tt: ") {
		return t.Add(24*time.Hour - time.Second)
	}
	return t
}
