package doc_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

func TestSections(t *testing.T) {
	for name, tc := range map[string]struct{ src, want string }{
		"levels":                  {"# a\n## b\n### c\n## d\n", "1a[# a,## b,### c,## d] 2b[## b,### c] 3c[### c] 2d[## d]"},
		"closing hashes":          {"## a ##\n# b#\n### #\n#\n", "2a[## a ##] 1b#[# b#,### #] 3[### #] 1[#]"},
		"spaces":                  {"   #   a  \n    # code\n#tag\n", "1a[   #   a  ,    # code,#tag]"},
		"CRLF":                    {"## a ##\r\nx\r\n", "2a[## a ##,x]"},
		"setext":                  {"a\n===\nb\nc\n---\nd\n", "1a[a,===,b,c,---,d] 2b c[b,c,---,d]"},
		"setext, indented":        {"  a\n  --\n", "2a[  a,  --]"},
		"a rule is none":          {"a\n\n---\n\n***\n", ""},
		"in a fence":              {"```\n# a\n```\n~~~\n# b\n```\n~~~\n# c\n", "1c[# c]"},
		"in a longer fence":       {"````\n```\n# a\n````\n# b\n", "1b[# b]"},
		"in a fence never closed": {"# a\n```\n# b\n", "1a[# a,```,# b]"},
		"in a comment":            {"<!--\n# a\n-->\n# b\n", "1b[# b]"},
		"in HTML":                 {"<pre>\n\n# a\n</pre>\n<div>\n# b\n\n# c\n", "1c[# c]"},
		"in code":                 {"x\n\n    # a\n\n\t# b\n", ""},
		"in a quote":              {"> # a\n> b\n> ===\n# c\n", "1c[# c]"},
		"in a list":               {"- # a\n\n  # b\n1. c\n   ---\n# d\n", "1d[# d]"},
		"behind a paragraph":      {"x\n# a\n", "1a[# a]"},
		"with a bar":              {"# a | b\n", "1a | b[# a | b]"},
		"NUL":                     {"# a\x00\n", "1a\x00[# a\x00]"},
		"carriage return alone":   {"# a\rb\n", "1a\rb[# a\rb]"},
		"no last line break":      {"x\n# a", "1a[# a]"},
		"many blank lines":        {"- a\n" + strings.Repeat("\n", 50) + "  # b\n" + strings.Repeat(" \r\n", 50) + "# c\n", "1c[# c]"},
		"behind blank lines":      {strings.Repeat("\n", 50) + "a\n" + strings.Repeat("\n", 50) + "b\n===\n", "1b[b,===]"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, front := range []string{"", "---\na: b\n---\n", "\xef\xbb\xbf"} {
				d := parse(t, front+tc.src)
				var got []string
				for _, s := range d.Sections() {
					whole := strings.Split(strings.TrimRight(strings.ReplaceAll(d.Slice(s.Whole), "\r\n", "\n"), "\n"), "\n")
					got = append(got, fmt.Sprintf("%d%s[%s]", s.Level, s.Title, strings.Join(whole, ",")))
				}
				equal(t, strings.Join(got, " "), tc.want)
			}
		})
	}
}

func TestItems(t *testing.T) {
	for name, tc := range map[string]struct{ src, want string }{
		"bullets":            {"- a\n- b\n", "-:a|-:b"},
		"numbers":            {"3. a\n10) b\n", "3.:a|10):b"},
		"wrapped":            {"- a\n  b\nlazy\n- c\n", "-:a⏎b⏎lazy|-:c"},
		"nested":             {"- a\n  - b\n    - c\n- d\n", "-:a⏎- b⏎  - c|-:d"},
		"nested on one line": {"- - a\n  - b\n", "-:- a⏎- b"},
		"loose":              {"- a\n\n  b\n\n- c\n\n\n", "-:a⏎⏎b|-:c"},
		"indented":           {"  - a\n    b\n  - c\n", "-:a⏎b|-:c"},
		"wide":               {"-    a\n     b\n-\tc\n\td\n", "-:a⏎b|-:c⏎d"},
		"code":               {"-     a\n", "-:a"},
		"text below":         {"-\n  a\n-\n- b\n", "-:a|-:|-:b"},
		"two lists":          {"- a\n\n* b\n\ntext\n\n1. c\n", "-:a|*:b|1.:c"},
		"with a fence":       {"- a\n  ```\n  - x\n  ```\n- b\n", "-:a⏎```⏎- x⏎```|-:b"},
		"CRLF":               {"- a\r\n  b\r\n- c", "-:a⏎b|-:c"},
		"in a quote: none":   {"> - a\n", ""},
		"empty marker":       {"-", "-:"},
		"a rule is none":     {"- - -\n", ""},
		"many blank lines":   {"- a\n" + strings.Repeat("\n", 50) + "- b\n", "-:a|-:b"},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, tc.src)
			var got []string
			for _, item := range d.Items(d.Body()) {
				got = append(got, item.Marker+":"+strings.ReplaceAll(item.Text, "\n", "⏎"))
				if first, _, _ := strings.Cut(item.Text, "\n"); !strings.HasPrefix(d.Slice(doc.Span{Start: item.Start, End: item.Span.End}), first) {
					t.Errorf("%q does not start at %d", item.Text, item.Start)
				}
			}
			equal(t, strings.Join(got, "|"), tc.want)
		})
	}
}

