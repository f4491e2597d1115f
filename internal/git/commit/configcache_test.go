package commit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git/gittest"
)

// A commit in an ordinary repository starts no process once the configuration is cached,
// and every change of the configuration is noticed.
func TestConfigIsCached(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	g.Write("../inc", "[user]\n\tname = Inc\n")
	g.Git("config", "include.path", "../../inc")
	g.Git("config", "includeIf.onbranch:topic.path", "topic")
	g.Git("config", "http.extraHeader", "Authorization: secret")
	os.Unsetenv("GIT_AUTHOR_NAME") // gittest restores it
	calls := watchGit(t)
	time.Sleep(2100 * time.Millisecond) // files this young are not trusted

	author := func() string {
		t.Helper()
		file := change.File{Path: "checkpoints/n.md", After: []byte(time.Now().String())}
		record(t, g, file)
		return g.Git("log", "-1", "--format=%an")
	}
	if got := author(); got != "Inc" {
		t.Errorf("author %q", got)
	}
	calls()
	file := change.File{Path: "checkpoints/n.md", After: []byte("cached")}
	record(t, g, file)
	if started := calls(); started != "" {
		t.Errorf("git was started:\n%s", started)
	}
	if cache := g.Read(".git/ckpt/config"); strings.Contains(cache, "secret") {
		t.Error("a secret is in the cache")
	}

	g.Write("../inc", "[user]\n\tname = Inc2\n")
	if got := author(); got != "Inc2" {
		t.Errorf("after the included file changed: %q", got)
	}
	g.Write(".git/topic", "[user]\n\tname = Topic\n")
	g.Git("checkout", "-q", "-b", "topic")
	if got := author(); got != "Topic" {
		t.Errorf("on branch topic: %q", got)
	}
	g.Git("checkout", "-q", "main")
	g.Write("../inc", "")
	g.At(os.Getenv("HOME")).Write(".config/git/config", "[user]\n\tname = Home\n")
	t.Setenv("GIT_CONFIG_GLOBAL", "")
	os.Unsetenv("GIT_CONFIG_GLOBAL")
	if got := author(); got != "Home" {
		t.Errorf("with a new global file: %q", got)
	}
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "user.name")
	t.Setenv("GIT_CONFIG_VALUE_0", "Env")
	if got := author(); got != "Env" {
		t.Errorf("from the environment: %q", got)
	}
}

// watchGit records git processes from now on. The returned function returns a line for
// each that was started since its last call.
func watchGit(t *testing.T) func() string {
	t.Helper()
	real, err := exec.LookPath("git")
	gittest.Must(t, err)
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script := "#!/bin/sh\necho \"$*\" >>" + log + "\nexec " + real + " \"$@\"\n"
	gittest.Must(t, os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return func() string {
		data, _ := os.ReadFile(log)
		_ = os.Remove(log)
		return string(data)
	}
}
