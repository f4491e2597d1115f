package text

import (
	"testing"
	"time"
)

func TestParseAge(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"30d": 30 * Day, "12h": 12 * time.Hour, "2w": 14 * Day, "1m": 30 * Day, "1Y": 365 * Day, " 0d ": 0,
		"": -1, "d": -1, "30": -1, "-1d": -1, "1.5d": -1, "99999d": -1, "30 days": -1,
	} {
		if got, ok := ParseAge(s); ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: got %v, %v, want %v", s, got, ok, want)
		}
	}
}

func TestFormatAge(t *testing.T) {
	for want, d := range map[string]time.Duration{"30d": 30 * Day, "12h": 12 * time.Hour, "36h": 36 * time.Hour, "45d": 45*Day + time.Second, "1d": Day + 200} {
		if got := FormatAge(d); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago", 59*time.Minute + 59*time.Second: "59 minutes ago",
		time.Hour: "1 hour ago", 23 * time.Hour: "23 hours ago", Day: "1 day ago", 6 * Day: "6 days ago", 7 * Day: "1 week ago",
		27 * Day: "3 weeks ago", -time.Second: "just now",
	} {
		if got := Ago(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
