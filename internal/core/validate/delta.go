package validate

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
)

var deltaRules = []Rule{
	{
		Code: "CK501", Severity: result.Error, Title: "a delta whose heading holds no time", file: deltaTime,
		Means:  "The heading of a delta is `## Delta: <ISO-8601 time>`. Without the time nobody knows when it was, and it cannot be ordered.",
		Fix:    "Write the time as `2026-01-02T10:00:00Z`; the commit that added the delta knows it: `git log -p`.",
		Source: "S003-64", Example: "## Delta: second session",
	},
	{
		Code: "CK502", Severity: result.Warning, Title: "deltas out of order", file: deltaOrder,
		Means:  "Deltas are appended: the last one is the newest and its word counts. This one stands behind a newer one.",
		Fix:    "Correct the time if it is a slip, or move the delta: `ckpt edit {id}`.",
		Source: "S003-64", Example: "## Delta: 2025-12-30T10:00:00Z",
	},
	{
		Code: "CK503", Severity: result.Error, Title: "a delta without What Changed", file: deltaChanged,
		Means:  "The delta does not say what was accomplished, which is what it is for.",
		Fix:    "Add `### What Changed` and one sentence.",
		Source: "S003-65", Example: "### What Was Done",
	},
	{
		Code: "CK504", Severity: result.Error, Title: "a delta without a table of artifacts", file: deltaArtifacts,
		Means:  "The delta does not say which files it touched. A delta that touched none has the table without rows.",
		Fix:    "Add `### Artifacts` with the table `File | Action | Description`; `ckpt delta` fills it from git.",
		Source: "S003-66", Example: "### Artifacts\n\n- `auth.go`",
	},
	{
		Code: "CK505", Severity: result.Advice, Title: "What Changed is more than a sentence", file: deltaSentence, activeOnly: true,
		Means:  "A delta opens with one sentence: it is read in a row with many others.",
		Fix:    "Keep the sentence that matters and move the rest below a heading of its own, or into the body with `ckpt note`.",
		Source: "S003-65", Example: "Login works now. The session store was the reason.",
	},
	{
		Code: "CK506", Severity: result.Warning, Title: "a delta's heading of the wrong level", file: deltaLevel,
		Means:  "Only `## Delta:` opens a delta. This heading reads as part of the section before it, so the delta is not seen.",
		Fix:    "Write it with two `#`.",
		Source: "S003-64", Example: "### Delta: 2026-01-02T12:00:00Z",
	},
}

func deltaTime(f *file, say say) {
	for _, d := range f.deltas {
		if d.At.IsZero() {
			say(f.heading(d.Section), "the delta's heading says %s, no ISO-8601 time", quote(d.Stamp))
		}
	}
}

func deltaOrder(f *file, say say) {
	last := ""
	for _, d := range f.deltas {
		if d.At.IsZero() {
			continue
		}
		if last != "" && before(d.Stamp, last) {
			say(f.heading(d.Section), "the delta of %s stands behind that of %s", d.Stamp, last)
			continue
		}
		last = d.Stamp
	}
}

func deltaChanged(f *file, say say) {
	for _, d := range f.deltas {
		if strings.TrimSpace(d.Changed) == "" {
			say(f.heading(d.Section), "the delta %s does not say what changed", quote(d.Stamp))
		}
	}
}

func deltaArtifacts(f *file, say say) {
deltas:
	for _, d := range f.deltas {
		line := f.heading(d.Section)
		for _, part := range d.Parts {
			if partName(part) != "artifacts" {
				continue
			}
			if len(f.tablesIn(part.Body)) > 0 {
				continue deltas
			}
			line = f.heading(part)
		}
		say(line, "the delta %s has no table of artifacts", quote(d.Stamp))
	}
}

func deltaSentence(f *file, say say) {
	for _, d := range f.deltas {
		if !oneSentence(d.Changed) {
			for _, part := range d.Parts {
				if partName(part) == "what changed" {
					say(f.heading(part), "What Changed is more than one sentence")
					break
				}
			}
		}
	}
}

var (
	sentenceEnd  = text.Regexp(`[.!?]["')\]*_` + "`" + `]*\s+["'(\[*_]*\p{Lu}`)
	abbreviation = text.Regexp(`(?i)\b(e\.g|i\.e|etc|vs|cf|ca|approx|no|fig|dr|mr|mrs|ms|st|z\.b|p\.ej)\.$`)
	bullet       = text.Regexp(`(?m)^\s{0,3}(?:[-*+]|\d+[.)])\s`)
)

// oneSentence says whether a text is a single sentence: no full stop within, no
// second paragraph, no list of several. A capital behind "e.g." begins none.
func oneSentence(text string) bool {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if strings.Contains(text, "\n\n") || len(bullet.FindAllStringIndex(text, 2)) > 1 {
		return false
	}
	for _, m := range sentenceEnd.FindAllStringIndex(text, -1) {
		if !abbreviation.MatchString(text[max(0, m[0]-10) : m[0]+1]) {
			return false
		}
	}
	return true
}

var deltaTitle = text.Regexp(`(?i)^delta\s*:\s*(.*)$`)

func deltaLevel(f *file, say say) {
	for _, s := range f.d.Sections() {
		if s.Level == 2 || len(s.Title) < len("delta") || !strings.EqualFold(s.Title[:len("delta")], "delta") {
			continue
		}
		if m := deltaTitle.FindStringSubmatch(s.Title); m != nil {
			if _, ok := checkpoint.ParseTime(m[1]); ok {
				say(f.heading(s), "%s is a heading of level %d and opens no delta", quote(s.Title), s.Level)
			}
		}
	}
}
