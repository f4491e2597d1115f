package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// group is one paragraph of `ckpt --help`.
type group struct {
	title    string
	makers   []maker
	commands []*cobra.Command
}

// maker has the name and the constructor of a command. A run constructs only the command that it needs, because
// constructing all of them with their flags takes time.
type maker struct {
	name string
	make func(*Env) *cobra.Command
}

// commands returns every command, in the groups of `ckpt help all`. `ckpt --help` shows only the groups above the one
// with the title more.
func commands() []group {
	return []group{
		{title: "Start", makers: []maker{{"init", newInit}, {"setup", newSetup}, {"new", newNew}, {"use", newUse},
			{"status", newStatus}, {"resume", newResume}, {"import", newImport}, {"demo", newDemo}}},
		{title: "Work", makers: []maker{{"delta", newDelta}, {"note", newNote}, {"next", newNext}, {"done", newDone},
			{"save", newSave}, {"edit", newEdit}}},
		{title: "Look", makers: []maker{{"show", newShow}, {"list", newList}, {"tree", newTree},
			{"log", newLog}, {"diff", newDiff}, {"search", newSearch}, {"decisions", newDecisions}, {"browse", newBrowse}}},
		{title: "Finish and share", makers: []maker{{"archive", newArchive}, {"reopen", newReopen},
			{"learnings", newLearnings}, {"sync", newSync}}},
		{title: "Repair", makers: []maker{{"undo", newUndo}, {"redo", newRedo}, {"restore", newRestore},
			{"delete", newDelete}, {"undelete", newUndelete}, {"doctor", newDoctor}}},
		{title: more, makers: []maker{{"fold", newFold}, {"drift", newDrift}, {"validate", newValidate},
			{"resolve", newResolve}, {"prune", newPrune}, {"export", newExport}, {"trust", newTrust},
			{"unsetup", newUnsetup}, {"migrate", newMigrate}, {"completion", newCompletion}, {"version", newVersion}}},
		{title: "For agents and scripts", makers: []maker{{"mark", newMark}, {"rewind", newRewind}, {"plan", newPlan},
			{"mcp", newMCP}, {"stats", newStats}, {"scan", newScan}, {"hook", newHook}, {"merge-driver", newMergeDriver}}},
	}
}

// more is the title of the first group that `ckpt --help` leaves out, and of the rare flags of a command.
const more = "More"

// only returns the first argument if it is the name of a command, which is then the only one to construct. It returns
// "" if all commands must be constructed.
func (e *Env) only(groups []group) string {
	if len(e.args) == 0 || e.args[0] == "completion" {
		return ""
	}
	for _, g := range groups {
		for _, m := range g.makers {
			if m.name == e.args[0] {
				return m.name
			}
		}
	}
	return ""
}

// NewRoot returns the whole command tree, from which the documentation is generated.
func NewRoot(w World) *cobra.Command { return newRoot(&Env{World: w}) }

