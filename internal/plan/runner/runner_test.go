//go:build unix

package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/result"
)

// memory records a run in memory.
type memory struct {
	mu    sync.Mutex
	run   *plan.Run
	fails error // the error of every End
}

func (m *memory) Find(context.Context, *plan.Plan) (*plan.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return clone(m.run), nil
}

func (m *memory) Begin(_ context.Context, req planner.BeginRequest) (*result.Receipt, *plan.Run, error) {
	m.run = plan.Begin(req.Plan, time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC))
	m.run.ID = "chk-test"
	return &result.Receipt{}, clone(m.run), nil
}

func (m *memory) Adopt(_ context.Context, _ string, of *plan.Plan) (*plan.Run, []string, error) {
	next, changes := m.run.Adopt(of)
	m.run = next
	return clone(next), changes, nil
}

func (m *memory) End(_ context.Context, _ string, _ *plan.Plan, step string, res plan.Result) (*result.Receipt, *plan.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fails != nil {
		return nil, nil, m.fails
	}
	if err := m.run.End(step, res); err != nil {
		return nil, nil, err
	}
	return &result.Receipt{Commit: "c-" + step}, clone(m.run), nil
}

func (m *memory) Complete(context.Context, string, time.Duration) (*result.Receipt, error) {
	m.run.Ended = time.Now()
	return &result.Receipt{}, nil
}

func (m *memory) Message(_ context.Context, message string) string { return message }

func clone(r *plan.Run) *plan.Run {
	if r == nil {
		return nil
	}
	c := *r
	c.Steps = slices.Clone(r.Steps)
	return &c
}

// world is a folder in which plans are run.
type world struct {
	t       *testing.T
	records *memory
	root    string
	state   string
	events  []string
}

func newWorld(t *testing.T) *world {
	return &world{t: t, records: &memory{}, root: t.TempDir(), state: t.TempDir()}
}

func (w *world) runner(src string, o Options) *run {
	w.t.Helper()
	of, err := plan.Parse("p.yaml", []byte(src))
	if err != nil {
		w.t.Fatal(err)
	}
	o.Env = envtest.Env()
	return &run{
		of: of, options: o, records: w.records, now: time.Now, root: w.root, folder: "checkpoints", state: w.state,
		reopen: func(context.Context) (records, error) { return w.records, nil },
		tell: func(n plan.News) {
			text := string(n.Kind)
			if n.Step != nil {
				text += " " + n.Step.ID
			}
			if n.Kind == plan.StepEnded {
				text += " " + string(n.Result.Status)
			}
			if n.Text != "" {
				text += ": " + n.Text
			}
			w.events = append(w.events, text)
		},
	}
}

// run runs a plan and returns its events and its error in lines.
func (w *world) run(src string, o Options) string {
	w.t.Helper()
	w.events = nil
	if err := w.runner(src, o).run(context.Background()); err != nil {
		w.events = append(w.events, "error: "+err.Error())
	}
	return strings.Join(w.events, "\n")
}

func (w *world) log() string {
	src, _ := os.ReadFile(filepath.Join(w.root, "log"))
	return strings.ReplaceAll(strings.TrimSpace(string(src)), "\n", " ")
}

func TestRun(t *testing.T) {
	const two = "steps:\n  - {id: a, action: echo a >> log}\n  - {id: b, dependencies: [a], action: echo b >> log}\n"
	for name, tt := range map[string]struct {
		src, events, log string
		options          Options
	}{
		"all steps": {
			src: two, log: "a b",
			events: "begun\nstarted a\nended a completed\nstarted b\nended b completed\nfinished",
		},
		"a step fails": {
			src:    "steps:\n  - {id: a, action: 'echo a >> log; echo why >&2; exit 3'}\n  - {id: b, dependencies: [a], action: echo b >> log}\n",
			log:    "a",
			events: "begun\nstarted a\nended a failed\nfinished\nerror: Failed at step 1: a: exit status 3: why",
		},
		"a retry": {
			src:    "steps:\n  - {id: a, retries: 2, action: 'echo a >> log; test $CKPT_ATTEMPT = 2'}\n",
			log:    "a a",
			events: "begun\nstarted a\nretry a\nended a completed\nfinished",
		},
		"a time limit": {
			src:    "steps:\n  - {id: a, timeout: 50ms, action: sleep 60}\n",
			events: "begun\nstarted a\nended a failed\nfinished\nerror: Failed at step 1: a: it took longer than its time limit of 50ms",
		},
		"a program that is not installed": {
			src:    "steps:\n  - {id: a, action: [no-such-program-here]}\n",
			events: "begun\nstarted a\nended a failed\nfinished\nerror: Failed at step 1: a: no-such-program-here is not installed, or not on the PATH",
		},
		"a step by hand first": {
			src:    "steps:\n  - {id: a}\n  - {id: b, dependencies: [a], action: echo b >> log}\n",
			events: "error: step a of p.yaml has no action: it is for an agent or a person",
		},
		"the environment": {
			src: "steps:\n  - {id: a, env: {X: y}, parameters: {q-1: z}, action: 'echo $X $CKPT_ID $CKPT_STEP $CKPT_PARAM_Q_1 $CKPT_DIR >> log'}\n",
			log: "y chk-test a z checkpoints", events: "begun\nstarted a\nended a completed\nfinished",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if got := w.run(tt.src, tt.options); got != tt.events {
				t.Errorf("events:\n%s\nwant:\n%s", got, tt.events)
			}
			if got := w.log(); got != tt.log {
				t.Errorf("log %q, want %q", got, tt.log)
			}
		})
	}
}