func TestTables(t *testing.T) {
	for name, tc := range map[string]struct{ src, want string }{
		"plain":               {"| a | b |\n|---|---|\n| 1 | 2 |\n|3|4|\n", "[a b]: [1 2] [3 4]"},
		"without outer bars":  {"a | b\n:-- | --:\n1 | 2\n", "[a b]: [1 2]"},
		"escaped bars":        {"| a |\n|---|\n| `x \\| y` |\n| \\| |\n", "[a]: [`x | y`] [|]"},
		"short and long rows": {"| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n||\n", "[a b]: [1] [1 2 3] []"},
		"behind a paragraph":  {"text\n| a |\n|---|\n| 1 |\n", "[a]: [1]"},
		"no rows":             {"| a |\n|---|\n", "[a]:"},
		"CRLF, no last break": {"| a |\r\n|---|\r\n| 1 |", "[a]: [1]"},
		"no delimiter":        {"| a |\n| 1 |\n", ""},
		"in a fence":          {"```\n| a |\n|---|\n```\n", ""},
		"two":                 {"|a|\n|-|\n\ntext\n\n|b|\n|-|\n|1|\n", "[a]: [b]: [1]"},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, tc.src)
			var got []string
			for _, table := range d.Tables(d.Body()) {
				got = append(got, fmt.Sprint(table.Header)+":")
				for _, row := range table.Rows {
					got = append(got, fmt.Sprint(row.Cells))
					for i, s := range row.CellSpans {
						equal(t, strings.ReplaceAll(d.Slice(s), `\|`, "|"), row.Cells[i])
					}
				}
			}
			equal(t, strings.Join(got, " "), tc.want)
		})
	}
}

