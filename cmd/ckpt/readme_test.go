package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/term"
)

// TestReadmeSession lives what README.md shows below "A first session": each line
// that begins with `$ ` runs, in one fresh repository, and must answer with the
// lines below it. In those, … stands for anything that was left out, and a hash
// in brackets for any other. What is in no block, such as the work on the code
// that the text speaks of, happens between two blocks.
func TestReadmeSession(t *testing.T) {
	src, err := os.ReadFile("../../README.md")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("README.md is not written yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	blocks := session(string(src), "A first session")
	if len(blocks) == 0 {
		t.Fatal("README.md has no ```console block below the heading \"A first session\"")
	}
	r := gittest.New(t)
	r.Commit("First", "README.md", "# A project\n", "login/test.py", "def test_nothing():\n    pass\n")
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	for i, block := range blocks {
		if i > 0 { // "You, or your agent, work."
			r.Write("login/test.py", fmt.Sprintf("def test_clock_drift():\n    assert drift() < %d\n", 60*i))
		}
		for _, step := range block {
			got := shell(t, r.Dir, at, step.command)
			if want := pattern(step.output); !want.MatchString(mask(got)) {
				t.Errorf("README.md line %d: $ %s\nanswers\n%s\nREADME.md shows\n%s", step.line, step.command, got, step.output)
			}
			at = at.Add(20 * time.Minute)
		}
	}
}

// step is a command of a console block and what is shown below it.
type step struct {
	line    int
	command string
	output  string
}

// session reads the console blocks below a heading.
func session(readme, heading string) [][]step {
	var blocks [][]step
	below, inside := false, false
	for i, line := range strings.Split(readme, "\n") {
		switch {
		case inside && strings.HasPrefix(line, "```"):
			inside = false
		case inside:
			steps := &blocks[len(blocks)-1]
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				*steps = append(*steps, step{line: i + 1, command: command})
			} else if n := len(*steps); n > 0 {
				(*steps)[n-1].output += line + "\n"
			}
		case strings.HasPrefix(line, "#"):
			below = strings.TrimLeft(line, "# ") == heading
		case below && strings.HasPrefix(line, "```console"):
			inside, blocks = true, append(blocks, nil)
		}
	}
	return blocks
}

var shownHash = regexp.MustCompile(`\[[0-9a-f]{7,40}\]`)

func mask(text string) string { return shownHash.ReplaceAllString(text, "[a1b2c3d]") }

// pattern fits what a command says: line by line, … for any lines or the rest of one.
func pattern(output string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for line := range strings.Lines(mask(output)) {
		if strings.TrimSpace(line) == "…" {
			b.WriteString(`(?:[^\n]*\n)*?`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", `[^\n]*`))
	}
	b.WriteString(`\z`)
	return regexp.MustCompile(b.String())
}

// shell runs a line of a session and gives the answer, without the remarks.
func shell(t *testing.T, dir string, at time.Time, line string) string {
	t.Helper()
	words := unquote(t, line)
	if words[0] == "ckpt" {
		return ckpt(t, dir, at, words[1:]...)
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return string(out)
}

// ckpt runs a command of ckpt that is to succeed and gives its answer.
func ckpt(t *testing.T, dir string, at time.Time, args ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	w := cli.World{Dir: dir, Now: func() time.Time { return at }}
	w.Streams = term.Streams{In: strings.NewReader(""), Out: &out, Err: &said, Env: os.Environ()}
	if exit := cli.Main(context.Background(), args, w); exit != 0 {
		t.Fatalf("ckpt %q: exit code %d\n%s%s", args, exit, out.String(), said.String())
	}
	return out.String()
}

// unquote splits a line as a shell would, as far as README.md goes: words and
// single quotes. Anything else that a shell has a meaning for is an error, so that
// nobody believes it to be tested.
func unquote(t *testing.T, line string) []string {
	t.Helper()
	var words []string
	word, quoted, begun := "", false, false
	for _, r := range line {
		switch {
		case r == '\'':
			quoted, begun = !quoted, true
		case quoted:
			word += string(r)
		case r == ' ':
			if begun {
				words = append(words, word)
			}
			word, begun = "", false
		case strings.ContainsRune("\"\\$`|&;<>*?(){}~#", r):
			t.Fatalf("README.md: %q: the test does not know what %q means to a shell", line, r)
		default:
			word, begun = word+string(r), true
		}
	}
	if quoted {
		t.Fatalf("README.md: %q: a quote is open", line)
	}
	if begun {
		words = append(words, word)
	}
	return words
}
