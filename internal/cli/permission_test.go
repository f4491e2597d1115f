package cli

import (
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/agents/settings"
)

// withheld has the commands that an agent may not run without asking.
var withheld = []string{
	"init", "save", "edit", "tree", "diff", "fold", "reopen", "undo", "redo", "restore", "delete", "undelete", "prune",
	"doctor", "resolve", "setup", "unsetup", "trust", "plan", "import", "export", "stats", "scan", "mcp", "browse",
	"sync", "migrate", "demo", "completion", "version", "help", "hook", "merge-driver",
}

// TestEveryCommandIsGrantedOrWithheld checks that each command is in settings.Granted or in
// withheld. A granted command has no subcommands: they would be granted with it.
func TestEveryCommandIsGrantedOrWithheld(t *testing.T) {
	var names []string
	root := NewRoot(World{})
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		name := cmd.Name()
		names = append(names, name)
		granted := slices.Contains(settings.Granted, name)
		if granted == slices.Contains(withheld, name) {
			t.Errorf("%s has to be either in settings.Granted or in withheld", name)
		}
		if granted && (cmd.HasSubCommands() || len(cmd.Aliases) > 0) {
			t.Errorf("%s is granted with commands of its own, or by another name", name)
		}
	}
	for _, name := range withheld { // Cursor's rules match the beginning of a word
		if slices.ContainsFunc(settings.Granted, func(granted string) bool { return strings.HasPrefix(name, granted) }) {
			t.Errorf("%s begins as a granted command does", name)
		}
	}
	for _, name := range slices.Concat(settings.Granted, withheld) {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not a command", name)
		}
	}
}
