package validate

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/result"
)

var tableRules = []Rule{
	{
		Code: "CK211", Severity: result.Warning, Title: "a table row with too few or too many cells", file: rowCells,
		Means:  "The row does not fit its header: cells are missing, or a bar that was meant as text divides one. Readers drop what is too much.",
		Fix:    "Fill the missing cells, and write a bar inside a cell as `\\|`, also between backticks.",
		Source: "S003-20, S003-23, S003-66, S003-67", Example: "| `auth.go` | modified | accepts a | b |",
	},
	{
		Code: "CK212", Severity: result.Warning, Title: "a table without the columns of the format", file: tableColumns,
		Means:  "Breadcrumbs, Artifact Trail, and a delta's Artifacts and Status Transitions have three columns each. With another number of columns the cells are read as something else.",
		Fix:    "Use the columns of the format: `Type | Reference | Hint`, `File | Status | Key Change`, `File | Action | Description`, `Item | Before | After`.",
		Source: "S003-20, S003-23, S003-66, S003-67", Example: "| File | Key Change |\n|------|------------|\n| `auth.go` | made |",
	},
	{
		Code: "CK213", Severity: result.Advice, Title: "an artifact neither created, modified nor deleted", file: artifactAction, activeOnly: true,
		Means:  "The format knows three things that happen to a file. Tools that count or compare artifacts do not understand another word.",
		Fix:    "Write created, modified or deleted; a renamed file is modified, under its new name: renamed from `old.go`.",
		Source: "S003-24, S003-66", Example: "| `auth.go` | touched | Login handler |",
	},
	{
		Code: "CK214", Severity: result.Warning, Title: "an unknown type of breadcrumb", file: breadcrumbType,
		Means:  "A breadcrumb is a file, a function, a decision or something external. For another type no tool can say whether it still holds.",
		Fix:    "Use file, function, decision or external; a commit, a ticket or a document elsewhere is external.",
		Source: "S003-21", Example: "| thing | `auth.go` | Where login is |",
	},
}

func rowCells(f *file, say say) {
	for _, t := range f.tables {
		for _, row := range t.Rows {
			if got, want := len(row.Cells), len(t.Header); got != want {
				say(f.line(row.Span.Start), "the row has %d of %d cells", got, want)
			}
		}
	}
}

func tableColumns(f *file, say say) {
	f.known(func(t doc.Table, columns string) {
		if len(t.Header) != 3 {
			say(f.line(t.Span.Start), "the table has %d columns instead of %s", len(t.Header), columns)
		}
	}, checkpoint.Breadcrumbs, checkpoint.Artifacts)
}

// artifactAction has one finding per table: who writes "moved" writes it in every row.
func artifactAction(f *file, say say) {
	f.known(func(t doc.Table, columns string) {
		if len(t.Header) != 3 || strings.HasPrefix(columns, "Item") {
			return
		}
		var first doc.Row
		odd := 0
		for _, row := range t.Rows {
			if len(row.Cells) < 2 || checkpoint.IsNone(row.Cells[0]) {
				continue
			}
			switch plain(row.Cells[1]) {
			case "created", "modified", "deleted":
				continue
			}
			if odd++; odd == 1 {
				first = row
			}
		}
		switch odd {
		case 0:
		case 1:
			say(f.line(first.Span.Start), "%s is %s", quote(first.Cells[0]), quote(first.Cells[1]))
		default:
			say(f.line(first.Span.Start), "%s is %s (%d more below)", quote(first.Cells[0]), quote(first.Cells[1]), odd-1)
		}
	}, checkpoint.Artifacts)
}

func breadcrumbType(f *file, say say) {
	p, ok := f.find(checkpoint.Breadcrumbs)
	if !ok {
		return
	}
	types := checkpoint.BreadcrumbTypes()
	for _, t := range f.tablesIn(p.Extent) {
		if len(t.Header) != 3 {
			continue
		}
		for _, row := range t.Rows {
			if kind := row.Cells[0]; !checkpoint.IsNone(strings.Join(row.Cells, "")) && !slices.Contains(types, plain(kind)) {
				say(f.line(row.Span.Start), "the type %s is unknown", quote(kind))
			}
		}
	}
}

// known visits the tables whose columns the format names: those of the given
// sections, and those of the deltas.
func (f *file) known(visit func(t doc.Table, columns string), kinds ...checkpoint.Kind) {
	for _, p := range f.places {
		if slices.Contains(kinds, p.Kind) {
			for _, t := range f.tablesIn(p.Extent) {
				visit(t, strings.Join(p.Kind.Template().Columns, " | "))
			}
		}
	}
	for _, d := range f.deltas {
		for _, part := range d.Parts {
			var columns string
			switch partName(part) {
			case "artifacts":
				columns = "File | Action | Description"
			case "status transitions":
				columns = "Item | Before | After"
			default:
				continue
			}
			for _, t := range f.tablesIn(part.Body) {
				visit(t, columns)
			}
		}
	}
}

// partName is the title of a delta's subsection, whatever its case and markup.
func partName(s doc.Section) string { return plain(s.Title) }

// plain is a word without case and markup.
func plain(s string) string { return strings.ToLower(strings.Trim(s, "*_`: \t")) }