func FuzzTableRow(f *testing.F) {
	f.Add("a", "b|c", `d\`)
	f.Add("`a|b`", "", "\n")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		d, err := doc.Parse([]byte("| a | b | c |\n|---|---|---|\n" + doc.TableRow(a, b, c)))
		if err != nil {
			t.Fatal(err)
		}
		want := []string{clean(a), clean(b), clean(c)}
		tables := d.Tables(d.Body())
		if len(tables) != 1 || len(tables[0].Rows) != 1 || strings.Join(tables[0].Rows[0].Cells, "\x00") != strings.Join(want, "\x00") {
			t.Fatalf("%q is read as %+v", want, tables)
		}
	})
}

func clean(cell string) string {
	return strings.TrimSpace(strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(cell))
}

func TestContentAndText(t *testing.T) {
	for name, tc := range map[string]struct{ src, content, text string }{
		"text":                    {"\n\nx\ny\n\n", "x\ny\n", "x\ny"},
		"a comment first":         {"<!-- c -->\nx\n", "<!-- c -->\nx\n", "x"},
		"a comment alone":         {"\n<!-- c\nd -->\n\n", "<!-- c\nd -->\n", ""},
		"text behind a comment":   {"<!-- c --> x\n", "<!-- c --> x\n", "<!-- c --> x"},
		"a comment in the middle": {"x\n\n<!-- c -->\n\ny\n", "x\n\n<!-- c -->\n\ny\n", "x\n\n\ny"},
		"a comment in a line":     {"x <!-- c --> y\n", "x <!-- c --> y\n", "x <!-- c --> y"},
		"a rule behind it":        {"x\n\n---\n\n***\n", "x\n", "x"},
		"a rule before it":        {"***\n\nx\n", "***\n\nx\n", "***\n\nx"},
		"only rules":              {"---\n\n---\n", "", ""},
		"headings":                {"# a\n\n# b\n", "# a\n\n# b\n", "# a\n\n# b"},
		"headings around it":      {"# a\nx\n\n# b", "# a\nx\n\n# b", "# a\nx\n\n# b"},
		"code keeps its margin":   {"\n    x\n", "    x\n", "    x"},
		"nothing":                 {"\n \n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, "\n"+tc.src)
			equal(t, d.Slice(d.Content(d.Body())), tc.content)
			equal(t, d.Text(d.Body()), tc.text)
		})
	}
}

func TestEnds(t *testing.T) {
	for name, tc := range map[string]struct{ before, after, want string }{
		"the next heading":      {"## A\n\nx\n\n", "## B\n", "## A\n\nx\n\n"},
		"a rule before it":      {"## A\n\nx\n\n---\n\n", "## B\n", "## A\n\nx\n\n"},
		"only a rule":           {"## A\n\n---\n\n", "## B\n", "## A\n\n"},
		"a rule in the section": {"## A\n\n---\n\nx\n", "## B\n", "## A\n\n---\n\nx\n"},
		"deeper headings":       {"## A\n\n### C\n\nx\n\n***\n", "## B\n", "## A\n\n### C\n\nx\n\n"},
		"the end of the file":   {"## A\n\nx\n\n---\n", "", "## A\n\nx\n\n---\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, tc.before+tc.after)
			end := d.EndOf(d.Sections()[0])
			equal(t, d.Slice(doc.Span{End: end}), tc.want)
			if tc.after != "" {
				equal(t, fmt.Sprint(d.RuleBefore(len(tc.before))), fmt.Sprint(len(tc.want)))
			}
		})
	}
}

func TestPreambleLineAndEOL(t *testing.T) {
	d := parse(t, "---\r\na: b\r\n---\r\n\r\npre\r\n# T\r\n")
	equal(t, d.Slice(d.Preamble()), "\r\npre\r\n")
	equal(t, d.EOL(), "\r\n")
	equal(t, fmt.Sprint(d.Line(0), d.Line(d.Sections()[0].Heading.Start), d.Line(1<<20)), "1 6 7")
	equal(t, parse(t, "a").EOL(), "\n")
}

func TestGiven(t *testing.T) {
	for _, text := range []string{"# a", "a\n\n## b\n\n---\n\n- - -", "a\n===", "```\n\\# b\n```", `\a \# b`, "a\n  # b", "<<<<<<< a\nb\n=======\nc\n>>>>>>> d"} {
		equal(t, doc.Given(doc.Literal(text)), text)
	}
}

func TestLiteral(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"plain":                  {"a\n\n- b\n  c\n", "a\n\n- b\n  c"},
		"line breaks":            {"\r\na\r\nb\rc\n\n", "a\nb\nc"},
		"headings":               {"# a\n## b\n#c\n   ### d", "\\# a\n\\## b\n#c\n   \\### d"},
		"setext":                 {"a\n===\nb\n---", "a\n\\===\nb\n\\---"},
		"rules":                  {"---\na\n\n***\n_ _ _", "\\---\na\n\n\\***\n\\_ _ _"},
		"headings in a fence":    {"```\n# a\n```", "```\n# a\n```"},
		"headings in code":       {"a\n\n    # b", "a\n\n    # b"},
		"headings in a list":     {"- a\n  # b", "- a\n  # b"},
		"a conflict":             {"a\n<<<<<<< b\nc\n=======\n>>>>>>> d", "a\n\\<<<<<<< b\nc\n\\=======\n>>>>>>> d"},
		"a conflict in a fence":  {"- a\n<<<<<<< b\n\n```\n<<<<<<< b\n```", "- a\n\\<<<<<<< b\n\n```\n<<<<<<< b\n```"},
		"an open fence":          {"```go\n# a", "```go\n# a\n```"},
		"an open longer fence":   {"  ~~~~~\n~~~", "  ~~~~~\n~~~\n~~~~~"},
		"an open comment":        {"<!-- a\n\n# b", "<!-- a\n\n# b\n-->"},
		"open HTML":              {"<pre>\n\n# b", "<pre>\n\n# b\n</pre>"},
		"a fence of a list item": {"- ```\n  a", "- ```\n  a"},
		"code at the start":      {"\n    a", "    a"},
		"nothing":                {" \n\t\n", ""},
	} {
		t.Run(name, func(t *testing.T) { equal(t, doc.Literal(tc.text), tc.want) })
	}
}

