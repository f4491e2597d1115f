package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/token"
)

// scripted is the built-in agent. It does the same each time. It knows the finished program, but writes a part only if
// it has read the point, and follows a rule only if it has read the rule. In a session it knows only the text at the
// start and what it reads in the repository. It calls ckpt's hooks as Claude Code does.
//
// Before it writes, it looks for what the text at the start lacks. It reads the checkpoint, unless the
// brief tells what was left out. It runs git log and git status, unless the brief names HEAD and tells that
// they show nothing else. It always reads the sources.
type scripted struct {
	sessions int
	context  string        // what the sessions so far have read, for the arm resume
	written  map[int][]int // by part in the working tree: the rules that were known when the part was written
	torn     bool          // the program is half written
	dirty    bool          // the program has changes that are not committed
	touched  bool          // a file was changed that a rule forbids to touch
}

// life is a session of the scripted agent.
type life struct {
	*scripted
	*session
	ctx   context.Context
	p     *place
	at    cut
	read  string         // all that the session has read
	steps map[string]int // by kind: how many steps were begun
}

// errCut is the error of a session that is killed.
var errCut = errors.New("the session is killed")

func (a *scripted) session(ctx context.Context, p *place, prompt, id string, at cut) (session, error) {
	a.sessions++
	p.now = p.now.Add(time.Hour)
	sum := sha256.Sum256([]byte(fmt.Sprint(p.order.name, p.arm, a.sessions)))
	s := session{ID: uuid(sum[:])}
	l := &life{scripted: a, session: &s, ctx: ctx, p: p, at: at, read: prompt, steps: map[string]int{}}
	if id != "" {
		l.read = a.context + "\n" + prompt
	}
	brief, err := l.begin(prompt)
	if err == nil {
		instructions, _ := l.file("CLAUDE.md") // in the arms none and resume it does not exist
		s.Start = token.Estimate(instructions + "\n" + l.read)
		s.Tokens = s.Start
		if at.reached(&s, 0) {
			err = errCut
		}
	}
	if err == nil {
		err = l.work(brief, id != "")
	}
	if errors.Is(err, errCut) {
		s.Cut, err = true, nil
	}
	a.context = l.read
	return s, err
}

// begin calls the hooks for a new session and its prompt, and returns the brief.
func (l *life) begin(prompt string) (brief string, err error) {
	if !l.p.isCkpt() {
		return "", nil
	}
	out, err := l.hook("session-start", object{"hook_event_name": "SessionStart", "source": "startup"})
	if err != nil {
		return "", err
	}
	var answer struct {
		Context string `json:"additionalContext"`
	}
	if out != "" {
		err = json.Unmarshal([]byte(out), &answer)
	}
	l.read += "\n" + answer.Context
	if err == nil {
		_, err = l.hook("prompt", object{"hook_event_name": "UserPromptSubmit", "prompt": prompt})
	}
	return answer.Context, err
}

// work goes on with the order until it is done.
func (l *life) work(brief string, resumed bool) error {
	o, first := l.p.order, l.sessions == 1
	if l.p.arm == armHandoff && !first {
		if err := l.look("cat HANDOFF.md", func() (string, error) { return l.file("HANDOFF.md") }); err != nil {
			return err
		}
	}
	if first {
		if err := l.takeOrder(); err != nil {
			return err
		}
	} else if err := l.lookAround(brief, resumed); err != nil {
		return err
	}
	if err := l.look("cat "+o.Main, func() (string, error) { return l.file(o.Main) }); err != nil {
		return err
	}
	if l.dirty && !l.torn { // test and commit what the last session has left
		if err := l.finish(); err != nil {
			return err
		}
	}
	for _, part := range o.parts() {
		_, written := l.written[part]
		if written && !l.torn || !strings.Contains(l.read, o.points[part-1]) {
			continue
		}
		if err := l.writePart(part); err != nil {
			return err
		}
		if err := l.finish(); err != nil {
			return err
		}
	}
	return nil
}

// takeOrder records the order at the beginning, in a checkpoint or in HANDOFF.md.
func (l *life) takeOrder() error {
	switch {
	case l.p.isCkpt():
		var next strings.Builder
		for _, part := range l.p.order.parts() {
			fmt.Fprintf(&next, "%d. Write part %d of the order in %s\n", part, part, l.p.order.Main)
		}
		args := []string{"new", l.p.order.name, "--prompt", "--problem", "The program lacks ten points", "-F", "-"}
		return l.call("Bash", "ckpt "+strings.Join(args, " "), "", false, func(bool) error {
			_, err := l.p.run(l.ctx, "### Next Actions\n"+next.String(), l.agent(), "ckpt", args...)
			return err
		})
	case l.p.arm == armHandoff:
		return l.handoff()
	}
	return nil
}

