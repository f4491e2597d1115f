package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/resume"
)

func newResume(env *Env) *cobra.Command {
	format, agent := "md", ""
	var req resume.BriefRequest
	cmd := &cobra.Command{
		Use:        "resume [ID]",
		SuggestFor: []string{"prime", "brief", "load", "continue", "rehearse"},
		Short:      "Print the brief: all that is needed to continue",
		Long: `Print all that is needed to continue: the next action, the problem, the intent, live
decisions, state, next actions and rules, word for word; then the progress, the touched
files, the steps so far, context and breadcrumbs, newest first, with the deltas folded in;
then learnings.

--budget, --bytes and --for limit its size. The least important entries are left out
first. A line near the end names what was left out; a complete brief states that near the
beginning. If even the parts that must be kept do not fit, the first line begins with
INCOMPLETE (exit 6).

Messages of the user in an ended session that no operation took up come before the
state, word for word. If no checkpoint is current, only they are printed.

--new prints only what this session has not read yet: the session of CKPT_SESSION or of
the agent's environment, or else this worktree.

Below the first lines comes what git knows and the file does not: commits since it was
written, files that moved or are gone, changes that no delta mentions. Nothing is fetched.

--at, or ID@{2}, prints the brief of a former version: at a git revision, on a day, or
so many versions ago (ckpt log numbers them).

--workflow, --session and --agent select the last changed active checkpoint that matches,
instead of the current one.

Without a current checkpoint it prints nothing and exits 0. If the current one cannot be
read, that is an error (exit 4); with --recover, the last readable version in history
is used instead, or else the parent, and the brief names it.`,
		Example: `  ckpt resume
  ckpt resume auth --json
  ckpt resume --budget 1000
  ckpt resume --for claude --new
  ckpt resume --workflow ship --agent claude
  ckpt resume --at @{1}`,
		Args: atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			req.ID = c.id
			req.Protocol = format == "protocol"
			if most, known := protocol.Keeps(agent); known && (req.Limit.Bytes == 0 || most < req.Limit.Bytes) {
				req.Limit.Bytes = most
			}
			if err := checkResume(&req, env, c.cmd); err != nil {
				return err
			}
			if req.ID == "@" {
				req.ID = ""
			}
			brief, read, err := resume.New(c.project).Brief(c.ctx, req)
			if err != nil {
				return err
			}
			if isDefault := req.ID == "" && req.Of.None(); brief == nil && isDefault {
				brief = resume.New(c.project).Said(req.Limit)
			}
			if brief == nil {
				if err := env.nothingCurrent(c, req.Of); err != nil {
					return err
				}
			}
			if brief != nil && env.toPerson() && !env.json {
				brief.Text = brief.TextForPerson()
			}
			if err := drawn(env, "brief", brief, output.Brief); err != nil {
				return err
			}
			if !env.dryRun {
				read()
			}
			return exits(nil, brief != nil && !brief.Complete, fault.Refused)
		}),
		ValidArgsFunction: completer{env}.active,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(number{to: &req.Limit.Tokens, least: 1, example: 1000}, "budget", "print at most `N` tokens")
	f.Var(number{to: &req.Limit.Bytes, least: 1, example: 4000}, "bytes", "print at most `N` bytes")
	choose(cmd, &agent, "for",
		"print at most what `AGENT` keeps of a hook's output: "+strings.Join(protocol.Agents(), ", "), protocol.Agents()...)
	filterFlags(cmd, &req.Of, "the latest active one")
	choose(cmd, &format, "format", "print as `FORMAT`: md, or protocol, the checkpoint protocol's template",
		"md", "protocol")
	f.StringVar(&req.At, "at", "", "as it was at `REV|DATE`: HEAD~3, 2026-01-02, @{1} for the version before")
	f.BoolVar(&req.New, "new", false, "print only what this session has not read yet")
	f.BoolVar(&req.Recover, "recover", false, "if the file cannot be read, use its last good version, else its parent")
	return cmd
}

// checkResume returns an error if flags name two checkpoints, or if a flag cannot be combined with --at or --format
// protocol, which print the whole brief. It moves the version in an ID such as auth@{2} to req.At.
func checkResume(req *resume.BriefRequest, env *Env, cmd *cobra.Command) error {
	if !req.Of.None() && (req.ID != "" || cmd.Flags().Changed("checkpoint")) {
		return fault.New(fault.Usage, "an ID and --workflow, --session or --agent name two checkpoints").
			WithHint("give one of them")
	}
	if req.At == "" {
		req.ID, req.At = history.Version(req.ID)
	}
	partial := req.New || req.Recover || !req.Of.None()
	if req.At != "" && partial {
		return fault.New(fault.Usage, "--at is the whole brief of one checkpoint as it was").
			WithHint("leave out --new, --recover, --workflow, --session and --agent")
	}
	if req.Protocol && (req.New || env.json) {
		return fault.New(fault.Usage, "--format protocol is the whole brief as text").WithHint("leave out --new and --json")
	}
	return nil
}

// nothingCurrent prints a remark that there is nothing to resume, and which checkpoints could be resumed.
func (e *Env) nothingCurrent(c call, of progress.Filter) error {
	if e.quiet {
		return nil
	}
	remark, err := resume.New(c.project).Candidates(c.ctx, of)
	if err != nil {
		return err
	}
	return output.Print(e.printer(e.Streams), remark, output.Remark)
}
