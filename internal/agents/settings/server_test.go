package settings

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// serversOf are the entries of `ckpt mcp` in JSON, of every agent.
func serversOf() []server {
	var all []server
	for _, a := range All() {
		if a.servers.key != "" {
			all = append(all, server{place{"", a.servers.in[Project], serverPiece}, a.servers.key, a.servers.oneList})
		}
	}
	return all
}

// servedTexts are further files, with servers in them.
var servedTexts = map[string]string{
	"servers empty":           "{\n  \"mcpServers\": {},\n  \"mcp\": {}\n}\n",
	"servers empty, one line": `{"mcpServers":{},"mcp":{ }}`,
	"another server":          "{\n  \"mcpServers\": {\n    \"db\": {\n      \"command\": \"db-mcp\"\n    }\n  },\n  \"mcp\": {\"db\": {\"type\": \"local\"}}\n}\n",
	"another, CRLF":           "{\r\n\t\"mcpServers\": {\r\n\t\t\"db\": {}\r\n\t}\r\n}\r\n",
}

func TestServers(t *testing.T) {
	for _, s := range serversOf() {
		for _, texts := range []map[string]string{texts, servedTexts} {
			for name, text := range texts {
				t.Run(s.where+"/"+name, func(t *testing.T) { servedAndBack(t, s, []byte(text)) })
			}
		}
		for name, src := range blanks {
			t.Run(s.where+"/"+name, func(t *testing.T) { servedAndBack(t, s, src) })
		}
	}
}

func servedAndBack(t *testing.T, s server, src []byte) {
	t.Helper()
	added, err := s.Add(src)
	if err != nil {
		t.Fatalf("Add(%q): %v", src, err)
	}
	if again, err := s.Add(added); err != nil || string(again) != string(added) {
		t.Errorf("a second Add of %q: %v\n%s", src, err, again)
	}
	if back, err := s.Drop(added); err != nil || string(back) != string(src) || (back == nil) != (src == nil) {
		t.Errorf("Drop(Add(%q)) = %q, %v\n%s", src, back, err, added)
	}
	var v map[string]map[string]any
	_ = json.Unmarshal([]byte(strings.TrimPrefix(string(added), "\xef\xbb\xbf")), &v)
	want := map[string]any{"command": "ckpt", "args": []any{"mcp"}}
	if s.oneList {
		want = map[string]any{"type": "local", "command": []any{"ckpt", "mcp"}}
	}
	if !reflect.DeepEqual(v[s.key][serverName], any(want)) {
		t.Errorf("%s says %v", added, v[s.key])
	}
}

// TestServerBesideHooks: one file may hold both, and either can go first.
func TestServerBesideHooks(t *testing.T) {
	g, _ := Find("gemini")
	hooks, mcp := settings{place{"", g.hooks[Project], "hooks"}, g}, server{place{"", g.hooks[Project], serverPiece}, "mcpServers", false}
	for name, src := range blanks {
		for _, order := range [][]Piece{{hooks, mcp, hooks, mcp}, {hooks, mcp, mcp, hooks}, {mcp, hooks, hooks, mcp}, {mcp, hooks, mcp, hooks}} {
			now := src
			for i, step := range order {
				var err error
				if do := step.Add; i < 2 {
					now, err = do(now)
				} else {
					now, err = step.Drop(now)
				}
				if err != nil {
					t.Fatalf("%s, step %d: %v", name, i, err)
				}
			}
			if string(now) != string(src) {
				t.Errorf("%s: %q, not %q", name, now, src)
			}
		}
	}
}

func TestServerOfSomebodyElse(t *testing.T) {
	s := serversOf()[0]
	for _, text := range []string{`{"mcpServers":{"ckpt":{"command":"/opt/ckpt","args":["mcp"]}}}`, `{"mcpServers":{"ckpt":null}}`} {
		added, err := s.Add([]byte(text))
		dropped, dropErr := s.Drop([]byte(text))
		if state, _, _ := s.State([]byte(text)); state != Edited || err != nil || dropErr != nil || string(added) != text || string(dropped) != text {
			t.Errorf("%s: %s, %q %v, %q %v", text, state, added, err, dropped, dropErr)
		}
	}
	for _, text := range []string{"[]", `{"mcpServers":[]}`, `{"mcpServers":{},"mcpServers":{}}`, "{ // mine\n}", `{"mcpServers":`} {
		if added, err := s.Add([]byte(text)); err == nil {
			t.Errorf("%s became %s", text, added)
		}
	}
}

func TestServerInTOML(t *testing.T) {
	s := newTOMLServer(place{"", ".codex/config.toml", serverPiece})
	for _, text := range []string{"model = \"o3\"\n", "model = \"o3\"", "[profiles.x]\r\nmodel = \"o3\"\r\n", "# mine\n\n", "[mcp_servers.db]\ncommand = \"db\"\n"} {
		added, err := s.Add([]byte(text))
		if err != nil || !strings.Contains(string(added), "[mcp_servers.ckpt]") {
			t.Errorf("%q became %q, %v", text, added, err)
		}
		if back, err := s.Drop(added); err != nil || string(back) != text {
			t.Errorf("%q came back as %q, %v", text, back, err)
		}
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
