package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/ckpt/internal/term"
)

// setHelp makes `ckpt --help` list the commands in groups, and makes help for an unknown command an error.
func setHelp(env *Env, root *cobra.Command, groups []group) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		words := root.Flags().Args()
		switch {
		case cmd != root:
			env.help(cmd, func(out io.Writer) { commandHelp(out, cmd) })
		case len(words) > 0:
			env.astray = noCommand(root, words)
		default:
			page(cmd.OutOrStdout(), env, root, groups)
		}
	})
}

// commandHelp prints the help of a command. Its rare flags come last.
func commandHelp(out io.Writer, cmd *cobra.Command) {
	fmt.Fprintf(out, "%s\n\nUsage:\n  %s\n\nExamples:\n%s\n", cmp.Or(cmd.Long, cmd.Short), cmd.UseLine(),
		pasteable(cmd.Example))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(out, "\nAvailable Commands:\n")
	}
	for _, c := range cmd.Commands() {
		fmt.Fprintf(out, "  %-11s %s\n", c.Name(), c.Short)
	}
	usual, rare := pflag.NewFlagSet("Flags", 0), pflag.NewFlagSet(more, 0)
	own := cmd.LocalNonPersistentFlags()
	own.SortFlags = cmd.Flags().SortFlags
	own.VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Name == "help": // the reader has found this flag already
		case f.Annotations[more] != nil:
			rare.AddFlag(f)
		default:
			usual.AddFlag(f)
		}
	})
	for _, flags := range []*pflag.FlagSet{usual, rare} {
		flags.SortFlags = own.SortFlags
		if flags.HasAvailableFlags() {
			fmt.Fprintf(out, "\n%s:\n%s", flags.Name(), plainValues(flags.FlagUsages()))
		}
	}
	fmt.Fprint(out, "\nGlobal flags: ckpt help all\n")
}

// help prints a page of help. It ignores errors, because the functions of cobra that call it cannot return them.
func (e *Env) help(cmd *cobra.Command, print func(io.Writer)) {
	if !e.toPerson() {
		print(cmd.OutOrStdout())
		return
	}
	_ = e.paged(func(s term.Streams) error { print(s.Out); return nil })
}

// pasteable removes the indentation of examples that contain a here-document: the line that ends it must begin in the
// first column.
func pasteable(examples string) string {
	if !strings.Contains(examples, "<<'EOF'") {
		return examples
	}
	return strings.TrimPrefix(strings.ReplaceAll("\n"+examples, "\n  ", "\n"), "\n")
}

// serverIs is shown by ckpt-mcp above the help of ckpt, to tell the two programs apart.
const serverIs = "This is ckpt with the server of the Model Context Protocol: ckpt-mcp mcp starts it, as ckpt mcp does."

// plainValues replaces pflag's names of value types with TEXT, and removes the default of an optional value.
func plainValues(usages string) string {
	return strings.NewReplacer(" stringArray ", " TEXT        ", " string ", " TEXT   ", `[="@"]`, "      ").Replace(usages)
}

func page(out io.Writer, env *Env, root *cobra.Command, groups []group) {
	if env.Serve != nil {
		fmt.Fprintf(out, "%s\n\n", serverIs)
	}
	fmt.Fprintf(out, "%s\n\nUsage: ckpt COMMAND [flags]\n", root.Long)
	for _, g := range groups {
		if g.title == more {
			break
		}
		fmt.Fprintf(out, "\n%s\n", g.title)
		for _, c := range g.commands {
			fmt.Fprintf(out, "  %-11s %s\n", c.Name(), c.Short)
		}
	}
	fmt.Fprintf(out, `
ID is a full id, its part behind chk-, a unique prefix or a path; @ is the
current checkpoint and what a command works on when no ID is given.

  ckpt COMMAND --help   one command, with an example
  ckpt help all         more commands, and all with their flags; exit codes
`)
}

// exitCodes is the last part of `ckpt help all`.
const exitCodes = `Exit codes: 0 done; 1 reading, writing or git failed; 2 usage; 3 not found;
4 invalid file; 5 busy, try again; 6 refused: a flag named in the hint overrides
it; 7 not supported here.
`

func newHelp(env *Env, groups []group) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND | all]",
		Short:   "Explain a command, or all of them",
		Example: "  ckpt help delta\n  ckpt help all",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				return root.Help()
			}
			if args[0] == "all" {
				env.help(cmd, func(out io.Writer) { everything(out, root, groups) })
				return nil
			}
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 || found == root {
				return noCommand(root, []string{strings.Join(args, " ")})
			}
			return found.Help()
		},
	}
}

func everything(out io.Writer, root *cobra.Command, groups []group) {
	for _, g := range groups {
		fmt.Fprintf(out, "%s\n\n", g.title)
		for _, c := range g.commands {
			for _, c := range append([]*cobra.Command{c}, c.Commands()...) {
				fmt.Fprintf(out, "  %s\n      %s\n", strings.TrimSuffix(c.UseLine(), " [flags]"), c.Short)
				for line := range strings.Lines(plainValues(c.LocalNonPersistentFlags().FlagUsages())) {
					fmt.Fprintf(out, "    %s", line)
				}
				fmt.Fprintln(out)
			}
		}
	}
	fmt.Fprintf(out, "Global flags\n\n%s\n%s", plainValues(root.PersistentFlags().FlagUsages()), exitCodes)
}
