package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/brief"
)

// limitFlags are the flags that limit a brief, as they are typed.
type limitFlags struct {
	budget, bytes int
	agent         string
}

// add adds the flags to a command.
func (l *limitFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Var(number{to: &l.budget, least: 1, example: 1000}, "budget", "print at most `N` tokens")
	f.Var(number{to: &l.bytes, least: 1, example: 4000}, "bytes", "print at most `N` bytes")
	choose(cmd, &l.agent, "for",
		"print at most what `AGENT` keeps of a hook's output: "+strings.Join(protocol.Agents(), ", "), protocol.Agents()...)
}

// limit returns the limit that the flags give.
func (l *limitFlags) limit() brief.Limit {
	limit := brief.Limit{Tokens: l.budget, Bytes: l.bytes}
	bytes, known := protocol.Keeps(l.agent)
	if known && (l.bytes == 0 || bytes < l.bytes) {
		limit.Bytes = bytes
	}
	return limit
}
