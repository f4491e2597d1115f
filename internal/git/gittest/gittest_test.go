package gittest_test

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// TestGlobalConfig checks that no test writes the configuration of the user, or puts a file
// in the place of a device.
func TestGlobalConfig(t *testing.T) {
	r := gittest.New(t)
	global := os.Getenv("GIT_CONFIG_GLOBAL")
	if _, err := os.Lstat(filepath.Dir(global)); !os.IsNotExist(err) {
		t.Fatalf("the folder of %s: %v, want none", global, err)
	}
	if _, err := r.TryGit("config", "--global", "user.name", "Somebody"); err == nil {
		t.Errorf("git config --global wrote %s", global)
	}
	if _, err := os.Lstat(filepath.Join(os.Getenv("HOME"), ".gitconfig")); !os.IsNotExist(err) {
		t.Errorf("~/.gitconfig: %v, want none", err)
	}
	if name := r.Git("config", "--default", "nobody", "user.name"); name != "nobody" {
		t.Errorf("user.name is %q, want none", name)
	}
}
