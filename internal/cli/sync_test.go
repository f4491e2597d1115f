package cli_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/term"
)

// keyboard is what a person types on a terminal.
type keyboard struct{ io.Reader }

func (keyboard) IsTerminal() bool { return true }

func now() time.Time { return time.Unix(1767348000, 0) }

// run runs a command that succeeds, in a pipe, and returns what it said.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	s := term.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Env: envtest.Env()}
	if code := cli.Main(t.Context(), args, cli.World{Streams: s, Dir: dir, Now: now}); code != 0 {
		t.Fatalf("ckpt %s: exit code %d\n%s", strings.Join(args, " "), code, out.String())
	}
	return out.String()
}
