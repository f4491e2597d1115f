package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/core/fault"
)

// group is a paragraph of `ckpt --help`.
type group struct {
	title    string
	commands []*cobra.Command
}

// NewRoot is the command tree, for the documentation that is made of it.
func NewRoot(w World) *cobra.Command { return newRoot(&Env{World: w}) }

func newRoot(env *Env) *cobra.Command {
	root := &cobra.Command{
		Use:   "ckpt",
		Short: "Keep the thread of long work: checkpoints as Markdown in your git repository",
		Long: `ckpt keeps what must survive a context limit, a crash or a weekend: the problem,
the decisions, the state and the next actions, as Markdown in your own git
repository. Every change is one commit.`,
		Args:              cobra.ArbitraryArgs,
		PersistentPreRunE: noEmptyID,
		RunE: func(cmd *cobra.Command, args []string) error {
			if env.version {
				return printVersion(env)
			}
			return noCommand(cmd, args)
		},
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetIn(env.Streams.In)
	root.SetOut(env.Streams.Out)
	root.SetErr(env.Streams.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if word := firstWord(env.args); cmd == cmd.Root() && word != "" {
			return noCommand(cmd, []string{word})
		}
		return fault.New(fault.Usage, "%w", err).WithHint("%s --help; a text that begins with a dash goes behind --", cmd.CommandPath())
	})
	root.Flags().BoolVar(&env.version, "version", false, "print the version")
	flags := root.PersistentFlags()
	flags.StringVarP(&env.dir, "directory", "C", "", "run as if started in `DIR`")
	flags.StringVarP(&env.target, "checkpoint", "c", "", "work on checkpoint `ID` instead of the current one")
	flags.StringVar(&env.folder, "dir", "", "the checkpoints folder, from the repository's root (or CKPT_DIR, git config ckpt.dir)")
	flags.BoolVar(&env.json, "json", false, "answer with one JSON object")
	flags.BoolVar(&env.noCommit, "no-commit", false, "change the files, commit nothing")
	flags.BoolVar(&env.dryRun, "dry-run", false, "show the change, write nothing")
	flags.BoolVarP(&env.quiet, "quiet", "q", false, "no receipts and no remarks")
	flags.BoolVar(&env.Streams.NoColor, "no-color", false, "no colour (also NO_COLOR)")

	groups := []group{
		{"Start", []*cobra.Command{newInit(env), newNew(env), newUse(env), newStatus(env), newResume(env)}},
		{"Work", []*cobra.Command{newDelta(env), newNote(env), newNext(env), newDone(env), newSave(env), newEdit(env)}},
		{"Look", []*cobra.Command{newShow(env), newList(env), newTree(env), newSearch(env)}},
		{"Finish", []*cobra.Command{newArchive(env), newReopen(env), newLearnings(env)}},
		{"Repair", []*cobra.Command{newUndo(env), newValidate(env), newDoctor(env)}},
		{"Connect", []*cobra.Command{newDemo(env), newCompletion(env), newVersion(env)}},
	}
	for _, g := range groups {
		root.AddCommand(g.commands...)
	}
	root.AddCommand(newHook(env))
	root.SetHelpCommand(newHelp(groups))
	setHelp(root, groups)
	return root
}

// firstWord is the first argument that is no flag.
func firstWord(args []string) string {
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			return a
		}
	}
	return ""
}

// noCommand answers `ckpt` alone with the help, and a word that is no command
// with those that are near it.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	err := fault.New(fault.Usage, "%q is no command of ckpt", args[0]).WithHint("ckpt --help")
	for cmd.SuggestionsMinimumDistance = 1; cmd.SuggestionsMinimumDistance <= 2; cmd.SuggestionsMinimumDistance++ {
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			err.Hint = "ckpt " + strings.Join(near, ", ckpt ")
			break
		}
	}
	return err
}

// noEmptyID refuses an id that is given and empty: in a script that is a variable
// nobody set, and the current checkpoint is not what it means.
func noEmptyID(cmd *cobra.Command, args []string) error {
	if c := cmd.Flags().Lookup("checkpoint"); c != nil && c.Changed && len(args) > 0 && strings.Contains(cmd.Use, "[ID]") && args[0] != c.Value.String() {
		return fault.New(fault.Usage, "%s and -c %s name two checkpoints", args[0], c.Value).WithHint("give one of them")
	}
	for _, name := range []string{"checkpoint", "id", "parent"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return fault.New(fault.Usage, "--%s is empty", name).WithHint("ckpt list --all shows the IDs")
		}
	}
	return nil
}

// atMost, exactly and atLeast say how many arguments a command takes.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if slices.Contains(args, "") { // a variable that nobody set
			return wrongArgs(cmd, fmt.Sprintf("an argument of %s is empty", cmd.Name()))
		}
		if len(args) <= n {
			return nil
		}
		return wrongArgs(cmd, fmt.Sprintf("%q is one argument too many: %s takes %s", args[n], cmd.Name(), what))
	}
}

func atLeast(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= n {
			return nil
		}
		return wrongArgs(cmd, fmt.Sprintf("%s needs %s", cmd.Name(), what))
	}
}

func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := atLeast(n, what)(cmd, args); err != nil {
			return err
		}
		return atMost(n, what)(cmd, args)
	}
}

func wrongArgs(cmd *cobra.Command, message string) error {
	hint := cmd.CommandPath() + " --help"
	if name := cmd.Name(); name == "next" || name == "done" {
		hint = "ckpt show --section next-actions lists them; " + hint
	}
	return fault.New(fault.Usage, "%s", message).WithHint("%s", hint)
}
