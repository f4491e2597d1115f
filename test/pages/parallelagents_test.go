package pages

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/test/ckpttest"
)

// TestParallelAgents runs examples/parallel-agents/run.sh, which checks its own output.
func TestParallelAgents(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("examples/parallel-agents/run.sh needs a POSIX shell")
	}
	dir := t.TempDir()
	cmd := envtest.Command(sh, filepath.Join(examplesDir, "parallel-agents", "run.sh"))
	cmd.Env = append(cmd.Env, "TMPDIR="+dir, "CKPT_TEST_TIME=2026-01-02T10:00:00Z", ckpttest.NoSleep)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the script leaves %v, %v", left, err)
	}
}
