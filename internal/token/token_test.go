package token_test

import (
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"example.com/ckpt/internal/token"
)

// count returns the number of tokens of a text in the vocabulary that needs more.
func count(t testing.TB, s string) int {
	t.Helper()
	most := 0
	for _, name := range []tokenizer.Encoding{tokenizer.Cl100kBase, tokenizer.O200kBase} {
		codec, err := tokenizer.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		n, err := codec.Count(s)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, n)
	}
	return most
}

// TestEnglishMarkdown checks that an estimate is never below the count, and at most a quarter above.
func TestEnglishMarkdown(t *testing.T) {
	files := 0
	for _, pattern := range []string{"examples/*/*.md", "examples/*/*/*/*.md", "docs/*.md", "docs/commands/*.md", "*.md"} {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(src) < 1500 { // a table of contents is not English prose
				continue
			}
			files++
			got, want := token.Estimate(string(src)), count(t, string(src))
			if got < want {
				t.Errorf("%s: %d, below %d", file, got, want)
			}
			if name := filepath.Base(file); got*4 > want*5 && !slices.Contains([]string{"chk-printer-agent.md", "environment.md", "mcp.md"}, name) { // mostly code and paths
				t.Errorf("%s: %d, %.2f times %d", file, got, float64(got)/float64(want), want)
			}
		}
	}
	if files < 10 {
		t.Fatalf("%d files: the patterns find nothing", files)
	}
}

// samples has the kinds of text that a checkpoint may contain.
var samples = map[string]string{
	"nothing":     "",
	"a letter":    "x",
	"a sentence":  "The check allows for drift; it's what the provider said, isn't it?",
	"markdown":    "## Next Actions\n\n1. [ ] Write the test in `sso/check_test.go`\n2. **Tell** support → *soon*\n\n| File | Status |\n|------|--------|\n| `a/b.go` | created |\n",
	"code":        "func (r *Repo) Lock(ctx context.Context, mode disk.Mode) (func(), error) {\n\tif err != nil {\n\t\treturn nil, fmt.Errorf(\"lock %q: %w\", path, err)\n\t}\n\treturn unlock, nil\n}\n",
	"identifiers": "HTTPServer parseXMLDocument __init__ SCREAMING_SNAKE_CASE kebab-case-name f.Severity, r.Severity) useEffect",
	"japanese":    "検査はずれを許容する。プロバイダーの時計は九十秒まで進んでいることがある。テストを書いてから、サポートに伝える。",
	"chinese":     "登录失败：时钟漂移超过六十秒。下一步：编写测试并通知支持团队。",
	"korean":      "로그인이 실패합니다. 시계 오차를 허용하도록 수정했습니다.",
	"cyrillic":    "Вход не работает для пользователей SSO. Проверка допускает расхождение часов. Ёжик съел щуку.",
	"arabic":      "فشل تسجيل الدخول لمستخدمي الدخول الموحد. التحقق يسمح بانحراف الساعة.",
	"greek":       "Η σύνδεση αποτυγχάνει για τους χρήστες.",
	"hindi":       "लॉगिन विफल हो जाता है।",
	"spanish":     "La conexión falla: el reloj está desajustado, según la documentación técnica. ¡Atención! ¿Por qué?",
	"polish":      "Zażółć gęślą jaźń; sprawdź, czy wejście działa.",
	"emoji":       "Done ✅ shipped 🚀🎉 👩‍👩‍👧‍👦 🇩🇪 ⚠️ ❌ 👍🏽",
	"signs":       "a → b — c … “d” • ≥ ≤ × † ‡ ⌘ ∞ ①",
	"json":        `{"ckpt":1,"kind":"brief","parts":[{"name":"problem","text":"a \"b\"\n","tokens":12.5e-3,"ok":true,"none":null}]}`,
	"hashes":      "ebda1b3c6f0a2d9e8b7c4d5f6a1b2c3d4e5f60718 8032abe eaf17bf 0xDEADBEEF",
	"digits":      strings.Repeat("31415926535897932384626433832795", 8),
	"numbers":     "2026-01-02T10:00:00Z 1,024 3.14 10.0.0.1 v1.2.3-rc.4 50% #123",
	"spaces":      strings.Repeat(" ", 300) + "x" + strings.Repeat("\t", 70) + "y \t \t z",
	"line breaks": strings.Repeat("\n", 40) + "a\r\nb\r\n\r\n c \n \n  \n\t\n",
	"rules":       strings.Repeat("-", 90) + "\n" + strings.Repeat("=", 33) + "\n" + strings.Repeat("*", 21) + strings.Repeat("~", 19),
	"controls":    "\x00\x01\x1b[31mred\x1b[0m\x7f\u200b\u202e\ufeff\u0085",
	"not utf-8":   "\xff\xfe\x80abc\xc3(\xe2\x82",
	"markup":      `<div class="x" style="a:b;c:d">&nbsp;&amp;<!-- ]]> --></div>`,
	"urls":        "https://example.com/a/b?c=d&e=%20f#g user@example.org file:///tmp/x.txt",
	"regexps":     "^(?i:[a-z]+)\\s*$|\\d{1,3}(?!\\S) %-10s %+v ${x:-y} $(z) `w` && || !!",
	"diff":        "@@ -1,7 +1,8 @@\n-old line\n+new line\n \tcontext\n",
}

func TestNeverBelow(t *testing.T) {
	for name, text := range samples {
		if got, want := token.Estimate(text), count(t, text); got < want {
			t.Errorf("%s: %d, below %d: %q", name, got, want, text)
		}
	}
}

// TestNoise checks that the estimate of random text is not below the count either.
func TestNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := func(from string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[r.IntN(len(from))]
		}
		return string(b)
	}
	bytes := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return b
	}
	for range 300 {
		for name, text := range map[string]string{
			"base64":      base64.StdEncoding.EncodeToString(bytes(90)),
			"hex":         hex.EncodeToString(bytes(60)),
			"ASCII":       noise(" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~", 120),
			"letters":     noise("abcdefghijklmnopqrstuvwxyz", 80),
			"capitals":    noise("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 80),
			"digits":      noise("0123456789", 200),
			"punctuation": noise(" \n\t\r.,|*`-_#:()[]", 120),
			"white space": noise(" \t\n", 120),
			"bytes":       string(bytes(100)),
		} {
			if got, want := token.Estimate(text), count(t, text); got < want {
				t.Errorf("%s: %d, below %d: %q", name, got, want, text)
			}
		}
	}
}

// TestSumOfLines checks that the cost of a text is the sum of the costs of its lines.
func TestSumOfLines(t *testing.T) {
	for name, text := range samples {
		var sum token.Cost
		for line := range strings.Lines(text) {
			sum += token.Of(line)
		}
		if got := token.Of(text); got != sum {
			t.Errorf("%s: %d, its lines %d", name, got, sum)
		}
	}
}

// FuzzEstimate checks that no text has many more tokens than its estimate.
func FuzzEstimate(f *testing.F) {
	for _, text := range samples {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		if got, want := token.Estimate(text), count(t, text); got+got/4+2 < want {
			t.Errorf("%d, below %d: %q", got, want, text)
		}
	})
}

func BenchmarkEstimate(b *testing.B) {
	src, err := os.ReadFile("../../examples/active/chk-event-partitions.md")
	if err != nil {
		b.Fatal(err)
	}
	text := string(src)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		token.Estimate(text)
	}
}
