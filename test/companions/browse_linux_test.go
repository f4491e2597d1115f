package companions

import (
	"encoding/base64"
	"flag"
	"os"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/test/ckpttest"
)

// browsed is a repository with a browser on a terminal.
type browsed struct {
	*ckpttest.Repo
	*terminal
}

// newBrowsed returns an empty repository.
func newBrowsed(t *testing.T) *browsed {
	return &browsed{Repo: ckpttest.NewRepo(t)}
}

// fill makes three checkpoints, of which chk-auth is the current one.
func (b *browsed) fill() *browsed {
	b.must("new", "docs", "--problem", "There is no guide.", "--next", "Write it")
	b.must("archive", "docs", "--outcome", "The guide is written")
	b.must("new", "queue", "--problem", "Jobs are lost.", "--next", "Find out by bisect")
	b.must("new", "auth", "--problem", "Logins fail.", "--next", "Measure the skew", "--next", "Write the test")
	return b
}

// must runs ckpt while the browser is open.
func (b *browsed) must(args ...string) {
	b.T.Helper()
	if out, err := b.Command(args...).CombinedOutput(); err != nil {
		b.T.Fatalf("ckpt %v: %v\n%s", args, err, out)
	}
}

// open starts the browser, with environment variables.
func (b *browsed) open(columns, rows int, env ...string) *browsed {
	t := b.T
	t.Helper()
	cmd := envtest.Command("ckpt", "browse") // beside ckpt-view: see ckpttest.MainWithCompanions
	cmd.Dir = b.Dir
	cmd.Env = append(b.Env(), "TERM=xterm-256color", "COLORFGBG=15;0", "NO_COLOR=", "DISPLAY=", "WAYLAND_DISPLAY=")
	cmd.Env = append(cmd.Env, env...)
	b.terminal = openTerminal(t, columns, rows, cmd)
	return b
}

var updatePictures = flag.Bool("update-pictures", false, "draw docs/pictures anew")

// coloured matches an escape sequence that sets a colour.
var coloured = text.Regexp(`\x1b\[(?:[0-9]+;)*(?:[349][0-8])[0-9;]*m`)

// committed asserts the subject of the last commit.
func (b *browsed) committed(want string) {
	t := b.T
	t.Helper()
	if got := strings.TrimSpace(b.Git("log", "-1", "--format=%s")); got != want {
		t.Errorf("the last commit is %q, not %q", got, want)
	}
}

