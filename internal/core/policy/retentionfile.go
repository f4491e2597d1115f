package policy

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/text"
)

// Retention is what ckpt prune takes, and when somebody is told that there is
// something to take.
type Retention struct {
	Limits   Limits
	Schedule Schedule
	Apply    bool // new and archive prune by themselves, in an operation of its own
}

// Schedule is how often a command that adds a checkpoint says what prune would take.
type Schedule string

// The schedules. Nothing is pruned by any of them.
const (
	ScheduleNever Schedule = ""
	ScheduleDaily Schedule = "daily" // once a day
	ScheduleSave  Schedule = "save"  // each time
)

// retentionFile is the part of config.yaml that says what is kept. The keys of the
// checkpoint store that counted days and sessions are read, too.
type retentionFile struct {
	MaxAge         string `yaml:"max_age"`
	MaxPerWorkflow string `yaml:"max_per_workflow"`
	MaxPerSession  string `yaml:"max_per_session"`
	Daily          string `yaml:"daily"`
	Schedule       string `yaml:"schedule"`
	Apply          bool   `yaml:"apply"`

	PruneAfterDays           string `yaml:"pruneAfterDays"`
	MaxCheckpointsPerSession string `yaml:"maxCheckpointsPerSession"`
}

// over returns the part with what others say of what it leaves out, the first of them first.
func (f retentionFile) over(others ...retentionFile) retentionFile {
	for _, o := range others {
		f.MaxAge, f.MaxPerWorkflow = cmp.Or(f.MaxAge, o.MaxAge), cmp.Or(f.MaxPerWorkflow, o.MaxPerWorkflow)
		f.MaxPerSession, f.Daily, f.Schedule = cmp.Or(f.MaxPerSession, o.MaxPerSession), cmp.Or(f.Daily, o.Daily), cmp.Or(f.Schedule, o.Schedule)
		f.PruneAfterDays, f.MaxCheckpointsPerSession = cmp.Or(f.PruneAfterDays, o.PruneAfterDays), cmp.Or(f.MaxCheckpointsPerSession, o.MaxCheckpointsPerSession)
	}
	return f
}

// retentionKeys are what that part may say.
var retentionKeys = []string{"max_age", "max_per_workflow", "max_per_session", "daily", "schedule", "apply", "pruneAfterDays", "maxCheckpointsPerSession"}

// KnowsRetention refuses a policy of retention with a key that this version does not
// know: a misspelt limit would delete too little, a misspelt "keep" too much.
func (c Config) KnowsRetention() error {
	for _, key := range c.Unknown {
		if strings.HasPrefix(key, "retention.") {
			return fault.New(fault.Invalid, "config.yaml: this version does not know the key %s", key).
				WithHint("retention has max_age, max_per_workflow, max_per_session, daily, schedule and apply")
		}
	}
	return nil
}

func (f retentionFile) retention() (Retention, error) {
	r := Retention{Apply: f.Apply}
	for _, n := range []struct {
		name, text string
		to         *int
	}{
		{"maxCheckpointsPerSession", f.MaxCheckpointsPerSession, &r.Limits.MaxPerSession},
		{"max_per_workflow", f.MaxPerWorkflow, &r.Limits.MaxPerWorkflow},
		{"max_per_session", f.MaxPerSession, &r.Limits.MaxPerSession},
		{"daily", f.Daily, &r.Limits.Daily},
	} {
		if n.text == "" {
			continue
		}
		count, err := strconv.Atoi(n.text)
		if isOff(n.text) {
			count, err = 0, nil
		}
		if err != nil || count < 0 {
			return r, wrong([]string{"retention", n.name}, "%q is no number", n.text)
		}
		*n.to = count
	}
	for _, d := range []struct{ name, text string }{{"pruneAfterDays", f.PruneAfterDays}, {"max_age", f.MaxAge}} {
		if d.text == "" {
			continue
		}
		max, ok := maxAge(d.text)
		if !ok {
			return r, wrong([]string{"retention", d.name}, "%q is no age such as 30d", d.text)
		}
		r.Limits.MaxAge = max
	}
	switch s := Schedule(f.Schedule); {
	case s == ScheduleDaily || s == ScheduleSave:
		r.Schedule = s
	case s != ScheduleNever && !isOff(f.Schedule):
		return r, wrong([]string{"retention", "schedule"}, "%q is none of daily, save, off", f.Schedule)
	}
	return r, nil
}

// maxAge is an age, or a number of days.
func maxAge(s string) (time.Duration, bool) {
	if isOff(s) {
		return 0, true
	}
	if _, err := strconv.Atoi(s); err == nil {
		s += "d"
	}
	return text.ParseAge(s)
}
