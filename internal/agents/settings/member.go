package settings

import "github.com/tailscale/hujson"

// jsonServer is the part with ckpt's server in the JSON object of an agent's servers. A server with the
// same name and another value belongs to the user.
type jsonServer struct {
	key     string // the key of the object with the servers
	value   object
	lenient bool // the file may have comments
}

// newServer returns the part with `ckpt mcp` as a server of the agent. If the agent has oneList set, the
// program and its arguments are one list, and the server has a type.
func newServer(a Agent) jsonServer {
	server := object{{"command", "ckpt"}, {"args", list{"mcp"}}}
	if a.servers.oneList {
		server = object{{"type", "local"}, {"command", list{"ckpt", "mcp"}}}
	}
	return jsonServer{key: a.servers.key, value: server, lenient: a.lenient}
}

const (
	serverName = "ckpt" // what agents call the server of ckpt
	ownServer  = "ckpt did not add the server " + serverName
)

// read parses the file. Found is the server, and nil if the file does not have it.
func (m jsonServer) read(src []byte) (d *document, found *hujson.Value, err error) {
	d, err = open(src, m.lenient)
	if err != nil {
		return nil, nil, err
	}
	in, err := d.find('{', m.key)
	return d, memberOf(in, serverName), err
}

func (m jsonServer) state(src []byte) (State, string, error) {
	_, found, err := m.read(src)
	if err != nil || found == nil {
		return Absent, "", err
	}
	value := found.Clone()
	value.BeforeExtra, value.AfterExtra = nil, nil
	value.Minimize()
	if value.String() != encode(m.value, "", "") {
		return Edited, ownServer, nil
	}
	return Present, "", nil
}

func (m jsonServer) add(src []byte) ([]byte, error) {
	d, _, err := m.read(src)
	if err != nil {
		return nil, err
	}
	d.add([]string{m.key}, serverName, m.value)
	return d.bytes(), nil
}

func (m jsonServer) drop(src []byte) ([]byte, error) {
	d, found, err := m.read(src)
	if err != nil {
		return nil, err
	}
	prune(&d.root, found)
	return d.bytes(), nil
}
