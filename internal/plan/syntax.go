package plan

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/fault"
)

// findable is the largest file in which the column of an error is looked for: every
// look is a parse.
const findable = 64 << 10

// syntax is what is wrong with a file that is no YAML. The parser says what, and not
// in which column: that is where the shortest beginning of the file ends that is
// wrong in the same way, looked for behind the longest that is right.
func (r *reader) syntax(src []byte, err error) error {
	said := withoutPrefix(err)
	line, column := place(src, said)
	if line == 0 {
		return fault.New(fault.Invalid, "%s: %s", r.file, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return fault.New(fault.Invalid, "%s, line %d, column %d: %s", r.file, line, column, said)
}

// withoutPrefix is an error of the parser without "yaml: line 3: ".
func withoutPrefix(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		if _, after, ok := strings.Cut(rest, ": "); ok {
			return after
		}
	}
	return text
}

// place is where an error is, from 1; 0 where it was not found.
func place(src []byte, said string) (line, column int) {
	if len(src) > findable {
		return 0, 0
	}
	var ends []int // of each line
	for at := 0; at < len(src); {
		n := bytes.IndexByte(src[at:], '\n') + 1
		if n == 0 {
			n = len(src) - at
		}
		at += n
		ends = append(ends, at)
	}
	start := 0
	for i := len(ends) - 1; i >= 0 && start == 0; i-- {
		if wrong(src[:ends[i]]) == "" {
			line, start = i+1, ends[i]
		}
	}
	for _, end := range ends[line:] {
		line++
		if wrong(src[:end]) != said {
			start = end
			continue
		}
		for at := start + 1; at <= end; at++ {
			if wrong(src[:at]) == said {
				return line, at - start
			}
		}
	}
	return 0, 0
}

// wrong is what is wrong with a text, "" for nothing.
func wrong(src []byte) string {
	var any yaml.Node
	from := yaml.NewDecoder(bytes.NewReader(src))
	for {
		err := from.Decode(&any)
		if err == nil {
			continue
		}
		if errors.Is(err, io.EOF) {
			return ""
		}
		return withoutPrefix(err)
	}
}
