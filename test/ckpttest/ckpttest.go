// Package ckpttest runs ckpt as its users do: the scripts of the packages beside it, and programs of their
// own for tests that kill ckpt, trace it or run many at the same time.
package ckpttest

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
)

// Main runs the tests of a package that starts ckpt. In their processes, and for their scripts, the test's
// own executable is ckpt when it is called by that name, with the clock of the tests.
func Main(m *testing.M) { begin(parallel{m}) }

// MainWithCompanions is Main for a package that also needs ckpt-mcp and ckpt-view: it builds them first,
// while Go still finds its cache.
func MainWithCompanions(m *testing.M) { begin(withCompanions{parallel{m}}) }

func begin(m testscript.TestingM) {
	testscript.Main(m, map[string]func(){
		"ckpt":   func() { os.Exit(cli.Run(cli.World{Now: gittest.Clock})) },
		"claude": func() { os.Exit(claude()) },
	})
}

// parallel runs the tests in the environment of envtest. It runs four at the same time even on two processors, because they often wait: for the
// disk, a lock, a process.
type parallel struct{ testscript.TestingM }

// Run runs the tests.
func (m parallel) Run() int {
	if err := flag.Set("test.parallel", strconv.Itoa(max(4, runtime.GOMAXPROCS(0)))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	envtest.SetForAll()
	return m.TestingM.Run() // reads the flags again
}

// withCompanions runs the tests with ckpt-mcp and ckpt-view in the folder of ckpt.
type withCompanions struct{ testscript.TestingM }

// Run runs the tests once these two programs are built.
func (m withCompanions) Run() int {
	if err := buildCompanions(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.TestingM.Run()
}

func buildCompanions() error {
	ckpt, err := exec.LookPath("ckpt")
	if err != nil {
		return err
	}
	path := func(name string) string { return filepath.Join(filepath.Dir(ckpt), name+filepath.Ext(ckpt)) }
	args := []string{"build", "-buildvcs=false", "-o", path("ckpt-mcp")}
	info, ok := debug.ReadBuildInfo()
	if ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race")
	}
	out, err := exec.Command("go", append(args, "example.com/ckpt/test/companions/program")...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return os.Link(path("ckpt-mcp"), path("ckpt-view"))
}

// Scripts runs testdata/script of a package: one script a promise to the user, with real git, a fixed
// author and a fixed time.
func Scripts(t *testing.T) {
	params := params()
	params.Dir, params.UpdateScripts = scriptFolder, os.Getenv("UPDATE_SCRIPTS") != ""
	testscript.Run(t, params)
}

// scriptFolder is where a package has its scripts.
var scriptFolder = filepath.Join("testdata", "script")

// params returns how scripts are run, without their names.
func params() testscript.Params {
	return testscript.Params{
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, envtest.Settings()...)
			env.Vars = append(env.Vars, "HOME="+env.WorkDir, "XDG_CONFIG_HOME="+env.WorkDir, "NO_COLOR=1", "TERM=dumb", "PAGER=cat", NoSleep)
			if dir := os.Getenv(byWine); dir != "" {
				env.Setenv("PATH", dir+string(filepath.ListSeparator)+env.Getenv("PATH"))
				env.Setenv("WINE_HOME", os.Getenv(byWine+"_HOME"))
			}
			setTime(env, "2026-01-02T10:00:00Z")
			env.Values[photoKey{}] = new(string)
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "wine" {
				return os.Getenv(byWine) != "", nil
			}
			return gitIs(name)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"alike":     alike,
			"back":      back,
			"elsewhere": elsewhere,
			"at":        at,
			"copies":    copies,
			"dated":     dated,
			"edit":      edit,
			"fails":     fails,
			"like":      like,
			"photo":     photo,
			"rare":      rare,
			"reads":     reads,
			"repo":      repo,
			"rev":       rev,
			"typed":     typed,
		},
	}
}

// byWine names the environment variable with the folder of the commands where the scripts
// are to run the Windows build; see test/wine.
const byWine = "CKPT_TEST_WINE"

// NoSleep keeps a program that was built with the race detector from sleeping for
// a second at its end.
const NoSleep = "GORACE=atexit_sleep_ms=0"

type setter interface{ Setenv(key, value string) }

func setTime(env setter, when string) {
	env.Setenv("CKPT_TEST_TIME", when)
	env.Setenv("GIT_AUTHOR_DATE", when)
	env.Setenv("GIT_COMMITTER_DATE", when)
}

// at sets the time of all commands that follow: at 2026-01-02T10:00:00Z
func at(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: at TIME")
	}
	setTime(ts, args[0])
}

// repo makes a git repository with one commit that holds README.md, and goes
// there: repo [DIR]
func repo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: repo [DIR]")
	}
	dir := ts.MkAbs(strings.Join(append(args, "."), "/"))
	ts.Check(os.MkdirAll(dir, 0o777))
	readme := filepath.Join(dir, "README.md")
	if _, err := os.Stat(readme); err != nil {
		ts.Check(os.WriteFile(readme, []byte("# A project\n"), 0o666))
	}
	commands := [][]string{{"init", "-q", "-b", "main"}, {"add", "README.md"},
		{"-c", "maintenance.auto=false", "commit", "-q", "-m", "First"}}
	if mode := ts.Getenv(commitMode); mode != "" {
		ts.Check(os.MkdirAll(filepath.Join(dir, "checkpoints"), 0o777)) // for config.yaml
		commands = append(commands, []string{"config", "ckpt.commit", mode})
	}
	for _, command := range commands {
		cmd := envtest.Command("git", command...)
		cmd.Dir = dir
		for _, name := range []string{"HOME", "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
			cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			ts.Fatalf("git %s: %v\n%s", strings.Join(command, " "), err, fmt.Sprint(string(out)))
		}
	}
	if ts.Getenv(commitMode) != "" {
		ts.Check(os.WriteFile(filepath.Join(dir, ".git", "info", "exclude"), []byte("/.ckpt/\n"), 0o666))
	}
	ts.Check(ts.Chdir(dir))
}
