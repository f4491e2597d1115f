package mcp

import (
	"testing"

	"example.com/ckpt/internal/checkpoint/value"
)

// TestGiven checks where the name and the description of a save go. The schema of an executor
// has only a description, and no text is lost.
func TestGiven(t *testing.T) {
	const executor, workflow = `"sessionId":"s","state":{"query":"q","plan":[]}`, `"workflow_id":"w","state":{"todos":[]}`
	for name, tt := range map[string]struct{ arguments, want string }{
		"of an executor":            {`{` + executor + `,"name":"a"}`, `{"description":"a"}`},
		"both of an executor":       {`{` + executor + `,"name":"a","description":"b"}`, `{"description":"b","name":"a"}`},
		"described in its metadata": {`{` + executor + `,"name":"a","metadata":{"description":"b"}}`, `{"description":"b","name":"a"}`},
		"of a workflow":             {`{` + workflow + `,"name":"a","description":"b"}`, `{"description":"b","name":"a"}`},
		"none":                      {`{` + workflow + `}`, `null`},
	} {
		im, err := given([]byte(tt.arguments))
		if err != nil {
			t.Fatal(err)
		}
		metadata, _ := value.Get(im.Object, "metadata")
		if got, _ := value.JSON(metadata); string(got) != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
