package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/agents/hooks"
	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/term"
)

// hookLimit is the maximum time that a hook takes.
const hookLimit = 2 * time.Second

func newHook(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:    "hook AGENT EVENT",
		Hidden: true,
		Short:  "Answer an event of an agent's session, or a hook of git",
		Long: `Called by agents, as their settings say. It reads what the agent tells on standard
input and answers in the agent's format. It exits 0 whatever happens and takes at
most 2 seconds; what failed is kept for ckpt doctor. Outside a repository with
checkpoints it is silent.

Git calls it as git EVENT: pre-commit may refuse a commit of checkpoint files.`,
		Example:            "  ckpt hook claude session-start </dev/null",
		DisableFlagParsing: true, // an unknown flag must not end with exit code 2, which blocks the agent
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
				return cmd.Help()
			}
			if len(args) > 0 && args[0] == "git" {
				return gitHook(cmd.Context(), env, args[1:])
			}
			answerHook(cmd.Context(), env, args)
			return nil
		},
	}
}

// answerHook runs a hook and writes its answer. It does not listen for interrupts, because that takes time, so an
// interrupt ends the process at once.
func answerHook(ctx context.Context, env *Env, args []string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hookLimit)
	defer cancel()
	answer := make(chan []byte, 1)
	go func() { answer <- hook(ctx, env, args) }()
	select {
	case out := <-answer:
		_, _ = env.Streams.Out.Write(out) // it fails if the agent has closed the pipe
	case <-ctx.Done():
		remark(env, "it took longer than "+hookLimit.String())
	}
}

// remark writes to standard error, for a person who tries a hook by hand: agents do not read it.
func remark(env *Env, text string) {
	if !env.quiet {
		fmt.Fprintf(env.Streams.Err, "ckpt: hook: %s\n", term.Plain(text))
	}
}

// hook returns the answer of a hook. It recovers from panics, because agents take their exit code, 2, for a veto.
func hook(ctx context.Context, env *Env, args []string) (out []byte) {
	var call protocol.Call
	failed := func(err error) {
		if env.found != nil {
			hooks.New(env.found).Errors().Add(call, err)
		}
		remark(env, err.Error())
	}
	defer func() {
		if r := recover(); r != nil {
			failed(fault.New(fault.Failed, "%v", r))
		}
	}()
	if len(args) < 2 || !protocol.Known(args[0], protocol.Event(args[1])) {
		remark(env, fmt.Sprintf("AGENT is one of %v, EVENT one of %v", protocol.Agents(), protocol.Events))
		return nil
	}
	event := protocol.Event(args[1])
	call = payload(env, args[0], event)
	if env.dir == "" && filepath.IsAbs(call.Dir) && disk.IsFolder(call.Dir) {
		env.dir = call.Dir
	}
	env.agent, env.session = call.Agent, call.Session
	p, err := env.Project(ctx)
	if err != nil {
		kind := fault.KindOf(err)
		if kind != fault.NotFound && kind != fault.Unsupported && kind != fault.Refused {
			remark(env, err.Error())
		}
		if kind == fault.Invalid && event == protocol.SessionStart {
			return protocol.Encode(call, hooks.NoBrief(err))
		}
		return nil
	}
	answer, err := hooks.New(p).Hook(ctx, call)
	if err != nil {
		failed(err)
	}
	return protocol.Encode(call, answer)
}

// payloadWait is how long to wait for the payload. On a busy machine an agent may need more than a second to write it.
// If an agent writes nothing and leaves standard input open, it still gets its answer.
const payloadWait = hookLimit * 3 / 4

// payload reads what the agent writes to standard input.
func payload(env *Env, agent string, event protocol.Event) protocol.Call {
	if env.Streams.In == nil || env.Streams.InIsTerminal() {
		return protocol.Call{Agent: agent, Event: event}
	}
	read := make(chan protocol.Call, 1)
	go func() { read <- protocol.Decode(agent, event, env.Streams.In) }()
	select {
	case call := <-read:
		return call
	case <-time.After(payloadWait):
		return protocol.Call{Agent: agent, Event: event, Err: fmt.Errorf("no whole input within %v", payloadWait)}
	}
}
