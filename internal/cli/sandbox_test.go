package cli

import (
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"example.com/ckpt/internal/fault"
)

func TestWithSandboxHint(t *testing.T) {
	lock := func(why error) error {
		return fault.New(fault.Failed, "lock %q: %w", ".git/ckpt/lock", &fs.PathError{Op: "open", Path: ".git/ckpt/lock", Err: why})
	}
	for name, c := range map[string]struct {
		err     error
		env     string
		command string
		want    string
	}{
		"codex":          {lock(syscall.EROFS), "CODEX_THREAD_ID", "", "ckpt setup codex"},
		"codex, wrapped": {fmt.Errorf("note: %w", lock(syscall.EACCES)), "CODEX_SANDBOX", "", "ckpt setup codex"},
		"claude":         {lock(syscall.EPERM), "CLAUDECODE", "", "ckpt setup claude"},
		"gemini":         {lock(syscall.EROFS), "GEMINI_CLI", "", "ckpt setup gemini"},
		"withheld":       {lock(syscall.EROFS), "CODEX_THREAD_ID", "undo", "does not let ckpt undo run outside of it"},
		"a person":       {lock(syscall.EROFS), "", "", ""},
		"another error":  {lock(syscall.ENOSPC), "CODEX_THREAD_ID", "", ""},
		"its own hint":   {fault.New(fault.Failed, "%w", lock(syscall.EROFS)).WithHint("do this"), "CODEX_THREAD_ID", "", "do this"},
	} {
		if c.command == "" {
			c.command = "note"
		}
		err := withSandboxHint(c.err, func(name string) string {
			if name == c.env {
				return "1"
			}
			return ""
		}, c.command)
		hint := fault.HintOf(err)
		if c.want == "" && hint != "" || !strings.Contains(hint, c.want) || err.Error() != c.err.Error() || fault.KindOf(err) != fault.Failed {
			t.Errorf("%s: %v, hint %q", name, err, hint)
		}
	}
}
