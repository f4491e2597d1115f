package ckptref

import (
	"strings"

	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/text"
)

// The trailers that tell in which worktree and by whom an operation was made: all worktrees share the ref.
const (
	TrailerWorktree = "Checkpoint-Worktree" // the folder name and the random number of the worktree
	TrailerAgent    = "Checkpoint-Agent"
	TrailerSession  = "Checkpoint-Session"
)

// Maker tells in which worktree and by whom an operation on the ref was made. Unknown fields are empty.
type Maker struct {
	Folder   string // the name of the worktree's folder
	Worktree string // the random number that identifies the worktree
	Agent    string
	Session  string
}

// Trailers returns the trailers of an operation by the maker, made while branch was checked out at the commit head. An
// unknown value gets no trailer.
func (m Maker) Trailers(branch, head string) string {
	var b strings.Builder
	for _, line := range [...][2]string{
		{"Checkpoint-Branch", branch}, {"Checkpoint-Head", head}, {TrailerWorktree, m.Folder + " " + m.Worktree},
		{TrailerAgent, m.Agent}, {TrailerSession, m.Session},
	} {
		if value := text.OneLine(text.Printable(line[1])); value != "" {
			b.WriteString(line[0] + ": " + value + "\n")
		}
	}
	return b.String()
}

// MakerOf returns the maker of a commit.
func MakerOf(c log.Commit) Maker {
	last := func(trailer string) string {
		values := c.Trailers[trailer]
		if len(values) == 0 {
			return ""
		}
		return values[len(values)-1]
	}
	m := Maker{Folder: last(TrailerWorktree), Agent: last(TrailerAgent), Session: last(TrailerSession)}
	if i := strings.LastIndex(m.Folder, " "); i >= 0 {
		m.Folder, m.Worktree = m.Folder[:i], m.Folder[i+1:]
	}
	return m
}

// String returns the maker as the end of a sentence: "in api by claude in session 1a2b". An empty maker is "before the
// migration": only commits that are older than the ref have no maker.
func (m Maker) String() string {
	var parts []string
	if m.Folder != "" {
		parts = append(parts, "in "+m.Folder)
	}
	if m.Agent != "" {
		parts = append(parts, "by "+m.Agent)
	}
	if m.Session != "" {
		parts = append(parts, "in session "+strings.ToValidUTF8(m.Session[:min(len(m.Session), 12)], ""))
	}
	if len(parts) == 0 {
		return "before the migration"
	}
	return strings.Join(parts, " ")
}
