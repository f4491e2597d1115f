package workspace

import (
	"fmt"
	"path"
	"strings"

	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

const OpImport = "import"

// DescribeImport says in a line what an import did, and names its one checkpoint.
func (o *Tx) DescribeImport(done []result.Imported) {
	var files []string
	lines, left, n := 0, 0, 0
	for _, r := range done {
		if r.Bad != "" || r.Same {
			continue
		}
		if files = append(files, path.Base(r.File)); r.ID != "" {
			o.ID, o.Path = r.ID, r.Path
			n++
		}
		lines += r.Lines
		left += r.Left()
	}
	if n != 1 {
		o.ID, o.Path = "", ""
	} else {
		o.Trailers = nil // the one id has its own
		_, o.Path, _ = strings.Cut(o.Path, "/")
	}
	if len(files) == 0 {
		return
	}
	what := files[0]
	if len(files) > 1 {
		what = text.Count(len(files), "source")
	}
	o.Summary = fmt.Sprintf("%s, %s (%d to Imported)", what, text.Count(lines, "line"), left)
}
