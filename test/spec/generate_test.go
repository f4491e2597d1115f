package main

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Generate makes the files of cases from the tests in internal/, and from testdata, which has questions that are in
// no table of the tests. The answers come from ckpt's packages.
func Generate(internal string) ([]File, error) {
	byKind := map[string][]Case{}
	for _, s := range sources {
		cases, err := s.cases(internal)
		if err != nil {
			return nil, err
		}
		byKind[s.kind] = append(byKind[s.kind], cases...)
	}
	own, err := Load("testdata")
	if err != nil {
		return nil, err
	}
	for _, f := range own {
		byKind[f.Kind] = append(byKind[f.Kind], f.Cases...)
	}
	var files []File
	for _, kind := range sortedKinds(byKind) {
		cases := byKind[kind]
		for i := range cases {
			answer, err := Answer(kind, cases[i].Input)
			if err != nil {
				return nil, err
			}
			cases[i].Answer = plain(answer)
		}
		files = append(files, File{Kind: kind, Text: commonText(kind, cases), Cases: cases})
	}
	return files, nil
}

// commonText returns the text from which most texts of a kind differ in a few lines.
func commonText(kind string, cases []Case) string {
	switch kind {
	case "completion", "decisions", "deltas", "edit", "next", "sections", "trail":
		return front
	}
	for _, c := range cases {
		switch {
		case kind == "merge" && c.Input["base"] != nil:
			return text(c.Input["base"])
		case kind == "problems" && c.Name == "GoodFilesHaveNoFinding: active":
			return text(c.Input["files"].(object)["active/chk-auth.md"])
		}
	}
	return ""
}

func sortedKinds(m map[string][]Case) (all []string) {
	for kind := range m {
		all = append(all, kind)
	}
	slices.Sort(all)
	return all
}

// cases makes a case of each row.
func (s source) cases(internal string) ([]Case, error) {
	t, err := openTests(filepath.Join(internal, filepath.FromSlash(filepath.Dir(s.file))), filepath.Base(s.file))
	if err != nil {
		return nil, err
	}
	rows, err := t.rows(s.table, s.skip)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.file, err)
	}
	var all []Case
	known := map[string]bool{}
	for _, r := range rows {
		r.fields["start"], _ = t.ident("start", nil)
		rules, own := s.rows[r.name]
		known[r.name] = own
		if !own {
			rules = s.rules
		}
		if rules == "" {
			rules = "! " + r.name
		}
		if err := s.check(r); err != nil {
			return nil, err
		}
		c := Case{Name: s.nameOf(r.name), Needs: s.needs[r.name], Input: plain(s.input(r))}
		holds, breaks, _ := strings.Cut(rules, "!")
		c.Holds, c.Breaks = strings.Fields(holds), strings.Fields(breaks)
		all = append(all, c)
	}
	for name := range s.rows {
		if !known[name] && !slices.Contains(s.skip, name) {
			return nil, fmt.Errorf("%s, %s: no row is called %q", s.file, s.table, name)
		}
	}
	return all, nil
}

// check compares ckpt's answer with the test's, so that the question is the same as that of the test.
func (s source) check(r row) error {
	if s.want == "" {
		return nil
	}
	answer, err := Answer(s.kind, s.input(r))
	if err != nil {
		return err
	}
	switch want := r.fields[s.want].(type) {
	case object:
		if !reflect.DeepEqual(answer.(object)["files"], want) {
			return fmt.Errorf("%s, %s: the answer is %v, not %v", s.table, r.name, answer, want)
		}
	case string:
		if got := text(answer.(object)["text"]); !strings.Contains(got, want) {
			return fmt.Errorf("%s, %s: the answer is %q, not %q", s.table, r.name, got, want)
		}
	}
	return nil
}

// nameOf returns the name of a case: the name of its row, after the table's name if the kind has several tables.
func (s source) nameOf(name string) string {
	if len(name) > 80 {
		name = fmt.Sprintf("%d × %q", len(name), name[:1])
	}
	table := strings.TrimPrefix(s.table, "Test")
	for _, other := range sources {
		if other.kind == s.kind && other.table != s.table {
			return table + ": " + name
		}
	}
	return cmp.Or(name, "empty")
}

// plain returns a value as package json decodes it.
func plain(v any) object {
	src, err := json.Marshal(encoded(v))
	if err != nil {
		panic(err) // the values are made of texts, numbers and lists
	}
	var out object
	if err := json.Unmarshal(src, &out); err != nil {
		panic(err)
	}
	return out
}

// encoded returns a value in which texts that are not UTF-8 are objects with their base64.
func encoded(v any) any {
	switch v := v.(type) {
	case []any:
		return list(v, encoded)
	case object:
		out := object{}
		for key, e := range v {
			out[key] = encoded(e)
		}
		return out
	case string:
		if !utf8.ValidString(v) {
			return object{"base64": base64.StdEncoding.EncodeToString([]byte(v))}
		}
	}
	return v
}
