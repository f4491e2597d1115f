package policy

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Parse parses config.yaml. A key that is left out has its default; keys that this
// version does not know are collected in Unknown. An error names the line.
func Parse(src []byte) (Config, error) {
	c := Default()
	if isBlank(src) { // the file as init writes it: this is fast, since hooks read it often
		return c, nil
	}
	var file yaml.Node
	err := yaml.Unmarshal(src, &file)
	if err == nil && len(file.Content) > 0 {
		err = reader{config: &c}.group(file.Content[0], settings(), true)
	}
	slices.Sort(c.Unknown)
	if err != nil {
		return c, fault.New(fault.Invalid, "config.yaml: %s", inWords(err))
	}
	return c, nil
}

// isBlank reports whether a file has only comments and blank lines.
func isBlank(src []byte) bool {
	for line := range bytes.Lines(src) {
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] != '#' {
			return false
		}
	}
	return true
}

// setting is a key of config.yaml, or a group of keys.
type setting struct {
	key  string
	read func(r reader, value *yaml.Node) error
}

// settings returns all keys of the file. A later one takes precedence. The keys checkpoint,
// checkpoint_retention and agent come from older descriptions of checkpoints. They also contain
// keys that ckpt ignores.
func settings() []setting {
	var secrets = []setting{
		{"allow_rules", func(r reader, v *yaml.Node) error { return v.Decode(&r.config.Secrets.AllowRules) }},
		{"allow", readAllowed},
	}
	due := append(dueSettings(func(c *Config) *Due { return &c.Due }), setting{"phases", readPhases})
	schedule := []setting{{"pruning_schedule", readSchedule}, {"warm_storage", group(limits(), false)}}
	retention := append(limits(), setting{"apply", flag(func(c *Config, on bool) { c.Retention.Apply = on })})
	return []setting{
		{"commit", word(func(c *Config, s string) (err error) { c.Commit, err = ParseCommit(s); return err })},
		{"sync", word(func(c *Config, s string) (err error) { c.SyncSession, err = ParseSync(s); return err })},
		{"subject", word(readSubject)},
		{"secrets", group(secrets, true)},
		{"due", group(due, true)},
		{"nudge", flag(func(c *Config, on bool) { c.Nudge = on })},
		{"recover", word(func(c *Config, s string) (err error) { c.Recover, err = ParseRecover(s); return err })},
		{"recorder", flag(func(c *Config, on bool) { c.NoRecorder = !on })},
		{"checkpoint", group([]setting{{"enabled", flag(func(c *Config, on bool) { c.NoExploring = !on })}}, false)},
		{"agent", group([]setting{{"checkpoints", group(limits(), false)}}, false)},
		{"checkpoint_retention", group(schedule, false)},
		{"retention", group(retention, true)},
	}
}

// dueSettings returns the thresholds for a delta. A number of minutes is a time, too.
func dueSettings(of func(*Config) *Due) []setting {
	minutes := func(to func(*Due) *time.Duration) func(reader, *yaml.Node) error {
		return word(func(c *Config, s string) error {
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

// readPhases reads the thresholds of phases. A threshold that a phase leaves out is that of all
// work.
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

// limits returns the keys of a retention policy. Two of them come from the older store, which
// counted days and sessions.
func limits() []setting {
	age := word(func(c *Config, s string) error {
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
	})
	perSession := count(func(c *Config) *int { return &c.Retention.Limits.MaxPerSession })
	return []setting{
		{"pruneAfterDays", age},
		{"maxCheckpointsPerSession", perSession},
		{"max_age", age},
		{"max_per_workflow", count(func(c *Config) *int { return &c.Retention.Limits.MaxPerWorkflow })},
		{"max_per_session", perSession},
		{"daily", count(func(c *Config) *int { return &c.Retention.Limits.Daily })},
		{"schedule", readSchedule},
	}
}

func readSchedule(r reader, value *yaml.Node) error {
	return word(func(c *Config, s string) error {
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
	})(r, value)
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

// word reads a scalar as text. An empty value changes nothing.
func word(set func(c *Config, s string) error) func(reader, *yaml.Node) error {
	return func(r reader, value *yaml.Node) error {
		var s string
		if err := value.Decode(&s); err != nil || s == "" {
			return err
		}
		return set(r.config, s)
	}
}

// flag reads true or false.
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
	return word(func(c *Config, s string) error {
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

func isOff(s string) bool { return strings.EqualFold(s, "off") || s == "false" }

// reader reads values into a config.
type reader struct {
	config *Config
	path   []string // the keys that lead to the value
}

func (r reader) below(key string) reader { return reader{r.config, append(slices.Clone(r.path), key)} }

// group reads a mapping.
func (r reader) group(node *yaml.Node, known []setting, strict bool) error {
	var values map[string]yaml.Node
	if err := node.Decode(&values); err != nil {
		return err
	}
	for _, s := range known {
		value, ok := values[s.key]
		delete(values, s.key)
		if !ok || value.Tag == "!!null" {
			continue
		}
		if err := s.read(r.below(s.key), &value); err != nil {
			return r.below(s.key).located(err, &value)
		}
	}
	for key := range values {
		if strict {
			r.config.Unknown = append(r.config.Unknown, strings.Join(r.below(key).path, "."))
		}
	}
	return nil
}

// located adds the line and the path of a value to an error that has none yet.
func (r reader) located(err error, value *yaml.Node) error {
	if errors.As(err, new(invalid)) || errors.As(err, new(*yaml.TypeError)) {
		return err
	}
	return invalid(fmt.Sprintf("line %d: %s: %v", value.Line, strings.Join(r.path, ": "), err))
}

// invalid is an error that names a line and a key.
type invalid string

func (e invalid) Error() string { return string(e) }

// wrongKind matches the message of yaml.v3 about a value of another kind than is expected.
var wrongKind = text.Regexp(`^line (\d+): cannot unmarshal !!(\w+) .*into .*$`)

// kinds returns the kinds of values in plain words.
func kinds() map[string]string {
	return map[string]string{
		"seq": "a list", "map": "a list of keys", "str": "a text",
		"int": "a number", "float": "a number", "bool": "a yes or no",
	}
}

// inWords returns the message of an error for the person who wrote the file.
func inWords(err error) string {
	var types *yaml.TypeError
	if !errors.As(err, &types) {
		return strings.TrimPrefix(err.Error(), "yaml: ")
	}
	found := wrongKind.FindStringSubmatch(types.Errors[0])
	if found == nil {
		return types.Errors[0]
	}
	kind := kinds()[found[2]]
	if kind == "" {
		kind = "such a value"
	}
	return fmt.Sprintf("line %s: %s has no place there", found[1], kind)
}
