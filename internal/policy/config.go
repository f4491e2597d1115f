// Package policy reads the policy that a team shares in checkpoints/config.yaml, and applies its
// two rules: when a delta is due ([Remind]), and which checkpoints may be pruned ([Prune]). It only
// decides: it reads no files, does not run git, and deletes nothing.
//
// Whatever the limits, Prune keeps the current checkpoint, those with a name, those that a
// completed phase left, and the parent of any checkpoint that stays, so that no lineage breaks.
// Remind counts only work that leaves traces: the times of the last edits of files, and the user's
// commits.
package policy

import (
	"bytes"
	_ "embed" // for the file that init writes
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Commit is a commit mode.
type Commit string

// The modes. In each of them an operation is a commit on the checkpoint ref. Own copies it to the files and commits
// them on the branch. Off copies it to the files only. With Ref the files are on no branch.
const (
	Own Commit = "own"
	Ref Commit = "ref"
	Off Commit = "off"
)

// removed is a mode of earlier versions.
const removed Commit = "stage"

// Config is the policy of one checkpoints folder.
type Config struct {
	Commit      Commit // empty if the file does not set it, which means the mode of git config, or Own
	Subject     string // the template of a commit's subject, with {op}, {id} and {summary}
	Secrets     Secrets
	Due         Due            // when a delta is due
	DuePhases   map[string]Due // by phase: when a delta is due during it; see DueIn
	Nudge       bool           // an agent that stops is asked for a delta if one is due
	Recorder    Recorder       // what is recorded of sessions of agents
	Recover     bool           // a new session writes the delta that an earlier one left out
	NoExploring bool           // ckpt mark and the tools checkpoint and rewind are disabled
	SyncSession bool           // a session of an agent syncs when it starts and when it stops
	Retention   Retention      // what prune deletes
	Unknown     []string       // keys of the file that this version does not know, sorted
	Idle        []string       // remarks on keys that have no effect, each with the keys to use instead
}

// Secrets lists what looks like a secret in this project but is not.
type Secrets struct {
	AllowRules []string // names of rules that do not apply
	Allow      []string // regular expressions of values that are not secrets
}

// Retention is what ckpt prune deletes, and when users are told about it.
type Retention struct {
	Limits   Limits
	Schedule Schedule
	Apply    bool // the commands new and archive also prune, in a separate commit
}

// Schedule is how often a command that adds a checkpoint reports what prune would delete.
type Schedule string

// The schedules. They only report; none of them deletes anything.
const (
	ScheduleNever Schedule = ""
	ScheduleDaily Schedule = "daily"
	ScheduleSave  Schedule = "save" // at each command that adds a checkpoint
)

// Default returns the policy of a folder without config.yaml.
func Default() Config { return Config{Subject: "ckpt: {op} {id}: {summary}", Due: DefaultDue()} }

//go:embed config.yaml
var starter string

// Starter returns the config.yaml that init writes.
func Starter() string { return starter }

// ParseCommit parses a commit mode. An unknown one is returned with an error.
func ParseCommit(s string) (Commit, error) {
	mode := Commit(s)
	switch {
	case mode == removed:
		return mode, fault.New(fault.Invalid, "stage is gone: it is off and git add").
			WithHint("write off in place of stage")
	case s == "" || mode.Newer():
		return mode, fault.New(fault.Invalid, "invalid value %q (want own, ref or off)", s)
	}
	return mode, nil
}

// Newer reports whether the mode may be one of a newer version of ckpt.
func (c Commit) Newer() bool { return !slices.Contains([]Commit{"", Own, Ref, Off, removed}, c) }

// commitLine matches the line of a config.yaml that sets the commit mode, also if it is commented out.
var commitLine = text.Regexp(`(?m)^(# )?commit:.*$`)

// WithCommit returns a config.yaml with another commit mode. Everything else stays as it is.
func WithCommit(file string, mode Commit) []byte {
	src := []byte(file)
	line := []byte("commit: " + string(mode))
	if at := commitLine.Get().FindStringIndex(file); at != nil {
		return slices.Concat(src[:at[0]], line, src[at[1]:])
	}
	if len(src) > 0 && !bytes.HasSuffix(src, []byte("\n")) {
		src = append(slices.Clone(src), '\n')
	}
	return slices.Concat(src, line, []byte("\n"))
}

// ParseRecover parses what a new session does about work that no delta records: "write" a delta, or "suggest" to
// write one. Write is true for "write".
func ParseRecover(s string) (write bool, err error) {
	if s != "write" && s != "suggest" {
		return false, fault.New(fault.Invalid, "invalid value %q (want suggest or write)", s)
	}
	return s == "write", nil
}

// Recorder is what is recorded of sessions of agents.
type Recorder int

// What is recorded, from most to least.
const (
	RecordAll  Recorder = iota
	RecordWork          // all but what the user said
	RecordNothing
)

// ParseRecorder parses the value of recorder: on, work, off, or another word for on or off.
func ParseRecorder(s string) (Recorder, error) {
	all := [][]string{{"", "on", "true", "yes", "y", "1"}, {"work"}, {"off", "false", "no", "n", "0"}}
	at := slices.IndexFunc(all, func(words []string) bool { return slices.Contains(words, strings.ToLower(s)) })
	if at < 0 {
		return RecordNothing, fault.New(fault.Invalid, "invalid value %q (want on, work or off)", s)
	}
	return Recorder(at), nil
}

// ParseSync parses when checkpoints are synced: only by a command ("manual"), or also by each session
// of an agent ("session").
func ParseSync(s string) (session bool, err error) {
	if s != "manual" && s != "session" {
		return false, fault.New(fault.Invalid, "invalid value %q (want manual or session)", s)
	}
	return s == "session", nil
}

// SubjectFor fills in the template of a commit's subject.
func (c Config) SubjectFor(op, id, summary string) string {
	subject := strings.NewReplacer("{op}", op, "{id}", id, "{summary}", summary).Replace(c.Subject)
	subject = strings.ReplaceAll(text.OneLine(subject), " : ", ": ")
	return strings.TrimRight(subject, ": ")
}

// DueIn returns when a delta is due for work in a phase.
func (c Config) DueIn(phase string) Due {
	if d, ok := c.DuePhases[phaseKey(phase)]; ok {
		return d
	}
	return c.Due
}

// phaseKey returns the form of a phase for comparisons: "Drafting" becomes "drafting".
func phaseKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// KnowsRetention returns an error if the retention policy has an unknown key, since prune could then
// delete too much.
func (c Config) KnowsRetention() error {
	for _, key := range c.Unknown {
		if strings.HasPrefix(key, "retention.") {
			return fault.New(fault.Invalid, "config.yaml: this version does not know the key %s", key).
				WithHint("retention has max_age, max_per_workflow, max_per_session, schedule and apply")
		}
	}
	return nil
}
