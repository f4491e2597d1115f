//go:build unix

package crash

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/test/ckpttest"
)

// recorded is a repository in which hooks record sessions.
type recorded struct {
	*crash
	repo string
	kind
}

// kind is a kind of record: commands, or messages of the user.
type kind struct {
	event, folder string
	least         int // how many entries of 330 bytes must be kept
}

// eachKind runs a test for commands and for messages of the user.
func eachKind(t *testing.T, test func(t *testing.T, r *recorded)) {
	for _, k := range []kind{{"tool", "sessions", 60}, {"prompt", "words", 48}} {
		t.Run(k.event, func(t *testing.T) { test(t, newRecorded(t, k)) })
	}
}

func newRecorded(t *testing.T, k kind) *recorded {
	dir := t.TempDir()
	r := &recorded{kind: k, crash: &crash{t: t, ckpt: ckpttest.Executable(t, dir), template: filepath.Join(dir, "repo")}}
	r.repo = r.template
	r.write("README.md", "# A project\n")
	r.git(r.repo, "init", "-q", "-b", "main")
	r.must(r.repo, "new", "auth", "--problem", "Logins fail")
	return r
}

// hook returns the command of a hook after a command or a message.
func (r *recorded) hook(session, command string, before ...string) *exec.Cmd {
	line := append(before, r.ckpt, "hook", "claude", r.event)
	cmd := envtest.Command(line[0], line[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.repo, r.env(), r.input(r.payload(session, command, 7000))
	return cmd
}

// input returns an open file with a text: a pipe could be filled too late on a busy machine.
func (r *recorded) input(text string) *os.File {
	f, err := os.CreateTemp(filepath.Dir(r.repo), "input")
	gittest.Must(r.t, err)
	r.t.Cleanup(func() { _ = f.Close() })
	_, err = f.WriteString(text)
	gittest.Must(r.t, err)
	_, err = f.Seek(0, io.SeekStart)
	gittest.Must(r.t, err)
	return f
}

// payload returns the input of a Claude Code hook after a command with output bytes of output, or after a
// message.
func (r *recorded) payload(session, command string, output int) string {
	input, err := json.Marshal(map[string]any{
		"session_id": session, "tool_name": "Bash", "tool_input": map[string]string{"command": command}, "prompt": command,
		"tool_response": map[string]any{"stdout": strings.Repeat(`"output"`+"\n", output/9), "interrupted": false},
	})
	gittest.Must(r.t, err)
	return string(input)
}

// commands returns the recorded commands or messages of a session, oldest first.
func (r *recorded) commands(session string) []string {
	r.t.Helper()
	out, code := r.run(r.repo, "log", "--session", session, "--json")
	var log struct {
		Entries []struct{ Command, Text string }
	}
	if err := json.Unmarshal([]byte(out), &log); err != nil || code != 0 {
		r.t.Fatalf("log: exit code %d, %v\n%s", code, err, out)
	}
	var all []string
	for _, e := range slices.Backward(log.Entries) {
		if text := e.Command + e.Text; text != "" {
			all = append(all, text)
		}
	}
	return all
}

// TestRecorderHindered makes each system call on the record fail: the disk is full, the
// git folder read-only, or the hook is killed. The agent gets no error, doctor reports it,
// earlier entries stay, and recording goes on.
func TestRecorderHindered(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed")
	}
	for _, how := range []string{"error=ENOSPC", "error=EROFS", "error=EACCES", "signal=KILL"} {
		for _, call := range []string{"openat", "write", "close"} {
			t.Run(call+" "+how, func(t *testing.T) {
				eachKind(t, func(t *testing.T, r *recorded) {
					gittest.Must(t, r.hook("s", "before").Run())
					logs, err := filepath.Glob(filepath.Join(r.repo, ".git", "ckpt", r.folder, "*"))
					if err != nil || len(logs) != 1 {
						t.Fatal(logs, err)
					}
					trace := filepath.Join(r.repo, "..", "trace")
					cmd := r.hook("s", "spoilt", "strace", "-f", "-qq", "-o", trace, "-P", logs[0], "-e", "trace="+call, "-e", "inject="+call+":"+how)
					out, err := cmd.CombinedOutput()
					if seen, _ := os.ReadFile(trace); !strings.Contains(string(seen), "INJECTED") && !strings.Contains(string(seen), "SIGKILL") {
						t.Skipf("strace spoils nothing here: %s", seen)
					}
					failed := how != "signal=KILL" && call != "close" // an error of close does not fail the hook
					if failed && (err != nil || len(out) > 0) {
						t.Errorf("the agent is told: %v\n%s", err, out)
					}
					if said, _ := r.run(r.repo, "doctor"); strings.Contains(said, "[hook-error]") != failed {
						t.Errorf("doctor:\n%s", said)
					}
					gittest.Must(t, r.hook("s", "after").Run())
					all := slices.DeleteFunc(r.commands("s"), func(c string) bool { return c == "spoilt" && !failed })
					if got := strings.Join(all, " "); got != "before after" {
						t.Errorf("recorded: %s", got)
					}
				})
			})
		}
	}
}

// TestRecorderKilled kills hooks at random while others run: each line can be parsed, and
// the entries of hooks that were not killed stay, in order.
func TestRecorderKilled(t *testing.T) {
	eachKind(t, func(t *testing.T, r *recorded) {
		const writers, calls = 4, 30
		var done [writers][]string
		var all sync.WaitGroup
		for w := range writers {
			random := rand.New(rand.NewPCG(uint64(w), 7))
			all.Go(func() {
				for i := range calls {
					command := fmt.Sprintf("make %d-%d %s", w, i, strings.Repeat("x", 1+random.IntN(150)))
					cmd := r.hook("s", command)
					if err := cmd.Start(); err != nil {
						t.Error(err)
						return
					}
					if random.IntN(2) == 0 {
						time.Sleep(time.Duration(random.IntN(12_000)) * time.Microsecond)
						_ = cmd.Process.Kill()
					}
					if cmd.Wait() == nil {
						done[w] = append(done[w], command)
					}
				}
			})
		}
		all.Wait()
		commands := r.commands("s")
		for w := range writers {
			at := -1
			for _, command := range done[w] {
				i := slices.Index(commands, command)
				if i <= at {
					t.Errorf("%s is line %d, after line %d", command, i, at)
				}
				at = i
			}
		}
		for _, command := range commands {
			if !strings.HasPrefix(command, "make ") {
				t.Errorf("%q", command)
			}
		}
		if out, _ := r.run(r.repo, "doctor"); strings.Contains(out, "hook-error") {
			t.Error(out)
		}
	})
}

// TestRecorderLargeOutput: the payload has 5 MB of output, and the agent leaves the hook's
// standard input open after it.
func TestRecorderLargeOutput(t *testing.T) {
	r := newRecorded(t, kind{event: "tool"})
	cmd := r.hook("s", "")
	cmd.Stdin = nil
	to, err := cmd.StdinPipe()
	gittest.Must(t, err)
	gittest.Must(t, cmd.Start())
	_, err = io.WriteString(to, r.payload("s", "make all", 5<<20))
	gittest.Must(t, err)
	gittest.Must(t, cmd.Wait())
	if got := strings.Join(r.commands("s"), "; "); got != "make all" {
		t.Errorf("recorded: %q", got)
	}
}

// TestRecorderLimits: a session keeps its first message and newest entries in 64 KB. The newest 20 sessions stay.
func TestRecorderLimits(t *testing.T) {
	eachKind(t, func(t *testing.T, r *recorded) {
		const calls = 220
		for i := range calls {
			gittest.Must(t, r.hook("s0", fmt.Sprintf("make %04d %s", i, strings.Repeat("ü", 150))).Run())
		}
		commands := r.commands("s0")
		if r.event == "prompt" {
			if !strings.HasPrefix(commands[0], "make 0000 ") || !strings.Contains(commands[1], "messages left out") {
				t.Fatalf("the first messages are %q", commands[:2])
			}
			commands = commands[2:]
		}
		for i, command := range commands {
			if want := fmt.Sprintf("make %04d ", calls-len(commands)+i); !strings.HasPrefix(command, want) {
				t.Fatalf("line %d: %q, want %q", i, command, want)
			}
		}
		size := int64(0)
		logs := func() []string {
			all, err := filepath.Glob(filepath.Join(r.repo, ".git", "ckpt", r.folder, "*"))
			gittest.Must(t, err)
			return all
		}
		for _, path := range logs() {
			info, err := os.Stat(path)
			gittest.Must(t, err)
			size += info.Size()
		}
		if r.event == "prompt" { // the bytes of the messages count, not those of the lines
			size = int64(len(strings.Join(r.commands("s0"), "")))
		}
		if size > 64<<10 || len(commands) < r.least {
			t.Errorf("%d bytes, %d commands", size, len(commands))
		}
		for i := range 25 {
			gittest.Must(t, r.hook(fmt.Sprintf("s%d", i+1), "make").Run())
		}
		if all := logs(); len(all) != 20 {
			t.Errorf("%d logs: %s", len(all), all)
		}
		if out, code := r.run(r.repo, "log", "--session", "s0"); code != 3 {
			t.Errorf("s0: exit code %d\n%s", code, out)
		}
		if len(r.commands("s25")) != 1 || len(r.commands("s8")) != 1 {
			t.Error("a new session is not recorded")
		}
	})
}
