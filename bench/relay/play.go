package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// player plays a transcript in a repository of its own. Its sessions are Claude Code's:
// the hooks get that agent's payloads, and the agent's commands its environment.
type player struct {
	dir      string // the repository
	bin      string // the folder of the command ckpt
	now      time.Time
	name     string // the transcript's name
	truth    truth
	session  int // the number of the session that runs, or that ran last
	running  bool
	unseen   bool   // the last event was a file written without a hook
	calls    int    // tool calls of the session
	ended    string // how the last session ended
	state    string // the state that the next delta describes
	id       string // the checkpoint's id; "" until it exists
	handoff  string // HANDOFF.md as it would be if it had been written with the last record
	log      []string
	readings []moment
}

// moment is the start of a session, with what it would have read from each medium.
type moment struct {
	session string
	after   string // how the session before it ended
	media   []reading
}

// The media that are compared, in the order of a moment's readings.
var media = []string{"brief, 9,500 bytes", "brief, 1,000 tokens", "HANDOFF.md"}

// testsPrint is the assumed length of the output of a test run, in bytes.
const testsPrint = 400

// play plays the transcript below the folder dir, which it makes. This program itself is the
// ckpt that the hooks call.
func play(t *transcript, dir string) ([]moment, error) {
	p := &player{dir: filepath.Join(dir, "code"), bin: filepath.Join(dir, "bin"), name: t.name,
		now: time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)}
	for _, folder := range []string{p.dir, p.bin} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return nil, err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := os.Symlink(self, filepath.Join(p.bin, "ckpt")); err != nil {
		return nil, err
	}
	if err := p.prepare(t); err != nil {
		return nil, err
	}
	for _, e := range t.events {
		if err := p.step(e, t.cut); err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", t.name, e.line, e.verb, err)
		}
	}
	return p.readings, nil
}

// prepare makes the repository as it is before the order is given, with ckpt set up.
func (p *player) prepare(t *transcript) error {
	if _, err := p.run(nil, nil, "git", "init", "-q", "-b", "main"); err != nil {
		return err
	}
	if err := p.write("README.md", 20); err != nil {
		return err
	}
	for _, e := range t.events {
		if e.verb == "have" {
			if err := p.write(e.text, e.n); err != nil {
				return err
			}
		}
	}
	if _, err := p.run(nil, nil, "ckpt", "setup", "claude"); err != nil {
		return err
	}
	return p.commit("Start")
}

// step plays one event, and kills the session after its last call.
func (p *player) step(e event, cut int) error {
	p.now = p.now.Add(time.Minute)
	before := p.calls
	if err := p.apply(e); err != nil {
		return err
	}
	if cut > 0 && p.calls > before && p.calls >= cut && p.running {
		p.end(fmt.Sprintf("killed after %d calls", p.calls))
		return p.begin()
	}
	return nil
}

func (p *player) apply(e event) error {
	t := &p.truth
	unseen := p.unseen
	p.unseen = false
	switch e.verb {
	case "problem":
		t.problem = e.text
	case "intent":
		t.intent = e.text
	case "rule":
		t.rules = append(t.rules, e.text)
		return p.prompted(e.text)
	case "point":
		t.points = append(t.points, point{text: e.text})
		return p.prompted(e.text)
	case "user":
		return p.prompted("Go on.")
	case "session":
		return p.begin()
	case "compact":
		return p.compact()
	case "stop":
		return p.hook("stop", map[string]any{"hook_event_name": "Stop", "stop_hook_active": false})
	case "end":
		p.end("ended")
		return p.hook("session-end", map[string]any{"hook_event_name": "SessionEnd", "reason": "other"})
	case "kill":
		p.end(map[bool]string{false: "killed", true: "killed before the hook of an edit"}[unseen])
	case "decide":
		what, why, _ := strings.Cut(e.text, ": ")
		t.decisions = append(t.decisions, decision{what: what, why: why})
	case "finish":
		t.points[e.n-1].done = true
	case "state":
		p.state = e.text
	case "new":
		return p.begun(e.text)
	case "note":
		return p.note()
	case "delta":
		return p.delta(e.text)
	case "edit":
		return p.edit(e.text, e.n, true)
	case "unseen":
		p.unseen = true
		return p.edit(e.text, e.n, false)
	case "delete":
		if err := os.Remove(filepath.Join(p.dir, filepath.FromSlash(e.text))); err != nil {
			return err
		}
		t.changed(e.text)
		t.ran(command{"rm " + e.text, 0}, false)
		return p.bash("rm "+e.text, 0)
	case "run", "test":
		t.ran(command{e.text, e.n}, e.verb == "test")
		return p.bash(e.text, e.n)
	case "look":
		return p.bash(e.text, 0)
	case "commit":
		t.committed(e.text)
		if err := p.commit(e.text); err != nil {
			return err
		}
		return p.bash("git add -A && git commit -m '"+e.text+"'", 0)
	}
	return nil
}

func (p *player) begin() error {
	first := p.session == 0
	p.session, p.calls, p.running = p.session+1, 0, true
	p.now = p.now.Add(time.Hour)
	return p.start("startup", first)
}

