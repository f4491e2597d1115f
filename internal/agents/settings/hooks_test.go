package settings

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"example.com/ckpt/internal/agents/protocol"
)

// texts are settings files as people have them.
var texts = map[string]string{
	"empty object":             "{}",
	"empty object, line break": "{}\n",
	"empty object, spread":     "{\n}\n",
	"empty object, space":      "{ }\n",
	"empty object, CRLF":       "{\r\n}\r\n",
	"empty object, lone CR":    "{\r}",
	"two spaces":               "{\n  \"model\": \"opus\",\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls:*)\"\n    ]\n  }\n}\n",
	"four spaces":              "{\n    \"model\": \"opus\",\n    \"env\": {\n        \"A\": \"1\"\n    }\n}\n",
	"tabs":                     "{\n\t\"model\": \"opus\"\n}\n",
	"no indent":                "{\n\"model\": \"opus\"\n}\n",
	"no last line break":       "{\n  \"model\": \"opus\"\n}",
	"CRLF":                     "{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"BOM":                      "\xef\xbb\xbf{\n  \"model\": \"opus\"\n}\n",
	"BOM, empty object":        "\xef\xbb\xbf{}\n",
	"one line":                 `{"model":"opus","n":[1,2]}`,
	"one line with spaces":     `{ "model": "opus", "n": [ 1, 2 ] }` + "\n",
	"odd spacing":              "\n\n {  \"model\"\t:\"opus\"\n , \"x\":1 }  \n\n",
	"hooks empty":              "{\n  \"hooks\": {}\n}\n",
	"hooks empty, spread":      "{\n  \"hooks\": {\n  },\n  \"model\": \"opus\"\n}\n",
	"hooks empty, one line":    `{"hooks":{}}`,
	"hooks empty, space":       `{"hooks":{ }, "a": 1}`,
	"event empty":              "{\n  \"hooks\": {\n    \"Stop\": [],\n    \"stop\": [],\n    \"sessionStart\": [ ]\n  }\n}\n",
	"event empty, one line":    `{"hooks":{"Stop":[],"SessionStart":[ ],"sessionStart":[]}}`,
	"other hooks":              "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"matcher\": \"startup\",\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"echo hi\" }\n        ]\n      }\n    ],\n    \"Notification\": [{ \"hooks\": [] }],\n    \"sessionStart\": [{ \"command\": \"./mine.sh\" }]\n  },\n  \"model\": \"opus\"\n}\n",
	"other hooks, one line":    `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}],"stop":[{"command":"true"}]}}`,
	"other things in lists":    `{"hooks":{"Stop":[null,[[]],"x"],"enabled":true,"stop":[1]}}`,
	"unicode escapes":          "{\n  \"\\u0068ooks\": {\"\\u0053top\": [\"\\u00e9\\uD83D\\uDE00\"]},\n  \"é\": \"\\\"\\\\\"\n}\n",
	"nested lists":             `{"a":[[[],[{}]],[]],"b":{"c":{"d":[{"e":[]}]}}}`,
	"version":                  "{\n  \"version\": 1\n}\n",
	"version, one line":        `{"version":1}`,
	"version and empty hooks":  `{"version":1,"hooks":{}}`,
	"hooks before version":     "{\n  \"hooks\": {},\n  \"version\": 1\n}\n",
	"empty key":                `{"":{"":[]}}`,
}

// commented are settings files with comments, and with commas after the last entry.
var commented = map[string]string{
	"comment above":          "{\n  // mine\n  \"a\": 1\n}\n",
	"comment before":         "// mine\n{\n  \"a\": 1\n}\n",
	"comment after":          "{\n  \"a\": 1\n}\n/* mine */",
	"comment at the end":     "{\n  \"a\": 1 // mine\n}\n",
	"comment below":          "{\n  \"a\": 1\n  // \"b\": 2\n}\n",
	"last comma":             "{\n  \"a\": 1,\n}\n",
	"last comma and comment": "{\n  \"a\": 1, // mine\n  // \"b\": 2,\n}\n",
	"comment, then comma":    "{\n  \"a\": 1 /* mine */,\n}\n",
	"one line":               "{\"a\": 1 /* mine */}",
	"one line, last comma":   "{\"a\": [1,2,],}",
	"only a comment":         "{\n  // nothing yet\n}\n",
	"CRLF":                   "{\r\n\t\"a\": 1, // mine\r\n\t\"b\": {}\r\n}\r\n",
	"in the hooks":           "{\n  \"hooks\": {\n    // none of mine\n  },\n  \"model\": \"x\" // fast\n}\n",
	"other hooks":            "{\n  \"hooks\": {\n    \"sessionStart\": [\n      { \"command\": \"./mine.sh\" }, // first\n    ],\n    /* second */\n    \"SessionStart\": [\n      { \"hooks\": [{ \"command\": \"./mine.sh\" }] } // last\n    ]\n  }\n}\n",
	"a string like one":      "{\n  \"url\": \"https://x.example/*y*/\" // \"\n}\n",
}

// allFiles returns texts and blank files.
func allFiles(all ...map[string]string) map[string][]byte {
	found := maps.Clone(blanks)
	for _, texts := range all {
		for name, text := range texts {
			found[name] = []byte(text)
		}
	}
	return found
}

// blanks are files that are missing or have no content.
var blanks = map[string][]byte{
	"no file": nil, "empty file": {}, "line break": []byte("\n"), "CRLF": []byte("\r\n"), "lone CR": []byte("\r"), "BOM": []byte("\xef\xbb\xbf"), "spaces": []byte("  \n "),
}

// hooksOf returns the hooks of an agent.
func hooksOf(a Agent) Piece {
	return Piece{What: HooksPiece, Path: a.settings.project, part: hooks{a}}
}

// claude returns Claude Code.
func claude() Agent { return All()[0] }

// withHooks returns every agent that has hooks in a settings file.
func withHooks() []Agent {
	return slices.DeleteFunc(All(), func(a Agent) bool { return len(a.hooks) == 0 })
}

func TestHooks(t *testing.T) {
	for _, a := range withHooks() {
		for name, src := range allFiles(texts) {
			t.Run(a.Name+"/"+name, func(t *testing.T) { hooksAndBack(t, a, src) })
		}
		if a.lenient {
			for name, text := range commented {
				t.Run(a.Name+"/commented/"+name, func(t *testing.T) { hooksAndBack(t, a, []byte(text)) })
			}
		}
	}
}

func FuzzHooks(f *testing.F) {
	for _, text := range allFiles(texts, commented) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, a := range withHooks() {
			if state, _, err := hooksOf(a).State(src); err == nil && state == Absent {
				hooksAndBack(t, a, src)
			}
		}
	})
}

