package validate

import (
	"strings"
)

const preface = `# Validation

This page is made from the rule table by ` + "`go test ./internal/core/validate -update`" + `; do not edit it.

` + "`ckpt validate`" + ` checks checkpoints by the rules below. It ` + Disclaimer + `.

- An **error** breaks a promise of the format: exit code 4.
- A **warning** makes a checkpoint less useful.
- **Advice** is a rule of thumb. What only helps those who are to go on is not asked of archived checkpoints.

A code stays what it is: a rule that goes takes its code with it. The source names the feature that asks for the rule.
`

// Markdown is the page about all rules, for the documentation.
func Markdown() string {
	var b strings.Builder
	b.WriteString(preface)
	b.WriteString("\n| Code | Severity | What is wrong |\n|------|----------|---------------|\n")
	for _, r := range table {
		b.WriteString("| [" + r.Code + "](#" + strings.ToLower(r.Code) + ") | " + r.Severity.String() + " | " + r.Title + " |\n")
	}
	group := byte(0)
	for _, r := range table {
		if r.Code[2] != group {
			group = r.Code[2]
			b.WriteString("\n## " + groups[group] + "\n")
		}
		b.WriteString("\n### " + r.Code + "\n\n**" + r.Title + "** (" + r.Severity.String())
		if r.activeOnly {
			b.WriteString(", in active/ only")
		}
		b.WriteString(")\n\n" + r.Means + "\n\n*What to do:* " + strings.ReplaceAll(r.Fix, "{id}", "ID") + "\n\n")
		if r.Example != "" {
			b.WriteString("*Example:*\n\n````markdown\n" + r.Example + "\n````\n\n")
		}
		b.WriteString("*Source:* " + r.Source + "\n")
	}
	return b.String()
}
