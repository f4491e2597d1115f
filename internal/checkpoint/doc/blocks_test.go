package doc

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/util"
)

// blockSeeds has single lines that are hard to parse.
var blockSeeds = []string{
	"# a\ntext\n- b\n  c\n\n  d\n- e\n1. f\n\n\npara\ngoes on\n* * *\n", "- a\nlazy\n# h\n", "- a\n  - b\n lazy\n", "-    a\n    b\n", "- a\n\nb\n    c\n",
	"<!-- a -->\nb\n<!--\nc\n\n# d\n--> e\nf\n", "```go\n\tx\n# y\n ```\nz\n~~~ `\n\n\n", "a\n2. b\n1. c\n2) d\n", "- a\n---\n- b\n===\n", "a\n- - -\nb\n* * *\n",
	"- **a**\n- *b*\n  ***\nc\n", "- a\n  ```\nb\n", "#\n##\n####### x\n#a\n### b ##\r\n", " - a\n  - b\n   - c\n    - d\n", "10. a\n   b\n", "- a\n\n      code\nb\n", "-a\n--\n", "* 0\n\n  *\n\n  0", "- ", "+ * **\n0", "- a\n  ```\n\n  b\nc\n", "*a*\n_b_\n___\n",
	">\t\tcode\n> - a\n>\n>   b\n", "- a\n\n\tb\n\n\t\tc\n", "<div>\n*a*\n\nb\n<pre>\n\n# c\n</pre>\nd\n<b>\ne\n", "<i>\n# a\n\n<b class='x'>\n# b\n\n</b> x\n", "<? a\n\n?>\n# b\n<!X\n\n>\n<![CDATA[\n\n]]>\nc\n",
}

// departures has texts that goldmark parses differently than CommonMark 0.31 specifies, each with
// the result. They may change with goldmark; the bytes around an edit do not depend on them.
var departures = map[string]string{
	"<!x\n\n# a\n>\n":          "#a\nb\na\n",  // a declaration in lower case
	"</ b>\nc\n":               "a\n",         // a space in a closing tag
	"<p\t>\n# a\n":             "#a\nb\n",     // a tab in a tag
	"<a b=\x01>\n\n## c\n</a>": "##c\nb\na\n", // a control character in a tag
}

// TestDepartures makes edits beside the departures.
func TestDepartures(t *testing.T) {
	for text, want := range departures {
		b := parseBody([]byte(text), 0)
		if got := shape(b); got != want {
			t.Errorf("%q is read as %q, not %q", text, got, want)
		}
		d, err := Parse([]byte("---\r\na: b\r\n---\r\n## A\n\nold\n\n## B\n\n" + text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Apply(Replace(d.Content(d.Sections()[0].Body), "new\n"), d.SetField("a", "c"))
		if err != nil || string(got.Bytes()) != "---\r\na: c\r\n---\r\n## A\n\nnew\r\n\n## B\n\n"+text {
			t.Errorf("%q: %v, %q", text, err, got.Bytes())
		}
	}
}

// FuzzBlocks runs checkBlocks on any text.
func FuzzBlocks(f *testing.F) {
	for _, s := range slices.Concat(seeds, blockSeeds, slices.Collect(maps.Keys(departures))) {
		f.Add(s)
	}
	f.Fuzz(checkBlocks)
}

// checkBlocks checks that the blocks and headings cover all of a text but blank lines, and that
// each of them parses the same alone: its span is neither too short nor too long.
func checkBlocks(t *testing.T, text string) {
	t.Helper()
	src := []byte(text)
	start := 0
	if d, err := Parse(src); err == nil {
		start = d.Front.Span.End
	}
	b := parseBody(src, start)
	if unix := strings.ReplaceAll(text, "\r\n", "\n"); unix != text && !strings.Contains(unix, "\r") {
		from := start - strings.Count(text[:start], "\r\n")
		if got, want := shape(b), shape(parseBody([]byte(unix), from)); got != want {
			t.Fatalf("%q is read as\n%s\nand with \\n as\n%s", text, got, want)
		}
	}
	var spans []Span
	alone := func(s Span) body {
		spans = append(spans, s)
		return parseBody(src[:s.End], s.Start)
	}
	for _, s := range b.sections {
		got := alone(s.Heading)
		if len(got.sections) != 1 || got.sections[0].Title != s.Title || got.sections[0].Heading != s.Heading {
			t.Fatalf("%q: the heading %+v is alone %+v", text, s, got)
		}
	}
	for _, block := range b.blocks {
		got := alone(block.Span)
		if len(got.blocks) != 1 || len(got.sections) > 0 || !same(got.blocks[0], block) {
			t.Fatalf("%q: the block %+v is alone %+v", text, block, got)
		}
		for i, start := range block.items {
			end := append(block.items, block.Span.End)[i+1]
			item := parseBody(src[:end], start)
			if len(item.blocks) != 1 || !slices.Equal(item.blocks[0].items, []int{start}) {
				t.Fatalf("%q: the item at %d is alone %+v", text, start, item)
			}
		}
	}
	slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	at := start
	for _, s := range append(spans, Span{len(src), len(src)}) {
		if s.Start < at || !util.IsBlank(src[at:s.Start]) {
			t.Fatalf("%q: the spans %v leave out text, or overlap", text, spans)
		}
		at = s.End
	}
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
func TestBlocksOfAnyLines(t *testing.T) {
	starts := []string{"", " ", "  ", "   ", "    ", "     ", "- ", "  - ", "    - ", "* ", "1. ", "2) ", "   3. ", "-  ", "-     ", "- - ", "\t", "> ", ">", "-\t", "> - "}
	texts := []string{"", "", "", "text", "**bold**: x", "# a", "## b ##", "---", "***", "- - -", "```", "```go", "~~~", "<!-- c -->", "<!-- d", "e -->", "| a | b |", "===", "-", "`x`", "> q", "<b>", "--", "12", "<div>", "<pre>", "</pre>", "\tx"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteString(starts[r.IntN(len(starts))] + texts[r.IntN(len(texts))] + []string{"\n", "\n", "\n", "\r\n", "\n\n"}[r.IntN(5)])
		}
		checkBlocks(t, b.String())
	}
}

// TestBlocksOfWhatPeopleWrite parses the Markdown of this repository.
func TestBlocksOfWhatPeopleWrite(t *testing.T) {
	for _, root := range []string{"../../../examples", "../../../checkpoints", "../../../docs"} {
		err := filepath.WalkDir(root, func(p string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(p, ".md") {
				return err
			}
			src, err := os.ReadFile(p)
			checkBlocks(t, string(src))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
