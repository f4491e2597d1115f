package cli

import (
	"testing"

	"example.com/ckpt/internal/term"
)

// TestMakers checks that each maker has the name of its command, and that only this command is made.
func TestMakers(t *testing.T) {
	for _, g := range commands() {
		for _, m := range g.makers {
			env := &Env{World: World{Streams: term.Streams{}}, args: []string{m.name}}
			if made := m.make(env); made.Name() != m.name {
				t.Errorf("%s makes the command %s", m.name, made.Name())
			}
			if n := len(newRoot(env).Commands()); n != 1 && m.name != "completion" {
				t.Errorf("ckpt %s makes %d commands", m.name, n)
			}
		}
	}
}
