// Package jsonschema describes the YAML files that people write, for their editors: the tables of
// keys in packages policy and plan have a [Schema] beside each key. It only describes; the readers
// of the files do not check against it.
package jsonschema

// Schema is a JSON Schema of draft-07, the draft that all editors know.
type Schema map[string]any

// Patterns for strings, without anchors.
const (
	Number   = `\+?[0-9]+`
	Duration = `\+?([0-9]+|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|ms|s|m|h))+)` // the bare number's unit is the reader's
)

// Document returns the schema of a whole file, which is published at url.
func Document(url, title string, root Schema) Schema {
	return root.With("$schema", "http://json-schema.org/draft-07/schema#").With("$id", url).With("title", title)
}

// With returns the schema with one more keyword.
func (s Schema) With(keyword string, value any) Schema {
	all := Schema{keyword: value}
	for k, v := range s {
		if k != keyword {
			all[k] = v
		}
	}
	return all
}

// Object returns the schema of a mapping. Others is the schema of the values of further keys; false
// means that there are none, true that they have any value.
func Object(keys map[string]Schema, others any) Schema {
	s := Schema{"type": "object", "additionalProperties": others}
	if len(keys) > 0 {
		s["properties"] = keys
	}
	return s
}

// List returns the schema of a list.
func List(item Schema) Schema { return Schema{"type": "array", "items": item} }

// OrNull returns the schema of a list or mapping that may also be left empty.
func (s Schema) OrNull() Schema { return s.With("type", []any{s["type"], "null"}) }

// AnyOf returns the schema of a value that matches one of the schemas.
func AnyOf(schemas ...Schema) Schema { return Schema{"anyOf": schemas} }

// Enum returns the schema of a closed set of values.
func Enum(values ...any) Schema { return Schema{"enum": values} }

// Match returns the schema of a string that matches a pattern as a whole.
func Match(pattern string) Schema { return Schema{"type": "string", "pattern": "^(" + pattern + ")$"} }

// Types returns the schema of a value of one of the types.
func Types(types ...string) Schema { return Schema{"type": types} }

// Integer returns the schema of a whole number of at least 0.
func Integer() Schema { return Schema{"type": "integer", "minimum": 0} }
