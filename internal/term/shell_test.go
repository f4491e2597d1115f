package term

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/ckpt/internal/envtest"
)

// TestShell checks that a line means the same to the system's shell and to the shell that git runs.
func TestShell(t *testing.T) {
	repo := filepath.Join(t.TempDir(), "repo")
	linked := filepath.Join(t.TempDir(), "linked")
	for _, args := range [][]string{
		{"init", "-q", repo},
		{"-C", repo, "commit", "-q", "--allow-empty", "-m", "First"},
		{"-C", repo, "worktree", "add", "-q", linked},
	} {
		if out, err := envtest.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	below := filepath.Join(linked, "a folder")
	if err := os.Mkdir(below, 0o777); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, line, want string
		args             []string
		code             int
		inRepo           bool // run only in a repository
	}{
		{name: "a program", line: "echo", args: []string{"a b", `"$c"`, "'"}, want: "a b \"$c\" '\n"},
		{name: "several commands", line: "echo 1; echo", args: []string{"2"}, want: "1\n2\n"},
		{name: "a comment", line: "echo 1 # and no more", want: "1\n"},
		{name: "an exit code", line: "echo 1\nexit 7", want: "1\n", code: 7},
		{name: "a failure", line: "false", code: 1},
		{name: "what git's own variables say", line: `echo "${GIT_DIR-none}"; git rev-parse --show-prefix`, want: "none\na folder/\n", inRepo: true},
	}
	for _, dir := range []string{t.TempDir(), below} {
		for _, tt := range tests {
			if tt.inRepo && dir != below {
				continue
			}
			for how, command := range map[string][]string{"here": Shell(tt.line, tt.args...), "by git": gitShell(tt.line, tt.args...)} {
				t.Run(tt.name+", "+how, func(t *testing.T) {
					cmd := envtest.Command(command[0], command[1:]...)
					cmd.Dir = dir
					out, _ := cmd.Output() // the exit code is checked below
					if string(out) != tt.want || cmd.ProcessState.ExitCode() != tt.code {
						t.Errorf("printed %q and ended with %d, want %q and %d", out, cmd.ProcessState.ExitCode(), tt.want, tt.code)
					}
				})
			}
		}
	}
}
