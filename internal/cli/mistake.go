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
)

// nearest returns the names of the subcommands for which cmd takes a typed word: those that list it
// in SuggestFor; else those that are spelled almost like it.
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

// noCommand answers a command without a subcommand with its help, and an unknown subcommand with an
// error that suggests similar ones.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	path := cmd.CommandPath()
	err := fault.New(fault.Usage, "%q is not a %s command", args[0], path).WithHint("%s --help", path)
	instead := map[string]string{"fork": "ckpt new NAME --parent ID", "inspect": "ckpt show ID --details",
		"config": "git config ckpt.KEY VALUE, or edit checkpoints/config.yaml",
		"pr":     "ckpt export --pr",
		"rename": "ckpt new NAME --parent ID --same-problem: a checkpoint keeps its ID",
		"stash":  "ckpt new NAME --problem TEXT, then ckpt use -",
		"stop":   "ckpt delta -m TEXT; or ckpt archive --outcome TEXT when all is done"}
	instead["mv"], instead["handoff"] = instead["rename"], instead["stop"]
	if hint := instead[args[0]]; hint != "" && cmd == cmd.Root() {
		return err.WithHint("%s", hint)
	}
	if near := nearest(cmd, args[0]); len(near) > 0 {
		err.Hint = path + " " + strings.Join(near, ", "+path+" ")
	}
	return err
}

// unknownWord returns an error for a word that has to be one of some, with a hint that begins with
// a command and ends with the words that are spelled almost alike.
func unknownWord(what, typed string, words []string, command string) *fault.Error {
	err := fault.New(fault.Usage, "unknown %s %q (want %s)", what, typed, either(words))
	return err.WithHint("%s", tryOne(command, text.Similar(typed, words), "--help"))
}

// tryOne returns a command with each of the words, or with another word if there are none.
func tryOne(command string, words []string, other string) string {
	if len(words) == 0 {
		return command + " " + other
	}
	return command + " " + strings.Join(words, ", "+command+" ")
}

// flagHint annotates a command that has a hint of its own for unknown flags.
const flagHint = "flag-hint"

// flagError explains a flag that cannot be parsed.
func (e *Env) flagError(cmd *cobra.Command, err error) error {
	if word := e.wordBeforeFlag(cmd); word != "" {
		return noCommand(cmd, []string{word})
	}
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return badValue(cmd, bad)
	}
	if bad, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		typed, value := "--"+bad.GetSpecifiedName(), "TEXT"
		if bad.GetSpecifiedShortnames() != "" {
			typed = typed[1:]
		}
		if name, _ := pflag.UnquoteUsage(bad.GetFlag()); strings.ToUpper(name) == name {
			value = name
		}
		return fault.New(fault.Usage, "%s needs a value", typed).WithHint("%s %s %s", cmd.CommandPath(), typed, value)
	}
	if bad, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(cmd, bad)
	}
	return fault.New(fault.Usage, "%w", err).WithHint("%s --help; %s", cmd.CommandPath(), dashText)
}

// dashText tells how to give a text that would be read as a flag.
const dashText = "a text that begins with a dash goes behind --"

// wordBeforeFlag returns the unknown command that stands before the flag that cannot be parsed. It
// is empty if the flag comes first, or belongs to a command.
func (e *Env) wordBeforeFlag(cmd *cobra.Command) string {
	if cmd != cmd.Root() {
		return ""
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.AddFlagSet(cmd.Flags())
	flags.SetInterspersed(false)
	if flags.Parse(e.args) != nil {
		return ""
	}
	return flags.Arg(0)
}

// unknownFlag returns an error for a flag that a command does not have, with those that are spelled
// almost alike.
func unknownFlag(cmd *cobra.Command, bad *pflag.NotExistError) error {
	name, typed := bad.GetSpecifiedName(), "--"+bad.GetSpecifiedName()
	if all := bad.GetSpecifiedShortnames(); all != "" {
		name, typed = all, "-"+name
	}
	path := cmd.CommandPath()
	err := fault.New(fault.Usage, "unknown flag: %s", typed).WithHint("%s --help", path)
	own, instead := cmd.Annotations[flagHint], otherFlags()[cmd.Name()+" "+typed]
	_, notNumber := strconv.Atoi(name)
	switch {
	case own != "":
		err.Hint = own
	case instead != "":
		err.Hint = instead
	case notNumber == nil && cmd.Flags().ShorthandLookup("n") != nil:
		err.Hint = path + " -n " + name
	case notNumber == nil && cmd.Flags().Lookup("at") != nil:
		err.Hint = path + " --at @{" + name + "}"
	case typed[1] != '-' && cmd.Flags().Lookup(name) != nil:
		err.Hint = path + " --" + name
	case name == "everywhere": // ckpt had this flag
		err.Hint = path + ": branches and worktrees of a clone share one store"
	case isText(name):
		err.Hint += "; " + dashText
	default:
		nameFlags(cmd, err, typed)
	}
	return err
}

// nameFlags improves the hint of an error about an unknown flag: with the flags that are spelled almost
// like it, or all flags of the command if they are few.
func nameFlags(cmd *cobra.Command, err *fault.Error, typed string) {
	var names, own []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !isRisky("--"+f.Name) {
			names = append(names, f.Name)
			if cmd.LocalNonPersistentFlags().Lookup(f.Name) != nil && f.Name != "help" {
				own = append(own, "--"+f.Name)
			}
		}
	})
	var near []string
	name, long := strings.CutPrefix(typed, "--")
	if long {
		near = text.Similar(name, names)
	}
	switch {
	case len(near) > 0:
		err.Hint = tryOne(cmd.CommandPath(), prefixed("--", near), "")
	case len(own) == 0:
		err.Hint = usage(cmd)
	case len(own) <= flagsNamed && cmd.HasParent():
		err.Hint += " (it has " + strings.Join(own, ", ") + ")"
	}
}

