package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/transfer/importing"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Env has the global flags and the state of one run.
type Env struct {
	World
	ctx      context.Context // the context of this run, for pagers and for hints
	dir      string          // -C
	target   string          // -c
	folder   string          // --dir
	json     bool
	noCommit bool
	dryRun   bool
	secret   bool // --allow-secret
	quiet    bool
	agent    string // the agent that calls a hook; empty for other commands, whose agent the environment names
	session  string

	found     *workspace.Workspace // the opened project, if any
	args      []string             // the command line
	astray    error                // the error if the user requested help for an unknown command
	version   bool
	syncs     bool // the command is ckpt sync
	stdinUsed bool
}

// settings returns the settings of the workspace, from the flags and the environment.
func (e *Env) settings() workspace.Settings {
	s := workspace.Settings{Dir: e.start(), Folder: cmp.Or(e.folder, e.Streams.Getenv("CKPT_DIR")), Pinned: e.target,
		NoCommit: e.noCommit, DryRun: e.dryRun, AllowSecret: e.secret, Now: e.Now, Getenv: e.Streams.Getenv}
	s.Agent, s.Session = protocol.Who(e.Streams.Getenv)
	if e.agent != "" {
		s.Agent, s.Session = e.agent, e.session
	}
	s.Subagent = !slices.Contains([]string{"", "0", "false"}, e.Streams.Getenv("CKPT_SUBAGENT"))
	if s.Pinned == "@" {
		s.Pinned = ""
	}
	if id := e.Streams.Getenv("CKPT_ID"); id != "" && id != "@" {
		s.Shared, s.Pinned = true, cmp.Or(s.Pinned, id)
	}
	return s
}

// start returns the folder in which the command runs: the current folder, unless -C names another one.
func (e *Env) start() string { return disk.From(e.Dir, e.dir) }

// begin returns an error if the folder of -C does not exist.
func (e *Env) begin() error {
	if info, err := os.Stat(e.start()); err != nil || !info.IsDir() {
		return fault.New(fault.NotFound, "%q is not a folder", e.start()).
			WithHint("-C takes a folder that exists, relative to the current one")
	}
	return nil
}

// call is one call of a command that works on the checkpoints of a repository.
type call struct {
	ctx     context.Context
	cmd     *cobra.Command
	args    []string
	id      string // the first argument, or empty for the current checkpoint
	project *workspace.Workspace
}

// open returns a function for cobra that opens the repository and then calls run.
func (e *Env) open(run func(call) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p, err := e.Project(cmd.Context())
		if err != nil {
			return err
		}
		return run(call{ctx: cmd.Context(), cmd: cmd, args: args, id: firstArg(args), project: p})
	}
}

// Project opens the repository.
func (e *Env) Project(ctx context.Context) (*workspace.Workspace, error) {
	if err := e.begin(); err != nil {
		return nil, err
	}
	p, err := workspace.Open(ctx, e.settings())
	if err != nil {
		return nil, err
	}
	e.found = p
	if !e.quiet && !e.syncs && e.agent == "" {
		e.sayUnfetched(ctx, p)
	}
	return p, nil
}

// sayUnfetched prints a remark in commit mode ref if this clone has a remote but not yet the checkpoint ref.
func (e *Env) sayUnfetched(ctx context.Context, p *workspace.Workspace) {
	if p.Publishes() {
		return
	}
	ref := p.Files().Ref
	if remote := ref.Unfetched(ctx); remote != "" {
		_, _ = fmt.Fprintf(e.Streams.Err,
			"ckpt: this clone has no checkpoints yet; ckpt sync fetches those that %s has in %s\n", remote, ref.Name())
	}
}

// sayNoFolder prints a remark if the folder of --dir or CKPT_DIR does not exist. It is called after the
// command, which may make the folder.
func (e *Env) sayNoFolder() {
	if e.quiet || e.found == nil || e.settings().Folder == "" {
		return
	}
	if name := e.found.FilesDir(); !disk.Exists(e.found.Repo.PathOf(name)) {
		fmt.Fprintf(e.Streams.Err,
			"ckpt: the checkpoints folder %q does not exist (ckpt init --dir %s makes it)\n", name, name)
	}
}

// targetExists returns an error if name is set but names no checkpoint. Commands that list checkpoints call it.
func targetExists(c call, name string) error {
	if name == "" {
		return nil
	}
	view, err := c.project.Read(c.ctx, store.Live)
	if err == nil {
		_, err = view.PathOf(name)
	}
	return err
}

// printAnswer prints an answer: as JSON with --json, otherwise as text.
func printAnswer[T any](e *Env, kind string, answer T, text func(*output.Printer, T)) error {
	if e.json {
		var folder output.Folder
		if e.found != nil {
			folder = output.Folder{Files: e.found.FilesDir(), Tree: e.found.Prefix}
		}
		return result.Encode(e.Streams.Out, kind, output.JSON(answer, folder))
	}
	print := func(s term.Streams) error { return output.Print(e.printer(s), answer, text) }
	switch kind {
	case "receipt", "import", "sync", "migration", "version", "short-status": // these are short and need no pager
		return print(e.Streams)
	}
	return e.paged(print)
}

