package config

import (
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/core/due"
	"example.com/ckpt/internal/core/fault"
)

// dueFile is the part of config.yaml that says when a checkpoint is due. A time is
// a duration ("10m", "1h30m") or a number of minutes; 0 or off switches it off.
type dueFile struct {
	Work  string `yaml:"work"`
	Limit string `yaml:"limit"`
	Pause string `yaml:"pause"`
	Files string `yaml:"files"`
}

// policy is the policy that the file makes of the default.
func (f dueFile) policy() (due.Policy, error) {
	p := due.Default()
	for _, t := range []struct {
		name, text string
		to         *time.Duration
	}{{"work", f.Work, &p.Work}, {"limit", f.Limit, &p.Limit}, {"pause", f.Pause, &p.Pause}} {
		if t.text == "" {
			continue
		}
		d, ok := duration(t.text)
		if !ok {
			return p, fault.New(fault.Invalid, "config.yaml: due: %s: %q is no time such as 10m", t.name, t.text)
		}
		*t.to = d
	}
	if f.Files != "" && !isOff(f.Files) {
		n, err := strconv.Atoi(f.Files)
		if err != nil || n < 0 {
			return p, fault.New(fault.Invalid, "config.yaml: due: files: %q is no number of files", f.Files)
		}
		p.Files = n
	} else if f.Files != "" {
		p.Files = 0
	}
	return p, nil
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
