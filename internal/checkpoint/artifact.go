package checkpoint

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Artifact is one row of an artifact table, in the Artifact Trail or in a delta.
type Artifact struct {
	File   string `json:"file"`             // the path
	Action string `json:"action"`           // "created", "modified", "deleted" or another word
	Change string `json:"change,omitempty"` // what changed in the file
}

// Artifacts returns the entries of the Artifact Trail.
func (c *Checkpoint) Artifacts() []Artifact {
	p, _ := c.Find(Artifacts)
	return artifacts(c.Doc, p.Extent)
}

// pathItem matches a bullet that names a file: "`a.go` (created): text".
var pathItem = text.Regexp("(?s)^\\**(`+)(.+?)`+\\**\\s*(?:\\(([a-zA-Z]+)\\))?\\s*(?:[-:–—→]+\\s*)?(.*)$")

// TrailEntry is an artifact with its place in the file.
type TrailEntry struct {
	Artifact
	Span  doc.Span // the span of the row or the bullet
	Cells []string // the cells of the row; nil for a bullet
}

// TrailEntries returns the rows of tables and the bullets that begin with a path, in the
// order of the file. The columns of a table are found by their names, or else by their positions.
func TrailEntries(d *doc.Doc, s doc.Span) []TrailEntry {
	var all []TrailEntry
	for _, t := range d.Tables(s) {
		action, change := t.Column("status", "action", "state"), t.Column("key change", "change", "changes", "summary",
			"description", "purpose", "notes", "what changed")
		if action < 0 && change < 0 {
			action, change = 1, 2
		}
		for _, row := range t.Rows {
			if file := plain(row.Cells[0]); file != "" && !IsNone(file) {
				all = append(all, TrailEntry{Artifact{file, row.Cell(action), row.Cell(change)}, row.Span, row.Cells})
			}
		}
	}
	for _, item := range d.Items(s) {
		if m := pathItem.Get().FindStringSubmatch(item.Text); m != nil && strings.TrimSpace(m[2]) != "" {
			a := Artifact{strings.TrimSpace(m[2]), strings.ToLower(m[3]), strings.TrimSpace(m[4])}
			all = append(all, TrailEntry{Artifact: a, Span: item.Span})
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

// Breadcrumb is one row of the section Breadcrumbs.
type Breadcrumb struct {
	Type      string   `json:"type"`
	Reference string   `json:"reference"`
	Hint      string   `json:"hint,omitempty"`
	Cell      doc.Span `json:"-"` // the span of the reference
}

// BreadcrumbTypes returns the types of breadcrumbs that the format defines (S003-21 in docs/sources.md).
func BreadcrumbTypes() []string { return []string{"file", "function", "decision", "external"} }

// Breadcrumbs returns the rows of Breadcrumbs that are not empty.
func (c *Checkpoint) Breadcrumbs() []Breadcrumb {
	p, _ := c.Find(Breadcrumbs)
	var all []Breadcrumb
	for _, t := range c.Doc.Tables(p.Extent) {
		for _, row := range t.Rows {
			b := Breadcrumb{Type: plain(row.Cell(0)), Reference: plain(row.Cell(1)), Hint: row.Cell(2)}
			if b.Type+b.Reference+b.Hint == "" {
				continue
			}
			if len(row.CellSpans) > 1 {
				b.Cell = row.CellSpans[1]
			}
			all = append(all, b)
		}
	}
	return all
}

// FileGroup has the files of one folder with the same ending.
type FileGroup struct {
	Pattern string // "src/auth/*.ts"; the path itself if the group is one file
	Files   []Artifact
}

// Deleted returns how many of the files were deleted.
func (g FileGroup) Deleted() int {
	n := 0
	for _, f := range g.Files {
		if f.Action == "deleted" {
			n++
		}
	}
	return n
}

// GroupFiles groups files by folder and ending. The groups are sorted.
func GroupFiles(files []Artifact) []FileGroup {
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b Artifact) int {
		return cmp.Or(cmp.Compare(patternOf(a.File), patternOf(b.File)), cmp.Compare(a.File, b.File))
	})
	var all []FileGroup
	for _, f := range files {
		if n := len(all); n > 0 && all[n-1].Pattern == patternOf(f.File) {
			all[n-1].Files = append(all[n-1].Files, f)
			continue
		}
		all = append(all, FileGroup{patternOf(f.File), []Artifact{f}})
	}
	for i, g := range all {
		if len(g.Files) == 1 {
			all[i].Pattern = g.Files[0].File
		}
	}
	return all
}

// patternOf returns the folder of a file with a pattern for its ending. An ending may have two
// dots: the pattern of src/login.test.ts is "src/*.test.ts".
func patternOf(file string) string {
	dir, name := path.Split(strings.ReplaceAll(file, `\`, "/"))
	if stem := strings.TrimLeft(name, "."); strings.Contains(stem, ".") {
		return dir + "*" + stem[strings.IndexByte(stem, '.'):]
	}
	return dir + "*"
}

// artifactAction matches the ACTION in PATH:ACTION:TEXT.
var artifactAction = text.Regexp(`(?i):(created|modified|deleted|renamed|moved)(?::|$)`)

// looseArtifact matches an artifact in another form: "a.go: created", "a.go (deleted) TEXT", "a.go - modified: TEXT".
var looseArtifact = text.Regexp(`(?is)^(?:(\S+?)(?::\s+|\s+[-:–—→(]+\s*)|(\S*[./]\S*)\s+)` +
	`(created|modified|deleted|renamed|moved)(?:$|[\s:),;–—-])[-:–—→\s]*(.*)$`)

// ParseArtifact parses PATH[:ACTION[:TEXT]] or a form that looseArtifact matches. A colon that is not followed by an
// action is part of the path, unless it is the last character. A missing action means "modified". PATH may be missing.
func ParseArtifact(s string) Artifact {
	m := artifactAction.Get().FindStringSubmatchIndex(s)
	if m == nil {
		if m := looseArtifact.Get().FindStringSubmatch(strings.TrimSpace(s)); m != nil {
			return Artifact{File: m[1] + m[2], Action: strings.ToLower(m[3]), Change: strings.TrimSpace(m[4])}
		}
		return Artifact{File: strings.TrimSuffix(strings.TrimSpace(s), ":"), Action: "modified"}
	}
	action := strings.ToLower(s[m[2]:m[3]])
	return Artifact{File: strings.TrimSpace(s[:m[0]]), Action: action, Change: strings.TrimSpace(s[m[1]:])}
}

// ParseTransition reads 'ITEM: BEFORE -> AFTER'.
func ParseTransition(s string) (Transition, error) {
	rest, after, ok := strings.Cut(s, "->")
	if !ok {
		rest, after, ok = strings.Cut(s, "→")
	}
	i := strings.LastIndex(rest, ": ")
	if !ok || i < 1 || strings.TrimSpace(after) == "" {
		return Transition{}, fault.New(fault.Usage, "%q is not a transition", s).
			WithHint("--transition 'ITEM: BEFORE -> AFTER'")
	}
	return Transition{strings.TrimSpace(rest[:i]), strings.TrimSpace(rest[i+1:]), strings.TrimSpace(after)}, nil
}
