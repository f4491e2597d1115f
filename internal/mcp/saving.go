package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/core/schema"
	"example.com/ckpt/internal/core/value"
	"example.com/ckpt/internal/core/wire"
)

const saveTool = "checkpoint_save"

// saved is the answer of checkpoint_save: what each of the three schemas promises
// to give back, and the receipt.
type saved struct {
	CheckpointID string   `json:"checkpointId" jsonschema:"the id of the checkpoint, for checkpoint_load and checkpoint_resume"`
	AgentID      string   `json:"agentId,omitempty" jsonschema:"the agent that the checkpoint is signed with"`
	SessionID    string   `json:"sessionId,omitempty" jsonschema:"the session it belongs to"`
	CreatedAt    string   `json:"createdAt" jsonschema:"when the checkpoint was made, UTC"`
	Op           string   `json:"op" jsonschema:"new, or delta where a checkpoint was there already"`
	Path         string   `json:"path,omitempty" jsonschema:"the file, from the root of the repository"`
	Commit       string   `json:"commit,omitempty" jsonschema:"the commit that holds the change"`
	Committed    bool     `json:"committed"`
	Pending      string   `json:"pending,omitempty" jsonschema:"why the change is safe and not committed yet"`
	Remarks      []string `json:"remarks,omitempty"`
}

// save saves the arguments of a call, and returns the checkpoint that has them now.
func save(ctx context.Context, c call) (*report.Receipt, *checkpoint.Checkpoint, error) {
	im, err := given(c.Params.Arguments)
	if err != nil {
		return nil, nil, err
	}
	receipt, err := c.p.Take(ctx, im)
	if err != nil {
		return nil, nil, err
	}
	saved, err := c.p.Show(ctx, receipt.ID)
	return receipt, saved, err
}

func (s *server) addSaving(to *sdk.Server) {
	add[map[string]any, saved](s, to, changes, &sdk.Tool{
		Name:        saveTool,
		Title:       "Save a checkpoint",
		Description: "Save the state of the work so that another session can go on: as a delta of the checkpoint that is about it, else as a new checkpoint. Give ONE of three shapes: summary + resumePointer (what was done, what is pending, the exact next action); sessionId + state (query, plan, currentStepIndex, results, context); or workflow_id + step_name + state (phases, todos, decisions, files_modified). Whatever else the objects hold is kept. For a short report of progress use checkpoint_delta.",
		InputSchema: saveSchema(),
	}, func(ctx context.Context, c call, _ map[string]any) (answer, error) {
		receipt, held, err := save(ctx, c)
		if err != nil {
			return answer{}, err
		}
		return answer{saidSaved(held), savedAs(receipt, held)}, nil
	})
}

// given reads the arguments as a checkpoint of one of the schemas. What an executor
// calls its checkpoint belongs to the metadata.
func given(arguments []byte) (*schema.Import, error) {
	v, err := value.Parse(arguments)
	if err != nil {
		return nil, err
	}
	o, _ := v.(value.Object)
	if _, state := value.Get(o, "state"); state {
		for from, into := range map[string]string{"description": "description", "name": "name"} {
			if text, ok := value.Get(o, from); ok {
				if _, session := value.Get(o, "sessionId"); session {
					into = "description"
				}
				o = value.Set(value.Without(o, from), text, "metadata", into)
			}
		}
	}
	return schema.Of(o)
}

func savedAs(r *report.Receipt, c *checkpoint.Checkpoint) saved {
	w := wire.FromReceipt(r)
	return saved{
		CheckpointID: c.ID, AgentID: c.Field("agent"), SessionID: c.Field("session"), CreatedAt: checkpoint.FormatTime(c.Created()),
		Op: w.Op, Path: w.Path, Commit: w.Commit, Committed: w.Committed, Pending: w.Pending, Remarks: w.Remarks,
	}
}

// saidSaved is what a model reads of a checkpoint that was saved.
func saidSaved(c *checkpoint.Checkpoint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Checkpoint saved.\n\nCheckpoint ID: %s\n", c.ID)
	for _, line := range [][2]string{
		{"Workflow", c.Field("workflow")}, {"Step", cmp.Or(c.Field("step"), c.Field("phase"))}, {"Progress", c.Field("progress")},
		{"Name", c.Field("name")}, {"Next action", c.FirstAction()},
	} {
		if line[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", line[0], line[1])
		}
	}
	fmt.Fprintf(&b, "\nResume with: checkpoint_resume {\"id\": %q}", c.ID)
	return b.String()
}

// saveSchema is the arguments of three schemas side by side. Which of them are
// needed together is said where they are read, in words.
func saveSchema() *jsonschema.Schema {
	text := func(says string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Description: says} }
	number := func(says string) *jsonschema.Schema { return &jsonschema.Schema{Type: "number", Description: says} }
	list := func(says string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Description: says, Items: &jsonschema.Schema{Type: "string"}}
	}
	object := func(says string, properties map[string]*jsonschema.Schema, required ...string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "object", Description: says, Properties: properties, Required: required}
	}
	all := object("", map[string]*jsonschema.Schema{
		"summary": object("What the work is for and where it stands.", map[string]*jsonschema.Schema{
			"goal":      text("One sentence: the overall objective, as the task was given."),
			"completed": list("What was accomplished, in the past tense, specific enough not to be done again."),
			"pending":   list("What remains, the most important first."),
			"decisions": list("Decisions that affect what comes, with their reason: 'Use SQS: it is there already'."),
		}, "goal"),
		"resumePointer": object("Where to go on.", map[string]*jsonschema.Schema{
			"nextAction":     text("The exact next step, to be taken without any other context: a verb, a file or URL, what for."),
			"currentContext": text("What is in hand: the file being edited, the page being read."),
			"phase":          text("The phase of the workflow."),
		}, "nextAction"),
		"tokensUsed":    number("Tokens that the session has used."),
		"sessionId":     text("The session whose state this is. Its later saves go to the same checkpoint."),
		"state":         {Type: "object", Description: "The state itself. With sessionId: query, plan [{id, description, action, parameters, status, dependencies}], currentStepIndex, results, context, lastError. With workflow_id: current_phase, completed_phases, pending_phases, context, decisions [{phase, decision, rationale}], files_modified, todos [{content, status}], agent_outputs."},
		"description":   text("A name for the checkpoint that a person understands."),
		"workflow_id":   text("The workflow whose state this is. Its later saves go to the same checkpoint."),
		"workflow_type": text("The kind of workflow."),
		"step_name":     text("The step that was just finished."),
		"step_number":   number("Its number."),
		"name":          text("A name to find the checkpoint by; named ones are never pruned."),
		"metadata":      {Type: "object", Description: "parent_checkpoint, branch, trigger, estimated_completion; or triggerType, durationMs, tokenUsage."},
		"checkpointId":  text("The checkpoint to save to; made where it is not there."),
		"checkpoint_id": text("The same, as workflows call it."),
		"id":            text("The same, as executors call it."),
		"agentId":       text("Who works."),
		"projectId":     text("The project."),
		"stepNumber":    number("The position in the plan."),
		"createdAt":     text("When the state was as it is, ISO 8601."),
		"created_at":    text("The same, as workflows call it."),
	})
	all.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	return all
}
