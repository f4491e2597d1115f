package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/transfer"
	"example.com/ckpt/internal/transfer/schema"
)

type loadArguments struct {
	SessionID    string `json:"sessionId,omitempty" jsonschema:"the latest of this session"`
	WorkflowID   string `json:"workflow_id,omitempty" jsonschema:"the latest of this workflow"`
	CheckpointID string `json:"checkpointId,omitempty" jsonschema:"default: the current one; chk-auth@{2} is a version"`
	Schema       string `json:"schema,omitempty" jsonschema:"default: as it was saved"`
}

// loaded is the answer of checkpoint_load.
type loaded struct {
	Found        bool         `json:"found"` // whether the checkpoint exists
	CheckpointID string       `json:"checkpointId,omitempty"`
	Schema       string       `json:"schema,omitempty"`     // the schema of checkpoint: protocol, agent or state
	Checkpoint   value.Object `json:"checkpoint,omitempty"` // the checkpoint in that schema
}

type listArguments struct {
	SessionID  string `json:"sessionId,omitempty" jsonschema:"with its versions"`
	WorkflowID string `json:"workflow_id,omitempty" jsonschema:"with its versions"`
	Archived   bool   `json:"archived,omitempty" jsonschema:"also archived ones"`
	Limit      int    `json:"limit,omitempty" jsonschema:"at most so many, and so many versions"`
}

// listed is the answer of checkpoint_list.
type listed struct {
	result.Overview
	Versions []result.Save `json:"versions,omitempty"` // the saves of the session or workflow, the newest first
}

// maxVersions is the maximum number of saves that checkpoint_list returns.
const maxVersions = 100

type resumeArguments struct {
	ID     string `json:"id,omitempty" jsonschema:"default: the current one"`
	Budget int    `json:"budget,omitempty" jsonschema:"tokens; default: 9,500 bytes"`
	New    bool   `json:"new,omitempty" jsonschema:"only what this session has not read"`
}

type validateArguments struct {
	ID string `json:"id,omitempty" jsonschema:"default: all"`
}

func (s *server) addReading(to *sdk.Server) {
	load := schemaOf[loadArguments]()
	load.Properties["schema"].Enum = []any{string(schema.Protocol), string(schema.Agent), string(schema.State)}
	add[loadArguments](s, to, reads, &sdk.Tool{
		Name: "checkpoint_load", Title: "Load a checkpoint", InputSchema: load,
		Description: "Load a checkpoint as JSON, as checkpoint_save took it. To go on with the work use checkpoint_resume.",
	}, s.load)
	add[listArguments](s, to, reads, &sdk.Tool{
		Name: "checkpoint_list", Title: "List checkpoints",
		Description: "List active checkpoints, the last changed first.",
	}, s.list)
	add[resumeArguments](s, to, reads, &sdk.Tool{
		Name: "checkpoint_resume", Title: "Resume from a checkpoint", Meta: alwaysLoad,
		Description: "Read the brief at the start of a session, unless you were shown it; then go on with its next action.",
	}, s.resume)
	add[validateArguments](s, to, reads, &sdk.Tool{
		Name: "checkpoint_validate", Title: "Check checkpoints",
		Description: "Check files against the format, after an edit by hand.",
	}, func(ctx context.Context, c call, in validateArguments) (answer, error) {
		var names []string
		if in.ID != "" {
			names = []string{in.ID}
		}
		found, err := query.New(c.p).Validate(ctx, names)
		if err != nil {
			return answer{}, err
		}
		return answerOf(s, "report", found, output.Report)
	})
}

