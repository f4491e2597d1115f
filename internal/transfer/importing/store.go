package importing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/transfer/schema"
)

// IsStore reports whether a file has the rows of a store, by its name or its first bytes.
func IsStore(name string, text []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonl", ".ndjson":
		return true
	case ".md", ".markdown", ".txt":
		return false
	}
	list := bytes.TrimLeft(bytes.TrimPrefix(text, []byte(byteOrderMark)), " \t\r\n[")
	return bytes.HasPrefix(list, []byte("{")) && schema.IsJSON(text)
}

// EachRow calls do for each row of a store: JSON lines, objects in any layout one after the other,
// or one array. The error names the line at which the text stops being JSON.
func EachRow(name string, text []byte, do func(at result.Place, row []byte) error) error {
	invalid := func(at int, what string) error {
		return fault.New(fault.Invalid, "%s: line %d: no JSON: %s", name, lineAt(text, at), what)
	}
	if line, what := NotText(text); what != "" {
		return fault.New(fault.Invalid, "%s: line %d: %s; JSON in UTF-8 is expected", name, line, what)
	}
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte(byteOrderMark)))
	in := json.NewDecoder(bytes.NewReader(text))
	list := bytes.HasPrefix(text, []byte("["))
	if list {
		_, _ = in.Token()
	}
	rows, line, counted := 0, 1, 0
	for in.More() {
		var row json.RawMessage
		if err := in.Decode(&row); err != nil {
			// The decoder's offset of an error ignores the commas between rows.
			at := int(in.InputOffset())
			again := json.Unmarshal(text[at:], new(json.RawMessage))
			if syntax, ok := errors.AsType[*json.SyntaxError](again); ok {
				at += int(syntax.Offset) - 1
			}
			return invalid(at, err.Error())
		}
		rows++
		end := int(in.InputOffset())
		start := end - len(row)
		line += bytes.Count(text[counted:start], []byte("\n"))
		counted = start
		place := result.Place{Line: line}
		if list {
			place.Row = rows
		}
		if err := do(place, text[start:end]); err != nil {
			return err
		}
	}
	if list {
		if _, err := in.Token(); err != nil {
			return invalid(len(text), "the list is not closed")
		}
	}
	switch {
	case rows == 0:
		return fault.New(fault.Invalid, "%s: there is nothing in it", name)
	case int(in.InputOffset()) < len(text):
		return invalid(len(text), "there is text behind the rows")
	}
	return nil
}

// readRow plans the checkpoint of a row: an object in one of the three schemas, either plain or in the form of its
// store.
func (d *Draft) readRow(text []byte) error {
	v, err := value.Parse(text)
	if err != nil {
		return err
	}
	o, made, err := unstored(v)
	if err != nil {
		return err
	}
	d.Form = Row
	d.setMade(made)
	row, err := schema.Of(o)
	if err != nil {
		return err
	}
	about := row.About()
	d.ID = about.ID
	if !d.Dated {
		d.setMade(about.Created)
	}
	d.text, err = row.Markdown()
	d.Lines = countLines(string(text))
	return err
}

// unstored returns a row as an object of a schema. It also returns the time of creation if the
// schema has no field for it. Fields that the store adds are kept beside the others.
func unstored(v any) (any, time.Time, error) {
	o, ok := v.(value.Object)
	if !ok {
		return v, time.Time{}, nil
	}
	if content, ok := textAt(o, "content"); ok { // a memory that contains a checkpoint
		if inner, err := value.Parse([]byte(content)); err == nil {
			if inner, ok := inner.(value.Object); ok {
				if rest := value.Without(o, "content"); len(rest) > 0 {
					inner = value.Set(inner, rest, "memory")
				}
				return inner, madeAt(inner), nil
			}
		}
	}
	if state, ok := textAt(o, "state_json"); ok { // a row of the SQLite table
		inner, err := value.Parse([]byte(state))
		if err != nil {
			return nil, time.Time{}, fault.New(fault.Invalid, "state_json holds no JSON: %w", err)
		}
		return fromColumns(o, inner), madeAt(o), nil
	}
	return o, madeAt(o), nil
}

// columns returns the fields by the columns of the SQLite table.
func columns() map[string][]string {
	return map[string][]string{
		"session_id": {"sessionId"}, "project_id": {"projectId"}, "step_number": {"stepNumber"}, "created_at": {"createdAt"},
		"description": {"metadata", "description"}, "trigger_type": {"metadata", "triggerType"},
		"duration_ms": {"metadata", "durationMs"}, "token_usage": {"metadata", "tokenUsage"},
	}
}

// fromColumns returns a row of the SQLite table in the form of the object that was stored.
func fromColumns(row value.Object, state any) value.Object {
	var o value.Object
	for _, m := range row {
		if m.Key == "state_json" {
			o = value.Set(o, state, "state")
		} else if field, ok := columns()[m.Key]; ok {
			o = value.Set(o, m.Value, field...)
		} else {
			o = value.Set(o, m.Value, m.Key)
		}
	}
	return o
}

func textAt(o value.Object, path ...string) (string, bool) {
	v, _ := value.Get(o, path...)
	s, ok := v.(string)
	return s, ok
}

// madeAt returns the time of creation in a row; zero if it has none.
func madeAt(row value.Object) time.Time {
	for _, key := range []string{"createdAt", "created_at", "timestamp"} {
		v, _ := value.Get(row, key)
		if t := timeOf(v); t.Year() > 1990 && t.Year() < 2200 { // stores also write empty ones
			return t
		}
	}
	return time.Time{}
}

// timeOf parses a time in the forms of stores: text, seconds or (from 1e11 on) milliseconds since 1970, or one of
// these in MongoDB's {"$date": ...} and {"$numberLong": "..."}.
func timeOf(v any) time.Time {
	if o, ok := v.(value.Object); ok {
		if len(o) != 1 {
			return time.Time{}
		}
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
