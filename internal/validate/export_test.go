package validate

import (
	"fmt"
	"slices"
	"strings"
)

// What only the tests of the documentation need.

// ActiveOnly reports whether archived checkpoints are not checked.
func (c check) ActiveOnly() bool { return c.activeOnly }

// Rules returns all rules, by code.
func Rules() []Rule { return slices.Clone(table.Get()) }

// Title returns what is wrong, in a few words.
func (r Rule) Title() string {
	_, text, _ := strings.Cut(r.Text(), "**")
	title, _, _ := strings.Cut(text, "**")
	return title
}

const preface = `# Validation

This page is made from the rules by ` + "`go test ./internal/validate -update`" + `; do not edit it.

` + "`ckpt validate`" + ` checks checkpoints by the rules below. It ` + Disclaimer + `.

- An **error** breaks a promise of the format: exit code 4.
- A **warning** makes a checkpoint less useful.
- **Advice** is a rule of thumb. What only helps those who are to go on is not asked of archived checkpoints.

A code stays what it is: a rule that goes takes its code with it. The source names the feature that asks for the rule.
`

// Markdown returns the page of the documentation about all rules.
func Markdown() string {
	var b strings.Builder
	b.WriteString(preface)
	b.WriteString("\n| Code | Severity | What is wrong |\n|------|----------|---------------|\n")
	for _, r := range table.Get() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", r.Code, strings.ToLower(r.Code), r.Severity, r.Title())
	}
	b.WriteString("\n" + strings.ReplaceAll(texts, "{id}", "ID"))
	return b.String()
}
