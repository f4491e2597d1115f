package cli

import (
	"errors"
	"io/fs"
	"syscall"

	"example.com/ckpt/internal/core/dialect"
	"example.com/ckpt/internal/core/fault"
)

// isReadOnly reports whether a command failed because it may not write a file.
func isReadOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}

// withCure adds to an error what lets an agent write to the repository: the sandbox of
// the one that runs this command is the likely reason.
func withCure(err error, getenv func(string) string) error {
	agent, _ := dialect.Who(getenv)
	if agent == "" || !isReadOnly(err) || fault.HintOf(err) != "" {
		return err
	}
	cure := fault.New(fault.KindOf(err), "%w", err)
	switch agent {
	case "codex":
		return cure.WithHint("Codex keeps .git read-only in its sandbox. A command of ckpt leaves it where ckpt setup codex has allowed that (the user runs it, and trusts the folder in Codex), " +
			"and where it is the only thing in the call, in plain words: no cd, pipe, redirection, << or $")
	case "claude", "gemini", "copilot", "opencode", "cursor":
		return cure.WithHint("the sandbox that %s runs commands in may not write here: have the user run ckpt setup %s, or allow ckpt outside of the sandbox", agent, agent)
	}
	return err
}
