package plan

import (
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/fault"
)

func TestParse(t *testing.T) {
	p, err := Parse("plans/research.yaml", []byte(`
query: Find all competitors
steps:
  - id: 1
    description: Identify competitors
    action: [./find, "two words"]
    parameters: {industry: tools, limit: 3, deep: {a: [1]}}
  - id: fetch
    action: |
      curl x
    dependencies: [1]
    timeout: 90
    env: {A: b}
    dir: sub
    retries: 2
  - id: ask
    status: completed
`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "research" || p.Query != "Find all competitors" || len(p.Steps) != 3 {
		t.Errorf("got %+v", p)
	}
	one, fetch, ask := p.Steps[0], p.Steps[1], p.Steps[2]
	if one.ID != "1" || one.Args[1] != "two words" || one.Parameters != `{"deep":{"a":[1]},"industry":"tools","limit":3}` || one.Values["limit"] != "3" || len(one.Values) != 2 {
		t.Errorf("got %+v", one)
	}
	if fetch.Shell != "curl x" || fetch.Needs[0] != "1" || fetch.Timeout != 90*time.Second || fetch.Env["A"] != "b" || fetch.Dir != "sub" || fetch.Retries != 2 || fetch.Status != Pending {
		t.Errorf("got %+v", fetch)
	}
	if ask.Status != Completed || ask.Runs() || ask.Title() != "ask" {
		t.Errorf("got %+v", ask)
	}
}

// TestParseParameters reads aliases, and parameters that are left empty.
func TestParseParameters(t *testing.T) {
	p, err := Parse("p.yaml", []byte(`
steps:
  - {id: a, parameters: &same {x: &one 1, y: *one, z: }}
  - {id: b, parameters: *same}
  - {id: c, parameters: }
`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`{"x":1,"y":1,"z":null}`, `{"x":1,"y":1,"z":null}`, ""} {
		s := p.Steps[i]
		if s.Parameters != want || len(s.Values) != min(len(want), 2) || want != "" && s.Values["y"] != "1" {
			t.Errorf("%s: %q, %v", s.ID, s.Parameters, s.Values)
		}
	}
}

// TestParseSchema asserts that a JSON file may name its schema, as editors need.
func TestParseSchema(t *testing.T) {
	p, err := Parse("p.json", []byte(`{"$schema": "https://x/plan.json", "steps": [{"id": "a"}]}`))
	if err != nil || p.Name != "p" || len(p.Steps) != 1 {
		t.Errorf("got %+v, %v", p, err)
	}
}

// TestParseJSON reads escapes that YAML does not have, and asserts that errors name the line.
func TestParseJSON(t *testing.T) {
	p, err := Parse("p.json", []byte(`{"query": "Ship \ud83D\uDE80 \\ud83d\\ude80 a\/b \u00e9 \"", "steps": [{"id": "a"}]}`))
	if want := `Ship 🚀 \ud83d\ude80 a/b é "`; err != nil || p.Query != want {
		t.Errorf("got %+v, %v, want the query %s", p, err, want)
	}
	_, err = Parse("p.json", []byte("{\"query\": \"\\ud83d\\ude80\",\n\"stepps\": []}"))
	if err == nil || !strings.Contains(err.Error(), `line 2: unknown key "stepps"`) {
		t.Errorf("got %v", err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"empty", "", "p.yaml: the file is empty"},
		{"a comment", "# nothing\n", "p.yaml: the file is empty"},
		{"no steps", "name: x\n", "p.yaml: the plan has no steps"},
		{"empty steps", "steps: []\n", "p.yaml: the plan has no steps"},
		{"a list", "- id: 1\n", "line 1: a list has no place there"},
		{"a text", "steps: run\n", "line 1: a text has no place there"},
		{"unknown key", "stepps:\n  - id: 1\n", `line 1: unknown key "stepps"`},
		{"unknown key of a step", "steps:\n  - id: 1\n    depends: [2]\n", `line 3: unknown key "depends"`},
		{"a key twice", "steps:\n  - id: 1\n    id: 2\n", `line 3: mapping key "id" already defined at line 2`},
		{"no id", "steps:\n  - action: ls\n", "p.yaml: step 1 has no id"},
		{"no id at all", "steps:\n  - id: ''\n", `line 2: invalid id ""`},
		{"a bad id", "steps:\n  - id: a b\n", `line 2: invalid id "a b"`},
		{"an id twice", "steps:\n  - id: a\n  - id: b\n  - id: a\n", `line 4: the id "a" is repeated: line 2 has it, too`},
		{"unknown dependency", "steps:\n  - id: a\n    dependencies: [b]\n", `line 3: step "a" depends on "b", which does not exist`},
		{"dependency twice", "steps:\n  - id: b\n  - id: a\n    dependencies: [b, b]\n", `step "a" depends on "b" twice`},
		{"itself", "steps:\n  - id: a\n    dependencies: [a]\n", "line 2: steps wait for each other: a → a"},
		{"a circle", "steps:\n  - id: x\n    dependencies: [a]\n  - {id: a, dependencies: [b]}\n  - {id: b, dependencies: [c]}\n  - {id: c, dependencies: [a]}\n", "steps wait for each other: a → b → c → a"},
		{"a bad timeout", "steps:\n  - id: a\n    timeout: soon\n", `line 3: invalid time "soon" (want 30s, 5m)`},
		{"a bad number", "steps:\n  - id: a\n    retries: -1\n", `line 3: invalid number "-1" (want 0 to 1000)`},
		{"a bad status", "steps:\n  - id: a\n    status: done\n", `line 3: invalid status "done"`},
		{"an empty action", "steps:\n  - id: a\n    action: []\n", "line 3: the action names no program"},
		{"an action of keys", "steps:\n  - id: a\n    action: {run: x}\n", "line 3: a list of keys has no place there"},
		{"a bad variable", "steps:\n  - id: a\n    env: {'A=B': c}\n", `invalid name of a variable: "A=B"`},
		{"parameters in a list", "steps:\n  - id: a\n    parameters: [1]\n", "step 1: line 3: a list has no place there"},
		{"a list as a name", "steps:\n  - id: a\n    parameters: {deep: [{? [x]: 1, <<: {z: 1}}]}\n", "line 3: the name of a parameter is a text"},
		{"a list as a name by alias", "steps:\n  - id: a\n    parameters: {x: &x [1], ? *x : 1, <<: {z: 1}}\n", "line 3: the name of a parameter is a text"},
		{"a second document", "steps:\n  - id: a\n---\nsteps: []\n", "a second document begins here"},
		{"a colon", "steps:\n  - id: a: b\n", "line 2: mapping values are not allowed in this context"},
		{"a tab", "steps:\n  - id: a\n\tdescription: b\n", "line 2: found a tab character"},
		{"an open list", "name: x\nsteps: [\n  {id: a}\n", "did not find expected ',' or ']'"},
		{"a bad indent", "steps:\n  - id: a\n description: b\n", "line 2: did not find expected key"},
		{"an unknown anchor", "steps: *nothing\n", "unknown anchor 'nothing' referenced"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("p.yaml", []byte(tt.src))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want %s", err, tt.want)
			}
			if fault.KindOf(err) != fault.Invalid || !strings.HasPrefix(err.Error(), "p.yaml") {
				t.Errorf("kind %v: %v", fault.KindOf(err), err)
			}
		})
	}
}

// TestDefinition checks that a step's definition depends on what it does, and not on its name.
func TestDefinition(t *testing.T) {
	step := func(src string) string {
		p, err := Parse("p.yaml", []byte("steps:\n  - {id: b}\n  - {id: c}\n  - {id: a, "+src+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		return p.Steps[2].Definition()
	}
	was := step("action: ls, dependencies: [b, c]")
	for src, same := range map[string]bool{
		"action: ls, dependencies: [c, b]":                     true,
		"action: ls, dependencies: [b, c], description: Look":  true,
		"action: ls, dependencies: [b, c], status: skipped":    true,
		"action: [ls], dependencies: [b, c]":                   false,
		"action: ls -l, dependencies: [b, c]":                  false,
		"action: ls, dependencies: [b]":                        false,
		"action: ls, dependencies: [b, c], env: {A: b}":        false,
		"action: ls, dependencies: [b, c], dir: x":             false,
		"action: ls, dependencies: [b, c], timeout: 1s":        false,
		"action: ls, dependencies: [b, c], parameters: {a: 1}": false,
	} {
		if (step(src) == was) != same {
			t.Errorf("%s: same %v, want %v", src, !same, same)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("steps:\n  - id: a\n    action: ls\n  - {id: b, dependencies: [a]}\n")
	f.Add("steps:\n  - {id: a, parameters: {? [a] : 1, <<: {z: 1}}}\n")
	f.Add("{[a], <<: {z: 1}}\n")
	f.Add("steps: &s\n  - id: a\n    parameters: {x: *s}\n")
	f.Fuzz(func(t *testing.T, src string) {
		p, err := Parse("p.yaml", []byte(src))
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				t.Errorf("kind %v: %v", fault.KindOf(err), err)
			}
			return
		}
		if len(p.Steps) == 0 {
			t.Error("a plan without steps")
		}
	})
}
