package cli

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"example.com/ckpt/internal/agent"
	"example.com/ckpt/internal/core/dialect"
	"example.com/ckpt/internal/core/fault"
)

// isReadOnly reports whether a command failed because it may not write a file.
func isReadOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}

// withCure adds to an error what lets an agent write to the repository: the sandbox of
// the one that runs this command is the likely reason.
func withCure(err error, getenv func(string) string, command string) error {
	name, _ := dialect.Who(getenv)
	title, known := sandboxed[name]
	if !known || !isReadOnly(err) || fault.HintOf(err) != "" {
		return err
	}
	cure := fault.New(fault.KindOf(err), "%w", err)
	switch {
	case !slices.Contains(agent.Granted(), command):
		return cure.WithHint("the sandbox of %s may not write here, and setup does not let ckpt %s out of it: ask the user", title, command)
	case name == "codex":
		return cure.WithHint("Codex keeps .git read-only in its sandbox. Run ckpt by itself in plain words (no cd, pipe, redirection, << or $); where that fails, too, the user has to run ckpt setup codex and trust this folder in Codex")
	}
	return cure.WithHint("the sandbox of %s may not write here: ask the user to run ckpt setup %s, or to let ckpt out of the sandbox", title, name)
}

// sandboxed are the agents that can run commands in a sandbox.
var sandboxed = map[string]string{"claude": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "copilot": "Copilot CLI", "opencode": "OpenCode", "cursor": "Cursor"}