func (p *player) compact() error {
	if _, err := p.answer("pre-compact",
		map[string]any{"hook_event_name": "PreCompact", "trigger": "auto", "custom_instructions": ""}); err != nil {
		return err
	}
	p.now, p.ended = p.now.Add(time.Minute), "compacted"
	return p.start("compact", false)
}

func (p *player) end(how string) {
	p.running, p.ended = false, how
}

// start gives the session its brief, and counts its facts unless it is the first.
func (p *player) start(source string, first bool) error {
	small, err := p.run(nil, p.agent(), "ckpt", "resume", "--budget", "1000")
	if err != nil {
		return err
	}
	out, err := p.answer("session-start",
		map[string]any{"hook_event_name": "SessionStart", "source": source, "model": "stand-in"})
	if err != nil || first {
		return err
	}
	var answer struct {
		Output struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if len(out) > 0 {
		if err := json.Unmarshal(out, &answer); err != nil {
			return fmt.Errorf("the hook's answer: %w", err)
		}
	}
	c, raw, err := p.costs()
	if err != nil {
		return err
	}
	m := moment{session: fmt.Sprint(p.session), after: p.ended}
	for _, text := range []string{answer.Output.Context, string(small)} {
		on := medium{text: text, rest: raw, restName: "raw file", ckpt: true}
		if told := tellsWhatItLeftOut.FindStringSubmatch(text); told != nil && told[1] != "" {
			words := strings.Fields(told[1])
			rest, err := p.run(nil, p.agent(), words[0], words[1:]...)
			if err != nil {
				return err
			}
			on.rest, on.restName = string(rest), told[1]
		}
		m.media = append(m.media, read(on, &p.truth, c))
	}
	m.media = append(m.media, read(medium{text: p.handoff}, &p.truth, c))
	p.readings = append(p.readings, m)
	return nil
}

// costs measures what each look would print now, and returns the checkpoint's file.
func (p *player) costs() (c costs, raw string, err error) {
	for _, look := range []struct {
		bytes *int
		args  []string
	}{
		{&c.status, []string{"status"}},
		{&c.log, []string{"log", "--oneline", "-10", "--", ".", ":!checkpoints"}},
	} {
		out, err := p.run(nil, nil, "git", look.args...)
		if err != nil {
			return c, "", err
		}
		*look.bytes = len(out)
	}
	if p.id != "" {
		src, err := os.ReadFile(filepath.Join(p.dir, "checkpoints", "active", p.id+".md"))
		if err != nil {
			return c, "", err
		}
		raw = string(src)
	}
	skill, err := os.ReadFile(filepath.Join(p.dir, ".claude", "skills", "checkpoint", "SKILL.md"))
	if err != nil {
		return c, "", err
	}
	c.skill, c.tests = len(skill), testsPrint
	for _, f := range p.truth.unrecorded.files {
		if info, err := os.Stat(filepath.Join(p.dir, filepath.FromSlash(f))); err == nil { // the file may be deleted
			c.sources += int(info.Size())
		}
	}
	return c, raw, nil
}

func (p *player) prompted(text string) error {
	if !p.running {
		return nil // the order, which the first prompt gives, has this text already
	}
	return p.says(text)
}

// begun writes the checkpoint, and HANDOFF.md beside it.
func (p *player) begun(name string) error {
	if err := p.ckpt(p.truth.essentials(), "new", name, "-F", "-"); err != nil {
		return err
	}
	p.id = "chk-" + name
	p.recorded()
	return nil
}

// note records decisions and rules at once. HANDOFF.md is not written for them.
func (p *player) note() error {
	t := &p.truth
	for i, d := range t.decisions {
		if !d.recorded {
			t.decisions[i].recorded = true
			if err := p.ckpt("", "note", "decision", d.what, "--why", d.why); err != nil {
				return err
			}
		}
	}
	for ; t.toldRules < len(t.rules); t.toldRules++ {
		if err := p.ckpt("", "note", "rule", t.rules[t.toldRules]); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) delta(changed string) error {
	t := &p.truth
	for ; t.toldPoints < len(t.points); t.toldPoints++ {
		if err := p.ckpt("", "next", "--add", t.points[t.toldPoints].text); err != nil {
			return err
		}
	}
	if err := p.ckpt(t.delta(changed, p.state), "delta", "-F", "-"); err != nil {
		return err
	}
	p.log = append(p.log, changed)
	p.recorded()
	return nil
}

// recorded writes HANDOFF.md at the moment of a record.
func (p *player) recorded() {
	p.truth.recorded()
	p.handoff = p.truth.handoff(p.log, p.state)
}

// edit writes a file. If hooked is set, the hook for the edit is called.
func (p *player) edit(path string, lines int, hooked bool) error {
	_, missing := os.Stat(filepath.Join(p.dir, filepath.FromSlash(path)))
	if err := p.write(path, lines); err != nil {
		return err
	}
	p.truth.changed(path)
	if !hooked {
		return nil
	}
	full := filepath.Join(p.dir, filepath.FromSlash(path))
	input := map[string]any{"file_path": full, "content": "…"}
	tool := "Write"
	if missing == nil {
		tool, input = "Edit", map[string]any{"file_path": full, "old_string": "…", "new_string": "…", "replace_all": false}
	}
	return p.tool(tool, input, map[string]any{"filePath": full})
}
