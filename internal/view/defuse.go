package view

import (
	"bytes"
	"errors"
	"html"
	"regexp"
	"slices"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"example.com/ckpt/internal/term"
)

// defuse rewrites what the renderer would drop or decode, so that the page shows
// what the document holds:
//
//   - comments go, with nothing in their place; one that never ends is text;
//   - other HTML becomes text, since a tag may hide a line or be a <placeholder>;
//   - a character reference to a control character (&#27; is ESC) is shown as
//     it is written.
//
// Code blocks keep every byte.
//
// A document that nests deeper than deepest is refused.
func defuse(markdown string) (string, error) {
	source := []byte(markdown)
	edits, err := findEdits(source)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.start < at {
			continue
		}
		out.Write(defuseReferences(source[at:e.start]))
		out.Write(e.text)
		at = e.stop
	}
	out.Write(defuseReferences(source[at:]))
	return out.String(), nil
}

// deepest is how far lists and quotes may nest. The renderer indents each level
// by copying all that is below it: a thousand levels take it minutes.
const deepest = 40

// edit puts text in the place of source[start:stop].
type edit struct {
	start, stop int
	text        []byte
}

// findEdits lists the code blocks, replaced by themselves, and the HTML.
func findEdits(source []byte) ([]edit, error) {
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.DefinitionList)).Parser()
	var edits []edit
	depth := 0
	err := ast.Walk(parser.Parse(text.NewReader(source)), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			depth--
			return ast.WalkContinue, nil
		}
		depth++
		if depth > 2*deepest { // a list is a level, and so is its item
			return ast.WalkStop, errors.New("it nests too deep")
		}
		switch n := node.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
				edits = append(edits, edit{s.Start, s.Stop, source[s.Start:s.Stop]})
			}
		case *ast.HTMLBlock:
			lines := n.Lines().Sliced(0, n.Lines().Len())
			if n.HasClosure() {
				lines = append(slices.Clip(lines), n.ClosureLine)
			}
			edits = append(edits, defuseHTML(source, lines)...)
		case *ast.RawHTML:
			edits = append(edits, defuseHTML(source, n.Segments.Sliced(0, n.Segments.Len()))...)
		}
		return ast.WalkContinue, nil
	})
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	return edits, err
}

var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// defuseHTML cuts comments out of one piece of HTML, which may lie on several
// lines, and turns the rest into text. Line ends stay.
func defuseHTML(source []byte, lines []text.Segment) []edit {
	var whole []byte
	for _, line := range lines {
		whole = append(whole, source[line.Start:line.Stop]...)
	}
	keep := slices.Repeat([]bool{true}, len(whole))
	for _, span := range comment.FindAllIndex(whole, -1) {
		for i := span[0]; i < span[1]; i++ {
			keep[i] = whole[i] == '\n'
		}
	}
	var edits []edit
	for _, line := range lines {
		var kept []byte
		for i, c := range source[line.Start:line.Stop] {
			if keep[i] {
				kept = append(kept, c)
			}
		}
		keep = keep[line.Stop-line.Start:]
		shown := bytes.ReplaceAll(defuseReferences(kept), []byte("<"), []byte("&lt;"))
		edits = append(edits, edit{line.Start, line.Stop, shown})
	}
	return edits
}

var reference = regexp.MustCompile(`&#?[0-9A-Za-z]+;?`)

// defuseReferences escapes the references that stand for what may not be shown.
func defuseReferences(b []byte) []byte {
	return reference.ReplaceAllFunc(b, func(ref []byte) []byte {
		meant := html.UnescapeString(string(ref))
		if term.Plain(meant) == meant {
			return ref
		}
		return append([]byte("&amp;"), ref[1:]...)
	})
}
