package importing

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
)

func TestEachRow(t *testing.T) {
	for text, want := range map[string]string{
		"{\"a\":1}\n\n{\"b\":\n2}\n{}":    `1 {"a":1}; 3 {"b":` + "\n" + `2}; 5 {}`,
		"\xef\xbb\xbf{\"a\":1}\r\n{}\r\n": `1 {"a":1}; 2 {}`,
		"[\n {\"a\":1},\n\n {}\n]\n":      `2 {"a":1}; 4 {}`,
		"{} {}":                           `1 {}; 1 {}`,
		"":                                "x: it is empty",
		" \n":                             "x: it is empty",
		"[]":                              "x: it is empty",
		"{}\n\n{\"a\":":                   "1 {}; x: line 3: not JSON: unexpected EOF",
		"{}\n{\"a\":}\n":                  "1 {}; x: line 2: not JSON: invalid character '}' looking for beginning of value",
		"[{},\n]":                         "1 {}; x: line 2: not JSON: invalid character ']' looking for beginning of value",
		"[{}\n":                           `1 {}; x: line 1: not JSON: the rows end in ""`,
		"[{}]\n{}":                        `1 {}; x: line 1: not JSON: the rows end in "]\n{}"`,
		"\xff\xfea":                       "x: line 1: this is UTF-16; JSON in UTF-8 is expected",
	} {
		var got []string
		err := EachRow("x", []byte(text), func(place result.Place, row []byte) error {
			got = append(got, fmt.Sprintf("%d %s", place.Line, row))
			return nil
		})
		if err != nil {
			got = append(got, err.Error())
		}
		if said := strings.Join(got, "; "); said != want {
			t.Errorf("%.40q: %.200q, want %q", text, said, want)
		}
	}
}

func TestIsStore(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":1}`: true, "\xef\xbb\xbf {\n \"a\":1}": true, "[\n{\"a\"": true, "{}": true,
		"[a link](x)": false, "[1]": false, "# Title": false, "": false, "{% raw %}": false,
	} {
		if IsStore("dump", []byte(text)) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
	if IsStore("x.md", []byte(`{"a":1}`)) {
		t.Error("the name does not count")
	}
}

func TestRowsSayWhenTheyWereMade(t *testing.T) {
	for row, want := range map[string]string{
		`"createdAt":"2026-01-02T10:00:00+05:30"`:                 "2026-01-02T04:30:00Z",
		`"created_at":"2026-01-02 10:00:00"`:                      "2026-01-02T10:00:00Z",
		`"timestamp":1767264000`:                                  "2026-01-01T10:40:00Z",
		`"createdAt":1767264000123`:                               "2026-01-01T10:40:00Z",
		`"createdAt":1.767264e9`:                                  "2026-01-01T10:40:00Z",
		`"createdAt":{"$date":"2026-01-02T10:00:00.5+0200"}`:      "2026-01-02T08:00:00Z",
		`"createdAt":{"$date":1767264000000}`:                     "2026-01-01T10:40:00Z",
		`"createdAt":{"$date":{"$numberLong":"1767264000000"}}`:   "2026-01-01T10:40:00Z",
		`"createdAt":{"$numberLong":"1767264000"}`:                "2026-01-01T10:40:00Z",
		`"createdAt":"yesterday"`:                                 "",
		`"createdAt":{"$date":{"$numberLong":"-62135596800000"}}`: "",
		`"createdAt":1e400,"timestamp":[12345]`:                   "",
	} {
		text := `{"summary":{"goal":"g"},"resumePointer":{"nextAction":"n"},` + row + `}`
		d, err := Read(Source{Name: "x.jsonl", Place: result.Place{Line: 1}, Files: []File{{Text: []byte(text)}}}, time.Time{})
		made, _ := checkpoint.ParseTime(want) // zero for ""
		if err != nil || !d.Made.Truncate(time.Second).Equal(made) {
			t.Errorf("%s: %v, want %q: %v", row, d, want, err)
		}
	}
}
