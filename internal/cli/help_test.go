package cli_test

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/term"
)

// Every command's help says what it does and has an example, and the examples
// name commands and flags that there are.
func TestHelpHasExamples(t *testing.T) {
	root := cli.NewRoot(cli.World{Streams: term.Streams{Out: io.Discard, Err: io.Discard}})
	for _, c := range below(root) {
		switch {
		case c.Hidden:
		case c.Short == "":
			t.Errorf("%s does not say what it does", c.CommandPath())
		case !strings.Contains(c.Example, c.CommandPath()):
			t.Errorf("%s has no example", c.CommandPath())
		}
		for line := range strings.Lines(c.Example) {
			if words := strings.Fields(line); len(words) > 0 && words[0] == "ckpt" {
				checkExample(t, root, strings.TrimSpace(line))
			}
		}
	}
}

func checkExample(t *testing.T, root *cobra.Command, line string) {
	words := strings.Fields(line)[1:]
	found, _, err := root.Find(words)
	if err != nil || found == root {
		t.Errorf("%q names no command", line)
		return
	}
	for _, w := range words {
		if strings.HasPrefix(w, "#") {
			return // the shell's comment
		}
		name, isFlag := strings.CutPrefix(w, "--")
		if name, _, _ = strings.Cut(name, "="); isFlag && found.Flag(name) == nil {
			t.Errorf("%q: %s has no flag --%s", line, found.CommandPath(), name)
		}
	}
}

func below(c *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, child := range c.Commands() {
		all = append(append(all, child), below(child)...)
	}
	return all
}
