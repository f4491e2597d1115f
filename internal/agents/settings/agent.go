// Package settings is the coding agents: where each of them looks for hooks, skills
// and instructions, and how it wants them said.
//
// It turns the bytes of a file into the bytes that it is to hold, and back: what
// [Piece.Add] put in, [Piece.Drop] takes out again to the last byte. Nothing else in
// a file is touched: not the order of keys, the indent, the line ends, nor what other
// tools wrote. It refuses a file that it cannot read as the agent would (comments,
// a key that stands twice), with the line.
package settings

import (
	"bytes"
	"strings"

	"example.com/ckpt/internal/core/fault"
)

// Scope says for whom an agent is set up.
type Scope string

// The scopes: everybody who works in the repository, one person in all repositories,
// one person in this repository.
const (
	Project Scope = "project"
	User    Scope = "user"
	Local   Scope = "local"
)

// Agent is one coding agent.
type Agent struct {
	Name  string // as it is typed: "claude"
	Title string // as it is called: "Claude Code"

	home     folder           // where its user's settings are
	hooks    map[Scope]string // the file with its hooks, from the scope's folder
	form     form             // how a hook is written there
	plugin   bool             // that file is a program, all of it ours
	skill    map[Scope]string // its skills folder, likewise
	status   map[Scope]string // the file with its status line, which is one person's own
	servers  servers          // where it looks for servers
	permits  permissions      // how it is allowed to run ckpt without asking
	memory   string           // the file of instructions that it reads
	handlers []handler        // what is to be called
}

// All are the agents that can be set up. Claude Code comes first: Copilot CLI reads
// its settings, too.
func All() []Agent { return []Agent{claude(), codex(), gemini(), copilot(), openCode(), cursor()} }

// Find is the agent with a name.
func Find(name string) (Agent, error) {
	var names []string
	for _, a := range All() {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return Agent{}, fault.New(fault.Usage, "%q is no agent that ckpt can set up", name).
		WithHint("ckpt setup %s", strings.Join(names, "|"))
}

// Ground is where an agent is to be set up.
type Ground struct {
	Scope  Scope
	Folder string              // the checkpoints folder, from the repository's root
	Memory string              // the file of instructions that it reads there: see [Agent.Memory]
	Tools  bool                // the agent has, or is to have, the tools of ckpt mcp
	Getenv func(string) string // required for User
}

// Pieces are what is to be there. In the repository: hooks, skill and instructions; for
// one person alone the hooks, and the skill where it is not the repository's.
func (a Agent) Pieces(g Ground) ([]Piece, error) {
	file, ok := a.hooks[g.Scope]
	if !ok {
		return nil, fault.New(fault.Usage, "%s has no settings for one person in one repository", a.Title).
			WithHint("ckpt setup %s, or ckpt setup %s --user", a.Name, a.Name)
	}
	if g.Scope == User && home(g.Getenv) == "" {
		return nil, fault.New(fault.Usage, "HOME is not set, so nobody knows where the user's settings of %s are", a.Title)
	}
	at := func(path, what string) place {
		rest, commons := strings.CutPrefix(path, "~/")
		switch {
		case g.Scope != User:
			return place{"", path, what}
		case commons:
			return place{home(g.Getenv), home(g.Getenv) + "/" + rest, what}
		}
		top, dir := a.home.in(g.Getenv)
		return place{top, dir + "/" + path, what}
	}
	var all []Piece
	if a.plugin {
		all = append(all, whole{at(file, "plugin"), sealed(openCodeText)})
	} else {
		all = append(all, settings{at(file, "hooks"), a})
	}
	if dir, ok := a.skill[g.Scope]; ok {
		all = append(all, whole{at(dir+"/checkpoint/SKILL.md", "skill"), inFolder(skillText, g.Folder)}, whole{at(dir+"/handoff/SKILL.md", "skill"), sealed(handoffText)})
	}
	if file, ok := a.status[g.Scope]; ok {
		all = append(all, statusLine{at(file, StatusPiece), a})
	}
	if path, ok := a.servers.in[g.Scope]; ok {
		if at := at(path, serverPiece); strings.HasSuffix(path, ".toml") {
			all = append(all, newTOMLServer(at))
		} else {
			all = append(all, server{at, a.servers.key, a.servers.oneList})
		}
	}
	if path, ok := a.permits.in[g.Scope]; ok {
		all = append(all, a.permits.piece(at(path, PermissionPiece), g.Tools))
	}
	if g.Scope == Project {
		all = append(all, block{at(g.Memory, "instructions"), instructions(g.Folder, g.Memory == claudeMemory), markdownMarks})
	}
	return all, nil
}

// serverPiece is what the entry of `ckpt mcp` is called.
const serverPiece = "mcp"

// Optional says whether a piece is there only where it was asked for.
func Optional(p Piece) bool { return p.What() == serverPiece || IsStatusLine(p) }

// servers is where an agent looks for servers of the Model Context Protocol.
type servers struct {
	in      map[Scope]string // the file, as for hooks
	key     string           // the object in it; "" in TOML
	oneList bool             // how an entry is written: see [server]
}

// Memories are the files of instructions that agents read.
func Memories() []string { return []string{claudeMemory, commonMemory} }

// Memory is the file that an agent's instructions belong into. Claude Code reads
// AGENTS.md only where there is no CLAUDE.md, or where that one names it: to begin
// a CLAUDE.md beside it would take AGENTS.md away from it.
func (a Agent) Memory(read func(name string) []byte, same bool) string {
	if a.memory == commonMemory || same {
		return commonMemory
	}
	own := read(claudeMemory)
	if own == nil && read(commonMemory) != nil {
		return commonMemory
	}
	for line := range bytes.Lines(own) {
		if strings.TrimSpace(string(line)) == "@"+commonMemory {
			return commonMemory
		}
	}
	return a.memory
}

// folder is a folder below the user's home. A variable can move it, or what it is in.
type folder struct{ variable, inside, home string }

// in is the folder, and the one above it that was there before any agent.
func (f folder) in(getenv func(string) string) (top, dir string) {
	if f.variable != "" {
		if top = variable(getenv, f.variable); top != "" {
			return top, top + f.inside
		}
	}
	return home(getenv), home(getenv) + "/" + f.home
}

// home is the user's home, "" where the environment knows none.
func home(getenv func(string) string) string {
	if dir := variable(getenv, "HOME"); dir != "" {
		return dir
	}
	return variable(getenv, "USERPROFILE")
}

// variable is a folder that the environment names, as a slash path.
func variable(getenv func(string) string, name string) string {
	return strings.TrimRight(strings.ReplaceAll(getenv(name), `\`, "/"), "/")
}
