package doc

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// blockSeeds are the traps that lie in single lines.
var blockSeeds = []string{
	"# a\ntext\n- b\n  c\n\n  d\n- e\n1. f\n\n\npara\ngoes on\n* * *\n", "- a\nlazy\n# h\n", "- a\n  - b\n lazy\n", "-    a\n    b\n", "- a\n\nb\n    c\n",
	"<!-- a -->\nb\n<!--\nc\n\n# d\n--> e\nf\n", "```go\n\tx\n# y\n ```\nz\n~~~ `\n\n\n", "a\n2. b\n1. c\n2) d\n", "- a\n---\n- b\n===\n", "a\n- - -\nb\n* * *\n",
	"- **a**\n- *b*\n  ***\nc\n", "- a\n  ```\nb\n", "#\n##\n####### x\n#a\n### b ##\r\n", " - a\n  - b\n   - c\n    - d\n", "10. a\n   b\n", "- a\n\n      code\nb\n", "-a\n--\n", "* 0\n\n  *\n\n  0", "- ", "+ * **\n0", "- a\n  ```\n\n  b\nc\n", "*a*\n_b_\n___\n",
	">\t\tcode\n> - a\n>\n>   b\n", "- a\n\n\tb\n\n\t\tc\n", "<div>\n*a*\n\nb\n<pre>\n\n# c\n</pre>\nd\n<b>\ne\n", "<i>\n# a\n\n<b class='x'>\n# b\n\n</b> x\n", "<? a\n\n?>\n# b\n<!X\n\n>\n<![CDATA[\n\n]]>\nc\n",
}

// FuzzBlocks compares the blocks and sections of any text with goldmark's.
func FuzzBlocks(f *testing.F) {
	for _, s := range slices.Concat(seeds, blockSeeds) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkBlocks(t, text) })
}

// departs matches texts in which goldmark 1.7 does not do what the specification says.
var departs = regexp.MustCompile(`(?m)` + strings.Join([]string{
	`^[ \t>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+)*(?:[-+*]|[0-9]{1,9}[.)])[ \t]*$`, // an empty item
	`^ *(?:>|[-+*]|[0-9]{1,9}[.)])[^\n]*\t`,                                      // a tab after a marker
	`<![a-z]`,
}, "|"))

// checkBlocks reports whether goldmark can judge the text.
func checkBlocks(t *testing.T, text string) bool {
	t.Helper()
	src := []byte(text)
	start := 0
	if d, err := Parse(src); err == nil {
		start = d.Front.Span.End
	}
	if checkDepth(src, start) != nil {
		return false
	}
	unix := strings.ReplaceAll(text[start:], "\r\n", "\n")
	if strings.Contains(unix, "\r") {
		return false // the specification says that it ends a line
	}
	got := parseBody(src, start, body{})
	if unix != text[start:] {
		if a, b := shape(got), shape(parseBody([]byte(unix), 0, body{})); a != b {
			t.Fatalf("%q is read as\n%s\nand with \\n as\n%s", text, a, b)
		}
		return checkBlocks(t, unix)
	}
	if departs.MatchString(text[start:]) {
		return false
	}
	if want := readBody(src, start, body{}); !slices.Equal(got.sections, want.sections) || !slices.EqualFunc(got.blocks, want.blocks, same) {
		t.Fatalf("%q is read as\n%+v\nnot as\n%+v", text, got, want)
	}
	return true
}

func same(a, b Block) bool {
	return a.Kind == b.Kind && a.Span == b.Span && slices.Equal(a.items, b.items)
}

// shape describes a body without offsets.
func shape(b body) string {
	var s strings.Builder
	for _, section := range b.sections {
		s.WriteString(strings.Repeat("#", section.Level) + section.Title + "\n")
	}
	for _, block := range b.blocks {
		s.WriteString(string(rune('a'+int(block.Kind))) + strings.Repeat(".", len(block.items)) + "\n")
	}
	return s.String()
}

// TestBlocksOfAnyLines reads lines that may begin anything below each other.
func TestBlocksOfAnyLines(t *testing.T) { testAnyLines(t, checkBlocks) }

// testAnyLines has lines that may begin anything checked below each other.
func testAnyLines(t *testing.T, check func(t *testing.T, text string) (judged bool)) {
	starts := []string{"", " ", "  ", "   ", "    ", "     ", "- ", "  - ", "    - ", "* ", "1. ", "2) ", "   3. ", "-  ", "-     ", "- - ", "\t", "> ", ">", "-\t", "> - "}
	texts := []string{"", "", "", "text", "**bold**: x", "# a", "## b ##", "---", "***", "- - -", "```", "```go", "~~~", "<!-- c -->", "<!-- d", "e -->", "| a | b |", "===", "-", "`x`", "> q", "<b>", "--", "12", "<div>", "<pre>", "</pre>", "\tx"}
	r := rand.New(rand.NewPCG(1, 2))
	judged, n := 0, 100_000
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteString(starts[r.IntN(len(starts))] + texts[r.IntN(len(texts))] + []string{"\n", "\n", "\n", "\r\n", "\n\n"}[r.IntN(5)])
		}
		if check(t, b.String()) {
			judged++
		}
	}
	if judged < n/10 {
		t.Errorf("of %d texts %d only were judged", n, judged)
	}
}

// TestBlocksOfWhatPeopleWrite reads the Markdown of this repository.
func TestBlocksOfWhatPeopleWrite(t *testing.T) {
	for _, root := range []string{"../../../examples", "../../../checkpoints", "../../../docs"} {
		err := filepath.WalkDir(root, func(p string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(p, ".md") {
				return err
			}
			src, err := os.ReadFile(p)
			if err == nil && !checkBlocks(t, string(src)) {
				t.Errorf("%s: goldmark cannot judge it", p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
