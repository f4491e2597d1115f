package term

import (
	"os"
	"runtime"
)

// Shell returns the command that runs a line of shell script. The arguments are added to the last command of the line.
func Shell(line string, args ...string) []string {
	if runtime.GOOS == "windows" {
		return gitShell(line, args...)
	}
	if len(args) == 0 {
		return []string{"sh", "-c", line}
	}
	return append([]string{"sh", "-c", line + ` "$@"`, "sh"}, args...)
}

// gitShell returns a command that makes git run the line as an alias, because Git for Windows contains a shell that
// need not be in PATH. For an alias, git changes to the top folder of the repository, and in a linked worktree it sets
// GIT_DIR. The command undoes both.
func gitShell(line string, args ...string) []string {
	begin := "f() {\ncd -- \"${GIT_PREFIX:-.}\" || exit\n"
	if _, given := os.LookupEnv("GIT_DIR"); !given {
		begin += "unset GIT_DIR\n"
	}
	if len(args) > 0 {
		line += ` "$@"`
	}
	return append([]string{"git", "-c", "alias.ckpt-shell=!" + begin + line + "\n}; f", "ckpt-shell"}, args...)
}
