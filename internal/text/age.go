package text

import (
	"strconv"
	"strings"
	"time"
)

// Day is 24 hours, the length of the days in an age such as "30d".
const Day = 24 * time.Hour

// ParseAge parses a whole number and a unit: "12h", "30d", "2w", "1m", "1y". A month has 30 days, a year 365. It
// reports whether s is an age.
func ParseAge(s string) (time.Duration, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:len(s)-1], 10, 16)
	units := map[byte]time.Duration{'h': time.Hour, 'd': Day, 'w': 7 * Day, 'm': 30 * Day, 'y': 365 * Day}
	unit, ok := units[s[len(s)-1]]
	return time.Duration(n) * unit, err == nil && ok
}

// Ago tells how long ago something was, in the largest unit that fits: "just now", "1 minute ago",
// "3 weeks ago".
func Ago(d time.Duration) string {
	for _, unit := range []struct {
		name   string
		length time.Duration
	}{{"week", 7 * Day}, {"day", Day}, {"hour", time.Hour}, {"minute", time.Minute}} {
		if n := int(d / unit.length); n > 0 {
			return Count(n, unit.name) + " ago"
		}
	}
	return "just now"
}

// FormatAge returns an age in days: "30d". An age below 30 days that is not a whole
// number of days is in hours: "12h". It ignores seconds.
func FormatAge(d time.Duration) string {
	d = d.Round(time.Minute)
	if d%Day == 0 || d > 30*Day {
		return strconv.Itoa(int(d/Day)) + "d"
	}
	return strconv.Itoa(int(d/time.Hour)) + "h"
}
