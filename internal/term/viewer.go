package term

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// viewerName is the program that draws Markdown; it is no part of this one, since
// linking what it needs would cost every start.
const viewerName = "ckpt-view"

// Viewer finds ckpt-view.
func Viewer() (path string, ok bool) { return companion(viewerName) }

// View shows Markdown with the viewer at path, which reads it from its standard
// input, writes to s.Out and starts the pager itself. The flag --no-color is
// handed on; extraArgs are options of ckpt-view.
//
// The error says what the viewer said; its exit code is in the *exec.ExitError
// below. A ctx that ends while the viewer is up does not kill it.
func View(ctx context.Context, s Streams, path string, markdown []byte, extraArgs ...string) error {
	var args []string
	if s.NoColor {
		args = append(args, "--style", "plain")
	}
	cmd, err := command(ctx, path, append(args, extraArgs...)...)
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd.Stdin = bytes.NewReader(markdown)
	cmd.Stdout = s.Out
	cmd.Stderr = &said
	cmd.Env = s.Env
	if err := foreground(cmd); err != nil {
		return viewerError(path, said.String(), err)
	}
	_, err = said.WriteTo(s.Err)
	return ignoreClosedPipe(err)
}

// viewerError puts the viewer's own first line before the bare exit code.
func viewerError(path, said string, err error) error {
	line, _, _ := strings.Cut(Plain(said), "\n")
	line = strings.TrimPrefix(line, viewerName+": ")
	if _, ended := errors.AsType[*exec.ExitError](err); !ended || line == "" {
		return fmt.Errorf("show with %q: %w", path, err)
	}
	return fmt.Errorf("show with %q: %s (%w)", path, line, err)
}
