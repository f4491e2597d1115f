package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

func newUse(env *Env) *cobra.Command {
	var none bool
	cmd := &cobra.Command{
		Use:        "use [ID | - | --none]",
		SuggestFor: []string{"switch", "checkout", "focus", "open"},
		Short:      "Make a checkpoint the current one; - is the one before",
		Long: `Make a checkpoint current, and all others active. Each worktree has its own current
checkpoint; a new worktree or clone of the branch begins with this one.
Without ID, on a terminal, it lists the active checkpoints, to pick one by its number.`,
		Example: "  ckpt use auth\n  ckpt use -\n  ckpt use --none",
		Args:    atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			id, err := cmp.Or(c.id, env.target), error(nil)
			switch {
			case none && id != "":
				return fault.New(fault.Usage, "use takes one ID, or --none").WithHint("ckpt use %s", id)
			case none:
				return env.receipt(edit.New(c.project).UseNone(c.ctx))
			case id == "":
				id, err = pickActive(c, env)
			}
			if err != nil {
				return err
			}
			return env.receipt(edit.New(c.project).Use(c.ctx, id))
		}),
		ValidArgsFunction: completer{env}.active,
	}
	cmd.Flags().BoolVar(&none, "none", false, "leave no checkpoint current")
	return cmd
}

// idsNamed is the maximum number of ids that an error names.
const idsNamed = 8

// pickActive asks the user for one of the active checkpoints. Without a terminal it returns an error that
// names them.
func pickActive(c call, e *Env) (id string, err error) {
	overview, err := query.New(c.project).List(c.ctx, query.ListRequest{Active: true})
	if err != nil {
		return "", err
	}
	unreadable := func(entry *result.Entry) bool { return entry.Unreadable != "" }
	overview.Entries = slices.DeleteFunc(overview.Entries, unreadable)
	var ids []string
	for _, entry := range overview.Entries {
		ids = append(ids, entry.ID)
	}
	if len(ids) == 0 {
		return "", fault.New(fault.NotFound, "no checkpoint is active").WithHint("ckpt new NAME --problem TEXT")
	}
	if !e.Streams.InIsTerminal() || !e.Streams.ErrIsTerminal() {
		return "", fault.New(fault.Usage, "use needs an ID: %s", text.List(ids, idsNamed)).WithHint("ckpt use %s", ids[0])
	}
	s := e.Streams
	s.Out = s.Err
	if err := output.Print(e.printer(s), overview, output.Pick); err != nil {
		return "", err
	}
	_, _ = fmt.Fprint(e.Streams.Err, "Use which one? (number or ID) ")
	line, err := bufio.NewReader(e.Streams.In).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", err
	}
	answer := strings.TrimSpace(line)
	if answer == "" {
		return "", fault.New(fault.Usage, "no checkpoint was picked").WithHint("ckpt use ID")
	}
	if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(ids) {
		return ids[n-1], nil
	}
	return answer, nil
}
