package checkpoint

import (
	"strings"
	"time"

	"example.com/ckpt/internal/text"
)

// FormatTime returns a time in the form that ckpt writes everywhere: UTC, RFC 3339, whole seconds.
func FormatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// ParseTime parses a day or a time in any form of ISO 8601, also with a space in place of the T. A
// month means its first day (S003-09 in docs/sources.md). A time without an offset is UTC. It refuses
// names of time zones other than UTC and GMT, since they are ambiguous.
func ParseTime(s string) (time.Time, bool) {
	if s == "" {
		return time.Time{}, false
	}
	if strings.HasSuffix(s, "Z") { // the form that ckpt writes
		if t, err := time.Parse(time.RFC3339, s); err == nil {
			return t.UTC(), true
		}
	}
	s = strings.ToUpper(strings.TrimSpace(s))
	for _, zone := range []string{"UTC", "GMT"} {
		if rest, ok := strings.CutSuffix(s, zone); ok && strings.Contains(rest, ":") {
			s = strings.TrimSpace(rest) + "Z"
		}
	}
	if at := strings.IndexAny(s, "T "); at > 0 {
		return parseClock(s[:at], strings.ReplaceAll(s[at+1:], " ", ""))
	}
	if t, err := time.Parse("2006-01", s); err == nil {
		return t, true
	}
	return parseDay(s)
}

// parseDay parses a day given by its date, by its number in the year, or by its week.
func parseDay(s string) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02", "20060102", "2006-002", "2006002"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return parseWeekday(s)
}

// weekday matches a week date of ISO 8601: 2026-W01-5 is the Friday of the first week.
var weekday = text.Regexp(`^(\d{4})-?W(\d\d)-?([1-7])$`)

// parseWeekday parses a week date. The first week of a year is the one with 4 January.
func parseWeekday(s string) (time.Time, bool) {
	m := weekday.Get().FindStringSubmatch(s)
	if m == nil {
		return time.Time{}, false
	}
	fourth, err := time.Parse("2006-01-02", m[1]+"-01-04")
	if err != nil {
		return time.Time{}, false
	}
	week := 10*int(m[2][0]-'0') + int(m[2][1]-'0')
	monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7+7*(week-1))
	if year, is := monday.ISOWeek(); is != week || year != fourth.Year() {
		return time.Time{}, false // the year has no such week
	}
	return monday.AddDate(0, 0, int(m[3][0]-'1')), true
}

// clocks lists the layouts of a time of day, and offsets lists those of the time zone that follows.
var (
	clocks  = []string{"15:04:05", "15:04", "15", "150405", "1504"}
	offsets = []string{"", "Z07:00", "Z0700", "Z07"}
)

// parseClock parses a day and a time of day. 24:00 is the end of the day.
func parseClock(date, clock string) (time.Time, bool) {
	day, ok := parseDay(date)
	if !ok {
		return time.Time{}, false
	}
	midnight := strings.HasPrefix(clock, "24")
	if midnight {
		clock = "00" + clock[2:]
	}
	for _, layout := range clocks {
		for _, offset := range offsets {
			t, err := time.Parse("2006-01-02T"+layout+offset, day.Format("2006-01-02T")+clock)
			switch {
			case err != nil:
			case !midnight:
				return t.UTC(), true
			case t.Minute() == 0 && t.Second() == 0 && t.Nanosecond() == 0:
				return t.AddDate(0, 0, 1).UTC(), true
			}
		}
	}
	return time.Time{}, false
}

// ParseMoment parses a moment in the past: a time in any form that [ParseTime] accepts, or an age,
// "30d", "12h", "2w".
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

// EndOf returns t, the time that was parsed from s. But if s is only a day or a month, it returns the
// last second of that day or month: "until Friday" includes all of Friday.
func EndOf(t time.Time, s string) time.Time {
	s = strings.TrimSpace(s)
	_, isTime := ParseTime(s)
	switch {
	case !isTime || strings.ContainsAny(s, "Tt: "):
		return t
	case len(s) == len("2026-01") && s[4] == '-':
		return t.AddDate(0, 1, 0).Add(-time.Second)
	}
	return t.AddDate(0, 0, 1).Add(-time.Second)
}
