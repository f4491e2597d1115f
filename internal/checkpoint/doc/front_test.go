package doc_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

func TestFrontmatter(t *testing.T) {
	for name, tc := range map[string]struct{ src, want string }{
		"plain":                     {"---\na: b\nc: d e\n---\n", "a=b@2 c=d e@3"},
		"none":                      {"# T\n", ""},
		"empty file":                {"", ""},
		"empty":                     {"---\n---\n", ""},
		"only it":                   {"---\na: b\n---", "a=b@2"},
		"comments and blank lines":  {"---\n# x\na: b # y\n\nc: d\n---\n", "a=b@3 c=d@5"},
		"quotes":                    {"---\na: \"x: \\\"y\\\" # z\"\nb: 'it''s'\n---\n", `a=x: "y" # z@2 b=it's@3`},
		"a fence in quotes":         {"---\na: \"x --- y\"\nb: ' ---'\n---\n", "a=x --- y@2 b= ---@3"},
		"lists and mappings":        {"---\na: [1, 2]\nb: {c: d}\ne:\n  - f\n---\n", "a=[1, 2]@2 b={c: d}@3 e=- f@4"},
		"values over several lines": {"---\na: one\n  two\nb: \"x\n\n  y\"\nc: |\n  p\n  q\nd: >-\n  r\n  s\n---\n", "a=one two@2 b=x\ny@4 c=p\nq\n@7 d=r s@10"},
		"an anchor and its alias":   {"---\na: &x v\nb: *x\n---\n", "a=v@2 b=v@3"},
		"nothing":                   {"---\na:\nb: ~\nc: null\n---\n", "a=@2 b=@3 c=@4"},
		"no strings":                {"---\na: 1\nb: true\nc: 2026-01-01\nd: 0x10\n---\n", "a=1@2 b=true@3 c=2026-01-01@4 d=0x10@5"},
		"quoted keys":               {"---\n\"a\": b\n'c d': e\n---\n", "a=b@2 c d=e@3"},
		"all in braces":             {"---\n{a: b, c: d}\n---\n", "a=b@2 c=d@2"},
		"one in braces":             {"---\n{a: b}\n---\n", "a=b@2"},
		"CRLF":                      {"---\r\na: b\r\nc: 'd'\r\n---\r\n", "a=b@2 c=d@3"},
		"mixed line endings":        {"---\na: b\r\nc: d\n---\r\n", "a=b@2 c=d@3"},
		"BOM":                       {"\xef\xbb\xbf---\na: b\n---\n", "a=b@2"},
		"fences with spaces":        {"--- \na: b\n---\t\n", "a=b@2"},
		"umlauts":                   {"---\na: 'ä' # ö\nb: ü\n---\n", "a=ä@2 b=ü@3"},
		"YAML's own line breaks":    {"---\na: \"x\u2028y\"\nb: c\n---\n", "a=x\u2028y@2 b=c@3"},
		"not at the head":           {"\n---\na: b\n---\n", ""},
		"another rule":              {"----\na: b\n---\n", ""},
		"never closed":              {"---\na: b\n", "invalid: line 1: frontmatter opens with --- and never closes"},
		"a key twice":               {"---\na: b\nc: d\na: e\n---\n", "invalid: line 4: duplicate key \"a\" (first on line 2)"},
		"not YAML":                  {"---\na: b\nc: [d\n---\n", "invalid: frontmatter is not YAML: line 3: did not find expected ',' or ']'"},
		"a tab":                     {"---\na: b\n\tc: d\n---\n", "invalid: frontmatter is not YAML: line 3: found a tab character that violates indentation"},
		"a list":                    {"---\n- a\n---\n", "invalid: line 2: frontmatter is not a list of `key: value`"},
		"a text":                    {"---\nabc\n---\n", "invalid: line 2: frontmatter is not a list of `key: value`"},
		"two documents":             {"---\na: b\n...\nc: d\n---\n", "invalid: frontmatter is not YAML: more than one document"},
		"not UTF-8":                 {"---\na: \xff\n---\n", "invalid: frontmatter is not YAML: not UTF-8"},
		"NUL":                       {"---\na: \x00\n---\n", "invalid: frontmatter is not YAML: control characters are not allowed"},
		"carriage returns alone":    {"---\ra: b\r---\r", "invalid: line 1: lines end in a carriage return alone"},
		"an unknown alias":          {"---\na: *x\n---\n", "invalid: frontmatter is not YAML: unknown anchor 'x' referenced"},
		"100,000 brackets":          {hostile["brackets in frontmatter"], "invalid: frontmatter nests too many brackets"},
		"9,999 braces":              {hostile["braces in frontmatter"], "invalid: frontmatter is not YAML: line 2: did not find expected node content"},
		"an alias to itself":        {"---\na: &x [*x]\n---\n", "a=&x [*x]@2"},
		"larger than a header":      {"---\na: " + strings.Repeat("x", 300_000) + "\n---\n", "invalid: frontmatter larger than 256 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := doc.Parse([]byte(tc.src))
			if err != nil {
				equal(t, fault.KindOf(err).String()+": "+err.Error(), tc.want)
				return
			}
			var got []string
			for _, f := range d.Front.Fields {
				got = append(got, fmt.Sprintf("%s=%s@%d", f.Key, f.Value, f.Line))
			}
			equal(t, strings.Join(got, " "), tc.want)
			equal(t, string(d.Bytes()), tc.src)
		})
	}
}

