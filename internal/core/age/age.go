// Package age is how long ago something is, as people say it: 30d, 12h, 2w.
package age

import (
	"strconv"
	"strings"
	"time"
)

// Day is a day as an age counts it.
const Day = 24 * time.Hour

// unit is the length of a unit, 0 for none; a month is 30 days.
func unit(letter byte) time.Duration {
	switch letter {
	case 'h':
		return time.Hour
	case 'd':
		return Day
	case 'w':
		return 7 * Day
	case 'm':
		return 30 * Day
	case 'y':
		return 365 * Day
	}
	return 0
}

// Parse reads a whole number with a unit: hours, days, weeks, months of 30 days,
// years of 365.
func Parse(s string) (time.Duration, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:len(s)-1], 10, 16)
	u := unit(s[len(s)-1])
	return time.Duration(n) * u, err == nil && u > 0
}

// String writes an age in days, or in hours where it is no whole number of days. What
// is below a minute does not count.
func String(d time.Duration) string {
	d = d.Round(time.Minute)
	if d%Day == 0 || d > 30*Day {
		return strconv.Itoa(int(d/Day)) + "d"
	}
	return strconv.Itoa(int(d/time.Hour)) + "h"
}
