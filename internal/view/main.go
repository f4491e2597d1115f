package view

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/term"
)

const help = `ckpt-view draws a Markdown file on the terminal.

Usage:
  ckpt-view [--width N] [--style STYLE] [--no-pager] [FILE]

Without FILE, or where FILE is -, it reads standard input. Frontmatter is drawn as
a table. Escape sequences in the document are removed. Long pages go through
GIT_PAGER, PAGER or less; in a pipe the page is plain text.

Options:
  --width N      columns to fill (default: the terminal's width, at most 100)
  --style STYLE  auto, dark, light or plain (default: CKPT_STYLE, else auto,
                 which asks the terminal; COLORFGBG and NO_COLOR are respected)
  --no-pager     write the whole page at once
  --help         show this page
  --version      show the version

Examples:
  ckpt-view checkpoints/active/chk-auth.md
  ckpt show --raw | ckpt-view --style light

Exit codes: 0 done, 1 reading or writing went wrong, 2 usage, 3 no such file,
7 too large to draw.
`

const (
	widest  = 100      // the default's limit: longer lines are hard to read
	largest = 16 << 20 // bytes; drawing takes about a second per megabyte
)

// request is what the command line asks for.
type request struct {
	file    string // empty or "-": standard input
	style   Style
	width   int // 0: as wide as the terminal, up to widest
	noPager bool
	help    bool
	version bool
}

// Main is the command ckpt-view: args are those after its name, the result is
// the exit code. It alone prints errors.
func Main(ctx context.Context, args []string, s term.Streams) int {
	err := run(ctx, args, s)
	if err == nil {
		return 0
	}
	fmt.Fprintf(s.Err, "ckpt-view: %s\n", term.Plain(err.Error()))
	if hint := fault.HintOf(err); hint != "" {
		fmt.Fprintf(s.Err, "hint: %s\n", term.Plain(hint))
	}
	return fault.KindOf(err).ExitCode()
}

func run(ctx context.Context, args []string, s term.Streams) error {
	req, err := parse(args)
	switch {
	case err != nil:
		return err
	case req.help:
		_, err := io.WriteString(s.Out, help)
		return err
	case req.version:
		_, err := fmt.Fprintf(s.Out, "ckpt-view %s\n", version())
		return err
	}
	markdown, err := read(req.file, s)
	if err != nil {
		return err
	}
	look, err := lookOf(req, s)
	if err != nil {
		return err
	}
	page, err := Render(markdown, look)
	if err != nil { // the reader came for the text, not for the colours
		fmt.Fprintf(s.Err, "ckpt-view: %s; here is its text\n", term.Plain(err.Error()))
		page = term.Plain(markdown)
	}
	if req.noPager {
		_, err := io.WriteString(s.Out, page)
		return err
	}
	return term.Page(ctx, s, page)
}

// parse reads the command line; options may stand before and after FILE.
func parse(args []string) (request, error) {
	var req request
	var style string
	var files []string
	flags := flag.NewFlagSet("ckpt-view", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&style, "style", "", "")
	flags.IntVar(&req.width, "width", 0, "")
	flags.BoolVar(&req.noPager, "no-pager", false, "")
	flags.BoolVar(&req.help, "help", false, "")
	flags.BoolVar(&req.help, "h", false, "")
	flags.BoolVar(&req.version, "version", false, "")
	for rest := args; ; {
		if err := flags.Parse(rest); err != nil {
			return request{}, usage("%w", err)
		}
		ended := len(rest) > flags.NArg() && rest[len(rest)-flags.NArg()-1] == "--"
		rest = flags.Args()
		if ended || len(rest) == 0 {
			files = append(files, rest...)
			break
		}
		files, rest = append(files, rest[0]), rest[1:]
	}
	if len(files) > 1 {
		return request{}, usage("one FILE at a time, not %d", len(files))
	}
	if req.width != 0 && req.width < MinWidth {
		return request{}, usage("--width is %d; it must be at least %d", req.width, MinWidth)
	}
	req.file = strings.Join(files, "")
	var err error
	req.style, err = ParseStyle("--style", style)
	return req, err
}

func usage(format string, args ...any) error {
	return fault.New(fault.Usage, format, args...).WithHint("ckpt-view --help")
}

// read is the whole document.
func read(file string, s term.Streams) (string, error) {
	in, name := s.In, "standard input"
	if file != "" && file != "-" {
		f, err := os.Open(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return "", fault.New(fault.NotFound, "no such file: %q", file)
		case err != nil:
			return "", fault.New(fault.Failed, "read %q: %w", file, err)
		}
		defer f.Close()
		in, name = f, fmt.Sprintf("%q", file)
	} else if s.InIsTerminal() && file == "" {
		return "", usage("no FILE, and nothing on standard input")
	}
	b, err := io.ReadAll(io.LimitReader(in, largest+1))
	switch {
	case err != nil:
		return "", fault.New(fault.Failed, "read %s: %w", name, err)
	case len(b) > largest:
		return "", fault.New(fault.Unsupported, "read %s: larger than %d MiB", name, largest>>20)
	}
	return string(b), nil
}

// lookOf settles what the command line leaves open.
func lookOf(req request, s term.Streams) (Look, error) {
	style, err := choose(req.style, s)
	if err != nil {
		return Look{}, err
	}
	width := req.width
	if width == 0 {
		width = max(min(s.Width(), widest), MinWidth)
	}
	return Look{Style: style, Width: width, Colors: colors(s)}, nil
}

// version is what the binary was built from: a release's number, or "(devel)".
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
