package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// split returns a value in which each text of several lines is a list of lines, so that a diff of the cases shows
// the changed lines.
func split(v any, common []string) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = split(v[i], common)
		}
		return out
	case object:
		out := object{}
		for k, e := range v {
			out[k] = split(e, common)
		}
		return out
	case string:
		if len(v) < 40 && strings.Count(v, "\n") < 3 {
			return v
		}
		var lines []any
		rest := slices.Collect(strings.Lines(v))
		for len(rest) > 0 {
			if at, n := longestRun(rest, common); n > 4 {
				lines, rest = append(lines, object{"from": at + 1, "to": at + n}), rest[n:]
				continue
			}
			lines, rest = addLine(lines, rest[0]), rest[1:]
		}
		if len(lines) == 1 {
			if _, isText := lines[0].(string); isText {
				return v
			}
		}
		return object{"lines": lines}
	}
	return v
}

// longestRun returns the index and the length of the longest part of common that is at the beginning of lines.
func longestRun(lines, common []string) (at, most int) {
	for i := range common {
		n := 0
		for n < len(lines) && i+n < len(common) && lines[n] == common[i+n] {
			n++
		}
		if n > most {
			at, most = i, n
		}
	}
	return at, most
}

// addLine adds a line. Equal lines, and a character that a line repeats a hundred times, become one object.
func addLine(lines []any, line string) []any {
	if n := len(lines); n > 0 {
		last, isRepeat := lines[n-1].(object)
		switch {
		case isRepeat && last["repeat"] == line:
			last["times"] = last["times"].(int) + 1
			return lines
		case n > 3 && lines[n-1] == line && lines[n-2] == line && lines[n-3] == line:
			return append(lines[:n-3], object{"repeat": line, "times": 4})
		}
	}
	for i := 0; i+100 < len(line); i++ {
		n := len(line[i:]) - len(strings.TrimLeft(line[i:], line[i:i+1]))
		if line[i] < utf8.RuneSelf && n >= 100 {
			if i > 0 {
				lines = append(lines, line[:i])
			}
			return append(lines, object{"repeat": line[i : i+1], "times": n}, line[i+n:])
		}
	}
	return append(lines, line)
}

// Encode returns a file of cases as JSON, with texts as lists of lines.
func Encode(f File) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"kind\": %q,\n", f.Kind)
	if f.Text != "" {
		src, err := marshal(split(f.Text, nil))
		if err != nil {
			return nil, err
		}
		b.WriteString("  \"text\": ")
		indent(&b, src, 2)
		b.WriteString(",\n")
	}
	common := slices.Collect(strings.Lines(f.Text))
	b.WriteString("  \"cases\": [")
	for i, c := range f.Cases {
		if i > 0 {
			b.WriteByte(',')
		}
		c.Input, c.Answer = split(c.Input, common).(object), split(c.Answer, common).(object)
		flat, err := marshal(c)
		if err != nil {
			return nil, err
		}
		var parts struct {
			Name, Holds, Breaks, Needs, Input, Answer json.RawMessage
		}
		if err := json.Unmarshal(flat, &parts); err != nil {
			return nil, err
		}
		sep := "\n    {"
		for _, p := range []struct {
			key string
			raw json.RawMessage
		}{{"name", parts.Name}, {"holds", parts.Holds}, {"breaks", parts.Breaks}, {"needs", parts.Needs},
			{"input", parts.Input}, {"answer", parts.Answer}} {
			if p.raw != nil {
				b.WriteString(sep + "\n      \"" + p.key + "\": ")
				indent(&b, p.raw, 6)
				sep = ","
			}
		}
		b.WriteString("\n    }")
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes(), nil
}

// indent writes a value on one line if it is short, or else with one member per line.
func indent(b *bytes.Buffer, raw json.RawMessage, depth int) {
	const width = 110
	if len(raw)+depth <= width && !bytes.Contains(raw, []byte(`"lines":`)) || raw[0] != '{' && raw[0] != '[' {
		b.Write(raw)
		return
	}
	pad := "\n" + strings.Repeat(" ", depth+2)
	in := json.NewDecoder(bytes.NewReader(raw))
	open, _ := in.Token()
	b.WriteString(open.(json.Delim).String())
	for first := true; in.More(); first = false {
		if !first {
			b.WriteByte(',')
		}
		b.WriteString(pad)
		if open == json.Delim('{') {
			var key json.RawMessage
			k, _ := in.Token()
			key, _ = json.Marshal(k)
			b.Write(key)
			b.WriteString(": ")
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			panic(err) // raw was made by package json
		}
		indent(b, value, depth+2)
	}
	shut, _ := in.Token()
	b.WriteString("\n" + strings.Repeat(" ", depth) + shut.(json.Delim).String())
}