func TestResumeRunsTheOtherSteps(t *testing.T) {
	w := newWorld(t)
	src := "steps:\n  - {id: a, action: echo a >> log}\n  - {id: b, dependencies: [a], action: 'echo b >> log; test -e ok'}\n"
	w.run(src, Options{})
	if err := os.WriteFile(filepath.Join(w.root, "ok"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := w.run(src, Options{}), "resumed b\nstarted b\nended b completed\nfinished"; got != want {
		t.Errorf("events:\n%s\nwant:\n%s", got, want)
	}
	if got := w.log(); got != "a b b" {
		t.Errorf("log %q", got)
	}
	if got := w.run(src, Options{Restart: true}); !strings.HasPrefix(got, "begun\nstarted a\n") || w.log() != "a b b a b" {
		t.Errorf("restarted: %s", got)
	}
}

// TestAnEndThatWasNotRecorded: a step whose end could not be recorded runs again.
func TestAnEndThatWasNotRecorded(t *testing.T) {
	w := newWorld(t)
	src := "steps:\n  - {id: a, action: echo a >> log}\n"
	w.records.fails = fault.New(fault.Busy, "locked")
	if got := w.run(src, Options{}); !strings.HasSuffix(got, "error: step a has ended and could not be recorded, the next run runs it again: locked") {
		t.Errorf("got %s", got)
	}
	w.records.fails = nil
	want := "resumed a\nstarted a\nended a completed\nfinished"
	if got := w.run(src, Options{}); got != want || w.log() != "a a" {
		t.Errorf("events:\n%s\nwant:\n%s\nlog %q", got, want, w.log())
	}
}

func TestJobsRunAtOnce(t *testing.T) {
	w := newWorld(t)
	src := "steps:\n"
	for _, id := range []string{"a", "b"} {
		src += fmt.Sprintf("  - {id: %s, timeout: 10s, action: 'touch %[1]s; while ! test -e a -a -e b; do sleep 0.01; done'}\n", id)
	}
	if got := w.run(src, Options{Jobs: 2}); !strings.HasSuffix(got, "\nfinished") {
		t.Errorf("got %s", got)
	}
}

func TestRehearse(t *testing.T) {
	w := newWorld(t)
	r := w.runner("steps:\n  - {id: b, dependencies: [a], action: ls}\n  - {id: a, action: ls}\n", Options{})
	if err := r.rehearse(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(w.events, "\n"); got != "would a\nwould b" || w.records.run != nil {
		t.Errorf("got %s", got)
	}
}

func TestTailHasTheEnd(t *testing.T) {
	var all tail
	line := []byte(strings.Repeat("x", 1000))
	for range 5000 {
		_, _ = all.Write(line)
	}
	_, _ = all.Write([]byte("last"))
	if len(all.buf) != tailSize || all.cut != 5_000_004-tailSize || !strings.HasSuffix(string(all.buf), "xlast") {
		t.Errorf("%d bytes after %d", len(all.buf), all.cut)
	}
}

// TestAnyRun: whatever fails, and however many steps run at once, a completed step never runs again, no step runs
// before those that it depends on, and the run ends.
func TestAnyRun(t *testing.T) {
	for seed := range uint64(40) {
		dice := rand.New(rand.NewPCG(seed, 1))
		src, steps := "name: any\nsteps:\n", 1+dice.IntN(7)
		needs := map[string][]int{}
		for i := range steps {
			id := fmt.Sprint(i)
			for before := range i {
				if dice.IntN(3) == 0 {
					needs[id] = append(needs[id], before)
				}
			}
			src += fmt.Sprintf("  - id: %d\n    retries: %d\n    dependencies: %s\n", i, dice.IntN(2),
				strings.ReplaceAll(fmt.Sprint(append([]int{}, needs[id]...)), " ", ", "))
			if dice.IntN(8) > 0 { // it fails until it was tried often enough
				src += fmt.Sprintf("    action: 'echo -n . >> %[1]d; test $(wc -c < %[1]d) -gt %[2]d && echo %[1]d >> log'\n", i, dice.IntN(3))
			}
		}
		w := newWorld(t)
		for tries := 0; ; tries++ {
			said := w.run(src, Options{Jobs: 1 + dice.IntN(3)})
			if strings.HasSuffix(said, "\nfinished") || strings.Contains(said, "are done already") {
				break
			}
			if tries > 4*steps {
				t.Fatalf("seed %d: it never ends: %s", seed, said)
			}
			if waits := strings.Split(said, "error: step "); len(waits) == 2 { // a person does it
				id, _, _ := strings.Cut(waits[1], " ")
				if w.records.run == nil {
					_, _, _ = w.records.Begin(t.Context(), planner.BeginRequest{Plan: w.runner(src, Options{}).of})
				}
				if err := w.records.run.End(id, plan.Result{Status: plan.Completed}); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		}
		order := map[string]int{}
		for i, id := range strings.Fields(w.log()) {
			if order[id] > 0 {
				t.Errorf("seed %d: step %s has run again", seed, id)
			}
			order[id] = i + 1
			for _, need := range needs[id] {
				if strings.Contains(src, fmt.Sprintf("< %d)", need)) && order[fmt.Sprint(need)] == 0 {
					t.Errorf("seed %d: step %s has run before %d", seed, id, need)
				}
			}
		}
	}
}