// hooksAndBack asserts what Add and Drop promise for a file without hooks of ckpt.
func hooksAndBack(t *testing.T, a Agent, src []byte) {
	t.Helper()
	added := thereAndBack(t, hooksOf(a), src)
	sameLineEnds(t, src, added)
	if got := withoutHooks(decoded(t, added), a); !reflect.DeepEqual(got, withoutHooks(decoded(t, src), a)) {
		t.Errorf("other keys of %q have changed:\n%s", src, added)
	}
}

// thereAndBack adds a piece to a file that does not have it, and drops it again. It
// returns the file with the piece.
func thereAndBack(t *testing.T, p Piece, src []byte) []byte {
	t.Helper()
	added, err := p.Add(src)
	if err != nil {
		t.Fatalf("Add(%q): %v", src, err)
	}
	if again, err := p.Add(added); err != nil || string(again) != string(added) {
		t.Errorf("a second Add of %q: %v\n%s\n---\n%s", src, err, added, again)
	}
	for what, text := range map[string][]byte{"Drop(Add)": added, "Drop": src} {
		back, err := p.Drop(text)
		if err != nil || !isBack(t, back, src) {
			t.Errorf("%s of %q = %q, %v\n%s", what, src, back, err, added)
		}
	}
	return added
}

// isBack reports whether a file is as it was before. A blank file may be gone, and so may an object with only a version.
func isBack(t *testing.T, back, src []byte) bool {
	t.Helper()
	if back == nil && !isBlank(src) {
		values := decoded(t, src)
		return len(values) == 1 && values["version"] != nil
	}
	return string(back) == string(src) || back == nil
}

// sameLineEnds asserts that an edit has the line ends of the file.
func sameLineEnds(t *testing.T, src, added []byte) {
	t.Helper()
	if crlf := strings.Count(string(src), "\r\n"); crlf > 0 && strings.Count(string(src), "\n") == crlf && strings.Count(string(added), "\n") != strings.Count(string(added), "\r\n") {
		t.Errorf("line ends of %q are mixed:\n%q", src, added)
	}
}

