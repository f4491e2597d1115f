package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/core/resume"
	"example.com/ckpt/internal/core/schema"
	"example.com/ckpt/internal/core/value"
	"example.com/ckpt/internal/core/wire"
	"example.com/ckpt/internal/present"
	"example.com/ckpt/internal/project"
)

type loadArguments struct {
	SessionID    string `json:"sessionId,omitempty" jsonschema:"the session whose latest checkpoint to load"`
	WorkflowID   string `json:"workflow_id,omitempty" jsonschema:"the workflow whose latest checkpoint to load"`
	CheckpointID string `json:"checkpointId,omitempty" jsonschema:"a certain checkpoint, by its id or a prefix of it, or a version of one as checkpoint_list names it (chk-auth@{2}); without any argument it is the current one"`
	Schema       string `json:"schema,omitempty" jsonschema:"the shape of the answer: protocol (summary and resumePointer), agent (phases and todos) or state (query, plan, results); without it the one that fits the arguments"`
}

// loaded is the answer of checkpoint_load.
type loaded struct {
	Found        bool         `json:"found"`
	CheckpointID string       `json:"checkpointId,omitempty"`
	Schema       string       `json:"schema,omitempty"`
	Checkpoint   value.Object `json:"checkpoint,omitempty"`
}

type listArguments struct {
	SessionID  string `json:"sessionId,omitempty" jsonschema:"only those of this session"`
	WorkflowID string `json:"workflow_id,omitempty" jsonschema:"only those of this workflow"`
	Archived   bool   `json:"archived,omitempty" jsonschema:"archived ones, too"`
	Limit      int    `json:"limit,omitempty" jsonschema:"at most so many, the last changed first"`
}

// listed is the answer of checkpoint_list.
type listed struct {
	wire.Overview
	Versions []listedSave `json:"versions,omitempty" jsonschema:"the saves of the session or workflow, the newest first"`
}

// listedSave is a save, by the names that an executor has for its checkpoints.
type listedSave struct {
	ID          string `json:"id" jsonschema:"for checkpoint_load and checkpoint_resume"`
	StepNumber  any    `json:"stepNumber,omitempty"`
	CreatedAt   any    `json:"createdAt,omitempty"`
	Description any    `json:"description,omitempty"`
	TriggerType any    `json:"triggerType,omitempty"`
	DurationMs  any    `json:"durationMs,omitempty"`
	Commit      string `json:"commit"`
	Op          string `json:"op,omitempty" jsonschema:"the operation that made it: new, delta, note, done"`
}

// maxVersions is how many saves of a session are listed.
const maxVersions = 100

type resumeArguments struct {
	ID     string `json:"id,omitempty" jsonschema:"the checkpoint, by its id or a prefix of it, or a version of one (chk-auth@{2}); the current one without"`
	Budget int    `json:"budget,omitempty" jsonschema:"at most so many tokens: what matters most is kept word for word"`
	New    bool   `json:"new,omitempty" jsonschema:"only what this session has not read yet"`
}

type validateArguments struct {
	ID string `json:"id,omitempty" jsonschema:"the checkpoint to check, by its id or a prefix of it; all of them without"`
}

func (s *server) addReading(to *sdk.Server) {
	load := schemaOf[loadArguments]()
	load.Properties["schema"].Enum = []any{string(schema.Protocol), string(schema.Agent), string(schema.State)}
	add[loadArguments, loadedSchema](s, to, reads, &sdk.Tool{
		Name: "checkpoint_load", Title: "Load a checkpoint", InputSchema: load,
		Description: "Load a checkpoint as data, as checkpoint_save took it: the latest of a session or workflow, a certain one, or the current one. found is false where there is none. To go on with the work, checkpoint_resume gives a better brief.",
	}, s.load)
	add[listArguments, listed](s, to, reads, &sdk.Tool{
		Name: "checkpoint_list", Title: "List checkpoints",
		Description: "List checkpoints, the last changed first: id, status, problem, next action, times. Active ones, unless archived is set. Of one session or workflow also every save, numbered: checkpoint_load takes each by its id (chk-auth@{2}).",
	}, s.list)
	add[resumeArguments, wire.Brief](s, to, reads, &sdk.Tool{
		Name: "checkpoint_resume", Title: "Resume from a checkpoint",
		Description: "Read the brief of a checkpoint at the start of a session: problem, intent, decisions that must not be asked again, current state, next actions, what changed in git since, learnings. Then go on with the first next action.",
	}, s.resume)
	add[validateArguments, wire.Report](s, to, reads, &sdk.Tool{
		Name: "checkpoint_validate", Title: "Check checkpoints",
		Description: "Check checkpoints against the format: findings with code, line, severity and what to do. Errors first need a hand: ckpt edit, or the file itself.",
	}, func(ctx context.Context, c call, in validateArguments) (answer, error) {
		var names []string
		if in.ID != "" {
			names = []string{in.ID}
		}
		found, err := c.p.Validate(ctx, names)
		if err != nil {
			return answer{}, err
		}
		text, err := s.drawn(func(p present.Presenter) error { return p.Report(found) })
		return answer{text, wire.FromReport(found)}, err
	})
}

