// Package cli contains the commands of ckpt, one cobra command per file. A command builds
// a request from its flags, calls one operation and prints the result.
package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/secrets"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/workspace"
)

// World has the streams, the clock and the other inputs of a run of ckpt.
type World struct {
	Streams term.Streams     // required
	Dir     string           // the folder to start in; "" means the current folder
	Now     func() time.Time // nil means the system clock
	Serve   Server           // nil if this executable has no server: `ckpt mcp` then starts ckpt-mcp
	Browse  Browser          // nil if this executable has no browser: `ckpt browse` then starts ckpt-view
}

// Server answers requests of the Model Context Protocol until its client disconnects.
type Server func(ctx context.Context, s term.Streams, settings workspace.Settings) error

// Browser shows checkpoints on a full screen, and reads and changes them by the methods of b.
type Browser func(ctx context.Context, s term.Streams, b *Browsing) error

// Main runs one command line and returns the exit code (docs/commands/README.md). It prints the
// error of the command.
func Main(ctx context.Context, args []string, w World) int {
	if w.Now == nil {
		w.Now = time.Now
	}
	w.Dir = cmp.Or(w.Dir, ".")
	env := &Env{World: w, args: args, ctx: ctx}
	// agents call a hook after every tool call, so it must be fast: do not construct the command tree
	if len(args) > 2 && args[0] == "hook" && args[1] != "git" {
		answerHook(ctx, env, args[1:])
		return 0
	}
	cmd, err := env.execute()
	if err == nil {
		return 0
	}
	if said, ok := err.(answered); ok {
		return said.exit
	}
	if slices.Contains(args, "--json") {
		write := result.Encode
		if cmd.Annotations[inLines] != "" {
			write = result.EncodeLine
		}
		_ = write(w.Streams.Out, "error", result.FailureOf(err)) // if this fails, standard error still has the error
	}
	style := env.Streams.ErrStyle()
	said := style.Red("ckpt:") + " " + term.Plain(err.Error())
	if w.Streams.ErrIsTerminal() {
		said = term.Wrap(said, w.Streams.Width())
	}
	fmt.Fprintln(w.Streams.Err, said)
	if hint := fault.HintOf(err); hint != "" {
		fmt.Fprintf(w.Streams.Err, "%s %s\n", style.Bold("hint:"), term.Plain(hint))
	}
	return fault.KindOf(err).ExitCode()
}

// Run calls Main with the arguments and the standard streams of this process, for the main function of a program.
func Run(w World) int {
	// The heap may reach 16 MB instead of 4 before the first garbage collection: most commands end before that,
	// and one collection takes a tenth of their time. Later collections run as usual, so large operations need
	// no more memory.
	debug.SetGCPercent(400)
	runtime.AddCleanup(new([16]byte), func(int) { debug.SetGCPercent(100) }, 0)
	w.Streams = term.System()
	return Main(interruptible(), os.Args[1:], w)
}

// interruptible returns a context that ends with the first interrupt, so that locks are released.
func interruptible() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	listen := func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		<-signals
		signal.Stop(signals) // a second interrupt ends the process
		cancel()
	}
	return interruption{ctx, sync.OnceFunc(func() { go listen() })}
}

// interruption is a context that listens for signals only after something calls Done, such as a git process or a lock.
// Listening starts two threads, which takes a twentieth of the time of a short command. Before it listens, an
// interrupt ends the process, and the next command cleans up.
type interruption struct {
	context.Context
	listen func()
}

// Done starts to listen for signals and returns the channel that the first signal closes.
func (i interruption) Done() <-chan struct{} {
	i.listen()
	return i.Context.Done()
}

// execute runs the command line and returns the command that it names. The error has no secret of the arguments.
func (e *Env) execute() (*cobra.Command, error) {
	root := newRoot(e)
	root.SetArgs(e.args)
	cmd, err := root.ExecuteContextC(e.ctx)
	if err == nil {
		err = e.astray
	}
	asked := !strings.HasPrefix(commandName(cmd), "hook")
	if asked && (err == nil || fault.KindOf(err) == fault.NotFound) {
		e.sayNoFolder()
	}
	if _, said := err.(answered); said || err == nil {
		return cmd, err
	}
	if e.ctx.Err() != nil {
		err = fault.New(fault.Failed, "interrupted").WithHint("%s", fault.HintOf(err))
	}
	err = e.betterHint(cmd, err)
	if fault.KindOf(err) == fault.Usage && fault.HintOf(err) == "" {
		err = fault.New(fault.Usage, "%w", err).WithHint("%s", usage(cmd))
	}
	return cmd, withSandboxHint(secrets.Discreet(err, e.args...), e.Streams.Getenv, commandName(cmd))
}

// commandName returns the path of a command without the name of the program: "plan done".
func commandName(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}

// inLines is the annotation of a command that prints JSON as one line per event. It prints an error as one line, too.
const inLines = "json-lines"

// answered is the error of a command that has already printed its answer, such as a check that found errors. It only
// sets the exit code.
type answered struct{ exit int }

func (a answered) Error() string { return fmt.Sprintf("exit %d", a.exit) }

// exits returns err if it is not nil. Otherwise, if a check has failed, it returns an error that sets the exit code of
// kind and prints nothing.
func exits(err error, failed bool, kind fault.Kind) error {
	if err == nil && failed {
		return answered{kind.ExitCode()}
	}
	return err
}
