package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/term"
)

func newMCP(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve checkpoints to an agent by the Model Context Protocol",
		Long: `Answer an agent's requests on standard input and output by the Model Context Protocol:
tools to save, load, list, resume, archive and validate checkpoints. ckpt setup --mcp
adds it to agents. A brief has at most 9,500 bytes, unless a budget is given.

ckpt-mcp, which is installed beside ckpt, does the work. It serves the folder of -C, or
else the one in which it was started.`,
		Example: "  ckpt mcp\n  ckpt -C ~/src/shop mcp",
		Args:    atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if env.Serve != nil {
				return env.Serve(cmd.Context(), env.Streams, env.settings())
			}
			server, ok := term.Companion("ckpt-mcp")
			if !ok {
				return fault.New(fault.Unsupported, "ckpt-mcp is not installed").
					WithHint("put it beside ckpt, or run go install ./cmd/... in a clone of ckpt")
			}
			return term.Become(cmd.Context(), env.Streams, server, env.args...)
		},
	}
}
