package output

import (
	"fmt"

	"example.com/ckpt/internal/result"
)

// Trails says of each artifact trail how far it agrees with git, and where not.
func (p Text) Trails(all []result.Trail) error {
	style := p.pen()
	for _, t := range all {
		p.printf("%s: recall %s, precision %s%s\n", t.Path,
			score(t.Recall(), t.Found, t.Files, "changed files"), score(t.Precision(), t.Right, t.Rows, "rows"), prefixed(" (since ", since(t.Base)))
		for _, r := range t.Missing {
			p.printf("  %s %s %s%s\n", style.Yellow("missing:"), r.File, r.Action, prefixed(": ", r.Why))
		}
		for _, r := range t.Wrong {
			p.printf("  %s %s %s: %s\n", style.Red("wrong:"), r.File, r.Action, r.Why)
		}
		p.remark(t.Remarks...)
	}
	return p.done()
}

func score(share float64, part, whole int, what string) string {
	return fmt.Sprintf("%.0f %% (%d of %d %s)", share*100, part, whole, what)
}

func since(commit string) string {
	if commit == "" {
		return ""
	}
	return commit[:7] + ")"
}
