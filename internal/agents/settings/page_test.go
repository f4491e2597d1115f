package settings

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"example.com/ckpt/internal/agents/protocol"
)

// TestPageOfHooks compares the table of hooks in docs/agents.md with the hooks that setup writes and
// with the answers that the protocol has for them.
func TestPageOfHooks(t *testing.T) {
	const page, begin, end = "../../../docs/agents.md", "<!-- hooks:begin -->\n", "<!-- hooks:end -->"
	src, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(src), begin)
	_, after, found := strings.Cut(rest, end)
	if !ok || !found {
		t.Fatalf("%s has no place for the hooks", page)
	}
	want := before + begin + hookTable() + end + after
	if *update {
		err := os.WriteFile(page, []byte(want), 0o666)
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(src) != want {
		t.Errorf("%s differs from the hooks; go test ./internal/agents/settings -update writes it", page)
	}
	for _, event := range protocol.Events {
		called := strings.Contains(hookTable(), "| `"+string(event)+"` |")
		if told := strings.Contains(after, "- **`"+string(event)+"`**"); told != called {
			t.Errorf("%s: in the table: %v, described below it: %v", event, called, told)
		}
	}
}

// hookTable returns a row for each event that an agent calls, and a column for each agent.
func hookTable() string {
	agents := All()
	head, line := "| `ckpt hook AGENT …` |", "|---|"
	for _, a := range agents {
		head += " " + a.Title + " |"
		line += "---|"
	}
	table := head + "\n" + line + "\n"
	for _, event := range protocol.Events {
		row, called := "| `"+string(event)+"` |", false
		for _, a := range agents {
			names := calls(a, event)
			called = called || len(names) > 0
			row += " " + strings.Join(append(names, marks(a, event, len(names) > 0)...), ", ") + " |"
		}
		if called {
			table += row + "\n"
		}
	}
	return table
}

// calls returns an agent's names for the event at which it calls a hook of ckpt.
func calls(a Agent, event protocol.Event) []string {
	var names []string
	for _, h := range a.hooks {
		if h.event == event {
			names = append(names, "`"+h.native+"`")
		}
	}
	if len(a.hooks) > 0 {
		return names
	}
	handler := "" // in the plugin, the handler whose body asks ckpt
	for line := range strings.Lines(openCodeText) {
		if m := regexp.MustCompile(`^    "?([\w.]+)"?: async`).FindStringSubmatch(line); m != nil {
			handler = m[1]
		}
		if strings.Contains(line, fmt.Sprintf("ask(%q", event)) {
			names = append(names, "`"+strings.Replace(handler, "event", "session.idle", 1)+"`")
		}
	}
	return names
}

// marks returns "–" for an event without a hook, and "no answer" for an event at which the agent's
// model gets nothing from ckpt.
func marks(a Agent, event protocol.Event, called bool) []string {
	if !called {
		return []string{"–"}
	}
	for _, answer := range []protocol.Answer{{Context: "text"}, {Block: "text"}} {
		if protocol.Encode(protocol.Call{Agent: a.Name, Event: event}, answer) != nil {
			return nil
		}
	}
	return []string{"no answer"}
}

// TestCallsOfPlugin checks that the plugin of OpenCode calls ckpt at the events that the table names.
func TestCallsOfPlugin(t *testing.T) {
	a, err := Find("opencode")
	if err != nil {
		t.Fatal(err)
	}
	for event, want := range map[protocol.Event]string{
		protocol.SessionStart: "`experimental.chat.system.transform`", protocol.Prompt: "`chat.message`",
		protocol.Tool: "`tool.execute.after`", protocol.PreCompact: "`experimental.session.compacting`",
		protocol.Stop: "`session.idle`", protocol.SessionEnd: "",
	} {
		if got := strings.Join(calls(a, event), " "); got != want {
			t.Errorf("%s: %q, want %q", event, got, want)
		}
	}
}
