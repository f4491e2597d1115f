package view

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/term"
)

// request is a parsed command line.
type request struct {
	file    string // empty or "-" means standard input
	style   Style
	width   int // 0 means the width of the terminal, up to widest
	noColor bool
	noPager bool
	help    bool
	version bool
}

// parse parses the command line. Options may be before and after FILE.
func parse(args []string) (request, error) {
	var req request
	var style string
	flags := pflag.NewFlagSet("ckpt-view", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&style, "style", "", "")
	flags.IntVar(&req.width, "width", 0, "")
	flags.BoolVar(&req.noColor, "no-color", false, "")
	flags.BoolVar(&req.noPager, "no-pager", false, "")
	flags.BoolVarP(&req.help, "help", "h", false, "")
	flags.BoolVar(&req.version, "version", false, "")
	if err := flags.Parse(args); err != nil {
		return request{}, usage("%w", err)
	}
	files := flags.Args()
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

// largest is the maximal number of bytes of a document. A checkpoint has thousands.
const largest = 16 << 20

// read returns the whole document.
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
