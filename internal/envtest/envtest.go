// Package envtest makes an environment for the processes that tests start. It is the same on every machine, for every
// user and in every language.
package envtest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// kept names the caller's variables that the processes of a test may see: the paths of programs and temporary files,
// and the settings of Go and of the tests. All others are removed, such as those of the user and the agent.
var kept = []string{
	"PATH", "PATHEXT", "TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC",
	"GOCOVERDIR", "GODEBUG", "GOMAXPROCS", "GORACE", "GOTRACEBACK", "UPDATE_SCRIPTS",
}

func isKept(name string) bool {
	return slices.Contains(kept, strings.ToUpper(name)) || strings.HasPrefix(name, "CKPT_TEST_")
}

// noHome returns the path of a folder that does not exist.
func noHome() string { return filepath.Join(os.TempDir(), "no-home-"+strconv.Itoa(os.Getpid())) }

// Settings returns variables that make git ignore the configuration of the machine, and that fix the
// language and the time zone. The user's configuration is a file in a folder that does not exist: git reads it
// as empty and cannot write it. With /dev/null instead, `git config --global`, run as root, would replace
// the null device.
func Settings() []string {
	return []string{
		"HOME=" + noHome(),
		"GIT_CONFIG_GLOBAL=" + filepath.Join(noHome(), "gitconfig"),
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Test",
		"GIT_AUTHOR_EMAIL=test@example.com",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Test",
		"GIT_COMMITTER_EMAIL=test@example.com",
		"GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
		"GIT_TERMINAL_PROMPT=0",
		"LC_ALL=C",
		"TZ=UTC",
	}
}

// Env returns the environment for a process that a test starts: the caller's variables that isKept
// allows, Settings, and vars.
func Env(vars ...string) []string {
	all := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !isKept(name)
	})
	return slices.Concat(all, Settings(), vars)
}

// Command returns a command with the environment Env.
func Command(name string, args ...string) *exec.Cmd {
	return CommandContext(context.Background(), name, args...)
}

// CommandContext returns a command with the environment Env. The command is killed when ctx ends.
func CommandContext(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = Env()
	return cmd
}

// Set makes Env the environment of the test's own process, with an empty folder as HOME. The code under
// test reads it and passes it to git. On Unix, Set also sets the umask to 022.
func Set(t *testing.T) {
	t.Helper()
	setUmask()
	setEnv(func(name, value string) {
		t.Setenv(name, value) // restored when the test ends
		if value == "" {
			os.Unsetenv(name)
		}
	})
	t.Setenv("HOME", t.TempDir())
}

// SetForAll sets the environment for all tests of a package. The package's TestMain calls SetForAll.
func SetForAll() {
	setUmask()
	setEnv(func(name, value string) {
		err := os.Setenv(name, value)
		if value == "" {
			err = os.Unsetenv(name)
		}
		if err != nil {
			panic(err)
		}
	})
}

// setEnv calls set for each variable of Settings, and with "" for each variable that isKept rejects.
func setEnv(set func(name, value string)) {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != "" && !isKept(name) {
			set(name, "")
		}
	}
	for _, v := range Settings() {
		name, value, _ := strings.Cut(v, "=")
		set(name, value)
	}
}
