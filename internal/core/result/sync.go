package result

// Sync is what went between a branch and the remote one that it follows.
type Sync struct {
	Branch   string // "main"
	Upstream string // "origin/main"
	Received int    // commits that came
	Sent     int    // commits that went
	Merged   bool   // both had commits of their own: one that merges them is among those sent
	DryRun   bool   // nothing went: it is what would

	CodeHere  int // commits with code here that were not sent
	CodeThere int // commits with code of the upstream that were not brought in
	Rounds    int // how often it fetched and, where there was something to send, pushed

	Remarks []string
}
