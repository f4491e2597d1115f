//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
)

// TestPlanKilled kills `ckpt plan run` with SIGKILL again and again, wherever it is at
// the time: no step that is on record as completed is run again, none before what it
// depends on, and in the end all are done.
func TestPlanKilled(t *testing.T) {
	w := newPlanWorld(t)
	var plan strings.Builder
	plan.WriteString("steps:\n")
	needs := map[int]string{3: "1, 2", 4: "3", 5: "3", 6: "4, 5", 7: "6", 8: "6"}
	for i := 1; i <= 8; i++ {
		fmt.Fprintf(&plan, "  - {id: %d, dependencies: [%s], action: 'echo %d >> log; sleep 0.03'}\n", i, needs[i], i)
	}
	w.write("many.yaml", plan.String())
	completed := map[string]int{} // to how often the step had run by then
	kills := 0
	for patience := 5 * time.Millisecond; ; { // longer where nothing came of it, so that slow machines get through
		cmd := w.ckpt("plan", "run", "many.yaml", "--jobs", "2")
		check(t, cmd.Start())
		timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		timer.Stop()
		runs := w.runs()
		for step, n := range completed {
			if runs[step] != n {
				t.Fatalf("step %s was on record as completed and was run again", step)
			}
		}
		before := len(completed)
		for _, step := range w.completed("chk-many") {
			completed[step] = runs[step]
		}
		if err == nil {
			break
		}
		if patience = patience * 3 / 4; len(completed) == before {
			patience *= 2
		}
		kills++
	}
	if len(completed) != 8 {
		t.Errorf("%d of 8 steps completed", len(completed))
	}
	seen := map[string]bool{}
	for _, step := range strings.Fields(w.read("log")) {
		i, err := strconv.Atoi(step)
		check(t, err)
		for _, need := range strings.FieldsFunc(needs[i], func(r rune) bool { return r == ',' || r == ' ' }) {
			if !seen[need] {
				t.Errorf("step %s was run before %s", step, need)
			}
		}
		seen[step] = true
	}
	t.Logf("killed %d times", kills)
	w.clean()
}

