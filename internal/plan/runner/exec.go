package runner

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/plan"
)

// patience is how long what is asked to end has for it.
const patience = 2 * time.Second

// command is the command of one step.
type command struct {
	args    []string
	dir     string
	env     []string
	timeout time.Duration // 0 for none
	lock    *os.File      // nil for none
	group   *group        // that it joins; required
}

// outcome is how a command ended.
type outcome struct {
	ok      bool
	lost    bool // ctx ended before it
	message string
	output  []byte
	cut     int64
}

// run runs the command until it and all that it has started has ended: what is left
// of its process group is ended with it, on the time limit, and when ctx ends. What it
// says, on either stream, is kept together.
func (c command) run(ctx context.Context) outcome {
	defer c.group.letGo()
	if ctx.Err() != nil {
		return outcome{lost: true}
	}
	read, write, err := os.Pipe()
	if err != nil {
		return outcome{message: err.Error()}
	}
	defer read.Close()
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.dir, c.env, write, write
	c.group.join(cmd)
	hold(cmd, c.lock)
	err = cmd.Start()
	write.Close()
	if err != nil {
		return outcome{message: startError(err, c)}
	}
	c.group.letGo()

	said := make(chan *tail, 1)
	go func() {
		t := &tail{}
		_, _ = io.Copy(t, read) // it ends with the last writer, or when we close it
		said <- t
	}()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	var limit <-chan time.Time
	if c.timeout > 0 {
		timer := time.NewTimer(c.timeout)
		defer timer.Stop()
		limit = timer.C
	}
	var o outcome
	select {
	case err = <-ended:
	case <-limit:
		o.message = "it took longer than its time limit of " + c.timeout.String()
		err = c.stop(cmd, ended)
	case <-ctx.Done():
		err = c.stop(cmd, ended)
		o.lost = err != nil
	}
	endGroup(c.group.id, patience/2) // what it has left behind
	select {
	case t := <-said:
		o.output, o.cut = t.kept()
	case <-time.After(patience): // somebody who left the group has the pipe
		read.Close()
		o.output, o.cut = (<-said).kept()
	}
	o.ok = err == nil && o.message == ""
	if o.message == "" && err != nil {
		o.message = withLastLine(err.Error(), o.output)
	}
	return o
}

// stop ends the group and gives what became of the command, which may have left it.
func (c command) stop(cmd *exec.Cmd, ended <-chan error) error {
	go endGroup(c.group.id, patience)
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		_ = cmd.Process.Kill() // it may have ended
		return <-ended
	}
}

// startError is why a command could not be started, without the words of the system
// around it.
func startError(err error, c command) string {
	if info, statErr := os.Stat(c.dir); statErr != nil || !info.IsDir() {
		return fmt.Sprintf("the folder %q does not exist", c.dir)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Sprintf("%s is not installed, or not on the PATH", c.args[0])
	}
	return err.Error()
}

// withLastLine is how a command ended and the last thing that it said.
func withLastLine(how string, output []byte) string {
	lines := bytes.Split(bytes.TrimSpace(output), []byte("\n"))
	last := strings.TrimSpace(strings.ToValidUTF8(string(lines[len(lines)-1]), "\uFFFD"))
	if last == "" {
		return how
	}
	if runes := []rune(last); len(runes) > 200 {
		last = string(runes[:199]) + "…"
	}
	return how + ": " + last
}

// environment is what a step finds in its environment besides what ckpt was given.
func environment(s *plan.Step, run *plan.Run, attempt int, report string) []string {
	env := append(s.Environment(),
		"CKPT_ID="+run.ID, "CKPT_WORKFLOW="+run.Name, "CKPT_STEP="+s.ID, "CKPT_ATTEMPT="+strconv.Itoa(attempt), "CKPT_REPORT="+report)
	parameters := s.Parameters
	if parameters == "" {
		parameters = "{}"
	}
	env = append(env, "CKPT_PARAMETERS="+parameters)
	for name, value := range s.Values {
		env = append(env, "CKPT_PARAM_"+variable(name)+"="+value)
	}
	return env
}

// variable is the name of a parameter as that of a variable: in capitals, and an
// underscore for what a name cannot hold.
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
		return 0 // a step need not report
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
