// Package policy reads the policy that a team shares in checkpoints/config.yaml, and
// applies its two rules: when a delta is due ([Remind]), and which checkpoints may be
// pruned ([Prune]). It decides; nothing here reads a file, asks git or deletes.
//
// Whatever the limits, Prune keeps the current checkpoint, those with a name, those that
// a completed phase left, and the parent of any checkpoint that stays, so that no lineage
// breaks. Remind counts only work that leaves traces: the times of the last edits of
// files, and own commits.
package policy

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/core/fault"
)

// Commit says what becomes of a change once it is written.
type Commit string

// The modes. With Own every operation is a commit of its own; with Stage the files
// are staged and ride with the next commit of the code; with Off the files change
// and git is left alone.
const (
	Own   Commit = "own"
	Stage Commit = "stage"
	Off   Commit = "off"
)

// Config is the policy of one checkpoints folder.
type Config struct {
	Unknown    []string // keys of the file that this version does not know
	Commit     Commit   // own where nothing is said
	Subject    string   // a commit's subject, with {op}, {id} and {summary}
	Secrets    Secrets
	Due        Due  // when status --due says so
	Nudge      bool // agents that stop are asked for a delta that is due
	NoRecorder bool // what agents do is not recorded
	Recover    bool // a session that starts records what sessions left that died without a delta

	NoExploring bool // ckpt mark and the tools checkpoint and rewind are switched off

	DuePhases map[string]Due // for the work of a phase; see DueIn

	Retention Retention // what prune takes
}

// Secrets is what looks like a secret in this project and is none.
type Secrets struct {
	AllowRules []string `yaml:"allow_rules"` // names of rules that are not applied
	Allow      []string `yaml:"allow"`       // regular expressions of values
}

// Default is the policy of a folder without config.yaml.
func Default() Config {
	return Config{Commit: Own, Subject: "ckpt: {op} {id}: {summary}", Due: DefaultDue()}
}

// Starter is the config.yaml that init writes.
const Starter = `# The policy of this checkpoints folder. What is left out has its default.

# commit: own            # own: each operation is one commit; stage: with your next commit; off: files only
# subject: "ckpt: {op} {id}: {summary}"
# secrets:
#   allow_rules: [jwt]                # rules of ckpt scan that are not applied here
#   allow: ['^demo-']                 # regular expressions of values that are no secrets
# due:                                # when ckpt status --due calls for a delta; 0 switches one off
#   work: 10m                         # so much work since the last delta
#   limit: 30m                        # so long from the last delta to the last edit
#   pause: 15m                        # a longer gap between two edits is no work
#   files: 10                         # so many changed files
#   tasks: off                        # so many next actions done or steps noted
#   phases:                           # another measure while the checkpoint's phase is this one
#     drafting: {tasks: 1, work: 20m}
# retention:                          # what ckpt prune takes; it deletes nothing without --apply
#   max_age: 30d                      # last changed longer ago
#   max_per_workflow: 10              # all but the newest of each workflow
#   max_per_session: 10               # of each session
#   daily: 7                          # but the last one of each of so many days stays
#   schedule: daily                   # new and archive say, daily or at each save, what prune would take
#   apply: true                       # new and archive prune at once, in a commit of its own (ckpt undelete ID)
# recorder: on                        # off: no record of what agents' sessions did (ckpt log --session)
# recover: suggest                    # write: a new session writes the delta that an earlier one left out
# checkpoint: {enabled: false}        # switches ckpt mark off, and the tools checkpoint and rewind
# nudge: false                        # true: an agent that stops is asked, once a session, for a delta that is due
`

// Parse reads config.yaml. Keys that this version does not know are left to
// those that do. An error says on which line.
func Parse(src []byte) (Config, error) {
	c, err := parse(src)
	if err != nil {
		return c, refused(src, err)
	}
	return c, nil
}

