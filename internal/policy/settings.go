package policy

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/jsonschema"
	"example.com/ckpt/internal/text"
)

// SchemaURL is the address of the schema of config.yaml.
const SchemaURL = "https://example.com/ckpt/raw/main/docs/schema/config.json"

// setting is a key of config.yaml, or a group of keys.
type setting struct {
	key     string
	example string // the value in the file that init writes, or byKey; empty if the file leaves the key out
	about   string
	value
}

// byKey is the example of a group that the file shows key by key.
const byKey = "..."

// value is what a setting can be set to. The schema is a function because ckpt itself never needs it.
type value struct {
	schema func() jsonschema.Schema
	read   func(r reader, value *yaml.Node) error
	group  []setting
}

// settings returns all keys of the file. A later one takes precedence. The keys checkpoint,
// checkpoint_retention and agent come from older descriptions of checkpoints. They also contain
// keys that ckpt ignores.
func settings() []setting {
	secrets := []setting{
		{"allow_rules", "[jwt]", "rules of ckpt scan that are not applied here",
			list(0, func(r reader, v *yaml.Node) error { return v.Decode(&r.config.Secrets.AllowRules) })},
		{"allow", "['^demo-']", "regular expressions of values that are no secrets",
			list(1, readAllowed)},
	}
	due := slices.Concat(dueSettings(func(c *Config) *Due { return &c.Due }), []setting{
		{"phases", "{drafting: {tasks: 1}}", "other values while the checkpoint's phase is this one", phases()},
	})
	warm := []setting{
		{"pruning_schedule", "", "an older name of schedule", schedule()},
		{"warm_storage", "", "the limits of retention", group(limits(), false)},
	}
	retention := slices.Concat(limits(), []setting{
		{"apply", "true", "new and archive prune at once, in a commit of its own (ckpt undelete ID)",
			flag(func(c *Config, on bool) { c.Retention.Apply = on })},
	})
	return []setting{
		{"commit", "own", "own: each operation is a commit on the branch; off: files alone; ref: neither",
			word(func(c *Config, s string) (err error) { c.Commit, err = ParseCommit(s); return err }, Own, Ref, Off)},
		{"sync", "manual", "session: an agent's session syncs when it starts and stops", word(
			func(c *Config, s string) (err error) { c.SyncSession, err = ParseSync(s); return err }, "manual", "session")},
		{"subject", `"` + Default().Subject + `"`, "the commit's subject: one line with {op}", scalar(readSubject, func() jsonschema.Schema {
			return jsonschema.AnyOf(jsonschema.Match(`|[^\n]*\{op\}[^\n]*`), jsonschema.Types("null"))
		})},
		{"secrets", byKey, "texts that ckpt scan does not report", group(secrets, true)},
		{"due", byKey, "when ckpt status --due calls for a delta; 0 switches one off", group(due, true)},
		{"agent", "", "an older form: checkpoints has the limits of retention", group(
			[]setting{{"checkpoints", "", "the limits of retention", group(slices.Concat(limits(), []setting{
				{"enabled", "", "no effect: see checkpoint", without("checkpoint.enabled and ckpt unsetup have")},
				{"autoCheckpoint", "", "no effect: see nudge and due", without("nudge and due have")},
			}), false)}}, false)},
		{"checkpoint_retention", "", "an older form of retention", group(warm, false)},
		{"retention", byKey, "what ckpt prune takes; it deletes nothing without --apply", group(retention, true)},
		{"recorder", "on", "off: no record of agents' sessions (ckpt log --session); work: without what the user says",
			scalar(func(c *Config, s string) (err error) { c.Recorder, err = ParseRecorder(s); return err },
				func() jsonschema.Schema {
					return jsonschema.AnyOf(jsonschema.Enum(true, false, 1, 0, "", nil), jsonschema.Match("on|On|ON|off|Off|OFF|work|"+
						"yes|Yes|YES|no|No|NO|y|Y|n|N|true|True|TRUE|false|False|FALSE"))
				})},
		{"recover", "suggest", "write: a new session writes the delta that an earlier one left out", word(
			func(c *Config, s string) (err error) { c.Recover, err = ParseRecover(s); return err }, "suggest", "write")},
		{"checkpoint", "{enabled: false}", "switches ckpt mark off, and the tools checkpoint and rewind", group(
			[]setting{{"enabled", "", "false: no ckpt mark, and no tools checkpoint and rewind",
				flag(func(c *Config, on bool) { c.NoExploring = !on })}}, false)},
		{"nudge", "false", "true: an agent that stops is asked, once a session, for a delta that is due",
			flag(func(c *Config, on bool) { c.Nudge = on })},
	}
}

// Schema returns the JSON Schema of config.yaml.
func Schema() jsonschema.Schema {
	return jsonschema.Document(SchemaURL, "checkpoints/config.yaml of ckpt", group(settings(), true).schema())
}

