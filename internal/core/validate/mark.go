package validate

import "example.com/ckpt/internal/core/result"

var markRules = []Rule{
	{
		Code: "CK901", Severity: result.Warning, Title: "a second mark", file: markTwice,
		Means:  "One exploration is under way at a time. Notes go to the scratch of the first mark, and `ckpt rewind` ends that one first.",
		Fix:    "`ckpt rewind REPORT` twice, or take one of the two out: `ckpt edit {id}`.",
		Source: "S004-16", Example: "## Mark: 2026-01-03T09:00:00Z",
	},
	{
		Code: "CK902", Severity: result.Warning, Title: "a mark without a goal", file: markGoal, activeOnly: true,
		Means:  "Whoever goes on with the exploration does not know what is to be found out.",
		Fix:    "Write the goal below the heading, as a quote: `> Why do retries double?`",
		Source: "S004-02", Example: "## Mark: 2026-01-03T09:00:00Z",
	},
	{
		Code: "CK903", Severity: result.Warning, Title: "an archived checkpoint with a mark", file: markArchived,
		Means:  "The exploration was never ended: what it found is in its scratch only.",
		Fix:    "`ckpt reopen {id}`, `ckpt rewind REPORT`, and archive it again.",
		Source: "S004-51", Example: "## Mark: 2026-01-02T12:00:00Z",
	},
}

func markTwice(f *file, say say) {
	for i, s := range f.c.Marks() {
		if i > 0 {
			say(f.heading(s), "%s is a second mark", quote(s.Title))
		}
	}
}

func markGoal(f *file, say say) {
	if m, ok := f.c.Mark(); ok && m.Goal == "" {
		say(f.heading(m.Section), "the mark %s has no goal", quote(m.Section.Title))
	}
}

func markArchived(f *file, say say) {
	if m, ok := f.c.Mark(); ok && !f.active {
		say(f.heading(m.Section), "the mark %s was never rewound", quote(m.Section.Title))
	}
}
