package report

// Sync is what went between a branch and the remote one that it follows.
type Sync struct {
	Branch   string // "main"
	Upstream string // "origin/main"
	Received int    // commits that came
	Sent     int    // commits that went
	Merged   bool   // both had commits of their own: one that merges them is among those sent
	DryRun   bool   // nothing went: it is what would
	Remarks  []string
}
