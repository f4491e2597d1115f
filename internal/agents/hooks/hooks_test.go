package hooks

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace"
)

// someWork implements Work with fixed answers.
type someWork struct {
	text string // of the current checkpoint; empty for none
	due  policy.Reminder
	cfg  policy.Config
}

func (w *someWork) Current(context.Context) (*workspace.View, *checkpoint.Checkpoint, error) {
	if w.text == "" {
		return nil, nil, nil
	}
	c, err := checkpoint.Parse("active/chk-x.md", []byte(w.text))
	return nil, c, err
}

func (w *someWork) Exploring(ctx context.Context, _ string) (*checkpoint.Checkpoint, bool, error) {
	_, c, err := w.Current(ctx)
	return c, true, err
}

func (w *someWork) Due(context.Context) (policy.Reminder, error)  { return w.due, nil }
func (w *someWork) Policy(context.Context) (policy.Config, error) { return w.cfg, nil }

// clock is a clock that a test sets.
type clock struct{ time.Time }

func newClock() *clock { return &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time { return c.Time }

func (c *clock) pass(d time.Duration) { c.Time = c.Add(d) }

func newReminders(t *testing.T, work Work) (reminders, *clock) {
	c := newClock()
	return reminders{claims{filepath.Join(t.TempDir(), "hooks"), c.now}, work}, c
}

const marked = `---
checkpoint: X
id: chk-x
created: 2026-03-01T10:00:00Z
status: current
---

## Problem

It fails.

## Mark: 2026-03-01T11:00:00Z

> find out why
`

// kind returns the name of the field of an answer that is set.
func kind(a protocol.Answer) string {
	switch {
	case a.Block != "":
		return "block"
	case a.Notice != "":
		return "notice"
	case a.Context != "":
		return "context"
	}
	return "nothing"
}

func TestRemind(t *testing.T) {
	due := policy.Reminder{ID: "chk-x", Triggers: []policy.Trigger{"work"}, Policy: policy.Due{Work: 10 * time.Minute}}
	r, clock := newReminders(t, &someWork{due: due})
	for i, step := range []struct {
		after   time.Duration
		session string
		want    string
	}{
		{0, "a", "context"},
		{time.Second, "a", "nothing"},
		{0, "b", "context"}, // another session
		{2 * time.Minute, "a", "nothing"},
		{9 * time.Minute, "a", "context"},
	} {
		clock.pass(step.after)
		answer, err := r.remind(t.Context(), protocol.Call{Session: step.session})
		if err != nil || kind(answer) != step.want {
			t.Errorf("step %d: %s, %v; want %s", i, kind(answer), err, step.want)
		}
	}
	r.work = &someWork{}
	if answer, err := r.remind(t.Context(), protocol.Call{Session: "c"}); err != nil || kind(answer) != "nothing" {
		t.Errorf("nothing due: %v, %v", answer, err)
	}
}

func TestNudge(t *testing.T) {
	due := policy.Reminder{ID: "chk-x", Triggers: []policy.Trigger{"work"}}
	for name, c := range map[string]struct {
		work  someWork
		call  protocol.Call
		twice bool
		want  string
	}{
		"at a stop":         {someWork{due: due, cfg: policy.Config{Nudge: true}}, protocol.Call{Event: protocol.Stop}, false, "block"},
		"at the end":        {someWork{due: due, cfg: policy.Config{Nudge: true}}, protocol.Call{Event: protocol.SessionEnd}, false, "notice"},
		"a second time":     {someWork{due: due, cfg: policy.Config{Nudge: true}}, protocol.Call{Event: protocol.Stop}, true, "nothing"},
		"after a stop hook": {someWork{due: due, cfg: policy.Config{Nudge: true}}, protocol.Call{Event: protocol.Stop, Again: true}, false, "nothing"},
		"not configured":    {someWork{due: due}, protocol.Call{Event: protocol.Stop}, false, "nothing"},
		"nothing due":       {someWork{cfg: policy.Config{Nudge: true}}, protocol.Call{Event: protocol.Stop}, false, "nothing"},
	} {
		r, _ := newReminders(t, &c.work)
		answer, err := r.nudge(t.Context(), c.call)
		if c.twice {
			answer, err = r.nudge(t.Context(), c.call)
		}
		if err != nil || kind(answer) != c.want {
			t.Errorf("%s: %s, %v; want %s", name, kind(answer), err, c.want)
		}
	}
}

func TestGuard(t *testing.T) {
	work := &someWork{text: marked}
	if _, c, err := work.Current(t.Context()); err != nil {
		t.Fatal(err)
	} else if _, ok := c.Mark(); !ok {
		t.Fatal("the checkpoint has no open mark")
	}
	r, clock := newReminders(t, work)
	stop, prompt := protocol.Call{Event: protocol.Stop, Session: "a"}, protocol.Call{Event: protocol.Prompt, Session: "a"}
	want := func(wants ...string) {
		t.Helper()
		for i, want := range wants {
			answer, err := r.guard(t.Context(), stop)
			if err != nil || kind(answer) != want {
				t.Errorf("stop %d: %s, %v; want %s", i, kind(answer), err, want)
			}
			if want == "block" && !strings.Contains(answer.Block, fmt.Sprintf("(Reminder %d of 3.)", i+1)) {
				t.Errorf("stop %d: %s", i, answer.Block)
			}
		}
	}
	want("block", "block", "block", "notice", "nothing")
	if err := r.rearm(prompt); err != nil { // the agent's own prompt, right after a reminder
		t.Fatal(err)
	}
	want("nothing")
	clock.pass(time.Minute)
	if err := r.rearm(prompt); err != nil {
		t.Fatal(err)
	}
	want("block", "block", "block", "notice")
	if answer, err := r.guard(t.Context(), protocol.Call{Event: protocol.SessionEnd, Session: "b"}); err != nil || kind(answer) != "nothing" {
		t.Errorf("at the end: %v, %v", answer, err)
	}
	r.work = &someWork{}
	want("nothing")
}

func TestDeferred(t *testing.T) {
	r, clock := newReminders(t, &someWork{})
	a, b := protocol.Call{Session: "a"}, protocol.Call{Session: "b"}
	if err := r.deferBrief(a); err != nil {
		t.Fatal(err)
	}
	clock.pass(time.Hour)
	for i, step := range []struct {
		call protocol.Call
		want bool
	}{{b, false}, {a, true}, {a, false}} {
		if got, err := r.takeDeferred(step.call); got != step.want || err != nil {
			t.Errorf("step %d: %t, %v", i, got, err)
		}
	}
}

func TestErrors(t *testing.T) {
	clock := newClock()
	e := Errors{filepath.Join(t.TempDir(), "errors"), clock.now}
	call := protocol.Call{Agent: "claude", Event: protocol.Stop}
	if lines := e.Lines(); lines != nil {
		t.Errorf("no errors: %q", lines)
	}
	for i := range 30 {
		e.Add(call, fmt.Errorf("error %d\nof two lines", i))
	}
	clock.pass(time.Hour)
	e.Add(call, errors.New("error 29 of two lines"))
	lines := e.Lines()
	if len(lines) != errorsKept || !strings.HasSuffix(lines[0], " claude stop: error 10 of two lines") {
		t.Errorf("%d lines, the first is %q", len(lines), lines[0])
	}
	if last := lines[len(lines)-1]; last != "2026-03-01T13:00:00Z claude stop: error 29 of two lines" {
		t.Errorf("the last is %q", last)
	}
}
