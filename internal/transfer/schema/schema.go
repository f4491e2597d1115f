// Package schema reads and writes the checkpoints of other tools in JSON. There are
// three schemas: the checkpoint protocol (a summary and a resume pointer), a workflow
// agent (a state with phases, todos and decisions) and an executor (an AgentState with
// a plan and its results).
//
// Each field goes to the section or frontmatter key with its meaning, where people and briefs find it. The newest
// import is also stored unchanged, as a JSON block in the section Further Fields. An export returns that block, with
// later changes of the sections merged into its fields. To find these changes, a comment after the block has digests
// of the entries in which the sections and the import differed right after the import.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/fault"
)

// Name is the name of a schema.
type Name string

// The schemas, in the order in which a text is compared with them.
const (
	Protocol Name = "protocol"
	State    Name = "state"
	Agent    Name = "agent"
)

// Names returns all schemas, as the flag --schema accepts them.
func Names() []string { return []string{string(Protocol), string(Agent), string(State)} }

// Import is a JSON object that is a checkpoint of one of the schemas.
type Import struct {
	Name   Name
	Object value.Object
}

// IsJSON reports whether a text is meant as JSON and not as Markdown: it begins with an object or a
// list of objects.
func IsJSON(src []byte) bool {
	rest := bytes.TrimLeft(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(rest) == 0 || rest[0] != '{' && rest[0] != '[' {
		return false
	}
	inner := bytes.TrimLeft(rest[1:], " \t\r\n")
	if rest[0] == '[' && len(inner) > 0 && inner[0] == '{' { // a list of objects
		return IsJSON(inner)
	}
	return rest[0] == '{' && len(inner) > 0 && (inner[0] == '"' || inner[0] == '}') || json.Valid(rest)
}

// Read determines the schema of a JSON text by its fields, and parses it.
func Read(src []byte) (*Import, error) {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	v, err := value.Parse(src)
	if all := json.NewDecoder(bytes.NewReader(src)); err != nil && all.Decode(new(json.RawMessage)) == nil &&
		all.Decode(new(json.RawMessage)) == nil {
		return nil, fault.New(fault.Invalid, "%w", err).WithHint("%s", several)
	}
	if err != nil {
		return nil, err
	}
	if _, list := v.([]any); list {
		return nil, fault.New(fault.Invalid, "a checkpoint is one JSON object, and this is a list").WithHint("%s", several)
	}
	return Of(v)
}

// Of determines the schema of a value by its fields. If none matches, the error names what each
// schema needs.
func Of(v any) (*Import, error) {
	o, ok := v.(value.Object)
	if !ok {
		return nil, fault.New(fault.Invalid, "a checkpoint is a JSON object; %s", missing(value.Object{})).
			WithHint("%s", example)
	}
	o = whole(o)
	for _, name := range []Name{Protocol, State, Agent} {
		if lacks(o, name) == "" {
			return &Import{name, o}, nil
		}
	}
	return nil, fault.New(fault.Invalid, "the JSON fits no schema that ckpt knows; %s", missing(o)).
		WithHint("%s", example)
}

// several is the hint for an input with more than one object.
const several = "ckpt import makes a checkpoint of each"

// example is the hint for an object that fits no schema.
const example = "ckpt export --schema protocol shows one"

// whole returns o, or {"state": o} if o is a state that was given without its checkpoint.
func whole(o value.Object) value.Object {
	_, query := member[string](o, "query")
	_, plan := member[[]any](o, "plan")
	_, wrapped := value.Get(o, "state")
	_, index := value.Get(o, "currentStepIndex")
	_, phase := value.Get(o, "current_phase")
	if isState := query && plan || phase || index; isState && !wrapped {
		return value.Object{{Key: "state", Value: o}}
	}
	return o
}

// agentFields lists fields of a workflow agent's state. A state without a workflow_id must have at least one of them.
var agentFields = []string{"current_phase", "completed_phases", "pending_phases", "todos", "decisions",
	"files_modified", "agent_outputs"}

// lacks returns what an object lacks to fit a schema, or "".
func lacks(o value.Object, name Name) string {
	state, isObject := member[value.Object](o, "state")
	ofAgent := isObject && hasAny(state, agentFields)
	var all []string
	need := func(has bool, field string) {
		if !has {
			all = append(all, field)
		}
	}
	switch name {
	case Protocol:
		_, goal := member[string](o, "summary", "goal")
		_, next := member[string](o, "resumePointer", "nextAction")
		need(goal, "summary.goal")
		need(next, "resumePointer.nextAction")
	case Agent:
		_, workflow := member[string](o, "workflow_id")
		need(ofAgent || isObject && workflow, "workflow_id and state, or state with one of "+strings.Join(agentFields, ", "))
	case State:
		_, session := member[string](o, "sessionId")
		_, index := value.Get(state, "currentStepIndex")
		own := isObject && !ofAgent && (session || index) // if so, state.query and state.plan are optional
		_, query := member[string](state, "query")
		_, plan := member[[]any](state, "plan")
		need(own || query, "state.query")
		need(own || plan, "state.plan")
	}
	return strings.Join(all, " and ")
}

// missing describes what an object lacks for each schema.
func missing(o value.Object) string {
	return fmt.Sprintf("protocol needs %s; agent needs %s; state needs %s", lacks(o, Protocol), lacks(o, Agent),
		lacks(o, State))
}

func hasAny(o value.Object, keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		_, ok := value.Get(o, key)
		return ok
	})
}

// member returns the value at a path, if it is of type T.
func member[T any](v any, path ...string) (T, bool) {
	v, _ = value.Get(v, path...)
	t, ok := v.(T)
	return t, ok
}

// Target returns the id of the checkpoint that the import is for; "" if it names none or im is nil. It is the
// checkpointId, or else the save's own id if a checkpoint of the set has it. Tools may make a new id for each save.
func (im *Import) Target(set *checkpoint.Set) string {
	if im == nil {
		return ""
	}
	given, _ := value.Get(im.Object, "checkpointId")
	id, own := plain(given), im.About().ID
	if _, err := set.Whole(own); id == "" && fault.KindOf(err) != fault.NotFound {
		return own
	}
	return id
}

// About is the result of [Import.About].
type About struct {
	ID, Session, Workflow string
	Created               time.Time
}

// About returns the checkpoint, session and workflow that the import names, and when it was made.
func (im *Import) About() About {
	d := im.draft(im.Object)
	created, _ := checkpoint.ParseTime(d.created)
	return About{ID: d.id, Session: strings.TrimSpace(d.head["session"]), Workflow: strings.TrimSpace(d.head["workflow"]),
		Created: created}
}
