package mcp

import (
	"strings"
	"testing"
)

// TestErrorsTellNoSecret checks that an error about a request does not repeat its secrets.
func TestErrorsTellNoSecret(t *testing.T) {
	c := connect(t)
	tail := "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
	token := "ghp_" + tail
	for _, r := range []struct{ tool, arguments string }{
		{"checkpoint_resume", `{"id": "` + token + `"}`},
		{"checkpoint_resume", `{"` + token + `": 1}`},
		{"checkpoint_list", `{"limit": "` + token + `"}`},
		{"checkpoint_load", `{"checkpointId": "chk-` + token + `"}`},
		{"checkpoint_load", `{"schema": "` + token + `"}`},
	} {
		if text := c.refused(r.tool, r.arguments); text == "" || strings.Contains(text, tail) {
			t.Errorf("%s %s: %q", r.tool, r.arguments, text)
		}
	}
}