// lookAround looks for what the text at the start lacks. A session that does not know the order looks for
// it everywhere.
func (l *life) lookAround(brief string, resumed bool) error {
	if l.p.isCkpt() && !tellsWhatItLeftOut.MatchString(brief) {
		show := func() (string, error) { return l.p.run(l.ctx, "", l.agent(), "ckpt", "show") }
		if err := l.look("ckpt show", show); err != nil {
			return err
		}
	}
	head, err := l.git("rev-parse", "--short=7", "HEAD")
	if err != nil {
		return err
	}
	names := func(what string) bool { return strings.Contains(brief, what) }
	tells := strings.Contains(brief, "git status and git log show nothing else") && names(strings.TrimSpace(head))
	if !tells || l.dirty && !names("`"+l.p.order.Main+"`") {
		status := func() (string, error) { return l.git("status", "--short") }
		if err := l.look("git log --oneline -5; git status --short", status); err != nil {
			return err
		}
	}
	knows := slices.ContainsFunc(l.p.order.points, func(point string) bool { return strings.Contains(l.read, point) })
	if knows || resumed {
		return nil
	}
	for _, args := range [][]string{{"reflog"}, {"stash", "list"}, {"fsck", "--lost-found"}} {
		run := func() (string, error) { return l.git(args...) }
		if err := l.look("git "+strings.Join(args, " "), run); err != nil {
			return err
		}
	}
	return l.look("cat README.md", func() (string, error) { return l.file("README.md") })
}

// tellsWhatItLeftOut matches the line in which a brief tells that it is complete, or what it lacks.
var tellsWhatItLeftOut = regexp.MustCompile(`(?m)^(?:Complete:|INCOMPLETE:|Left out:)`)

// writePart adds a part to the program, by the rules that the session has read. If a rule forbids to touch a file and
// the session has not read the rule, writePart changes that file.
func (l *life) writePart(part int) error {
	o := l.p.order
	var rules []int
	for _, rule := range o.Rules {
		if strings.Contains(l.read, o.points[rule-1]) {
			rules = append(rules, rule)
		}
	}
	if l.written == nil {
		l.written = map[int][]int{}
	}
	l.written[part] = rules
	l.torn = false
	l.touched = l.touched || slices.ContainsFunc(o.Checks, func(c check) bool {
		return c.Same != "" && !slices.Contains(rules, c.point())
	})
	files := o.files(func(n, in int) bool {
		_, isWritten := l.written[n]
		switch {
		case !slices.Contains(o.Rules, n):
			return isWritten
		case in == 0:
			return !l.touched
		}
		return slices.Contains(l.written[in], n)
	})
	return l.call("Edit", o.Main, stepWrite, true, func(half bool) error {
		l.dirty = true
		if half {
			l.torn = true
			files[o.Main] = files[o.Main][:len(files[o.Main])/2]
		}
		return l.p.write(files)
	})
}

// finish tests, commits and records what is written.
func (l *life) finish() error {
	if err := l.call("Bash", "go vet . || python3 -m unittest || node --test", "", false, nil); err != nil {
		return err
	}
	last := 0
	for _, part := range l.p.order.parts() {
		if _, ok := l.written[part]; ok {
			last = part
		}
	}
	subject := fmt.Sprintf("Write part %d", last)
	commit := "git add -A && git commit -m '" + subject + "'"
	if !l.p.isCkpt() {
		if l.p.arm == armHandoff {
			if err := l.handoff(); err != nil {
				return err
			}
		}
		return l.call("Bash", commit, stepCommit, false, func(half bool) error { return l.commit(subject, half) })
	}
	delta := fmt.Sprintf("Part %d is written\n### Done\n- Write part %d of\n### Current State\nParts up to %d work.\n",
		last, last, last)
	return l.call("Bash", commit+" && ckpt delta -F - <<'EOF'\n"+delta+"EOF", "", false, func(bool) error {
		if err := l.commit(subject, l.isInside(stepCommit)); err != nil {
			return err
		}
		var env []string
		inside := l.isInside(stepDelta)
		if inside {
			env = l.deadlyHook()
		}
		if _, err := l.p.run(l.ctx, delta, slices.Concat(l.agent(), env), "ckpt", "delta", "-F", "-"); err != nil && !inside {
			return err
		}
		if inside {
			return errCut
		}
		return nil
	})
}

