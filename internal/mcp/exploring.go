package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/explore"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
)

// explored is the answer of the tool rewind, and of the tool checkpoint if it begins an exploration. If the tool
// checkpoint saves a checkpoint, its answer is that of [save].
type explored struct {
	*result.Exploration
	ID      string   `json:"id"` // the checkpoint with the exploration
	Commit  string   `json:"commit,omitempty"`
	Pending string   `json:"pending,omitempty"`
	Remarks []string `json:"remarks,omitempty"`
}

type exploreArguments struct {
	Goal          string         `json:"goal,omitempty" jsonschema:"what to find out"`
	Summary       map[string]any `json:"summary,omitempty" jsonschema:"as in checkpoint_save"`
	ResumePointer map[string]any `json:"resumePointer,omitempty" jsonschema:"as in checkpoint_save"`
	TokensUsed    float64        `json:"tokensUsed,omitempty" jsonschema:"by this session"`
}

type rewindArguments struct {
	Report string `json:"report" jsonschema:"what was found, what led nowhere, what is next"`
}

func (s *server) addExploring(to *sdk.Server) {
	add[map[string]any](s, to, changes, &sdk.Tool{
		Name: "checkpoint", Title: "Begin an exploration, or save", InputSchema: open(schemaOf[exploreArguments]()),
		Description: "With goal: begin an exploration, before many reads and searches for one answer; you must call rewind " +
			"before you stop. With summary and resumePointer: same as checkpoint_save.",
	}, s.checkpoint, "agentId", "checkpointId", "createdAt")
	add[rewindArguments](s, to, changes, &sdk.Tool{
		Name: "rewind", Title: "End an exploration",
		Description: "End the exploration that checkpoint began: your report stays in place of its notes.",
	}, func(ctx context.Context, c call, in rewindArguments) (answer, error) {
		r, err := explore.New(c.p).Rewind(ctx, explore.RewindRequest{Report: in.Report})
		if err != nil {
			return answer{}, err
		}
		return explorationOf("Rewind requested.\nReport captured for context replacement.", r), nil
	})
}

// checkpoint is the tool checkpoint of two specifications: with a goal it begins an exploration, and otherwise it
// saves a checkpoint.
func (s *server) checkpoint(ctx context.Context, c call, in map[string]any) (answer, error) {
	delete(in, "tokensUsed") // allowed with a goal, too
	_, explores := in["goal"]
	switch {
	case len(in) == 0, explores && len(in) > 1:
		return answer{}, fault.New(fault.Usage, "checkpoint takes either goal, or summary and resumePointer").
			WithHint("goal begins an exploration, summary and resumePointer save a checkpoint, as checkpoint_save does")
	case !explores:
		return save(ctx, c, in)
	}
	goal, ok := in["goal"].(string)
	if !ok {
		return answer{}, fault.New(fault.Usage, "invalid goal (want a text)")
	}
	r, err := explore.New(c.p).Mark(ctx, goal)
	if err != nil {
		return answer{}, err
	}
	return explorationOf("Checkpoint created.\nGoal: "+goal+
		"\nRun your investigation, then call rewind with a concise report.", r), nil
}

func explorationOf(said string, r *result.Receipt) answer {
	return answer{text: withRemarks(said, r.Remarks), value: explored{Exploration: r.Exploration, ID: r.ID,
		Commit: r.Commit, Pending: r.Pending, Remarks: r.Remarks}}
}
