package git

import (
	"os"
	"path/filepath"
	"testing"
)

// A file that a death leaves in refs/heads would be a branch to git, and a broken
// one.
func TestStageRef(t *testing.T) {
	dir := t.TempDir()
	r := &Repo{gitDir: dir, commonDir: dir, program: &program{}}
	heads := filepath.Join(dir, "refs", "heads")
	for _, made := range []string{heads, filepath.Join(dir, "ckpt")} {
		if err := os.MkdirAll(made, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	ref, err := r.stageRef(filepath.Join(heads, "main"), "123")
	if err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(heads); len(entries) > 0 {
		t.Errorf("refs/heads holds %s", entries[0].Name())
	}
	if err := ref.Commit(); err != nil {
		t.Error(err)
	}
	if value, _ := os.ReadFile(filepath.Join(heads, "main")); string(value) != "123\n" {
		t.Errorf("main = %q", value)
	}
}
