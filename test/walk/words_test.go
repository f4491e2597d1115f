package walk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/term"
)

// TestWords walks with messages of a user in sessions that die, lose their context, and go on. The brief has
// each message once until a checkpoint has it. Messages that --prompt has saved are in a checkpoint, word for word.
func TestWords(t *testing.T) {
	set(t, "rapid.steps", 25)
	set(t, "rapid.nofailfile", true)
	if *walks == 0 {
		set(t, "rapid.seed", 3)
	}
	set(t, "rapid.checks", max(8, *walks))
	template := newTemplate(t, "off")
	rapid.Check(t, func(rt *rapid.T) {
		w := &wordsWalk{walk: begin(t, rt, "off", template)}
		w.run("", "init")
		w.begin("startup")
		actions := map[string]func(*rapid.T){"": func(*rapid.T) { w.checkWords() }}
		for name, do := range map[string]func(){
			"say": w.say, "say more": w.say, "say twice": w.sayTwice, "say a command": w.command,
			"new --prompt": w.newByPrompt, "delta --prompt": w.deltaByPrompt, "note rule --prompt": w.ruleByPrompt,
			"delta": func() { w.write("delta", "-m", w.text()) }, "next": func() { w.write("next", w.text()) },
			"note decision": func() { w.write("note", "decision", w.text()) },
			"note state":    func() { w.inCheckpoint(); w.run("", "note", "state", w.text()) },
			"die":           func() { w.begin("startup") },
			"end":           func() { w.hook("session-end", map[string]any{}); w.begin("startup") },
			"clear":         func() { w.lose("clear") },
			"compact":       func() { w.hook("pre-compact", map[string]any{"trigger": "auto"}); w.lose("compact") },
			"forget":        w.forget,
			"go on":         func() { w.hook("session-start", map[string]any{"source": "resume"}) },
		} {
			actions[name] = func(*rapid.T) {
				w.now = w.now.Add(rapid.SampledFrom([]time.Duration{0, 4 * time.Second, time.Hour}).Draw(w.T, "later"))
				do()
			}
		}
		rt.Repeat(actions)
	})
}

// wordsWalk is a walk with the sessions of an agent.
type wordsWalk struct {
	*walk
	sessions []*session // the last one is at work
	taken    []string   // the messages that --prompt has saved
	rules    []string   // the messages that became rules
	ids      []string   // of the checkpoints
}

// session is the model of a session.
type session struct {
	said []string // the messages that no checkpoint has yet
	lost int      // how many of these are lost from its context

	forgotten bool // its record has been removed
}

func (w *wordsWalk) own() *session { return w.sessions[len(w.sessions)-1] }

// run runs ckpt as the agent does, which must succeed, and returns its standard output.
func (w *wordsWalk) run(stdin string, args ...string) string {
	var out, errs bytes.Buffer
	session := fmt.Sprintf("CKPT_SESSION=s%d", len(w.sessions))
	exit := cli.Main(context.Background(), append([]string{}, args...), cli.World{
		Dir: w.dir, Now: func() time.Time { return w.now },
		Streams: term.Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs, Env: envtest.Env("NO_COLOR=1", session)},
	})
	w.log = append(w.log, fmt.Sprintf("%s %s ckpt %s => %d %s", w.now.Format(time.TimeOnly), session, shell(args, stdin), exit, errs.String()))
	if exit != 0 {
		w.Fatalf("exit %d: %s", exit, w.last())
	}
	return out.String()
}

func (w *wordsWalk) hook(event string, payload map[string]any) {
	payload["session_id"] = fmt.Sprintf("s%d", len(w.sessions))
	src, err := json.Marshal(payload)
	if err != nil {
		w.Fatal(err)
	}
	w.run(string(src), "hook", "claude", event)
}

func (w *wordsWalk) begin(source string) {
	w.now = w.now.Add(time.Second)
	w.sessions = append(w.sessions, &session{})
	w.hook("session-start", map[string]any{"source": source})
}

func (w *wordsWalk) say() {
	text := w.long()
	w.hook("prompt", map[string]any{"prompt": text})
	if !strings.ContainsAny(text[:1], "<!/") {
		w.own().said = append(w.own().said, text)
	}
}

