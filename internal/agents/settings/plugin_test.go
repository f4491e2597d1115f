package settings

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the files of the plugin and of the extension")

// TestPluginFiles compares the files of the plugin for Claude Code and of the extension for Gemini CLI
// with what setup writes.
func TestPluginFiles(t *testing.T) {
	const plugin = ".claude-plugin/ckpt/"
	hooks, err := hooksOf(claude()).Add(nil)
	if err != nil {
		t.Fatal(err)
	}
	servers, err := serverOf(claude()).Add(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		plugin + "hooks/hooks.json":           string(hooks),
		plugin + ".mcp.json":                  string(servers),
		plugin + "skills/checkpoint/SKILL.md": inFolder(skillText, "checkpoints"),
		plugin + "skills/handoff/SKILL.md":    sealed(handoffText),
		"docs/agent-context.md":               instructions("checkpoints", false).text + "\n",
	} {
		file := filepath.Join("../../..", filepath.FromSlash(name))
		if *update {
			err := os.MkdirAll(filepath.Dir(file), 0o777)
			if err != nil {
				t.Fatal(err)
			}
			err = os.WriteFile(file, []byte(want), 0o666)
			if err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil || string(got) != want {
			t.Errorf("%s: %v; go test ./internal/agents/settings -update writes it", name, err)
		}
	}
	if !HasPlugin([]byte(`{"enabledPlugins": {"ckpt@ckpt": true}}`)) {
		t.Error("the plugin of the marketplace is not known")
	}
}
