package doc_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint/doc"
)

// hostile has files made to cost a parser more than their length. Each is parsed or refused in time
// linear in its size.
var hostile = map[string]string{
	"brackets in frontmatter":    "---\na: " + strings.Repeat("[", 100_000) + "\n---\n",
	"closed brackets":            "---\na: " + strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999) + "\n---\n",
	"braces in frontmatter":      "---\na: " + strings.Repeat("{a: ", 9_999) + "\n---\n",
	"dashes in frontmatter":      "---\na:\n " + strings.Repeat("- ", 9_000) + "x\n---\n",
	"questions in frontmatter":   "---\n" + strings.Repeat("? ", 9_000) + "x\n---\n",
	"deep mapping":               "---\n" + deepMapping(700) + "---\n",
	"alias bomb":                 "---\n" + aliasBomb(12) + "---\n",
	"many aliases":               "---\na: &a x\nb: [" + strings.Repeat("*a, ", 60_000) + "]\n---\n",
	"many keys":                  "---\n" + manyKeys(20_000, "v") + "---\n",
	"many quoted keys":           "---\n" + manyKeys(16_000, `"v"`) + "---\n",
	"one long quoted value":      "---\na: \"" + strings.Repeat("x\n  ", 50_000) + "\"\n---\n",
	"brackets in the body":       "## A\n\n" + strings.Repeat("[", 100_000) + "\n",
	"images in the body":         "## A\n\n" + strings.Repeat("![](", 100_000) + "\n",
	"quote markers on a line":    "## A\n\n" + strings.Repeat(">", 100_000) + "\n",
	"list markers on a line":     "## A\n\n" + strings.Repeat("- ", 100_000) + "x\n",
	"number markers on a line":   "## A\n\n" + strings.Repeat("1. ", 100_000) + "x\n",
	"quotes at the bound, often": "## A\n\n" + strings.Repeat(strings.Repeat(">", 400)+"\n", 1_000),
	"deep nested list":           "## A\n\n" + deepList(400),
	"deeper nested list":         "## A\n\n" + deepList(1_500),
	"blank lines in a deep list": "## A\n\n" + deepList(400) + strings.Repeat("\n", 50_000) + "x\n",
	"one paragraph":              "## A\n\n" + strings.Repeat("word\n", 200_000),
	"one long line":              "## A\n\n" + strings.Repeat("word ", 400_000) + "\n",
	"many headings":              strings.Repeat("## A\n", 100_000),
	"many setext headings":       strings.Repeat("A\n---\n", 100_000),
	"one setext heading":         strings.Repeat("A\n", 100_000) + "---\n",
	"many unclosed comments":     strings.Repeat("<!-- \n", 100_000),
	"many unclosed tags":         strings.Repeat("<script\n", 100_000),
	"many fences":                strings.Repeat("```\n", 100_001),
	"definitions":                strings.Repeat("[a]: b\n", 100_000),
	"open definitions":           strings.Repeat("[a]: \"\n", 100_000),
	"bars":                       "|a|\n|-|\n" + strings.Repeat("|", 500_000) + "\n",
	"delimiters":                 strings.Repeat("a|\n", 100_000) + "|-|\n",
	"backticks":                  strings.Repeat("`", 100_000) + "\n" + strings.Repeat("`a", 100_000),
	"tabs":                       strings.Repeat("\t", 300_000) + "x\n",
	"spaces":                     strings.Repeat(" ", 300_000) + "\n- a\n",
	"carriage returns":           strings.Repeat("\r", 300_000),
	"NUL bytes":                  strings.Repeat("\x00", 300_000),
	"rules":                      strings.Repeat("---\n", 100_000),
	"a long rule":                strings.Repeat("- ", 100_000) + "\n",
	"opens and never closes":     "---\n" + strings.Repeat("a: b\n", 100_000),
}

func deepMapping(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func aliasBomb(n int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < n; i++ {
		one := fmt.Sprintf("*a%d", i-1)
		b.WriteString(fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.Join([]string{one, one, one, one, one, one, one, one, one}, ", ")))
	}
	return b.String()
}

func manyKeys(n int, value string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: %s\n", i, value)
	}
	return b.String()
}

func deepList(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String()
}

func BenchmarkHostile(b *testing.B) {
	for name, src := range hostile {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				readAll([]byte(src))
			}
		})
	}
}

// readAll calls every method that reads a file.
func readAll(src []byte) error {
	d, err := doc.Parse(src)
	if err != nil {
		return err
	}
	d.Sections()
	d.Blocks(d.Body())
	d.Items(d.Body())
	d.Tables(d.Body())
	d.Text(d.Body())
	_, err = d.Apply(d.SetField("x", "1"))
	return err
}
