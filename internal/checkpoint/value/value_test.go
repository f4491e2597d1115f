package value

import (
	"strings"
	"testing"
)

func TestParseKeepsWhatWasWritten(t *testing.T) {
	for _, src := range []string{
		`{}`, `[]`, `null`, `{"b":1.50e3,"a":[12345678901234567890123,-0,null,true,"x"],"c":{}}`, `"ä \\ \" \n 🎉"`, `{"":{"":""}}`,
		`"\u0000\u001b\u007f\u202e"`,
	} {
		v, err := Parse([]byte(src))
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if out, err := JSON(v); err != nil || string(out) != src {
			t.Errorf("%s became %s, %v", src, out, err)
		}
	}
}

func TestParseSaysWhere(t *testing.T) {
	for src, says := range map[string]string{
		"{\"a\": 1,\n \"b\":}":              "line 2, column 6: invalid character '}'",
		"{\"ä\": x}":                        "line 1, column 7: invalid character 'x'",
		"":                                  "unexpected end of JSON input",
		"{\"a\":1,\n\"a\":2}":               "line 2, column 3: the key \"a\" stands here a second time",
		"{\"a\":\"\xff\"}":                  "line 1, column 7: this is not UTF-8",
		`{"a":"\ud800"}`:                    "half a surrogate pair",
		strings.Repeat("[", 200):            "unexpected end",
		strings.Repeat(`{"a":`, 200) + "1}": "",
		strings.Repeat("[", 200) + strings.Repeat("]", 200): "nested deeper than 100",
		"{} {}": "invalid character '{' after top-level value",
	} {
		if _, err := Parse([]byte(src)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: %v, not %q", src, err, says)
		}
	}
}

func TestPaths(t *testing.T) {
	o := Set(Object{}, "x", "a", "b")
	before := o
	o = Set(Set(o, "y", "a", "c"), "z", "d")
	if v, ok := Get(o, "a", "b"); !ok || v != "x" || len(before) != 1 {
		t.Errorf("%v, from %v", o, before)
	}
	if _, ok := Get(before, "a", "c"); ok {
		t.Error("Set changed what it was given")
	}
	top := Object{{"a", Object{{"b", "new"}}}}
	if got := Over(o, top); !Equal(got, Object{{"d", "z"}, {"a", Object{{"c", "y"}, {"b", "new"}}}}) {
		t.Errorf("%v", got)
	}
	if Equal(Object{{"a", nil}}, Object{{"b", nil}}) || Equal([]any{"a"}, Object{}) || Equal("1", nil) {
		t.Error("what differs is equal")
	}
}
