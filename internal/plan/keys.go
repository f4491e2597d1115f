package plan

import (
	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/jsonschema"
)

// SchemaURL is the address of the schema of plan files.
const SchemaURL = "https://example.com/ckpt/raw/main/docs/schema/plan.json"

// key is a key of a plan file, and how to read its value into T.
type key[T any] struct {
	name   string
	about  string // Markdown; docs/plans.md has it, too
	schema jsonschema.Schema
	read   func(r *reader, value *yaml.Node, to T) error
}

// Schema returns the JSON Schema of plan files.
func Schema() jsonschema.Schema {
	return jsonschema.Document(SchemaURL, "a plan of ckpt", object(planKeys()).With("required", []string{"steps"}))
}

// object returns the schema of a mapping that has no other keys.
func object[T any](keys []key[T]) jsonschema.Schema {
	all := map[string]jsonschema.Schema{}
	for _, k := range keys {
		all[k.name] = k.schema.With("description", k.about)
	}
	return jsonschema.Object(all, false)
}

// textSchema is the schema of a text, which may be any scalar.
func textSchema() jsonschema.Schema { return jsonschema.Types("string", "number", "boolean", "null") }

// planKeys returns the keys of a plan.
func planKeys() []key[*planNode] {
	title := jsonschema.AnyOf(jsonschema.Types("string").With("pattern", `\S`), jsonschema.Types("number", "boolean"))
	step := object(stepKeys()).With("required", []string{"id"})
	return []key[*planNode]{
		{"$schema", "The address of this schema, by which editors check a JSON file; has no other effect", textSchema(),
			func(r *reader, v *yaml.Node, _ *planNode) error { return r.text(v, new(string)) }},
		{"name", "Identifies the run; default: the file's name", title,
			func(r *reader, v *yaml.Node, p *planNode) error { return r.text(v, &p.plan.Name) }},
		{"query", "The request that the plan answers; becomes Session Intent", textSchema(),
			func(r *reader, v *yaml.Node, p *planNode) error { return r.text(v, &p.plan.Query) }},
		{"description", "Why the plan is needed; becomes Problem", textSchema(),
			func(r *reader, v *yaml.Node, p *planNode) error { return r.text(v, &p.plan.Problem) }},
		{"steps", "The steps, in any order", jsonschema.List(step).With("minItems", 1), (*reader).steps},
	}
}

// stepKeys returns the keys of a step.
func stepKeys() []key[*stepNode] {
	id := jsonschema.AnyOf(jsonschema.Types("string").With("pattern", idSyntax),
		jsonschema.Types("number").With("minimum", 0), jsonschema.Types("boolean"))
	program := jsonschema.Types("string", "number", "boolean").With("minLength", 1)
	command := jsonschema.Schema{"type": "array", "items": []jsonschema.Schema{program},
		"additionalItems": textSchema(), "minItems": 1}
	duration := jsonschema.AnyOf(jsonschema.Integer(), jsonschema.Match(jsonschema.Duration))
	retries := jsonschema.AnyOf(jsonschema.Integer().With("maximum", maxRetries),
		jsonschema.Match(`\+?0*([0-9]{1,3}|1000)`))
	env := jsonschema.Object(nil, textSchema()).With("propertyNames", jsonschema.Match("[^=]+"))
	states := []any{}
	for _, s := range statuses {
		states = append(states, s)
	}
	return []key[*stepNode]{
		{"id", "letters, digits, dots, dashes, underscores; required", id, func(r *reader, v *yaml.Node, s *stepNode) error {
			s.id = v
			return r.id(v, &s.step.ID)
		}},
		{"description", "text for people", textSchema(), func(r *reader, v *yaml.Node, s *stepNode) error {
			return r.text(v, &s.step.Description)
		}},
		{"action", "a shell command, or a list: a program and its arguments. A step without an action is for an agent " +
			"or a person: a run executes the steps that do not depend on it, then names it and ends with exit code 2",
			jsonschema.AnyOf(textSchema(), command), (*reader).action},
		{"parameters", "any YAML: the step gets it as JSON in `CKPT_PARAMETERS`, and each plain value in a variable " +
			"of its own (`CKPT_PARAM_QUARTER`)", jsonschema.Object(nil, true).OrNull(), (*reader).parameters},
		{"dependencies", "ids of steps that must be completed or skipped first",
			jsonschema.List(id).With("uniqueItems", true).OrNull(), (*reader).needs},
		{"timeout", "`30s`, `5m`; a bare number is seconds", duration, (*reader).timeout},
		{"retries", "how often a failed step is repeated at once", retries, (*reader).retries},
		{"env", "environment variables", env.OrNull(), (*reader).env},
		{"dir", "the working directory, relative to the repository's root", textSchema(),
			func(r *reader, v *yaml.Node, s *stepNode) error { return r.text(v, &s.step.Dir) }},
		{"status", "`completed` or `skipped` if the step need not run", jsonschema.Enum(states...), (*reader).status},
	}
}
