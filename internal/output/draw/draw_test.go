package draw

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/term"
)

// evil has texts with a special meaning in some format.
var evil = []string{
	`quotes " ' and \ and \n \N \G \\`, "[a] {b} (c) <d> |e|", "end", "graph TD; A-->B", "&amp; &lt;b&gt; &#65; #quot; #35; #amp;",
	"**bold** _it_ `code` ~~no~~", "1. one", "- item", "a # head", "> quote", "[x](javascript:alert)", "https://example.com www.example.com a@b.c",
	"%%{init: {'theme':'forest'}}%%", "%% comment", "fa:fa-car", "$$x^2$$", "style n1 fill:#f9f;", "classDef x:#35;", ":::current", "<script>alert(1)</script>",
	"]]>", "<!-- -->", "</title></svg>", "ﬂ°°35¶ß ﬂ°amp¶ß", "日本語 עברית", "<br/>", "@{ shape: x }", "click n1 href",
}

// obeyed has the characters that no format may pass on.
const obeyed = "\x1b[2J\x07\u202e\u2066\u009b2J\x00\ufffe\x85"

func TestTextIsLiteral(t *testing.T) {
	for _, text := range evil {
		f := forest(t, text+obeyed, "a", "b<a")
		for as, drawn := range drawings(f) {
			if harmless(drawn) != drawn {
				t.Errorf("%s of %q: something is obeyed: %q", as, text, drawn)
			}
			if got, want := said(t, as, drawn), plain(f.Roots[0].Checkpoint.Headline()); want == "" || !strings.Contains(got, want) {
				t.Errorf("%s of %q does not say %q:\n%s", as, text, want, got)
			}
		}
	}
}

func TestEveryFormatShowsEverything(t *testing.T) {
	f := forest(t, "Why.", "root", "a<root 2026-02-01", "archive/b<root", "now<a current", "one<two", "two<one", "self<self", "orphan<gone", "twin", "archive/twin", "of-torn<torn")
	for as, drawn := range drawings(f) {
		text := said(t, as, drawn)
		for _, want := range []string{
			"root", "orphan", "2026-02-01", "current", "archived", "active", "cycle: one → two → one", "names itself as its parent",
			`parent "gone" does not exist`, "the same id in active/twin.md, archive/twin.md", `parent "torn" cannot be read (active/torn.md)`, "unreadable", "half a file",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", as, want, text)
			}
		}
		if again := drawings(f)[as]; again != drawn {
			t.Errorf("%s is not the same twice", as)
		}
	}
}

// TestNamesNeverCollide checks that boxes have different names, also if ids differ only in
// case or punctuation, or if two files have the same id.
func TestNamesNeverCollide(t *testing.T) {
	p := pictureOf(forest(t, "", "a", "A", "a.b", "a-b", "a_b", "n1", "n2", "end", "archive/a", "x<gone", "y<n9"))
	names := map[string]bool{}
	for _, b := range p {
		if names[b.Name] {
			t.Errorf("%s twice", b.Name)
		}
		names[b.Name] = true
	}
}

