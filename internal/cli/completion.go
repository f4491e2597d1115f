package cli

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// knownShell returns an error unless args has the name of one supported shell.
func knownShell(cmd *cobra.Command, args []string) error {
	if err := exactlyOne("a shell: "+either(shells))(cmd, args); err != nil {
		return err
	}
	if !slices.Contains(shells, args[0]) {
		return unknownWord("shell", args[0], shells, cmd.CommandPath())
	}
	return nil
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
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c.ids(cmd, typed, query.ListRequest{Active: true})
}

// all offers the ids of active and archived checkpoints for the first argument.
func (c completer) all(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c.id(cmd, args, typed)
}

// id offers the ids of all checkpoints for a flag.
func (c completer) id(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return c.ids(cmd, typed, query.ListRequest{Active: true, Archived: true})
}

// ids offers the ids that begin with the typed text, with or without chk-.
func (c completer) ids(cmd *cobra.Command, typed string,
	req query.ListRequest) ([]string, cobra.ShellCompDirective) {
	p, err := c.env.Project(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	overview, err := query.New(p).List(cmd.Context(), req)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []string
	for _, entry := range overview.Entries {
		short, about := strings.TrimPrefix(entry.ID, "chk-"), "\t"+text.Shorten(text.OneLine(entry.Problem), 80)
		switch {
		case strings.HasPrefix(entry.ID, typed):
			ids = append(ids, entry.ID+about)
		case strings.HasPrefix(short, typed):
			ids = append(ids, short+about)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// plainUsage removes the backticks from the descriptions of flags. In help they mark the names of values, but the
// shell would show them.
func plainUsage(cmd *cobra.Command) {
	plain := func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) }
	cmd.Flags().VisitAll(plain)
	cmd.PersistentFlags().VisitAll(plain)
	for _, c := range cmd.Commands() {
		plainUsage(c)
	}
}
