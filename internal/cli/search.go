package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/search"
)

func newSearch(env *Env) *cobra.Command {
	var req query.SearchRequest
	var kinds []string
	var all bool
	cmd := &cobra.Command{
		Use:        "search TEXT...",
		SuggestFor: []string{"grep", "find", "query"},
		Short:      "Find words and \"phrases\" in checkpoints and learnings",
		Long: `Find the checkpoints that contain all the words, and show where they are nearest to
each other: in one bullet or paragraph, else in one section, else anywhere in the file.
Parts of words match, too, and case does not matter. Double quotes make a phrase; in the
shell put single quotes around them. Nothing else has a special meaning.

Checkpoints in active/ come first, then LEARNINGS.md, then the archive. In each, those of
the branch that is checked out come first, then the closest matches, then the last
changed. A file that cannot be read is searched as plain text. Without a match nothing is
printed and the exit code is 0.`,
		Example: "  ckpt search refresh token\n  ckpt search '\"refresh token\"' --kind decision\n" +
			"  ckpt search timeout --archived --since 30d\n  ckpt search -c @ redis",
		Args: atLeast(1, "a TEXT"),
		RunE: env.open(func(c call) error {
			for i := range c.args {
				if err := env.texts(&c.args[i]); err != nil {
					return err
				}
			}
			var err error
			req.Query, err = search.Parse(c.args...)
			if err != nil {
				return err
			}
			req.Kinds, err = search.Kinds(kinds)
			if err != nil {
				return err
			}
			if all {
				req.Active, req.Archived = false, false
			}
			req.Only = env.target
			found, err := query.New(c.project).Search(c.ctx, req)
			return answer(env, "search", output.Search)(output.Found{Terms: req.Query.Terms(), Result: found}, err)
		}),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringSliceVar(&kinds, "kind", nil,
		"only in what is of `KIND`: decision, next, state, artifact, step, rule, delta, learning, ...")
	complete(cmd, "kind", cobra.FixedCompletions(search.KindNames(), cobra.ShellCompDirectiveNoFileComp))
	f.BoolVar(&req.Active, "active", false, "those in active/")
	f.BoolVar(&req.Archived, "archived", false, "those in archive/, and LEARNINGS.md")
	f.BoolVar(&all, "all", false, "both (the default)")
	f.Var(moment{env, &req.Since}, "since", "only checkpoints changed since `TIME`: 2026-01-02, or an age: 12h, 30d, 2w")
	f.Var(number{to: &req.Limit, example: 10}, "limit", "at most `N` lines")
	return cmd
}