// sayTwice calls two hooks for one message, as Copilot CLI does.
func (w *wordsWalk) sayTwice() {
	w.say()
	if n := len(w.own().said); n > w.own().lost {
		w.hook("prompt", map[string]any{"prompt": w.own().said[n-1]})
	}
}

func (w *wordsWalk) command() { w.hook("prompt", map[string]any{"prompt": "/clear " + w.word()}) }

// inCheckpoint skips the action that calls it unless a checkpoint exists.
func (w *wordsWalk) inCheckpoint() {
	if len(w.ids) == 0 {
		w.Skip("no checkpoint")
	}
}

// write runs an operation with other words. The messages of this session then count as saved.
func (w *wordsWalk) write(args ...string) {
	w.inCheckpoint()
	w.run("", args...)
	*w.own() = session{}
}

// take returns the messages of all sessions that no checkpoint has yet, and marks them as saved.
func (w *wordsWalk) take() []string {
	var all []string
	for _, s := range w.sessions {
		all = append(all, s.said...)
		s.said, s.lost = nil, 0
	}
	if len(all) == 0 {
		w.Skip("nothing was said")
	}
	return all
}

func (w *wordsWalk) newByPrompt() {
	w.taken = append(w.taken, w.take()...)
	w.ids = append(w.ids, "chk-"+w.name())
	w.run("", "new", strings.TrimPrefix(w.ids[len(w.ids)-1], "chk-"), "--prompt")
}

func (w *wordsWalk) deltaByPrompt() {
	w.inCheckpoint()
	w.taken = append(w.taken, w.take()...)
	w.run("", "delta", "--prompt")
}

func (w *wordsWalk) ruleByPrompt() {
	w.inCheckpoint()
	w.rules = append(w.rules, w.take()...)
	w.run("", "note", "rule", "--prompt")
}

// forget removes the record of a session that is over.
func (w *wordsWalk) forget() {
	n := rapid.IntRange(1, len(w.sessions)).Draw(w.T, "session")
	s := w.sessions[n-1]
	if s == w.own() || s.forgotten || len(w.sessions) > 20 {
		w.Skip("not recorded")
	}
	w.run("", "log", "--session", fmt.Sprintf("s%d", n), "--forget")
	*s = session{forgotten: true}
}

// lose starts the session again, without its context.
func (w *wordsWalk) lose(source string) {
	w.now = w.now.Add(4 * time.Second)
	w.hook("session-start", map[string]any{"source": source})
	w.own().lost = len(w.own().said)
}

// checkWords compares the brief and the files with the model.
func (w *wordsWalk) checkWords() {
	var brief struct {
		Parts []struct{ Name, Text string }
	}
	out := w.run("", "resume", "--json")
	if err := json.Unmarshal([]byte(out), &brief); err != nil {
		w.Fatalf("%v in %s", err, out)
	}
	told := ""
	for _, p := range brief.Parts {
		if p.Name == "said" {
			told += p.Text + "\n"
		}
	}
	want := 0
	for _, s := range w.sessions {
		said := s.said
		if s == w.own() {
			said = said[:s.lost]
		}
		for _, text := range said {
			if n := strings.Count(told, "\n"+text+"\n"); n != 1 {
				w.Fatalf("told %d times: %s\nin\n%s", n, text, told)
			}
		}
		want += len(said)
	}
	if got := strings.Count(told, "The user, "); got != want {
		w.Fatalf("%d messages are told, not %d:\n%s", got, want, told)
	}
	files := ""
	for _, id := range w.ids {
		files += w.run("", "show", id, "--raw")
	}
	for _, text := range w.taken {
		if n := strings.Count(files, "`text\n"+text+"\n```"); n != 1 {
			w.Fatalf("in the files %d times: %s\n%s", n, text, files)
		}
	}
	for _, text := range w.rules {
		first, _, _ := strings.Cut(text, "\n")
		if !slices.ContainsFunc(strings.Split(files, "\n"), func(line string) bool { return strings.HasPrefix(line, "- "+first) }) {
			w.Fatalf("not a rule: %s\n%s", text, files)
		}
	}
}