// isRisky reports whether a flag switches a protection off, or begins what can lose something. No hint
// guesses one.
func isRisky(flag string) bool {
	return slices.Contains([]string{"--allow-secret", "--apply", "--force", "--permissions", "--yes"}, flag)
}

// flagsNamed is up to how many flags of a command the hint about an unknown one names.
const flagsNamed = 12

// resolveHint is for the flags with which ckpt resolve once chose one of two texts.
const resolveHint = "ckpt edit ID: the text that does not stand is kept word for word below its delta"

// otherFlags returns the commands for flags that people expect and that a command does not have.
func otherFlags() map[string]string {
	return map[string]string{
		"ckpt -v":           "ckpt --version",
		"archive -m":        "ckpt archive --outcome TEXT",
		"archive --message": "ckpt archive --outcome TEXT",
		"list --status":     "ckpt list --active, --archived or --all",
		"log --oneline":     "ckpt log has a line for each version",
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
		"show --stat":       "ckpt diff REV REV",
		"status --all":      "ckpt list --all",
		"tree --all":        "ckpt tree has all",
		"drift --all":       "ckpt drift has all; ckpt drift ID for another checkpoint",
		"learnings --all":   "ckpt learnings has all",
	}
}

// spareWords returns the command that takes words which are too many arguments, or "" if none is
// known.
func spareWords(cmd *cobra.Command, args []string, n int) string {
	if quoted := unquoted(cmd, args); quoted != "" {
		return quoted
	}
	path := shellLine(append(strings.Fields(cmd.CommandPath()), args[:n]...))
	if cmd.Flags().Lookup(args[n]) != nil && !isRisky("--"+args[n]) {
		return path + " --" + args[n]
	}
	flag := map[string]string{"archive": "outcome", "restore": "at", "show": "section", "save": "message",
		"edit": "message", "delta": "message", "new": "problem", "migrate": "to"}[cmd.Name()]
	if _, err := strconv.Atoi(args[n]); err == nil && cmd.Flags().ShorthandLookup("n") != nil {
		flag = "limit"
	}
	f := cmd.Flags().Lookup(flag)
	_, section := checkpoint.KindNamed(args[n])
	switch {
	case cmd.Name() == "status" || cmd.Name() == "list":
		return "ckpt show " + shellLine(args)
	case cmd.Name() == "mark":
		return "ckpt mark " + shellQuoted(strings.Join(args, " "))
	case f == nil || f.Changed || cmd.Parent() != cmd.Root() || flag == "section" && !section:
		return ""
	case n == 1 && len(args) > 2 && (flag == "message" || flag == "outcome"): // the first word may be an ID, or not
		return cmd.CommandPath() + typedAs(f) + shellQuoted(strings.Join(args, " ")) + "; or " + path + typedAs(f) +
			shellQuoted(strings.Join(args[n:], " ")) + " for the checkpoint " + args[0]
	case flag == "problem" && len(args) > 2:
		return "ckpt new NAME -m " + shellQuoted(strings.Join(args, " "))
	}
	return path + typedAs(f) + shellQuoted(strings.Join(args[n:], " "))
}

// typedAs returns a flag as one types it, between spaces: by its letter, if it has one.
func typedAs(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return " -" + f.Shorthand + " "
	}
	return " --" + f.Name + " "
}

// unquoted returns the command line with the text of a flag in quotes, if it seems that they were left
// out: the value of a flag for text is one word, and other words follow it.
func unquoted(cmd *cobra.Command, args []string) string {
	for _, name := range []string{"message", "problem", "outcome", "state", "intent", "why"} {
		f := cmd.Flags().Lookup(name)
		if f == nil || !f.Changed || strings.ContainsAny(f.Value.String(), " \n") {
			continue
		}
		line := strings.Split(cmd.Root().Annotations[typedLine], "\x00")
		at := slices.IndexFunc(line, func(word string) bool { return word == "--"+name || word == "-"+f.Shorthand })
		if at < 0 || at+1 == len(line) || line[at+1] == "-" {
			continue
		}
		end := at + 2
		for end < len(line) && !strings.HasPrefix(line[end], "-") {
			end++
		}
		if end > at+2 {
			text := strings.Join(line[at+1:end], " ")
			return shellLine(slices.Concat([]string{"ckpt"}, line[:at+1], []string{text}, line[end:]))
		}
	}
	return ""
}

