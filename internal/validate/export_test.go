package validate

import (
	"fmt"
	"slices"
	"strings"
)

// These methods are only for the tests of the documentation.

// ActiveOnly reports whether archived checkpoints are not checked.
func (c check) ActiveOnly() bool { return c.activeOnly }

// Rules returns all rules, by code.
func Rules() []Rule { return slices.Clone(table.Get()) }

// Title returns the problem in a few words.
func (r Rule) Title() string {
	_, text, _ := strings.Cut(r.Text(), "**")
	title, _, _ := strings.Cut(text, "**")
	return title
}

const overview = `# Validation

This page is made from the rules by ` + "`go test ./internal/validate -update`" + `; do not edit it.

` + "`ckpt validate`" + ` checks checkpoints by the rules below. It ` + Disclaimer + `. Each finding has a fix below it;
a code leads to the rule with its reason and an example. [The format](format.md) shows a checkpoint in which nothing is found.

- An **error** breaks a promise of the format: exit code 4.
- A **warning** makes a checkpoint less useful.
- **Advice** is a rule of thumb. What only helps those who are to go on is not asked of archived checkpoints.

` + "`ckpt validate --strict`" + ` exits 4 for warnings as well, ` + "`--format github`" + ` writes annotations for a workflow, and
` + "`ckpt setup git`" + ` checks checkpoint files before they are committed.
`

const rulesPreface = `# Validation rules

This page is made from the rules by ` + "`go test ./internal/validate -update`" + `; do not edit it. [validation.md](validation.md) lists them.

A code stays what it is: a rule that goes takes its code with it. The source names the feature that asks for the rule.

`

// Pages returns the pages of the documentation by their names: a list of the rules, and all of their texts.
func Pages() map[string]string {
	var b strings.Builder
	b.WriteString(overview)
	b.WriteString("\n| Code | Severity | What is wrong |\n|------|----------|---------------|\n")
	for _, r := range table.Get() {
		fmt.Fprintf(&b, "| [%s](validation-rules.md#%s) | %s | %s |\n", r.Code, strings.ToLower(r.Code), r.Severity, r.Title())
	}
	return map[string]string{"validation.md": b.String(), "validation-rules.md": rulesPreface + strings.ReplaceAll(texts, "{id}", "ID")}
}
