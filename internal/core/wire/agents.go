package wire

import "example.com/ckpt/internal/core/result"

// Agents is the answer of `ckpt setup --list` and `--check`.
type Agents struct {
	Head
	Complete bool    `json:"complete"` // all is there, of at least one agent
	Agents   []Agent `json:"agents"`
}

// Agent is one coding agent in one scope.
type Agent struct {
	Name     string  `json:"name"`
	Title    string  `json:"title"`
	Scope    string  `json:"scope,omitempty"`
	Complete bool    `json:"complete"`
	Pieces   []Piece `json:"pieces"`
	Remark   string  `json:"remark,omitempty"`
}

// Piece is one of the things that tie an agent to ckpt.
type Piece struct {
	What  string `json:"what"`
	Path  string `json:"path"`
	State string `json:"state"`
	Says  string `json:"says,omitempty"`
}

// FromAgents is the answer that says how agents stand.
func FromAgents(a *result.Agents) Agents {
	w := Agents{Head: head("agents"), Complete: a.Complete(), Agents: []Agent{}}
	for _, e := range a.Entries {
		entry := Agent{Name: e.Name, Title: e.Title, Scope: e.Scope, Complete: e.Complete(), Pieces: []Piece{}, Remark: e.Remark}
		for _, p := range e.Pieces {
			entry.Pieces = append(entry.Pieces, Piece(p))
		}
		w.Agents = append(w.Agents, entry)
	}
	return w
}
