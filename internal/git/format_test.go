package git

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReadFormat(t *testing.T) {
	dir := t.TempDir()
	config := "[core]\n\trepositoryformatversion = 1\n\tBare = true ; no\n" +
		"[core] worktree = \"../a \\\"b\\\" # c\" # d\n" +
		"# [extensions]\n[Extensions]\n\tobjectFormat = sha256\n\tpartialClone\n[extensions \"sub\"]\n\tnot = this\n[user\n"
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := readFormat(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	if !f.bare || f.worktree != `../a "b" # c` || len(f.extensions) != 2 || f.extensions["objectformat"] != "sha256" || f.extensions["partialclone"] != "true" {
		t.Errorf("format = %+v", f)
	}
	if f, err := readFormat(dir, t.TempDir()); err != nil || f.worktree != "" {
		t.Errorf("linked: %+v, %v", f, err)
	}
}
