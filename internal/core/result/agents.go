package result

// Agents says how coding agents are tied to ckpt.
type Agents struct {
	Entries []Agent
}

// Complete says whether all that is asked for is there, and anything is.
func (a *Agents) Complete() bool {
	for _, e := range a.Entries {
		if !e.Complete() {
			return false
		}
	}
	return len(a.Entries) > 0
}

// Agent is one agent in one scope.
type Agent struct {
	Name, Title string
	Scope       string // "project", "user", "local"; "" for one that is set up in none
	Pieces      []Piece
	Remark      string // why there is nothing to be there
}

// Piece is one of the things that are to be there.
type Piece struct {
	What  string // "hooks"
	Path  string // from the repository's root, or whole
	State string // "present", "absent", "stale", "edited", "unreadable"
	Says  string // what there is to say of it
}

// Complete says whether all is there that setup would write. What the user has
// edited is as the user wants it.
func (a *Agent) Complete() bool {
	if a.Scope == "" {
		return false
	}
	for _, p := range a.Pieces {
		if p.State != "present" && p.State != "edited" {
			return false
		}
	}
	return true
}

// SetUp says whether the agent calls ckpt at all: the first piece is what does.
func (a *Agent) SetUp() bool { return len(a.Pieces) > 0 && a.Pieces[0].State != "absent" }