// printer returns a printer for an answer.
func (e *Env) printer(s term.Streams) *output.Printer {
	p := output.New(s, e.quiet, e.Now())
	p.Given = e.args
	return p
}

// paged calls print with the streams of this run. If a person reads the answer, it is shown in the pager.
func (e *Env) paged(print func(term.Streams) error) error {
	if !e.toPerson() {
		return print(e.Streams)
	}
	return term.Paged(e.ctx, e.configured(), print)
}

// toPerson reports whether a person reads the answer: it goes to a terminal, and no agent runs the command. Some
// agents run commands in a terminal and do not know how to leave a pager.
func (e *Env) toPerson() bool { return e.Streams.OutIsTerminal() && e.settings().Agent == "" }

// configured returns the streams with the pager and the colours of git's configuration.
func (e *Env) configured() term.Streams {
	s := e.Streams
	repo, err := git.Open(e.start())
	if err != nil {
		return s
	}
	if pager, ok, _ := repo.Config().Get(e.ctx, "core.pager"); ok {
		s.Pager = cmp.Or(pager, "cat")
	}
	if colors, _, _ := repo.Config().Get(e.ctx, "color.ui"); colors == "never" || colors == "false" {
		s.NoColor = true
	}
	return s
}

// answer returns a function that takes the results of a query and prints the answer, or returns the error. It is
// called like this: answer(env, "list", output.List)(q.List(ctx, req)).
func answer[T any](e *Env, kind string, text func(*output.Printer, T)) func(T, error) error {
	return func(answer T, err error) error {
		if err != nil {
			return err
		}
		return printAnswer(e, kind, answer, text)
	}
}

// receipt prints the receipt of an operation, unless it failed.
func (e *Env) receipt(r *result.Receipt, err error) error {
	return answer(e, "receipt", output.Receipt)(r, err)
}

// text returns the text of an argument or flag. The value "-" means standard input.
func (e *Env) text(value string) (string, error) {
	if value != "-" {
		return value, readable("the text", []byte(value))
	}
	src, err := e.stdin()
	return strings.TrimRight(string(src), "\r\n"), err
}

// texts replaces each value with the result of [Env.text].
func (e *Env) texts(values ...*string) error {
	for _, v := range values {
		var err error
		*v, err = e.text(*v)
		if err != nil {
			return err
		}
	}
	return nil
}

// paragraphs joins the texts of a flag and of a file. If the file begins with the flag's text, it returns the file's.
func paragraphs(flag, file string) string {
	switch {
	case strings.TrimSpace(file) == "":
		return flag
	case strings.HasPrefix(strings.TrimSpace(file), strings.TrimSpace(flag)):
		return file
	}
	return strings.TrimRight(flag, "\n") + "\n\n" + file
}

// lists resolves the values of repeatable arguments and flags. A "-" becomes the entries of the Markdown list on
// standard input, parsed for section k. Other values stay as they are.
func (e *Env) lists(k checkpoint.Kind, lists ...*[]string) error {
	for _, list := range lists {
		var all []string
		for _, value := range *list {
			text, err := e.text(value)
			switch {
			case err != nil:
				return err
			case value == "-":
				all = append(all, revise.ParseEntries(text, k)...)
			default:
				all = append(all, text)
			}
		}
		*list = all
	}
	return nil
}

// file reads the file or pipe that -F names; "-" is standard input.
func (e *Env) file(name string) ([]byte, error) {
	if name == "-" {
		return e.stdin()
	}
	f, err := os.Open(e.path(name))
	if os.IsNotExist(err) {
		return nil, fault.New(fault.NotFound, "the file %q does not exist", name).
			WithHint("-F - and the text on standard input, or -F and the path of a file")
	}
	if err != nil {
		return nil, fault.New(fault.Failed, "read %q: %w", name, disk.Pathless(err))
	}
	defer f.Close()
	return readText(strconv.Quote(name), f)
}

// readable returns an error if src is not UTF-8 text. The error begins with from.
func readable(from string, src []byte) error {
	if line, what := importing.NotText(src); what != "" {
		return fault.New(fault.Invalid, "%s: line %d: %s; UTF-8 is expected", from, line, what)
	}
	return nil
}

// path resolves a path of the command line relative to the folder in which the command runs.
func (e *Env) path(name string) string { return disk.From(e.start(), name) }

func (e *Env) stdin() ([]byte, error) {
	if e.stdinUsed {
		return nil, fault.New(fault.Usage, "standard input (-) can be read only once")
	}
	e.stdinUsed = true
	src, err := readText("standard input", e.Streams.In)
	return bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), err
}

// readText reads UTF-8 text of at most disk.MaxFile bytes. Errors begin with from.
func readText(from string, r io.Reader) ([]byte, error) {
	src, err := io.ReadAll(io.LimitReader(r, disk.MaxFile+1))
	if err == nil && len(src) > disk.MaxFile {
		return nil, fault.New(fault.Usage, "%s is larger than %d MiB", from, disk.MaxFile>>20)
	}
	if err != nil {
		return nil, fault.New(fault.Failed, "read %s: %w", from, disk.Pathless(err))
	}
	return src, readable(from, src)
}

// firstArg returns the first argument, or "".
func firstArg(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
