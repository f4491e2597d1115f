package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/text"
)

func newNote(env *Env) *cobra.Command {
	var req edit.NoteRequest
	var file string
	cmd := &cobra.Command{
		Use:        "note KIND [TEXT]",
		SuggestFor: []string{"decision", "decide", "remember", "add"},
		Short:      "Write one line to one section: a decision, context, a step",
		Long: `Write one line to one section at once. KIND is decision, context, breadcrumb (TYPE
REF HINT; TYPE is file, function, decision or external), step, artifact
(PATH[:ACTION[:TEXT]]), state (replaces) or rule. The same note twice in a row changes
nothing. - reads standard input and -F a file; there each entry of a Markdown list is
one decision, fact, step or rule, but a text with a heading of its own is one. Without
TEXT it prints the section. note rule --prompt adds what the user said last.`,
		Example: `  ckpt note decision 'Use SQS' --why 'it is there already'
  ckpt note decision 'Use Kafka' --why 'ordering' --supersedes SQS
  ckpt note rule - <<'EOF'
  - Don't touch the schema
  - Ask before you push
  EOF
  ckpt note rule --prompt
  ckpt note breadcrumb file internal/sso/login.go 'where the token is checked'
  ckpt note state - <<'EOF'
  Login works; the retry does not yet.
  EOF
  ckpt note decision`,
		Args: noteKind,
		RunE: env.open(func(c call) error {
			req.Kind, req.Text = c.args[0], c.args[1:]
			listed := len(req.Text) == 0 && file == "" && !req.Prompt
			if listed && !c.cmd.Flags().Changed("why") && req.Supersedes == "" {
				section, _ := edit.NoteSection(req.Kind)
				return printEntries(c, env, section, output.Notes)
			}
			if err := noteText(env, &req, file); err != nil {
				return err
			}
			if err := env.texts(&req.Why, &req.Supersedes); err != nil {
				return err
			}
			return env.receipt(edit.New(c.project).Note(c.ctx, req))
		}),
		ValidArgs: edit.NoteKinds,
	}
	cmd.Flags().StringVar(&req.Why, "why", "", "the reason of a decision")
	cmd.Flags().StringVar(&req.Supersedes, "supersedes", "", "strike out the live decision that contains `TEXT`")
	promptFlag(cmd.Flags(), &req.Prompt, "the rules")
	cmd.Flags().StringVarP(&file, "file", "F", "", "read the text from `FILE` (- is standard input)")
	return cmd
}

// promptFlag adds the flag --prompt. With it, a command adds the recorded words of the user to a section.
func promptFlag(f *pflag.FlagSet, to *bool, section string) {
	f.BoolVar(to, "prompt", false, "add to "+section+", word for word, what the user said and no operation took up yet")
}

// noteText reads the text of a note from the arguments or the file.
func noteText(e *Env, req *edit.NoteRequest, file string) error {
	section, _ := edit.NoteSection(req.Kind)
	if file != "" {
		if len(req.Text) > 0 {
			return fault.New(fault.Usage, "-F and %q are two texts", req.Text[0]).WithHint("ckpt note %s -F FILE", req.Kind)
		}
		if req.Kind == "breadcrumb" {
			return fault.New(fault.Usage, "note breadcrumb takes no -F").WithHint("ckpt note breadcrumb file PATH HINT")
		}
		src, err := e.file(file)
		if err != nil {
			return err
		}
		req.Text = []string{strings.TrimRight(string(src), "\r\n")}
		if edit.TakesList(req.Kind) {
			req.Text, req.List = nil, revise.ParseEntries(req.Text[0], section)
		}
		return nil
	}
	if len(req.Text) == 1 && edit.TakesList(req.Kind) {
		err := e.lists(section, &req.Text)
		req.Text, req.List = nil, req.Text
		return err
	}
	for i := range req.Text {
		if err := e.texts(&req.Text[i]); err != nil {
			return err
		}
	}
	return nil
}

// noteMeant returns the command for a word that people take for a kind of note; "" for any other word.
func noteMeant(word string) string {
	return map[string]string{
		"fact": "note context TEXT", "info": "note context TEXT", "why": "note decision TEXT", "choice": "note decision TEXT",
		"link": "note breadcrumb TEXT", "reference": "note breadcrumb TEXT", "pointer": "note breadcrumb TEXT",
		"did": "note step TEXT", "done": "note step TEXT", "file": "note artifact TEXT", "status": "note state TEXT",
		"constraint": "note rule TEXT", "must": "note rule TEXT",
		"next": "next --add TEXT", "todo": "next --add TEXT", "task": "next --add TEXT", "action": "next --add TEXT",
		"learning": "archive --outcome TEXT --learning TEXT", "lesson": "archive --outcome TEXT --learning TEXT",
	}[word]
}

