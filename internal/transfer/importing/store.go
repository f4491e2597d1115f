package importing

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/transfer/schema"
)

// IsStore reports whether a file is a store of JSON objects, by the file's name and first bytes.
func IsStore(name string, text []byte) bool {
	if slices.Contains([]string{".md", ".markdown", ".txt"}, strings.ToLower(path.Ext(name))) {
		return false
	}
	list := bytes.TrimLeft(bytes.TrimPrefix(text, []byte(byteOrderMark)), " \t\r\n[")
	return bytes.HasPrefix(list, []byte("{")) && schema.IsJSON(text)
}

// EachRow calls do for each row of a store: JSON objects one after the other, or in an array. Errors name the line.
func EachRow(name string, text []byte, do func(at result.Place, row []byte) error) error {
	if line, what := NotText(text); what != "" {
		return fault.New(fault.Invalid, "%s: line %d: %s; JSON in UTF-8 is expected", name, line, what)
	}
	text = bytes.TrimRight(bytes.TrimPrefix(text, []byte(byteOrderMark)), " \t\r\n")
	in := json.NewDecoder(bytes.NewReader(text))
	list := bytes.HasPrefix(bytes.TrimSpace(text), []byte("["))
	if list {
		_, _ = in.Token()
	}
	line, at := 1, 0 // the line and the offset at which the next row begins
	forward := func() {
		end := int(in.InputOffset())
		end = len(text) - len(bytes.TrimLeft(text[end:], ", \t\r\n"))
		line += bytes.Count(text[at:end], []byte("\n"))
		at = end
	}
	rows := 0
	for forward(); in.More(); forward() {
		var row json.RawMessage
		if err := in.Decode(&row); err != nil {
			return fault.New(fault.Invalid, "%s: line %d: not JSON: %w", name, line, err)
		}
		rows++
		place := result.Place{Line: line}
		if list {
			place.Row = rows
		}
		if err := do(place, row); err != nil {
			return err
		}
	}
	rest := string(text[at:])
	switch {
	case rows == 0 && strings.Trim(rest, "[]") == "":
		return fault.New(fault.Invalid, "%s: it is empty", name)
	case list && rest != "]", !list && rest != "":
		return fault.New(fault.Invalid, "%s: line %d: not JSON: the rows end in %.20q", name, line, rest)
	}
	return nil
}

// readRow drafts the checkpoint of a row. The row is an object in one of the three schemas, or an object with the
// columns of an executor's table in SQLite.
func (d *Draft) readRow(text []byte) error {
	v, err := value.Parse(text)
	if err != nil {
		return err
	}
	o, _ := v.(value.Object)
	d.Form, d.Lines, d.Made = Row, countLines(string(text)), madeAt(o)
	state, _ := value.Get(o, "state_json")
	if json, ok := state.(string); ok {
		inner, err := value.Parse([]byte(json))
		if err != nil {
			return fault.New(fault.Invalid, "state_json is not JSON: %w", err)
		}
		v = fromColumns(o, inner)
	}
	row, err := schema.Of(v)
	if err != nil {
		return err
	}
	about := row.About()
	d.ID, d.Made = about.ID, cmp.Or(d.Made, about.Created)
	d.text, err = row.Markdown()
	return err
}

// fromColumns returns the JSON object that was stored in the columns of a row. State is the parsed column state_json.
func fromColumns(row value.Object, state any) value.Object {
	fields := map[string][]string{
		"session_id": {"sessionId"}, "project_id": {"projectId"}, "step_number": {"stepNumber"}, "created_at": {"createdAt"},
		"description": {"metadata", "description"}, "trigger_type": {"metadata", "triggerType"},
		"duration_ms": {"metadata", "durationMs"}, "token_usage": {"metadata", "tokenUsage"}, "state_json": {"state"},
	}
	var o value.Object
	for _, m := range value.Set(row, state, "state_json") {
		field, ok := fields[m.Key]
		if !ok {
			field = []string{m.Key}
		}
		o = value.Set(o, m.Value, field...)
	}
	return o
}

// madeAt returns the time of creation in a row; zero if it has none.
func madeAt(row value.Object) time.Time {
	for _, key := range []string{"createdAt", "created_at", "timestamp"} {
		v, _ := value.Get(row, key)
		if t := timeOf(v); t.Year() > 1990 && t.Year() < 2200 { // stores also write zero times
			return t
		}
	}
	return time.Time{}
}

// timeOf parses a time in the forms of stores: a text, or a number of seconds since 1970, or of milliseconds if it is
// at least 1e11. MongoDB's {"$date": ...} and {"$numberLong": "..."} may enclose the text or number.
func timeOf(v any) time.Time {
	if o, ok := v.(value.Object); ok && len(o) == 1 {
		return timeOf(o[0].Value)
	}
	said := fmt.Sprint(v)
	if t, ok := checkpoint.ParseTime(said); ok {
		return t
	}
	n, err := strconv.ParseFloat(said, 64)
	if err != nil || n <= 0 || n > 1e13 {
		return time.Time{}
	}
	if n < 1e11 {
		n *= 1000
	}
	return time.UnixMilli(int64(n)).UTC()
}
