package importing

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/schema"
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

// EachRow calls do for each row of a store: of JSON lines, of objects that follow each other
// in any layout, or of one array. The error names the line where the text stops being JSON.
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

// rowFault returns the error for a row that is not JSON. The decoder read up to an offset; its
// own error leaves out the commas between rows, so the offset comes from a second reading.
func rowFault(text []byte, read int, err error) error {
	at := len(bytes.TrimRight(text, " \t\r\n"))
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(text[read:], new(json.RawMessage))); ok && !errors.Is(err, io.ErrUnexpectedEOF) {
		at = read + int(syntax.Offset) - 1
	}
	return fault.New(fault.Invalid, "line %d: no JSON: %w", lineAt(text, at), err)
}
