package validate

import (
	"bytes"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/transfer/schema"
)

func decisionTwice(f *file, add report) {
	seen := map[string]bool{}
	for _, d := range f.c.Decisions() {
		if !d.Struck {
			continue
		}
		what := strings.ToLower(d.What)
		if seen[what] || len(d.Successors()) > 1 {
			add(f.line(d.Span.Start), "%s is superseded twice", quote(d.What))
		}
		seen[what] = true
	}
}

func sectionMissing(f *file, add report) {
	line := 1 // the line of the section before the missing one, or the first line
	for _, k := range checkpoint.Kinds() {
		if p, ok := f.c.Find(k); ok {
			line = f.heading(p.Section)
		} else if k.Template().Required {
			add(line, "no section %q", k.String())
		}
	}
}

func essentialMissing(f *file, add report) {
	p, headless := f.c.Headless()
	essential, _ := f.c.Find(checkpoint.Essential)
	isApart := func(s checkpoint.Section) bool {
		return s.Misplaced() && (essential.Section.Level != 1 || s.Section.Level == 1)
	}
	if i := slices.IndexFunc(f.places, isApart); i >= 0 {
		p, headless = f.places[i], true
	}
	if headless {
		add(f.heading(p.Section), "%q is not below a heading %q", p.Kind.String(), checkpoint.Essential.String())
	}
}

func sectionEmpty(f *file, add report) {
	var empty []string
	first := 0 // the line of the first empty section
	for _, k := range checkpoint.Kinds() {
		if len(f.deltas) > 0 && (k == checkpoint.PlayByPlay || k == checkpoint.Artifacts) {
			continue // the deltas have these entries
		}
		if !k.Template().Required || k == checkpoint.Problem {
			continue
		}
		p, found := f.c.Find(k)
		if _, _, filled := f.filled(k); found && !filled {
			if len(empty) == 0 {
				first = f.heading(p.Section)
			}
			empty = append(empty, k.String())
		}
	}
	switch len(empty) {
	case 0:
	case 1:
		add(first, "%q is empty", empty[0])
	default:
		add(first, "%d empty sections: %s", len(empty), strings.Join(empty, ", "))
	}
}

func problemEmpty(f *file, add report) {
	p, found := f.c.Find(checkpoint.Problem)
	if _, _, filled := f.filled(checkpoint.Problem); found && !filled {
		add(f.heading(p.Section), "%q is empty", checkpoint.Problem.String())
	}
}

func leftOpen(f *file, add report) {
	if start, closer := f.d.LeftOpen(); closer != "" {
		open := doc.Span{Start: start, End: f.d.Body().End}
		add(f.line(start), "a code fence or a comment is left open: %s", quote(f.d.Slice(open)))
	}
}

func savedJSON(f *file, add report) {
	if _, err := schema.SavedAs(f.c); err != nil {
		add(f.line(schema.Saved(f.c)[0].Start), "%v", err)
	}
}

func zeroByte(f *file, add report) {
	if at := bytes.IndexByte(f.d.Bytes(), 0); at >= 0 {
		add(f.line(at), "a zero byte: git takes the file for binary")
	}
}

func sectionTwice(f *file, add report) {
	first := map[checkpoint.Kind]int{}
	for _, p := range f.places {
		line := f.heading(p.Section)
		if at, twice := first[p.Kind]; twice {
			add(line, "%q stands on line %d already", p.Kind.String(), at)
			continue
		}
		first[p.Kind] = line
	}
}

// sectionOrder reports the first section that is out of order, and sections after a delta.
func sectionOrder(f *file, add report) {
	firstDelta := f.d.Body().End
	if len(f.deltas) > 0 {
		firstDelta = f.deltas[0].Section.Heading.Start
	}
	seen := map[checkpoint.Kind]bool{}
	var last checkpoint.Section
	for _, p := range f.places {
		if seen[p.Kind] {
			continue // another rule reports a section that is there twice
		}
		if len(seen) > 0 && p.Kind < last.Kind {
			add(f.heading(p.Section), "%q comes after %q; it belongs before it", p.Kind.String(), last.Kind.String())
			return
		}
		if p.Kind != checkpoint.Completion && p.Section.Heading.Start > firstDelta {
			add(f.heading(p.Section), "%q comes after a delta", p.Kind.String())
		}
		seen[p.Kind], last = true, p
	}
}

