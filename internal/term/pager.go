package term

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// Page shows text on s.Out: a screen at a time where a person sees it, as it is
// in a pipe. As with git, the pager is GIT_PAGER, else PAGER, else less, which
// gets LESS=FRX (leave at once if it fits, let colour pass, leave the text on the
// screen) and LV=-c where these are unset. "cat" or an empty value is no pager.
//
// A pager that cannot be started is no error: the text is written without one. A
// reader who quits before the end is no error either, and neither is the exit
// code of a pager. A ctx that ends while the pager is up does not kill it.
func Page(ctx context.Context, s Streams, text string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	pager := s.pager()
	if pager == "" {
		return s.write(text)
	}
	cmd, err := pagerCommand(ctx, pager)
	if err != nil {
		return s.write(text)
	}
	cmd.Stdin = strings.NewReader(text)
	cmd.Stdout = s.Out
	cmd.Stderr = s.Err
	cmd.Env = append(slices.Clip(s.Env), s.pagerEnv()...)
	err = foreground(cmd)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		if code := exit.ExitCode(); code != 126 && code != 127 { // the shell's "no such program"
			return nil
		}
	}
	if err != nil {
		return s.write(text)
	}
	return nil
}

func (s Streams) write(text string) error {
	_, err := io.WriteString(s.Out, text)
	return ignoreClosedPipe(err)
}

// pager is the command line of the pager; empty where there is none.
func (s Streams) pager() string {
	if !s.OutIsTerminal() {
		return ""
	}
	pager := "less"
	if s.dumb() {
		pager = ""
	}
	for _, name := range []string{"PAGER", "GIT_PAGER"} {
		if value, ok := s.lookup(name); ok {
			pager = value
		}
	}
	pager = strings.TrimSpace(pager)
	if pager == "cat" {
		return ""
	}
	return pager
}

func (s Streams) pagerEnv() []string {
	var env []string
	if s.Getenv("LESS") == "" {
		env = append(env, "LESS=FRX")
	}
	if s.Getenv("LV") == "" {
		env = append(env, "LV=-c")
	}
	return env
}

// shellMeta is what makes git hand a command to the shell.
const shellMeta = "|&;<>()$`\\\"' \t\n*?[#~=%"

// pagerCommand returns the command that line names, through the shell where it is more
// than a name.
func pagerCommand(ctx context.Context, line string) (*exec.Cmd, error) {
	if strings.ContainsAny(line, shellMeta) {
		words := Shell(line)
		return command(ctx, words[0], words[1:]...)
	}
	if _, err := exec.LookPath(line); err != nil {
		return nil, err
	}
	return command(ctx, line)
}
