package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/core/wire"
	"example.com/ckpt/internal/present"
	"example.com/ckpt/internal/project"
)

type deltaArguments struct {
	ID          string       `json:"id,omitempty" jsonschema:"the checkpoint, by its id or a prefix of it; the current one without"`
	Changed     string       `json:"changed" jsonschema:"what changed since the last delta, in one sentence"`
	Done        []string     `json:"done,omitempty" jsonschema:"next actions that are done: a part of the text of each, or its number as '#2'"`
	Decisions   []decision   `json:"decisions,omitempty" jsonschema:"what was decided since and must not be asked again"`
	State       string       `json:"state,omitempty" jsonschema:"the new current state, in place of the old one: what exists now, what works, what does not yet"`
	Next        []string     `json:"next,omitempty" jsonschema:"the new next actions, in place of the old ones, the first one first: a verb, a file, no context needed"`
	AddNext     []string     `json:"addNext,omitempty" jsonschema:"next actions to append; those that are there stay"`
	Artifacts   []artifact   `json:"artifacts,omitempty" jsonschema:"files that changed; without it git says which"`
	Transitions []transition `json:"transitions,omitempty" jsonschema:"items whose status changed"`
	Trigger     string       `json:"trigger,omitempty" jsonschema:"why now, in a word: phase, decision, task, handoff"`
}

type decision struct {
	What string `json:"what" jsonschema:"what was decided"`
	Why  string `json:"why,omitempty" jsonschema:"the reason"`
}

type artifact struct {
	Path        string `json:"path" jsonschema:"from the root of the repository"`
	Action      string `json:"action,omitempty" jsonschema:"created, modified or deleted"`
	Description string `json:"description,omitempty" jsonschema:"the change that matters"`
}

type transition struct {
	Item   string `json:"item"`
	Before string `json:"before"`
	After  string `json:"after"`
}

type archiveArguments struct {
	ID        string   `json:"id,omitempty" jsonschema:"the checkpoint, by its id or a prefix of it; the current one without"`
	Outcome   string   `json:"outcome,omitempty" jsonschema:"what was achieved, in a sentence; needed unless the file says it already"`
	Learnings []string `json:"learnings,omitempty" jsonschema:"what the project should remember, one sentence each"`
	Back      bool     `json:"back,omitempty" jsonschema:"the outcome becomes a step of the parent, which becomes current"`
	Force     bool     `json:"force,omitempty" jsonschema:"even while checkpoints that were forked from it are active"`
}

func (s *server) addChanging(to *sdk.Server) {
	add[deltaArguments, wire.Receipt](s, to, changes, &sdk.Tool{
		Name: "checkpoint_delta", Title: "Record progress",
		Description: "Record what changed: the one call to make after a finished step, a decision, and before you stop. Appends a delta to the checkpoint and brings its decisions, current state and next actions up to date, in one commit.",
	}, func(ctx context.Context, c call, in deltaArguments) (answer, error) {
		receipt, err := c.p.Delta(ctx, project.DeltaRequest{ID: in.ID, Note: in.progress(), NoArtifacts: len(in.Artifacts) > 0})
		return s.receipt(receipt, err)
	})
	add[archiveArguments, wire.Receipt](s, to, changes, &sdk.Tool{
		Name: "checkpoint_archive", Title: "Archive a checkpoint",
		Description: "End a checkpoint whose work is over: its outcome and learnings are written, the file moves to the archive, the learnings go to LEARNINGS.md, in one commit. ckpt reopen takes it up again.",
	}, func(ctx context.Context, c call, in archiveArguments) (answer, error) {
		receipt, err := c.p.Archive(ctx, project.ArchiveRequest{ID: in.ID, Outcome: in.Outcome, Learnings: in.Learnings, Back: in.Back, Force: in.Force})
		return s.receipt(receipt, err)
	})
}

// progress is the arguments as the format has them.
func (in deltaArguments) progress() checkpoint.Progress {
	note := checkpoint.Progress{Changed: in.Changed, Done: in.Done, State: in.State, Next: in.Next, AddNext: in.AddNext, Trigger: in.Trigger}
	for _, d := range in.Decisions {
		note.Decisions = append(note.Decisions, checkpoint.DecisionText(d.What, d.Why))
	}
	for _, a := range in.Artifacts {
		if a.Action == "" {
			a.Action = "modified"
		}
		note.Artifacts = append(note.Artifacts, checkpoint.Artifact{File: a.Path, Action: a.Action, Change: a.Description})
	}
	for _, t := range in.Transitions {
		note.Transitions = append(note.Transitions, checkpoint.Transition(t))
	}
	return note
}

// receipt is the answer of a deed that changed something.
func (s *server) receipt(r *report.Receipt, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	text, err := s.drawn(func(p present.Presenter) error { return p.Receipt(r) })
	return answer{text, wire.FromReceipt(r)}, err
}
