package brief_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
)

// TestUnknownSectionsAreWhole checks that the unlimited brief has every heading and every line
// of sections that the format does not define.
func TestUnknownSectionsAreWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		src := ownSection(r)
		checkWhole(t, src)
	}
}

func FuzzUnknownSectionsAreWhole(f *testing.F) {
	f.Add("## Do NOT restart\n\n## Done Work\n\n### One\n\ntext\n\n### Two\n")
	f.Add("# Done\n")
	f.Add("Words\nof several lines\n---\n\n- a\n")
	f.Fuzz(func(t *testing.T, body string) {
		for line := range strings.Lines(body) {
			title := strings.Trim(line, "#*_`: \t\r\n")
			if _, known := checkpoint.KindNamed(title); known || strings.HasPrefix(strings.ToLower(title), "delta") || strings.Contains(line, "Mark:") {
				t.Skip("not a section of one's own")
			}
		}
		if strings.ContainsAny(body, "<\x00\ufeff") || strings.Contains(body, "From the delta of") {
			t.Skip("comments are not shown")
		}
		checkWhole(t, body)
	})
}

func checkWhole(t *testing.T, body string) {
	t.Helper()
	c, err := checkpoint.Parse("active/chk-a.md", []byte("---\ncheckpoint: chk-a\ncreated: 2026-01-01\n---\n\n## Problem\n\nP.\n\n## Own\n\n"+body))
	if err != nil {
		t.Skip(err)
	}
	built := strings.Join(strings.Fields(brief.Build(c, nil, nil).Within(brief.Limit{}).Text), " ")
	for line := range strings.Lines(body) {
		text := strings.Join(strings.Fields(strings.Trim(line, "# \t\r\n")), " ")
		if strings.Trim(text, "-=*_~` ") != "" && !strings.Contains(built, text) {
			t.Fatalf("the brief lacks %q of\n%s\nit is\n%s", line, body, brief.Build(c, nil, nil).Within(brief.Limit{}).Text)
		}
	}
}

// ownSection returns a section with headings of either kind, and with text below some of them.
func ownSection(r *rand.Rand) string {
	var b strings.Builder
	for i := range 1 + r.IntN(8) {
		n := string(rune('a'+i)) + " " + strings.Repeat("w", r.IntN(4))
		b.WriteString([]string{
			"## Part " + n + "\n", "### Sub " + n + "\n", "#### Deep " + n + " ##\n", "# Title " + n + "\n",
			"Line one of " + n + "\nline two of " + n + "\n---\n", "Big " + n + "\n===\n",
			"Words of " + n + "\nand more of " + n + "\n", "- item " + n + "\n  wrapped " + n + "\n- next " + n + "\n",
			"| A " + n + " | B |\n|---|---|\n| 1 " + n + " | 2 |\n", "```\n## no heading " + n + "\n```\n", "> quoted " + n + "\n", "---\n",
		}[r.IntN(12)])
		b.WriteString(strings.Repeat("\n", r.IntN(3)))
	}
	return b.String()
}
