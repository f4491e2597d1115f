package mcp

import (
	"context"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/explore"
	"example.com/ckpt/internal/fault"
)

// begun is the answer of checkpoint about an exploration; when it saves, it answers as checkpoint_save.
type begun struct {
	Goal      string   `json:"goal,omitempty"`
	StartedAt string   `json:"startedAt,omitempty"`
	ID        string   `json:"id,omitempty" jsonschema:"the checkpoint that holds the exploration"`
	Commit    string   `json:"commit,omitempty"`
	Pending   string   `json:"pending,omitempty"`
	Remarks   []string `json:"remarks,omitempty"`
}

// exploring lists the tools that are only for top-level agents.
var exploring = []string{"checkpoint", "rewind"}

type rewindArguments struct {
	Report string `json:"report" jsonschema:"what was found, what led nowhere, what is next"`
}

type rewound struct {
	Report  string   `json:"report"`
	Rewound bool     `json:"rewound"`
	ID      string   `json:"id"`
	Commit  string   `json:"commit,omitempty"`
	Remarks []string `json:"remarks,omitempty"`
}

func (s *server) addExploring(to *sdk.Server) {
	in := &jsonschema.Schema{
		Type: "object", AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		Properties: map[string]*jsonschema.Schema{
			"goal":          {Type: "string", Description: "what to find out"},
			"summary":       {Type: "object", Description: "as in checkpoint_save"},
			"resumePointer": {Type: "object", Description: "as in checkpoint_save"},
			"tokensUsed":    {Type: "number", Description: "by this session"},
		},
	}
	out := answers[saved]()
	maps.Copy(out.Properties, answers[begun]().Properties)
	out.Required, out.PropertyOrder = nil, nil
	add[map[string]any](s, to, changes, &sdk.Tool{
		Name: "checkpoint", Title: "Begin an exploration, or save", InputSchema: in, OutputSchema: out,
		Description: "With goal: begin an exploration, before many reads and searches for one answer; you must call rewind " +
			"before you stop. With summary and resumePointer: same as checkpoint_save.",
	}, s.checkpoint)
	to.AddReceivingMiddleware(s.offered)
	add[rewindArguments](s, to, changes, &sdk.Tool{
		Name: "rewind", Title: "End an exploration", OutputSchema: answers[rewound](),
		Description: "End the exploration that checkpoint began: your report stays in place of its notes.",
	}, func(ctx context.Context, c call, in rewindArguments) (answer, error) {
		r, err := explore.New(c.p).Rewind(ctx, explore.RewindRequest{Report: in.Report})
		if err != nil {
			return answer{}, err
		}
		return answer{text: withRemarks("Rewind requested.\nReport captured for context replacement.", r),
			value: rewound{Report: r.Exploration.Report, Rewound: true, ID: r.ID, Commit: r.Commit, Remarks: r.Remarks}}, nil
	})
}

// checkpoint begins an exploration or saves a checkpoint, because two specifications have a
// tool of this name. The arguments decide which one is meant.
func (s *server) checkpoint(ctx context.Context, c call, in map[string]any) (answer, error) {
	_, explores := in["goal"]
	_, saves := in["summary"]
	_, points := in["resumePointer"]
	saves = saves || points
	switch {
	case explores == saves:
		return answer{}, fault.New(fault.Usage, "checkpoint takes either goal, or summary and resumePointer").
			WithHint("goal begins an exploration, summary and resumePointer save a checkpoint, as checkpoint_save does")
	case saves:
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
	return answer{
		text: withRemarks("Checkpoint created.\nGoal: "+goal+
			"\nRun your investigation, then call rewind with a concise report.", r),
		value: begun{Goal: goal, StartedAt: checkpoint.FormatTime(r.Exploration.Started.Time), ID: r.ID, Commit: r.Commit,
			Pending: r.Pending, Remarks: r.Remarks},
	}, nil
}

// offered removes the tools that this agent may not use from the list.
func (s *server) offered(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		list, ok := result.(*sdk.ListToolsResult)
		if !ok || err != nil {
			return result, err
		}
		session, _ := req.GetSession().(*sdk.ServerSession)
		if session == nil {
			return result, err
		}
		if p, openErr := s.open(ctx, session); openErr == nil && explore.New(p).MayExplore() != nil {
			list.Tools = slices.DeleteFunc(list.Tools, func(t *sdk.Tool) bool { return slices.Contains(exploring, t.Name) })
		}
		return list, nil
	}
}
