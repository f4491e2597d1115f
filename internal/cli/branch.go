package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/query"
)

// branchHelp describes the flag --branch.
const branchHelp = `The checkpoints of the branch that is checked out come first: those that were last made
current on it, or were begun on it. --branch lists these alone, --branch NAME those of
another branch.`

// branchFlag is the flag --branch, whose value may be left out or follow as an argument.
type branchFlag struct{ name string }

// checkedOut is the value of --branch without a name.
const checkedOut = "@"

func (b *branchFlag) add(cmd *cobra.Command, env *Env) {
	cmd.Flags().StringVar(&b.name, "branch", "", "only those of branch `[NAME]`, or of the one that is checked out")
	cmd.Flags().Lookup("branch").NoOptDefVal = checkedOut
	complete(cmd, "branch", completer{env}.branches)
}

// complete offers the names of branches after --branch.
func (b *branchFlag) complete(env *Env) completions {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if b.name != checkedOut || len(args) > 0 {
			return offer(nil, nil)
		}
		return completer{env}.branches(cmd, args, typed)
	}
}

// check returns an error for an argument that is not the name after --branch.
func (b *branchFlag) check(cmd *cobra.Command, args []string) error {
	most := 0
	if b.name == checkedOut {
		most = 1
	}
	return atMost(most, "no argument")(cmd, args)
}

// value returns the branch that was asked for.
func (b *branchFlag) value(args []string) query.Branch {
	name := b.name
	if name == checkedOut {
		name = firstArg(args)
	}
	return query.Branch{Only: cmp.Or(b.name, name) != "", Name: name}
}