// reason matches a decision that gives its reason without a colon.
var reason = text.Regexp(`(?i)\b(because|since|so that|due to|in order to|to avoid|` +
	`as it|as they|hence|therefore|why|reason|porque|debido)\b|[—–;(]| -+ |->|→|\n`)

func decisionWhy(f *file, add report) {
	for _, d := range f.c.Decisions() {
		if !d.Live() || d.Why != "" {
			continue
		}
		if !checkpoint.IsNone(d.What) && !reason.Get().MatchString(d.Text) {
			add(f.line(d.Span.Start), "%s has no why", quote(d.What))
		}
	}
}

func rowCells(f *file, add report) {
	for _, t := range f.tables {
		for _, row := range t.Rows {
			if got, want := len(row.Cells), len(t.Header); got != want {
				add(f.line(row.Span.Start), "the row has %d of %d cells", got, want)
			}
		}
	}
}

func tableColumns(f *file, add report) {
	f.known(func(t doc.Table, columns string) {
		if len(t.Header) != 3 {
			add(f.line(t.Span.Start), "the table has %d columns instead of %s", len(t.Header), columns)
		}
	}, checkpoint.Breadcrumbs, checkpoint.Artifacts)
}

// artifactAction reports all unknown actions of a table at once, since usually every row has one.
func artifactAction(f *file, add report) {
	f.known(func(t doc.Table, columns string) {
		if len(t.Header) != 3 || strings.HasPrefix(columns, "Item") {
			return
		}
		var first doc.Entry
		odd := 0
		for _, row := range t.Rows {
			if len(row.Cells) < 2 || checkpoint.IsNone(row.Cells[0]) {
				continue
			}
			switch plain(row.Cells[1]) {
			case "created", "modified", "deleted":
				continue
			}
			odd++
			if odd == 1 {
				first = row
			}
		}
		switch odd {
		case 0:
		case 1:
			add(f.line(first.Span.Start), "%s is %s", quote(first.Cells[0]), quote(first.Cells[1]))
		default:
			add(f.line(first.Span.Start), "%s is %s (%d more below)", quote(first.Cells[0]), quote(first.Cells[1]), odd-1)
		}
	}, checkpoint.Artifacts)
}

func breadcrumbType(f *file, add report) {
	p, _ := f.c.Find(checkpoint.Breadcrumbs)
	types := checkpoint.BreadcrumbTypes()
	for _, t := range f.tablesIn(p.Extent) {
		if len(t.Header) != 3 {
			continue
		}
		for _, row := range t.Rows {
			if kind := row.Cells[0]; !checkpoint.IsNone(strings.Join(row.Cells, "")) && !slices.Contains(types, plain(kind)) {
				add(f.line(row.Span.Start), "the type %s is unknown", quote(kind))
			}
		}
	}
}

// known calls visit for the tables in sections of the given kinds and in deltas, with the columns that
// the format defines.
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
			switch plain(part.Title) {
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

// plain returns a word in lower case, without markup.
func plain(s string) string { return strings.ToLower(strings.Trim(s, "*_`: \t")) }

func completionActive(f *file, add report) {
	if p, ok := f.c.Find(checkpoint.Completion); ok {
		add(f.heading(p.Section), "%q is in active/ and has a Completion", f.c.ID)
	}
}

func completionMissing(f *file, add report) {
	if _, ok := f.c.Find(checkpoint.Completion); !ok && !f.active {
		add(1, "%q is archived and has no Completion", f.c.ID)
	}
}

func completionFields(f *file, add report) {
	p, ok := f.c.Find(checkpoint.Completion)
	if !ok || f.active {
		return
	}
	fields := f.c.CompletionFields()
	var missing []string
	for _, field := range [][2]string{
		{"Status", fields.Status}, {"Outcome", strings.Join(fields.Outcomes, " ")}, {"Date", fields.Date},
	} {
		if field[1] == "" {
			missing = append(missing, field[0])
		}
	}
	if len(missing) > 0 {
		add(f.heading(p.Section), "the Completion lacks %s", strings.Join(missing, " and "))
	}
}

func completionDate(f *file, add report) {
	p, ok := f.c.Find(checkpoint.Completion)
	if !ok || f.active {
		return
	}
	date := f.c.CompletionFields().Date
	if _, ok := checkpoint.ParseTime(strings.Trim(date, "`*_ ")); date != "" && !ok {
		add(f.heading(p.Section), "the Date is %s, no ISO-8601 time", quote(date))
	}
}
