package term

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// Viewer is the program that renders Markdown. It is a separate program, since its
// libraries would slow down every start of this one.
const Viewer = "ckpt-view"

// View shows Markdown with the viewer at path. The viewer reads its standard input, writes to
// s.Out and starts the pager itself. It gets the pager in GIT_PAGER, and NO_COLOR if s.NoColor is set.
//
// The error has the viewer's own message and wraps the *exec.ExitError. If ctx ends while the
// viewer runs, the viewer is not killed.
func View(ctx context.Context, s Streams, path string, markdown []byte) error {
	cmd, err := command(ctx, path)
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd.Stdin = bytes.NewReader(markdown)
	cmd.Stdout = s.Out
	cmd.Stderr = &said
	cmd.Env = append(slices.Clip(s.Env), "GIT_PAGER="+s.pager())
	if s.NoColor {
		cmd.Env = append(cmd.Env, "NO_COLOR=1")
	}
	if err := foreground(cmd); err != nil {
		return viewerError(path, said.String(), err)
	}
	_, err = said.WriteTo(s.Err)
	return ignoreClosedPipe(err)
}

// viewerError returns an error that begins with the first line of the viewer's own message.
func viewerError(path, said string, err error) error {
	line, _, _ := strings.Cut(Plain(said), "\n")
	line = strings.TrimPrefix(line, Viewer+": ")
	if _, ended := errors.AsType[*exec.ExitError](err); !ended || line == "" {
		return fmt.Errorf("show with %q: %w", path, err)
	}
	return fmt.Errorf("show with %q: %s (%w)", path, line, err)
}
