package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/query"
)

func newCompletion(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print a completion script for your shell",
		Example:   "  source <(ckpt completion bash)\n  ckpt completion zsh > \"${fpath[1]}/_ckpt\"",
		Args:      exactlyOne("bash, zsh, fish or powershell"),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), env.Streams.Out
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return fault.New(fault.Usage, "unknown shell %q (want bash, zsh, fish or powershell)", args[0])
		},
	}
}

// completeActive offers the ids of active checkpoints to the shell.
func (e *Env) completeActive(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	return e.complete(cmd, args, begun, query.ListRequest{Active: true})
}

// completeAll offers the ids of active and archived checkpoints to the shell.
func (e *Env) completeAll(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	return e.complete(cmd, args, begun, query.ListRequest{Active: true, Archived: true})
}

func (e *Env) complete(cmd *cobra.Command, args []string, begun string,
	req query.ListRequest) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	p, err := e.Project(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	overview, err := query.New(p).List(cmd.Context(), req)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []string
	for _, entry := range overview.Entries {
		if strings.HasPrefix(entry.ID, begun) || strings.HasPrefix(entry.ID, "chk-"+begun) {
			ids = append(ids, entry.ID+"\t"+entry.Problem)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