// saysNothing reports whether a file holds comments and blank lines only.
func saysNothing(src []byte) bool {
	for line := range bytes.Lines(src) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

func parse(src []byte) (Config, error) {
	c := Default()
	if saysNothing(src) { // as init writes it: hooks read it all day
		return c, nil
	}
	var file struct {
		Commit  string  `yaml:"commit"`
		Subject string  `yaml:"subject"`
		Secrets Secrets `yaml:"secrets"`
		Due     dueFile `yaml:"due"`
		Nudge   bool    `yaml:"nudge"`
		Recover string  `yaml:"recover"`

		Recorder *bool `yaml:"recorder"`

		Retention retentionFile `yaml:"retention"`

		// The keys of the documents that the schemas are of.
		Checkpoint struct {
			Enabled *bool `yaml:"enabled"`
		} `yaml:"checkpoint"`
		CheckpointRetention struct {
			Warm     retentionFile `yaml:"warm_storage"`
			Schedule string        `yaml:"pruning_schedule"`
		} `yaml:"checkpoint_retention"`
		Agent struct {
			Checkpoints retentionFile `yaml:"checkpoints"`
		} `yaml:"agent"`
	}
	if err := yaml.Unmarshal(src, &file); err != nil {
		return c, err
	}
	var keys map[string]any
	if err := yaml.Unmarshal(src, &keys); err == nil {
		for key := range keys {
			if key != "commit" && key != "subject" && key != "secrets" && key != "due" && key != "nudge" && key != "recover" && key != "recorder" && key != "retention" && key != "checkpoint" && key != "checkpoint_retention" && key != "agent" {
				c.Unknown = append(c.Unknown, key)
			}
			switch key {
			case "due":
				c.Unknown = append(c.Unknown, unknownKeys(keys[key], key, dueKeys, "phases")...)
			case "retention":
				c.Unknown = append(c.Unknown, unknownKeys(keys[key], key, retentionKeys, "")...)
			case "secrets":
				c.Unknown = append(c.Unknown, unknownKeys(keys[key], key, []string{"allow_rules", "allow"}, "")...)
			}
		}
		slices.Sort(c.Unknown)
	}
	if file.Commit != "" {
		mode, err := ParseCommit(file.Commit)
		if err != nil {
			return c, wrong([]string{"commit"}, "%v", err)
		}
		c.Commit = mode
	}
	if file.Subject != "" {
		if !strings.Contains(file.Subject, "{op}") || strings.Contains(file.Subject, "\n") {
			return c, wrong([]string{"subject"}, "one line that holds {op}, and {id} and {summary} where they are wanted")
		}
		c.Subject = file.Subject
	}
	for i, expr := range file.Secrets.Allow {
		if _, err := syntax.Parse(expr, syntax.Perl); err != nil || expr == "" {
			return c, wrong([]string{"secrets", "allow"}, "item %d is no regular expression, or an empty one", i+1)
		}
	}
	if file.Recover != "" {
		write, err := ParseRecover(file.Recover)
		if err != nil {
			return c, wrong([]string{"recover"}, "%v", err)
		}
		c.Recover = write
	}
	c.Secrets, c.Nudge = file.Secrets, file.Nudge
	var err error
	if c.Due, c.DuePhases, err = file.Due.policies(); err != nil {
		return c, err
	}
	c.NoRecorder = file.Recorder != nil && !*file.Recorder
	c.NoExploring = file.Checkpoint.Enabled != nil && !*file.Checkpoint.Enabled
	warm := file.CheckpointRetention.Warm
	warm.Schedule = file.CheckpointRetention.Schedule
	c.Retention, err = file.Retention.over(warm, file.Agent.Checkpoints).retention()
	return c, err
}

// ParseCommit reads a commit mode.
func ParseCommit(s string) (Commit, error) {
	switch mode := Commit(s); mode {
	case Own, Stage, Off:
		return mode, nil
	}
	return Own, fault.New(fault.Invalid, "%q is none of own, stage, off", s)
}

// ParseRecover reads what a session that starts does about work that no delta records:
// "write" a delta, or "suggest" it.
func ParseRecover(s string) (write bool, err error) {
	if s != "write" && s != "suggest" {
		return false, fault.New(fault.Invalid, "invalid value %q (want suggest or write)", s)
	}
	return s == "write", nil
}

// SubjectFor fills the template of a commit's subject.
func (c Config) SubjectFor(op, id, summary string) string {
	subject := strings.NewReplacer("{op}", op, "{id}", id, "{summary}", summary).Replace(c.Subject)
	subject = strings.ReplaceAll(strings.Join(strings.Fields(subject), " "), " : ", ": ")
	return strings.TrimRight(subject, ": ")
}
