package validate

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
)

var completionRules = []Rule{
	{
		Code: "CK601", Severity: result.Error, Title: "a Completion in active/", file: completionActive, activeOnly: true,
		Means:  "A Completion says that the work is over, and the location says that it goes on.",
		Fix:    "If it is over, `ckpt archive {id}`; else remove the section.",
		Source: "S003-28, S003-43", Example: "## Completion\n\n- **Status**: Archived",
	},
	{
		Code: "CK602", Severity: result.Error, Title: "an archived checkpoint without a Completion", file: completionMissing,
		Means:  "The file was moved to archive/ by hand: nobody knows how the work ended, and its learnings were never taken.",
		Fix:    "Add `## Completion` with Status, Outcome and Date, or move the file back to active/ and archive it: `ckpt archive {id} --outcome TEXT`.",
		Source: "S003-28, S003-43",
	},
	{
		Code: "CK603", Severity: result.Warning, Title: "a Completion that lacks a field", file: completionFields,
		Means:  "A Completion holds `**Status**: Archived`, `**Outcome**:` with what was achieved, and `**Date**:`.",
		Fix:    "Add the field to the Completion.",
		Source: "S003-28", Example: "## Completion\n\n- **Status**: Archived\n- **Date**: 2026-01-02T12:00:00Z",
	},
	{
		Code: "CK604", Severity: result.Warning, Title: "a Completion whose date is not a time", file: completionDate,
		Means:  "The Date is no ISO-8601 time, so the archived checkpoint cannot be ordered by when it ended.",
		Fix:    "Write it as `2026-01-02T10:00:00Z`.",
		Source: "S003-28", Example: "- **Date**: yesterday",
	},
}

func completionActive(f *file, say say) {
	if p, ok := f.find(checkpoint.Completion); ok {
		say(f.heading(p.Section), "%q is in active/ and has a Completion", f.c.ID)
	}
}

func completionMissing(f *file, say say) {
	if _, ok := f.find(checkpoint.Completion); !ok && !f.active {
		say(1, "%q is archived and has no Completion", f.c.ID)
	}
}

func completionFields(f *file, say say) {
	p, ok := f.find(checkpoint.Completion)
	if !ok || f.active {
		return
	}
	fields := completion(f, p)
	var missing []string
	for _, name := range []string{"Status", "Outcome", "Date"} {
		if fields[strings.ToLower(name)].text == "" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		say(f.heading(p.Section), "the Completion lacks %s", strings.Join(missing, " and "))
	}
}

func completionDate(f *file, say say) {
	p, ok := f.find(checkpoint.Completion)
	if !ok || f.active {
		return
	}
	date := completion(f, p)["date"]
	if _, ok := checkpoint.ParseTime(strings.Trim(date.text, "`*_ ")); date.text != "" && !ok {
		say(date.line, "the Date is %s, no ISO-8601 time", quote(date.text))
	}
}

// completionField is `- **Outcome**: text`, with or without its bullet, or a
// heading of that name.
var completionField = text.Regexp(`(?i)^\s*(?:(?:[-*+]\s+)?\*\*(status|outcome|date|learnings)\s*:?\s*\*\*|#+\s*(status|outcome|date|learnings)\b)\s*:?\s*(.*)$`)

type field struct {
	text string
	line int
}

// completion reads the first value of each field: on its line, or on the first
// line of text below it.
func completion(f *file, p checkpoint.Place) map[string]field {
	fields := map[string]field{}
	open := ""
	line := f.line(p.Extent.Start)
	for text := range strings.Lines(f.d.Slice(p.Extent)) {
		text = strings.TrimRight(text, "\r\n")
		if m := completionField.FindStringSubmatch(text); m != nil {
			open = strings.ToLower(m[1] + m[2])
			if _, twice := fields[open]; twice {
				open = ""
			} else {
				fields[open] = field{strings.TrimSpace(m[3]), line}
			}
		} else if said := strings.TrimSpace(text); said != "" && open != "" && fields[open].text == "" {
			fields[open] = field{said, line}
		}
		line++
	}
	return fields
}