func (s *server) list(ctx context.Context, c call, in listArguments) (answer, error) {
	if in.Limit < 0 {
		return answer{}, fault.New(fault.Usage, "limit %d: a number from 0", in.Limit)
	}
	found, err := query.New(c.p).List(ctx, query.ListRequest{Active: true, Archived: in.Archived, Limit: in.Limit,
		Of: progress.Filter{Session: in.SessionID, Workflow: in.WorkflowID}})
	if err != nil {
		return answer{}, err
	}
	shown, err := answerOf(s, "list", found, output.List)
	if in.SessionID+in.WorkflowID == "" || err != nil {
		return shown, err
	}
	all, most := &listed{Overview: *found}, min(cmp.Or(in.Limit, maxVersions), maxVersions)
	for _, e := range found.Entries {
		if e.Unreadable != "" || len(all.Versions) >= most {
			continue
		}
		saves, err := transfer.New(c.p).Saves(ctx, e.ID, most-len(all.Versions))
		if err != nil && fault.KindOf(err) != fault.NotFound { // the checkpoint may not be committed yet
			return answer{}, err
		}
		for _, v := range saves {
			all.Versions = append(all.Versions, v)
			shown.text += fmt.Sprintf("\n%s  %s", v.ID, inWords(v))
		}
	}
	shown.value = all
	return shown, nil
}

// inWords describes a save in one line.
func inWords(s result.Save) string {
	var words []string
	for _, v := range []struct {
		name string
		is   any
	}{{"", s.Created}, {"step ", s.Step}, {"", s.Trigger}, {"", s.Description}} {
		if text := fmt.Sprint(v.is); v.is != nil && text != "" {
			words = append(words, v.name+text)
		}
	}
	return strings.Join(words, ", ")
}

func (s *server) load(ctx context.Context, c call, in loadArguments) (answer, error) {
	id := in.CheckpointID
	if id == "" && in.SessionID+in.WorkflowID != "" {
		found, err := query.New(c.p).List(ctx, query.ListRequest{Active: true, Archived: true,
			Of: progress.Filter{Session: in.SessionID, Workflow: in.WorkflowID}})
		if err != nil {
			return answer{}, err
		}
		i := slices.IndexFunc(found.Entries, func(e *result.Entry) bool { return e.Unreadable == "" })
		if i < 0 {
			return answer{text: fmt.Sprintf("No checkpoint of %q.", in.SessionID+in.WorkflowID), value: loaded{}}, nil
		}
		id = found.Entries[i].ID
	}
	unsaved := schema.Protocol
	switch {
	case in.SessionID != "":
		unsaved = schema.State
	case in.WorkflowID != "":
		unsaved = schema.Agent
	}
	e, err := transfer.New(c.p).Load(ctx, id, schema.Name(in.Schema), unsaved)
	if err != nil {
		return answer{}, err
	}
	text, err := value.Indented(e.Object)
	return answer{text: string(text),
		value: loaded{Found: true, CheckpointID: e.ID, Schema: string(e.Schema), Checkpoint: e.Object}}, err
}

// resume answers with a brief or, if no checkpoint is current, with what the user said or a list of checkpoints.
func (s *server) resume(ctx context.Context, c call, in resumeArguments) (answer, error) {
	if in.Budget < 0 {
		return answer{}, fault.New(fault.Usage, "invalid budget %d (want tokens, from 1)", in.Budget)
	}
	req := resume.BriefRequest{ID: in.ID, New: in.New, Limit: brief.Limit{Tokens: in.Budget}}
	if in.Budget == 0 {
		req.Limit.Bytes = protocol.Limit
	}
	resumer := resume.New(c.p)
	b, read, err := resumer.Brief(ctx, req)
	if err != nil {
		return answer{}, err
	}
	if b == nil {
		b = resumer.Said(req.Limit)
	}
	if b == nil {
		text, err := resumer.Candidates(ctx, progress.Filter{})
		return answer{text: text + "\ncheckpoint_list shows all, checkpoint_save begins one."}, err
	}
	if b.Text == "" {
		return answer{}, fault.New(fault.Refused, "the brief needs %s, the budget is %s", b.Needs, req.Limit)
	}
	read()
	return answer{text: withRemarks(b.Text, b.Brief.Warnings)}, nil
}
