package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/fault"
)

// limitFlags are the flags that limit a brief, as they are typed.
type limitFlags struct {
	budget, bytes int
	agent         string
}

// add adds the flags to a command. Does begins their description: "print at most".
func (l *limitFlags) add(f *pflag.FlagSet, does string) {
	f.IntVar(&l.budget, "budget", 0, does+" `N` tokens")
	f.IntVar(&l.bytes, "bytes", 0, does+" `N` bytes")
	f.StringVar(&l.agent, "for", "", does+" what `AGENT` keeps of a hook's output: "+strings.Join(protocol.Agents(), ", "))
}

// limit parses the flags.
func (l *limitFlags) limit(f *pflag.FlagSet) (brief.Limit, error) {
	for name, n := range map[string]int{"budget": l.budget, "bytes": l.bytes} {
		if f.Changed(name) && n < 1 {
			return brief.Limit{}, fault.New(fault.Usage, "--%s %d is not a size", name, n).WithHint("a number from 1 up")
		}
	}
	limit := brief.Limit{Tokens: l.budget, Bytes: l.bytes}
	if f.Changed("for") {
		bytes, known := protocol.Keeps(l.agent)
		if !known {
			return limit, fault.New(fault.Usage, "--for %q is not an agent that ckpt knows", l.agent).
				WithHint("one of %s", strings.Join(protocol.Agents(), ", "))
		}
		if l.bytes == 0 || bytes < l.bytes {
			limit.Bytes = bytes
		}
	}
	return limit, nil
}
