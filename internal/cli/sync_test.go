package cli_test

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/term"
)

// keyboard is what a person types on a terminal.
type keyboard struct{ io.Reader }

func (keyboard) IsTerminal() bool { return true }

// TestSyncAsks: on a terminal the first sync of a clone to the default branch of its remote
// asks; the answer is remembered. Without a terminal it does not ask.
func TestSyncAsks(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "README.md", "# A project\n")
	hub := filepath.Join(t.TempDir(), "hub.git")
	g.Git("clone", "-q", "--bare", ".", hub)
	const question = "sync sends checkpoints to main of origin, its default branch; go on? [y/N] "
	for i, test := range []struct {
		name  string
		steps []step
	}{
		{"no, then yes", []step{
			{"n\n", "sync", 6, true, false},
			{"", "sync", 6, true, false},
			{"yes\n", "sync", 0, true, true},
			{"", "sync", 0, false, true},
		}},
		{"--yes", []step{
			{"", "sync --yes", 0, false, true},
			{"", "sync", 0, false, true},
		}},
		{"--dry-run", []step{{"", "sync --dry-run", 0, false, false}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "clone")
			g.Git("clone", "-q", hub, dir)
			clone := g.At(dir)
			for n, step := range test.steps {
				run(t, dir, "new", "--id", "chk-"+string(rune('a'+i))+string(rune('a'+n)), "--problem", "Logins fail")
				before := g.At(hub).Git("rev-parse", "main")
				var out, remarks bytes.Buffer
				s := term.Streams{In: keyboard{strings.NewReader(step.typed)}, Out: &out, Err: term.Screen(&remarks), Env: append(envtest.Env(), "TERM=dumb")}
				code := cli.Main(t.Context(), strings.Fields(step.line), cli.World{Streams: s, Dir: dir, Now: now})
				asked, sent := strings.Contains(remarks.String(), question), g.At(hub).Git("rev-parse", "main") != before
				if code != step.code || asked != step.asked || sent != step.sent {
					t.Errorf("%d: ckpt %s: exit code %d, asked: %v, sent: %v\n%s%s", n, step.line, code, asked, sent, out.String(), remarks.String())
				}
			}
			if status := clone.Git("status", "--porcelain"); status != "" {
				t.Error(status)
			}
		})
	}
	t.Run("in a pipe", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "clone")
		g.Git("clone", "-q", hub, dir)
		run(t, dir, "new", "--id", "chk-pipe", "--problem", "Logins fail")
		if said := run(t, dir, "sync"); strings.Contains(said, question) {
			t.Error(said)
		}
	})
}

// step is one sync of a test.
type step struct {
	typed, line string
	code        int
	asked, sent bool
}

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
