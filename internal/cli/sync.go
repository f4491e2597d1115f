package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"
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
		Long: `Fetch the checkpoint ref, merge it with that of this clone by id, and push the
result, in every commit mode. git talks to the remote, with your credentials, hooks and
ssh; never by force. The ref here moves only when the remote has taken the push: a sync
that fails changes nothing. If another clone pushed first, it tries again, until
--timeout.

It works on any branch, and whatever git is in the middle of. No code goes over.
docs/teams.md says what it adds to git pull and git push in each mode.

Which remote that is says git config ckpt.remote (a name or a URL), else it is the only
remote, or origin. Where config.yaml has sync: session, an agent's session syncs when it
starts and when it stops. A host that does not take the ref is exit 6, and the hint names
the ways out.

--dry-run fetches nothing: it tells what would go over as of the last fetch.`,
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
		"how long to try again where others push at the same time")
	return cmd
}

// ask asks a question on the terminal and returns the line that the person types.
func (e *Env) ask(question string) (string, error) {
	_, _ = fmt.Fprint(e.Streams.Err, question)
	line, err := bufio.NewReader(e.Streams.In).ReadString('\n')
	if err == io.EOF {
		err = nil
	}
	return strings.TrimSpace(line), err
}