func TestBelow(t *testing.T) {
	equal(t, doc.Below(3, "a\n\n## b\n\nc\n===\n\n#### d\n\n```\n# e"), "a\n\n##### b\n\n#### c\n\n###### d\n\n```\n# e\n```")
	equal(t, doc.Below(2, "### a\n\n#### b\n"), "### a\n\n#### b\n")
}

func TestApplyRefuses(t *testing.T) {
	const src = "---\na: b\n---\n## A\n\none\n\n## B\n\ntwo\n"
	d := parse(t, src)
	a, b := d.Sections()[0], d.Sections()[1]
	at := func(offset int) doc.Span { return doc.Span{Start: offset, End: offset} }
	for name, tc := range map[string]struct {
		edits []doc.Edit
		want  string
	}{
		"a heading":                  {[]doc.Edit{doc.Replace(a.Body, "\n# X\n\n")}, `the text would add the heading "X" (line 6)`},
		"an underline":               {[]doc.Edit{doc.Replace(at(b.Heading.Start), "x\n---\n\n")}, `the text would add the heading "x" (line 8)`},
		"an open fence":              {[]doc.Edit{doc.Replace(a.Body, "\n```\n")}, `a code fence or a comment is left open: it would hide the heading "B"`},
		"no line break at the end":   {[]doc.Edit{doc.Replace(a.Body, "x")}, `a code fence or a comment is left open: it would hide the heading "B"`},
		"sections behind open code":  {[]doc.Edit{doc.Replace(doc.Span{Start: b.Body.Start, End: len(src)}, "```\n"), doc.ReplaceSections(at(len(src)), "## C\n")}, `a code fence or a comment is left open (line 9): the text would be part of it`},
		"overlapping":                {[]doc.Edit{doc.Replace(a.Body, "x\n"), doc.Replace(at(a.Body.Start+1), "y")}, `two edits overlap (line 6)`},
		"behind the end":             {[]doc.Edit{doc.Replace(at(len(src)+1), "y")}, `two edits overlap (line 11)`},
		"a key, by the body":         {[]doc.Edit{doc.Replace(at(4), "x: y\n")}, `the edit would change other keys of the frontmatter`},
		"the fence":                  {[]doc.Edit{doc.Replace(at(4), "---\n")}, `the edit would move the end of the frontmatter`},
		"a fence, in a text":         {[]doc.Edit{doc.Replace(d.Front.Span, "")}, `the edit would move the end of the frontmatter`},
		"what is no YAML afterwards": {[]doc.Edit{doc.Replace(at(4), "[\n")}, `the edit would break the file: frontmatter is not YAML: line 3: did not find expected ',' or ']'`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := d.Apply(tc.edits...)
			if err == nil {
				t.Fatalf("done: %q", got.Bytes())
			}
			equal(t, fault.KindOf(err).String()+": "+err.Error(), "invalid: "+tc.want)
		})
	}
}

func TestHostileFilesAreBounded(t *testing.T) {
	refused := map[string]string{
		"brackets in frontmatter": "frontmatter nests too many brackets",
		"opens and never closes":  "line 1: frontmatter opens with --- and never closes",
	}
	for name, want := range refused {
		err := readAll([]byte(hostile[name]))
		if err == nil {
			t.Errorf("%s: it was read", name)
			continue
		}
		equal(t, err.Error(), want)
	}
	for name, src := range hostile {
		if _, ok := refused[name]; !ok {
			_ = readAll([]byte(src)) // it may return an error, but must return
		}
	}
}

// TestDeepBlocks checks that nested blocks take time linear in the size of the file, and do not hide later headings.
func TestDeepBlocks(t *testing.T) {
	var stairs strings.Builder
	for i := range 150 {
		stairs.WriteString(strings.Repeat(" ", i) + "-\n")
	}
	for name, deep := range map[string]string{
		"quotes on a line":     strings.Repeat("> ", 600) + "x\n",
		"lists on a line":      strings.Repeat("- ", 150) + "x\n",
		"lists below lists":    stairs.String(),
		"two lists each line":  strings.ReplaceAll(stairs.String(), "-", "- 1."),
		"a long rule and text": stairs.String() + "\n" + strings.Repeat("-", 150) + "\n",
	} {
		src := deep + "\n<!--" + strings.Repeat("=", 120) + "-->\n\n# End\n"
		d, err := doc.Parse([]byte(src))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if all := d.Sections(); len(all) == 0 || all[len(all)-1].Title != "End" {
			t.Errorf("%s: sections %+v", name, all)
		}
	}
}
