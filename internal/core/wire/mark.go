package wire

import "example.com/ckpt/internal/core/result"

// Mark is an exploration under way.
type Mark struct {
	Goal      string `json:"goal"`
	StartedAt string `json:"startedAt"`
}

// Details are what mark and rewind say besides the receipt, by the names of the
// tools they go by elsewhere.
type Details struct {
	Goal      string `json:"goal,omitempty"`
	Report    string `json:"report,omitempty"`
	Rewound   *bool  `json:"rewound,omitempty"`
	StartedAt string `json:"startedAt,omitempty"`
	RewoundAt string `json:"rewoundAt,omitempty"`
	Snapshot  string `json:"snapshot,omitempty"` // the ref that holds the files of the mark
	Saved     string `json:"saved,omitempty"`    // the ref that holds the files as rewind found them
}

func details(e *result.Exploration) *Details {
	if e == nil {
		return nil
	}
	d := &Details{StartedAt: stamp(e.Started), Snapshot: e.Snapshot, Saved: e.Saved}
	if e.Ended.IsZero() {
		d.Goal = e.Goal
		return d
	}
	rewound := e.Report != ""
	d.Report, d.Rewound, d.RewoundAt = e.Report, &rewound, stamp(e.Ended)
	return d
}
