package cli

import (
	"time"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/sync"
)

func newSync(env *Env) *cobra.Command {
	var req sync.Request
	cmd := &cobra.Command{
		Use:        "sync",
		SuggestFor: []string{"push", "pull", "fetch"},
		Short:      "Fetch others' checkpoints, push yours; no other command does",
		Long: `Fetch the checkpoint ref, merge it by id with the ref of this clone, and push the
result, in every commit mode. git fetches and pushes, with your credentials, hooks and
ssh; never by force. The ref here moves only after the remote accepted the push: a sync
that fails changes nothing. If another clone pushed first, sync tries again, until
--timeout.

It works on any branch, and also during a merge, a rebase or the like. It sends no code.
docs/teams.md describes what it adds to git pull and git push in each mode.

git config ckpt.remote names the remote (or a URL); the default is the only remote, or
origin. With sync: session in config.yaml, an agent's session syncs when it starts and
when it stops. If the host refuses the ref, the exit code is 6, and the hint names what
you can do.

--dry-run fetches nothing: it shows what would be sent and received as of the last fetch.`,
		Example: "  ckpt sync\n  ckpt sync --timeout 2m\n  ckpt sync --dry-run",
		Args:    atMost(0, "no argument"),
		PreRun:  func(*cobra.Command, []string) { env.syncs = true },
		RunE: env.open(func(c call) error {
			if env.Streams.ErrIsTerminal() && !env.quiet {
				req.Watch = env.Streams.Err
			}
			return answer(env, "sync", output.Sync)(sync.New(c.project).Sync(c.ctx, req))
		}),
	}
	cmd.Flags().DurationVar(&req.Timeout, "timeout", 30*time.Second,
		"how long to retry while others push")
	return cmd
}
