package importing

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
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
func EachRow(text []byte, do func(at result.Place, row []byte)) error {
	if line, what := NotText(text); what != "" {
		return fault.New(fault.Invalid, "line %d: %s; JSON in UTF-8 is expected", line, what)
	}
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	in := json.NewDecoder(bytes.NewReader(text))
	list := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("["))
	if list {
		_, _ = in.Token()
	}
	rows, line, counted := 0, 1, 0
	for in.More() {
		var row json.RawMessage
		if err := in.Decode(&row); err != nil {
			return rowFault(text, int(in.InputOffset()), err)
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
		do(place, text[start:end])
	}
	var err error
	if list {
		_, err = in.Token() // the end of the list
	}
	rest := bytes.TrimLeft(text[in.InputOffset():], " \t\r\n")
	switch {
	case err != nil:
		return rowFault(text, len(text), io.ErrUnexpectedEOF)
	case len(rest) > 0:
		return fault.New(fault.Invalid, "line %d: this is not part of a row: %.20q", lineAt(text, len(text)-len(rest)), rest)
	case rows == 0:
		return fault.New(fault.Invalid, "there is nothing in it")
	}
	return nil
}

// rowFault returns the error for a row that is not JSON. The decoder's own offset ignores the
// commas between rows, so the offset comes from a second parse.
func rowFault(text []byte, read int, err error) error {
	at := len(bytes.TrimRight(text, " \t\r\n"))
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(text[read:], new(json.RawMessage))); ok &&
		!errors.Is(err, io.ErrUnexpectedEOF) {
		at = read + int(syntax.Offset) - 1
	}
	return fault.New(fault.Invalid, "line %d: no JSON: %w", lineAt(text, at), err)
}

// readRow plans the checkpoint of a row. The row is an issue of beads, or an object in one of the
// three schemas, either plain or in the form of its store.
func (d *Draft) readRow(text []byte) error {
	v, err := value.Parse(text)
	if err != nil {
		return err
	}
	if o, ok := v.(value.Object); ok && isIssue(o) {
		d.setMade(madeAt(o))
		return d.readIssue(o)
	}
	o, made, err := unstored(v)
	if err != nil {
		return err
	}
	d.Form = Row
	d.setMade(made)
	d.row, err = schema.Of(o)
	if err != nil {
		return err
	}
	d.text, err = d.row.Markdown()
	if err != nil {
		return err
	}
	id := nameless
	if _, front, ok := doc.FrontSpan(d.text); ok && isHeader(string(d.text[front.Start:front.End])) {
		id = "" // the row states its id
	}
	plain, err := revise.Create(revise.Spec{ID: id}, d.text, d.Made)
	if err != nil {
		return err
	}
	if created, ok := plain.Doc.Front.Get("created"); ok && !d.Dated {
		d.Made, d.Dated = checkpoint.ParseTime(created)
	}
	if plain.ID != nameless {
		d.ID = plain.ID
	}
	further, _ := schema.Further(plain)
	d.countShares(plain.Doc, further)
	return nil
}

// nameless is the id in the draft of a row without an id.
const nameless = "chk-nameless"

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

// madeAt returns the time of creation in a row, or the one with which its ObjectId begins; zero if
// it has neither.
func madeAt(row value.Object) time.Time {
	for _, key := range []string{"createdAt", "created_at", "timestamp"} {
		v, _ := value.Get(row, key)
		if t := timeOf(v); usual(t) {
			return t
		}
	}
	id, _ := textAt(row, "_id", "$oid")
	if raw, err := hex.DecodeString(id); err == nil && len(raw) == 12 {
		if t := time.Unix(int64(raw[0])<<24|int64(raw[1])<<16|int64(raw[2])<<8|int64(raw[3]), 0).UTC(); usual(t) {
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

// usual reports whether a value can be a time: stores also write empty ones.
func usual(t time.Time) bool { return t.Year() > 1990 && t.Year() < 2200 }

// isIssue reports whether a row is an issue of beads.
func isIssue(o value.Object) bool {
	return hasAll(func(key string) (string, bool) { return textAt(o, key) }, "id", "title", "status", "issue_type")
}

// hasAll reports whether get returns text for every key.
func hasAll(get func(key string) (string, bool), keys ...string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool {
		text, ok := get(key)
		return !ok || strings.TrimSpace(text) == ""
	})
}

// readIssue plans the checkpoint of an issue of beads. Its texts become sections; the id and all other fields go to
// Imported as JSON.
func (d *Draft) readIssue(o value.Object) error {
	rest := o
	take := func(key string) string {
		s, _ := textAt(o, key)
		rest = value.Without(rest, key)
		return strings.TrimSpace(plainLines(s))
	}
	id, _ := textAt(o, "id")
	closed, _ := textAt(o, "closed_at")
	reason := oneLine(take("close_reason"))
	t := ticket{form: Issue, id: id, title: doc.Literal(text.OneLine(take("title"))), status: oneLine(take("status")),
		outcome: doc.Literal(reason), closed: closed}
	t.done = t.status == "closed" || t.status == "tombstone"
	for _, section := range []struct{ title, text string }{
		{"Description", take("description")}, {"Design", take("design")}, {"Notes", take("notes")},
		{"Acceptance Criteria", asList(take("acceptance_criteria"))},
	} {
		if section.text != "" {
			t.body += joined(heading(2, section.title), doc.Below(2, section.text)) + "\n\n"
		}
	}
	if reason != "" && !t.done {
		t.body += joined(heading(2, "Close reason"), t.outcome) + "\n"
	}
	src, err := value.Indented(rest)
	if err != nil {
		return err
	}
	t.front = strings.TrimRight(string(src), "\n")
	d.source = t.front + "\n" + t.body
	d.fields = map[string]string{}
	if parent := parentOf(o); parent != id && checkpoint.CheckID(parent) == nil {
		d.fields["parent"] = parent
	}
	err = d.readTicket(t)
	d.Lines = linesIn(d.Shares)
	return err
}

// asList returns criteria as a list, unchanged if they are one already.
func asList(criteria string) string {
	if criteria == "" || bullet.MatchString(criteria) {
		return criteria
	}
	var b strings.Builder
	for line := range strings.Lines(criteria) {
		if strings.TrimSpace(line) != "" {
			b.WriteString("- " + strings.TrimSpace(line) + "\n")
		}
	}
	return b.String()
}

// parentOf returns the id of an issue's parent, or "".
func parentOf(o value.Object) string {
	all, _ := value.Get(o, "dependencies")
	list, _ := all.([]any)
	for _, one := range list {
		dependency, _ := one.(value.Object)
		if kind, _ := textAt(dependency, "type"); kind == "parent-child" {
			id, _ := textAt(dependency, "depends_on_id")
			return id
		}
	}
	return ""
}
