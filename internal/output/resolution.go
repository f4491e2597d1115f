package output

import (
	"cmp"
	"strconv"

	"example.com/ckpt/internal/result"
)

// resolution says what became of each file of a merge, and what is left where.
func (p Text) resolution(r *result.Resolution) {
	if r == nil {
		return
	}
	style := p.pen()
	for _, f := range r.Files {
		if !p.Quiet {
			p.printf("  %s: %s\n", f.Path, f.How)
		}
		for _, s := range f.Left {
			at := f.Path
			if s.Line > 0 {
				at += ":" + strconv.Itoa(s.Line)
			}
			p.printf("  %s: %s: %s\n", style.Yellow(at), cmp.Or(s.Section, "the file"), s.What)
		}
	}
}