// without returns the command line without words that are too many arguments, and without risky
// flags.
func without(cmd *cobra.Command, words []string) string {
	line := slices.DeleteFunc(strings.Split(cmd.Root().Annotations[typedLine], "\x00"), isRisky)
	for _, w := range slices.Backward(words) {
		for i := len(line) - 1; i >= 0; i-- {
			if line[i] == w {
				line = slices.Delete(line, i, i+1)
				break
			}
		}
	}
	return shellLine(append([]string{"ckpt"}, line...))
}

// typedLine annotates the root command with the words of the command line.
const typedLine = "line"

// shellLine returns words as a line of a shell.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shellQuoted(w)
	}
	return strings.Join(quoted, " ")
}

// shellQuoted returns a text as one argument of a shell.
func shellQuoted(s string) string {
	if !strings.ContainsAny(s, " '\"$`\\!*?&|;<>()#\n") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// versionMeant matches an id with a number of versions back, as other programs write them.
var versionMeant = text.Regexp(`^(.+?)[@~^](\d+)$`)

// meantElse improves the hint of an error about a word of the command line that was meant for something
// else than a checkpoint.
func meantElse(cmd *cobra.Command, err error) error {
	var f *fault.Error
	args := cmd.Flags().Args()
	textless := cmd.Name() == "delta" && fault.KindOf(err) == fault.Usage
	meant := errors.Is(err, checkpoint.ErrNone) || textless
	if !meant || !errors.As(err, &f) || len(args) != 1 {
		return err
	}
	if hint := unquoted(cmd, args); hint != "" {
		f.Hint = hint
	} else if version := versionMeant.FindStringSubmatch(args[0]); version != nil {
		f.Hint = fmt.Sprintf("%s %s@{%s}", cmd.CommandPath(), version[1], version[2])
	} else if strings.HasPrefix(args[0], "HEAD") && cmd.Flags().Lookup("at") != nil {
		f.Hint = cmd.CommandPath() + " --at " + args[0]
	} else if _, known := checkpoint.KindNamed(args[0]); known && cmd.Name() == "show" {
		f.Hint = "ckpt show --section " + args[0]
	} else if strings.Contains(args[0], " ") && cmd.Name() != "show" {
		if hint := spareWords(cmd, args, 0); hint != "" {
			f.Hint = hint
		}
	}
	return err
}

// deleted improves the hint of an error about a name that no checkpoint has, if a deleted one had it.
func deleted(e *Env, cmd *cobra.Command, err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	args := cmd.Flags().Args()
	if !ok || !errors.Is(err, checkpoint.ErrNone) {
		return err
	}
	if e.found == nil || len(args) > 1 {
		return err
	}
	name := cmp.Or(firstArg(args), e.target)
	if parent := cmd.Flags().Lookup("parent"); parent != nil && parent.Value.Type() == "string" {
		name = parent.Value.String()
	}
	if id := history.New(e.found).Deleted(e.ctx, name); id != "" {
		f.Hint = "ckpt undelete " + id
	}
	return err
}

func prefixed(prefix string, words []string) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = prefix + w
	}
	return all
}

// isText reports whether what follows the dashes of a flag is rather a text: it has a space, or does
// not begin with a letter.
func isText(name string) bool {
	return strings.ContainsFunc(name, unicode.IsSpace) || !unicode.IsLetter([]rune(name + "-")[0])
}

// badValue returns an error for the value of a flag, with a value that is right.
func badValue(cmd *cobra.Command, bad *pflag.InvalidValueError) error {
	flag, typed := bad.GetFlag(), bad.GetValue()
	want, hint := bad.Unwrap().Error(), cmd.CommandPath()+" --help"
	command := cmd.CommandPath() + " --" + flag.Name
	switch value := flag.Value.(type) {
	case choice:
		hint = tryOne(command, text.Similar(typed, value.words), value.words[0])
		if json := cmd.Flags().Lookup("json"); json != nil && typed == json.Name {
			hint = cmd.CommandPath() + " --json"
		}
	case number:
		hint = command + " " + strconv.Itoa(value.example)
	default:
		switch value.Type() {
		case "WHEN":
			hint = command + " auto"
		case "duration":
			want, hint = "want a duration: 30s, 2m", command+" 30s"
		case "bool":
			want = "want true or false"
			if !isRisky("--" + flag.Name) {
				hint = command
			}
		}
	}
	return fault.New(fault.Usage, "invalid --%s %q (%s)", flag.Name, typed, want).WithHint("%s", hint)
}
