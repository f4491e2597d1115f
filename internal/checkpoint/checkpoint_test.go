package checkpoint_test

import (
	"errors"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
)

func TestParseTime(t *testing.T) {
	for s, want := range map[string]string{
		"2026-01-02T10:00:00Z":           "2026-01-02T10:00:00Z",
		"2026-01-02t10:00:00z":           "2026-01-02T10:00:00Z",
		"2026-01-02T10:00:00.123456789Z": "2026-01-02T10:00:00Z",
		"2026-01-02T10:00:00,5Z":         "2026-01-02T10:00:00Z",
		"2026-01-02T12:00:00+02:00":      "2026-01-02T10:00:00Z",
		"2026-01-02T12:00:00+0200":       "2026-01-02T10:00:00Z",
		"2026-01-02T12:00:00+02":         "2026-01-02T10:00:00Z",
		"2026-01-02T04:30-05:30":         "2026-01-02T10:00:00Z",
		"2026-01-02T10:00:00":            "2026-01-02T10:00:00Z",
		"2026-01-02T10:00:00.5":          "2026-01-02T10:00:00Z",
		"2026-01-02T10:00":               "2026-01-02T10:00:00Z",
		"2026-01-02T10Z":                 "2026-01-02T10:00:00Z",
		"2026-01-02 10:00":               "2026-01-02T10:00:00Z",
		"2026-01-02 10:00:00":            "2026-01-02T10:00:00Z",
		"2026-01-02 12:00:00 +0200":      "2026-01-02T10:00:00Z",
		"2026-01-02 12:00:00 +02:00":     "2026-01-02T10:00:00Z",
		"2026-01-02 10:00:00 UTC":        "2026-01-02T10:00:00Z",
		"2026-01-02 10:00 gmt":           "2026-01-02T10:00:00Z",
		" 2026-01-02 ":                   "2026-01-02T00:00:00Z",
		"20260102T100000Z":               "2026-01-02T10:00:00Z",
		"20260102T1000":                  "2026-01-02T10:00:00Z",
		"20260102":                       "2026-01-02T00:00:00Z",
		"2026-002":                       "2026-01-02T00:00:00Z",
		"2026-01":                        "2026-01-01T00:00:00Z",
		"2026-01-02 10:00:00 EST":        "", // whose?
		"2026-W01-5":                     "2026-01-02T00:00:00Z",
		"2026w015T1000z":                 "2026-01-02T10:00:00Z",
		"2025-W01-1":                     "2024-12-30T00:00:00Z",
		"2026-W54-1":                     "",
		"2026-W00-1":                     "",
		"2026-W01-0":                     "",
		"2026002":                        "2026-01-02T00:00:00Z",
		"2026-002T10:00Z":                "2026-01-02T10:00:00Z",
		"20260102 10:00":                 "2026-01-02T10:00:00Z",
		"2026-01-01T24:00:00Z":           "2026-01-02T00:00:00Z",
		"2026-01-01T24:00":               "2026-01-02T00:00:00Z",
		"20260101T240000+0200":           "2026-01-01T22:00:00Z",
		"2026-01-01T24:00:01Z":           "",
		"2026":                           "", // neither a day nor a time
		"2026-W01":                       "",
		"2026-01T10:00":                  "",
		"2026-13-01":                     "",
		"2026-02-30":                     "",
		"10:00":                          "",
		"yesterday":                      "",
		"":                               "",
		"2026-01-02T10:00:00Z tail":      "",
	} {
		got := ""
		if at, ok := checkpoint.ParseTime(s); ok {
			got = checkpoint.FormatTime(at)
		}
		if got != want {
			t.Errorf("ParseTime(%q) is %q, not %q", s, got, want)
		}
	}
}

func TestCheckID(t *testing.T) {
	for id, ok := range map[string]bool{
		"chk-001": true, "session-abc-003": true, "a": true, "A.b_c-d": true, "0": true, strings.Repeat("a", 100): true,
		"": false, "-a": false, ".a": false, "_a": false, "a b": false, "a/b": false, "a..b": false, "a.md": false, "a.MD": false, "a.lock": false,
		"é": false, "a\n": false, "@": false, strings.Repeat("a", 101): false,
	} {
		if err := checkpoint.CheckID(id); (err == nil) != ok {
			t.Errorf("CheckID(%q): %v", id, err)
		}
	}
}

func TestIDFor(t *testing.T) {
	for name, want := range map[string]string{
		"auth": "chk-auth", "chk-auth": "chk-auth", "Fix the login": "chk-fix-the-login", "v1.2": "chk-v1.2", " a  b ": "chk-a-b", "Auth": "chk-Auth",
		"Fix: it (now)!": "chk-fix-it-now", "a_b": "chk-a_b", "--x--": "chk-x", "chk-": "", "": "", "!!": "", "日本": "", "a/b": "", `a\b`: "", "../a": "", "notes.md": "",
		strings.Repeat("a", 101): "",
	} {
		got, err := checkpoint.IDFor(name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("IDFor(%q) is %q, %v; not %q", name, got, err, want)
		}
		if err != nil && (fault.KindOf(err) != fault.Usage || fault.HintOf(err) == "") {
			t.Errorf("IDFor(%q): %v lacks kind or hint", name, err)
		}
	}
}

func TestParse(t *testing.T) {
	for name, tc := range map[string]struct{ path, src, want string }{
		"a checkpoint":              {"active/x.md", head, "chk-a"},
		"an id of another form":     {"active/x.md", "---\ncheckpoint: session-abc-003\n---\n", "session-abc-003"},
		"a quoted id":               {"active/x.md", "---\ncheckpoint: 'a' # x\n---\n", "a"},
		"a fence in a value":        {"active/x.md", "---\nanchor: \"a --- b\"\ncheckpoint: a\n---\n", "a"},
		"another Markdown file":     {"active/notes.md", "# Notes\n", "other"},
		"an empty file":             {"active/notes.md", "", "other"},
		"an empty file by its name": {"active/chk-x.md", "", "invalid"},
		"without id, with created":  {"active/notes.md", "---\ncreated: 2026-01-01\n---\n", "invalid"},
		"without id, by its body":   {"active/notes.md", "## Decisions\n", "invalid"},
		"below a blank line":        {"active/notes.md", "\n" + head, "invalid"},
		"in UTF-16":                 {"active/x.md", "\xff\xfe-\x00-\x00-\x00\n\x00", "invalid"},
		"an empty id":               {"active/x.md", "---\ncheckpoint:\n---\n", "invalid"},
		"an id that is a path":      {"active/x.md", "---\ncheckpoint: a/b\n---\n", "invalid"},
		"an id that is a list":      {"active/x.md", "---\ncheckpoint: [a]\n---\n", "invalid"},
		"the id twice":              {"active/x.md", "---\ncheckpoint: a\ncheckpoint: b\n---\n", "invalid"},
		"frontmatter never closed":  {"active/x.md", "---\ncheckpoint: a\n", "invalid"},
		"carriage returns alone":    {"active/x.md", "---\rcheckpoint: a\r---\r", "invalid"},
		"two documents":             {"active/x.md", "---\na: b\n...\ncheckpoint: a\n---\n", "invalid"},
		"NUL in frontmatter":        {"active/x.md", "---\ncheckpoint: a\nb: \x00\n---\n", "invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := checkpoint.Parse(tc.path, []byte(tc.src))
			switch {
			case errors.Is(err, checkpoint.ErrOther):
				equal(t, "other", tc.want)
			case err != nil:
				equal(t, fault.KindOf(err).String(), tc.want)
			default:
				equal(t, c.ID, tc.want)
			}
		})
	}
}
