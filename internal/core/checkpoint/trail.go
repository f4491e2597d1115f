package checkpoint

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/pattern"
)

// Artifact is one row of an artifact table: of the Artifact Trail or of a delta.
type Artifact struct {
	File   string // without backticks
	Action string // created, modified, deleted
	Change string
}

// Artifacts are the entries of the Artifact Trail.
func (c *Checkpoint) Artifacts() []Artifact {
	p, ok := c.Find(Artifacts)
	if !ok {
		return nil
	}
	return artifacts(c.Doc, p.Extent)
}

// pathItem is a bullet that names a file: "`a.go` (created): text".
var pathItem = pattern.New("(?s)^\\**(`+)(.+?)`+\\**\\s*(?:\\(([a-zA-Z]+)\\))?\\s*(?:[-:–—→]+\\s*)?(.*)$")

// artifacts reads the rows of tables, and bullets that begin with a path.
func artifacts(d *doc.Doc, s doc.Span) []Artifact {
	type found struct {
		at int
		Artifact
	}
	var all []found
	for _, t := range d.Tables(s) {
		for _, row := range t.Rows {
			if file := plain(row.Cells[0]); file != "" && !IsNone(file) {
				all = append(all, found{row.Span.Start, Artifact{file, cell(row, 1), cell(row, 2)}})
			}
		}
	}
	for _, item := range d.Items(s) {
		if m := pathItem.FindStringSubmatch(item.Text); m != nil {
			all = append(all, found{item.Span.Start, Artifact{strings.TrimSpace(m[2]), strings.ToLower(m[3]), strings.TrimSpace(m[4])}})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.at, b.at) })
	list := make([]Artifact, len(all))
	for i, f := range all {
		list[i] = f.Artifact
	}
	return list
}

// cell is the ith cell of a row, "" where the row is shorter.
func cell(row doc.Row, i int) string {
	if i < len(row.Cells) {
		return row.Cells[i]
	}
	return ""
}

// Breadcrumb is one row of Breadcrumbs.
type Breadcrumb struct{ Type, Reference, Hint string }

// Breadcrumbs are the rows of Breadcrumbs.
func (c *Checkpoint) Breadcrumbs() []Breadcrumb {
	p, ok := c.Find(Breadcrumbs)
	if !ok {
		return nil
	}
	var all []Breadcrumb
	for _, t := range c.Doc.Tables(p.Extent) {
		for _, row := range t.Rows {
			b := Breadcrumb{plain(cell(row, 0)), plain(cell(row, 1)), cell(row, 2)}
			if b != (Breadcrumb{}) {
				all = append(all, b)
			}
		}
	}
	return all
}
