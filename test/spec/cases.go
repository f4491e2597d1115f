package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// object is a JSON object.
type object = map[string]any

// Case is a question with the right answer, and the rules that it is about.
type Case struct {
	Name   string   `json:"name"`
	Holds  []string `json:"holds,omitempty"`
	Breaks []string `json:"breaks,omitempty"`
	Needs  string   `json:"needs,omitempty"`
	Input  object   `json:"input"`
	Answer object   `json:"answer,omitempty"`
}

// File is a file of cases of one kind. Cases may refer to lines of its Text.
type File struct {
	Kind  string
	Text  string
	Cases []Case
}

// Load returns the files of cases in a folder, with each text as one string.
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

// joined returns v with each {"lines": [...]} as one string. Such a list may refer to lines of common.
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

// text returns a text of a question. A text that is not UTF-8 is an object with its base64.
func text(v any) string {
	if o, ok := v.(object); ok {
		src, _ := base64.StdEncoding.DecodeString(fmt.Sprint(o["base64"]))
		return string(src)
	}
	s, _ := v.(string)
	return s
}
