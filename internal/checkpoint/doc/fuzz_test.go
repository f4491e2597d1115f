package doc

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// seeds has forms that checkpoints take in practice, each with one difficulty.
var seeds = []string{
	"",
	"---\n---\n",
	"---\ncheckpoint: chk-a\ncreated: 2026-01-01T00:00:00Z\n---\n\n## Problem\n\nText.\n",
	"---\r\ncheckpoint: chk-a\r\n# why\r\nstatus: current # now\r\n---\r\n\r\n## Problem\r\n\r\n- a\r\n- b\r\n",
	"\xef\xbb\xbf---\na: 'it''s'\nb: \"x \\\"---\\\" y\"\n---\n# T\n",
	"---\na: one\n  two\nb: |\n  text\n\n  more\nc: >-\n  folded\n  text\nd: last\n---\n",
	"---\na: &x one\nb: *x\nc: [1, 2] # list\nd: {k: v}\n? e\n: f\n---\n",
	"---\na: \"one\n\n  two\"\nb: 'x\n\n  y'\nc:\n  - 1\n  - 2\n\n# for d\nd:\ne: ~\n---\n## A",
	"---\n{a: b, c: d}\n---\nx\n",
	"---\na: b\n...\nc: d\n---\n",
	"---\na: b\n--- c\nd: e\n---\n",
	"Title\n===\n\ntext\n\nSub\ntitle\n---\nmore\n",
	"## A\n\n```sh\n## not\n```\n\n<!--\n## not\n-->\n\n    ## not\n\n> ## not\n\n- ## not\n\n## B ##\n",
	"## A\n\n| a | b |\n|---|:-:|\n| `x \\| y` | z |\nfoot\n\n1. one\n   - nested\n\n     para\n2. two\n",
	"## A\n\n~~~\nopen\n## swallowed\n",
	"## A\n\n- ```\n  ## x\n## B\n* * *\n___\n",
	"a\rb\r## c\r", "\x00## A\x00\n", "## A\n- a\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n  b\n",
	"## A\n<script>\n## x\n\n## y\n", "## A\n<div>\n## x\n\n## y\n", "<?php\n\n# x\n", "<![CDATA[\n# x\n",
}

// FuzzParse checks what every parse promises: no panic, unchanged bytes, and spans in order within
// the file.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := Parse(bytes.Clone(src))
		if err != nil {
			return
		}
		if !bytes.Equal(d.Bytes(), src) {
			t.Fatal("the bytes changed")
		}
		checkSpans(t, d)
	})
}

func checkSpans(t *testing.T, d *Doc) {
	t.Helper()
	at := 0
	for _, f := range d.Front.Fields {
		if f.Span.Start < at || f.Span.End < f.Span.Start || !d.Front.Inner.Contains(f.Span) {
			t.Fatalf("field %q stands at %v, behind %d, in %v", f.Key, f.Span, at, d.Front.Inner)
		}
		if f.value.Len() > 0 && !f.Span.Contains(f.value) {
			t.Fatalf("value %v of field %q is not in %v", f.value, f.Key, f.Span)
		}
		at = f.Span.End
	}
	at = d.Front.Span.End
	for i, s := range d.Sections() {
		if s.Heading.Start < at || s.Heading.Len() <= 0 || s.Body.Start != s.Heading.End || s.Body.Len() < 0 || s.Whole.End < s.Body.End || s.Whole.End > len(d.src) {
			t.Fatalf("section %d is out of order: %+v", i, s)
		}
		if s.Heading.Start > 0 && d.src[s.Heading.Start-1] != '\n' && s.Heading.Start != d.Front.Span.End {
			t.Fatalf("heading %q does not begin a line", s.Title)
		}
		at = s.Heading.End
	}
	at = d.Front.Span.End
	for _, b := range d.Blocks(d.Body()) {
		if b.Span.Start < at || b.Span.Len() <= 0 {
			t.Fatalf("block is out of order: %+v behind %d", b, at)
		}
		at = b.Span.End
	}
	at = d.Front.Span.End
	for _, item := range d.Items(d.Body()) {
		if item.Span.Start < at || item.Span.Len() <= 0 {
			t.Fatalf("item is out of order: %+v behind %d", item, at)
		}
		at = item.Span.End
	}
	for _, table := range d.Tables(d.Body()) {
		for _, row := range table.Rows {
			if !table.Span.Contains(row.Span) || len(row.Cells) == 0 {
				t.Fatalf("row is out of its table: %+v", row)
			}
		}
	}
	d.Text(d.Body())
}

// FuzzScalar checks that YAML and Parse read a scalar back as it was written.
func FuzzScalar(f *testing.F) {
	for _, s := range []string{"", "a", "a: b", "a #b", "null", "~", "yes", "---", "- a", "\n", "a\r\n\tb", " a ", "\x00\x7f\u0085\u2028\ufeff", "é", "🙂", "\"\\", "a:", "...", "@", "*a", "[", "0x10", "\uffff", "\U0010ffff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "")
		var back map[string]yaml.Node
		text := "k: " + Scalar(s) + "\n"
		if strings.Count(text, "\n") != 1 {
			t.Fatalf("%q is written over two lines", s)
		}
		if err := yaml.Unmarshal([]byte(text), &back); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if n := back["k"]; n.Value != s || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
			t.Fatalf("%q is written as %q and read as %q (%s)", s, text, n.Value, n.Tag)
		}
		d, err := Parse([]byte("---\n" + text + "---\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := d.Front.Get("k"); got != s {
			t.Fatalf("%q is read as %q", s, got)
		}
	})
}

