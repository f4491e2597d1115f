package cli

import (
	"github.com/spf13/pflag"

	"example.com/ckpt/internal/others"
	"example.com/ckpt/internal/term"
)

// everywhereHelp describes the flag --everywhere.
const everywhereHelp = `--everywhere takes in what is on other branches only: local branches, those of remotes as
last fetched, and the commits that other worktrees have checked out. Files of another
worktree that no commit has are not read, and nothing is fetched. What was on this branch
and was deleted here is left out, unless it was changed there since.`

// everywhereFlag adds --everywhere.
func everywhereFlag(f *pflag.FlagSet, on *bool) {
	f.BoolVar(on, "everywhere", false, "also what is on other branches only")
}

// everywhere returns the request. On a terminal it shows the number of branches read until done is
// called.
func (e *Env) everywhere(on bool) (req others.Everywhere, done func()) {
	var bar *term.Progress
	return others.Everywhere{On: on, Step: func(n, of int) {
		if bar == nil && !e.quiet {
			bar = e.Streams.Progress("Reading branches", of/2, e.Now) // each branch is read twice
		}
		bar.Set(n / 2)
	}}, func() { bar.Done() }
}
