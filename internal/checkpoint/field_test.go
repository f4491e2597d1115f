package checkpoint

import (
	"strings"
	"testing"
)

// FuzzNone checks that startsAsNone, a fast check, returns true wherever the regular expressions match.
func FuzzNone(f *testing.F) {
	for _, s := range []string{
		"- **Outcome**: x", "**Outcome:** x ", "* **Key Change** y", "Outcome: z", "  - _Status_ : a", "date:", "date:x", "status", "**a", "** a**: b", "- - **a**: b",
		"### x", "    # x", "#x", "#", "1. a", "12) b", "- c", "-d", "*", "1.", " + \te", "None", "*None noted.*", "- n/a: x", "(TBD)", "\u00a0none", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "\n") {
			return
		}
		plain := strings.ToLower(strings.Trim(strings.TrimSpace(line), "*_`-–—.!()[] \t\n"))
		if got := IsBareNone(line); len(line) <= 100 && got != none.Get().MatchString(strings.Join(strings.Fields(plain), " ")) {
			t.Errorf("%q: nothing: %v", line, got)
		}
		if noneBecause.Get().MatchString(strings.TrimSpace(line)) && !startsAsNone(line) {
			t.Errorf("%q starts as none", line)
		}
	})
}
