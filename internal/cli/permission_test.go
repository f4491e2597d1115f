package cli

import (
	"slices"
	"testing"

	"example.com/ckpt/internal/agent"
)

// TestEveryCommandIsGrantedOrWithheld: a new command has to be decided, and one that is
// granted has no commands of its own, which would be granted with it.
func TestEveryCommandIsGrantedOrWithheld(t *testing.T) {
	var names []string
	root := NewRoot(World{})
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		name := cmd.Name()
		names = append(names, name)
		granted, withheld := slices.Contains(agent.Granted(), name), slices.Contains(agent.Withheld(), name)
		if granted == withheld {
			t.Errorf("%s: granted %v, withheld %v", name, granted, withheld)
		}
		if granted && (cmd.HasSubCommands() || len(cmd.Aliases) > 0) {
			t.Errorf("%s is granted with commands of its own, or by another name", name)
		}
	}
	for _, name := range slices.Concat(agent.Granted(), agent.Withheld()) {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not a command", name)
		}
	}
}

// TestGrantedIsNoBeginningOfWithheld: Cursor's rules match the beginning of a word.
func TestGrantedIsNoBeginningOfWithheld(t *testing.T) {
	for _, granted := range agent.Granted() {
		for _, withheld := range agent.Withheld() {
			if len(withheld) >= len(granted) && withheld[:len(granted)] == granted {
				t.Errorf("%s begins with %s", withheld, granted)
			}
		}
	}
}
