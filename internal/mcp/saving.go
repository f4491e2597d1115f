package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/transfer"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/transfer/schema"
)

const saveTool = "checkpoint_save"

// saved is the answer of checkpoint_save: the members that the three schemas require, and those of the receipt.
type saved struct {
	CheckpointID string   `json:"checkpointId"`        // the id of the checkpoint, for checkpoint_load and checkpoint_resume
	AgentID      string   `json:"agentId,omitempty"`   // the agent in the frontmatter
	SessionID    string   `json:"sessionId,omitempty"` // the session in the frontmatter
	CreatedAt    string   `json:"createdAt"`           // when it was saved, UTC
	Op           string   `json:"op"`                  // new, or delta if the checkpoint existed
	Path         string   `json:"path,omitempty"`      // the file, from the root of the repository
	Commit       string   `json:"commit,omitempty"`    // the commit with the change
	Committed    bool     `json:"committed"`
	Pending      string   `json:"pending,omitempty"` // why the change is safe but not published
	Remarks      []string `json:"remarks,omitempty"`
}

// save saves the checkpoint in the arguments of a call. It serves the tools checkpoint_save and checkpoint.
func save(ctx context.Context, c call, _ map[string]any) (answer, error) {
	im, err := given(c.Params.Arguments)
	if err != nil {
		return answer{}, err
	}
	r, err := transfer.New(c.p).Take(ctx, im)
	if err != nil {
		return answer{}, err
	}
	held, err := history.New(c.p).Show(ctx, r.ID)
	if err != nil {
		return answer{}, err
	}
	return answer{text: saidSaved(r, held), value: saved{
		CheckpointID: held.ID, AgentID: held.Field("agent"), SessionID: held.Field("session"),
		CreatedAt: checkpoint.FormatTime(held.Changed()), Op: r.Op, Path: r.Path,
		Commit: r.Commit, Committed: r.Commit != "", Pending: r.Pending, Remarks: r.Remarks,
	}}, nil
}

func (s *server) addSaving(to *sdk.Server) {
	input := open(schemaOf[saveArguments]())
	input.Properties["state"].Description = "of a session: query, plan, currentStepIndex, results, context, lastError; " +
		"of a workflow: current_phase, completed_phases, pending_phases, context, decisions, files_modified, todos, " +
		"agent_outputs"
	add[map[string]any](s, to, changes, &sdk.Tool{
		Name:  saveTool,
		Title: "Save a checkpoint",
		Description: "Begin a checkpoint if there is none for this work, or save a whole state. Give summary + " +
			"resumePointer; or sessionId + state; or workflow_id + step_name + state. To record progress use checkpoint_delta.",
		InputSchema: input,
	}, save, alsoTaken...)
}

// given parses the arguments as a checkpoint in one of the schemas. A description beside a state becomes metadata.
func given(arguments []byte) (*schema.Import, error) {
	v, err := value.Parse(arguments)
	if err != nil {
		return nil, err
	}
	o, _ := v.(value.Object)
	text, described := value.Get(o, "description")
	if _, state := value.Get(o, "state"); described && state {
		o = value.Set(value.Without(o, "description"), text, "metadata", "description")
	}
	return schema.Of(o)
}

// saidSaved returns the text for a model about a saved checkpoint.
func saidSaved(r *result.Receipt, c *checkpoint.Checkpoint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Checkpoint saved.\n\nCheckpoint ID: %s\n", c.ID)
	for _, line := range [][2]string{
		{"Workflow", c.Field("workflow")}, {"Step", cmp.Or(c.Field("step"), c.Field("phase"))}, {"Progress",
			c.Field("progress")},
		{"Name", c.Field("name")}, {"Next action", c.FirstAction()},
	} {
		if line[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", line[0], line[1])
		}
	}
	fmt.Fprintf(&b, "\nResume with: checkpoint_resume {\"id\": %q}", c.ID)
	return withRemarks(b.String(), r.Remarks)
}

// withRemarks appends remarks to a text.
func withRemarks(text string, remarks []string) string {
	return strings.Join(append([]string{text}, remarks...), "\n")
}

// alsoTaken lists the arguments of checkpoint_save that only programs use. The schema does
// not list them.
var alsoTaken = []string{
	"agentId", "projectId", "checkpoint_id", "id", "workflow_type", "step_number", "stepNumber", "createdAt",
	"created_at", "metadata", "tokensUsed",
}

// saveArguments has the arguments of checkpoint_save from three source documents (docs/sources.md).
type saveArguments struct {
	Summary *struct {
		Goal      string   `json:"goal" jsonschema:"as the task was given"`
		Completed []string `json:"completed,omitempty"`
		Pending   []string `json:"pending,omitempty" jsonschema:"most important first"`
		Decisions []string `json:"decisions,omitempty" jsonschema:"'Use SQS: it is there already'"`
	} `json:"summary,omitempty" jsonschema:"where the work stands"`
	ResumePointer *struct {
		NextAction     string `json:"nextAction" jsonschema:"a verb, a file or URL, what for"`
		CurrentContext string `json:"currentContext,omitempty" jsonschema:"the file in hand"`
		Phase          string `json:"phase,omitempty"`
	} `json:"resumePointer,omitempty" jsonschema:"where to go on"`
	SessionID    string         `json:"sessionId,omitempty" jsonschema:"later saves go to the same checkpoint"`
	WorkflowID   string         `json:"workflow_id,omitempty" jsonschema:"later saves go to the same checkpoint"`
	StepName     string         `json:"step_name,omitempty" jsonschema:"the step just finished"`
	State        map[string]any `json:"state,omitempty"`
	Name         string         `json:"name,omitempty" jsonschema:"a named checkpoint is never pruned"`
	Description  string         `json:"description,omitempty" jsonschema:"for people"`
	CheckpointID string         `json:"checkpointId,omitempty" jsonschema:"default: the one about this work"`
}
