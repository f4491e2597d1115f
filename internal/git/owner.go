package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/fault"
)

// checkOwner refuses a repository that git refuses to work in since another user owns
// it: what git found up from here may be a trap that somebody has laid, for instance in
// a folder for temporary files. Where the user owns it all that is known without git;
// elsewhere git decides (safe.directory). A GIT_DIR that is given is not asked about.
func (r *Repo) checkOwner() error {
	if os.Getenv("GIT_TEST_ASSUME_DIFFERENT_OWNER") == "" && !slices.ContainsFunc([]string{filepath.Join(r.root, ".git"), r.root, r.gitDir}, notMine) {
		return nil
	}
	cmd := exec.Command("git", "rev-parse", "--git-dir")
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "LC_ALL=C", "LANGUAGE=C")
	_, err := output(cmd, nil)
	if exitCode(err) != 128 || !strings.Contains(err.Error(), "safe.directory") {
		return nil // git takes it, or has another complaint, which the first call of git will bring
	}
	words, way, _ := strings.Cut(err.Error(), "\n")
	for line := range strings.Lines(way) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "git config ") {
			return fault.New(fault.Refused, "%s", words).WithHint("%s", line)
		}
	}
	return fault.New(fault.Refused, "%s", words).WithHint("git status")
}