func newRoot(env *Env) *cobra.Command {
	root := &cobra.Command{
		Use:   "ckpt",
		Short: "Keep the thread of long work: checkpoints as Markdown in your git repository",
		Long: `ckpt keeps what must survive a context limit, a crash or a weekend: the problem,
the decisions, the state and the next actions, as Markdown in your own git
repository. Every change is one commit.`,
		Args:              cobra.ArbitraryArgs,
		PersistentPreRunE: checkFlags,
		RunE: func(cmd *cobra.Command, args []string) error {
			if env.version {
				return printVersion(cmd.Context(), env)
			}
			return noCommand(cmd, args)
		},
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(env.Streams.In)
	root.SetOut(env.Streams.Out)
	root.SetErr(env.Streams.Err)
	root.SetFlagErrorFunc(env.flagError)
	root.Flags().BoolVar(&env.version, "version", false, "print the version")
	flags := root.PersistentFlags()
	flags.FuncP("directory", "C", "run as if started in `DIR`", func(dir string) error {
		env.dir = disk.From(env.dir, dir)
		return nil
	})
	flags.VarP(name{&env.target}, "checkpoint", "c", "work on checkpoint `ID` instead of the current one")
	flags.StringVar(&env.folder, "dir", "",
		"the checkpoints folder, from the repository's root (or CKPT_DIR, git config ckpt.dir)")
	flags.BoolVar(&env.json, "json", false, "answer with one JSON object")
	flags.BoolVar(&env.noCommit, "no-commit", false, "change the files, commit nothing on the branch")
	flags.BoolVar(&env.dryRun, "dry-run", false, "show the change, write nothing")
	flags.BoolVar(&env.secret, "allow-secret", false, "write text that looks like a secret")
	flags.BoolVarP(&env.quiet, "quiet", "q", false, "no receipts and no remarks")
	flags.BoolVar(&env.Streams.NoColor, "no-color", false, "no colours (or NO_COLOR)")
	flags.BoolVar(&env.Streams.NoPager, "no-pager", false, "write the whole answer at once")

	complete(root, "checkpoint", completer{env}.id)

	groups := commands()
	only := env.only(groups)
	for i := range groups {
		g := &groups[i]
		for _, m := range g.makers {
			if only == "" || only == m.name {
				g.commands = append(g.commands, m.make(env))
			}
		}
		root.AddCommand(g.commands...)
	}
	root.SetHelpCommand(newHelp(env, groups))
	setHelp(env, root, groups)
	if len(env.args) > 0 && strings.HasPrefix(env.args[0], cobra.ShellCompRequestCmd) { // __complete or __completeNoDesc
		plainUsage(root)
	}
	return root
}

// checkFlags returns an error if a flag is empty or cannot be combined with other flags or with the ID argument.
func checkFlags(cmd *cobra.Command, args []string) error {
	c, long := cmd.Flag("checkpoint"), func(id string) string { return "chk-" + strings.TrimPrefix(id, "chk-") }
	takesID := len(args) > 0 && strings.Contains(cmd.Use, "ID")
	if takesID && c.Changed && long(args[0]) != long(c.Value.String()) {
		return fault.New(fault.Usage, "%s and -c %s name two checkpoints", args[0], c.Value).WithHint("give one of them")
	}
	if err := cmd.ValidateFlagGroups(); err != nil {
		_, names, _ := strings.Cut(err.Error(), "; ") // as in "[at details] were all set"
		names, _, _ = strings.Cut(strings.TrimPrefix(names, "["), "]")
		return fault.New(fault.Usage, "--%s exclude each other", strings.ReplaceAll(names, " ", " and --")).
			WithHint("give one of them")
	}
	return badFlag(cmd)
}

// needed is the key of an annotation of a flag. The value is the name of another flag that the flag requires.
const needed = "needed"

// needs declares that a flag requires another one.
func needs(cmd *cobra.Command, flag, other string) {
	_ = cmd.Flags().SetAnnotation(flag, needed, []string{other})
}

// typed returns a flag with the placeholder of its value, as a user types them: " --since REV".
func typed(f *pflag.Flag) string {
	value, _ := pflag.UnquoteUsage(f)
	return strings.TrimRight(plainValues(" --"+f.Name+" "+strings.Trim(value, "[]")+" "), " ")
}

// badFlag returns an error if a flag has an empty value, which in a script comes from an unset variable, or if the
// other flag that it requires is not given.
func badFlag(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.Type() == "string" && f.Value.String() == ""
		if list, ok := f.Value.(pflag.SliceValue); ok {
			empty = len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
		}
		if empty {
			err = wrongArgs(cmd, "--"+f.Name+" is empty")
		}
		for _, other := range f.Annotations[needed] {
			if !cmd.Flags().Changed(other) {
				err = fault.New(fault.Usage, "--%s goes with --%s", f.Name, other).
					WithHint("%s%s%s", cmd.CommandPath(), typed(cmd.Flag(other)), typed(f))
			}
		}
	})
	return err
}

// atMost, atLeast and exactlyOne check the number of arguments. Their error describes them by what, such as "one ID".
func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return noneEmpty(cmd, args)
		}
		err := wrongArgs(cmd, fmt.Sprintf("too many arguments: %s takes %s", cmd.Name(), what))
		return err.WithHint("%s", cmp.Or(inQuotes(cmd), usage(cmd)))
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

func exactlyOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := atLeast(1, what)(cmd, args); err != nil {
			return err
		}
		return atMost(1, what)(cmd, args)
	}
}

// noneEmpty returns an error if an argument is empty, as the value of an unset variable is.
func noneEmpty(cmd *cobra.Command, args []string) error {
	if slices.Contains(args, "") {
		return wrongArgs(cmd, fmt.Sprintf("an argument of %s is empty", cmd.Name()))
	}
	return nil
}

// wrongArgs returns an error whose hint is the usage of the command.
func wrongArgs(cmd *cobra.Command, message string) *fault.Error {
	return fault.New(fault.Usage, "%s", message).WithHint("%s", usage(cmd))
}

// usage returns a command with its arguments, such as "ckpt reopen ID".
func usage(cmd *cobra.Command) string {
	return strings.TrimSuffix(cmd.CommandPath(), cmd.Name()) + cmd.Use
}
