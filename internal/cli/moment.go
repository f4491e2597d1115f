package cli

import (
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
)

// moment returns the time of a flag: a time, or an age before now. It is zero if the flag is empty.
func (e *Env) moment(flag, value string) (time.Time, error) {
	if value == "" {
		return time.Time{}, nil
	}
	t, ok := checkpoint.ParseMoment(value, e.Now())
	if !ok {
		return t, fault.New(fault.Usage, "--%s %q is not a time", flag, value).
			WithHint("--%s 2026-01-02, or 2026-01-02T10:00:00Z, or an age: 12h, 30d, 2w", flag)
	}
	return t, nil
}

// past parses a flag that was given and must name a time in the past.
func (e *Env) past(flag, value string) (time.Time, error) {
	t, err := e.moment(flag, value)
	if err == nil && (t.IsZero() || t.After(e.Now())) {
		err = fault.New(fault.Usage, "--%s %q is not a time in the past", flag, value).
			WithHint("--%s 30d, 12h, 2w, or 2026-01-02", flag)
	}
	return t, err
}
