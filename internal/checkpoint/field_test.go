package checkpoint

import (
	"regexp"
	"strings"
	"testing"
)

// What the functions of field.go and startsAsNone say, as regular expressions.
var (
	boldPattern   = regexp.MustCompile(`^(\s*)([-*+]\s+)?\*\*([A-Za-z][A-Za-z ]*?):?\*\*\s*:?\s*(.*)$`)
	plainPattern  = regexp.MustCompile(`(?i)^(\s*)([-*+]\s+)?_?(status|outcome|date|learnings)_?\s*:(?:\s+(.*))?$`)
	headPattern   = regexp.MustCompile(`^ {0,3}#{1,6}(\s|$)`)
	nestedPattern = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+(.*)$`)
)

// FuzzField: reading a line by hand gives what the regular expressions give.
func FuzzField(f *testing.F) {
	for _, s := range []string{
		"- **Outcome**: x", "**Outcome:** x ", "* **Key Change** y", "Outcome: z", "  - _Status_ : a", "date:", "date:x", "status", "**a", "** a**: b", "- - **a**: b",
		"### x", "    # x", "#x", "#", "1. a", "12) b", "- c", "-d", "*", "1.", " + \te", "None", "*None noted.*", "- n/a: x", "(TBD)", "\u00a0none", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\n\u017f") { // the letter that (?i) takes for an s
			return
		}
		m := boldPattern.FindStringSubmatch(line)
		if m == nil {
			m = plainPattern.FindStringSubmatch(line)
		}
		name, value, bullet := fieldOf(line)
		if m == nil && name != "" || m != nil && (name != m[3] || value != m[4] || bullet != (m[2] != "")) {
			t.Errorf("%q is read as %q, %q, %v, not as %q", line, name, value, bullet, m)
		}
		if got := isSubheading(line); got != headPattern.MatchString(line) {
			t.Errorf("%q: a heading: %v", line, got)
		}
		at, m := afterMarker(line), nestedPattern.FindStringSubmatch(line)
		if (at >= 0) != (m != nil) || m != nil && line[at:] != m[1] {
			t.Errorf("%q: %d, not %q", line, at, m)
		}
		plain := strings.ToLower(strings.Trim(strings.TrimSpace(line), "*_`-–—.!()[] \t\n"))
		if got := IsBareNone(line); len(line) <= 100 && got != none.MatchString(strings.Join(strings.Fields(plain), " ")) {
			t.Errorf("%q: nothing: %v", line, got)
		}
		if noneBecause.MatchString(strings.TrimSpace(line)) && !startsAsNone(line) {
			t.Errorf("%q starts as none", line)
		}
	})
}