func TestSetField(t *testing.T) {
	for name, tc := range map[string]struct{ before, key, value, after string }{
		"plain":                   {"a: b\nc: d\n", "a", "x", "a: x\nc: d\n"},
		"odd spacing":             {"a:   b  \nc: d\n", "a", "x", "a:   x  \nc: d\n"},
		"with a comment":          {"a: b # why\n", "a", "x", "a: x # why\n"},
		"in quotes":               {"a: \"b\" # why\nc: 'd'\n", "a", "x", "a: x # why\nc: 'd'\n"},
		"in quotes alone":         {"a: \"b: ü\"\nc: 'd'\n", "c", "x", "a: \"b: ü\"\nc: x\n"},
		"in quotes, first":        {"a: \"b: ü\"\nc: 'd'\n", "a", "x", "a: x\nc: 'd'\n"},
		"quotes where needed":     {"a: b\n", "a", "x: #y", "a: \"x: #y\"\n"},
		"a value that is missing": {"a: # why\nb:\n", "a", "x", "a: x # why\nb:\n"},
		"missing, no comment":     {"a:\nb: c\n", "a", "x", "a: x\nb: c\n"},
		"null":                    {"a: ~ # why\n", "a", "x", "a: x # why\n"},
		"over two lines":          {"a: one\n  two\n# c\nb: c\n", "a", "x", "a: x\n# c\nb: c\n"},
		"a quoted block":          {"a: \"one\n  two\"\nb: c\n", "a", "x", "a: x\nb: c\n"},
		"a literal block":         {"a: |\n  one\n\n  two\nb: c\n", "a", "x", "a: x\nb: c\n"},
		"a list":                  {"a:\n  - 1\n  - 2\n\nb: c\n", "a", "x", "a: x\n\nb: c\n"},
		"a flow list":             {"a: [1,\n  2] # y\nb: c\n", "a", "x", "a: x\nb: c\n"},
		"an alias":                {"a: &x v\nb: *x\n", "b", "w", "a: &x v\nb: w\n"},
		"a tag":                   {"a: !!str b\n", "a", "x", "a: x\n"},
		"a quoted key":            {"\"a\": b\n", "a", "x", "\"a\": x\n"},
		"umlauts before it":       {"ä: 'ö' # ü\n", "ä", "x", "ä: x # ü\n"},
		"new, at the top":         {"b: c\n", "a", "x", "a: x\nb: c\n"},
		"new, behind another":     {"# t\nfirst: 1\n# c\nb: c\n", "a", "x", "# t\nfirst: 1\na: x\n# c\nb: c\n"},
		"new, behind a block":     {"first: |\n  x\n\n# c\nb: c\n", "a", "x", "first: |\n  x\na: x\n\n# c\nb: c\n"},
		"new in an empty one":     {"", "a", "x", "a: x\n"},
		"of two lines":            {"a: b\n", "a", "x\n---\ny", "a: \"x\\n---\\ny\"\n"},
		"nothing":                 {"a: b\n", "a", "", "a: \"\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n"} {
				in := strings.NewReplacer("\n", eol)
				d := parse(t, in.Replace("---\n"+tc.before+"---\n## A\n"))
				got, err := d.Apply(d.SetField(tc.key, tc.value, "first"))
				if err != nil {
					t.Fatal(err)
				}
				equal(t, string(got.Bytes()), in.Replace("---\n"+tc.after+"---\n## A\n"))
			}
		})
	}
}

