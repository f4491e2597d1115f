package runner

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/text"
)

// patience is how long processes may take to end after they were asked to.
const patience = 2 * time.Second

// command is the command of one step.
type command struct {
	args    []string
	dir     string
	env     []string
	timeout time.Duration // 0 for no limit
	lock    *os.File      // the command inherits it; may be nil
}

// run runs the command and returns its status, the reason of a failure and the output of both
// streams. It ends the whole process group when the command ends, at the time limit, and when ctx
// ends. Lost reports whether ctx ended before the command.
func (c command) run(ctx context.Context) (res plan.Result, lost bool) {
	res.Status = plan.Failed
	if ctx.Err() != nil {
		return res, true
	}
	read, write, err := os.Pipe()
	if err != nil {
		res.Message = err.Error()
		return res, false
	}
	defer read.Close()
	inTime, cancel := context.WithTimeout(ctx, cmp.Or(c.timeout, math.MaxInt64))
	defer cancel()
	cmd := exec.CommandContext(inTime, c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.dir, c.env, write, write
	if c.lock != nil {
		cmd.ExtraFiles = []*os.File{c.lock}
	}
	term.LeadGroup(cmd)
	cmd.Cancel = func() error {
		term.EndGroup(cmd.Process.Pid, patience)
		return nil
	}
	err = cmd.Start()
	write.Close()
	if err != nil {
		res.Message = startError(err, c)
		return res, false
	}

	said := make(chan *tail, 1)
	go func() {
		t := &tail{}
		_, _ = io.Copy(t, read) // ends when the last writer closes the pipe, or we close it
		said <- t
	}()
	err = cmd.Wait()
	term.EndGroup(cmd.Process.Pid, patience/2) // ends processes that the command left behind
	// A process that has left the group may keep the pipe open. Close our end later, so that the copy ends.
	stop := time.AfterFunc(patience, func() { read.Close() })
	defer stop.Stop()
	t := <-said
	res.Output, res.Cut = t.buf, t.cut
	switch {
	case err == nil:
		res.Status = plan.Completed
	case inTime.Err() != nil:
		res.Message = "it took longer than its time limit of " + c.timeout.String()
	default:
		res.Message = withLastLine(err.Error(), t.buf)
	}
	return res, ctx.Err() != nil && err != nil
}

// startError returns the reason why a command could not be started.
func startError(err error, c command) string {
	if info, statErr := os.Stat(c.dir); statErr != nil || !info.IsDir() {
		return fmt.Sprintf("the folder %q does not exist", c.dir)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Sprintf("%s is not installed, or not on the PATH", c.args[0])
	}
	return err.Error()
}

// withLastLine adds the last line of the output to an error.
func withLastLine(how string, output []byte) string {
	lines := bytes.Split(bytes.TrimSpace(output), []byte("\n"))
	last := strings.TrimSpace(strings.ToValidUTF8(string(lines[len(lines)-1]), "\uFFFD"))
	if last == "" {
		return how
	}
	return how + ": " + text.Shorten(last, 200)
}

// environment returns the variables that a step has in addition to ckpt's own environment.
func environment(s *plan.Step, run *plan.Run, attempt int, report string) []string {
	env := append(s.Environment(),
		"CKPT_ID="+run.ID, "CKPT_WORKFLOW="+run.Name, "CKPT_STEP="+s.ID, "CKPT_ATTEMPT="+strconv.Itoa(attempt),
		"CKPT_REPORT="+report, "CKPT_PARAMETERS="+cmp.Or(s.Parameters, "{}"))
	for name, value := range s.Values {
		env = append(env, "CKPT_PARAM_"+variable(name)+"="+value)
	}
	return env
}

// variable returns the name of a variable for a parameter: in capitals, with underscores in
// place of characters that a variable cannot have.
func variable(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z' || '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, name)
}

// tokensIn adds up the lines "tokens: N" of a report.
func tokensIn(file string) int {
	f, err := os.Open(file)
	if err != nil {
		return 0 // there is no report
	}
	defer f.Close()
	sum := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "tokens:"); ok {
			if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && n > 0 {
				sum += n
			}
		}
	}
	return sum
}

// tailSize is the number of bytes at the end of a step's output that are searched for secrets. The
// checkpoint gets less.
const tailSize = 64 << 10

// tail is a writer that stores the last bytes written to it.
type tail struct {
	buf []byte
	cut int64 // the number of bytes that were dropped
}

func (t *tail) Write(b []byte) (int, error) {
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
		t.cut += int64(over)
	}
	return len(b), nil
}

// untilHangup returns a context that also ends when the terminal is closed, unless ckpt was
// started with nohup. A closed standard output does not end the run, and the steps handle
// SIGPIPE as usual.
func untilHangup(ctx context.Context) (context.Context, func()) {
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	stopHangup := func() {}
	if !signal.Ignored(syscall.SIGHUP) {
		ctx, stopHangup = signal.NotifyContext(ctx, syscall.SIGHUP)
	}
	return ctx, func() { signal.Stop(broken); stopHangup() }
}
