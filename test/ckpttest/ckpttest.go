// Package ckpttest runs ckpt as its users do. It runs the scripts of the other packages of this folder, and
// starts processes for tests that kill ckpt, trace it or run it many times at once.
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

// Main runs the tests of a package that starts ckpt. If the executable of the tests is started under the name ckpt, it
// runs ckpt, with the clock of the tests.
func Main(m *testing.M) { begin(parallel{m}) }

// MainWithCompanions is Main for a package that also needs ckpt-mcp and ckpt-view. It builds them first,
// before it changes the environment, so that Go finds its cache.
func MainWithCompanions(m *testing.M) { begin(withCompanions{parallel{m}}) }

func begin(m testscript.TestingM) {
	testscript.Main(m, map[string]func(){
		"ckpt":   func() { os.Exit(cli.Run(cli.World{Now: gittest.Clock})) },
		"claude": func() { os.Exit(claude()) },
	})
}

// parallel runs the tests in the environment of envtest, at least four at the same time: they often wait for
// the disk, a lock or a process.
type parallel struct{ testscript.TestingM }

// Run runs the tests.
func (m parallel) Run() int {
	if err := flag.Set("test.parallel", strconv.Itoa(max(4, runtime.GOMAXPROCS(0)))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	envtest.SetForAll()
	return m.TestingM.Run() // parses the flags, so that a given -parallel overrides the setting
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

// Scripts runs the scripts in testdata/script of a package. Each tests one promise to the user, with real
// git, a fixed author and a fixed time.
func Scripts(t *testing.T) {
	params := params()
	params.Dir, params.UpdateScripts = scriptFolder, os.Getenv("UPDATE_SCRIPTS") != ""
	testscript.Run(t, params)
}

// scriptFolder is where a package has its scripts.
var scriptFolder = filepath.Join("testdata", "script")

// params returns the parameters for running scripts. The caller adds the scripts.
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
		Cmds: commands(map[string]func(ts *testscript.TestScript, args []string){
			"alike FILE1 FILE2":           alike,
			"at TIME":                     at,
			"back":                        back,
			"copies COUNT FROM TO":        copies,
			"dated":                       dated,
			"edit FILE OLD NEW":           edit,
			"elsewhere BRANCH [REVISION]": elsewhere,
			"fails CODE COMMAND...":       fails,
			"like stdout FILE":            like,
			"photo [same]":                photo,
			"rare":                        rare,
			"reads COMMAND...":            reads,
			"repo [DIR]":                  repo,
			"rev NAME [REVISION]":         rev,
			"typed TEXT FILL SCRIPT":      typed,
		}),
	}
}

// commands returns the commands of scripts by name, from functions by usage. A script fails if it calls a command in a
// way that its usage does not show.
func commands(byUsage map[string]func(*testscript.TestScript, []string)) map[string]func(*testscript.TestScript, bool, []string) {
	all := map[string]func(*testscript.TestScript, bool, []string){}
	for usage, do := range byUsage {
		words := strings.Fields(usage)
		least := len(words) - 1 - strings.Count(usage, "[")
		all[words[0]] = func(ts *testscript.TestScript, neg bool, args []string) {
			tooMany := len(args) > len(words)-1 && !strings.HasSuffix(usage, "...")
			if neg || len(args) < least || tooMany {
				ts.Fatalf("usage: %s", usage)
			}
			do(ts, args)
		}
	}
	return all
}

// byWine names an environment variable with a folder. If it is set, scripts run the Windows build by
// the commands in that folder; see test/wine.
const byWine = "CKPT_TEST_WINE"

// NoSleep is an environment variable that keeps a program with the race detector from sleeping for a second at its end.
const NoSleep = "GORACE=atexit_sleep_ms=0"

type setter interface{ Setenv(key, value string) }

func setTime(env setter, when string) {
	env.Setenv("CKPT_TEST_TIME", when)
	env.Setenv("GIT_AUTHOR_DATE", when)
	env.Setenv("GIT_COMMITTER_DATE", when)
}

// at sets the time of all later commands.
func at(ts *testscript.TestScript, args []string) { setTime(ts, args[0]) }

// repo makes a git repository with one commit, which has README.md, and changes to the repository's folder.
func repo(ts *testscript.TestScript, args []string) {
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
