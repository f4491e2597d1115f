package pages

import (
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
)

var updatePictures = flag.Bool("update-pictures", false, "draw docs/pictures anew")

// TestPictures draws the pictures of README.md: the tree of the examples, and the brief of a session
// that resumes.
func TestPictures(t *testing.T) {
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	r := gittest.New(t)
	r.Commit("First", "README.md", "# A project\n", "login/test.py", "def test_nothing():\n    pass\n")
	for _, args := range [][]string{
		{"new", "sso", "--problem", "Logins over SSO fail for one user in twenty since release 2.3.",
			"--next", "Reproduce it in login/test.py", "--rule", "Do not touch the session format"},
		{"note", "decision", "Allow 60 s of clock drift", "--why", "the provider runs 40 s ahead"},
	} {
		ckpt(t, r.Dir, at, args...)
	}
	r.Write("login/test.py", "def test_clock_drift():\n    assert drift() < 60\n")
	err := os.Chtimes(filepath.Join(r.Dir, "login/test.py"), at, at)
	if err != nil {
		t.Fatal(err)
	}
	ckpt(t, r.Dir, at.Add(20*time.Minute), "delta", "-m", "A token from a clock that is ahead is accepted, up to 60 s.",
		"--done", "Reproduce", "--state", "The test passes. Nothing is in README.md.", "--next", "Describe the drift in README.md")
	resume := ckpt(t, r.Dir, at.Add(20*time.Hour), "resume")
	resume, _, _ = strings.Cut(resume, "\nBefore the final answer") // what follows is for agents

	examples := t.TempDir()
	out, err := r.Command("git", "init", "-q", examples).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	err = os.CopyFS(filepath.Join(examples, "checkpoints"), os.DirFS("../../examples"))
	if err != nil {
		t.Fatal(err)
	}
	for name, picture := range map[string]string{
		"resume.svg": terminalPicture("ckpt resume", resume),
		"tree.svg":   ckpt(t, examples, at, "tree", "--format", "svg"),
	} {
		file := filepath.Join("../../docs/pictures", name)
		if *updatePictures {
			err := os.WriteFile(file, []byte(picture), 0o666)
			if err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil || string(got) != picture {
			t.Errorf("docs/pictures/%s: %v; go test ./test/pages -run TestPictures -update-pictures draws it", name, err)
		}
	}
}

// terminalPicture draws a command and its output as a terminal shows them.
func terminalPicture(command, answer string) string {
	const columns, lineHeight, margin = 110, 18, 16
	lines := []string{"$ " + command}
	for line := range strings.Lines(answer) {
		lines = append(lines, wrapped(strings.TrimRight(line, "\n"), columns)...)
	}
	width, height := columns*8+2*margin, len(lines)*lineHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">
<title>The answer of %s</title>
<style>
  rect { fill: #f6f8fa; stroke: #d0d7de; }
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre; }
  .typed { font-weight: 600; }
  .head { fill: #0969da; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    rect { fill: #0d1117; stroke: #3d444d; }
    text { fill: #f0f6fc; }
    .head { fill: #4493f8; }
  }
</style>
<rect x=".5" y=".5" width="%d" height="%d" rx="6"/>
`, width, height, html.EscapeString(command), width-1, height-1)
	for i, line := range lines {
		class := ""
		switch {
		case i == 0:
			class = ` class="typed"`
		case strings.HasPrefix(line, "#"):
			class = ` class="head"`
		}
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\"%s xml:space=\"preserve\">%s</text>\n", margin, margin+13+i*lineHeight, class, html.EscapeString(line))
	}
	return b.String() + "</svg>\n"
}

// wrapped cuts a line into pieces of at most width characters, between words where it can.
func wrapped(line string, width int) []string {
	var all []string
	for len([]rune(line)) > width {
		cut := strings.LastIndexByte(string([]rune(line)[:width]), ' ')
		if cut <= 0 {
			break
		}
		all = append(all, line[:cut])
		line = "  " + line[cut+1:]
	}
	return append(all, line)
}
