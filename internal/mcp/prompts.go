package mcp

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/term"
)

// saveRequest asks a model to record the state of its work.
const saveRequest = `Record where the work stands, so that a session that knows nothing can go on. Call checkpoint_delta with:
- changed: what changed since the last delta, in one sentence;
- done: words of each next action that is finished;
- decisions: what was decided since, with the reason;
- rules: what the user required since, word for word;
- state: what works, what does not yet, all that still holds of the old one;
- next: all that is left, the first one first, each with the exact file or command.
Where no checkpoint is current, call checkpoint_save with summary and resumePointer instead.`

func (s *server) addPrompts(to *sdk.Server) {
	to.AddPrompt(&sdk.Prompt{
		Name: "resume", Title: "Resume the work",
		Description: "The brief of a checkpoint, and the request to go on with its next action.",
		Arguments: []*sdk.PromptArgument{{Name: "id",
			Description: "the checkpoint, by its id or a prefix of it; the current one without"}},
	}, func(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		text, err := s.resumePrompt(ctx, req)
		if err != nil {
			return nil, spoken(err)
		}
		return asked("Resume from a checkpoint", text), nil
	})
	to.AddPrompt(&sdk.Prompt{
		Name: "checkpoint", Title: "Checkpoint the work", Description: "The request to record where the work stands.",
		Arguments: []*sdk.PromptArgument{{Name: "why", Description: "why now: a phase is over, a break, a handoff"}},
	}, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		text := saveRequest
		if why := req.Params.Arguments["why"]; why != "" {
			text += "\n\nWhy now: " + why
		}
		return asked("Record where the work stands", text), nil
	})
}

func (s *server) resumePrompt(ctx context.Context, req *sdk.GetPromptRequest) (string, error) {
	p, err := s.open(ctx, req.Session)
	if err != nil {
		return "", err
	}
	text, err := briefOf(ctx, p, resume.BriefRequest{ID: req.Params.Arguments["id"],
		Limit: brief.Limit{Bytes: protocol.Limit}})
	return "Go on with this work.\n\n" + text, err
}

func asked(description, text string) *sdk.GetPromptResult {
	return &sdk.GetPromptResult{Description: description, Messages: []*sdk.PromptMessage{{Role: "user",
		Content: &sdk.TextContent{Text: term.Plain(text)}}}}
}

// spoken returns an error with the hint as a part of its message.
func spoken(err error) error {
	if hint := fault.HintOf(err); hint != "" {
		return fmt.Errorf("%w (%s)", err, hint)
	}
	return err
}
