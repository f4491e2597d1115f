package yamlfile_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	validator "github.com/google/jsonschema-go/jsonschema"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/policy"
)

// schema is a JSON Schema, or a part of one.
type schema = map[string]any

// file is a kind of file that has a schema in docs/schema.
type file struct {
	name   string
	load   func(src []byte) error
	beyond []string // parts of the errors for mistakes that a schema cannot describe
}

func files() []file {
	return []file{{
		name: "config.json",
		load: func(src []byte) error {
			c, err := policy.Parse(src)
			if err == nil && len(c.Unknown) > 0 {
				err = fault.New(fault.Invalid, "unknown keys: %q", c.Unknown)
			}
			return err
		},
		beyond: []string{"not a valid regular expression", "apart from capitals"},
	}, {
		name: "plan.json",
		load: func(src []byte) error {
			_, err := plan.Parse("plan.yaml", src)
			return err
		},
		beyond: []string{"is repeated", "depends on", "wait for each other"},
	}}
}

// schema returns the schema, with a copy of each definition in place of the reference to it.
func (f file) schema(t *testing.T) schema {
	t.Helper()
	src, err := os.ReadFile("../../docs/schema/" + f.name)
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	if err := json.Unmarshal(src, &s); err != nil {
		t.Fatal(err)
	}
	if want := "https://example.com/ckpt/raw/main/docs/schema/" + f.name; s["$id"] != want {
		t.Errorf("%s has the id %s", f.name, s["$id"])
	}
	definitions, _ := s["definitions"].(schema)
	return inlined(s, definitions).(schema)
}

func inlined(v any, definitions schema) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = inlined(v[i], definitions)
		}
	case schema:
		if all, ok := v["allOf"].([]any); ok {
			name := strings.TrimPrefix(all[0].(schema)["$ref"].(string), "#/definitions/")
			delete(v, "allOf")
			maps.Copy(v, definitions[name].(schema))
		}
		for k := range v {
			v[k] = inlined(v[k], definitions)
		}
	}
	return v
}

// TestKeysAreDescribed asserts that the schemas describe all keys, and that docs/plans.md has each key
// of a step with the same description.
func TestKeysAreDescribed(t *testing.T) {
	for _, f := range files() {
		eachKey(f.schema(t), func(key string, s schema) {
			if s["description"] == nil {
				t.Errorf("%s: the key %s has no description", f.name, key)
			}
		})
	}
	page, err := os.ReadFile("../../docs/plans.md")
	if err != nil {
		t.Fatal(err)
	}
	steps := properties(files()[1].schema(t))["steps"].(schema)["items"].(schema)
	for name, s := range properties(steps) {
		if row := fmt.Sprintf("\n| `%s` | %s |\n", name, s.(schema)["description"]); !strings.Contains(string(page), row) {
			t.Errorf("docs/plans.md does not have the row %s", row)
		}
	}
}

// TestSchemasAgreeWithLoaders asserts that a file is valid by its schema exactly if ckpt reads it
// without a remark, except for mistakes that no schema can describe.
func TestSchemasAgreeWithLoaders(t *testing.T) {
	for _, f := range files() {
		dice, s := rand.New(rand.NewPCG(1, 2)), f.schema(t)
		resolved := resolve(t, s)
		accepted, refused := 0, 0
		for range 10_000 {
			src, err := json.Marshal(random(dice, s, 6))
			if err != nil {
				t.Fatal(err)
			}
			var document any
			if err := json.Unmarshal(src, &document); err != nil {
				t.Fatal(err)
			}
			valid, loaded := resolved.Validate(document), f.load(src)
			switch {
			case loaded == nil && valid != nil:
				t.Fatalf("%s refuses what ckpt reads: %v\n%s", f.name, valid, src)
			case loaded != nil && valid == nil && !isBeyond(f, loaded):
				t.Fatalf("%s accepts what ckpt refuses: %v\n%s", f.name, loaded, src)
			case loaded == nil:
				accepted++
			default:
				refused++
			}
		}
		if accepted < 500 || refused < 500 {
			t.Errorf("%s: %d documents were accepted and %d refused: too few", f.name, accepted, refused)
		}
	}
}