// commit commits everything. If half is true, git is killed while it commits.
func (l *life) commit(subject string, half bool) error {
	if out, err := l.git("status", "--porcelain"); err != nil || out == "" {
		return err
	}
	if _, err := l.git("add", "-A"); err != nil {
		return err
	}
	if half {
		_, _ = l.p.run(l.ctx, "", l.deadlyHook(), "git", "commit", "-q", "-m", subject) // the hook kills git, so this fails
		return errCut
	}
	l.dirty = false
	_, err := l.git("commit", "-q", "-m", subject)
	return err
}

// deadlyHook returns environment variables with a commit-msg hook that kills the git or ckpt that runs it.
func (l *life) deadlyHook() []string {
	hook := filepath.Join(l.p.bin, "hooks", "commit-msg")
	dir := filepath.Dir(hook)
	if os.MkdirAll(dir, 0o777) != nil || os.WriteFile(hook, []byte("#!/bin/sh\nkill -9 $PPID\n"), 0o777) != nil {
		return nil
	}
	return []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.hooksPath", "GIT_CONFIG_VALUE_0=" + dir}
}

// isInside counts a step, and reports whether the session is to be killed in the middle of this step.
func (l *life) isInside(step string) bool {
	l.steps[step]++
	return step != "" && l.at.inside == step && l.steps[step] == 2
}

// handoff writes HANDOFF.md with the text of the order and the numbers of the finished parts.
func (l *life) handoff() error {
	text := "# Handoff\n\n" + l.p.order.text + "\nDone:"
	for _, part := range l.p.order.parts() {
		if _, ok := l.written[part]; ok {
			text += " " + strconv.Itoa(part)
		}
	}
	return l.call("Write", "HANDOFF.md", stepDelta, false, func(half bool) error {
		if half {
			text = text[:len(text)/2]
		}
		return l.p.write(map[string]string{"HANDOFF.md": text + "\n"})
	})
}

// look makes a call that reads the output of a command.
func (l *life) look(command string, output func() (string, error)) error {
	return l.call("Bash", command, "", false, func(bool) error {
		out, err := output()
		l.read += "\n" + out
		l.Tokens += token.Estimate(out)
		return err
	})
}

// call makes one call of a tool, and returns errCut if the session is killed there. No hook is called for
// a call in which the session is killed.
func (l *life) call(tool, command, step string, wrote bool, do func(half bool) error) error {
	l.p.now = l.p.now.Add(time.Minute)
	l.Calls = append(l.Calls, call{Tool: tool, Command: command, Wrote: wrote})
	half := l.isInside(step)
	if do != nil {
		if err := do(half); err != nil {
			return err
		}
	}
	if half {
		return errCut
	}
	if l.p.isCkpt() {
		input, response := object{"command": command}, object{"stdout": "OK", "stderr": "", "interrupted": false}
		if tool != "Bash" {
			input, response = object{"file_path": filepath.Join(l.p.dir, command)}, object{}
		}
		payload := object{
			"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": input, "tool_response": response,
		}
		if _, err := l.hook("tool", payload); err != nil {
			return err
		}
	}
	if l.at.reached(l.session, len(l.Calls)) {
		return errCut
	}
	return nil
}

// hook calls a hook and returns what it prints.
func (l *life) hook(event string, payload object) (string, error) {
	payload["session_id"], payload["cwd"] = l.ID, l.p.dir
	stdin, err := json.Marshal(payload)
	if err != nil {
		return "", err
	}
	return l.p.run(l.ctx, string(stdin), nil, "ckpt", "hook", "claude", event)
}

// agent returns the variables that Claude Code adds to the environment of its commands.
func (l *life) agent() []string { return []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=" + l.ID} }

func (l *life) git(args ...string) (string, error) { return l.p.run(l.ctx, "", nil, "git", args...) }

func (l *life) file(name string) (string, error) {
	src, err := os.ReadFile(filepath.Join(l.p.dir, name))
	return string(src), err
}

// uuid returns 16 bytes as a UUID of version 4, the form of Claude Code's session ids.
func uuid(b []byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], []byte{b[6]&0x0f | 0x40, b[7]}, []byte{b[8]&0x3f | 0x80, b[9]}, b[10:16])
}
