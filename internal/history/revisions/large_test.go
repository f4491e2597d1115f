package revisions

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint/doc"
)

// TestCompareLarge checks that twice the entries need about twice the allocations, even if all of
// them have a new wording.
func TestCompareLarge(t *testing.T) {
	text := func(n int, lines string) *Text {
		heading, line, _ := strings.Cut(lines, "\n")
		d, err := doc.Parse([]byte("---\ncheckpoint: chk-a\n---\n\n" + heading + "\n\n" + repeated(n, line)))
		if err != nil {
			t.Fatal(err)
		}
		return Read(d)
	}
	for name, lines := range map[string][2]string{
		"steps":  {"## Play-By-Play\n- step %d of alpha\n", "## Play-By-Play\n- done %d with beta and gamma\n"},
		"rows":   {"## Artifact Trail\n| `a%d.go` | Edited | x |\n", "## Artifact Trail\n| `a%d.go` | Edited | y |\n"},
		"deltas": {"\n## Delta: 2026-01-02T10:00:00Z\n\n%d before\n", "\n## Delta: 2026-01-02T10:00:00Z\n\n%d after\n"},
	} {
		work := func(n int) float64 {
			before, after := text(n, lines[0]), text(n, lines[1])
			return testing.AllocsPerRun(1, func() { Compare(before, after) })
		}
		if once, twice := work(1000), work(2000); twice > 3*once {
			t.Errorf("%s: %.0f allocations for 1000 entries, %.0f for 2000", name, once, twice)
		}
	}
}

func repeated(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
