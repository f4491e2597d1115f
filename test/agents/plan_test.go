//go:build unix

package agents

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

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/test/ckpttest"
)

// TestPlanKilled kills `ckpt plan run` with SIGKILL at many moments. No step that is
// recorded as completed runs again, no step runs before those that it depends on, and
// in the end all are done.
func TestPlanKilled(t *testing.T) {
	w := newPlanWorld(t)
	var plan strings.Builder
	plan.WriteString("steps:\n")
	needs := map[int]string{3: "1, 2", 4: "3", 5: "3", 6: "4, 5", 7: "6", 8: "6"}
	for i := 1; i <= 8; i++ {
		fmt.Fprintf(&plan, "  - {id: %d, dependencies: [%s], action: 'echo %d >> log; sleep 0.03'}\n", i, needs[i], i)
	}
	w.Write("many.yaml", plan.String())
	completed := map[string]int{} // how often a step had run when it was completed
	kills := 0
	for patience := 5 * time.Millisecond; ; { // longer if no step was completed, for slow machines
		cmd := w.Command("plan", "run", "many.yaml", "--jobs", "2")
		gittest.Must(t, cmd.Start())
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
	for _, step := range strings.Fields(w.Read("log")) {
		i, err := strconv.Atoi(step)
		gittest.Must(t, err)
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

// TestPlanOrphan checks that a plan does not run again while a step of a killed ckpt still runs. Here
// the kill is the first thing that the step does.
func TestPlanOrphan(t *testing.T) {
	w := newPlanWorld(t)
	w.Write("wait.yaml", "steps:\n  - {id: a, action: echo a >> log}\n  - id: b\n    dependencies: [a]\n    action: 'echo b >> log; test -e second || { kill -9 $PPID; touch second; sleep 1000 & echo $! > pid; wait; }'\n")
	cmd := w.Command("plan", "run", "wait.yaml")
	gittest.Must(t, cmd.Start())
	_ = cmd.Wait()
	w.await("pid")
	out, err := w.Command("plan", "run", "wait.yaml").CombinedOutput()
	exit, failed := err.(*exec.ExitError)
	if !failed || exit.ExitCode() != 5 || !strings.Contains(string(out), "ckpt: a step of a killed run of chk-wait still runs\nhint: wait until it has ended, or end it: fuser -k ") {
		t.Errorf("got %v: %s", err, out)
	}
	gittest.Must(t, envtest.Command("kill", strings.TrimSpace(w.Read("pid"))).Run())
	for range 3000 {
		out, err = w.Command("plan", "run", "wait.yaml").CombinedOutput()
		if err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	gittest.Must(t, err)
	if !strings.Contains(string(out), "Resuming from checkpoint at step 2 ") || !strings.Contains(string(out), "Execution complete: 2 steps") {
		t.Errorf("got %s", out)
	}
	if got := w.Read("log"); got != "a\nb\nb\n" {
		t.Errorf("ran %q", got)
	}
	w.clean()
}

// TestPlanInterrupted checks that an interrupt ends the running steps and all processes
// that they have started. Completed steps are recorded.
func TestPlanInterrupted(t *testing.T) {
	w := newPlanWorld(t)
	cmd := w.begin("steps:\n  - {id: a, action: echo a >> log}\n  - id: b\n    dependencies: [a]\n    action: 'sleep 1000 & echo $! > pid; touch begun; wait'\n")
	gittest.Must(t, cmd.Process.Signal(os.Interrupt))
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
	w.Write("wait.yaml", "steps:\n  - {id: a, action: echo a >> log}\n  - {id: b, dependencies: [a], action: 'true'}\n")
	out, err := w.Command("plan", "run", "wait.yaml").CombinedOutput()
	gittest.Must(t, err)
	if !strings.Contains(string(out), "ckpt: step b has changed: it is run as it is now\n") || w.Read("log") != "a\n" {
		t.Errorf("got %s", out)
	}
	w.clean()
}

// TestPlanTwice checks that two processes do not run one plan at the same time.
func TestPlanTwice(t *testing.T) {
	w := newPlanWorld(t)
	cmd := w.begin("steps:\n  - {id: a, action: 'touch begun; while ! test -e go; do sleep 0.01; done'}\n")
	out, err := w.Command("plan", "run", "wait.yaml").CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 5 || !strings.Contains(string(out), "another ckpt is running this plan: chk-wait") {
		t.Errorf("got %v: %s", err, out)
	}
	w.Write("go", "")
	gittest.Must(t, cmd.Wait())
	w.clean()
}

// planWorld is a repository in which plans are run by an executable.
type planWorld struct{ *ckpttest.Repo }

func newPlanWorld(t *testing.T) *planWorld { return &planWorld{ckpttest.NewRepo(t)} }

// begin runs a plan, wait.yaml, until a step has made the file begun.
func (w *planWorld) begin(plan string) *exec.Cmd {
	w.T.Helper()
	w.Write("wait.yaml", plan)
	cmd := w.Command("plan", "run", "wait.yaml")
	cmd.Stderr = new(bytes.Buffer)
	gittest.Must(w.T, cmd.Start())
	w.await("begun")
	return cmd
}

// await waits until a step has made a file.
func (w *planWorld) await(name string) {
	w.T.Helper()
	for range 3000 {
		if _, err := os.Stat(filepath.Join(w.Dir, name)); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.T.Fatalf("nobody has made %s", name)
}

// runs returns how often each step was run.
func (w *planWorld) runs() map[string]int {
	n := map[string]int{}
	for _, step := range strings.Fields(w.Read("log")) {
		n[step]++
	}
	return n
}

// completed returns the steps that the checkpoint has as completed.
func (w *planWorld) completed(id string) []string {
	_ = w.Command("status").Run() // settles what a kill has left half done
	row := regexp.MustCompile(`(?m)^\| (\w+) \| [^|]* \| completed \|`)
	var all []string
	for _, m := range row.FindAllStringSubmatch(w.Read("checkpoints/active/"+id+".md"), -1) {
		all = append(all, m[1])
	}
	return all
}

// clean fails the test if git finds an error or an uncommitted file.
func (w *planWorld) clean() {
	w.T.Helper()
	if out := w.Git("status", "--porcelain", "checkpoints"); out != "" {
		w.T.Errorf("not committed: %s", out)
	}
	w.Git("fsck", "--strict", "--no-dangling")
}

// gone reports whether the process whose id a step has written to a file has ended. A
// zombie has ended, too.
func (w *planWorld) gone(file string) bool {
	w.T.Helper()
	pid := strings.TrimSpace(w.Read(file))
	if pid == "" {
		w.T.Fatalf("nobody has written %s", file)
	}
	out, _ := envtest.Command("ps", "-o", "stat=", "-p", pid).Output() // it fails where there is no such process
	state := strings.TrimSpace(string(out))
	return state == "" || strings.HasPrefix(state, "Z")
}
