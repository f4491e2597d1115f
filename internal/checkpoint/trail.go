package checkpoint

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Artifact is one row of an artifact table: of the Artifact Trail or of a delta.
type Artifact struct {
	File   string `json:"file"`   // without backticks
	Action string `json:"action"` // created, modified, deleted
	Change string `json:"change,omitempty"`
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
var pathItem = text.Regexp("(?s)^\\**(`+)(.+?)`+\\**\\s*(?:\\(([a-zA-Z]+)\\))?\\s*(?:[-:–—→]+\\s*)?(.*)$")

// TrailEntry is an artifact, and where it stands.
type TrailEntry struct {
	Artifact
	Span  doc.Span // its row, or its bullet
	Cells []string // of its row; nil for a bullet
}

// TrailEntries are the rows of tables, and the bullets that begin with a path, in
// the order of the file.
func TrailEntries(d *doc.Doc, s doc.Span) []TrailEntry {
	var all []TrailEntry
	for _, t := range d.Tables(s) {
		for _, row := range t.Rows {
			if file := plain(row.Cells[0]); file != "" && !IsNone(file) {
				all = append(all, TrailEntry{Artifact{file, cell(row, 1), cell(row, 2)}, row.Span, row.Cells})
			}
		}
	}
	for _, item := range d.Items(s) {
		if m := pathItem.FindStringSubmatch(item.Text); m != nil && strings.TrimSpace(m[2]) != "" {
			all = append(all, TrailEntry{Artifact{strings.TrimSpace(m[2]), strings.ToLower(m[3]), strings.TrimSpace(m[4])}, item.Span, nil})
		}
	}
	slices.SortStableFunc(all, func(a, b TrailEntry) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return all
}

func artifacts(d *doc.Doc, s doc.Span) []Artifact {
	entries := TrailEntries(d, s)
	list := make([]Artifact, len(entries))
	for i, e := range entries {
		list[i] = e.Artifact
	}
	return list
}

// cell is the ith cell of a row, "" where the row is shorter.
func cell(row doc.Entry, i int) string {
	if i < len(row.Cells) {
		return row.Cells[i]
	}
	return ""
}

// Breadcrumb is one row of Breadcrumbs.
type Breadcrumb struct{ Type, Reference, Hint string }

// BreadcrumbTypes are the types that the format knows (S003-21).
func BreadcrumbTypes() []string { return []string{"file", "function", "decision", "external"} }

// Breadcrumbs are the rows of Breadcrumbs.
func (c *Checkpoint) Breadcrumbs() []Breadcrumb {
	var all []Breadcrumb
	for _, row := range c.crumbRows() {
		all = append(all, Breadcrumb{plain(cell(row, 0)), plain(cell(row, 1)), cell(row, 2)})
	}
	return all
}

// crumbRows are the rows of Breadcrumbs that say something.
func (c *Checkpoint) crumbRows() []doc.Entry {
	p, ok := c.Find(Breadcrumbs)
	if !ok {
		return nil
	}
	var all []doc.Entry
	for _, t := range c.Doc.Tables(p.Extent) {
		for _, row := range t.Rows {
			if plain(cell(row, 0))+plain(cell(row, 1))+cell(row, 2) != "" {
				all = append(all, row)
			}
		}
	}
	return all
}
