package mcp

import "testing"

// TestNamed saves with a name and a description, and then without. The name is in the frontmatter, and both are loaded.
func TestNamed(t *testing.T) {
	for name, arguments := range map[string]string{
		"summary":  `"summary":{"goal":"g"},"resumePointer":{"nextAction":"n"}`,
		"session":  `"sessionId":"s","state":{"query":"q","plan":[]}`,
		"workflow": `"workflow_id":"w","step_name":"p","state":{"todos":[]}`,
		"failed":   `"sessionId":"s","state":{"query":"q","plan":[]},"metadata":{"triggerType":"error"}`,
	} {
		t.Run(name, func(t *testing.T) {
			c := connect(t)
			_, v := c.must("checkpoint_save", `{`+arguments+`,"name":"Before the API","description":"For people"}`)
			c.must("checkpoint_save", `{`+arguments+`}`)
			file := v["checkpointId"].(string) + ".md"
			c.has(c.file("active/"+file), "\nname: Before the API\n")
			_, loaded := c.must("checkpoint_load", `{}`)
			saved, _ := loaded["checkpoint"].(map[string]any)
			if saved["name"] != "Before the API" {
				t.Errorf("loaded %v", loaded)
			}
			if name == "session" {
				c.must("checkpoint_save", `{`+arguments+`,"description":"Another"}`)
				c.has(c.file("active/"+file), "\nname: Before the API\n")
			}
		})
	}
}
