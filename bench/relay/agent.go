package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/envtest"
)

// ckpt runs a command of ckpt as the agent does, and then calls the hook of its tool.
func (p *player) ckpt(stdin string, args ...string) error {
	if _, err := p.run([]byte(stdin), p.agent(), "ckpt", args...); err != nil {
		return err
	}
	return p.bash("ckpt "+strings.Join(args, " "), 0)
}

// agent returns what Claude Code adds to the environment of the commands that it runs.
func (p *player) agent() []string {
	return []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=" + p.sessionID()}
}

// bash calls the hook of a shell command: Claude Code has an event of its own for one
// that failed.
func (p *player) bash(line string, exit int) error {
	input := map[string]any{"command": line, "description": "…"}
	if exit == 0 {
		return p.tool("Bash", input, map[string]any{"stdout": "…", "stderr": "", "interrupted": false, "isImage": false})
	}
	p.calls++
	return p.hook("tool", map[string]any{
		"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": input, "tool_use_id": p.toolID(),
		"error": fmt.Sprintf("Exit code %d\n…", exit), "is_interrupt": false,
	})
}

func (p *player) tool(name string, input, response map[string]any) error {
	p.calls++
	return p.hook("tool", map[string]any{
		"hook_event_name": "PostToolUse", "tool_name": name, "tool_input": input, "tool_response": response,
		"tool_use_id": p.toolID(),
	})
}

func (p *player) toolID() string { return fmt.Sprintf("toolu_%d_%d", p.session, p.calls) }

// sessionID returns a UUID, as the agent uses.
func (p *player) sessionID() string {
	sum := sha256.Sum256([]byte(fmt.Sprint(p.name, p.session)))
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

func (p *player) hook(event string, payload map[string]any) error {
	_, err := p.answer(event, payload)
	return err
}

// answer calls a hook and returns what it prints.
func (p *player) answer(event string, payload map[string]any) ([]byte, error) {
	payload["session_id"], payload["cwd"], payload["permission_mode"] = p.sessionID(), p.dir, "default"
	payload["transcript_path"] = filepath.Join(p.dir, "..", "transcript.jsonl")
	stdin, err := json.Marshal(payload)
	if err != nil {
		return nil, err
	}
	return p.run(stdin, nil, "ckpt", "hook", "claude", event)
}

// write writes n lines to a file, different ones each time.
func (p *player) write(path string, lines int) error {
	full := filepath.Join(p.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		return err
	}
	var w strings.Builder
	for i := range lines {
		fmt.Fprintf(&w, "// Line %d, written at %s.\n", i+1, p.now.Format(time.RFC3339))
	}
	if err := os.WriteFile(full, []byte(w.String()), 0o666); err != nil {
		return err
	}
	return os.Chtimes(full, p.now, p.now)
}

func (p *player) commit(subject string) error {
	if _, err := p.run(nil, nil, "git", "add", "-A"); err != nil {
		return err
	}
	_, err := p.run(nil, nil, "git", "commit", "-q", "-m", subject)
	return err
}

// run runs a command in the repository. Exit code 6, for a brief without room for everything
// that must be in it, is not an error. Any message of ckpt is an error, since on a busy machine
// a brief may lack the facts of git.
func (p *player) run(stdin []byte, env []string, name string, args ...string) ([]byte, error) {
	if name == "ckpt" {
		name = filepath.Join(p.bin, name)
	}
	cmd := exec.Command(name, args...)
	when := p.now.Format(time.RFC3339)
	cmd.Dir, cmd.Stdin = p.dir, bytes.NewReader(stdin)
	cmd.Env = envtest.Env(clock+"="+when, "PATH="+p.bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GIT_AUTHOR_NAME=Relay", "GIT_AUTHOR_EMAIL=relay@example.com", "GIT_AUTHOR_DATE="+when,
		"GIT_COMMITTER_NAME=Relay", "GIT_COMMITTER_EMAIL=relay@example.com", "GIT_COMMITTER_DATE="+when,
		"HOME="+p.bin, "XDG_CONFIG_HOME="+p.bin)
	cmd.Env = append(cmd.Env, env...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == tooLarge && args[0] == "resume" {
		err = nil
	}
	if err == nil && said.Len() > 0 && (args[0] == "hook" || strings.Contains(said.String(), "too long")) {
		err = fmt.Errorf("it remarks something")
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, said.String())
	}
	return out.Bytes(), nil
}

// tooLarge is the exit code of a brief without room for everything that must be in it.
const tooLarge = 6
