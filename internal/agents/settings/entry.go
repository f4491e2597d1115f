package settings

import (
	"bytes"
	"encoding/json"

	"example.com/ckpt/internal/agents/protocol"
)

// entry is ckpt's one member of a JSON object: the server among an agent's servers, or the command
// of its status line. An entry with another value belongs to the user.
type entry struct {
	keys   []string // the keys that lead to the object; none for the outermost object
	member member
	isOurs func(src []byte, value *node) bool
	remark string // shown if the value is the user's own
	sign   string // a file without this text does not have the entry
	// lenient means that the file may have comments: see [parse].
	lenient bool
}

// newServer returns the entry of `ckpt mcp` among the agent's servers. With oneList (OpenCode)
// program and arguments are one list, and the entry has a type.
func newServer(a Agent) entry {
	server := object{{"command", "ckpt"}, {"args", list{"mcp"}}}
	if a.servers.oneList {
		server = object{{"type", "local"}, {"command", list{"ckpt", "mcp"}}}
	}
	return entry{
		keys:   []string{a.servers.key},
		member: member{serverName, server},
		isOurs: func(src []byte, value *node) bool {
			var line bytes.Buffer
			err := json.Compact(&line, src[value.start:value.end])
			return err == nil && line.String() == layout{colon: ":"}.encode(server, "")
		},
		remark:  ownServer,
		sign:    quote(serverName),
		lenient: a.lenient,
	}
}

const (
	serverName = "ckpt" // what agents call the server of ckpt
	ownServer  = "ckpt did not add the server " + serverName
)

// newStatusLine returns the entry of the command that prints an agent's status line. An agent shows
// only one status line, so it belongs into the settings of one person: in those of a project it
// would replace the status lines of all who work there.
func newStatusLine(a Agent) entry {
	command := a.call(protocol.StatusLine)
	return entry{
		member: member{"statusLine", object{{"type", "command"}, {"command", command}}},
		isOurs: func(src []byte, value *node) bool { return value.member("command").text(src) == command },
		remark: "it has a status line of its own",
		sign:   a.Mark(),
	}
}

// read parses the file. Found is the member with the entry's name, and nil if the file does not
// have it.
func (e entry) read(src []byte) (d document, found *node, err error) {
	d, err = open(src, e.lenient)
	if err != nil {
		return d, nil, err
	}
	in, err := d.find('{', e.keys...)
	return d, in.member(e.member.key), err
}

func (e entry) state(src []byte) (State, string, error) {
	_, found, err := e.read(src)
	if err != nil || found == nil {
		return Absent, "", err
	}
	if !e.isOurs(src, found) {
		return Edited, e.remark, nil
	}
	return Present, "", nil
}

func (e entry) add(src []byte) ([]byte, error) {
	d, _, err := e.read(src)
	return splice(src, d.append(list{e.member}, e.keys...)...), err
}

func (e entry) drop(src []byte) ([]byte, error) {
	d, found, err := e.read(src)
	return d.without(map[*node]bool{found: true}, member{}), err
}

func (e entry) mayBeIn(src []byte) bool { return bytes.Contains(src, []byte(e.sign)) }

// tomlTable is the table of the server in Codex's config.toml.
const tomlTable = "[mcp_servers." + serverName + "]"

// newTOMLServer returns the server as a block at the end of a TOML file, between two
// comments, since a table extends to the next one.
func newTOMLServer() block {
	b := block{begin: "# ckpt:begin", end: "# ckpt:end", remark: ownServer}
	b.text = sealed(b.begin + "\n# %SEAL%\n" + tomlTable + "\ncommand = \"ckpt\"\nargs = [\"mcp\"]\n" + b.end)
	b.check = func(src []byte) error {
		_, err := parseTOML(src)
		return err
	}
	b.foreign = func(src []byte) bool {
		values, err := parseTOML(src)
		return err == nil && tableAt(values, "mcp_servers", serverName) != nil
	}
	return b
}
