package settings

import (
	"bytes"

	"github.com/tailscale/hujson"

	"example.com/ckpt/internal/agents/protocol"
)

// ownMember is the part that is one member of a JSON object: the server among an agent's servers, or
// the command of its status line. A member with another value belongs to the user.
type ownMember struct {
	keys    []string // the keys that lead to the object; none for the outermost object
	name    string
	value   object
	remark  string // shown if the value is the user's own
	lenient bool   // the file may have comments
}

// newServer returns the member of `ckpt mcp` among the agent's servers. With oneList (OpenCode)
// program and arguments are one list, and the server has a type.
func newServer(a Agent) ownMember {
	server := object{{"command", "ckpt"}, {"args", list{"mcp"}}}
	if a.servers.oneList {
		server = object{{"type", "local"}, {"command", list{"ckpt", "mcp"}}}
	}
	keys := []string{a.servers.key}
	return ownMember{keys: keys, name: serverName, value: server, remark: ownServer, lenient: a.lenient}
}

const (
	serverName = "ckpt" // what agents call the server of ckpt
	ownServer  = "ckpt did not add the server " + serverName
)

// newStatusLine returns the command that prints an agent's status line. An agent shows
// only one status line, so it belongs into the settings of one person: in those of a project it
// would replace the status lines of all who work there.
func newStatusLine(a Agent) ownMember {
	line := object{{"type", "command"}, {"command", a.call(protocol.StatusLine)}}
	const remark = "it has a status line of its own"
	return ownMember{name: "statusLine", value: line, remark: remark, lenient: a.lenient}
}

// read parses the file. Found is the member with the name, and nil if the file does not have it.
func (m ownMember) read(src []byte) (d *document, found *hujson.Value, err error) {
	d, err = open(src, m.lenient)
	if err != nil {
		return nil, nil, err
	}
	in, err := d.find('{', m.keys...)
	return d, memberOf(in, m.name), err
}

func (m ownMember) state(src []byte) (State, string, error) {
	_, found, err := m.read(src)
	if err != nil || found == nil {
		return Absent, "", err
	}
	value := found.Clone()
	value.BeforeExtra, value.AfterExtra = nil, nil
	value.Minimize()
	if value.String() != encode(m.value, "", "") {
		return Edited, m.remark, nil
	}
	return Present, "", nil
}

func (m ownMember) add(src []byte) ([]byte, error) {
	d, _, err := m.read(src)
	if err != nil {
		return nil, err
	}
	d.add(m.keys, m.name, m.value)
	return d.bytes(), nil
}

func (m ownMember) drop(src []byte) ([]byte, error) {
	d, found, err := m.read(src)
	if err != nil {
		return nil, err
	}
	d.prune(map[*hujson.Value]bool{found: true})
	return d.bytes(), nil
}

func (m ownMember) mayBeIn(src []byte) bool { return bytes.Contains(src, []byte(`"`+m.name+`"`)) }
