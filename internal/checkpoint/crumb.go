package checkpoint

import (
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// StrikeBreadcrumb crosses out the reference of the nth breadcrumb (from 0, as
// [Checkpoint.Breadcrumbs] lists them) and writes a text behind it.
func (r *Revision) StrikeBreadcrumb(n int, behind string) *Revision {
	all := r.c.crumbRows()
	if n < 0 || n >= len(all) || len(all[n].CellSpans) < 2 || all[n].CellSpans[1].Len() == 0 {
		return r
	}
	cell := all[n].CellSpans[1]
	s := strings.ReplaceAll(r.c.Doc.Slice(cell), "~~", "")
	behind = strings.ReplaceAll(text.OneLine(behind), "|", `\|`)
	r.edits = append(r.edits, doc.Replace(cell, "~~"+s+"~~ "+behind))
	return r
}
