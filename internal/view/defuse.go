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

// defuse rewrites what the renderer would omit or decode, so that the page shows the whole
// document except comments:
//
//   - comments are removed; one without an end is text;
//   - other HTML becomes text, since a tag may hide a line or be a <placeholder>;
//   - a reference to a control character (&#27; is ESC) is shown as it is written;
//   - a paragraph of lines that begin with a key in bold becomes a list, since the renderer would join
//     its lines.
//
// Code blocks are not changed. A document with lists and quotes nested deeper than deepest is
// an error.
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

// deepest is the maximum nesting of lists and quotes. To indent a level the renderer copies
// everything below it, which takes minutes for a thousand levels.
const deepest = 40

// edit replaces source[start:stop] with text.
type edit struct {
	start, stop int
	text        []byte
}

// findEdits returns the edits of a document, sorted by start. A code block is replaced by
// itself, so that nothing else changes it.
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
		if depth > 2*deepest { // a list and its item are two levels of the tree
			return ast.WalkStop, errors.New("it nests too deep")
		}
		switch n := node.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
				edits = append(edits, edit{s.Start, s.Stop, source[s.Start:s.Stop]})
			}
		case *ast.Paragraph:
			edits = append(edits, listKeys(source, n)...)
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

var keyLine = regexp.MustCompile(`^\*\*[^*]+\*\*: `)

// listKeys returns the edits that make a list of a paragraph, if each of its lines begins with a key.
func listKeys(source []byte, p *ast.Paragraph) []edit {
	var edits []edit
	for _, s := range p.Lines().Sliced(0, p.Lines().Len()) {
		if !keyLine.Match(source[s.Start:s.Stop]) {
			return nil
		}
		edits = append(edits, edit{s.Start, s.Start, []byte("- ")})
	}
	if len(edits) < 2 || p.Parent().Kind() != ast.KindDocument {
		return nil
	}
	return edits
}

var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// defuseHTML removes the comments from one piece of HTML, which may span several lines, and
// turns the rest into text. Line ends remain.
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

// defuseReferences escapes references to characters that must not be shown.
func defuseReferences(b []byte) []byte {
	return reference.ReplaceAllFunc(b, func(ref []byte) []byte {
		meant := html.UnescapeString(string(ref))
		if term.Plain(meant) == meant {
			return ref
		}
		return append([]byte("&amp;"), ref[1:]...)
	})
}
