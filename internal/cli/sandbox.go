package cli

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/fault"
)

// withSandboxHint adds a hint to err if an agent runs the command and err reports that it could not write. The likely
// reason is the agent's sandbox.
func withSandboxHint(err error, getenv func(string) string, command string) error {
	name, _ := protocol.Who(getenv)
	agent, unknown := settings.Find(name)
	isReadOnly := errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
	if unknown != nil || !isReadOnly || fault.HintOf(err) != "" {
		return err
	}
	hinted := fault.New(fault.KindOf(err), "%w", err)
	switch {
	case !slices.Contains(settings.Granted, command):
		return hinted.WithHint("the sandbox of %s does not allow to write here, and setup does not let ckpt %s run "+
			"outside of it: ask the user", agent.Title, command)
	case name == "codex":
		return hinted.WithHint("Codex keeps .git read-only in its sandbox. Run ckpt by itself in plain words (no cd, pipe, " +
			"redirection, << or $; -F FILE in place of -F -); if that fails as well, the user has to run ckpt setup codex " +
			"and trust this folder in Codex")
	}
	return hinted.WithHint("the sandbox of %s does not allow to write here: ask the user to run ckpt setup %s, or to let "+
		"ckpt run outside of the sandbox", agent.Title, name)
}
