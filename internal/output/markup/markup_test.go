package markup

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
)

func TestInline(t *testing.T) {
	links := Page{Link: func(target string) string {
		switch {
		case target == "chk-a" || target == "docs/chk-a.md":
			return "chk-a.html"
		case strings.HasPrefix(target, "https://"):
			return target
		}
		return ""
	}}
	for _, tc := range []struct{ text, want string }{
		{"", ""},
		{"a `b` **c** ~~d~~", `a <code>b</code> <strong>c</strong> <em class="struck">d</em>`},
		{"**bold `code` <b>**", "<strong>bold <code>code</code> &lt;b&gt;</strong>"},
		{"2 * 3 ** 4 ` ~ [", "2 * 3 ** 4 ` ~ ["},
		{"see chk-a.", `see <a href="chk-a.html">chk-a</a>.`},
		{"`chk-a`, my-chk-a, chk-ab", `<code><a href="chk-a.html">chk-a</a></code>, my-chk-a, chk-ab`},
		{"[the **first**](docs/chk-a.md)", `<a href="chk-a.html">the <strong>first</strong></a>`},
		{"[x](javascript:a) [y](other.md) [z]", "[x](javascript:a) [y](other.md) [z]"},
		{"(https://example.com/a?b&c).", `(<a href="https://example.com/a?b&amp;c">https://example.com/a?b&amp;c</a>).`},
		{`[x](https://e.com/"onclick="y)`, `<a href="https://e.com/%22onclick=%22y">x</a>`},
		{"[chk-a](https://e.com)", `<a href="https://e.com">chk-a</a>`},
		{"chk-a_b https://e.com/a_b_c &lt;b> \\*a\\* &#27;]&#8238;", `chk-a_b <a href="https://e.com/a_b_c">https://e.com/a_b_c</a> &lt;b&gt; *a* ]`},
		{"[![a](https://e.com/b.png)](no.md) [![a](x.png)](chk-a)", `[![a](https://e.com/b.png)](no.md) <a href="chk-a.html">![a](x.png)</a>`},
		{"https://e.com/a& <https://e.com>", `<a href="https://e.com/a&amp;">https://e.com/a&amp;</a> &lt;<a href="https://e.com">https://e.com</a>&gt;`},
		{"![a](https://e.com/b.png) ![c](d.png)", `!<a href="https://e.com/b.png">a</a> ![c](d.png)`},
		{"1. a\n# b\n`c\nd`", "1. a\n# b\n<code>c d</code>"},
		{"[x](https://e.com/\x1b[2J)", `<a href="https://e.com/">x</a>`},
	} {
		if got := links.Inline(tc.text); got != tc.want {
			t.Errorf("%q:\n got %s\nwant %s", tc.text, got, tc.want)
		}
		if got := (Page{}).Inline(tc.text); strings.Contains(got, "<a ") {
			t.Errorf("%q has a link without a function for links: %s", tc.text, got)
		}
	}
}

func TestCheckpoint(t *testing.T) {
	c, err := checkpoint.Parse("active/a.md", []byte("---\ncheckpoint: a\nparent: <b>\n---\nAbove.\n\n# One\n\n> quote\n\n## Two\n\n"+
		"1. first\n2. second\n   - nested\n\n```go\n<x>\n```\n\n<!-- hidden -->\n\nbefore\n| a | b |\n|-|-|\n| `c` | d |\n"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `<dl><dt>checkpoint</dt><dd>a</dd><dt>parent</dt><dd>&lt;b&gt;</dd></dl>
<p>Above.</p>
<h2 id="s1">One</h2>
<blockquote>
<p>quote</p>
</blockquote>
<h3 id="s2">Two</h3>
<ol>
<li>first</li>
<li>second
<ul>
<li>nested</li>
</ul>
</li>
</ol>
<pre><code class="language-go">&lt;x&gt;
</code></pre>
<p>before</p>
<table>
<tr><th>a</th><th>b</th></tr>
<tr><td><code>c</code></td><td>d</td></tr>
</table>
`
	if got := (Page{}).Checkpoint(c); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
