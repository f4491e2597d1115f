// Package scripts_test tests the scripts of this folder, and install.sh.
package scripts_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
)

// run runs a command in dir and returns what it printed. The command uses Go's caches of this machine.
func run(t *testing.T, dir string, env []string, command ...string) (string, error) {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN"}
	values, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	cmd := envtest.Command(command[0], command[1:]...)
	cmd.Dir = dir
	for i, value := range strings.Split(strings.TrimSuffix(string(values), "\n"), "\n") {
		cmd.Env = append(cmd.Env, names[i]+"="+value)
	}
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must runs a command as run does, and fails the test if the command fails.
func must(t *testing.T, dir string, command ...string) string {
	t.Helper()
	out, err := run(t, dir, nil, command...)
	if err != nil {
		t.Fatalf("%q: %v\n%s", command, err, out)
	}
	return out
}

// TestRehome moves a copy of the project to another address. All its packages must then be found
// there, and nothing but the history of decisions may name the old address.
func TestRehome(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rehome is a shell script")
	}
	dir := filepath.Join(t.TempDir(), "ckpt")
	must(t, ".", "git", "clone", "-q", "..", dir)
	old := strings.TrimSpace(must(t, dir, "go", "list", "-m"))
	out, err := run(t, dir, nil, "scripts/rehome", "not a path")
	if err == nil || !strings.HasPrefix(out, "usage: ") {
		t.Errorf("a path with spaces: %v\n%s", err, out)
	}
	coloured := []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=color.ui", "GIT_CONFIG_VALUE_0=always"}
	out, err = run(t, dir, coloured, "scripts/rehome", "github.com/some-one/ckpt")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.TrimSpace(must(t, dir, "go", "list", "-m")); got != "github.com/some-one/ckpt" {
		t.Errorf("the module is %s", got)
	}
	must(t, dir, "go", "list", "-deps", "-test", "./...")
	left, _ := run(t, dir, nil, "git", "grep", "-nE", "-e", old+"|(^|[^_])OWNER($|[/. ])", "--", ".", ":!checkpoints",
		":!docs/decisions.md", ":!CHANGELOG.md", ":!scripts", ":!internal/token")
	if left != "" {
		t.Errorf("the old address is left in\n%s", left)
	}
	for file, want := range map[string]string{
		"server.json":                 `"name": "io.github.some-one/ckpt"`,
		"docs/schema/plan.json":       `"$id": "https://github.com/some-one/ckpt/raw/main/docs/schema/plan.json"`,
		"internal/policy/config.yaml": `$schema=https://github.com/some-one/ckpt/raw/main/docs/schema/config.json`,
	} {
		src, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(src), want) {
			t.Errorf("%s does not have %s: %v", file, want, err)
		}
	}
	if unformatted := must(t, dir, "gofmt", "-l", "cmd", "internal/cli", "internal/git"); unformatted != "" {
		t.Errorf("not formatted: %s", unformatted)
	}
}

// TestInstall installs from a release in a folder, and refuses one with a wrong checksum.
func TestInstall(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("install.sh is for Linux and macOS")
	}
	_, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("no curl here")
	}
	releases, files, bin := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "bin")
	for _, name := range []string{"ckpt", "ckpt-view", "ckpt-mcp"} {
		program := "#!/bin/sh\necho " + name + " 9.9.9\n"
		err := os.WriteFile(filepath.Join(files, name), []byte(program), 0o755)
		if err != nil {
			t.Fatal(err)
		}
	}
	latest := filepath.Join(releases, "latest", "download")
	err = os.MkdirAll(latest, 0o777)
	if err != nil {
		t.Fatal(err)
	}
	var sums, wrong strings.Builder
	for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"} {
		name := "ckpt_9.9.9_" + platform + ".tar.gz"
		must(t, files, "tar", "-czf", filepath.Join(latest, name), "ckpt", "ckpt-view", "ckpt-mcp")
		archive, err := os.ReadFile(filepath.Join(latest, name))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(archive), name)
		fmt.Fprintf(&wrong, "%064d  %s\n", 0, name)
	}
	checksums := filepath.Join(latest, "checksums.txt")
	env := []string{"CKPT_RELEASES=file://" + releases, "CKPT_BIN=" + bin, "CKPT_VERSION="}

	err = os.WriteFile(checksums, []byte(wrong.String()), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	out, err := run(t, "..", env, "./install.sh")
	if err == nil || !strings.Contains(out, "is wrong: nothing was installed") {
		t.Errorf("a wrong checksum: %v\n%s", err, out)
	}
	_, err = os.Stat(bin)
	if err == nil {
		t.Error("something was installed")
	}

	err = os.WriteFile(checksums, []byte(sums.String()), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	out, err = run(t, "..", env, "./install.sh")
	if err != nil || !strings.Contains(out, "installed ckpt 9.9.9 in "+bin) {
		t.Errorf("%v\n%s", err, out)
	}
	for _, name := range []string{"ckpt", "ckpt-view", "ckpt-mcp"} {
		if got := must(t, ".", filepath.Join(bin, name)); got != name+" 9.9.9\n" {
			t.Errorf("%s prints %q", name, got)
		}
	}
	out, err = run(t, "..", append(env, "CKPT_VERSION=1.0.0"), "./install.sh")
	if err == nil || !strings.Contains(out, "no release at") {
		t.Errorf("a release that does not exist: %v\n%s", err, out)
	}
}