// FuzzLiteral checks that Apply accepts a literal text in a section, and that it adds and swallows
// no heading.
func FuzzLiteral(f *testing.F) {
	for _, s := range append(seeds, "# a", "a\n===\nb\n---", "```", "- ```\n  x", "<!--", "<pre>", "> a\n---", "````\n```", "***\n* * *\n-\t-\t-", "[a]: <b\n===", "-\n  # x", "\\\n===", "   ```x\n# y", "<a\n# b", "&\n--") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsRune(text, '\x00') {
			t.Skip("refused before anything is written")
		}
		for _, src := range []string{"## A\n\nold\n\n## B\n\nb\n", "---\na: b\n---\r\n## A\r\n\r\nold\r\n\r\n## B\r\n\r\n- b\r\n"} {
			d, err := Parse([]byte(src))
			if err != nil {
				t.Fatal(err)
			}
			s := d.Sections()[0]
			literal := Literal(text)
			if strings.TrimSpace(literal) == "" {
				return
			}
			got, err := d.Apply(Replace(d.Content(s.Body), literal+"\n"))
			if err != nil {
				t.Fatalf("%q: %v", literal, err)
			}
			if n := len(got.Sections()); n != 2 {
				t.Fatalf("%q makes %d sections", literal, n)
			}
			if again := Literal(literal); again != literal {
				t.Fatalf("%q is escaped again: %q", literal, again)
			}
		}
	})
}

// FuzzApply checks that an edit changes its own span or is refused.
func FuzzApply(f *testing.F) {
	for i, s := range slices.Concat(seeds, slices.Collect(maps.Keys(departures))) {
		f.Add([]byte(s), "a", "new", uint(i), uint(3))
		f.Add([]byte(s), "status", "x: y #z", uint(7*i), uint(0))
	}
	f.Fuzz(func(t *testing.T, src []byte, key, value string, at, n uint) {
		d, err := Parse(src)
		if err != nil {
			return
		}
		value = strings.ToValidUTF8(value, "")
		checkApply(t, d, d.SetField(key, value, "a", "b"))
		if e, ok := d.DropField(key); ok {
			checkApply(t, d, e)
		}
		for _, f := range d.Front.Fields {
			checkApply(t, d, d.SetField(f.Key, value))
			e, _ := d.DropField(f.Key)
			checkApply(t, d, e)
		}
		body := d.Body()
		start := body.Start + int(at%uint(body.Len()+1))
		end := min(start+int(n%64), body.End)
		checkApply(t, d, Replace(Span{start, end}, value))
		checkApply(t, d, Replace(Span{start, start}, Literal(value)+"\n"), Replace(Span{end, end}, value))
		checkApply(t, d, ReplaceSections(Span{start, end}, value))
	})
}

// checkApply applies edits. If they are accepted, bytes, fields and headings outside the edits must
// be the same as before.
func checkApply(t *testing.T, d *Doc, edits ...Edit) {
	t.Helper()
	got, err := d.Apply(edits...)
	if err != nil {
		return
	}
	checkSpans(t, got)
	touched := map[string]bool{}
	src, out := d.src, got.src
	for _, e := range edits {
		if e.key != "" {
			touched[e.key] = true
			v, ok := got.Front.Get(e.key)
			if ok != (e.want != nil) || ok && v != *e.want {
				t.Fatalf("%q is %q, not %v", e.key, v, e.want)
			}
		}
	}
	first, last := edits[0].Span.Start, edits[len(edits)-1].Span.End
	if !bytes.HasPrefix(out, src[:first]) || !bytes.HasSuffix(out, src[last:]) {
		t.Fatalf("bytes outside the edits changed:\n%q\n%q", src, out)
	}
	var before, after []string
	for _, f := range d.Front.Fields {
		if !touched[f.Key] {
			before = append(before, f.Key+"="+f.Value)
		}
	}
	for _, f := range got.Front.Fields {
		if !touched[f.Key] {
			after = append(after, f.Key+"="+f.Value)
		}
	}
	if strings.Join(before, "\n") != strings.Join(after, "\n") {
		t.Fatalf("fields changed: %q, %q\n%q\n%q", before, after, src, out)
	}
	shift := len(out) - len(src)
	if want := d.Front.Inner.End; want < first && got.Front.Inner.End != want || want >= last && edits[0].key != "" && got.Front.Inner.End != want+shift {
		t.Fatalf("the frontmatter ends elsewhere:\n%q\n%q", src, out)
	}
	want := map[int]string{}
	for _, s := range d.Sections() {
		switch {
		case s.Heading.End <= first:
			want[s.Heading.Start] = s.Title
		case s.Heading.Start >= last:
			want[s.Heading.Start+shift] = s.Title
		}
	}
	for _, s := range got.Sections() {
		delete(want, s.Heading.Start)
	}
	if len(want) > 0 {
		t.Fatalf("headings are lost: %v\n%q\n%q", want, src, out)
	}
}
