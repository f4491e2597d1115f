package policy

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dueFile is the part of config.yaml that says when a checkpoint is due, and in
// which phase otherwise.
type dueFile struct {
	dueLimits `yaml:",inline"`
	Phases    map[string]dueLimits `yaml:"phases"`
}

// dueLimits are the thresholds. A time is a duration ("10m", "1h30m") or a number of
// minutes; 0 or off switches it off.
type dueLimits struct {
	Work  string `yaml:"work"`
	Limit string `yaml:"limit"`
	Pause string `yaml:"pause"`
	Files string `yaml:"files"`
	Tasks string `yaml:"tasks"`
}

// policies are the policy that the file makes of the default, and those of phases,
// which take from it what they do not say.
func (f dueFile) policies() (all Due, phases map[string]Due, err error) {
	if all, err = f.policy(DefaultDue(), []string{"due"}); err != nil {
		return all, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(f.Phases)) {
		at := []string{"due", "phases", name}
		if _, twice := phases[phaseKey(name)]; twice {
			return all, nil, wrong(at, "the phase stands twice, capitals aside")
		}
		p, err := f.Phases[name].policy(all, at)
		if err != nil {
			return all, nil, err
		}
		if phases == nil {
			phases = map[string]Due{}
		}
		phases[phaseKey(name)] = p
	}
	return all, phases, nil
}

// DueIn is when a checkpoint is due whose work is in a phase.
func (c Config) DueIn(phase string) Due {
	if p, ok := c.DuePhases[phaseKey(phase)]; ok {
		return p
	}
	return c.Due
}

// phaseKey is a phase as it is compared: "Drafting" is drafting.
func phaseKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// policy is what the file makes of a policy.
func (f dueLimits) policy(p Due, at []string) (Due, error) {
	for _, t := range []struct {
		name, text string
		to         *time.Duration
	}{{"work", f.Work, &p.Work}, {"limit", f.Limit, &p.Limit}, {"pause", f.Pause, &p.Pause}} {
		if t.text == "" {
			continue
		}
		d, ok := duration(t.text)
		if !ok {
			return p, wrong(append(at, t.name), "%q is no time such as 10m", t.text)
		}
		*t.to = d
	}
	for _, t := range []struct {
		name, text string
		to         *int
	}{{"files", f.Files, &p.Files}, {"tasks", f.Tasks, &p.Tasks}} {
		switch n, err := strconv.Atoi(t.text); {
		case t.text == "":
		case isOff(t.text):
			*t.to = 0
		case err != nil || n < 0:
			return p, wrong(append(at, t.name), "%q is no number of %s", t.text, t.name)
		default:
			*t.to = n
		}
	}
	return p, nil
}

// dueKeys are the thresholds by name.
var dueKeys = []string{"work", "limit", "pause", "files", "tasks"}

// unknownKeys are the keys of a part of the file that are none of those known, each
// with where it stands. Under the key free, if any, names are free, and each holds such
// a part again.
func unknownKeys(part any, where string, known []string, free string) []string {
	var all []string
	keys, _ := part.(map[string]any)
	for key, value := range keys {
		switch {
		case free != "" && key == free:
			named, _ := value.(map[string]any)
			for name, part := range named {
				all = append(all, unknownKeys(part, where+"."+key+"."+name, known, "")...)
			}
		case !slices.Contains(known, key):
			all = append(all, where+"."+key)
		}
	}
	return all
}

func isOff(text string) bool { return strings.EqualFold(text, "off") || text == "false" }

func duration(text string) (time.Duration, bool) {
	if isOff(text) {
		return 0, true
	}
	if n, err := strconv.Atoi(text); err == nil {
		text = strconv.Itoa(n) + "m"
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}
