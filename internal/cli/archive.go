package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/query"
)

func newArchive(env *Env) *cobra.Command {
	var req edit.ArchiveRequest
	var file string
	cmd := &cobra.Command{
		Use:        "archive [ID] (-F - | --outcome TEXT)",
		SuggestFor: []string{"close", "finish", "complete", "end", "abandon"},
		Short:      "End a checkpoint: outcome, learnings, into the archive",
		Long: `Write the Completion, move the file to archive/ and add its learnings to LEARNINGS.md,
in one commit. --outcome may be left out if the file has a Completion already.
-F reads Markdown: the outcome, then a heading Learnings with an entry for each; or the
fields Outcome and Learnings as in the file; its Status and Date are ignored.
A checkpoint with active children is refused, unless --force.`,
		Example: `  ckpt archive -F - <<'EOF'
  SSO works, shipped in 2.4.
  ### Learnings
  - Clients' clocks drift: allow 60 s
  EOF
  ckpt archive --outcome 'SSO works, shipped in 2.4' --learning 'Token clocks drift: allow 60 s'
  ckpt archive auth-retry --outcome 'Retries log the cause' --back   # and go on with the parent`,
		Args: atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			req.ID = c.id
			if err := cmp.Or(env.texts(&req.Outcome), env.lists(checkpoint.Completion, &req.Learnings)); err != nil {
				return err
			}
			if file != "" {
				src, err := env.file(file)
				if err != nil {
					return err
				}
				outcome, learnings, err := revise.ParseCompletion(src)
				if err != nil {
					return fault.New(fault.KindOf(err), "the text given with -F: %w", err)
				}
				req.Outcome, req.Learnings = paragraphs(req.Outcome, outcome), append(learnings, req.Learnings...)
			}
			return env.receipt(edit.New(c.project).Archive(c.ctx, req))
		}),
		ValidArgsFunction: completer{env}.active,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&req.Outcome, "outcome", "", "what was achieved")
	f.StringArrayVar(&req.Learnings, "learning", nil, "what the next session should know (repeatable)")
	f.StringVarP(&file, "file", "F", "", "read Markdown from `FILE` (- is standard input)")
	f.BoolVar(&req.Back, "back", false, "make the outcome a step of the parent, and the parent current")
	f.BoolVar(&req.Force, "force", false, "even while children are active")
	return cmd
}

func newReopen(env *Env) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:        "reopen ID",
		SuggestFor: []string{"open"},
		Short:      "Make an archived checkpoint active again",
		Long: `Move an archived checkpoint back to active/, without the Completion that ckpt archive
wrote, even if its words were edited. Its learnings are removed from LEARNINGS.md, unless
they were edited. A Completion of another form, as with a field of your own, stays in the
file as "Former Completion", unless --force.`,
		Example: "  ckpt reopen auth",
		Args:    exactlyOne("one ID"),
		RunE: env.open(func(c call) error {
			return env.receipt(edit.New(c.project).Reopen(c.ctx, c.args[0], force))
		}),
		ValidArgsFunction: completer{env}.all,
	}
	cmd.Flags().BoolVar(&force, "force", false, "also remove a Completion of another form than ckpt archive writes")
	return cmd
}

func newLearnings(env *Env) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:     "learnings [TEXT]",
		Short:   "Show what was learned, newest first",
		Long:    `Show what was learned, newest first: LEARNINGS.md, or those of it that hold all words.`,
		Example: "  ckpt learnings\n  ckpt learnings token --limit 5",
		Args:    atMost(99, "words"),
		RunE: env.open(func(c call) error {
			lessons, err := query.New(c.project).Learnings(c.ctx, strings.Join(c.args, " "), limit)
			return answer(env, "learnings", output.Learnings)(lessons, err)
		}),
	}
	limitFlag(cmd, &limit, "at most `N`")
	return cmd
}
