package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/progress"
)

// choice is the value of a flag that takes one of several words.
type choice struct {
	to    *string
	words []string
}

// choose adds a flag that takes one of several words. The shell completes them.
func choose(cmd *cobra.Command, to *string, name, usage string, words ...string) {
	cmd.Flags().Var(choice{to, words}, name, usage)
	complete(cmd, name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

func (c choice) String() string { return *c.to }
func (c choice) Type() string   { return "string" }

// Set sets the value to one of the words.
func (c choice) Set(word string) error {
	if !slices.Contains(c.words, word) {
		return errors.New("want " + either(c.words))
	}
	*c.to = word
	return nil
}

// number is the value of a flag that takes a whole number.
type number struct {
	to      *int
	given   **int // if not nil, *given = to when the flag is given
	least   int
	example int // a valid number, for the hint of an error
}

func (n number) String() string { return strconv.Itoa(*n.to) }
func (n number) Type() string   { return "int" }

// Set sets the value to a number that is at least n.least.
func (n number) Set(word string) error {
	value, err := strconv.Atoi(word)
	if err != nil || value < n.least {
		return fmt.Errorf("want a number from %d", n.least)
	}
	*n.to = value
	if n.given != nil {
		*n.given = n.to
	}
	return nil
}

// name is the value of a flag that names something. An empty name is an error: in a script it comes from an
// unset variable, and must not mean the current checkpoint or all checkpoints.
type name struct{ to *string }

func (n name) String() string { return *n.to }
func (n name) Type() string   { return "string" }

// Set sets the value to a name without the spaces around it.
func (n name) Set(word string) error {
	*n.to = strings.TrimSpace(word)
	if *n.to == "" {
		return errors.New("want a name that is not empty")
	}
	return nil
}

// moment is the value of a flag that takes a time in the past, or an age.
type moment struct {
	env *Env
	to  *time.Time
}

func (m moment) String() string { return "" }
func (m moment) Type() string   { return "time" }

// Set sets the value to a time that is not in the future.
func (m moment) Set(word string) error {
	t, ok := checkpoint.ParseMoment(word, m.env.Now())
	if !ok || t.After(m.env.Now()) {
		return errors.New("want a time in the past: 2026-01-02, or an age: 12h, 30d, 2w")
	}
	*m.to = t
	return nil
}

// limitFlag adds the flag -n, --limit.
func limitFlag(cmd *cobra.Command, to *int, usage string) {
	cmd.Flags().VarP(number{to: to, example: 10}, "limit", "n", usage)
}

// either joins words with commas and a last "or": "text, html or svg".
func either(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// runFlags has the values of the flags that describe the run of a checkpoint (session, agent, workflow ...). A key is
// the name of a flag and also the key in the frontmatter.
type runFlags map[string]*string

// add adds the flags to a command.
func (r runFlags) add(f *pflag.FlagSet) {
	for _, flag := range [][2]string{
		{"name", "a name: ckpt prune keeps named checkpoints"},
		{"workflow", "the workflow that it belongs to"},
		{"phase", "the phase of the workflow"},
		{"step", "the run's step, such as 'Phase 3 - Implementation' (--done: what was done)"},
		{"progress", "how far it is: 45%, or 3/5"},
		{"agent", "who works on it (default: as the environment says)"},
		{"session", "the agent's session (default: as the environment says)"},
		{"project", "the project"},
	} {
		if f.Lookup(flag[0]) != nil {
			continue // new has its own flag for steps
		}
		r[flag[0]] = f.String(flag[0], "", flag[1])
		rare(f, flag[0])
	}
}

// rare makes help list a flag below the usual ones.
func rare(f *pflag.FlagSet, name string) { _ = f.SetAnnotation(name, more, []string{}) }

// given returns the values of the flags that were given, by key.
func (r runFlags) given(f *pflag.FlagSet) map[string]string {
	fields := map[string]string{}
	for key, value := range r {
		if f.Changed(key) {
			fields[key] = *value
		}
	}
	return fields
}

// filterFlags adds the flags that select checkpoints by their run. The argument does is the beginning of the help of
// each flag, such as "only those".
func filterFlags(cmd *cobra.Command, to *progress.Filter, does string) {
	f := cmd.Flags()
	f.Var(name{&to.Workflow}, "workflow", does+" of `WORKFLOW`")
	f.Var(name{&to.Session}, "session", does+" of `SESSION`")
	f.Var(name{&to.Agent}, "agent", does+" of `AGENT`")
}
