package jsonschema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	validator "github.com/google/jsonschema-go/jsonschema"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/jsonschema"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/policy"
)

var update = flag.Bool("update", false, "write docs/schema")

// file is a kind of file that has a schema.
type file struct {
	path   string
	url    string
	schema jsonschema.Schema
	load   func(src []byte) error
	beyond []string // parts of the errors for mistakes that a schema cannot describe
}

func files() []file {
	return []file{{
		path: "../../docs/schema/config.json", url: policy.SchemaURL, schema: policy.Schema(),
		load: func(src []byte) error {
			c, err := policy.Parse(src)
			if err == nil && len(c.Unknown) > 0 {
				err = fault.New(fault.Invalid, "unknown keys: %q", c.Unknown)
			}
			return err
		},
		beyond: []string{"not a valid regular expression", "apart from capitals"},
	}, {
		path: "../../docs/schema/plan.json", url: plan.SchemaURL, schema: plan.Schema(),
		load: func(src []byte) error {
			_, err := plan.Parse("plan.yaml", src)
			return err
		},
		beyond: []string{"is repeated", "depends on", "wait for each other"},
	}}
}

// TestFiles asserts that docs/schema has the schemas of the code, at the addresses that they name,
// and that all keys are described.
func TestFiles(t *testing.T) {
	for _, f := range files() {
		want := encode(t, f.schema)
		if *update {
			if err := os.WriteFile(f.path, want, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(f.path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not that of the code (%v): go test ./internal/jsonschema -update", f.path, err)
		}
		if !strings.HasSuffix(f.url, strings.TrimPrefix(f.path, "../..")) || f.schema["$id"] != f.url {
			t.Errorf("%s is at %s, with the id %s", f.path, f.url, f.schema["$id"])
		}
		resolve(t, f.schema)
		eachKey(f.schema, func(key string, s jsonschema.Schema) {
			if s["description"] == "" {
				t.Errorf("%s: the key %s has no description", f.path, key)
			}
		})
	}
}

// TestDocuments asserts that the pages name all keys: docs/plans.md each key of a step with its
// description. (docs/config.md shows the file that init writes, which is made from the same table.)
func TestDocuments(t *testing.T) {
	page, err := os.ReadFile("../../docs/plans.md")
	if err != nil {
		t.Fatal(err)
	}
	steps := properties(plan.Schema())["steps"]["items"].(jsonschema.Schema)
	for name, s := range properties(steps) {
		if row := fmt.Sprintf("\n| `%s` | %s |\n", name, s["description"]); !strings.Contains(string(page), row) {
			t.Errorf("docs/plans.md does not have the row %s", row)
		}
	}
}

// TestSchemasAgreeWithLoaders asserts that a file is valid by its schema exactly if ckpt reads it
// without a remark, except for mistakes that no schema can describe.
func TestSchemasAgreeWithLoaders(t *testing.T) {
	for _, f := range files() {
		dice, schema := rand.New(rand.NewPCG(1, 2)), resolve(t, f.schema)
		accepted, refused := 0, 0
		for range 10_000 {
			src := encode(t, random(dice, f.schema, 6))
			var document any
			if err := json.Unmarshal(src, &document); err != nil {
				t.Fatal(err)
			}
			valid, loaded := schema.Validate(document), f.load(src)
			switch {
			case loaded == nil && valid != nil:
				t.Fatalf("%s refuses what ckpt reads: %v\n%s", f.path, valid, src)
			case loaded != nil && valid == nil && !isBeyond(f, loaded):
				t.Fatalf("%s accepts what ckpt refuses: %v\n%s", f.path, loaded, src)
			case loaded == nil:
				accepted++
			default:
				refused++
			}
		}
		if accepted < 500 || refused < 500 {
			t.Errorf("%s: %d documents were accepted and %d refused: too few", f.path, accepted, refused)
		}
	}
}

// TestStarter asserts that the config.yaml that init writes names its schema in its first line, and
// is valid with its comments removed.
func TestStarter(t *testing.T) {
	first, rest, _ := strings.Cut(policy.Starter(), "\n")
	if first != "# yaml-language-server: $schema="+policy.SchemaURL {
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

// pool has values that are right in one place and wrong in another. It has no numbers whose form in
// YAML the schema does not see, such as 1e3.
var pool = []any{
	nil, true, false, 0, 1, 7, 45, 1000, 1001, 70_000, -1, 1.5,
	"", " ", "a", "true", "false", "off", "OFF", "on", "Yes", "no", "7", "+7", "-7", "007", "1001", "10m", "1h30m", "1.5h", ".5s",
	"10x", "-5m", "30d", " 2W ", "d", "{op}", "x {op} {id}", "{op}\nx", "two words", "^a+$", "(", "own", "größe", "../x", "A=B",
	[]any{}, []any{nil}, []any{""}, []any{"a"}, []any{"a", nil}, []any{1, true}, []any{[]any{}}, []any{map[string]any{}},
	map[string]any{}, map[string]any{"a": 1}, map[string]any{"a": []any{1}}, map[string]any{"": "a"}, map[string]any{"a=b": "c"},
}

// random returns a value that a schema accepts, or nearly so.
func random(dice *rand.Rand, s jsonschema.Schema, depth int) any {
	if depth == 0 || dice.IntN(12) == 0 {
		return pool[dice.IntN(len(pool))]
	}
	if any, ok := s["anyOf"].([]jsonschema.Schema); ok {
		return random(dice, any[dice.IntN(len(any))], depth)
	}
	if values, ok := s["enum"].([]any); ok {
		return values[dice.IntN(len(values))]
	}
	switch item, _ := s["items"].(jsonschema.Schema); {
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

func randomObject(dice *rand.Rand, s jsonschema.Schema, depth int) any {
	object := map[string]any{}
	names := slices.Sorted(maps.Keys(properties(s)))
	required, _ := s["required"].([]string)
	for _, name := range required {
		if dice.IntN(20) > 0 {
			object[name] = random(dice, properties(s)[name], depth-1)
		}
	}
	for range dice.IntN(3) {
		if len(names) > 0 && dice.IntN(20) > 0 {
			name := names[dice.IntN(len(names))]
			object[name] = random(dice, properties(s)[name], depth-1)
			continue
		}
		others, _ := s["additionalProperties"].(jsonschema.Schema)
		object[[]string{"a", "A", "b=", "commit"}[dice.IntN(4)]] = random(dice, others, depth-1)
	}
	return object
}

func properties(s jsonschema.Schema) map[string]jsonschema.Schema {
	all, _ := s["properties"].(map[string]jsonschema.Schema)
	return all
}

// eachKey visits the keys of a schema, at any depth.
func eachKey(s jsonschema.Schema, visit func(key string, s jsonschema.Schema)) {
	for name, inner := range properties(s) {
		visit(name, inner)
		eachKey(inner, visit)
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if inner, ok := s[keyword].(jsonschema.Schema); ok {
			eachKey(inner, visit)
		}
	}
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// resolve prepares a schema for validation.
func resolve(t *testing.T, s jsonschema.Schema) *validator.Resolved {
	t.Helper()
	var parsed validator.Schema
	if err := json.Unmarshal(encode(t, s), &parsed); err != nil {
		t.Fatal(err)
	}
	resolved, err := parsed.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}
