// Package wine runs scripts of the other packages of test with the Windows build of ckpt, in wine, on a host
// with git. It tests ckpt on Windows as far as wine can. It builds ckpt.exe and git.exe (see git_test.go) and
// makes a wine prefix, all in a temporary folder.
//
// Where wine is not installed, or does not start, it reports that and is skipped.
//
//	go test -v ./test/wine -wine [-scripts NAME,NAME...]
package wine

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// scripts names the scripts about differences of Windows: locks, hooks, the shell, the home folder,
// paths, files that are replaced while others read them.
var scripts = []string{
	"commit_hand_edits", "commit_line_endings", "edit", "published_index_lock",
	"hook_commit_msg", "locks_given_back", "plan_mixed", "sync",
	"undo", "windows_concurrent", "windows_home",
}

var (
	inWine = flag.Bool("wine", false, "run scripts with the Windows build, in wine")
	only   = flag.String("scripts", strings.Join(scripts, ","), "run only these `scripts`")
)

// TestMain runs the tests. On Windows it is git.exe.
func TestMain(m *testing.M) {
	if runtime.GOOS != "windows" {
		m.Run()
		return
	}
	code, err := beGit()
	if err != nil {
		fmt.Fprintln(os.Stderr, "git.exe:", err)
		code = 127
	}
	os.Exit(code)
}

func TestScriptsInWine(t *testing.T) {
	if !*inWine {
		t.Skip("takes a minute: -wine")
	}
	t.Chdir("../..")
	if err := run(t, strings.Split(*only, ",")); err != nil {
		t.Fatal(err)
	}
}

// run runs the scripts.
func run(t *testing.T, names []string) error {
	for _, program := range []string{"wine", "wineboot", "wineserver"} {
		if _, err := exec.LookPath(program); err != nil || runtime.GOARCH != "amd64" {
			t.Skipf("no %s for amd64 here: the Windows build of ckpt is not run", program)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	w := wine{dir: t.TempDir()}
	if err := w.build(ctx); err != nil {
		return err
	}
	defer w.stop()
	if err := w.start(ctx); err != nil {
		t.Skipf("wine does not start here: the Windows build of ckpt is not run: %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	go host{w.drive(), w.path("bin")}.serve(l)
	if err := w.wrap(l.Addr().String()); err != nil {
		return err
	}
	return w.test(ctx, names)
}

// wine is the folder with all files that this program makes.
type wine struct{ dir string }

func (w wine) path(name string) string { return filepath.Join(w.dir, name) }

// drive returns the folder that is C: in wine.
func (w wine) drive() string { return w.path("prefix/drive_c") }

// build builds the commands that the scripts run, and git.exe.
func (w wine) build(ctx context.Context) error {
	for _, args := range [][]string{
		{"test", "-c", "-o", w.path("windows/ckpt.exe"), "./test/start"},
		{"build", "-o", w.path("windows/ckpt-mcp.exe"), "./test/companions/program"},
		{"test", "-c", "-o", w.path("git/git.exe"), "./test/wine"},
	} {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w\n%s", args[0], err, out)
		}
	}
	return os.Link(w.path("windows/ckpt-mcp.exe"), w.path("windows/ckpt-view.exe"))
}

// environ returns the environment for all programs of wine. Wine looks for its server in TMPDIR.
func (w wine) environ() []string {
	return []string{"WINEPREFIX=" + w.path("prefix"), "TMPDIR=" + w.dir, "WINEDEBUG=-all",
		"WINEDLLOVERRIDES=mscoree,mshtml=", "DISPLAY="}
}

// start makes the wine prefix. Its server runs until stop, since it would otherwise end after every
// command and take seconds to start again.
func (w wine) start(ctx context.Context) error {
	if err := os.Mkdir(w.path("prefix"), 0o777); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	for _, args := range [][]string{{"wineserver", "-p"}, {"wineboot", "--init"}} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Env = append(os.Environ(), w.environ()...)
		cmd.WaitDelay = time.Second // the programs that wine leaves behind keep the pipe open
		if out, err := cmd.CombinedOutput(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
			return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return addRandomness(w.path("prefix"))
}

func (w wine) stop() {
	cmd := exec.Command("wineserver", "-k", "-w")
	cmd.Env = append(os.Environ(), w.environ()...)
	_ = cmd.Run() // there may be no server
}

// wrap writes the commands that the scripts find in PATH.
func (w wine) wrap(address string) error {
	if err := os.Mkdir(w.path("bin"), 0o777); err != nil {
		return err
	}
	env := append(w.environ(), addressVariable+"="+address, "LC_ALL=C.UTF-8",
		`WINEPATH=Z:`+strings.ReplaceAll(w.path("git"), "/", `\`))
	for _, name := range []string{"ckpt", "ckpt-mcp", "ckpt-view"} {
		script := "#!/bin/sh\n"
		for _, v := range env {
			script += "export '" + v + "'\n"
		}
		script += "exec wine '" + w.path("windows/"+name+".exe") + "' \"$@\"\n"
		if err := os.WriteFile(w.path("bin/"+name), []byte(script), 0o777); err != nil {
			return err
		}
	}
	return nil
}

// test runs the scripts and makes sure that every one of them was run.
func (w wine) test(ctx context.Context, names []string) error {
	users, err := filepath.Glob(filepath.Join(w.drive(), "users", "*"))
	if err != nil {
		return err
	}
	users = slices.DeleteFunc(users, func(path string) bool { return filepath.Base(path) == "Public" })
	if len(users) != 1 {
		return fmt.Errorf("the users of wine are %q", users)
	}
	packages, err := packagesOf(names)
	if err != nil {
		return err
	}
	begun := time.Now()
	var out []byte
	for range 3 {
		cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-count=1", "-v", "-run",
			"^TestScripts$/^(" + strings.Join(names, "|") + ")$"}, packages...)...)
		cmd.Env = append(os.Environ(), "CKPT_TEST_WINE="+w.path("bin"), "CKPT_TEST_WINE_HOME="+users[0])
		out, err = cmd.CombinedOutput()
		if err == nil || !bytes.Contains(out, []byte(".exe: Internal error.")) {
			break // wine, unlike Windows, sometimes fails to start a process
		}
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	for _, name := range names {
		if !strings.Contains(string(out), "--- PASS: TestScripts/"+name+" ") {
			return fmt.Errorf("the script %s was not run\n%s", name, out)
		}
	}
	fmt.Printf("%d scripts in %s\n", len(names), time.Since(begun).Round(time.Second))
	return nil
}

// packagesOf returns the packages that have the scripts.
func packagesOf(names []string) ([]string, error) {
	var packages []string
	for _, name := range names {
		found, err := filepath.Glob("test/*/testdata/script/" + name + ".txtar")
		if err != nil || len(found) != 1 {
			return nil, fmt.Errorf("script %s: %d files have that name %v", name, len(found), err)
		}
		packages = append(packages, "./"+filepath.Dir(filepath.Dir(filepath.Dir(found[0]))))
	}
	return slices.Compact(slices.Sorted(slices.Values(packages))), nil
}
