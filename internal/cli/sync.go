package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/project"
)

func newSync(env *Env) *cobra.Command {
	var req project.SyncRequest
	cmd := &cobra.Command{
		Use:        "sync",
		SuggestFor: []string{"push", "pull", "fetch"},
		Short:      "Fetch others' checkpoints, push yours; no other command does",
		Long: `Fetch, bring what others have committed of checkpoints into the current branch, and push
it to the branch of the remote that it follows. git does it, with your credentials,
hooks and ssh; never by force.

It is about checkpoints alone. Others' commits that change anything else are not brought
in: git pull does that. Yours that do are not pushed, unless --with-code says so. Where
both sides have gone on they are merged, section by section, if no file is in conflict;
else nothing is changed. All of this is refused with exit 6, before anything is brought in
or sent. If the push fails, what was received stays.

--dry-run fetches nothing: it says what would go over as of the last fetch.`,
		Example: "  ckpt sync\n  ckpt sync --with-code\n  ckpt sync --dry-run",
		Args:    atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			if env.Streams.ErrIsTerminal() && !env.quiet {
				req.Watch = env.Streams.Err
			}
			s, err := p.Sync(cmd.Context(), req)
			if err != nil {
				return err
			}
			return env.Present().Sync(s)
		},
	}
	cmd.Flags().BoolVar(&req.WithCode, "with-code", false, "also push commits that change more than checkpoints")
	return cmd
}
