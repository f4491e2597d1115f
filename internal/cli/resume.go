package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/core/dialect"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/project"
)

// resumeFlags are the flags of resume as they are typed.
type resumeFlags struct {
	budget, bytes int
	agent, format string
}

func newResume(env *Env) *cobra.Command {
	var flags resumeFlags
	var req project.BriefRequest
	cmd := &cobra.Command{
		Use:        "resume [ID]",
		SuggestFor: []string{"prime", "brief", "load", "continue"},
		Short:      "Print the brief: all that is needed to go on",
		Long: `Print what whoever goes on must read: the next action, the problem, the intent, live
decisions, state, next actions and rules, word for word; then the files that were
touched, what was done, context and breadcrumbs, newest first, deltas folded in; then
learnings.

--budget, --bytes and --for bound it. What is least dear goes first, whole entries at
a time; a line near the end says what was left out. Where there is no room for what
must be kept, the first line says INCOMPLETE and what it needs, and the exit code is
6. Tokens are an estimate that leans high.

--new prints only what this session (CKPT_SESSION, or as the agent's environment says;
else this working tree) has not read yet.

Behind the head stands what git knows and the file does not: commits since it was
written, files it names that moved or are gone, edits that no delta mentions. Nothing
is fetched, and no code of the project is run.

Without a current checkpoint it prints nothing and exits 0; a current one that
cannot be read is an error (exit 4); with --recover the last version in history that
can be read stands in for it, else its parent, and the brief says so.`,
		Example: `  ckpt resume
  ckpt resume auth --json
  ckpt resume --budget 1000
  ckpt resume --for claude --new`,
		Args: atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.ID = firstArg(args)
			if err := flags.into(&req, env, cmd); err != nil {
				return err
			}
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			brief, read, err := p.Brief(cmd.Context(), req)
			if err != nil {
				return err
			}
			if brief == nil && !env.quiet {
				remark, err := p.Candidates(cmd.Context())
				if err != nil {
					return err
				}
				fmt.Fprintf(env.Streams.Err, "ckpt: %s\n", remark)
			}
			if err := env.Present().Brief(brief); err != nil {
				return err
			}
			read()
			if brief != nil && !brief.Complete {
				return answered{fault.Refused.ExitCode()}
			}
			return nil
		},
		ValidArgsFunction: env.completeActive,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&flags.budget, "budget", 0, "print at most `N` tokens")
	f.IntVar(&flags.bytes, "bytes", 0, "print at most `N` bytes")
	f.StringVar(&flags.agent, "for", "", "print at most what `AGENT` keeps of a hook's output: "+strings.Join(dialect.Agents(), ", "))
	f.StringVar(&flags.format, "format", "md", "print as `FORMAT`: md, or protocol, the checkpoint protocol's template")
	f.BoolVar(&req.New, "new", false, "print only what this session has not read yet")
	f.BoolVar(&req.Recover, "recover", false, "where the file cannot be read, take its last good version, else its parent")
	return cmd
}

// into reads the flags.
func (f *resumeFlags) into(req *project.BriefRequest, env *Env, cmd *cobra.Command) error {
	for name, n := range map[string]int{"budget": f.budget, "bytes": f.bytes} {
		if cmd.Flags().Changed(name) && n < 1 {
			return fault.New(fault.Usage, "--%s %d is no size", name, n).WithHint("a number from 1 up")
		}
	}
	req.Limit.Tokens, req.Limit.Bytes = f.budget, f.bytes
	if cmd.Flags().Changed("for") {
		bytes, known := dialect.Keeps(f.agent)
		if !known {
			return fault.New(fault.Usage, "--for %q is no agent that ckpt knows", f.agent).WithHint("one of %s", strings.Join(dialect.Agents(), ", "))
		}
		if f.bytes == 0 || bytes < f.bytes {
			req.Limit.Bytes = bytes
		}
	}
	switch f.format {
	case "md":
	case "protocol":
		if req.New || env.json {
			return fault.New(fault.Usage, "--format protocol is the whole brief as text").WithHint("leave out --new and --json")
		}
		req.Protocol = true
	default:
		return fault.New(fault.Usage, "--format %q is none of md, protocol", f.format)
	}
	return nil
}
