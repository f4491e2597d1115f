package checkpoint_test

import (
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
)

func TestParseMoment(t *testing.T) {
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"2026-01-02": "2026-01-02T00:00:00Z", "2026-01-02T10:00:00+02:00": "2026-01-02T08:00:00Z",
		"30d": "2026-03-01T12:00:00Z", " 12H ": "2026-03-31T00:00:00Z", "2w": "2026-03-17T12:00:00Z", "0d": "2026-03-31T12:00:00Z",
		"1y": "2025-03-31T12:00:00Z", "2m": "2026-01-30T12:00:00Z",
		"": "", "d": "", "-1d": "", "1.5d": "", "99999999d": "", "yesterday": "", "3é": "",
	} {
		got := ""
		if at, ok := checkpoint.ParseMoment(text, now); ok {
			got = checkpoint.FormatTime(at)
		}
		if got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"2026-01-02": "2026-01-02T23:59:59Z", "20260102": "2026-01-02T23:59:59Z", "2026-W01-5": "2026-01-02T23:59:59Z", "2026002": "2026-01-02T23:59:59Z",
		"2026-01": "2026-01-31T23:59:59Z", " 2024-02 ": "2024-02-29T23:59:59Z", "2026-01-02T10:00": "2026-01-02T10:00:00Z", "1d": "2026-03-30T12:00:00Z",
	} {
		at, _ := checkpoint.ParseMoment(text, now)
		if got := checkpoint.FormatTime(checkpoint.EndOf(at, text)); got != want {
			t.Errorf("the end of %q is %s, not %s", text, got, want)
		}
	}
}