// TestBrowse drives `ckpt browse` as a person does, on a terminal.
func TestBrowse(t *testing.T) {
	for _, tc := range []struct {
		name string
		run  func(t *testing.T, b *browsed)
	}{
		{"use and undo", func(t *testing.T, b *browsed) {
			b.fill().open(110, 24)
			b.until("▸ Checkpoints 3", "▌ ● chk-auth", "Logins fail.", "→ Measure the skew")
			b.keys("ju")
			b.until("use chk-queue: current [", "▌ ● chk-queue")
			b.committed("ckpt: use chk-queue: current")
			b.keys("z")
			b.until("Undo the last change (y/n)?")
			b.keys("y\r")
			b.until("undo chk-queue: undid: use", "● chk-auth")
			b.keys("u")
			b.until("▌ ● chk-queue") // what undo says names the use that it undid
			b.must("undo")           // outside of the browser, which shows the result
			b.until("● chk-auth", "▌ ○ chk-queue")
		}},
		{"archive, with an error", func(t *testing.T, b *browsed) {
			b.fill()
			b.must("new", "child", "--parent", "auth", "--problem", "Retries hide the cause.")
			b.open(110, 24).until("▌ ● chk-child")
			b.keys("/auth\r")
			b.until("2 of 4 with auth") // its parent is
			b.keys("\x1b")
			b.until("Checkpoints 4")
			b.keys("G")
			b.until("▌ ◉ chk-docs")
			b.keys("gja")
			b.until("Outcome of chk-auth:")
			b.keys("works")
			b.must("use", "auth")
			b.until("● chk-auth", "Outcome of chk-auth: works")
			b.keys("\r")
			b.until("chk-auth has active children: chk-child", "hint: ckpt archive chk-child first", "Outcome of chk-auth: works")
			b.must("archive", "child", "--outcome", "logged")
			b.keys("\r")
			b.until("archive chk-auth: works [", "◉ chk-auth", "✓ works", "!Outcome of")
			b.committed("ckpt: archive chk-auth: works")
		}},
		{"edit", func(t *testing.T, b *browsed) {
			b.fill().open(110, 24, "EDITOR=sed -i s/Logins/Sessions/")
			b.until("▌ ● chk-auth")
			b.keys("e")
			b.until("save chk-auth: edited by hand", "Sessions fail.")
			b.committed("ckpt: save chk-auth: edited by hand: chk-auth")
		}},
		{"edit, with an error", func(t *testing.T, b *browsed) {
			b.fill().open(110, 24, "EDITOR=sed -i s/^status:/sta/")
			b.until("▌ ● chk-auth")
			b.keys("e")
			b.until("cannot be read", "✗ active/chk-auth.md !")
			b.committed("ckpt: new chk-auth: Logins fail.")
			if !strings.Contains(b.Read("checkpoints/active/chk-auth.md"), "\nsta current") {
				t.Error("the edit is lost")
			}
		}},
		{"an editor that fails", func(t *testing.T, b *browsed) {
			b.fill().open(110, 24, "EDITOR=false")
			b.until("▌ ● chk-auth")
			b.keys("e")
			b.until("ended with exit code 1", "▌ ● chk-auth")
		}},
		{"pages", func(t *testing.T, b *browsed) {
			b.fill()
			b.must("note", "decision", "Allow 60 s", "--why", "the provider does")
			b.open(110, 40).until("▌ ● chk-auth", "• Allow 60 s: the provider does")
			b.keys("l")
			b.until("current, log", "@{0}", "note", "Allow 60 s")
			b.keys("D")
			b.until("current, last change", "Decisions", "Allow 60 s")
			b.keys("d")
			b.until("current, details", "Decisions Made", "1. Allow 60 s", "!**")
			b.keys("d")
			b.until("• Allow 60 s", "!details")
			b.keys("t")
			b.until("as a tree")
			b.keys("?")
			b.until("Help", "u use", "half a page back", "Each change is the ckpt command of that name")
			b.keys("q")
			b.until("▸ Checkpoints")
			b.keys("\r")
			b.until("▸ active/chk-auth.md")
		}},
		{"search", func(t *testing.T, b *browsed) {
			b.fill()
			b.must("note", "context", "An innocent word")
			b.must("note", "state", "Innocent again")
			b.open(110, 14).until("▌ ● chk-auth")
			b.keys("/innocent")
			b.until("1 of 3 with innocent", "An innocent word")
			b.keys("\rn")
			b.until("hit 1 of 2")
			b.keys("n")
			b.until("hit 2 of 2", "Innocent again")
			b.keys("N")
			b.until("hit 1 of 2")
			b.keys("\x1b")
			b.until("Checkpoints 3")
			b.keys("/nowhere")
			b.until("Nothing contains nowhere.")
		}},
		{"copy", func(t *testing.T, b *browsed) {
			b.fill().open(110, 24)
			b.until("▌ ● chk-auth")
			b.keys("y")
			b.until("copied chk-auth")
			b.untilSaid("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("chk-auth")))
			b.keys("Y")
			b.until("copied the brief of chk-auth (")
			brief, err := b.Command("resume", "auth").Output()
			gittest.Must(t, err)
			b.untilSaid("\x1b]52;c;" + base64.StdEncoding.EncodeToString(brief))
		}},
		{"resize", func(t *testing.T, b *browsed) {
			b.fill().open(110, 24)
			b.until("▌ ● chk-auth", " │ ")
			b.resize(25, 8)
			b.until("▌ ● chk-auth", "? help · q quit", "! │ ", "!→ Measure")
			b.keys("\r")
			b.until("▸ active/chk-auth.md cur…")
			b.keys("?")
			b.until("▸ Help", "u use")
			b.keys("\x1b")
			b.until("▸ active/chk-auth.md cur…")
			b.keys("\x1b")
			b.resize(60, 20)
			b.until("▸ Checkpoints 3", " │ ", "→ Measure")
			b.resize(50, 12)
			b.until("▌ ● chk-auth", "? help · q quit · u use · e edit · a archive …", "! │ ")
		}},
		{"others write meanwhile", func(t *testing.T, b *browsed) {
			b.fill()
			b.must("note", "context", strings.Repeat("A long story. ", 80))
			b.open(110, 16).until("▌ ● chk-auth")
			b.keys("j")
			b.until("▌ ○ chk-queue")
			b.must("new", "later", "--problem", "Seen at once.")
			b.until("● chk-later  Seen at once.", "▌ ○ chk-queue")
			b.must("note", "context", "Not gone", "-c", "queue")
			b.keys("\rG")
			b.until("▸ active/chk-queue.md active, 100 %", "▌ ○ chk-queue")
			b.must("archive", "queue", "--outcome", "found")
			b.until("▌ ◉ chk-queue", "✓ found")
		}},
		{"an empty repository", func(t *testing.T, b *browsed) {
			b.open(60, 14).until("No checkpoints yet.", "ckpt new NAME")
			b.must("new", "first", "--problem", "It begins.")
			b.until("● chk-first", "created")
			b.keys("q")
			if code := b.untilEnd(); code != 0 {
				t.Errorf("it ended with %d", code)
			}
			b.untilSaid("\x1b[?1049l")
		}},
		{"esc leaves an empty repository", func(t *testing.T, b *browsed) {
			b.open(60, 14).until("No checkpoints yet.")
			b.keys("\x1b")
			if code := b.untilEnd(); code != 0 {
				t.Errorf("it ended with %d", code)
			}
		}},
		{"without colours", func(t *testing.T, b *browsed) {
			b.fill().open(110, 16, "NO_COLOR=1")
			b.until("▌ ● chk-auth", "Logins fail.")
			b.untilSaid("\x1b[7m▌")
			b.keys("q")
			b.untilEnd()
			if code := coloured.Get().FindString(b.said.String()); code != "" {
				t.Errorf("it wrote %q", code)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			tc.run(t, newBrowsed(t))
		})
	}
}

// TestBrowsePicture compares the screen of `ckpt browse` with the picture on its page.
func TestBrowsePicture(t *testing.T) {
	const file = "../../docs/pictures/browse.txt"
	b := newBrowsed(t).fill()
	b.must("note", "decision", "Allow 60 s of clock drift", "--why", "the provider runs 40 s ahead")
	b.open(100, 20).until("▌ ● chk-auth", "Allow 60 s", "◉ chk-docs", "? help")
	if *updatePictures {
		gittest.Must(t, os.WriteFile(file, []byte(b.text()+"\n"), 0o666))
	}
	want, err := os.ReadFile(file)
	gittest.Must(t, err)
	b.wait("docs/pictures/browse.txt (-update-pictures)", func() bool { return b.screen.String()+"\n" == string(want) })
}
