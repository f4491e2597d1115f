package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/progress"
)

// runFlags are the flags for the run that a checkpoint belongs to (session, agent, workflow ...):
// keys of its frontmatter.
type runFlags map[string]*string

// add adds the flags to a command.
func (r runFlags) add(f *pflag.FlagSet) {
	for _, flag := range [][2]string{
		{"name", "a name: ckpt prune keeps what has one"},
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

// rare moves a flag behind the others on the page of its command.
func rare(f *pflag.FlagSet, name string) { _ = f.SetAnnotation(name, more, []string{}) }

// given returns the keys that were given.
func (r runFlags) given(f *pflag.FlagSet) map[string]string {
	fields := map[string]string{}
	for key, value := range r {
		if f.Changed(key) {
			fields[key] = *value
		}
	}
	return fields
}

// filterFlags are the flags that select checkpoints by their run.
type filterFlags struct{ progress.Filter }

// add adds the flags to a command. Does describes what the command does with the selected
// checkpoints.
func (o *filterFlags) add(cmd *cobra.Command, does string) {
	f := cmd.Flags()
	f.StringVar(&o.Workflow, "workflow", "", does+" of `WORKFLOW`")
	f.StringVar(&o.Session, "session", "", does+" of `SESSION`")
	f.StringVar(&o.Agent, "agent", "", does+" of `AGENT`")
}

// check refuses a filter that was given and is empty: in a script it comes from an unset variable,
// and does not mean all checkpoints. Spaces around the value are removed, as when it is written.
func (o *filterFlags) check(cmd *cobra.Command) error {
	for name, value := range map[string]*string{"workflow": &o.Workflow, "session": &o.Session, "agent": &o.Agent} {
		*value = strings.TrimSpace(*value)
		if cmd.Flags().Changed(name) && *value == "" {
			return fault.New(fault.Usage, "--%s is empty", name).WithHint("ckpt list --json shows what there is")
		}
	}
	return nil
}