// TestStarter asserts that the config.yaml that init writes names its schema in its first line, and
// is valid with its comments removed.
func TestStarter(t *testing.T) {
	first, rest, _ := strings.Cut(policy.Starter(), "\n")
	if first != "# yaml-language-server: $schema="+files()[0].schema(t)["$id"].(string) {
		t.Errorf("the first line is %s", first)
	}
	_, rest, _ = strings.Cut(rest, "\n\n")
	c, err := policy.Parse([]byte(strings.ReplaceAll("\n"+rest, "\n# ", "\n")))
	if err != nil || len(c.Unknown) > 0 || !c.NoExploring || !c.Retention.Apply {
		t.Errorf("without # it is %+v, %v", c, err)
	}
}

func isBeyond(f file, err error) bool {
	return slices.ContainsFunc(f.beyond, func(part string) bool { return strings.Contains(err.Error(), part) })
}

// pool has values that are valid in one place and not in another. It has no numbers such as 1e3, whose
// form in YAML a schema does not see.
var pool = []any{
	nil, true, false, 0, 1, 7, 45, 1000, 1001, 70_000, -1, 1.5,
	"", " ", "a", "true", "false", "off", "OFF", "on", "Yes", "no", "7", "+7", "-7", "007", "1001", "10m", "1h30m", "1.5h", ".5s",
	"10x", "-5m", "30d", " 2W ", "d", "{op}", "x {op} {id}", "{op}\nx", "two words", "^a+$", "(", "own", "größe", "../x", "A=B",
	[]any{}, []any{nil}, []any{""}, []any{"a"}, []any{"a", nil}, []any{1, true}, []any{[]any{}}, []any{map[string]any{}},
	map[string]any{}, map[string]any{"a": 1}, map[string]any{"a": []any{1}}, map[string]any{"": "a"}, map[string]any{"a=b": "c"},
}

// random returns a value that a schema accepts, or nearly so.
func random(dice *rand.Rand, s schema, depth int) any {
	if depth == 0 || dice.IntN(12) == 0 {
		return pool[dice.IntN(len(pool))]
	}
	if any, ok := s["anyOf"].([]any); ok {
		return random(dice, any[dice.IntN(len(any))].(schema), depth)
	}
	if values, ok := s["enum"].([]any); ok {
		return values[dice.IntN(len(values))]
	}
	switch item, _ := s["items"].(schema); {
	case item != nil:
		list := []any{}
		for range dice.IntN(3) {
			list = append(list, random(dice, item, depth-1))
		}
		return list
	case s["additionalProperties"] != nil:
		return randomObject(dice, s, depth)
	}
	return pool[dice.IntN(len(pool))]
}

func randomObject(dice *rand.Rand, s schema, depth int) any {
	object := map[string]any{}
	names := slices.Sorted(maps.Keys(properties(s)))
	required, _ := s["required"].([]any)
	for _, name := range required {
		if dice.IntN(20) > 0 {
			object[name.(string)] = random(dice, properties(s)[name.(string)].(schema), depth-1)
		}
	}
	for range dice.IntN(3) {
		if len(names) > 0 && dice.IntN(20) > 0 {
			name := names[dice.IntN(len(names))]
			object[name] = random(dice, properties(s)[name].(schema), depth-1)
			continue
		}
		others, _ := s["additionalProperties"].(schema)
		object[[]string{"a", "A", "b=", "commit"}[dice.IntN(4)]] = random(dice, others, depth-1)
	}
	return object
}

func properties(s schema) schema {
	all, _ := s["properties"].(schema)
	return all
}

// eachKey visits the keys of a schema, at any depth.
func eachKey(s schema, visit func(key string, s schema)) {
	for name, inner := range properties(s) {
		visit(name, inner.(schema))
		eachKey(inner.(schema), visit)
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if inner, ok := s[keyword].(schema); ok {
			eachKey(inner, visit)
		}
	}
}

// resolve prepares a schema for validation.
func resolve(t *testing.T, s schema) *validator.Resolved {
	t.Helper()
	src, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var parsed validator.Schema
	if err := json.Unmarshal(src, &parsed); err != nil {
		t.Fatal(err)
	}
	resolved, err := parsed.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}
