package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// nearest returns the names of the subcommands of cmd that a typed word may mean: those that list it
// in SuggestFor, or else those with a similar name.
func nearest(cmd *cobra.Command, typed string) []string {
	var listed, names []string
	for _, c := range cmd.Commands() {
		if slices.ContainsFunc(c.SuggestFor, func(s string) bool { return strings.EqualFold(s, typed) }) {
			listed = append(listed, c.Name())
		}
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if len(listed) > 0 || typed == "" {
		return listed
	}
	return text.Similar(typed, names)
}

// noCommand prints the help of cmd if there are no arguments. Otherwise it returns an error for the unknown
// subcommand, with what to type instead as the hint.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	path := cmd.CommandPath()
	err := fault.New(fault.Usage, "%q is not a %s command", args[0], path).WithHint("%s --help", path)
	instead := map[string]string{"fork": "ckpt new NAME --parent ID", "inspect": "ckpt show ID --details",
		"config": "git config ckpt.KEY VALUE, or edit checkpoints/config.yaml",
		"rename": "ckpt new NAME --parent ID --same-problem: a checkpoint keeps its ID",
		"stash":  "ckpt new NAME --problem TEXT, then ckpt use -",
		"stop":   "ckpt delta -m TEXT; or ckpt archive --outcome TEXT when all is done"}
	instead["mv"], instead["handoff"] = instead["rename"], instead["stop"]
	if hint := instead[args[0]]; hint != "" && cmd == cmd.Root() {
		return err.WithHint("%s", hint)
	}
	if near := nearest(cmd, args[0]); len(near) > 0 {
		err.Hint = tryOne(path, near, "")
	}
	return err
}

// unknownWord returns an error for a word that is not one of words. The hint is the command with each
// similar word, or with --help if there is none.
func unknownWord(what, typed string, words []string, command string) *fault.Error {
	err := fault.New(fault.Usage, "unknown %s %q (want %s)", what, typed, either(words))
	return err.WithHint("%s", tryOne(command, text.Similar(typed, words), "--help"))
}

// tryOne returns a command with each of the words: "ckpt show, ckpt list". If there are none, it uses other.
func tryOne(command string, words []string, other string) string {
	if len(words) == 0 {
		return command + " " + other
	}
	return command + " " + strings.Join(words, ", "+command+" ")
}

// flagError returns an error with a hint for a flag that cannot be parsed.
func (e *Env) flagError(cmd *cobra.Command, err error) error {
	if cmd == cmd.Root() && !strings.HasPrefix(e.args[0], "-") { // the flag belongs to an unknown command
		return noCommand(cmd, e.args)
	}
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return badValue(cmd, bad)
	}
	if bad, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(cmd, bad)
	}
	if bad, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		flag := bad.GetFlag()
		return fault.New(fault.Usage, "--%s needs a value", flag.Name).WithHint("%s%s", cmd.CommandPath(), typed(flag))
	}
	return fault.New(fault.Usage, "%w", err).WithHint("%s --help; %s", cmd.CommandPath(), dashText)
}

// dashText is the hint for a text that begins like a flag.
const dashText = "a text that begins with a dash goes behind --"

// unknownFlag returns an error for a flag that a command does not have. The hint is what to type
// instead, the similar flags, or all flags of the command if they are few.
func unknownFlag(cmd *cobra.Command, bad *pflag.NotExistError) error {
	name, dashed := bad.GetSpecifiedName(), "--"+bad.GetSpecifiedName()
	if letters := bad.GetSpecifiedShortnames(); letters != "" {
		name, dashed = letters, "-"+letters
	}
	risky := []string{"allow-secret", "apply", "force", "permissions", "yes"} // a hint does not suggest these
	var near, own []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || slices.Contains(risky, f.Name) {
			return
		}
		if len(name) > 1 && len(text.Similar(name, []string{f.Name})) > 0 {
			near = append(near, "--"+f.Name)
		}
		if cmd.LocalNonPersistentFlags().Lookup(f.Name) != nil && f.Name != "help" {
			own = append(own, "--"+f.Name)
		}
	})
	path := cmd.CommandPath()
	err := fault.New(fault.Usage, "unknown flag: %s", dashed).WithHint("%s --help", path)
	instead := otherFlags()[cmd.Name()+" "+dashed]
	_, notNumber := strconv.Atoi(name)
	switch {
	case instead != "":
		err.Hint = instead
	case notNumber == nil && strings.HasSuffix(cmd.Use, " [N]"):
		err.Hint = path + " " + name
	case notNumber == nil && cmd.Flags().ShorthandLookup("n") != nil:
		err.Hint = path + " -n " + name
	case len(near) > 0:
		err.Hint = tryOne(path, near, "")
	case strings.ContainsFunc(name, unicode.IsSpace):
		err.Hint += "; " + dashText
	case len(own) == 0:
		err.Hint = usage(cmd)
	case len(own) <= flagsNamed && cmd.HasParent():
		err.Hint += " (it has " + strings.Join(own, ", ") + ")"
	}
	return err
}

// flagsNamed is the maximum number of flags that the hint about an unknown flag lists.
const flagsNamed = 12

// resolveHint is the hint for flags that ckpt resolve no longer has, which chose one of two texts.
const resolveHint = "ckpt edit (the text that was not chosen is kept word for word, below its delta or at the end)"

