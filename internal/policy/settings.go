package policy

import (
	"errors"
	"fmt"
	"maps"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/text"
)

// setting is a key of config.yaml, or a group of keys, and how to read its value. The schema for editors,
// docs/schema/config.json, has the same keys.
type setting struct {
	key  string
	read func(r reader, value *yaml.Node) error
}

// settings returns all keys of the file. If two set the same value, the one that is later here takes precedence.
// The keys checkpoint, checkpoint_retention and agent come from older descriptions of checkpoints, and also
// contain keys that ckpt ignores.
func settings() []setting {
	secrets := []setting{
		{"allow_rules", func(r reader, v *yaml.Node) error { return v.Decode(&r.config.Secrets.AllowRules) }},
		{"allow", readAllowed},
	}
	due := append(dueSettings(func(c *Config) *Due { return &c.Due }), setting{"phases", readPhases})
	agent := append(limits(),
		setting{"enabled", without("checkpoint.enabled and ckpt unsetup have")},
		setting{"autoCheckpoint", without("nudge and due have")})
	warm := []setting{{"pruning_schedule", scalar(readSchedule)}, {"warm_storage", group(limits(), false)}}
	retention := append(limits(), setting{"apply", flag(func(c *Config, on bool) { c.Retention.Apply = on })})
	exploring := []setting{{"enabled", flag(func(c *Config, on bool) { c.NoExploring = !on })}}
	return []setting{
		{"commit", scalar(func(c *Config, s string) (err error) { c.Commit, err = ParseCommit(s); return err })},
		{"sync", scalar(func(c *Config, s string) (err error) { c.SyncSession, err = ParseSync(s); return err })},
		{"subject", scalar(readSubject)},
		{"secrets", group(secrets, true)},
		{"due", group(due, true)},
		{"agent", group([]setting{{"checkpoints", group(agent, false)}}, false)},
		{"checkpoint_retention", group(warm, false)},
		{"retention", group(retention, true)},
		{"recorder", scalar(func(c *Config, s string) (err error) { c.Recorder, err = ParseRecorder(s); return err })},
		{"recover", scalar(func(c *Config, s string) (err error) { c.Recover, err = ParseRecover(s); return err })},
		{"checkpoint", group(exploring, false)},
		{"nudge", flag(func(c *Config, on bool) { c.Nudge = on })},
	}
}

// dueSettings returns the keys of the thresholds for a delta. A bare number is a time in minutes.
func dueSettings(of func(*Config) *Due) []setting {
	minutes := func(to func(*Due) *time.Duration) func(reader, *yaml.Node) error {
		return scalar(func(c *Config, s string) error {
			if _, err := strconv.Atoi(s); err == nil {
				s += "m"
			}
			d, err := time.ParseDuration(s)
			if isOff(s) {
				d, err = 0, nil
			}
			if err != nil || d < 0 {
				return fmt.Errorf("invalid time %q (want for example 10m)", s)
			}
			*to(of(c)) = d
			return nil
		})
	}
	return []setting{
		{"work", minutes(func(d *Due) *time.Duration { return &d.Work })},
		{"limit", minutes(func(d *Due) *time.Duration { return &d.Limit })},
		{"pause", minutes(func(d *Due) *time.Duration { return &d.Pause })},
		{"files", count(func(c *Config) *int { return &of(c).Files })},
		{"tasks", count(func(c *Config) *int { return &of(c).Tasks })},
	}
}

// readPhases reads the thresholds of phases. A phase has the general value of a threshold that it leaves out.
func readPhases(r reader, value *yaml.Node) error {
	var phases map[string]yaml.Node
	if err := value.Decode(&phases); err != nil {
		return err
	}
	r.config.DuePhases = map[string]Due{}
	for _, name := range slices.Sorted(maps.Keys(phases)) {
		due, node := r.config.Due, phases[name]
		at := r.below(name)
		if _, twice := r.config.DuePhases[phaseKey(name)]; twice {
			return at.located(errors.New("the phase is there twice, apart from capitals"), &node)
		}
		if err := at.group(&node, dueSettings(func(*Config) *Due { return &due }), true); err != nil {
			return err
		}
		r.config.DuePhases[phaseKey(name)] = due
	}
	return nil
}

