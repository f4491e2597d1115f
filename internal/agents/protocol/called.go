package protocol

import "strings"

// Called is the name for an agent that calls itself by name: "claude" for
// "claude-code", and the name itself where no agent that is known has one like it.
func Called(name string) string {
	name = oneLine(name)
	for _, a := range agents {
		if low := strings.ToLower(name); low == a.name || strings.HasPrefix(low, a.name+"-") || strings.HasPrefix(low, a.name+" ") {
			return a.name
		}
	}
	return name
}