func TestSetFieldRefuses(t *testing.T) {
	for name, src := range map[string]string{
		"what others refer to":  "---\na: &x v\nb: *x\n---\n",
		"frontmatter in braces": "---\n{a: b}\n---\n",
		"no frontmatter":        "# T\n",
		"a merge of mappings":   "---\na: &x {k: v}\nb:\n  <<: *x\n---\n",
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, src)
			if got, err := d.Apply(d.SetField("a", "x")); fault.KindOf(err) != fault.Invalid || got != nil {
				t.Errorf("%v %q", err, got.Bytes())
			}
		})
	}
}

func TestDropField(t *testing.T) {
	for name, tc := range map[string]struct{ before, after string }{
		"plain":            {"x: 1\na: b\nc: d\n", "x: 1\nc: d\n"},
		"its comment":      {"# of a\na: b # too\n\n# of c\nc: d\n", "# of a\n\n# of c\nc: d\n"},
		"a block":          {"a: |\n  one\n\n  two\nc: d\n", "c: d\n"},
		"a list":           {"a:\n- 1\n- 2\nc: d\n", "c: d\n"},
		"the last":         {"a: b\n", ""},
		"the last of more": {"x: y\na:\n  b: c\n", "x: y\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, "---\n"+tc.before+"---\nbody")
			e, ok := d.DropField("a")
			got, err := d.Apply(e)
			if err != nil || !ok {
				t.Fatal(err)
			}
			equal(t, string(got.Bytes()), "---\n"+tc.after+"---\nbody")
		})
	}
	if _, ok := parse(t, "---\na: b\n---\n").DropField("b"); ok {
		t.Error("dropped a key that is not there")
	}
}

func TestScalar(t *testing.T) {
	for s, want := range map[string]string{
		"abc": "abc", "a b": "a b", "2026-01-01T00:00:00Z": "2026-01-01T00:00:00Z", "a/b.go": "a/b.go", "a:b": "a:b", "(x)": "(x)",
		"": `""`, "a: b": `"a: b"`, "a #b": `"a #b"`, "a:": `"a:"`, "null": `"null"`, "- a": `"- a"`, "*a": `"*a"`, " a": `" a"`, "a\nb": `"a\nb"`, "a\tb": `"a\tb"`,
		`say "x\y"`: `say "x\y"`, `"x"`: `"\"x\""`, "ä": `"ä"`, "🙂": `"🙂"`, "\x00": `"\x00"`, "\u2028": `"\u2028"`, "\uffff": `"\uffff"`, "[x]": `"[x]"`,
	} {
		equal(t, doc.Scalar(s), want)
	}
}

func parse(tb testing.TB, src string) *doc.Doc {
	tb.Helper()
	d, err := doc.Parse([]byte(src))
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func equal(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestFrontSpan(t *testing.T) {
	for name, tc := range map[string]struct {
		src, all, inner string
		ok              bool
	}{
		"none":                 {src: "# a\n"},
		"empty":                {src: ""},
		"a rule":               {src: "---\n\ntext\n"},
		"fields":               {src: "---\na: 1\n---\nb\n", all: "---\na: 1\n---\n", inner: "a: 1\n", ok: true},
		"nothing in it":        {src: "---\n---\n", all: "---\n---\n", ok: true},
		"not YAML":             {src: "--- \n{\n---\n", all: "--- \n{\n---\n", inner: "{\n", ok: true},
		"the first fence":      {src: "---\na\n---\n---\n", all: "---\na\n---\n", inner: "a\n", ok: true},
		"a byte order mark":    {src: "\ufeff---\na\n---", all: "---\na\n---", inner: "a\n", ok: true},
		"carriage returns":     {src: "---\r\na\r\n---\r\n", all: "---\r\na\r\n---\r\n", inner: "a\r\n", ok: true},
		"indented is no fence": {src: "---\na: |\n  ---\n---\n", all: "---\na: |\n  ---\n---\n", inner: "a: |\n  ---\n", ok: true},
	} {
		t.Run(name, func(t *testing.T) {
			all, inner, ok := doc.FrontSpan([]byte(tc.src))
			if got := tc.src[all.Start:all.End]; got != tc.all || ok != tc.ok {
				t.Errorf("%q, %v", got, ok)
			}
			if got := tc.src[inner.Start:inner.End]; got != tc.inner {
				t.Errorf("between the fences %q", got)
			}
		})
	}
}
