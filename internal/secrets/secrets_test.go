package secrets

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Tokens are concatenated here, so that no scanner finds them in this file.
var (
	token = "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
	other = "ghp_" + "0pINUxwWPw5k4aXcaT4fNP0UcnZwJUVFk6LO"
	pem   = "-----BEGIN RSA " + "PRIVATE KEY-----\n" + strings.Repeat("wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0p\n", 12) + "-----END RSA PRIVATE KEY-----\n"
)

func TestScan(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want string // rule and line of each
	}{
		"nothing":                                {"Logins fail\n", ""},
		"empty":                                  {"", ""},
		"in prose":                               {"one\ntwo " + token + " three\n", "github-pat 2"},
		"without a last line break":              {token, "github-pat 1"},
		"CRLF":                                   {"one\r\n" + token + "\r\n", "github-pat 2"},
		"two on a line":                          {token + " " + other, "github-pat 1, github-pat 1"},
		"in a table":                             {"| `a.go` | modified | " + token + " |\n", "github-pat 1"},
		"in a fence":                             {"```\nexport T=" + token + "\n```\n", "github-pat 2"},
		"over several lines":                     {"\n" + pem, "private-key 2"},
		"beside other bytes":                     {"\xff\x00\xfe" + token + "\x00", "github-pat 1"},
		"a URL, its password a word with digits": {"https://bob:my" + "password1@h.com/", "url-password 1"},
		"one behind another word":                {"postgres://app:hunter2" + "secret@db/x", "url-password 1"},
		"of eight digits":                        {"https://bob:123" + "45678@h.com", "url-password 1"},
		"a word as its password":                 {"https://bob:my-secret@h.com https://bob:password123@h.com https://bob:1234567@h.com", ""},
		"Basic, a weak password":                 {"Authorization: Basic dXNlcjpw" + "YXNzd29yZDEyMw==", "authorization-basic 1"},
		"Basic, a word":                          {"Authorization: Basic dXNlcjpwYXNzd29yZA==", ""},
		"a header without a scheme":              {"Authorization: x7Kd93mQpLz0" + "RtYvB2nWc8sJ", "authorization-bearer 1"},
		"a header, its value a word":             {"Authorization: AuthorizationHeaderValue", ""},
		"a connection string":                    {"Password=hunter2" + "secret;Server=x;User Id=sa", "connection-string 1"},
		"curl's cookie":                          {"curl -b 'sid=x7Kd93mQpLz0" + "RtYvB2nWc8sJf4' https://x", "cookie 1"},
		"curl's cookie file":                     {"curl -b ~/cookies/of-today.txt https://x", ""},
		"with our comment":                       {token + " <!-- ckpt:allow -->\n", ""},
		"with gitleaks' comment":                 {token + " // gitleaks:allow\n", ""},
		"the comment on the next line":           {token + "\nckpt:allow\n", "github-pat 1"},
		"a name and a value":                     {"api_key = \"zaCELgL.0imfnc8mVLWwsAawjYr4Rx-Af50\"\n", "generic-api-key 1"},
		"a name, and nothing random":             {"api_key = \"my-old-password\"\n", ""},
		"a Kelvin sign in the keyword":           {"api_\u212aey = \"zaCELgL.0imfnc8mVLWwsAawjYr4Rx-Af50\"\n", "generic-api-key 1"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := places((&Scanner{}).Scan("note.md", tc.text)); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestAllow(t *testing.T) {
	text := token + "\nAKIA" + "Z7QXK4NQ3LTM2VBD\n"
	for want, allow := range map[string]Allow{
		"github-pat 1, aws-access-token 2": {Values: []string{"^EXAMPLE"}},
		"aws-access-token 2":               {Rules: []string{"github-pat", "no-such-rule"}},
		"github-pat 1":                     {Values: []string{"^AKIA", "^x$"}},
		"":                                 {Rules: []string{"aws-access-token"}, Values: []string{"^ghp_w"}},
	} {
		if got := places((&Scanner{Allow: allow}).Scan("note.md", text)); got != want {
			t.Errorf("%+v: got %q, want %q", allow, got, want)
		}
	}
}

func TestAdded(t *testing.T) {
	lines := "a\nb\nc\nd\ne\nf\ng\nh\ni\n"
	for name, tc := range map[string]struct {
		before []string
		text   string
		want   string
	}{
		"a new file":                     {nil, "a\n" + token, "github-pat 2"},
		"an old secret":                  {[]string{token + "\n"}, token + "\nnew\n", ""},
		"an old one, its line changed":   {[]string{"- " + token + "\n"}, "1. " + token + " → done\n", ""},
		"an old one, moved":              {[]string{"", "x\n" + token + "\n"}, token + "\n", ""},
		"an old one, again":              {[]string{token + "\n" + lines}, token + "\n" + lines + token + "\n", "github-pat 11"},
		"an old one, twice in a line":    {[]string{token + "\n"}, token + " " + token + "\n", "github-pat 1, github-pat 1"},
		"a new one beside an old one":    {[]string{token + "\n"}, token + "\n" + other + "\n", "github-pat 2"},
		"a new one on the old one's":     {[]string{token + "\n"}, token + " " + other + "\n", "github-pat 1"},
		"far behind":                     {[]string{lines}, lines + "new\n" + lines + token, "github-pat 20"},
		"in the middle":                  {[]string{lines}, "a\nb\nc\nd\n" + token + "\ne\nf\ng\nh\ni\n", "github-pat 5"},
		"only the line ends are new":     {[]string{"a\n" + token + "\n"}, "a\r\n" + token + "\r\n", ""},
		"the name is old, the value new": {[]string{"api_key:\nx\n"}, "api_key:\n  zaCELgL.0imfnc8mVLWwsAawjYr4Rx-Af50\nx\n", "generic-api-key 2"},
		"a key, line after line":         {[]string{"\n" + lines}, lines + pem, "private-key 10"},
		"a key whose first line is old":  {[]string{strings.SplitAfter(pem, "\n")[0]}, "x\n" + pem, "private-key 2"},
		"removed":                        {[]string{token + "\n"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := places((&Scanner{}).Added("note.md", tc.text, tc.before...)); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestParts checks that a secret is found once wherever it is in a large text, of many lines or of one.
func TestParts(t *testing.T) {
	for name, filling := range map[string]string{"lines": quiet, "one line": strings.TrimSpace(quiet), "no word at all": strings.Repeat("\n", 97)} {
		filling = strings.Repeat(filling, 2*partSize/len(filling)+1)
		for at := partSize - overlap - 200; at < partSize+overlap+200; at += 97 {
			text := filling[:at] + " " + token + " " + filling[at:]
			found := (&Scanner{}).Scan("note.md", text)
			if len(found) != 1 || text[found[0].Start:found[0].Stop] != token || found[0].Line != 1+strings.Count(filling[:at], "\n") {
				t.Fatalf("%s, at %d: %+v", name, at, found)
			}
		}
	}
	if n := len((&Scanner{}).Scan("note.md", strings.Repeat(token+" ", 5000))); n != most {
		t.Errorf("%d findings", n)
	}
	at := 0
	for start, stop := range parts(strings.Repeat("x", 1<<20)) {
		if start > at || stop <= at {
			t.Fatalf("from %d to %d, after %d", start, stop, at)
		}
		at = stop
	}
	if at != 1<<20 {
		t.Errorf("the parts end at %d", at)
	}
}

// TestNoFalseAlarm checks that common texts of a checkpoint have no finding.
func TestNoFalseAlarm(t *testing.T) {
	for _, text := range []string{
		"---\ncheckpoint: chk-auth\ncreated: 2026-01-02T10:00:00Z\nanchor: main@651088b\nbase: 651088bede3084962e5bc46cc5ab5a0fcd9ad5fc\nparent: chk-auth-key\nsession: 0f4e2c9a-6b7d-4e1f-9a8b-1c2d3e4f5a6b\n---\n",
		"| `internal/auth/token.go` | modified | the access token, since 651088bede3084962e5bc46cc5ab5a0fcd9ad5fc |\n",
		"- **Keep the API key in the vault**: `VAULT_TOKEN` is read at start, never written\n",
		"1. Set `API_KEY=$API_KEY` and `secret: ${{ secrets.GITHUB_TOKEN }}` in the workflow\n",
		"- breadcrumb: file `auth/key.go:120` → hint: token refresh\n- session-abc-003, chk-2026-01-02-key-rotation\n",
		"sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 auth.tar.gz\n",
		"imported: ../shop/chk-auth-token.md sha256:9f86d081884c7d652a3b\n",
		"<!-- imported: api-key/LEARNINGS.md sha256:9f86d081884c7d652a3b -->\n",
		"The tokens_used: 182344, progress: 60, key: chk-auth, password: (asked for), secret = none\n",
	} {
		if got := places((&Scanner{}).Scan("note.md", text)); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
	for _, pattern := range []string{"../../examples/*.md", "../../examples/*/*.md", "../../checkpoints/*/*.md", "../../docs/*.md", "../../docs/commands/*.md"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := places((&Scanner{}).Scan("note.md", string(src))); got != "" {
				t.Errorf("%s: %s", file, got)
			}
		}
	}
}

// TestNothingToCompile checks that for a text without keywords no expression is compiled.
func TestNothingToCompile(t *testing.T) {
	finder := newWordFinder()
	if has := finder.in(lowered(strings.Repeat(quiet, 100))); len(has) > 0 {
		t.Errorf("the text has the keywords %v", has)
	}
	has, n := finder.in(lowered(token)), 0
	for _, r := range rules {
		if slices.ContainsFunc(r.words, func(w string) bool { return has[w] }) {
			n++
		}
	}
	if n == 0 || n > 3 {
		t.Errorf("%d rules look at one token", n)
	}
}

func FuzzLook(f *testing.F) {
	f.Add(quiet)
	f.Add("The API-KEY of AKIA and \xff gho")
	finder := newWordFinder()
	f.Fuzz(func(t *testing.T, text string) {
		lower := lowered(text)
		found := finder.in(lower)
		for _, word := range finder.words {
			if want := strings.Contains(lower, word); found[word] != want {
				t.Errorf("%q: %v, want %v", word, found[word], want)
			}
		}
	})
}

func FuzzAdded(f *testing.F) {
	f.Add("a\nb\n", "a\n"+token+"\nb\n")
	f.Add(pem, "x\n\n"+pem+other)
	f.Add("", alike+"\r\n\x00"+token)
	s := &Scanner{}
	f.Fuzz(func(t *testing.T, before, text string) {
		whole := s.Scan("note.md", text)
		for _, found := range whole {
			if found.Start >= found.Stop || found.Stop > len(text) || found.Line != 1+strings.Count(text[:found.Start], "\n") {
				t.Fatalf("%+v in %d bytes", found, len(text))
			}
		}
		if got := s.Added("note.md", text); !slices.Equal(got, whole) {
			t.Errorf("in a new file %v, alone %v", got, whole)
		}
		if got := s.Added("note.md", text, text); len(got) > 0 {
			t.Errorf("nothing was added, and there is %v", got)
		}
		for _, found := range s.Added("note.md", text, before) {
			if value := text[found.Start:found.Stop]; strings.Count(before, value) >= strings.Count(text, value) || found.Line != 1+strings.Count(text[:found.Start], "\n") {
				t.Errorf("%+v: %q", found, value)
			}
		}
	})
}

func places(all []Finding) string {
	var list []string
	for _, f := range all {
		list = append(list, fmt.Sprintf("%s %d", f.Rule, f.Line))
	}
	return strings.Join(list, ", ")
}
