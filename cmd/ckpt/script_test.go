package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/mcp"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/tui"
	"example.com/ckpt/internal/view"
)

// TestMain lets the scripts run the real commands in this very process.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ckpt": func() {
			os.Exit(cli.Main(interruptible(), os.Args[1:], cli.World{Streams: term.System(), Now: clock}))
		},
		"ckpt-mcp": func() {
			os.Exit(cli.Main(interruptible(), os.Args[1:], cli.World{Streams: term.System(), Now: clock, Serve: mcp.Serve}))
		},
		"claude": func() { os.Exit(claude()) },
		"ckpt-view": func() {
			if len(os.Args) > 1 && os.Args[1] == cli.BrowseFlag {
				os.Exit(cli.Main(interruptible(), os.Args[2:], cli.World{Streams: term.System(), Now: clock, Browse: tui.Run}))
			}
			os.Exit(view.Main(context.Background(), os.Args[1:], term.System()))
		},
	})
}

// clock is the time that the script's last `at` said.
func clock() time.Time {
	t, err := time.Parse(time.RFC3339, os.Getenv("CKPT_TEST_TIME"))
	if err != nil {
		panic("a script sets the time with at: " + err.Error())
	}
	return t
}

// TestScripts runs testdata/script: one script a promise to the user, with real
// git, a fixed author and a fixed time.
func TestScripts(t *testing.T) {
	params := scripts()
	params.Dir, params.UpdateScripts = filepath.Join("testdata", "script"), os.Getenv("UPDATE_SCRIPTS") != ""
	testscript.Run(t, params)
}

// scripts returns how scripts are run, without their names.
func scripts() testscript.Params {
	return testscript.Params{
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, gittest.Env()...)
			env.Vars = append(env.Vars, "HOME="+env.WorkDir, "XDG_CONFIG_HOME="+env.WorkDir, "NO_COLOR=1", "TERM=dumb", "PAGER=cat", noSleep)
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
			"alike":  alike,
			"at":     at,
			"copies": copies,
			"dated":  dated,
			"edit":   edit,
			"fails":  fails,
			"photo":  photo,
			"rare":   rare,
			"reads":  reads,
			"repo":   repo,
			"rev":    rev,
			"typed":  typed,
		},
	}
}

// byWine names the environment variable with the folder of the commands where the scripts
// are to run the Windows build; see test/wine.
const byWine = "CKPT_TEST_WINE"

// noSleep keeps a program that was built with the race detector from sleeping for
// a second at its end.
const noSleep = "GORACE=atexit_sleep_ms=0"

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
	commands := [][]string{{"init", "-q", "-b", "main"}, {"add", "README.md"}, {"commit", "-q", "-m", "First"}}
	if mode := ts.Getenv(commitMode); mode != "" {
		commands = append(commands, []string{"config", "ckpt.commit", mode})
	}
	for _, command := range commands {
		cmd := exec.Command("git", command...)
		cmd.Dir = dir
		for _, name := range []string{"HOME", "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
			cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
		}
		cmd.Env = append(append(os.Environ(), gittest.Env()...), cmd.Env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			ts.Fatalf("git %s: %v\n%s", strings.Join(command, " "), err, fmt.Sprint(string(out)))
		}
	}
	ts.Check(ts.Chdir(dir))
}
