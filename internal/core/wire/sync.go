package wire

import "example.com/ckpt/internal/core/result"

// Sync is the answer of `ckpt sync`.
type Sync struct {
	Head
	Branch   string `json:"branch"`
	Upstream string `json:"upstream"`
	Received int    `json:"received"` // commits
	Sent     int    `json:"sent"`
	Merged   bool   `json:"merged"`
	DryRun   bool   `json:"dry_run"`

	CodeHere  int `json:"code_not_sent"`     // commits
	CodeThere int `json:"code_not_received"` // commits
	Rounds    int `json:"rounds"`

	Remarks []string `json:"remarks,omitempty"`
}

// FromSync is the answer that holds what went over.
func FromSync(s *result.Sync) Sync {
	return Sync{Head: head("sync"), Branch: s.Branch, Upstream: s.Upstream, Received: s.Received, Sent: s.Sent, Merged: s.Merged, DryRun: s.DryRun,
		CodeHere: s.CodeHere, CodeThere: s.CodeThere, Rounds: s.Rounds, Remarks: s.Remarks}
}
