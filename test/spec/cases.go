// Package spec has the cases of the specification: it makes them from the tables of ckpt's own tests, answers them
// by ckpt's packages, and asks other programs (docs/spec/README.md).
package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Case is a question with the right answer, and the rules that it is about.
type Case struct {
	Name   string   `json:"name"`
	Holds  []string `json:"holds,omitempty"`
	Breaks []string `json:"breaks,omitempty"`
	Needs  string   `json:"needs,omitempty"`
	Input  object   `json:"input"`
	Answer object   `json:"answer,omitempty"`
}

// File is a file of cases of one kind. Texts of the cases may refer to lines of a common text.
type File struct {
	Kind  string
	Text  string
	Cases []Case
}

// Load returns the files of cases in a folder, with all texts as strings.
func Load(dir string) ([]File, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no cases in %s: %v", dir, err)
	}
	var all []File
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var written struct {
			Kind  string
			Text  any
			Cases []Case
		}
		if err := json.Unmarshal(src, &written); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		f := File{Kind: written.Kind, Text: text(joined(written.Text, nil)), Cases: written.Cases}
		common := slices.Collect(strings.Lines(f.Text))
		for i := range f.Cases {
			f.Cases[i].Input = joined(f.Cases[i].Input, common).(object)
			f.Cases[i].Answer = joined(f.Cases[i].Answer, common).(object)
		}
		all = append(all, f)
	}
	return all, nil
}

// joined returns a value in which every text that is written as lines is a string.
func joined(v any, common []string) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = joined(v[i], common)
		}
		return out
	case object:
		if lines, ok := v["lines"].([]any); ok && len(v) == 1 {
			var b strings.Builder
			for _, line := range lines {
				switch line := line.(type) {
				case string:
					b.WriteString(line)
				case object:
					if from, ok := line["from"].(float64); ok {
						b.WriteString(strings.Join(common[int(from)-1:int(line["to"].(float64))], ""))
						continue
					}
					b.WriteString(strings.Repeat(line["repeat"].(string), int(line["times"].(float64))))
				}
			}
			return b.String()
		}
		out := object{}
		for k, e := range v {
			out[k] = joined(e, common)
		}
		return out
	}
	return v
}

// split returns a value in which every text of several lines is written as lines, so that a change of a case shows
// as a change of lines.
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

// longestRun returns the index and the length of the longest part of a common text with which lines begin.
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

// addLine adds a line. Equal lines, and a character that a line repeats a hundred times, are written once.
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

// Encode returns a file of cases with texts as lines.
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

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	err := to.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// indent writes a value on one line if it is short, else a member a line.
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
