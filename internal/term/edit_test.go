package term

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestEditWithoutShell checks that without a shell the editor is started with its words as arguments.
func TestEditWithoutShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("git has a shell there")
	}
	file, rm := filepath.Join(t.TempDir(), "a b.md"), "/bin/rm"
	if err := os.WriteFile(file, []byte("text\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := Edit(t.Context(), Streams{}, rm+" -f", file); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the editor was not given %q: %v", file, err)
	}
}
