package commit

import (
	"os"
	"path/filepath"
	"testing"
)

// TestHookByGit runs hooks as they are run on Windows. A hook is a program with any name.
func TestHookByGit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `the user's "hooks" $0`)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		name, script, want string
		code               int
	}{
		{"it has its arguments", "#!/bin/sh\necho $# \"$1\"\n", "1 a  message\n", 0},
		{"it refuses", "#!/bin/sh\necho no >&2\nexit 3\n", "no\n", 3},
		{"a shell reads it", "echo \"$1\"\n", "a  message\n", 0},
	} {
		hook := filepath.Join(dir, tt.name)
		if err := os.WriteFile(hook, []byte(tt.script), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := hookByGit(t.Context(), hook, "a  message")
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput() // the exit code is checked below
		if string(out) != tt.want || cmd.ProcessState.ExitCode() != tt.code {
			t.Errorf("%s: printed %q and ended with %d, want %q and %d", tt.name, out, cmd.ProcessState.ExitCode(), tt.want, tt.code)
		}
	}
}

func TestCleanMessage(t *testing.T) {
	for given, want := range map[string]string{
		"a":                        "a\n",
		"\n\n a  \n\n\n\nb\t\n \n": " a\n\nb\n",
		" \n":                      "",
		"":                         "",
		"a\x00b\n":                 "ab\n",
	} {
		if got := CleanMessage(given); got != want {
			t.Errorf("%q became %q, want %q", given, got, want)
		}
	}
}
