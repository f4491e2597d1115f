package pages

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/test/ckpttest"
)

// page is a document of this repository whose console blocks a test runs. Each line that begins with
// `$ ` is a command. Its output must match the lines below it; see [ckpttest.Like].
type page struct {
	t     *testing.T
	name  string // from the root of this repository
	text  string
	dir   string        // the folder of the next command
	at    time.Time     // the time of the next command
	pause time.Duration // between two commands
}

// openPage reads a page, whose commands begin in dir.
func openPage(t *testing.T, name, dir string) *page {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("../..", name))
	gittest.Must(t, err)
	return &page{t: t, name: name, text: string(src), dir: dir, at: pageTime}
}

// pageTime is when the first command of a page runs.
var pageTime = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// step is a command of a console block with the output below it.
type step struct {
	line    int
	command string
	output  string
}

// blocks returns the console blocks below a heading, or all for "".
func (p *page) blocks(heading string) [][]step {
	var blocks [][]step
	below, inside := heading == "", false
	for i, line := range strings.Split(p.text, "\n") {
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
			below = heading == "" || strings.TrimLeft(line, "# ") == heading
		case below && strings.HasPrefix(line, "```console"):
			inside, blocks = true, append(blocks, nil)
		}
	}
	if len(blocks) == 0 {
		p.t.Fatalf("%s has no ```console block below the heading %q", p.name, heading)
	}
	return blocks
}

// section runs the commands below a heading, or all for "".
func (p *page) section(heading string) {
	p.t.Helper()
	for _, block := range p.blocks(heading) {
		p.run(block)
	}
}

// run runs the commands of a block.
func (p *page) run(block []step) {
	p.t.Helper()
	for _, step := range block {
		got := p.shell(step.command)
		if !ckpttest.Like(got, step.output) {
			p.t.Errorf("%s line %d: $ %s\nanswers\n%s\nthe page shows\n%s", p.name, step.line, step.command, got, step.output)
		}
		p.at = p.at.Add(p.pause)
	}
}

// shell runs a line like a shell, and returns its standard output. It knows ckpt, other programs, `cd
// DIR`, and `> FILE` or `>> FILE` after an echo.
func (p *page) shell(line string) string {
	p.t.Helper()
	words := unquote(p.t, p.name, line)
	at := p.at.Format(time.RFC3339)
	p.t.Setenv("GIT_AUTHOR_DATE", at)
	p.t.Setenv("GIT_COMMITTER_DATE", at)
	switch words[0] {
	case "ckpt":
		return ckpt(p.t, p.dir, p.at, words[1:]...)
	case "cd":
		p.dir = filepath.Join(p.dir, words[1])
		return ""
	case "echo":
		p.echo(words[1:])
		return ""
	}
	cmd := envtest.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = p.dir, append(cmd.Env, "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("%s: %v", line, err)
	}
	return string(out)
}

// echo writes a line to a file: echo TEXT > FILE. The file gets the time of the page, since
// ckpt compares it with the time of the last delta.
func (p *page) echo(words []string) {
	p.t.Helper()
	if len(words) != 3 || words[1] != ">" && words[1] != ">>" {
		p.t.Fatalf("%s: echo %q: want TEXT > FILE", p.name, words)
	}
	file := filepath.Join(p.dir, words[2])
	flags := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if words[1] == ">>" {
		flags = os.O_CREATE | os.O_WRONLY | os.O_APPEND
	}
	f, err := os.OpenFile(file, flags, 0o666)
	gittest.Must(p.t, err)
	_, err = f.WriteString(words[0] + "\n")
	gittest.Must(p.t, errors.Join(err, f.Close(), os.Chtimes(file, p.at, p.at)))
}

// ckpt runs a command of ckpt, which must succeed, and returns its standard output.
func ckpt(t *testing.T, dir string, at time.Time, args ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	w := cli.World{Dir: dir, Now: func() time.Time { return at }}
	w.Streams = term.Streams{In: strings.NewReader(""), Out: &out, Err: &said, Env: envtest.Env()}
	if exit := cli.Main(context.Background(), args, w); exit != 0 {
		t.Fatalf("ckpt %q: exit code %d\n%s%s", args, exit, out.String(), said.String())
	}
	return out.String()
}

// unquote splits a line into words like a shell. It only knows single quotes, and > as a word. Any other
// special character of a shell is an error, since the test would not test it.
func unquote(t *testing.T, page, line string) []string {
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
		case strings.ContainsRune("\"\\$`|&;<*?(){}~#", r):
			t.Fatalf("%s: %q: the test does not know what %q means to a shell", page, line, r)
		default:
			word, begun = word+string(r), true
		}
	}
	if quoted {
		t.Fatalf("%s: %q: a quote is open", page, line)
	}
	if begun {
		words = append(words, word)
	}
	return words
}