func (s *server) list(ctx context.Context, c call, in listArguments) (answer, error) {
	if in.Limit < 0 {
		return answer{}, fault.New(fault.Usage, "limit %d: a number from 0", in.Limit)
	}
	found, err := c.p.List(ctx, project.ListRequest{Active: true, Archived: in.Archived, Limit: in.Limit, Of: project.Filter{Session: in.SessionID, Workflow: in.WorkflowID}})
	if err != nil {
		return answer{}, err
	}
	text, err := s.drawn(func(p present.Presenter) error { return p.List(found) })
	all := listed{Overview: wire.FromOverview("list", found)}
	if in.SessionID+in.WorkflowID == "" || err != nil {
		return answer{text, all}, err
	}
	for _, e := range found.Entries {
		if e.Unreadable != "" || len(all.Versions) >= maxVersions {
			continue
		}
		saves, err := c.p.Saves(ctx, e.ID, maxVersions-len(all.Versions))
		if err != nil && fault.KindOf(err) != fault.NotFound { // in no commit yet
			return answer{}, err
		}
		for _, v := range saves {
			all.Versions = append(all.Versions, listedSave{v.ID, v.Step, v.Created, v.Description, v.Trigger, v.Took, v.Commit, v.Op})
			text += fmt.Sprintf("\n%s  %s", v.ID, inWords(v))
		}
	}
	return answer{text, all}, nil
}

// inWords is a save in a line.
func inWords(s report.Save) string {
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
	as := schema.Name(in.Schema)
	id := in.CheckpointID
	if id == "" && in.SessionID+in.WorkflowID != "" {
		found, err := c.p.List(ctx, project.ListRequest{Active: true, Archived: true, Of: project.Filter{Session: in.SessionID, Workflow: in.WorkflowID}})
		if err != nil {
			return answer{}, err
		}
		for _, e := range found.Entries {
			if e.Unreadable == "" {
				id = e.ID
				break
			}
		}
		if id == "" {
			return answer{fmt.Sprintf("No checkpoint of %q.", in.SessionID+in.WorkflowID), loaded{}}, nil
		}
	}
	if as == "" {
		switch {
		case in.SessionID != "":
			as = schema.State
		case in.WorkflowID != "":
			as = schema.Agent
		default:
			as = schema.Protocol
		}
	}
	e, err := c.p.Export(ctx, id, "", as)
	if err != nil {
		return answer{}, err
	}
	text, err := value.Indented(e.Object)
	return answer{string(text), loaded{true, e.ID, string(e.Schema), e.Object}}, err
}

// loadedSchema is loaded as its schema is made of it.
type loadedSchema struct {
	Found        bool           `json:"found" jsonschema:"whether there is such a checkpoint"`
	CheckpointID string         `json:"checkpointId,omitempty"`
	Schema       string         `json:"schema,omitempty" jsonschema:"the shape of checkpoint: protocol, agent or state"`
	Checkpoint   map[string]any `json:"checkpoint,omitempty" jsonschema:"the checkpoint as checkpoint_save took it"`
}

func (s *server) resume(ctx context.Context, c call, in resumeArguments) (answer, error) {
	if in.Budget < 0 {
		return answer{}, fault.New(fault.Usage, "budget %d is no size", in.Budget)
	}
	brief, read, err := c.p.Brief(ctx, project.BriefRequest{ID: in.ID, New: in.New, Limit: resume.Limit{Tokens: in.Budget}})
	if err != nil {
		return answer{}, err
	}
	if brief == nil {
		text, err := c.p.Candidates(ctx, project.Filter{})
		return answer{text, wire.FromBrief(nil)}, err
	}
	text, err := s.drawn(func(p present.Presenter) error { return p.Brief(brief) })
	if err == nil {
		read()
	}
	return answer{text, wire.FromBrief(brief)}, err
}
