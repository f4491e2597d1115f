package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"example.com/ckpt/internal/fault"
)

// Network runs git with a remote, and returns what it printed on standard output and standard
// error. Its progress goes to watch; without that git asks for no password.
func (r *Repo) Network(ctx context.Context, watch io.Writer, verb string, args ...string) (out []byte, said string, err error) {
	if watch != nil {
		args = append([]string{"--progress"}, args...)
	}
	cmd := r.command(ctx, append([]string{verb}, args...)...)
	cmd.Env = append(cmd.Env, "LC_ALL=C")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if watch == nil {
		cmd.Env = append(cmd.Env, "GIT_TERMINAL_PROMPT=0")
	} else {
		shown := &afterAWhile{to: watch, first: "git " + verb + " is still at work\n"}
		timer := time.AfterFunc(time.Second, shown.begin)
		defer timer.Stop()
		cmd.Stderr = io.MultiWriter(&stderr, shown)
	}
	err = cmd.Run()
	said = stderr.String()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && cmd.ProcessState.Exited() {
		return stdout.Bytes(), said, fault.New(fault.Failed, "%w", &exitError{verb, strings.TrimSpace(withoutProgress(said)), exit.ExitCode()})
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, said, noGit()
	}
	if err != nil {
		err = fault.New(fault.Failed, "git %s: %w", verb, err)
	}
	return stdout.Bytes(), said, err
}

// withoutProgress drops the lines that git has drawn over.
func withoutProgress(said string) string {
	var kept strings.Builder
	for line := range strings.Lines(said) {
		if i := strings.LastIndexByte(line, '\r'); i < 0 {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// afterAWhile is a writer that drops what is written to it before begin is called, which
// writes the first line.
type afterAWhile struct {
	to    io.Writer
	first string
	mu    sync.Mutex
	begun bool
}

func (w *afterAWhile) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun = true
	_, _ = io.WriteString(w.to, w.first) // an ornament
}

func (w *afterAWhile) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.begun {
		return len(p), nil
	}
	return w.to.Write(p)
}
