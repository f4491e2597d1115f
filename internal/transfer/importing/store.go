package importing

import (
	"bytes"
	"cmp"
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
	rest := bytes.TrimPrefix(text, []byte(byteOrderMark))
	if list, ok := bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("[")); ok {
		rest = list
	}
	return schema.IsJSON(rest) && !bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("["))
}

// EachRow calls do for each row of a store: JSON lines, objects in any layout one after the other,
// or one array. The error names the line at which the text stops being JSON.
func EachRow(text []byte, do func(at result.Place, row []byte)) error {
	if isUTF16(text) {
		return fault.New(fault.Invalid, "line 1: this is UTF-16; JSON in UTF-8 is expected")
	}
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	in := json.NewDecoder(bytes.NewReader(text))
	list := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("["))
	if list {
		_, _ = in.Token()
	}
	rows, line, counted := 0, 1, 0
	for !list || in.More() {
		var row json.RawMessage
		err := in.Decode(&row)
		if errors.Is(err, io.EOF) && !list {
			break
		}
		if err != nil {
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
	if list {
		if _, err := in.Token(); err != nil {
			return fault.New(fault.Invalid, "line %d: the list is cut off: a ] is expected", lineAt(text, len(text)))
		}
		if _, err := in.Token(); !errors.Is(err, io.EOF) {
			return fault.New(fault.Invalid, "line %d: there is text behind the list", lineAt(text, int(in.InputOffset())))
		}
	}
	if rows == 0 {
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
	if issue, ok := v.(value.Object); ok && isIssue(issue) {
		d.setMade(madeAt(issue))
		return d.readIssue(issue)
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

// setMade sets the time of creation, if it is known.
func (d *Draft) setMade(made time.Time) {
	if !made.IsZero() {
		d.Made, d.Dated = made, true
	}
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

// readIssue plans the checkpoint of an issue of beads. Description, title, design, notes
// and criteria become sections; the id and all other fields go to Imported as JSON.
func (d *Draft) readIssue(o value.Object) error {
	d.Form = Issue
	rest := o
	take := func(key string) string {
		s, _ := textAt(o, key)
		rest = value.Without(rest, key)
		return strings.TrimSpace(plainLines(s))
	}
	title, status := doc.Literal(text.OneLine(take("title"))), oneLine(take("status"))
	d.Finished = status == "closed" || status == "tombstone"
	next := ""
	if !d.Finished {
		next = "- " + title
	}
	reason := oneLine(take("close_reason"))
	sections := []struct {
		of    checkpoint.Kind
		texts []string
	}{
		{checkpoint.Problem, []string{take("description")}},
		{checkpoint.Intent, []string{title}},
		{checkpoint.Essential, nil},
		{checkpoint.Context, []string{take("design")}},
		{checkpoint.State, []string{"The issue is \"" + status + "\".", take("notes")}},
		{checkpoint.Next, []string{next, asList(take("acceptance_criteria"))}},
	}
	var b strings.Builder
	for _, s := range sections {
		level, said := s.of.Template().Level, ""
		for _, t := range s.texts {
			d.source += t + "\n"
			said = joined(said, doc.Below(level, new(file).tame(t, d.From)))
		}
		if said != "" || s.of == checkpoint.Essential {
			b.WriteString(joined(heading(level, s.of.String()), said) + "\n\n")
		}
	}
	src, err := value.Indented(rest)
	if err != nil {
		return err
	}
	b.WriteString(heading(2, Title) + "\n\n" + fence("json", strings.TrimRight(string(src), "\n")) + "\n")
	d.text = []byte(b.String())
	made, err := doc.Parse(d.text)
	if err != nil {
		return err
	}
	d.countShares(made, "")
	if d.Finished {
		closed, _ := textAt(o, "closed_at")
		d.complete(doc.Literal(cmp.Or(reason, "Issue closed: "+title)), closed)
	} else if reason != "" {
		d.text = append(d.text, "\n"+doc.Literal(reason)+"\n"...)
	}
	if id, _ := textAt(o, "id"); checkpoint.CheckNewID(id) == nil {
		d.ID = id
		if parent := parentOf(o); parent != id && checkpoint.CheckID(parent) == nil {
			d.fields["parent"] = parent
		}
	}
	return nil
}

// asList returns criteria as a list, unchanged if they are one already.
func asList(criteria string) string {
	if criteria == "" || bullet.MatchString(criteria) {
		return criteria
	}
	var b strings.Builder
	for line := range strings.Lines(criteria) {
		line = strings.TrimSpace(line)
		if line != "" {
			b.WriteString("- " + line + "\n")
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

// plainLines returns a text with line feeds at the ends of its lines.
func plainLines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