// limits returns the keys of a retention policy. The first two of them come from older descriptions of checkpoints.
func limits() []setting {
	perSession := count(func(c *Config) *int { return &c.Retention.Limits.MaxPerSession })
	return []setting{
		{"pruneAfterDays", scalar(readAge)},
		{"maxCheckpointsPerSession", perSession},
		{"max_age", scalar(readAge)},
		{"max_per_workflow", count(func(c *Config) *int { return &c.Retention.Limits.MaxPerWorkflow })},
		{"max_per_session", perSession},
		{"schedule", scalar(readSchedule)},
	}
}

// readAge reads an age; a bare number is days.
func readAge(c *Config, s string) error {
	days := s
	if _, err := strconv.Atoi(s); err == nil {
		days += "d"
	}
	d, ok := text.ParseAge(days)
	if !ok && !isOff(s) {
		return fmt.Errorf("invalid age %q (want for example 30d)", s)
	}
	c.Retention.Limits.MaxAge = d
	return nil
}

// readSchedule reads a schedule of reports.
func readSchedule(c *Config, s string) error {
	schedule := Schedule(s)
	switch {
	case schedule == ScheduleDaily || schedule == ScheduleSave:
		c.Retention.Schedule = schedule
	case isOff(s):
		c.Retention.Schedule = ScheduleNever
	default:
		return fmt.Errorf("invalid value %q (want daily, save or off)", s)
	}
	return nil
}

func readSubject(c *Config, s string) error {
	if !strings.Contains(s, "{op}") || strings.Contains(s, "\n") {
		return errors.New("want one line with {op}, and with {id} and {summary} where you like")
	}
	c.Subject = s
	return nil
}

func readAllowed(r reader, value *yaml.Node) error {
	if err := value.Decode(&r.config.Secrets.Allow); err != nil {
		return err
	}
	for i, expr := range r.config.Secrets.Allow {
		if _, err := syntax.Parse(expr, syntax.Perl); err != nil || expr == "" {
			return fmt.Errorf("item %d is empty, or not a valid regular expression", i+1)
		}
	}
	return nil
}

// group reads a group of settings. If it is strict, unknown keys are collected.
func group(known []setting, strict bool) func(reader, *yaml.Node) error {
	return func(r reader, value *yaml.Node) error { return r.group(value, known, strict) }
}

// scalar reads a scalar as text. An empty value changes nothing.
func scalar(set func(c *Config, s string) error) func(reader, *yaml.Node) error {
	return func(r reader, value *yaml.Node) error {
		var s string
		if err := value.Decode(&s); err != nil || s == "" {
			return err
		}
		return set(r.config, s)
	}
}

// flag reads true or false, and the other words for them in YAML 1.1.
func flag(set func(c *Config, on bool)) func(reader, *yaml.Node) error {
	return func(r reader, value *yaml.Node) error {
		var on bool
		err := value.Decode(&on)
		if err == nil {
			set(r.config, on)
		}
		return err
	}
}

// count reads a number; "off" is 0.
func count(to func(*Config) *int) func(reader, *yaml.Node) error {
	return scalar(func(c *Config, s string) error {
		n, err := strconv.Atoi(s)
		if isOff(s) {
			n, err = 0, nil
		}
		if err != nil || n < 0 {
			return fmt.Errorf("invalid number %q", s)
		}
		*to(c) = n
		return nil
	})
}

// without ignores the value of a key that has no effect, and adds a remark with the keys to use instead.
func without(others string) func(reader, *yaml.Node) error {
	return func(r reader, _ *yaml.Node) error {
		r.config.Idle = append(r.config.Idle, strings.Join(r.path, ".")+" has no effect; "+others)
		return nil
	}
}

func isOff(s string) bool { return strings.EqualFold(s, "off") || s == "false" }
