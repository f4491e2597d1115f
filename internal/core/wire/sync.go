package wire

import "example.com/ckpt/internal/core/report"

// Sync is the answer of `ckpt sync`.
type Sync struct {
	Head
	Branch   string   `json:"branch"`
	Upstream string   `json:"upstream"`
	Received int      `json:"received"` // commits
	Sent     int      `json:"sent"`
	Merged   bool     `json:"merged"`
	DryRun   bool     `json:"dry_run"`
	Remarks  []string `json:"remarks,omitempty"`
}

// FromSync is the answer that holds what went over.
func FromSync(s *report.Sync) Sync {
	return Sync{head("sync"), s.Branch, s.Upstream, s.Received, s.Sent, s.Merged, s.DryRun, s.Remarks}
}
