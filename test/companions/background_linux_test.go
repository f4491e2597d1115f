package companions

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
)

// TestBackground answers ckpt-view's query of the terminal's background colour.
func TestBackground(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	gittest.Must(t, os.WriteFile(page, []byte("# Title\n\nSome `code`.\n"), 0o666))
	for _, tt := range []struct{ name, answer, want string }{
		{"light", "\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\\x1b[?62c", "\x1b[38;5;203;48;5;254mcode"},
		{"dark", "\x1b]11;rgb:0000/2b2b/3636\x1b\\\x1b[?62c", "\x1b[38;5;203;48;5;236mcode"},
		{"no colour", "\x1b[?62c", "\x1b[38;5;203;48;5;236mcode"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := envtest.Command("sh", "-c", `GIT_PAGER=cat exec ckpt-view <"$0"`, page)
			cmd.Env = append(envtest.Env(), "TERM=xterm-256color", "COLORFGBG=", "NO_COLOR=", "CKPT_STYLE=", "COLORTERM=")
			x := openTerminal(t, 80, 10, cmd)
			x.untilSaid("\x1b]11;?")
			x.keys(tt.answer)
			x.untilSaid(tt.want)
			if code := x.untilEnd(); code != 0 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}
