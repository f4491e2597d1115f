package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/wire"
	"example.com/ckpt/internal/project"
)

type markArguments struct {
	Goal string `json:"goal" jsonschema:"what is to be found out"`
}

type marked struct {
	Goal      string `json:"goal"`
	StartedAt string `json:"startedAt"`
	ID        string `json:"id" jsonschema:"the checkpoint that holds the exploration"`
	Commit    string `json:"commit,omitempty"`
}

type rewindArguments struct {
	Report string `json:"report" jsonschema:"what was found, what led nowhere, and what comes next: concise, it stays in place of the exploration"`
}

type rewound struct {
	Report  string   `json:"report"`
	Rewound bool     `json:"rewound"`
	ID      string   `json:"id"`
	Commit  string   `json:"commit,omitempty"`
	Remarks []string `json:"remarks,omitempty"`
}

func (s *server) addExploring(to *sdk.Server) {
	add[markArguments, marked](s, to, changes, &sdk.Tool{
		Name: "checkpoint", Title: "Begin an exploration",
		Description: "Begin an exploration in the current checkpoint, before many intermediate reads and searches: notes go to a scratch until rewind puts your report in its place. One at a time; you must call rewind before you stop. For top-level agents only.",
	}, func(ctx context.Context, c call, in markArguments) (answer, error) {
		r, err := c.p.Mark(ctx, project.MarkRequest{Goal: in.Goal})
		if err != nil {
			return answer{}, err
		}
		return answer{
			"Checkpoint created.\nGoal: " + in.Goal + "\nRun your investigation, then call rewind with a concise report.",
			marked{in.Goal, checkpoint.FormatTime(r.Exploration.Started), r.ID, r.Commit},
		}, nil
	})
	add[rewindArguments, rewound](s, to, changes, &sdk.Tool{
		Name: "rewind", Title: "End an exploration",
		Description: "End the exploration that checkpoint began: the scratch goes, the report stays, as a delta, in one commit. Everything else that was changed meanwhile stays.",
	}, func(ctx context.Context, c call, in rewindArguments) (answer, error) {
		r, err := c.p.Rewind(ctx, project.RewindRequest{Report: in.Report})
		if err != nil {
			return answer{}, err
		}
		w := wire.FromReceipt(r)
		return answer{"Rewind requested.\nReport captured for context replacement.", rewound{r.Exploration.Report, true, w.ID, w.Commit, w.Remarks}}, nil
	})
}
