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
		Long: `Fetch, merge the checkpoints of the current branch and of the remote one that it
follows, and push the result. git talks to the remote, with your credentials, hooks and
ssh; never by force. The branch here moves only when the remote has taken the push: a
sync that fails changes nothing. If another clone pushed first, it tries again, until
--timeout.

Code stays where it is. If you have commits with code that are not pushed, or the remote
has some that are not here, only the checkpoints go over, in one commit; git push and
git pull bring the code. --with-code sends yours, too. Staged and edited files stay as
they are; a checkpoint that you have edited by hand is merged with what comes, and stays
uncommitted.

A branch that follows none syncs with the one of its name at the only remote, or at
origin. On a terminal the first sync to a remote's default branch asks; --yes answers,
and git config ckpt.syncDefault keeps the answer. If the remote protects the branch
nothing is sent, and the error names the way by a pull request.

With commit: ref it exchanges the checkpoint ref instead, whatever git is in the middle
of, and whatever branch is checked out: no branch moves, no code goes over, no hook
runs. Which remote that is says git config ckpt.remote (a name or a URL), else it is the
only remote, or origin. Where config.yaml has sync: session, an agent's session syncs
when it starts and when it stops. A host that does not take the ref is exit 6, and the
hint names the ways out.

--dry-run fetches nothing: it tells what would go over as of the last fetch.`,
		Example: "  ckpt sync\n  ckpt sync --with-code\n  ckpt sync --timeout 2m\n  ckpt sync --dry-run",
		Args:    atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			env.syncs = true
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			if env.Streams.ErrIsTerminal() && !env.quiet {
				req.Watch = env.Streams.Err
			}
			if env.Streams.InIsTerminal() && env.Streams.ErrIsTerminal() {
				req.Ask = env.confirm
			}
			return answer(env, "sync", output.Sync)(sync.New(p).Sync(cmd.Context(), req))
		},
	}
	cmd.Flags().BoolVar(&req.Yes, "yes", false, "send to the remote's default branch without asking")
	cmd.Flags().DurationVar(&req.Timeout, "timeout", 30*time.Second,
		"how long to try again where others push at the same time")
	cmd.Flags().BoolVar(&req.WithCode, "with-code", false, "also push commits that change more than checkpoints")
	return cmd
}

// confirm asks a question on the terminal. Anything but y or yes means no.
func (e *Env) confirm(question string) (bool, error) {
	answer, err := e.ask(question)
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", err
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