// dueSettings returns the thresholds for a delta. A number of minutes is a time, too.
func dueSettings(of func(*Config) *Due) []setting {
	minutes := func(to func(*Due) *time.Duration) value {
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
		}, func() jsonschema.Schema { return amount(jsonschema.Integer(), jsonschema.Duration) })
	}
	return []setting{
		{"work", "10m", "so much work since the last delta", minutes(func(d *Due) *time.Duration { return &d.Work })},
		{"limit", "30m", "so long from the last delta to the last edit",
			minutes(func(d *Due) *time.Duration { return &d.Limit })},
		{"pause", "15m", "a longer gap between two edits is no work",
			minutes(func(d *Due) *time.Duration { return &d.Pause })},
		{"files", "10", "so many changed files", count(func(c *Config) *int { return &of(c).Files })},
		{"tasks", "off", "so many next actions done or steps noted", count(func(c *Config) *int { return &of(c).Tasks })},
	}
}

// phases reads the thresholds of phases. A threshold that a phase leaves out is that of all work.
func phases() value {
	phase := group(dueSettings(func(c *Config) *Due { return &c.Due }), true)
	return value{read: readPhases, schema: func() jsonschema.Schema {
		return jsonschema.Object(nil, phase.schema()).OrNull()
	}}
}

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
	age := scalar(func(c *Config, s string) error {
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
	}, func() jsonschema.Schema {
		number := jsonschema.Integer().With("maximum", math.MaxUint16)
		return amount(number, `\s*[0-9]+[hdwmyHDWMY]\s*|[0-9]+`)
	})
	perSession := count(func(c *Config) *int { return &c.Retention.Limits.MaxPerSession })
	return []setting{
		{"pruneAfterDays", "", "an older name of max_age", age},
		{"maxCheckpointsPerSession", "", "an older name of max_per_session", perSession},
		{"max_age", "30d", "checkpoints that last changed longer ago", age},
		{"max_per_workflow", "10", "all but the newest of each workflow",
			count(func(c *Config) *int { return &c.Retention.Limits.MaxPerWorkflow })},
		{"max_per_session", "10", "all but the newest of each session", perSession},
		{"daily", "7", "but the last one of each of so many days stays",
			count(func(c *Config) *int { return &c.Retention.Limits.Daily })},
		{"schedule", "daily", "new and archive say, daily or at each save, what prune would take", schedule()},
	}
}

// schedule reads a schedule of reports.
func schedule() value {
	return scalar(func(c *Config, s string) error {
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
	}, func() jsonschema.Schema {
		known := jsonschema.Enum(ScheduleDaily, ScheduleSave, "off", false, "", nil)
		return jsonschema.AnyOf(known, jsonschema.Match(offPattern))
	})
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
func group(known []setting, strict bool) value {
	return value{
		group: known,
		read:  func(r reader, value *yaml.Node) error { return r.group(value, known, strict) },
		schema: func() jsonschema.Schema {
			keys := map[string]jsonschema.Schema{}
			for _, s := range known {
				keys[s.key] = s.schema().With("description", s.about)
			}
			return jsonschema.Object(keys, !strict).OrNull()
		},
	}
}

// list reads a list of scalars with at least so many characters.
func list(characters int, read func(reader, *yaml.Node) error) value {
	return value{read: read, schema: func() jsonschema.Schema {
		item := jsonschema.Types("string", "number", "boolean", "null").With("minLength", characters)
		return jsonschema.List(item).OrNull()
	}}
}

// scalar reads a scalar as text. An empty value changes nothing.
func scalar(set func(c *Config, s string) error, schema func() jsonschema.Schema) value {
	return value{schema: schema, read: func(r reader, value *yaml.Node) error {
		var s string
		if err := value.Decode(&s); err != nil || s == "" {
			return err
		}
		return set(r.config, s)
	}}
}

// word reads one of some words.
func word[T ~string](set func(c *Config, s string) error, words ...T) value {
	return scalar(set, func() jsonschema.Schema {
		values := []any{}
		for _, w := range words {
			values = append(values, w)
		}
		return jsonschema.Enum(append(values, "", nil)...)
	})
}

// flag reads true or false, and what YAML 1.1 wrote for them.
func flag(set func(c *Config, on bool)) value {
	return value{
		read: func(r reader, value *yaml.Node) error {
			var on bool
			err := value.Decode(&on)
			if err == nil {
				set(r.config, on)
			}
			return err
		},
		schema: func() jsonschema.Schema {
			older := jsonschema.Match("y|Y|yes|Yes|YES|On|ON|n|N|no|No|NO|Off|OFF")
			return jsonschema.AnyOf(jsonschema.Enum(true, false, "on", "off", nil), older)
		},
	}
}

// without reads a key that has no effect, whatever its value. Others names what has one.
func without(others string) value {
	return value{
		read: func(r reader, _ *yaml.Node) error {
			r.config.Idle = append(r.config.Idle, strings.Join(r.path, ".")+" has no effect; "+others)
			return nil
		},
		schema: func() jsonschema.Schema {
			return jsonschema.Types("array", "boolean", "null", "number", "object", "string")
		},
	}
}

// count reads a number; "off" is 0.
func count(to func(*Config) *int) value {
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
	}, func() jsonschema.Schema { return amount(jsonschema.Integer(), jsonschema.Number) })
}

// amount returns the schema of an amount that can be off: a number, or a text that matches.
func amount(number jsonschema.Schema, pattern string) jsonschema.Schema {
	return jsonschema.AnyOf(number, jsonschema.Match(pattern+"|"+offPattern+"|"), jsonschema.Enum("off", false, nil))
}

const offPattern = "[Oo][Ff][Ff]|false"

func isOff(s string) bool { return strings.EqualFold(s, "off") || s == "false" }