// otherFlags returns what to type instead of flags that do not exist. A key is the command and the flag.
func otherFlags() map[string]string {
	return map[string]string{
		"ckpt -v":           "ckpt --version",
		"archive -m":        "ckpt archive --outcome TEXT",
		"archive --message": "ckpt archive --outcome TEXT",
		"list --status":     "ckpt list --active, --archived or --all",
		"log --graph":       "ckpt tree",
		"log --patch":       "ckpt diff REV REV",
		"log --stat":        "ckpt diff REV REV",
		"log -p":            "ckpt diff REV REV",
		"note --decision":   "ckpt note decision TEXT --why TEXT",
		"note -m":           "ckpt note KIND TEXT; ckpt note decision TEXT --why TEXT",
		"next -d":           "ckpt done N",
		"next --done":       "ckpt done N",
		"next --remove":     "ckpt next TEXT... replaces the list; ckpt done N",
		"resolve --both":    resolveHint,
		"resolve --ours":    resolveHint,
		"resolve --theirs":  resolveHint,
		"diff -1":           "ckpt diff @{1}",
		"save --name":       "ckpt delta -m TEXT --name NAME",
		"save --workflow":   "ckpt delta -m TEXT --workflow ID",
		"status --all":      "ckpt list --all",
		"tree --all":        "ckpt tree has all",
		"drift --all":       "ckpt drift has all; ckpt drift ID for another checkpoint",
		"learnings --all":   "ckpt learnings has all",
	}
}

// inQuotes returns the command with a text in quotes, for a user who forgot them: "ckpt delta -m 'TEXT'". It
// returns "" if the command takes no text.
func inQuotes(cmd *cobra.Command) string {
	f := textFlag(cmd)
	switch {
	case f == nil:
		return ""
	case f.Shorthand != "":
		return cmd.CommandPath() + " -" + f.Shorthand + " 'TEXT'"
	}
	return cmd.CommandPath() + " --" + f.Name + " 'TEXT'"
}

// textFlag returns the flag for the main text of a command, or nil if it has none.
func textFlag(cmd *cobra.Command) *pflag.Flag {
	for _, name := range []string{"message", "outcome", "problem"} {
		if f := cmd.Flags().Lookup(name); f != nil {
			return f
		}
	}
	return nil
}

// shellLine quotes words for the shell and joins them to a line.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = text.ShellQuoted(w)
	}
	return strings.Join(quoted, " ")
}

// versionMeant matches an id with a number of versions back, as other programs write it: "auth~2".
var versionMeant = text.Regexp(`^(.+?)[@~^](\d+)$`)

// betterHint improves the hint of an error about an unknown checkpoint. The new hint is the command that restores a
// deleted checkpoint of that name, or a guess at what the argument means. It also names those deleted by hand.
func (e *Env) betterHint(cmd *cobra.Command, err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || !errors.Is(err, checkpoint.ErrNone) || e.found == nil {
		return err
	}
	view, failed := e.found.Read(e.ctx, store.Live)
	if failed != nil {
		return err
	}
	if args := cmd.Flags().Args(); len(args) <= 1 {
		f.Hint = cmp.Or(e.undeletes(cmd, view, firstArg(args)), meantElse(cmd, firstArg(args), f.Hint), f.Hint)
	}
	gone, _ := view.Gone(e.ctx) // a hint is not worth another error
	f.Hint = strings.Join(append(gone, f.Hint), "; ")
	return err
}

// meantElse returns the command to type if an argument looks like a version, a section or a text. If it may be an id
// or the last word of a text without quotes, meantElse returns the given hint, then the command.
func meantElse(cmd *cobra.Command, arg, hint string) string {
	flag, version := textFlag(cmd), versionMeant.Get().FindStringSubmatch(arg)
	_, section := checkpoint.KindNamed(arg)
	switch {
	case arg == "" || cmd.Name() == "new": // for ckpt new, the unknown checkpoint is the parent
	case version != nil:
		return fmt.Sprintf("%s %s@{%s}", cmd.CommandPath(), version[1], version[2])
	case section && cmd.Name() == "show":
		return "ckpt show --section " + arg
	case flag != nil && strings.Contains(arg, " "):
		return inQuotes(cmd)
	case flag != nil && flag.Changed:
		return hint + ", or with all of the text in quotes: " + inQuotes(cmd)
	}
	return ""
}

// undeletes returns the command that restores the checkpoint that cmd names, or "" if that was not deleted. A prefix
// can name a deleted checkpoint only if it names no existing one.
func (e *Env) undeletes(cmd *cobra.Command, view *workspace.View, arg string) string {
	name := cmp.Or(arg, e.target)
	if parent := cmd.Flags().Lookup("parent"); parent != nil && parent.Value.Type() == "string" {
		name = parent.Value.String()
	}
	id := history.New(e.found).Deleted(e.ctx, view, name)
	whole := id == name || id == "chk-"+name
	if _, err := view.Target(name); id != "" && (whole || fault.KindOf(err) == fault.NotFound) {
		return "ckpt undelete " + id
	}
	return ""
}

// badValue returns an error for an invalid value of a flag. The hint has a valid one.
func badValue(cmd *cobra.Command, bad *pflag.InvalidValueError) error {
	flag, want := bad.GetFlag(), bad.Unwrap().Error()
	command, hint := cmd.CommandPath()+" --"+flag.Name, cmd.CommandPath()+typed(flag)
	switch value := flag.Value.(type) {
	case choice:
		hint = tryOne(command, text.Similar(bad.GetValue(), value.words), value.words[0])
		if bad.GetValue() == "json" {
			hint = cmd.CommandPath() + " --json"
		}
	case moment:
		hint = command + " 30d"
	case number:
		hint = command + " " + strconv.Itoa(value.example)
	}
	switch flag.Value.Type() {
	case "duration":
		want, hint = "want a duration: 30s, 2m", command+" 30s"
	case "bool", "boolfunc":
		want, hint = "want true or false", cmd.CommandPath()+" --help"
	}
	return fault.New(fault.Usage, "invalid --%s %q (%s)", flag.Name, bad.GetValue(), want).WithHint("%s", hint)
}
