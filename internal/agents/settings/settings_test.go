package settings

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

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
	"invalid UTF-8":            "{\"a\":\"\xff\xfe\"}",
}

// blanks are files that hold nothing, or do not exist.
var blanks = map[string][]byte{
	"no file": nil, "empty file": {}, "line break": []byte("\n"), "CRLF": []byte("\r\n"), "lone CR": []byte("\r"), "BOM": []byte("\xef\xbb\xbf"), "spaces": []byte("  \n "),
}

// settingsOf are the hooks of every agent that has them in a settings file.
func settingsOf() []settings {
	var all []settings
	for _, a := range All() {
		if !a.plugin {
			all = append(all, settings{place{"", a.hooks[Project], "hooks"}, a})
		}
	}
	return all
}

func TestSettings(t *testing.T) {
	for _, s := range settingsOf() {
		for name, text := range texts {
			t.Run(s.agent.Name+"/"+name, func(t *testing.T) { roundTrip(t, s, []byte(text)) })
		}
		for name, src := range blanks {
			t.Run(s.agent.Name+"/"+name, func(t *testing.T) { roundTrip(t, s, src) })
		}
	}
}

func FuzzSettings(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, s := range settingsOf() {
			if state, _, err := s.State(src); err == nil && state == Absent {
				roundTrip(t, s, src)
			}
		}
	})
}

// roundTrip asserts all that Add and Drop promise of a file without hooks of ours.
func roundTrip(t *testing.T, s settings, src []byte) {
	t.Helper()
	added, err := s.Add(src)
	if err != nil {
		t.Fatalf("Add(%q): %v", src, err)
	}
	again, err := s.Add(added)
	if err != nil || string(again) != string(added) {
		t.Errorf("a second Add of %q: %v\n%s\n---\n%s", src, err, added, again)
	}
	back, err := s.Drop(added)
	if err != nil || string(back) != string(src) || (back == nil) != (src == nil) {
		t.Errorf("Drop(Add(%q)) = %q, %v\n%s", src, back, err, added)
	}
	others := func(text []byte) any {
		if blank(text) {
			return map[string]any{}
		}
		var v map[string]any
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\xef\xbb\xbf")), &v); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return v
	}
	if got := withoutOurs(others(added), s); !reflect.DeepEqual(got, withoutOurs(others(src), s)) {
		t.Errorf("other keys of %q have changed:\n%s", src, added)
	}
	if strings.Count(string(src), "\n") == strings.Count(string(src), "\r\n") && strings.Contains(string(src), "\n") &&
		strings.Count(string(added), "\n") != strings.Count(string(added), "\r\n") {
		t.Errorf("line ends of %q are mixed:\n%q", src, added)
	}
}

// withoutOurs is parsed JSON without our hooks and what they alone need, by a way
// that knows nothing of the text.
func withoutOurs(v any, s settings) any {
	root := v.(map[string]any)
	hooks, _ := root["hooks"].(map[string]any)
	for event, entries := range hooks {
		if all, ok := entries.([]any); ok {
			all = slices.DeleteFunc(all, func(e any) bool {
				text, _ := json.Marshal(e)
				return strings.Contains(string(text), s.agent.Mark())
			})
			if hooks[event] = all; len(all) == 0 {
				delete(hooks, event)
			}
		}
	}
	if len(hooks) == 0 {
		delete(root, "hooks")
	}
	if len(root) == 1 && s.agent.form.version {
		delete(root, "version")
	}
	return v
}

func TestSettingsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line int
		says string
	}{
		"comment":            {"{\n  // mine\n  \"a\": 1\n}", 2, "comment"},
		"comment at the end": {"{\n  \"a\": 1\n}\n/* mine */", 4, "comment"},
		"last comma":         {"{\n  \"a\": 1,\n}", 3, "invalid character '}'"},
		"half a file":        {"{\n  \"a\": ", 2, "unexpected end"},
		"two values":         {"{}\n{}", 2, "invalid character '{'"},
		"a list":             {"[]", 1, "a list and no object"},
		"null":               {"null", 1, "null and no object"},
		"a text":             {`"x"`, 1, "a text and no object"},
		"same key":           {"{\"a\": 1,\n\"a\": 2}", 2, `the key "a" stands here a second time`},
		"same key, escaped":  {"{\"hooks\": {},\n\"\\u0068ooks\": {}}", 2, `the key "hooks" stands here a second time`},
		"same event":         {"{\"hooks\": {\n\"Stop\": [],\n\"Stop\": []}}", 3, `the key "Stop" stands`},
		"hooks a list":       {"{\n\"hooks\": []}", 2, `"hooks" is a list and no object`},
		"hooks null":         {"{\n\"hooks\": null}", 2, `"hooks" is null and no object`},
		"event an object":    {"{\"hooks\": {\n\"Stop\": {}}}", 2, `the hooks of "Stop" are an object and no list`},
	} {
		t.Run(name, func(t *testing.T) {
			s := settingsOf()[0]
			_, err := s.Add([]byte(c.text))
			broken, ok := errors.AsType[*Broken](err)
			if !ok || broken.Line != c.line || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q at line %d", err, c.says, c.line)
			}
			if back, err := s.Drop([]byte(c.text)); err != nil || string(back) != c.text {
				t.Errorf("without a hook of ours it became %q, %v", back, err)
			}
		})
	}
	named := "{\n  // mine\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"ckpt hook claude stop\"}]}]}\n}"
	if _, err := settingsOf()[0].Drop([]byte(named)); err == nil || !strings.Contains(err.Error(), "comment") {
		t.Errorf("with a hook of ours: %v", err)
	}
}

// What others do to a file between setup and unsetup stays.
func TestSettingsEditedBetween(t *testing.T) {
	s := settingsOf()[0]
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

// A command that another version wrote, a hook of an event that there is none for any
// more, and a second one of the same event are put right; a user's own timeout stays.
func TestSettingsStale(t *testing.T) {
	s := settingsOf()[0]
	fresh, _ := s.Add([]byte("{\"a\": 1}\n"))
	old := strings.Replace(string(fresh), claude().call(protocol.Stop), "ckpt hook claude stop --old", 1)
	old = strings.Replace(old, `"timeout": 5`, `"timeout": 60`, 1)
	old = strings.Replace(old, `"SessionEnd": [`, `"Gone": [{"hooks": [{"type": "command", "command": "ckpt hook claude gone"}]}], "SessionEnd": [{"hooks": [{"type": "command", "command": "ckpt hook claude session-end", "timeout": 5}]}, `, 1)
	state, said, err := s.State([]byte(old))
	if err != nil || state != Stale || !strings.Contains(said, "Stop") || !strings.Contains(said, "Gone") || !strings.Contains(said, "twice: SessionEnd") {
		t.Errorf("%s %q %v", state, said, err)
	}
	now, err := s.Add([]byte(old))
	if want := strings.Replace(string(fresh), `"timeout": 5`, `"timeout": 60`, 1); err != nil || string(now) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, now, want)
	}
	if back, err := s.Drop([]byte(old)); err != nil || string(back) != "{\"a\": 1}\n" {
		t.Errorf("%v\n%s", err, back)
	}
}