// A step that outlives a killed ckpt is ended before it is run again, however early the
// kill came: here it is the first thing that the step does.
func TestPlanOrphan(t *testing.T) {
	w := newPlanWorld(t)
	w.write("wait.yaml", "steps:\n  - {id: a, action: echo a >> log}\n  - id: b\n    dependencies: [a]\n    action: 'echo b >> log; test -e second || { kill -9 $PPID; touch second; sleep 1000 & echo $! > pid; wait; }'\n")
	cmd := w.ckpt("plan", "run", "wait.yaml")
	check(t, cmd.Start())
	_ = cmd.Wait()
	w.await("pid")
	out, err := w.ckpt("plan", "run", "wait.yaml").CombinedOutput()
	check(t, err)
	for _, want := range []string{
		"ckpt: step b of the run that was killed still runs: it is ended\n",
		"ckpt: step 2 was running when the last run ended: it is run again\n",
		"Resuming from checkpoint at step 2 ",
		"Execution complete: 2 steps",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if !w.gone("pid") {
		t.Error("what the step has started still runs")
	}
	if got := w.read("log"); got != "a\nb\nb\n" {
		t.Errorf("ran %q", got)
	}
	w.clean()
}

// An interrupt ends the steps that run, and all that they have started; what was
// completed is on record.
func TestPlanInterrupted(t *testing.T) {
	w := newPlanWorld(t)
	cmd := w.begin("steps:\n  - {id: a, action: echo a >> log}\n  - id: b\n    dependencies: [a]\n    action: 'sleep 1000 & echo $! > pid; touch begun; wait'\n")
	check(t, cmd.Process.Signal(os.Interrupt))
	if err := cmd.Wait(); err == nil {
		t.Error("an interrupted run is no success")
	}
	if said, want := fmt.Sprint(cmd.Stderr), "ckpt: interrupted\nhint: ckpt plan run wait.yaml goes on where it was\n"; said != want {
		t.Errorf("it said %q, want %q", said, want)
	}
	if !w.gone("pid") {
		t.Error("what the step has started still runs")
	}
	if got := w.completed("chk-wait"); len(got) != 1 || got[0] != "a" {
		t.Errorf("completed: %v", got)
	}
	w.write("wait.yaml", "steps:\n  - {id: a, action: echo a >> log}\n  - {id: b, dependencies: [a], action: 'true'}\n")
	out, err := w.ckpt("plan", "run", "wait.yaml").CombinedOutput()
	check(t, err)
	if !strings.Contains(string(out), "ckpt: step b has changed: it is run as it is now\n") || w.read("log") != "a\n" {
		t.Errorf("got %s", out)
	}
	w.clean()
}

// Two ckpt do not run one plan at the same time.
func TestPlanTwice(t *testing.T) {
	w := newPlanWorld(t)
	cmd := w.begin("steps:\n  - {id: a, action: 'touch begun; while ! test -e go; do sleep 0.01; done'}\n")
	out, err := w.ckpt("plan", "run", "wait.yaml").CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 5 || !strings.Contains(string(out), "another ckpt is running this plan: chk-wait") {
		t.Errorf("got %v: %s", err, out)
	}
	w.write("go", "")
	check(t, cmd.Wait())
	w.clean()
}

// planWorld is a repository in which plans are run by an executable.
type planWorld struct {
	t         *testing.T
	dir, self string
}

func newPlanWorld(t *testing.T) *planWorld {
	self, err := os.Executable()
	check(t, err)
	dir := t.TempDir()
	w := &planWorld{t, filepath.Join(dir, "app"), filepath.Join(dir, "ckpt")}
	check(t, os.Symlink(self, w.self)) // called by that name the test's executable is ckpt: see TestMain
	check(t, os.Mkdir(w.dir, 0o777))
	w.git("init", "-q", "-b", "main")
	w.git("commit", "-q", "--allow-empty", "-m", "First")
	return w
}

func (w *planWorld) env() []string {
	return append(append(os.Environ(), gittest.Env()...), "HOME="+filepath.Dir(w.dir), "CKPT_TEST_TIME=2026-01-02T10:00:00Z", noSleep)
}

func (w *planWorld) ckpt(args ...string) *exec.Cmd {
	cmd := exec.Command(w.self, args...)
	cmd.Dir, cmd.Env = w.dir, w.env()
	return cmd
}

// begin runs a plan, wait.yaml, until a step has made the file begun.
func (w *planWorld) begin(plan string) *exec.Cmd {
	w.t.Helper()
	w.write("wait.yaml", plan)
	cmd := w.ckpt("plan", "run", "wait.yaml")
	cmd.Stderr = new(bytes.Buffer)
	check(w.t, cmd.Start())
	w.await("begun")
	return cmd
}

func (w *planWorld) git(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.dir, w.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (w *planWorld) write(name, text string) {
	w.t.Helper()
	check(w.t, os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o666))
}

func (w *planWorld) read(name string) string {
	src, err := os.ReadFile(filepath.Join(w.dir, name))
	if os.IsNotExist(err) {
		return ""
	}
	check(w.t, err)
	return string(src)
}

// await waits until a step has made a file.
func (w *planWorld) await(name string) {
	w.t.Helper()
	for range 3000 {
		if _, err := os.Stat(filepath.Join(w.dir, name)); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.t.Fatalf("nobody has made %s", name)
}

// runs is how often each step was run.
func (w *planWorld) runs() map[string]int {
	n := map[string]int{}
	for _, step := range strings.Fields(w.read("log")) {
		n[step]++
	}
	return n
}

// completed is the steps that the file says are.
func (w *planWorld) completed(id string) []string {
	_ = w.ckpt("status").Run() // settles what a kill has left half done
	row := regexp.MustCompile(`(?m)^\| (\w+) \| [^|]* \| completed \|`)
	var all []string
	for _, m := range row.FindAllStringSubmatch(w.read("checkpoints/active/"+id+".md"), -1) {
		all = append(all, m[1])
	}
	return all
}

// clean says whether git finds nothing wrong and nothing uncommitted.
func (w *planWorld) clean() {
	w.t.Helper()
	if out := w.git("status", "--porcelain", "checkpoints"); out != "" {
		w.t.Errorf("not committed: %s", out)
	}
	w.git("fsck", "--strict", "--no-dangling")
}

// gone says whether a process whose number a step has written to a file has ended. One
// that nobody has asked how it ended is still in the system's list.
func (w *planWorld) gone(file string) bool {
	w.t.Helper()
	pid := strings.TrimSpace(w.read(file))
	if pid == "" {
		w.t.Fatalf("nobody has written %s", file)
	}
	out, _ := exec.Command("ps", "-o", "stat=", "-p", pid).Output() // it fails where there is no such process
	state := strings.TrimSpace(string(out))
	return state == "" || strings.HasPrefix(state, "Z")
}
