package term

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// Paged calls print, and writes what it prints through a pager if the answer goes to a terminal. As in git, messages
// to the terminal then go through the pager, too.
func Paged(ctx context.Context, s Streams, print func(Streams) error) error {
	if s.pager() == "" {
		return print(s)
	}
	all := &page{of: s.Out}
	onPage := s
	onPage.Out = all
	if s.ErrIsTerminal() {
		onPage.Err = all
	}
	if err := print(onPage); err != nil {
		return err
	}
	return Page(ctx, s, all.String())
}

// page is a buffer for what will be shown on a terminal. It counts as a terminal itself.
type page struct {
	bytes.Buffer
	of io.Writer
}

func (*page) IsTerminal() bool { return true }

// Page writes text to s.Out, through a pager if that is a terminal. As in git, the first of GIT_PAGER, core.pager and
// PAGER that is set names the pager, and "cat" or an empty value means no pager. If none is set, the pager is less, or
// none on a dumb terminal. Unless the user has set them, Page sets LESS=FRX and LV=-c for the pager: then less ends at
// once if the text fits on the screen, displays colours, and leaves the text on the screen.
//
// If the pager cannot be started, the text is written without one. It is not an error if the pager ends before it has
// read all text, or with an exit code other than 0. If ctx ends while the pager runs, the pager is not killed.
func Page(ctx context.Context, s Streams, text string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if text == "" {
		return nil
	}
	pager := s.pager()
	if pager == "" {
		return s.write(text)
	}
	words := []string{pager}
	if strings.ContainsAny(pager, shellMeta) {
		words = Shell(pager)
	}
	cmd, err := command(ctx, words[0], words[1:]...)
	if err != nil {
		return s.write(text)
	}
	cmd.Stdin = strings.NewReader(text)
	cmd.Stdout = s.Out
	cmd.Stderr = s.Err
	cmd.Env = slices.Clip(s.Env)
	for name, value := range map[string]string{"LESS": "FRX", "LV": "-c"} {
		if s.Getenv(name) == "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	err = foreground(cmd)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		// 126 and 127 are the shell's codes for a program that cannot be started.
		if code := exit.ExitCode(); code != 126 && code != 127 {
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

// pager returns the command line of the pager, or "" for none.
func (s Streams) pager() string {
	if s.NoPager || !s.OutIsTerminal() {
		return ""
	}
	pager := "less"
	if s.dumb() {
		pager = ""
	}
	if value, ok := s.lookup("PAGER"); ok {
		pager = value
	}
	pager = cmp.Or(s.Pager, pager)
	if value, ok := s.lookup("GIT_PAGER"); ok {
		pager = value
	}
	pager = strings.TrimSpace(pager)
	if pager == "cat" {
		return ""
	}
	return pager
}

// shellMeta has the characters that make git run a command through the shell.
const shellMeta = "|&;<>()$`\\\"' \t\n*?[#~=%"
