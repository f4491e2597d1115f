package planner

import (
	"cmp"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/workspace"
)

const (
	steps   = "steps:\n  - id: build\n    action: make\n  - id: test\n    dependencies: [build]\n"
	oneMore = steps + "  - id: publish\n"
	run     = "checkpoints/active/chk-release.md"
)

func parse(t *testing.T, file, src string) *plan.Plan {
	t.Helper()
	of, err := plan.Parse(file, []byte(src))
	gittest.Must(t, err)
	return of
}

func open(t *testing.T, r *gittest.Repo, settings workspace.Settings) *Planner {
	t.Helper()
	settings.Dir, settings.Getenv = r.Dir, os.Getenv
	settings.Now = func() time.Time { return time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC) }
	w, err := workspace.Open(t.Context(), settings)
	gittest.Must(t, err)
	return New(w)
}

// TestRecord does the steps of a plan, and checks the commit and the checkpoint after each call.
func TestRecord(t *testing.T) {
	r := gittest.New(t)
	r.Commit("First", "code.go", "package code\n")
	ctx, of, more := t.Context(), parse(t, "release.yaml", steps), parse(t, "release.yaml", oneMore)
	secret := "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
	begin := func(req BeginRequest) func(*Planner) error {
		return func(p *Planner) error { _, _, err := p.Begin(ctx, req); return err }
	}
	start := func(step string) func(*Planner) error {
		return func(p *Planner) error { _, err := p.Start(ctx, "release", nil, step); return err }
	}
	end := func(step string, res plan.Result) func(*Planner) error {
		return func(p *Planner) error { _, _, err := p.End(ctx, "release", nil, step, res); return err }
	}
	complete := func(p *Planner) error { _, err := p.Complete(ctx, "release", 2*time.Second); return err }
	adopt := func(p *Planner) error { _, _, err := p.Adopt(ctx, "release", more); return err }
	for _, tt := range []struct {
		name    string
		do      func(*Planner) error
		subject string     // of the commit; empty means that there is none
		text    string     // in the checkpoint
		next    string     // the next step
		of      *plan.Plan // the plan of the next step; nil for the first plan
		kind    fault.Kind
		err     string
	}{
		{name: "no run", do: start("build"), kind: fault.NotFound, err: `"release"`, next: "build"},
		{name: "begin", do: begin(BeginRequest{Plan: of}), subject: "Begun: 2 steps of release.yaml", text: "status: current", next: "build"},
		{name: "begin again", do: begin(BeginRequest{Plan: of}), text: "0 of 2 steps completed.", next: "build"},
		{name: "start too early", do: start("test"), kind: fault.Usage, err: "build", next: "build"},
		{name: "start", do: start("build"), subject: "Step 1 of 2 started: build", text: "Step 1, build, is running.", next: ""},
		{name: "fail", do: end("build", plan.Result{Status: plan.Failed, Message: "exit 2", Took: time.Second}),
			subject: "Failed at step 1: build", text: "trigger: error", next: "build"},
		{name: "complete too early", do: complete, kind: fault.Usage, err: "is not complete: 0 of 2", next: "build"},
		{name: "succeed", do: end("build", plan.Result{Status: plan.Completed, Output: []byte("built\n"), Tokens: 7}),
			subject: "Step 1 of 2 completed: build", text: "tokens_used: 7", next: "test"},
		{name: "succeed again", do: end("build", plan.Result{Status: plan.Completed}), text: "built\n", next: "test"},
		{name: "a secret", do: end("test", plan.Result{Status: plan.Completed, Output: []byte(secret)}),
			subject: "Step 2 of 2 completed: test", text: "looks like a secret [github-pat]", next: ""},
		{name: "complete", do: complete, subject: "Execution complete", text: "2 of 2 steps completed in 2s", next: ""},
		{name: "another step", do: adopt, subject: "The plan has changed: ", text: "2 of 3 steps completed.", next: "publish", of: more},
		{name: "the same plan", do: adopt, text: "2 of 3 steps completed.", next: "publish", of: more},
		{name: "by hand", do: end("publish", plan.Result{Status: plan.Skipped, By: "agent"}),
			subject: "Execution complete: Step 3 of 3 skipped: publish", text: "trigger: manual", next: ""},
		{name: "begin anew", do: begin(BeginRequest{Plan: of, Restart: true}),
			subject: "Begun anew: 2 steps of release.yaml", text: "Begun anew: 3 of 3 steps had been done", next: "build"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			head := r.Git("rev-parse", "HEAD")
			p := open(t, r, workspace.Settings{})
			err := tt.do(p)
			if tt.err == "" {
				gittest.Must(t, err)
			} else if err == nil || fault.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.err) {
				t.Fatalf("error %v, want one of kind %s with %q", err, tt.kind, tt.err)
			}
			subject, want := r.Git("log", "-1", "--format=%s"), "ckpt: plan chk-release: "+tt.subject
			if tt.subject == "" && r.Git("rev-parse", "HEAD") != head {
				t.Errorf("committed %q", subject)
			} else if tt.subject != "" && !strings.HasPrefix(subject, want) {
				t.Errorf("committed %q, want %q", subject, want)
			}
			if tt.text != "" && !strings.Contains(r.Read(run), tt.text) {
				t.Errorf("%q is missing in\n%s", tt.text, r.Read(run))
			}
			next, err := p.Next(t.Context(), cmp.Or(tt.of, of))
			gittest.Must(t, err)
			id := ""
			if row := next.Row(); row != nil {
				id = row.ID
			}
			if id != tt.next {
				t.Errorf("next is %q, want %q", id, tt.next)
			}
		})
	}
	if strings.Contains(r.Git("log", "-p"), secret) {
		t.Error("the secret was committed")
	}
}

// TestFindRun checks which run Next finds if no plan is given.
func TestFindRun(t *testing.T) {
	r := gittest.New(t)
	r.Write("release.yaml", steps)
	r.Commit("First")
	begin := func(file string) {
		_, _, err := open(t, r, workspace.Settings{}).Begin(t.Context(), BeginRequest{Plan: parse(t, file, steps)})
		gittest.Must(t, err)
	}
	for _, tt := range []struct {
		name   string
		do     func()
		pinned string
		want   string // the id of the run
		remark string
		kind   fault.Kind
		err    string
	}{
		{name: "none", do: func() {}, kind: fault.NotFound, err: "no plan is being worked on"},
		{name: "the current one", do: func() { begin("release.yaml") }, want: "chk-release"},
		{name: "the current one of two", do: func() { begin("other.yaml") }, want: "chk-release"},
		{name: "the pinned one, without its file", do: func() {}, pinned: "other", want: "chk-other", remark: "other.yaml does not exist"},
		{name: "a pinned one that does not exist", do: func() {}, pinned: "nobody", kind: fault.NotFound, err: `"nobody"`},
		{name: "two, and none is current", do: func() {
			_, err := open(t, r, workspace.Settings{}).edit.UseNone(t.Context())
			gittest.Must(t, err)
		}, kind: fault.Usage, err: "2 plans are being worked on: chk-other, chk-release"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.do()
			next, err := open(t, r, workspace.Settings{Pinned: tt.pinned}).Next(t.Context(), nil)
			if tt.err != "" {
				if err == nil || fault.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want one of kind %s with %q", err, tt.kind, tt.err)
				}
				return
			}
			gittest.Must(t, err)
			if next.Run.ID != tt.want || !strings.Contains(next.Remark, tt.remark) {
				t.Errorf("run %q, %q; want %q, %q", next.Run.ID, next.Remark, tt.want, tt.remark)
			}
		})
	}
}
