package cli_test

import (
	"bytes"
	"io"
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

// TestImportAsks: on a terminal an import shows what would become of each heading, and
// asks. It does not ask about a file that was imported before.
func TestImportAsks(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "HANDOFF.md", "## Done\n\n- a\n\n## Next\n\n- Fix the till\n")
	const plan = "    Next Actions           2  Next 2\n    next action: Fix the till\nimport 1 source? [y/N] "
	for _, step := range []struct {
		typed, line string
		code        int
		asked, made bool
	}{
		{"n\n", "import HANDOFF.md", 6, true, false},
		{"", "import HANDOFF.md --dry-run", 0, false, false},
		{"y\n", "import HANDOFF.md", 0, true, true},
		{"", "import HANDOFF.md", 0, false, false},
		{"", "import --force --yes HANDOFF.md", 0, false, true},
		{"", "import --force --json HANDOFF.md", 0, false, true},
	} {
		before := len(g.Git("ls-tree", "-r", "HEAD"))
		var out, remarks bytes.Buffer
		s := term.Streams{In: keyboard{strings.NewReader(step.typed)}, Out: &out, Err: term.Screen(&remarks), Env: append(envtest.Env(), "TERM=dumb")}
		code := cli.Main(t.Context(), strings.Fields(step.line), cli.World{Streams: s, Dir: g.Dir, Now: func() time.Time { return time.Unix(1767348000, 0) }})
		asked, made := strings.Contains(remarks.String(), plan), len(g.Git("ls-tree", "-r", "HEAD")) > before
		if code != step.code || asked != step.asked || made != step.made {
			t.Errorf("ckpt %s: exit code %d, asked: %v, made: %v\n%s%s", step.line, code, asked, made, out.String(), remarks.String())
		}
	}
}
