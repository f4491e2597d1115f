package drift

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWhatIsAPath(t *testing.T) {
	const root = "/home/ann/shop"
	for _, test := range []struct {
		word string
		path string // "" for none
		more string // other properties: "folder", "glob"
	}{
		{word: "auth.go", path: "auth.go"},
		{word: "internal/sso/login.go", path: "internal/sso/login.go"},
		{word: "./internal/sso/login.go", path: "internal/sso/login.go"},
		{word: "internal/sso/login.go:12", path: "internal/sso/login.go"},
		{word: "internal/sso/login.go:12:5", path: "internal/sso/login.go"},
		{word: "internal/sso/login.go:12-40", path: "internal/sso/login.go"},
		{word: "internal/sso/login.go#L12", path: "internal/sso/login.go"},
		{word: "internal/sso/login.go#L12-L40", path: "internal/sso/login.go"},
		{word: "internal/sso/login.go (line 50)", path: "internal/sso/login.go"},
		{word: "src/app.ts(12,3)", path: "src/app.ts"},
		{word: "docs/guide.md#setting-up", path: "docs/guide.md"},
		{word: "auth.go:CheckToken", path: "auth.go"},
		{word: "auth.go:Store.Check()", path: "auth.go"},
		{word: "tests/test_auth.py::TestLogin::test_refused", path: "tests/test_auth.py"},
		{word: "auth.go.", path: "auth.go"},
		{word: "(auth.go),", path: "auth.go"},
		{word: "\"auth.go\"", path: "auth.go"},
		{word: "docs/examples/", path: "docs/examples", more: "folder"},
		{word: "docs/examples/delta-*.md", path: "docs/examples/delta-*.md", more: "glob"},
		{word: "app/[id]/page.tsx", path: "app/[id]/page.tsx", more: "glob"},
		{word: `agent\spool_windows.go`, path: "agent/spool_windows.go"},
		{word: "docs/mit Leerzeichen.md", path: "docs/mit Leerzeichen.md"},
		{word: "docs/日本語.md", path: "docs/日本語.md"},
		{word: ".github/workflows/ci.yml", path: ".github/workflows/ci.yml"},
		{word: ".env", path: ".env"},
		{word: "/home/ann/shop/auth.go", path: "auth.go"},

		{word: "https://example.com/a/b.go"},
		{word: "www.example.com/a.html"},
		{word: "mailto:ann@example.com"},
		{word: "arxiv:2509.13313"},
		{word: "git@example.com:shop/auth.git"},
		{word: "~/.claude/settings.json"},
		{word: "/etc/passwd"},
		{word: "/home/ann/other/auth.go"},
		{word: `C:\shop\auth.go`},
		{word: "../other/auth.go"},
		{word: "a/../../b.go"},
		{word: "$HOME/.profile"},
		{word: "@google/genai"},
		{word: "..."},
		{word: "sso.Check(token)"},
		{word: ""},
		{word: "a\nb.go"},
		{word: "a\x1b[31m.go"},
	} {
		got, ok := asPath(test.word, root)
		more := ""
		if got.folder {
			more = "folder"
		}
		if got.glob {
			more = "glob"
		}
		if ok != (test.path != "") || ok && (got.path != test.path || more != test.more) {
			t.Errorf("%q: got %+v, %v", test.word, got, ok)
		}
	}
}

func TestWhatWasMeantAsAPath(t *testing.T) {
	for word, want := range map[string]bool{
		"auth.go": true, "docs/guide.md": true, "docs/examples/": true, ".github/.gitkeep": true, "CHANGELOG.md": true,
		"v1.2": false, "e.g": false, "i.e": false, "1.5": false, "client/server": false, "and/or": false,
		"example.com/x/y": false, "github.com/ann/shop/auth.go": false, "TCP/IP": false, "24/7": false, "12.5k": false,
	} {
		got, ok := asPath(word, "/r")
		if ok && got.plausible() != want || !ok && want {
			t.Errorf("%q: %+v, plausible: %v", word, got, got.plausible())
		}
	}
}

// FuzzPath checks that the path of any word is below the root, clean and valid UTF-8.
func FuzzPath(f *testing.F) {
	for _, word := range []string{"auth.go:12", `a\b\c.go`, "../x", "/r/../x", "a//b/", "[x](y.go)", "**/*.go", "a.md#L1#L2", "((a.go))", "c:/x", "\xff/a.go"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		got, ok := asPath(word, "/r")
		if !ok {
			return
		}
		if got.path != path.Clean(got.path) || got.path == "" || path.IsAbs(got.path) || got.path == ".." || strings.HasPrefix(got.path, "../") || !utf8.ValidString(got.path) {
			t.Errorf("%q gives %q", word, got.path)
		}
		got.plausible()
	})
}
