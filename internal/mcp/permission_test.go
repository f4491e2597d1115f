package mcp

import (
	"slices"
	"testing"

	"example.com/ckpt/internal/agents/settings"
)

// TestEveryToolIsGranted checks that setup lets agents call every tool without asking. An
// exception would have to be made here.
func TestEveryToolIsGranted(t *testing.T) {
	list, err := connect(t).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	granted := slices.Sorted(slices.Values(settings.GrantedTools))
	if slices.Sort(names); !slices.Equal(names, granted) {
		t.Errorf("the tools are %v, granted are %v", names, granted)
	}
}
