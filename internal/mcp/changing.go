package mcp

import (
	"cmp"
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/result"
)

type deltaArguments struct {
	ID        string     `json:"id,omitempty" jsonschema:"default: the current one"`
	Changed   string     `json:"changed" jsonschema:"what, in a sentence"`
	Done      []string   `json:"done,omitempty" jsonschema:"words of each finished action, or '#2'"`
	Decisions []decision `json:"decisions,omitempty" jsonschema:"what must not be asked again"`
	Rules     []string   `json:"rules,omitempty" jsonschema:"what the user requires, word for word"`
	State     string     `json:"state,omitempty" jsonschema:"what works, what does not"`
	Next      []string   `json:"next,omitempty" jsonschema:"in order, each with its file"`
	AddNext   []string   `json:"addNext,omitempty" jsonschema:"added to next"`
	Prompt    bool       `json:"prompt,omitempty" jsonschema:"add the user's words"`
	// If this is absent, ckpt takes the files that changed according to git.
	Artifacts   []artifact              `json:"artifacts,omitempty"`
	Transitions []checkpoint.Transition `json:"transitions,omitempty"`
	Trigger     string                  `json:"trigger,omitempty"`
}

type decision struct {
	What string `json:"what"`
	Why  string `json:"why,omitempty"`
}

type artifact struct {
	Path        string `json:"path"`
	Action      string `json:"action,omitempty"`
	Description string `json:"description,omitempty"`
}

type archiveArguments struct {
	ID        string   `json:"id,omitempty" jsonschema:"default: the current one"`
	Outcome   string   `json:"outcome,omitempty" jsonschema:"what was achieved"`
	Learnings []string `json:"learnings,omitempty" jsonschema:"what to know next time"`
	Back      bool     `json:"back,omitempty" jsonschema:"go back to the parent"`
	Force     bool     `json:"force,omitempty"` // archive even if forks of the checkpoint are active
}

func (s *server) addChanging(to *sdk.Server) {
	delta := schemaOf[deltaArguments]()
	rare := unlist(delta, "artifacts", "transitions", "trigger")
	add[deltaArguments](s, to, changes, &sdk.Tool{
		Name: "checkpoint_delta", Title: "Record progress", Meta: alwaysLoad, InputSchema: delta,
		Description: "Record progress, in one commit: before your final answer and after every finished part. Decisions " +
			"and rules are added; state and next replace the old ones: name all that still holds.",
	}, func(ctx context.Context, c call, in deltaArguments) (answer, error) {
		receipt, err := edit.New(c.p).Delta(ctx, edit.DeltaRequest{ID: in.ID, Note: in.progress(), Prompt: in.Prompt})
		return s.receipt(receipt, err)
	}, rare...)
	archive := schemaOf[archiveArguments]()
	forced := unlist(archive, "force")
	add[archiveArguments](s, to, changes, &sdk.Tool{
		Name: "checkpoint_archive", Title: "Archive a checkpoint", InputSchema: archive,
		Description: "End a checkpoint when all of its work is done; learnings go to LEARNINGS.md.",
	}, func(ctx context.Context, c call, in archiveArguments) (answer, error) {
		receipt, err := edit.New(c.p).Archive(ctx, edit.ArchiveRequest{ID: in.ID, Outcome: in.Outcome,
			Learnings: in.Learnings, Back: in.Back, Force: in.Force})
		return s.receipt(receipt, err)
	}, forced...)
}

// progress converts the arguments to a [revise.Progress].
func (in deltaArguments) progress() revise.Progress {
	note := revise.Progress{Changed: in.Changed, Done: in.Done, Rules: in.Rules, State: in.State, Next: in.Next,
		AddNext: in.AddNext, Transitions: in.Transitions, Trigger: in.Trigger}
	for _, d := range in.Decisions {
		note.Decisions = append(note.Decisions, checkpoint.DecisionText(d.What, d.Why))
	}
	for _, a := range in.Artifacts {
		note.Artifacts = append(note.Artifacts,
			checkpoint.Artifact{File: a.Path, Action: cmp.Or(a.Action, "modified"), Change: a.Description})
	}
	return note
}

// receipt returns the answer of a tool that changed something.
func (s *server) receipt(r *result.Receipt, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	return answerOf(s, "receipt", r, output.Receipt)
}
