package cli

import (
	"cmp"
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/transfer/schema"
)

// deltaFlags has the values of the flags of ckpt delta, before they are parsed.
type deltaFlags struct {
	revise.Progress
	file              string
	files, transition []string
}

func newDelta(env *Env) *cobra.Command {
	var req edit.DeltaRequest
	var flags deltaFlags
	run := runFlags{}
	cmd := &cobra.Command{
		Use:        "delta [ID] (-F - | -m TEXT)",
		SuggestFor: []string{"checkpoint", "commit", "update", "record", "save-checkpoint"},
		Short:      "Record what changed: the one command before you stop",
		Long: `Append a delta to the checkpoint and, in the same commit, bring its decisions, user
rules, technical context, current state and next actions up to date.

-F reads Markdown: what changed, then ### headings that name the sections (Decisions,
User Rules, Technical Context, Current State, Next Actions, Done, Artifacts, Status
Transitions; others, and text beside entries, stay in the delta). The text of -m, if
given, comes first; entries of flags come after those of the file.
Entries of Decisions, User Rules and Technical Context are added; Current State and Next
Actions replace the old ones: repeat what is still true. An entry of Done is the number
of a next action that is done, or words of it. -F also reads JSON in one of the schemas
of ckpt export --schema, and records what is new in it; its checkpointId is the ID, also
if CKPT_ID names another checkpoint.

Without --artifact the table of files is filled from git: what your own commits
since the last delta and the working tree changed.

--prompt adds the messages of the user that no operation took up yet to the Session
Intent, word for word and with their times. The hooks of agents record them.

--recovered writes the delta of a session that ended without one, from the record of its
tool calls (ckpt log --session) and from git. It states facts only: that "go test ./..."
ended with exit code 1, not that the tests fail. Other flags add to the delta, or replace
what is filled in. If there is nothing to recover, nothing is written.`,
		Example: `  ckpt delta -F - <<'EOF'
  Login works with SSO; the user's token isn't refused any more.
  ### Done
  - reproduce
  ### Decisions
  - **Allow 60 s of drift**: clients' clocks differ; NTP can't be had there
  - **No retry**: it hides the error
  ### User Rules
  - Don't add a dependency
  ### Current State
  Login works, with a test; the docs don't mention it.
  ### Next Actions
  1. Document it in docs/sso.md
  EOF
  ckpt delta --prompt
  ckpt delta -m 'Login works with SSO' --done 'reproduce' --next 'Document it in docs/sso.md'
  ckpt delta -m 'Chose the queue' --decision 'Use SQS: it is there already' --artifact infra/queue.tf:created`,
		Args: atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			req.ID = cmp.Or(c.id, env.target)
			var err error
			req.Note, req.Import, err = flags.progress(env)
			if err != nil {
				return err
			}
			req.Run = run.given(c.cmd.Flags())
			return env.receipt(edit.New(c.project).Delta(c.ctx, req))
		}),
		ValidArgsFunction: completer{env}.active,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&flags.Changed, "message", "m", "", "what changed, in one sentence")
	f.StringArrayVar(&flags.Done, "done", nil,
		"the next action with this number, or that contains `TEXT`, is done (repeatable)")
	f.StringArrayVar(&flags.Decisions, "decision", nil, "a decision, `'WHAT: WHY'` (repeatable)")
	f.StringArrayVar(&flags.Rules, "rule", nil, "a rule of the user's, word for word (repeatable)")
	f.StringArrayVar(&flags.Context, "context", nil, "a technical fact (repeatable)")
	f.StringVar(&flags.State, "state", "", "the new current state, replacing the old one")
	f.StringArrayVar(&flags.Next, "next", nil, "the new next actions, in order, replacing the old ones (repeatable)")
	f.StringArrayVar(&flags.AddNext, "add-next", nil, "append a next action (repeatable)")
	f.StringArrayVar(&flags.files, "artifact", nil,
		"a file, `PATH[:ACTION[:TEXT]]`: created, modified or deleted (repeatable)")
	f.StringArrayVar(&flags.transition, "transition", nil, "a change of status, `'ITEM: BEFORE -> AFTER'` (repeatable)")
	f.StringVar(&flags.Trigger, "trigger", "",
		"why now, in a `WORD`: phase, decision, task; or long, risk, shift, handoff, session, request, source, ...")
	complete(cmd, "trigger", cobra.FixedCompletions(policy.TriggerNames(), cobra.ShellCompDirectiveNoFileComp))
	run.add(f)
	promptFlag(f, &req.Prompt, "the Session Intent")
	f.BoolVar(&req.Recovered, "recovered", false,
		"fill in the work that no delta records, from the record of sessions and from git")
	f.StringVar(&req.Since, "since", "", "fill artifacts from revision `REV` on instead of the last delta")
	f.BoolVar(&req.AllAuthors, "all-authors", false, "fill artifacts from everybody's commits")
	f.StringVarP(&flags.file, "file", "F", "", "read Markdown or JSON from `FILE` (- is standard input)")
	return cmd
}

// progress combines the file of -F with the other flags. A flag for a list adds entries to the list of the file. A
// flag for a text adds a paragraph before the text of the file.
func (f *deltaFlags) progress(env *Env) (p revise.Progress, im *schema.Import, err error) {
	if f.file != "" {
		var src []byte
		src, im, err = env.checkpointFile(f.file)
		if err != nil {
			return p, nil, err
		}
		p, err = revise.ParseProgress(src)
		if err != nil {
			return p, nil, fault.New(fault.KindOf(err), "the text given with -F: %w", err)
		}
	}
	if err := env.texts(&f.Changed, &f.State); err != nil {
		return p, nil, err
	}
	if err := cmp.Or(env.lists(checkpoint.Next, &f.Next, &f.AddNext), env.lists(checkpoint.Context, &f.Context),
		env.lists(checkpoint.Decisions, &f.Done, &f.Decisions, &f.Rules, &f.files, &f.transition)); err != nil {
		return p, nil, err
	}
	p.Changed, p.State, p.Trigger = paragraphs(f.Changed, p.Changed), paragraphs(f.State, p.State), f.Trigger
	p.Done, p.Next, p.AddNext = append(p.Done, f.Done...), append(p.Next, f.Next...), f.AddNext
	p.Rules, p.Context = append(p.Rules, f.Rules...), append(p.Context, f.Context...)
	for _, d := range f.Decisions {
		p.Decisions = append(p.Decisions, checkpoint.NewDecision(d))
	}
	for _, a := range f.files {
		p.Artifacts = append(p.Artifacts, checkpoint.ParseArtifact(a))
	}
	for _, s := range f.transition {
		t, err := checkpoint.ParseTransition(s)
		if err != nil {
			return p, nil, err
		}
		p.Transitions = append(p.Transitions, t)
	}
	return p, im, nil
}
