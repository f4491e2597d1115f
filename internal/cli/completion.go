package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/text"
)

// shells are the shells for which there is a completion script.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print a completion script for your shell",
		Example:   "  source <(ckpt completion bash)\n  ckpt completion zsh > \"${fpath[1]}/_ckpt\"",
		Args:      knownShell,
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), env.Streams.Out
			switch args[0] {
			case "bash":
				return bashCompletion(root, out)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			}
			return root.GenPowerShellCompletionWithDesc(out)
		},
	}
}

// bashCompletion writes cobra's script for bash. It replaces the script's call of a function that
// exists only if the package bash-completion is installed.
func bashCompletion(root *cobra.Command, out io.Writer) error {
	var script bytes.Buffer
	if err := root.GenBashCompletionV2(&script, true); err != nil {
		return err
	}
	_, err := io.WriteString(out, strings.Replace(script.String(), `_get_comp_words_by_ref "$@" cur prev words cword`,
		`cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=("${COMP_WORDS[@]}") cword=$COMP_CWORD`, 1))
	return err
}

// knownShell requires the name of one shell.
func knownShell(cmd *cobra.Command, args []string) error {
	if err := exactlyOne("a shell: "+either(shells))(cmd, args); err != nil {
		return err
	}
	if !slices.Contains(shells, args[0]) {
		return unknownWord("shell", args[0], shells, cmd.CommandPath())
	}
	return nil
}

// offer returns words for the shell, or the directive for an error. A word may have a description
// behind a tab.
func offer(words []string, err error) ([]string, cobra.ShellCompDirective) {
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// described returns a word with its description.
func described(word, description string) string {
	return word + "\t" + text.Shorten(text.OneLine(description), 80)
}

// complete registers the function that completes the value of a flag.
func complete(cmd *cobra.Command, name string, words cobra.CompletionFunc) {
	_ = cmd.RegisterFlagCompletionFunc(name, words)
}

// completer completes words from the checkpoints of the repository.
type completer struct{ env *Env }

// active offers the ids of active checkpoints for the first argument.
func (c completer) active(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return offer(nil, nil)
	}
	return c.ids(cmd, typed, query.ListRequest{Active: true})
}

// all offers the ids of active and archived checkpoints for the first argument.
func (c completer) all(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return offer(nil, nil)
	}
	return c.id(cmd, args, typed)
}

// id offers the ids of all checkpoints for a flag.
func (c completer) id(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return c.ids(cmd, typed, query.ListRequest{Active: true, Archived: true})
}

// ids offers the ids that begin with what was typed, with chk- or without it.
func (c completer) ids(cmd *cobra.Command, typed string,
	req query.ListRequest) ([]string, cobra.ShellCompDirective) {
	p, err := c.env.Project(cmd.Context())
	if err != nil {
		return offer(nil, err)
	}
	overview, err := query.New(p).List(cmd.Context(), req)
	if err != nil {
		return offer(nil, err)
	}
	var ids []string
	for _, entry := range overview.Entries {
		short := strings.TrimPrefix(entry.ID, "chk-")
		switch {
		case strings.HasPrefix(entry.ID, typed):
			ids = append(ids, described(entry.ID, entry.Problem))
		case strings.HasPrefix(short, typed):
			ids = append(ids, described(short, entry.Problem))
		}
	}
	return offer(ids, nil)
}

// shown returns the checkpoint with an id, or the current one.
func (c completer) shown(cmd *cobra.Command, id string) (*checkpoint.Checkpoint, error) {
	p, err := c.env.Project(cmd.Context())
	if err != nil {
		return nil, err
	}
	return history.New(p).Show(cmd.Context(), id)
}

// actions offers the numbers of the next actions that are not among the arguments.
func (c completer) actions(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return c.openActions(cmd, "", args)
}

// done offers the numbers of the next actions of the checkpoint that the command is about.
func (c completer) done(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return c.openActions(cmd, firstArg(args), nil)
}

// openActions offers the numbers of the open next actions of a checkpoint, each with its text. It leaves
// out the numbers that the list without has.
func (c completer) openActions(cmd *cobra.Command, id string, without []string) ([]string,
	cobra.ShellCompDirective) {
	shown, err := c.shown(cmd, id)
	if err != nil {
		return offer(nil, err)
	}
	var numbers []string
	for _, a := range shown.OpenActions() {
		if n := fmt.Sprint(a.Number); !slices.Contains(without, n) {
			numbers = append(numbers, described(n, a.Text))
		}
	}
	return offer(numbers, nil)
}

// sections offers the sections of the checkpoint that the command is about.
func (c completer) sections(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	shown, _ := c.shown(cmd, firstArg(args)) // without a checkpoint, only the sections of the format
	return offer(sectionNames(shown), nil)
}

// plainUsage removes the backticks from the descriptions of flags. Help takes the names of values
// from them, but the shell would show them.
func plainUsage(cmd *cobra.Command) {
	plain := func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) }
	cmd.Flags().VisitAll(plain)
	cmd.PersistentFlags().VisitAll(plain)
	for _, c := range cmd.Commands() {
		plainUsage(c)
	}
}
