package cli

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

// Env is the global flags of one run and what follows from them.
type Env struct {
	World
	dir      string // -C
	target   string // -c
	folder   string // --dir
	json     bool
	noCommit bool
	dryRun   bool
	secret   bool // --allow-secret
	quiet    bool
	agent    string // who works here, for a hook; else the environment says
	session  string

	found     string   // the checkpoints folder of the project that was opened
	args      []string // the command line
	astray    error    // the help was asked of a word that is no command
	version   bool
	stdinUsed bool
	read      []byte // of standard input
}

// settings returns the settings of the workspace that the flags and the environment ask for.
func (e *Env) settings() workspace.Settings {
	s := workspace.Settings{Dir: e.start(), Folder: e.folder, Pinned: e.target, NoCommit: e.noCommit, DryRun: e.dryRun,
		AllowSecret: e.secret, Now: e.Now, Getenv: e.Streams.Getenv}
	if s.Folder == "" {
		s.Folder = e.Streams.Getenv("CKPT_DIR")
	}
	s.Agent, s.Session = protocol.Who(e.Streams.Getenv)
	if e.agent != "" {
		s.Agent, s.Session = e.agent, e.session
	}
	s.Subagent = !slices.Contains([]string{"", "0", "false"}, e.Streams.Getenv("CKPT_SUBAGENT"))
	if id := e.Streams.Getenv("CKPT_ID"); id != "" {
		s.Shared = true
		if s.Pinned == "" {
			s.Pinned = id
		}
	}
	return s
}

// start is the folder in which the command is as if it had been started.
func (e *Env) start() string {
	if e.dir == "" || filepath.IsAbs(e.dir) {
		return cmp.Or(e.dir, e.Dir)
	}
	return filepath.Join(e.Dir, e.dir)
}

// begin refuses to start in a folder that is not there.
func (e *Env) begin() error {
	if info, err := os.Stat(e.start()); err != nil || !info.IsDir() {
		return fault.New(fault.NotFound, "the folder %q does not exist", e.start())
	}
	return nil
}

// Project opens the repository. Nothing else in a command does so earlier than
// it must.
func (e *Env) Project(ctx context.Context) (*workspace.Workspace, error) {
	if err := e.begin(); err != nil {
		return nil, err
	}
	p, err := workspace.Open(ctx, e.settings())
	if err == nil {
		e.found = p.Prefix
	}
	return p, err
}

// printAnswer prints an answer: as JSON with --json, else as text.
func printAnswer[T any](e *Env, kind string, answer T, text func(*output.Printer, T)) error {
	if e.json {
		return result.Encode(e.Streams.Out, kind, output.JSON(answer, e.found))
	}
	return output.Print(e.Streams, e.quiet, answer, text)
}

// change runs an operation that changes something, and prints its receipt.
func (e *Env) change(cmd *cobra.Command,
	do func(context.Context, *workspace.Workspace) (*result.Receipt, error)) error {
	p, err := e.Project(cmd.Context())
	if err != nil {
		return err
	}
	receipt, err := do(cmd.Context(), p)
	if err != nil {
		return err
	}
	return printAnswer(e, "receipt", receipt, output.Receipt)
}

// text is a value from the command line as the user means it: literal, but for a
// lone "-", which is standard input.
func (e *Env) text(value string) (string, error) {
	if value != "-" {
		return value, nil
	}
	src, err := e.stdin()
	return strings.TrimRight(string(src), "\r\n"), err
}

// texts resolves each value as text does.
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

// lists resolves the values of arguments and flags that may stand several times, as
// text does: each entry of a Markdown list on standard input is a value of its own.
func (e *Env) lists(lists ...*[]string) error {
	for _, list := range lists {
		var all []string
		for _, value := range *list {
			text, err := e.text(value)
			switch {
			case err != nil:
				return err
			case value == "-":
				all = append(all, checkpoint.ParseEntries(text)...)
			default:
				all = append(all, text)
			}
		}
		*list = all
	}
	return nil
}

// file reads what -F names; "-" is standard input.
func (e *Env) file(name string) ([]byte, error) {
	if name == "-" {
		return e.stdin()
	}
	src, err := disk.ReadFile(e.path(name))
	if err == nil && src == nil {
		return nil, fault.New(fault.NotFound, "the file %q does not exist", name)
	}
	if err != nil {
		return nil, fault.New(fault.Failed, "read %q: %w", name, err)
	}
	return src, nil
}

// path is a path of the command line, from where the command is as if started.
func (e *Env) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.start(), name)
}

func (e *Env) stdin() ([]byte, error) {
	if e.stdinUsed {
		return nil, fault.New(fault.Usage, "standard input (-) can be read once only")
	}
	e.stdinUsed = true
	src, err := io.ReadAll(io.LimitReader(e.Streams.In, disk.MaxFile+1))
	if err == nil && len(src) > disk.MaxFile {
		return nil, fault.New(fault.Usage, "standard input holds more than %d MiB", disk.MaxFile>>20)
	}
	if err != nil {
		return nil, fault.New(fault.Failed, "read standard input: %w", err)
	}
	e.read = notNil(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")))
	return e.read, nil
}

func notNil(src []byte) []byte {
	if src == nil {
		return []byte{}
	}
	return src
}

// firstArg returns the first argument, or "".
func firstArg(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