// TestLanes checks that a fork is to the right of its parent.
func TestLanes(t *testing.T) {
	var got []string
	for _, b := range pictureOf(forest(t, "", "a", "b<a 2026-01-02", "c<b", "d<c", "e<a 2026-01-03", "f<e", "z 2026-02-01")) {
		got = append(got, fmt.Sprint(b.Title, b.Lane))
	}
	if want := "a0 b1 c2 d3 e1 f2 z0 active/torn.md0"; strings.Join(got, " ") != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestPart checks that a filtered checkpoint is dim, and that the parent of a subtree is not called missing.
func TestPart(t *testing.T) {
	f := forest(t, "", "archive/a", "b<a", "c<b")
	f.Broken = nil
	for as, drawn := range drawings(f.Below("c")) {
		if strings.Contains(said(t, as, drawn), "missing") || regexp.MustCompile(`\bn2\b`).MatchString(drawn) {
			t.Errorf("%s: c hangs below nothing:\n%s", as, drawn)
		}
		if drawn := drawings(f.Filter(func(c *checkpoint.Checkpoint) bool { return c.Status() != checkpoint.Archived }))[as]; !strings.Contains(drawn, "skipped") {
			t.Errorf("%s: a is not dim:\n%s", as, drawn)
		}
	}
}

func TestMermaidLimits(t *testing.T) {
	lines := []string{"root"}
	for i := range 501 {
		lines = append(lines, fmt.Sprintf("c%03d<root", i))
	}
	if _, remarks := Forest(forest(t, "", lines...), Mermaid); len(remarks) != 1 || !strings.HasPrefix(remarks[0], "501 edges in ") {
		t.Errorf("%q", remarks)
	}
	if _, remarks := Forest(forest(t, "", lines[:501]...), Mermaid); remarks != nil {
		t.Errorf("%q", remarks)
	}
}

// TestPictureIsAlone checks that a picture fetches and runs nothing.
func TestPictureIsAlone(t *testing.T) {
	f := forest(t, "![x](https://example.com/x.png) <img src=https://example.com/y.png onerror=z> [l](https://example.com)\n\n<script src=https://example.com/s.js></script>\n\n```html\n<b>\n```", "a", "b<a")
	for as, drawn := range drawings(f) {
		if as == Mermaid {
			continue
		}
		for _, tag := range regexp.MustCompile(`(?s)<[^>]*>|<style>.*</style>`).FindAllString(drawn, -1) {
			if regexp.MustCompile(`(?i)^<(script|img|link|iframe|object|image|use|foreignObject)|url\(|@import|\son\w+=|(src|href)="[^#]`).MatchString(tag) {
				t.Errorf("%s holds %q:\n%s", as, tag, drawn)
			}
		}
	}
}

// TestLargeForests checks that a drawing grows linearly with a long chain, a wide fan and
// a deep comb.
func TestLargeForests(t *testing.T) {
	const many = 3_000
	chain, fan, comb := []string{"c0"}, []string{"c0"}, []string{"c0"}
	for i := 1; i < many; i++ {
		chain = append(chain, fmt.Sprintf("c%d<c%d", i, i-1))
		fan = append(fan, fmt.Sprintf("c%d<c0", i))
		comb = append(comb, fmt.Sprintf("c%d<c%d 2026-01-%02d", i, max(i-2+i%2, 0), 1+i%2))
	}
	for name, lines := range map[string][]string{"chain": chain, "fan": fan, "comb": comb} {
		f := forest(t, "Why.", lines...)
		for as, drawn := range drawings(f) {
			if len(drawn) > many*2_400 {
				t.Errorf("%s as %s: %d bytes", name, as, len(drawn))
			}
		}
	}
}

func FuzzText(f *testing.F) {
	for _, text := range evil {
		f.Add(text + obeyed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		front := "---\ncheckpoint: a\ncreated: 2026-01-01\n---\n\n## Problem\n\n"
		c, err := checkpoint.Parse("active/a.md", []byte(front+text+"\n"))
		if err != nil {
			t.Skip()
		}
		forest := lineage.Build(&checkpoint.Set{All: []*checkpoint.Checkpoint{c}})
		for as, drawn := range drawings(forest) {
			if harmless(drawn) != drawn {
				t.Errorf("%s: something is obeyed: %q", as, drawn)
			}
			about := []rune(plain(c.Headline()))
			if got, want := said(t, as, drawn), strings.TrimRight(string(about[:min(len(about), 40)]), " ,;:."); !strings.Contains(got, want) {
				t.Errorf("%s does not say %q:\n%s", as, want, got)
			}
		}
	})
}

// drawings draws a forest in every format.
func drawings(f *lineage.Forest) map[Format]string {
	all := map[Format]string{}
	for _, as := range []Format{Mermaid, SVG} {
		all[as], _ = Forest(f, as)
	}
	return all
}

// said returns the text of a drawing, as its format decodes it.
func said(t *testing.T, as Format, drawn string) string {
	t.Helper()
	if as == Mermaid {
		text := regexp.MustCompile(`#(\d+);`).ReplaceAllStringFunc(drawn, func(entity string) string {
			var r rune
			fmt.Sscanf(entity, "#%d;", &r)
			return string(r)
		})
		text = strings.ReplaceAll(text, "\u2060", "")
		for line := range strings.Lines(drawn) {
			if label := regexp.MustCompile(`^  n\d+\["(.*)"\]\n$`).FindStringSubmatch(line); label != nil && strings.ContainsAny(strings.ReplaceAll(label[1], "<br/>", ""), `"<>[]{}`+"`:&") {
				t.Errorf("a label that is more than text: %s", line)
			}
		}
		return text
	}
	d := xml.NewDecoder(strings.NewReader(drawn))
	var text strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return strings.Join(strings.Fields(text.String()), " ")
		}
		if err != nil {
			t.Fatalf("%s is not well formed: %v\n%s", as, err, drawn)
		}
		if data, ok := token.(xml.CharData); ok {
			text.Write(data)
		}
	}
}

// harmless returns text without control characters and characters that XML does not allow.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, term.Plain(text))
}

// forest makes a forest of lines "[archive/]id[<parent] [created] [current]", and of the
// unreadable file active/torn.md.
func forest(t testing.TB, problem string, lines ...string) *lineage.Forest {
	t.Helper()
	set := &checkpoint.Set{Broken: []checkpoint.Broken{{Path: "active/torn.md", Err: errors.New("half a file")}}}
	for _, line := range lines {
		words := strings.Fields(line)
		name, parent, forked := strings.Cut(words[0], "<")
		id := name[strings.LastIndexByte(name, '/')+1:]
		path := name + ".md"
		if !strings.Contains(path, "/") {
			path = "active/" + path
		}
		front := "---\ncheckpoint: " + id + "\n"
		created := "2026-01-01"
		for _, word := range words[1:] {
			if word == "current" {
				front += "status: current\n"
			} else {
				created = word
			}
		}
		front += "created: " + created + "\n"
		if forked {
			front += "parent: " + parent + "\n"
		}
		c, err := checkpoint.Parse(path, []byte(front+"---\n\n## Problem\n\n"+problem+"\n"))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		set.All = append(set.All, c)
	}
	return lineage.Build(set)
}
