package settings

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// withServers returns every agent whose servers are in a JSON file.
func withServers() []Agent {
	return slices.DeleteFunc(All(), func(a Agent) bool { return a.servers.key == "" })
}

// serverOf returns the entry of `ckpt mcp` of an agent.
func serverOf(a Agent) Piece {
	return Piece{What: ServerPiece, Path: a.servers.in.project, part: newServer(a)}
}

// servedTexts are further files, which have servers.
var servedTexts = map[string]string{
	"servers empty":           "{\n  \"mcpServers\": {},\n  \"mcp\": {}\n}\n",
	"servers empty, one line": `{"mcpServers":{},"mcp":{ }}`,
	"another server":          "{\n  \"mcpServers\": {\n    \"db\": {\n      \"command\": \"db-mcp\"\n    }\n  },\n  \"mcp\": {\"db\": {\"type\": \"local\"}}\n}\n",
	"another, CRLF":           "{\r\n\t\"mcpServers\": {\r\n\t\t\"db\": {}\r\n\t}\r\n}\r\n",
}

func TestServers(t *testing.T) {
	for _, a := range withServers() {
		want := map[string]any{"command": "ckpt", "args": []any{"mcp"}}
		if a.servers.oneList {
			want = map[string]any{"type": "local", "command": []any{"ckpt", "mcp"}}
		}
		files := allFiles(texts, servedTexts)
		if a.lenient {
			files = allFiles(texts, servedTexts, commented)
		}
		for name, src := range files {
			t.Run(a.Name+"/"+name, func(t *testing.T) {
				added := thereAndBack(t, serverOf(a), src)
				sameLineEnds(t, src, added)
				servers, _ := decoded(t, added)[a.servers.key].(map[string]any)
				if !reflect.DeepEqual(servers[serverName], any(want)) {
					t.Errorf("%s has %v", added, servers)
				}
			})
		}
	}
}

func TestServerOfSomebodyElse(t *testing.T) {
	s := serverOf(claude())
	for _, text := range []string{`{"mcpServers":{"ckpt":{"command":"/opt/ckpt","args":["mcp"]}}}`, `{"mcpServers":{"ckpt":null}}`} {
		added, err := s.Add([]byte(text))
		dropped, dropErr := s.Drop([]byte(text))
		if state, _, _ := s.State([]byte(text)); state != Edited || err != nil || dropErr != nil || string(added) != text || string(dropped) != text {
			t.Errorf("%s: %s, %q %v, %q %v", text, state, added, err, dropped, dropErr)
		}
	}
	for _, text := range []string{"[]", `{"mcpServers":[]}`, `{"mcpServers":{},"mcpServers":{}}`, "{ // mine\n}", // Claude Code reads no comments
		`{"mcpServers":`, "{\"a\":\"\xff\"}"} {
		if added, err := s.Add([]byte(text)); err == nil {
			t.Errorf("%s became %s", text, added)
		}
	}
}

func TestServerInTOML(t *testing.T) {
	s := Piece{What: ServerPiece, part: newTOMLServer()}
	for _, text := range []string{"model = \"o3\"\n", "model = \"o3\"", "[profiles.x]\r\nmodel = \"o3\"\r\n", "# mine\n\n", "[mcp_servers.db]\ncommand = \"db\"\n"} {
		if added := thereAndBack(t, s, []byte(text)); !strings.Contains(string(added), "[mcp_servers.ckpt]") {
			t.Errorf("%q became %q", text, added)
		}
	}
	if _, err := s.Add([]byte("a = 1\nb = \n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a broken file: %v", err)
	}
	if added, err := s.Add(nil); err != nil {
		t.Error(err)
	} else if back, err := s.Drop(added); err != nil || back != nil {
		t.Errorf("%q came back as %q, %v", added, back, err)
	}
	for _, own := range []string{"[mcp_servers.ckpt]\ncommand = \"x\"\n", "[ mcp_servers . \"ckpt\" ]\n", "mcp_servers.ckpt.command = \"x\"\n"} {
		if added, err := s.Add([]byte(own)); err != nil || string(added) != own {
			t.Errorf("%q became %q, %v", own, added, err)
		}
	}
}