// decoded returns the object of a file.
func decoded(t *testing.T, text []byte) map[string]any {
	t.Helper()
	v := map[string]any{}
	if isBlank(text) {
		return v
	}
	text = bytes.TrimPrefix(bytes.Clone(text), bom)
	plain, err := hujson.Standardize(text)
	if err == nil {
		text = plain
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return v
}

// withoutHooks returns an object without the hooks of ckpt and what only they need. It works
// on values, not on the text.
func withoutHooks(root map[string]any, a Agent) any {
	hooks, _ := root["hooks"].(map[string]any)
	for event, entries := range hooks {
		if all, ok := entries.([]any); ok {
			all = slices.DeleteFunc(all, func(e any) bool {
				text, _ := json.Marshal(e)
				return strings.Contains(string(text), a.Mark())
			})
			hooks[event] = all
			if len(all) == 0 {
				delete(hooks, event)
			}
		}
	}
	if len(hooks) == 0 {
		delete(root, "hooks")
	}
	if len(root) == 1 && a.form.version {
		delete(root, "version")
	}
	return root
}

func TestHooksRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		says string
	}{
		"comment":            {"{\n  // mine\n  \"a\": 1\n}", "comment"},
		"comment at the end": {"{\n  \"a\": 1\n}\n/* mine */", "comment"},
		"last comma":         {"{\n  \"a\": 1,\n}", "a comma after a last entry"},
		"half a file":        {"{\n  \"a\": ", "unexpected EOF"},
		"two values":         {"{}\n{}", "invalid character '{'"},
		"a list":             {"[]", "the file is not an object"},
		"null":               {"null", "the file is not an object"},
		"a text":             {`"x"`, "the file is not an object"},
		"same key, escaped":  {"{\"hooks\": {},\n\"\\u0068ooks\": {}}", `duplicate key "hooks"`},
		"same event":         {"{\"hooks\": {\n\"Stop\": [],\n\"Stop\": []}}", `duplicate key "Stop"`},
		"hooks a list":       {"{\n\"hooks\": []}", `"hooks" is not an object`},
		"hooks null":         {"{\n\"hooks\": null}", `"hooks" is not an object`},
		"event an object":    {"{\"hooks\": {\n\"Stop\": {}}}", `"hooks.Stop" is not a list`},
	} {
		t.Run(name, func(t *testing.T) {
			s := hooksOf(claude())
			_, err := s.Add([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
			if back, err := s.Drop([]byte(c.text)); err != nil || string(back) != c.text {
				t.Errorf("without a hook of ours it became %q, %v", back, err)
			}
		})
	}
	named := "{\n  // mine\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"ckpt hook claude stop\"}]}]}\n}"
	if _, err := hooksOf(claude()).Drop([]byte(named)); err == nil || !strings.Contains(err.Error(), "comment") {
		t.Errorf("with a hook of ours: %v", err)
	}
}

// TestHooksEditedBetween checks that edits between setup and unsetup stay.
func TestHooksEditedBetween(t *testing.T) {
	s := hooksOf(claude())
	added, err := s.Add([]byte("{\n  \"model\": \"opus\"\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(added), `"opus"`, "\"sonnet\",\n  \"env\": {}", 1)
	text = strings.Replace(text, "\"Stop\": [\n", "\"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"mine\" }] },\n", 1)
	text = strings.Replace(text, "\"timeout\": 5\n          }\n        ]", "\"timeout\": 5\n          },\n          { \"type\": \"command\", \"command\": \"mine too\" }\n        ]", 1)
	back, err := s.Drop([]byte(text))
	want := `{
  "model": "sonnet",
  "env": {},
  "hooks": {
    "SessionStart": [
      {
        "hooks": [
          { "type": "command", "command": "mine too" }
        ]
      }
    ],
    "Stop": [
      { "hooks": [{ "type": "command", "command": "mine" }] }
    ]
  }
}
`
	if err != nil || string(back) != want {
		t.Errorf("%v\n%s", err, back)
	}
}

// TestHooksStale checks that Add updates a command of another version, removes a hook of an unknown
// event and a second hook for an event, and leaves a user's timeout alone.
func TestHooksStale(t *testing.T) {
	s := hooksOf(claude())
	fresh, _ := s.Add([]byte("{\"a\": 1}\n"))
	old := strings.Replace(string(fresh), claude().call(protocol.Stop), "ckpt hook claude stop --old", 1)
	old = strings.Replace(old, `"timeout": 5`, `"timeout": 60`, 1)
	old = strings.Replace(old, `"SessionEnd": [`, `"Gone": [{"hooks": [{"type": "command", "command": "ckpt hook claude gone"}]}], "SessionEnd": [{"hooks": [{"type": "command", "command": "ckpt hook claude session-end", "timeout": 5}]}, `, 1)
	state, said, err := s.State([]byte(old))
	if err != nil || state != Stale || !strings.Contains(said, "Stop") || !strings.Contains(said, "Gone") || !strings.Contains(said, "SessionEnd") {
		t.Errorf("%s %q %v", state, said, err)
	}
	now, err := s.Add([]byte(old))
	if want := strings.Replace(string(fresh), `"timeout": 5`, `"timeout": 60`, 1); err != nil || !reflect.DeepEqual(decoded(t, now), decoded(t, []byte(want))) {
		t.Errorf("%v\n%s\nwant\n%s", err, now, want)
	}
	if back, err := s.Drop([]byte(old)); err != nil || string(back) != "{\"a\": 1}\n" {
		t.Errorf("%v\n%s", err, back)
	}
}