// noteKind returns an error if the first argument is not a kind of note.
func noteKind(cmd *cobra.Command, args []string) error {
	kind := firstArg(args)
	_, known := edit.NoteSection(kind)
	switch {
	case known:
		return nil
	case kind == "" || strings.ContainsAny(kind, " \n"):
		return fault.New(fault.Usage, "note needs a KIND (%s) and a text", either(edit.NoteKinds)).
			WithHint("ckpt note decision TEXT --why TEXT")
	}
	err := unknownWord("kind of note", kind, edit.NoteKinds, "ckpt note")
	if meant := noteMeant(kind); meant != "" {
		err.Hint = "ckpt " + meant
	}
	return err
}

// printEntries prints a section of the checkpoint that the command works on.
func printEntries(c call, e *Env, section checkpoint.Kind, text func(*output.Printer, output.Entries)) error {
	current, err := history.New(c.project).Show(c.ctx, "")
	return answer(e, "entries", text)(output.Entries{Checkpoint: current, Kind: section}, err)
}

func newNext(env *Env) *cobra.Command {
	var add bool
	var file string
	cmd := &cobra.Command{
		Use:        "next [TEXT...]",
		SuggestFor: []string{"todo", "add"},
		Short:      "List the next actions, or replace them (--add: append)",
		Long: "Replace the next actions, in the order given, or append to them with --add. - reads\n" +
			"standard input and -F a file, where each entry of a Markdown list is an action, but a text\n" +
			"with a heading of its own is one. Without TEXT it lists them with the numbers of ckpt done.",
		Example: "  ckpt next\n  ckpt next 'Write the test in internal/sso/login_test.go' 'Document it in docs/sso.md'\n" +
			"  ckpt next --add 'Ask ops about the queue'",
		RunE: env.open(func(c call) error {
			if file != "" {
				src, err := env.file(file)
				if err == nil && len(c.args) > 0 {
					err = fault.New(fault.Usage, "-F and %q are two texts", c.args[0]).WithHint("ckpt next -F FILE")
				}
				if err != nil {
					return err
				}
				return env.receipt(edit.New(c.project).Next(c.ctx, "", revise.ParseEntries(string(src), checkpoint.Next), add))
			}
			if len(c.args) == 0 {
				if add {
					return wrongArgs(c.cmd, "next --add needs at least one action").WithHint("ckpt next --add TEXT")
				}
				return printEntries(c, env, checkpoint.Next, output.NextActions)
			}
			if meant := meantByNext(c.args); meant != "" {
				return fault.New(fault.Usage, "%q is not a next action", c.args[0]).WithHint("%s", meant)
			}
			if err := env.lists(checkpoint.Next, &c.args); err != nil {
				return err
			}
			return env.receipt(edit.New(c.project).Next(c.ctx, "", c.args, add))
		}),
	}
	cmd.Flags().BoolVar(&add, "add", false, "append instead of replacing")
	cmd.Flags().StringVarP(&file, "file", "F", "", "read the actions from `FILE` (- is standard input)")
	return cmd
}

// meantByNext returns the command that is meant if the first argument is only a number or a verb such as
// "add". Otherwise it returns "".
func meantByNext(args []string) string {
	rest := "TEXT"
	if len(args) > 1 {
		rest = text.ShellQuoted(strings.Join(args[1:], " "))
	}
	if _, err := strconv.Atoi(strings.TrimPrefix(args[0], "#")); err == nil {
		return "ckpt done " + strings.Join(args, " ")
	}
	switch strings.ToLower(args[0]) {
	case "add", "append":
		return "ckpt next --add " + rest
	case "done", "rm", "remove", "delete":
		return "ckpt done " + strings.Replace(rest, "TEXT", "N", 1)
	case "list", "ls", "show":
		return "ckpt next"
	}
	return ""
}

func newDone(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "done {N | TEXT}...",
		SuggestFor: []string{"do", "tick", "complete"},
		Short:      "Move completed next actions to Play-By-Play",
		Long: "Move next actions to Play-By-Play: number N of ckpt next, or the one that contains TEXT.\n" +
			"If one of several is not found, or a TEXT is in several actions, none is moved.",
		Example: "  ckpt done 1\n  ckpt done 1 3\n  ckpt done 'write the test'",
		Args:    atLeast(1, "the number of a next action, or words of it (ckpt next)"),
		RunE: env.open(func(c call) error {
			for i := range c.args {
				if err := env.texts(&c.args[i]); err != nil {
					return err
				}
			}
			return env.receipt(edit.New(c.project).Done(c.ctx, "", c.args...))
		}),
	}
}
