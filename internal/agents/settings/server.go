package settings

import (
	"bytes"
	"encoding/json"
	"strings"
)

// serverName is what agents call the server of ckpt.
const serverName = "ckpt"

// server is the entry of `ckpt mcp` in a JSON file that lists an agent's servers.
type server struct {
	place
	key     string // the object that holds them: "mcpServers"
	oneList bool   // program and arguments are one list, and the kind is said: OpenCode
}

// entry is the server as the file is to say it.
func (s server) entry() item {
	if s.oneList {
		return member(serverName, object(member("type", scalar("local")), member("command", list(scalar("ckpt"), scalar("mcp")))))
	}
	return member(serverName, object(member("command", scalar("ckpt")), member("args", list(scalar("mcp")))))
}

// read parses the file and refuses what an edit could not be sure of. ours is the
// entry of that name, nil for none.
func (s server) read(src []byte) (root, ours *node, err error) {
	if root, err = parse(src); err != nil {
		return nil, nil, err
	}
	if root.kind != '{' {
		return nil, nil, invalid(src, root.start, "the settings are %s and no object", kindName(root))
	}
	if err := unique(src, root); err != nil {
		return nil, nil, err
	}
	servers := root.member(s.key)
	if servers == nil {
		return root, nil, nil
	}
	if servers.kind != '{' {
		return nil, nil, invalid(src, servers.keyStart, "%q is %s and no object", s.key, kindName(servers))
	}
	return root, servers.member(serverName), unique(src, servers)
}

// State implements [Piece]. An entry that says anything else is somebody's own.
func (s server) State(src []byte) (State, string, error) {
	if blank(src) {
		return Absent, "", nil
	}
	_, ours, err := s.read(src)
	if err != nil || ours == nil {
		return Absent, "", err
	}
	var said bytes.Buffer
	if json.Compact(&said, src[ours.start:ours.end]) != nil || `"`+serverName+`":`+said.String() != s.entry()(layout{colon: ":"}, "") {
		return Edited, "somebody has written the server " + serverName, nil
	}
	return Present, "", nil
}

// Add implements [Piece]: the server comes last.
func (s server) Add(src []byte) ([]byte, error) {
	state, _, err := s.State(src)
	if err != nil || state != Absent {
		return src, err
	}
	var now []byte
	switch root, _, _ := s.read(src); {
	case blank(src):
		now = begun(src, member(s.key, object(s.entry())))
	case root.member(s.key) == nil:
		now = apply(src, []splice{appended(src, root, root, layoutOf(src, root), []item{member(s.key, object(s.entry()))})})
	default:
		now = apply(src, []splice{appended(src, root, root.member(s.key), layoutOf(src, root), []item{s.entry()})})
	}
	return verified(s, src, now, state)
}

// Drop implements [Piece]. What is empty without it goes as [settings.Drop] has it.
func (s server) Drop(src []byte) ([]byte, error) {
	state, _, err := s.State(src)
	if err != nil && !bytes.Contains(src, []byte(`"`+serverName+`"`)) {
		return src, nil
	}
	if err != nil || state != Present {
		return src, err
	}
	root, ours, err := s.read(src)
	if err != nil {
		return nil, err
	}
	c := cut{src: src, gone: map[*node]bool{ours: true}}
	c.emptied(root.member(s.key))
	return c.result(root), nil
}

// tomlTable is the table that names the server in a TOML file.
const tomlTable = "[mcp_servers." + serverName + "]"

// tomlServer is the entry of `ckpt mcp` in Codex's config.toml: a block at its end,
// between two comments, since a table runs to the next one.
type tomlServer struct{ block }

// newTOMLServer is the entry at a place.
func newTOMLServer(at place) tomlServer {
	text := tomlMarks.begin + "\n# %SEAL%\n" + tomlTable + "\ncommand = \"ckpt\"\nargs = [\"mcp\"]\n" + tomlMarks.end
	return tomlServer{block{place: at, text: sealed(text), marks: tomlMarks}}
}

// State implements [Piece]. A table of that name outside the block is somebody's own.
func (s tomlServer) State(src []byte) (State, string, error) {
	state, said, err := s.block.State(src)
	if err != nil || state != Absent {
		return state, said, err
	}
	for line := range bytes.Lines(src) {
		if bare := strings.Map(tomlBare, string(line)); strings.HasPrefix(bare, tomlTable) || strings.HasPrefix(bare, "mcp_servers."+serverName+".") {
			return Edited, "somebody has written the server " + serverName, nil
		}
	}
	return Absent, "", nil
}

// tomlBare leaves out what may stand in a table's name and changes nothing of it.
func tomlBare(r rune) rune {
	if strings.ContainsRune(" \t\"'", r) {
		return -1
	}
	return r
}

// Add implements [Piece].
func (s tomlServer) Add(src []byte) ([]byte, error) {
	if state, _, err := s.State(src); err != nil || state == Edited {
		return src, err
	}
	return s.block.Add(src)
}
